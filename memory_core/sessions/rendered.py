"""A session as a Markdown text for people: a heading for each entry, what is foreign fenced, redacted and bounded.

Pure. What is cut says so at its place; where the text lies and how long it lives is the store's business.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory_core.redact import beginning, brief
from memory_core.sessions.anchors import entry_hash
from memory_core.sessions.model import Entry, EntryKind, Session
from memory_core.text import UNWRITABLE, counted

FORMAT = 2  # of the text; a change of it makes texts that are kept worthless

# A session of up to so many entries and characters is shown whole: an editor opens such a file at once. Of a longer one
# a window around the wanted entry is shown, which begins at a multiple of STEP, so that entries nearby share it.
WHOLE_ENTRIES = 2_000
WHOLE_TEXT = 2_000_000
WINDOW = 600
STEP = 200
TEXT_LIMIT = 4_000  # characters shown of what somebody said
OUTPUT_LIMIT = 1_500  # and of what a tool was given or answered

# Besides what no record may hold: separators that some programs take for line ends, marks of direction, and the
# invisible alphabet that can carry a second text (U+E0000..E007F).
_HIDDEN = re.compile(f"{UNWRITABLE.pattern}|[\u200b\u200e\u200f\u2028\u2029\U000e0000-\U000e007f]")
# What editors obey in any file that they open, at its beginning and its end: options of Vim and variables of Emacs.
STEERING = re.compile(r"(?<!\S)(?:vim?|Vim|ex)(?=(?:[<=>]*\d+)?:)|-\*-|Local Variables(?=:)", re.IGNORECASE)
_JOINER = "\u2060"  # invisible, and enough to make another word of one
_NOTICE = (
    "> Made by Omoide from the session's log, to be read: edits here go nowhere, and it is made anew when the log "
    "changes. Secrets are redacted; what was cut says so."
)
_MARKUP = re.compile(r"[\\`*_\[\]<>|#~!&]")


@dataclass(frozen=True)
class Rendered:
    """The text, with `start` (the first entry of a window, None where the session is whole), and by entry the 0-based
    line of its heading and the beginning of its hash."""

    text: str
    start: int | None
    headings: Mapping[int, tuple[int, str]] = field(default_factory=dict)


def render(session: Session, around: int = 0) -> Rendered:
    """A session, or the window of it that an entry is in; an entry behind the end counts as the last one."""
    entries = session.entries
    start, stop = window(entries, around)
    page = _Page()
    page.add(*_head(session))
    if start:
        page.add(f"*Entries 0 to {start - 1:,} are not shown here: the session has {len(entries):,}.*", "")
    for entry in entries[start:stop]:
        page.entry(entry.index, _mark(entry), _title(entry), _body(entry))
    if stop < len(entries):
        page.add(f"*Entries {stop:,} to {len(entries) - 1:,} are not shown here.*", "")
    whole = start == 0 and stop == len(entries)
    return Rendered(page.text, None if whole else start, page.headings)


def render_lost(session_id: str, agent: str | None, anchors: Sequence[Mapping[str, Any]]) -> Rendered:
    """What records keep of a session whose log is gone: the excerpts of their anchors, in order."""
    page = _Page()
    page.add(f"# Session {_code(session_id)}", "", f"Agent: {_inline(agent or 'not known')}", "")
    page.add("> The log of this session is gone, or it is no log of this workspace. This is what records keep of it.")
    page.add("")
    kept: dict[int, list[Mapping[str, Any]]] = {}
    for anchor in anchors:
        kept.setdefault(entry_of(anchor), []).append(anchor)
    for entry in sorted(kept):
        speakers = dict.fromkeys(_inline(str(anchor.get("speaker", ""))) for anchor in kept[entry])
        texts = dict.fromkeys(str(anchor.get("excerpt", "")) for anchor in kept[entry])
        title = " · ".join(word for word in (*speakers, "excerpt kept by a record") if word)
        page.entry(entry, "", title, [line for text in texts for line in [*_fenced(text, TEXT_LIMIT), ""]][:-1])
    if not kept:
        page.add("*No record keeps an excerpt of it.*", "")
    return Rendered(page.text, None, page.headings)


def window(entries: Sequence[Entry], around: int) -> tuple[int, int]:
    """The entries to show, `start` to `stop` outside."""
    total = len(entries)
    if total <= WHOLE_ENTRIES and sum(min(_size(entry), TEXT_LIMIT) for entry in entries) <= WHOLE_TEXT:
        return 0, total
    at = max(0, min(around, total - 1))
    start = max(0, at // STEP * STEP - STEP)
    return start, min(total, start + WINDOW)


def entry_of(anchor: Mapping[str, Any]) -> int:
    """The entry that an anchor said it stands at: the last of its range, since a result's range begins with its call; 0
    where it names none."""
    span = anchor.get("entry_range")
    last = span[-1] if isinstance(span, list | tuple) and span else 0
    return last if isinstance(last, int) and last >= 0 else 0


class _Page:
    """Lines as they come, and at which the headings stand."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self.headings: dict[int, tuple[int, str]] = {}

    @property
    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def add(self, *lines: str) -> None:
        self._lines += lines

    def entry(self, index: int, mark: str, title: str, body: Sequence[str]) -> None:
        self.headings[index] = len(self._lines), mark
        self.add(f"## {index} · {title}", "", *body, *([""] if body else []))


def _mark(entry: Entry) -> str:
    """The beginning of the hash that an anchor of this entry carries."""
    return entry_hash(entry)[:8]


def _head(session: Session) -> list[str]:
    facts = [f"Agent: {_inline(session.agent)}"]
    facts += [f"started {_inline(session.started_at, 40)}"] if session.started_at else []
    facts += [counted(len(session.entries), "entry")]
    facts += [f"log {_code(str(session.path))}"] if session.path else []
    lines = [f"# Session {_code(session.session_id)}", ""]
    lines += [_inline(session.title), ""] if session.title else []
    lines += [" · ".join(facts), ""]
    lines += [_NOTICE, ""]
    if session.gaps:
        lines += [f"*The log has {counted(len(session.gaps), 'gap')}: parts of it that could not be read.*", ""]
    return lines


def _title(entry: Entry) -> str:
    match entry.kind:
        case EntryKind.TOOL_CALL:
            what = f"calls {_inline(entry.tool or 'a tool', 60)}"
        case EntryKind.TOOL_RESULT:
            what = f"result of {_inline(entry.tool, 60)}" if entry.tool else "result"
            what += " (error)" if entry.is_error else ""
        case EntryKind.USER_MESSAGE | EntryKind.ASSISTANT_MESSAGE:
            what = ""
        case _:
            what = str(entry.kind).replace("_", " ")
    subtype = _inline(entry.subtype, 40).replace("\\_", " ") if entry.subtype else ""
    when = _inline(entry.ts, 40) if entry.ts else ""
    return " · ".join(word for word in (str(entry.speaker), what, subtype, when) if word)


def _body(entry: Entry) -> list[str]:
    match entry.kind:
        case EntryKind.TOOL_CALL:
            lines = _fenced(entry.text, TEXT_LIMIT)
            given = json.dumps(dict(entry.arguments), ensure_ascii=False, indent=1, default=str)
            return [*lines, "", *_fenced(given, OUTPUT_LIMIT, "json")] if entry.arguments else lines
        case EntryKind.TOOL_RESULT:
            return _fenced(entry.output or entry.text, OUTPUT_LIMIT)
        case EntryKind.EXTENSION:
            return _fenced(json.dumps(entry.payload, ensure_ascii=False, default=str), OUTPUT_LIMIT, "json")
        case _:
            return _fenced(entry.text, TEXT_LIMIT) if entry.text.strip() else []


def _size(entry: Entry) -> int:
    if entry.kind is EntryKind.TOOL_RESULT:
        return OUTPUT_LIMIT if entry.packed is not None else min(len(entry.content or entry.text), OUTPUT_LIMIT)
    return len(entry.text)


def _fenced(text: str, limit: int, language: str = "text") -> list[str]:
    """A foreign text as lines of a fence that nothing in it can close."""
    # Redacted before it is cut, with room behind the cut: half a secret is no longer known for one.
    shown = beginning(text, limit * 2)
    left = len(text) - limit
    if left > 0:
        shown = shown[:limit].rstrip()
    lines = _seen(shown.replace("\r\n", "\n").replace("\r", "\n")).strip("\n").split("\n")
    fence = "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line)), default=0))
    cut = ["", f"*{left:,} more characters are not shown here.*"] if left > 0 else []
    return [f"{fence}{language}", *lines, fence, *cut]


def _seen(text: str) -> str:
    """Foreign text as a person sees it, that steers neither them nor their editor."""
    return STEERING.sub(lambda found: found[0][0] + _JOINER + found[0][1:], _HIDDEN.sub(_visible, text))


def _visible(match: re.Match[str]) -> str:
    """A character that steers or hides, as its number."""
    return f"‹U+{ord(match[0]):04X}›"


def _inline(text: str, limit: int = 200) -> str:
    """One line of foreign text in which nothing is markup."""
    line = _seen(brief(text, limit))
    # An address in front would take a backslash for a part of itself, and a tag behind it would be one.
    return _MARKUP.sub(lambda match: "&lt;" if match[0] == "<" else "\\" + match[0], line)


def _code(text: str) -> str:
    return "`" + _seen(" ".join(text[:400].split())).replace("`", "'") + "`"
