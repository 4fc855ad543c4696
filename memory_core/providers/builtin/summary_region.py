"""The part of the summary that the rules keep current, between two marks. Everything outside it belongs to people."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory_core import tokens
from memory_core.providers.builtin.known import Claim
from memory_core.providers.builtin.record_text import inert, place_of
from memory_core.records.schema import Kind, Status
from memory_core.records.summary_block import BEGIN, END, block_in
from memory_core.text import shorten

TOKEN_LIMIT = 2_000  # the summary is put into every session: short enough to be read, long enough for what holds
SUMMARY_LIMIT = 19_000  # characters with what people wrote; the linter refuses 20,000
_MOST = {"rules": 20, "decisions": 30, "requests": 20, "open": 10, "lessons": 20}

HEADINGS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "rules": "Rules and facts",
        "open": "Open",
        "decisions": "Decisions that hold",
        "requests": "Requests",
        "lessons": "Lessons",
    },
    "ja": {
        "rules": "守ること・覚えること",
        "open": "未決",
        "decisions": "有効な決定",
        "requests": "要望",
        "lessons": "学んだこと",
    },
    "zh": {"rules": "规则与事实", "open": "待定", "decisions": "有效的决定", "requests": "需求", "lessons": "经验"},
    "ko": {
        "rules": "규칙과 사실",
        "open": "미정",
        "decisions": "유효한 결정",
        "requests": "요청",
        "lessons": "배운 점",
    },
}
TITLE = {"en": "# Summary", "ja": "# 要約", "zh": "# 摘要", "ko": "# 요약"}
_HEADINGS = frozenset(f"## {word}" for words in HEADINGS.values() for word in words.values())
_LISTS = frozenset(f"## {words[name]}" for words in HEADINGS.values() for name in ("lessons", "open"))
# As `place_of` has it: people name other places in their lines.
_OF_RECORD = re.compile(
    r"^- (?P<date>\d{4}-\d\d-\d\d: )?(?P<words>.*?)(?: \[open\])? ?"
    r"\((?P<place>(?:decisions|requests|knowledge)/[a-z0-9-]+)\)$"
)
_LESSON = re.compile(r"^- (?:(?P<date>\d{4}-\d\d-\d\d): )?(?P<text>.*?)(?: \(session (?P<session>[^)\s]+)\))?$")


@dataclass(frozen=True, slots=True)
class Lesson:
    """One line that lives in the summary alone. `session`: the short id of where it was learned."""

    text: str
    date: str
    session: str

    def line(self) -> str:
        date = f"{self.date}: " if self.date else ""
        session = f" (session {self.session})" if self.session else ""  # a person's own line names none
        return f"- {date}{self.text}{session}"


def region_in(body: str) -> str | None:
    """The region as it stands, marks included; None where there is none."""
    match = block_in(body)
    return match.group() if match else None


def language_in(region: str) -> str | None:
    """The language of the headings of a region, which it keeps; None where it has none yet."""
    headings = {line.removeprefix("## ").strip() for line in region.splitlines() if line.startswith("## ")}
    return next((code for code, words in HEADINGS.items() if headings & set(words.values())), None)


def lessons_in(region: str, section: str = "lessons") -> list[Lesson]:
    """The lessons (or open questions, `open`) that a region lists, in whichever language its heading is."""
    headings = {f"## {words[section]}" for words in HEADINGS.values()}
    found: list[Lesson] = []
    for line, heading in _lines(region):
        if heading in headings and (match := _LESSON.match(line)):
            found.append(Lesson(match["text"], match["date"] or "", match["session"] or ""))
    return found


def of_people(region: str, claims: Iterable[Claim] = ()) -> list[str]:
    """The lines of a region that people wrote: what is neither a heading, a lesson or an open question, nor the line of
    a record, which follows its record. `claims`: those of the records there are."""
    known = {place_of(claim.ref): claim for claim in claims}
    lines = list(_lines(region))
    ours = _of_records([line for line, heading in lines if heading], known)
    found: list[str] = []
    for line, heading in lines:
        if heading and (line == heading or line in ours or (heading in _LISTS and _LESSON.match(line))):
            continue
        if line or (found and found[-1]):
            found.append(line)
    return found if not found or found[-1] else found[:-1]


def _of_records(lines: Iterable[str], known: Mapping[str, Claim]) -> set[str]:
    """The lines that runs made of records: of each record one wording, and a day where the record has one. Of several
    it is what the record says, else the first: the record may say something else since."""
    by_place: dict[str, list[tuple[str, bool]]] = {}
    for line in lines:
        if not (match := _OF_RECORD.match(line)):
            continue
        claim = known.get(match["place"])
        said = claim is not None and match["words"] == inert(shorten(claim.text, 200))
        if match["date"] or said or (claim is not None and not claim.date):
            by_place.setdefault(match["place"], []).append((line, said))
    found: set[str] = set()
    for candidates in by_place.values():
        found |= {line for line, said in candidates if said} or {candidates[0][0]}
    return found


def _lines(region: str) -> Iterator[tuple[str, str]]:
    """What stands between the marks, also where somebody joined a line with one of them: each line, and the heading of
    ours that it stands below; an empty one for what is in a section, or in a block of code, of people's."""
    lines = [line.rstrip() for line in region.removeprefix(BEGIN).removesuffix(END).splitlines()]
    fences = [number for number, line in enumerate(lines) if line.startswith(("```", "~~~"))]
    code = {n for first, last in zip(fences[::2], fences[1::2], strict=False) for n in range(first, last + 1)}
    heading = ""
    for number, line in enumerate(lines):
        if number not in code and line.startswith("#"):
            heading = line if line in _HEADINGS else ""
        yield line, "" if number in code else heading


def region_for(
    claims: Iterable[Claim],
    lessons: Sequence[Lesson],
    language: str,
    room: int,
    left_open: Sequence[Lesson] = (),
    fresh: Collection[Lesson] = (),
) -> str:
    """The region for what holds now, newest first, within `room` characters and the token limit. The oldest lines go
    first; their records stay. Lessons and questions that stand nowhere else stay too, but for those that are `fresh`:
    whoever brings them has another place for them."""
    words = HEADINGS.get(language, HEADINGS["en"])
    known = sorted(
        (claim for claim in claims if not claim.blank), key=lambda claim: (claim.date, claim.ref), reverse=True
    )
    sections = {
        "rules": [_line(c, "") for c in known if c.rule and c.status is not Status.REPLACED],
        "decisions": [
            _line(c, _open(c)) for c in known if c.ref.kind is Kind.DECISION and c.status is not Status.REPLACED
        ],
        "requests": [_line(c, "") for c in known if c.ref.kind is Kind.REQUEST and not c.done],
        "open": [question.line() for question in sorted(left_open, key=lambda a: (a.date, a.text), reverse=True)],
        "lessons": [lesson.line() for lesson in sorted(lessons, key=lambda a: (a.date, a.text), reverse=True)],
    }
    staying = {lesson.line() for lesson in (*lessons, *left_open) if lesson not in fresh}
    kept = {name: _most(lines, staying, _MOST[name]) for name, lines in sections.items()}
    while True:
        parts = [f"## {words[name]}\n\n" + "\n".join(lines) for name, lines in kept.items() if lines]
        region = "\n\n".join([BEGIN, *parts, END])
        may_go = [name for name, lines in kept.items() if not staying.issuperset(lines)]
        if (len(region) <= room and tokens.estimate(region) <= TOKEN_LIMIT) or not may_go:
            return region
        longest = max(may_go, key=lambda name: len(kept[name]))
        kept[longest] = _most(kept[longest], staying, len(kept[longest]) - 1)


def _most(lines: Sequence[str], staying: Collection[str], most: int) -> list[str]:
    """The first lines, at most so many where those that stay are not more already."""
    room = most - sum(line in staying for line in lines)
    others = [line for line in lines if line not in staying][: max(0, room)]
    return [line for line in lines if line in staying or line in others]


def _open(claim: Claim) -> str:
    return " [open]" if claim.status is Status.OPEN else ""


def _line(claim: Claim, mark: str) -> str:
    date = f"{claim.date}: " if claim.date else ""
    return f"- {date}{inert(shorten(claim.text, 200))}{mark} ({place_of(claim.ref)})"
