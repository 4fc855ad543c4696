"""Aider's chat history: one endless Markdown file a repository, split into sessions at its headings.

Marks are ambiguous (an assistant may write `#### ` too), so code fences and the two blanks that Aider puts at the end
of a line decide. Times other than a session's start are not kept in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.lines import Line, fence_after, frame_of
from memory_core.sessions.model import Session
from memory_core.sessions.source import Source
from memory_core.sessions.transcript import Place, Transcript

FORMAT = "aider"
HISTORY = ".aider.chat.history.md"
_HEADING = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*\Z")
_HUMAN = re.compile(r"####(?: (.*))?\Z")
_NOTICE = re.compile(r"> ?(.*)\Z")
_SPENT = re.compile(r"> Tokens: ")
_CHOICES = "? (Y)es/"  # between a question and its answer, with the other choices and a colon
_ANSWER = re.compile(r": ?(\S.*)\Z")
_EDITED = re.compile(r"Applied edit to (.+)\Z")

Kind = Literal["human", "notice", "assistant"]


def recognizes(head: str) -> bool:
    return bool(re.search(r"^# aider chat started at \d{4}-", head, re.MULTILINE))


class Part(NamedTuple):
    """A session in a history: its name, its start as an instant, and the place of its heading."""

    name: str
    started: str | None
    line: int
    offset: int


def parts(lines: Iterable[Line]) -> Iterator[Part]:
    """The sessions in a history. A name is the time in the heading; sessions of one second are told apart by a
    number."""
    seen: Counter[str] = Counter()
    for line in lines:
        if match := _HEADING.match(line.text):
            name = match[1].replace(" ", "T").replace(":", "-")
            seen[name] += 1
            name += f"-{seen[name]}" if seen[name] > 1 else ""
            yield Part(name, _instant(match[1]), line.number, line.offset)


def _instant(local: str) -> str | None:
    """The heading's local time as an instant, by the clock of the machine that reads."""
    try:
        moment = datetime.strptime(local, "%Y-%m-%d %H:%M:%S").astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class _Reading:
    """`block`: the lines of the speech that is going on; `fence`: the open code fence of an assistant's text; `strict`:
    whether this file keeps the blanks at line ends that mark what Aider wrote."""

    transcript: Transcript
    strict: bool
    start: str | None = None
    kind: Kind | None = None
    block: list[Line] = field(default_factory=list)
    fence: str = ""


def read(lines: Iterator[Line], source: Source) -> Session:
    """A history as one session, or the session `source.part` from its lines."""
    builder = SessionBuilder(FORMAT, FORMAT)
    everything = list(lines)
    humans = [line.text for line in everything if line.text.startswith("#### ")]
    reading = _Reading(Transcript(builder), any(text.endswith("  ") for text in humans))
    typed = _typed(everything, reading.strict)
    after_blank = True
    for number, line in enumerate(everything):
        if match := _HEADING.match(line.text):
            _close(reading)
            reading.start, reading.fence = _instant(match[1]), ""
            builder.saw_instant(reading.start)
        else:
            _line(reading, line, after_blank and (not reading.fence or number in typed))
        after_blank = not line.text.strip()
    _close(reading)
    return builder.session(source.part or source.name, source.repairs.counts)


def _typed(lines: list[Line], strict: bool) -> set[int]:
    """The places of headings that a person typed even where a fence is open before them, since the answer was broken
    off in it. An answer that goes on behind a heading ends its fences by the time its tokens are counted; a fence of
    its own begins what follows, and is no end with a blank line behind it. Read from the end: what comes decides."""
    found: set[int] = set()
    ends: dict[str, list[tuple[int, bool]]] = {}  # those to come, the nearest last: length, `even` behind it
    even = opens = True  # whether the fences to come are whole; whether the next is a beginning
    counted = later = False  # whether tokens end this answer; whether a heading to come was typed
    for place in range(len(lines) - 1, -1, -1):
        text = lines[place].text
        after_blank = not place or not lines[place - 1].text.strip()
        # Where the tokens are told in a fence that ends properly behind them, a file says so that is quoted.
        if _HEADING.match(text) or (_SPENT.match(text) and after_blank and (opens or even)):
            ends, even, opens, counted, later = {}, True, True, text.startswith(">"), False
        elif mark := fence_after("", text):
            begun, bare = ends.setdefault(mark[0], []), text.strip() == mark
            fitting = bisect_right(begun, -len(mark), key=lambda end: -end[0])
            whole = fitting > 0 and begun[fitting - 1][1]
            if bare:
                while begun and begun[-1][0] <= len(mark):
                    begun.pop()
                begun.append((len(mark), even))
            even = whole
            opens = not bare or (place + 1 < len(lines) and bool(lines[place + 1].text.strip()))
        elif (
            after_blank
            and _HUMAN.match(text)
            and (text.endswith("  ") or not strict)
            and (opens or _noticed(lines, place))
            and (even or later or not counted)
        ):
            found.add(place)
            opens = later = True
    return found


def _noticed(lines: list[Line], place: int) -> bool:
    """Whether the last words before a place are Aider's own: that an answer was broken off, say."""
    place -= 1
    while place >= 0 and not lines[place].text.strip():
        place -= 1
    return place >= 0 and lines[place].text.startswith("> ") and lines[place].text.endswith("  ")


def _line(reading: _Reading, line: Line, after_blank: bool) -> None:
    """`after_blank`: whether a heading in this place may be the person's."""
    kind = _kind(reading, line, after_blank)
    if kind == "assistant":
        reading.fence = fence_after(reading.fence, line.text)
        if not line.text.strip() and reading.kind != "assistant":
            _close(reading)  # a blank line ends what was typed, and begins nothing
            return
    else:
        reading.fence = ""
    if kind != reading.kind:
        _close(reading)
        reading.kind = kind
    reading.block.append(line)


def _kind(reading: _Reading, line: Line, after_blank: bool) -> Kind:
    text = line.text
    marked = text.endswith("  ") or not reading.strict
    going_on = reading.kind == "human" and bool(reading.block)
    if _HUMAN.match(text) and (going_on or ((after_blank or not reading.fence) and marked)):
        return "human" if marked and (not reading.fence or after_blank) else "assistant"
    if text.startswith(">") and not reading.fence and marked:
        return "notice"
    return "assistant"


def _close(reading: _Reading) -> None:
    """Tell the block that ends here."""
    block, kind = reading.block, reading.kind
    reading.block, reading.kind = [], None
    while block and not block[-1].text.strip():
        block.pop()
    if not block:
        return
    place = Place(frame_of(block), reading.start)
    transcript = reading.transcript
    if kind == "human":
        typed = "\n".join((match[1] or "") for line in block if (match := _HUMAN.match(line.text.rstrip()))).strip()
        transcript.user(typed, place, "command" if typed.startswith(("/", "!")) else None)
    elif kind == "notice":
        for line in block:
            _notice(transcript, line, reading.start)
    else:
        transcript.assistant("\n".join(line.text.rstrip() for line in block), place)


def _notice(transcript: Transcript, line: Line, start: str | None) -> None:
    """A line by the program: a question with the person's answer, a file it wrote, or just a notice."""
    match = _NOTICE.match(line.text.rstrip())
    said = match[1].strip() if match else ""
    place = Place(frame_of([line]), start)
    question, _, choices = said.rpartition(_CHOICES)
    if question and (answer := _ANSWER.search(choices)):
        transcript.decision(f"{answer[1]} (asked: {question}?)", "question_answer", place)
    elif edited := _EDITED.match(said):
        transcript.call("edit", {"path": edited[1]}, None, place)
    elif said:
        transcript.system(said, "notice", place)
