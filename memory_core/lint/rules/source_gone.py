"""`source-gone`: the log of a session that a record comes from is not there any more. Needs facts about logs.

Agents delete their logs after some weeks, so this is information, not a fault: what an anchor quotes is still there.
"""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule, place_of
from memory_core.lint.sources import sources_of
from memory_core.text import shorten


def check(context: Context) -> Iterator[Problem]:
    logs = context.facts.logs
    said: set[str] = set()
    for source in sources_of(context) if logs else ():
        session = source.session_id
        if logs is not None and logs.get(session, "unknown") is None and session not in said:
            said.add(session)
            message = (
                f"The log of session `{shorten(session, 40)}` is not found on this machine: "
                "what the record says can only be checked against the excerpts it keeps."
            )
            yield Problem(message, place_of(source.session))


RULE = Rule("source-gone", Severity.HINT, "The log of a source is gone.", check)
