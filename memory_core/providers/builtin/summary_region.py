"""The part of the summary that the rules keep current, between two marks. Everything outside it belongs to people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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
_LESSON = re.compile(r"^- (?:(?P<date>\d{4}-\d\d-\d\d): )?(?P<text>.*?)(?: \(session (?P<session>[^)\s]+)\))?$")


@dataclass(frozen=True, slots=True)
class Lesson:
    """One line that lives in the summary alone. `session`: the short id of where it was learned."""

    text: str
    date: str
    session: str

    def line(self) -> str:
        date = f"{self.date}: " if self.date else ""
        return f"- {date}{self.text} (session {self.session})"


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
    inside = False
    for line in region.splitlines():
        if line.startswith("## "):
            inside = line.strip() in headings
        elif inside and (match := _LESSON.match(line.rstrip())):
            found.append(Lesson(match["text"], match["date"] or "", match["session"] or ""))
    return found


def region_for(
    claims: Iterable[Claim], lessons: Sequence[Lesson], language: str, room: int, left_open: Sequence[Lesson] = ()
) -> str:
    """The region for what holds now, newest first, within `room` characters and the token limit. The oldest lines go
    first; their records stay."""
    words = HEADINGS.get(language, HEADINGS["en"])
    known = sorted(
        (claim for claim in claims if not claim.blank), key=lambda claim: (claim.date, claim.ref), reverse=True
    )
    sections = {
        "rules": [_line(c, "") for c in known if c.rule and c.status is not Status.REPLACED],
        "decisions": [
            _line(c, _open(c)) for c in known if c.ref.kind is Kind.DECISION and c.status is not Status.REPLACED
        ],
        "requests": [_line(c, "") for c in known if c.ref.kind is Kind.REQUEST],
        "open": [question.line() for question in sorted(left_open, key=lambda a: (a.date, a.text), reverse=True)],
        "lessons": [lesson.line() for lesson in sorted(lessons, key=lambda a: (a.date, a.text), reverse=True)],
    }
    kept = {name: lines[: _MOST[name]] for name, lines in sections.items()}
    while True:
        parts = [f"## {words[name]}\n\n" + "\n".join(lines) for name, lines in kept.items() if lines]
        region = "\n\n".join([BEGIN, *parts, END])
        if (len(region) <= room and tokens.estimate(region) <= TOKEN_LIMIT) or not any(kept.values()):
            return region
        longest = max(kept, key=lambda name: len(kept[name]))
        kept[longest].pop()


def _open(claim: Claim) -> str:
    return " [open]" if claim.status is Status.OPEN else ""


def _line(claim: Claim, mark: str) -> str:
    date = f"{claim.date}: " if claim.date else ""
    return f"- {date}{inert(shorten(claim.text, 200))}{mark} ({place_of(claim.ref)})"
