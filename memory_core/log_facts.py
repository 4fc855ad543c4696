"""What the logs of a workspace say now about the sources of its records: the facts behind `omoide lint --evidence` and
behind the editor's diagnostics of open records.

Compares nothing itself; the rules do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from memory_core.errors import SessionError
from memory_core.lint.facts import LintFacts, LogFacts

if TYPE_CHECKING:  # the readers of logs take long to load, and most open records come from no session
    from memory_core.records.record import Source
    from memory_core.sessions.model import Entry
    from memory_core.snapshot import Snapshot
    from memory_core.workspace import Workspace

_MOST_TEXT = 20_000  # characters of an entry; an excerpt is from its beginning


Wanted = Mapping[str, frozenset[int]]  # the entries that anchors point at, by session


def log_facts(
    workspace: Workspace, snapshot: Snapshot, paths: Iterable[str], most_bytes: int | None = None
) -> tuple[LintFacts, list[str]]:
    """What is known of the sessions that some records come from, and a line for each log that cannot be read.

    Sessions of agents whose logs the settings do not ask for are not looked for, nor are logs of more than
    `most_bytes`: the rules are silent about them.
    """
    return facts_of(workspace, wanted_of(workspace, snapshot, paths), most_bytes)


def wanted_of(workspace: Workspace, snapshot: Snapshot, paths: Iterable[str]) -> Wanted:
    """What must be looked up for some records; while it is the same, so is the answer, but for what happens to logs."""
    looked_for = workspace.config.sessions.sources
    wanted: dict[str, set[int]] = defaultdict(set)
    for path in paths:
        document = snapshot.documents.get(path)
        for source in document.record.sources if document and document.record else ():
            if source.agent is None or source.agent in looked_for:
                wanted[source.session_id].update(_indices(source))
    return {session_id: frozenset(indices) for session_id, indices in wanted.items()}


def facts_of(workspace: Workspace, wanted: Wanted, most_bytes: int | None = None) -> tuple[LintFacts, list[str]]:
    """See `log_facts`."""
    if not wanted:
        return LintFacts(), []
    from memory_core.store.session_logs import read_log

    places = {ref.session_id: ref for ref in reversed(workspace.sessions())}
    logs: dict[str, LogFacts | None] = {}
    problems: list[str] = []
    for session_id, indices in sorted(wanted.items()):
        place = places.get(session_id)
        if place is None:
            logs[session_id] = None
            continue
        if most_bytes is not None and place.size > most_bytes:
            continue
        try:
            session = read_log(place.path)
        except SessionError as error:
            problems.append(str(error))
            continue
        texts = {index: _text(session.entries[index]) for index in indices if index < len(session.entries)}
        logs[session_id] = LogFacts(tuple(map(_hash, session.entries)), texts)
    return LintFacts(logs=logs), problems


def _indices(source: Source) -> Iterable[int]:
    for anchor in source.anchors:
        span = anchor.get("entry_range")
        if isinstance(span, list) and len(span) == 2 and all(type(number) is int for number in span):
            yield from range(max(0, span[0]), min(span[1], span[0] + 100) + 1)


def _hash(entry: Entry) -> str:
    """The hash that an anchor of this entry holds."""
    return entry.sha256 or sha256(entry.text.encode("utf-8", "replace")).hexdigest()


def _text(entry: Entry) -> str:
    from memory_core.extract.evidence import said

    return " ".join(said(replace(entry, text=entry.text[:_MOST_TEXT])).split())
