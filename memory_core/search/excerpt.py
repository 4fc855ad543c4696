"""The lines of a record that a hit shows: those that say what was asked for. Headings are shown above, not instead."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory_core.records import evidence_heading
from memory_core.records.summary_block import is_mark
from memory_core.search.needles import Needles
from memory_core.search.words import fold
from memory_core.snapshot import Document

_HEADING = re.compile(r"#{1,6}[ \t]+(.*)")
# Under such a heading stand quotes, which say once more what the record says.
_QUOTES = re.compile(rf"{evidence_heading.WORDS}[ \t#]*", re.IGNORECASE)
_SECOND = 0.5  # what a heading or a quote counts against a line of the text
_ITEM = re.compile(r"[ \t]*(?:[-*+>|]|\d+[.)][ \t])")
_ENDED = re.compile(r"[.!?。！？:：][\"'”’)\]*_`]*\s*$")


def lines_shown(document: Document, said: str, needles: Needles, weights: Mapping[str, float], most: int) -> list[int]:
    """The numbers of at most `most` lines, in order and without blank ones: the line with the weightiest words of the
    query and what follows in its part, or the beginning of the text where no line says more than `said`, which a hit
    shows anyway, and the title."""
    lines = document.lines
    first = lines.position(document.record.body_start).line if document.record else 0
    best: dict[bool, tuple[float, int]] = {}  # the best line of the text, and the best heading or quote
    titled = quotes = False
    for number in range(first, lines.line_count):
        line = lines.line(number)
        heading = _HEADING.match(line)
        if heading:
            quotes = _QUOTES.fullmatch(heading[1]) is not None
            if not titled and not quotes:  # the title says what the description says
                titled = True
                said += f"\n{line}"
                continue
        folded = fold(line)
        if needles.may_be_in(folded) and not is_mark(line):
            weight = sum(weights[word] for word in needles.counts(folded))
            aside = bool(heading) or quotes
            if weight > best.get(aside, (0.0, 0))[0]:
                best[aside] = (weight, number)
    told = sum(weights[word] for word in needles.counts(fold(said)))
    weight, start = best.get(False, (0.0, -1))
    if True in best and best[True][0] > max(told, weight / _SECOND):
        start = best[True][1]
    elif start < 0:
        start = next((n for n in range(first, lines.line_count) if _is_text(lines.line(n))), first)
    elif most > 1 and start > first and _goes_on(lines.line(start - 1), lines.line(start)):
        start -= 1
    chosen: list[int] = []
    for number in range(start, lines.line_count):
        line = lines.line(number)
        if len(chosen) == most or (chosen and _HEADING.match(line)):
            break
        if line.strip() and not is_mark(line):
            chosen.append(number)
    return chosen or [start]


def _is_text(line: str) -> bool:
    return bool(line.strip()) and not _HEADING.match(line) and not is_mark(line)


def _goes_on(before: str, line: str) -> bool:
    """Whether a line goes on with the sentence of the one before it."""
    return _is_text(before) and not _ITEM.match(line) and not _HEADING.match(line) and not _ENDED.search(before)
