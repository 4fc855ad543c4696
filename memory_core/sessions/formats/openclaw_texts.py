"""What OpenClaw puts into a message beside a person's words: outputs of commands, metadata, messages of others.

Knows OpenClaw's wording alone; pi, whose format it writes, puts nothing there, and its persons may write the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable

# A heading over a fence that holds JSON, in whose strings no line ends: the next line of three backticks is its end.
_QUOTED = re.compile(r"^[^\n]{1,80} \(untrusted[^()\n]{0,40}\):[ \t]*\n```json\n", re.MULTILINE)
_FENCE_END = re.compile(r"^```[ \t]*$\n?", re.MULTILINE)
# Paragraphs and lines of the program's own.
_TOLD = re.compile(
    r"^(?:System(?: \([^()\n]{1,40}\))?: \[(?:\w{3} )?\d{4}-\d\d-\d\d[^\]\n]{0,60}\].*(?:\n.*\S.*)*"
    r"|An async command you ran earlier has completed\..*(?:\n.*\S.*)*"
    r"|Current time: \w{3,6}day\b.*"
    r"|\[media attached(?: \d+/\d+)?: [^\]\n]*\].*|\[Queued messages while agent was busy\]|---\nQueued #\d+)$\n?",
    re.MULTILINE,
)
_UNTRUSTED = re.compile(r"\s*System \(untrusted\): \[\w")
_BY_CLOCK = re.compile(r"\s*\[cron:\S")


def is_quoting(text: str) -> bool:
    """Whether a text holds a block as nobody but OpenClaw writes it."""
    return _QUOTED.search(text) is not None or _UNTRUSTED.match(text) is not None


def typed(text: str, cut: Callable[[str], object]) -> str:
    """A person's words in a text of role `user`; empty where the program alone speaks. `cut` is told what was cut."""
    if _BY_CLOCK.match(text):
        return ""
    kept: list[str] = []
    at = 0
    while match := _QUOTED.search(text, at):
        end = _FENCE_END.search(text, match.end())
        kept.append(text[at : match.start()])
        cut("openclaw_metadata")
        at = end.end() if end else len(text)
    rest, told = _TOLD.subn("", "".join([*kept, text[at:]]))
    if told:
        cut("openclaw_note")
    return rest.strip()
