"""Aider's chat history: one endless Markdown file a repository, split into sessions at its headings.

Marks are ambiguous (an assistant may write `#### ` too), so code fences and the two blanks that Aider puts at the end
of a line decide. Times other than a session's start are not kept in the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.lines import Line, frame_of
from memory_core.sessions.model import Session
from memory_core.sessions.source import Source
from memory_core.sessions.transcript import Place, Transcript

FORMAT = "aider"
HISTORY = ".aider.chat.history.md"
_HEADING = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*\Z")
_HUMAN = re.compile(r"####(?: (.*))?\Z")
_NOTICE = re.compile(r"> ?(.*)\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)\Z")
_CHOICES = "? (Y)es/"  # between a question and its answer, with the other choices and a colon
_ANSWER = re.compile(r": ?(\S.*)\Z")
_EDITED = re.compile(r"Applied edit to (.+)\Z")

Kind = Literal["human", "notice", "assistant"]


def recognizes(head: str) -> bool:
    return bool(re.search(r"^# aider chat started at \d{4}-", head, re.MULTILINE))


def parts(lines: Iterable[Line]) -> Iterator[tuple[str, str | None, int]]:
    """The sessions in a history: name, start as an instant, and the number of the first line. A name is the time in the
    heading; sessions of one second are told apart by a number."""
    seen: Counter[str] = Counter()
    for line in lines:
        if match := _HEADING.match(line.text):
            name = match[1].replace(" ", "T").replace(":", "-")
            seen[name] += 1
            yield (name if seen[name] == 1 else f"{name}-{seen[name]}"), _instant(match[1]), line.number


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
    """The session `source.part` of a history, or the whole history as one."""
    builder = SessionBuilder(FORMAT, FORMAT)
    everything = list(lines)
    bounds = list(parts(everything))
    if source.part is not None:
        everything = _section(everything, bounds, source.part)
    humans = [line.text for line in everything if line.text.startswith("#### ")]
    reading = _Reading(Transcript(builder), any(text.endswith("  ") for text in humans))
    after_blank = True
    for line in everything:
        if match := _HEADING.match(line.text):
            _close(reading)
            reading.start, reading.fence = _instant(match[1]), ""
            builder.saw_instant(reading.start)
        else:
            _line(reading, line, after_blank)
        after_blank = not line.text.strip()
    _close(reading)
    return builder.session(source.part or source.name, source.repairs.counts)


def _section(lines: list[Line], bounds: list[tuple[str, str | None, int]], part: str) -> list[Line]:
    starts = [number for _, _, number in bounds]
    for index, (name, _, number) in enumerate(bounds):
        if name == part:
            end = starts[index + 1] if index + 1 < len(starts) else len(lines)
            return lines[number:end]
    return []


def _line(reading: _Reading, line: Line, after_blank: bool) -> None:
    kind = _kind(reading, line, after_blank)
    if kind == "assistant":
        _track_fence(reading, line.text)
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


def _track_fence(reading: _Reading, text: str) -> None:
    match = _FENCE.match(text)
    if not match:
        return
    if not reading.fence:
        reading.fence = match[1]
    elif match[1].startswith(reading.fence) and not match[2].strip():
        reading.fence = ""


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
