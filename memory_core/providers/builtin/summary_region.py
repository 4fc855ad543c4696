"""The part of the summary that the rules keep current, between two marks. Everything outside it belongs to people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory_core import tokens
from memory_core.providers.builtin.known import Claim
from memory_core.providers.builtin.record_text import inert
from memory_core.records.schema import Kind, Status
from memory_core.text import shorten

BEGIN = "<!-- omoide:begin -->"
END = "<!-- omoide:end -->"
TOKEN_LIMIT = 2_000  # the summary is put into every session: short enough to be read, long enough for what holds
SUMMARY_LIMIT = 19_000  # characters with what people wrote; the linter refuses 20,000
_MOST = {"decisions": 30, "requests": 20, "lessons": 20}

HEADINGS: Mapping[str, Mapping[str, str]] = {
    "en": {"decisions": "Decisions that hold", "requests": "Requests", "lessons": "Lessons"},
    "ja": {"decisions": "有効な決定", "requests": "要望", "lessons": "学んだこと"},
    "zh": {"decisions": "有效的决定", "requests": "需求", "lessons": "经验"},
}
TITLE = {"en": "# Summary", "ja": "# 要約", "zh": "# 摘要"}
_REGION = re.compile(re.escape(BEGIN) + r".*?" + re.escape(END), re.DOTALL)
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
    match = _REGION.search(body)
    return match.group() if match else None


def lessons_in(region: str) -> list[Lesson]:
    """The lessons that a region lists, in whichever language its heading is."""
    headings = {f"## {words['lessons']}" for words in HEADINGS.values()}
    found: list[Lesson] = []
    inside = False
    for line in region.splitlines():
        if line.startswith("## "):
            inside = line.strip() in headings
        elif inside and (match := _LESSON.match(line.rstrip())):
            found.append(Lesson(match["text"], match["date"] or "", match["session"] or ""))
    return found


def region_for(claims: Iterable[Claim], lessons: Sequence[Lesson], language: str, room: int) -> str:
    """The region for what holds now, newest first, within `room` characters and the token limit. The oldest lines go
    first; their records stay."""
    words = HEADINGS.get(language, HEADINGS["en"])
    known = sorted(claims, key=lambda claim: (claim.date, claim.ref), reverse=True)
    sections = {
        "decisions": [
            _line(c, _open(c)) for c in known if c.ref.kind is Kind.DECISION and c.status is not Status.REPLACED
        ],
        "requests": [_line(c, "") for c in known if c.ref.kind is Kind.REQUEST],
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
    folder = "decisions" if claim.ref.kind is Kind.DECISION else "requests"
    date = f"{claim.date}: " if claim.date else ""
    return f"- {date}{inert(shorten(claim.text, 200))}{mark} ({folder}/{claim.ref.slug})"
