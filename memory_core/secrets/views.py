"""Other readings of a text, in which the nets for secrets see what stands before and around its words taken away.

A tool numbers the lines of a file, a diff and a quotation mark them, a log puts an instant or a program's name before
each; JSON, pages and addresses write quotes and line ends out. Where a secret is told by what stands on the line above
it, at the beginning of its line or in quotes, no net would find it there. Each reading knows where its parts stand in
the text that it is of. It holds only what can hold a secret: most texts have no other reading, and cost little.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote

from memory_core.secrets.labels import OTHERS, PASSWORDS, WIDE_OTHERS, WIDE_PASSWORDS
from memory_core.secrets.words import in_lower_case

_Piece = tuple[int, int, str | None]  # where it stands in the text, and what stands for it, if not itself
_Line = tuple[int, int]  # where what stands behind its mark begins and ends

# What stands before every line of a text, by kinds; a run of lines has one kind.
_INSTANT = (
    r"\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?\]?[ \t]"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,60} [^\s:]{1,60}: "  # of syslog
)
_MARKS = (
    r"(?![ \t]{1,80}[\w@\"'()\[\]{}.](?<!\d))(?:(?P<number>[ \t]{0,12}\d{1,7}(?:→|\t|[ \t]{0,2}[│┃|]))"
    r"|(?P<place>(?:[A-Za-z]:)?(?=[^\s:]{0,240}[./\\])[^\s:]{1,240}(?::\d{1,7}){1,2}[:-]"
    r"|[^\s:]{0,200}?(?:\.\w{1,10}|Makefile|Dockerfile)-\d{1,7}-)"
    rf"|(?P<instant>(?:[^\t\n]{{1,80}}\t[^\t\n]{{1,80}}\t)?(?:{_INSTANT}))"
    r"|(?P<count>[ \t]{0,12}\d{1,7}[: )-])"
    r"|(?P<source>\[[\w./ -]{1,120}\] |[\w.-]{1,60} {0,20}\| )"
    r"|(?P<change>[+-])"
    r"|(?P<sign>[ \t]{0,40}(?:#{1,3}|/{2,3}!?|>|│|┃|(?:\*|;|--|\$|%)(?= |\n|\Z)))"
    r"|(?P<file>[^\s:]{0,200}\.\w{1,10}:))"
)
_MARKED = re.compile(rf"\n{_MARKS}")
_IN_DIFF = re.compile(rf"\n{_MARKS.replace('[+-])', '[+ -])')}")  # where lines that stay begin with a blank
_ALONE = frozenset({"number", "place", "instant"})  # that say enough on one line
_SIDE = "│┃ \t\r"  # of a box
# It begins with a set of signs, over which a search goes ten times as fast as over three branches.
_ESCAPE = re.compile(
    r"[\\%&](?:(?<=\\)\\{0,14}(?:(?:u001[bB]|x1[bB]|033|e)\[[\d;]{0,12}m"  # a color
    r"|[\"'`/rt]|n(?![\"'])|u[0-9A-Fa-f]{4})"
    r"|(?<=&)(?:quot|apos|amp|lt|gt|nbsp|#\d{2,3}|#[xX][0-9A-Fa-f]{2});"
    r"|(?<=%)(?:1B(?:%5B|\[)[\d;]{0,12}m|[C-F][0-9A-F](?:%[89AB][0-9A-F]){1,3}"
    r"|(?:25){0,2}(?:[2-7][0-9A-Fa-f]|0[AaDd9])))"
)
# The quotes around a string that holds such signs: what stands in it begins and ends its own lines.
_OPENS, _CLOSES = r"(?:(?<=[:,\[({=])|(?<=[:,=] ))\"", r"(?<!\\)\"(?=\s?[,}\])]|\Z)"
_WRITTEN = re.compile(rf"(?P<sign>{_ESCAPE.pattern})|(?P<opens>{_OPENS})|(?P<closes>{_CLOSES})")
_LINE_END = re.compile(r"\n|\\{1,15}n|%0[aA]")
_SIGNS = {"n": "\n", "r": "\r", "t": "\t"}
_LABELS = (*PASSWORDS, *OTHERS, *WIDE_PASSWORDS, *WIDE_OTHERS)
# The words, in lower case, by which a net knows a secret that stands in a line of its own, at the beginning of one, or
# in a column; and all by which one does.
_NAMED = (
    r"pass|ps?w|secret|token|api[ _-]?key|access[ _-]?key|auth[ _-]?key|signing[ _-]?key"
    r"|cred|login|machine|identified|:\*:|5432"
)
_TOLD = (
    r"pass|ps?w|secret|token|key|cred|auth|login|machine|identified|:\*:|5432|curl|connect|jwt|cookie|sess|create|wifi"
    r"|new pdo|smbclient|zip|mysql|mongo|echo|redis|_salt|pepper|x-amz|:(?://|\\/)|ldap|wallet|private|sqlcmd|sig="
    # A label of another language, an address.
    r"|\\u(?!00[0-7])[0-9a-f]{4}|%[c-f][0-9a-f]%[89ab]|%3a(?://|%2f)"
)
# What a secret has to hold that no issuer has marked: a letter beside a digit or a sign.
_ENDS = r"\s\"'`()=,;:<>\[\]{}|\\"
_DRAWN = re.compile(
    rf"(?<![^{_ENDS}])(?=[^{_ENDS}]{{6}})"
    rf"(?=[^{_ENDS}]{{0,64}}(?:\d[^{_ENDS}]{{0,64}}[^\W\d_]|[^\W\d_][^{_ENDS}]{{0,64}}\d|[^\W_]{{2}}[!@#$%^&*?~]+[^\W_]))"
)
_LONG = re.compile(r"[\w.-]{20}")
_COLUMNS = re.compile(r"[|,;\t]|  ")
_BEFORE, _BEHIND = 2, 5  # so many lines around a word that tells a value may stand
_BETWEEN = "\n\x01\n"  # over which no net reaches


class View(NamedTuple):
    """A reading of a text: its words, where each piece begins in them, and where each stands in the text."""

    text: str
    begins: list[int]
    places: list[tuple[int, int]]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of the reading stands in the text. Of what is written out all is taken."""
        first, last = (bisect_right(self.begins, at) - 1 for at in (start, end - 1))
        return self._place(first, start)[0], self._place(last, end - 1)[1]

    def _place(self, number: int, at: int) -> tuple[int, int]:
        start, end = self.places[number]
        until = self.begins[number + 1] if number + 1 < len(self.begins) else len(self.text)
        if until - self.begins[number] != end - start:
            return start, end
        place = start + at - self.begins[number]
        return place, place + 1


def without(text: str, what: re.Pattern[str]) -> View:
    """A text without what a pattern finds."""
    pieces: list[_Piece] = []
    _verbatim(pieces, 0, len(text), ((*match.span(), "") for match in what.finditer(text)))
    return _view(text, pieces) or View("", [], [])


def otherwise(text: str) -> Iterator[tuple[View, ...]]:
    """The readings of a text that may show a secret that it does not show itself. Each stands at the end of a row of
    those that lead to it, of which the first is one of the text."""
    marked, escaped = _unmarked(text), _unescaped(text)
    if marked:  # once more: a file of settings in a diff that a tool numbered
        yield (marked,)
        yield from ((marked, view) for view in (_unmarked(marked.text),) if view)
        yield from ((marked, view) for view in (_unescaped(marked.text),) if view)
    if escaped:
        yield (escaped,)
        yield from ((escaped, view) for view in (_unmarked(escaped.text),) if view)


def _unmarked(text: str) -> View | None:
    """The runs of lines that the same kind of mark stands before, without it, as far as they tell a secret."""
    pieces: list[_Piece] = []
    for kind, lines in _runs(text):
        if len(lines) < 2 and kind not in _ALONE:
            continue
        if all(text[at : at + 1] in (" ", "\n", "\r", "") for at, _ in lines):
            lines = [(min(at + 1, end), end) for at, end in lines]
        if kind == "sign" and "│" in text:
            lines = [(at, at + len(text[at:end].rstrip(_SIDE))) for at, end in lines]
        pieces += _pieces(text, lines, _NAMED)
        for line in lines if kind == "place" else ():  # whose end looks like the beginning of a word
            pieces += [(0, 0, _BETWEEN), (*line, None)] if _LONG.search(text, *line) else []
    return _view(text, pieces)


def _pieces(text: str, lines: list[_Line], tells: str) -> Iterator[_Piece]:
    """The lines around words that tell a secret."""
    for first, last in _windows(text, lines, tells):
        yield 0, 0, _BETWEEN
        for start, end in lines[first:last]:
            yield start, end, None
            yield end, min(end + 1, len(text)), "\n"


def _windows(text: str, lines: list[_Line], tells: str) -> Iterator[tuple[int, int]]:
    """The first of such lines and the one behind the last, where they hold what a secret is made of."""
    for first, last in _around(text, lines, tells):
        if any(_DRAWN.search(text[start:end]) for start, end in lines[first:last]):
            yield first, last


def _around(text: str, lines: list[_Line], tells: str) -> Iterator[tuple[int, int]]:
    """The same for any; below what may be the head of columns all lines that have some."""
    begins = [start for start, _ in lines]
    first = last = 0
    seen = -1
    for match in _words(tells, text.isascii()).finditer(in_lower_case(text), lines[0][0], lines[-1][1]):
        number = bisect_right(begins, match.start()) - 1
        if number == seen or match.start() >= lines[number][1]:
            continue  # the line was looked at, or it is the mark of the next
        seen = number
        if last and number - _BEFORE > last:
            yield first, last
            last = 0
        first = first if last else max(0, number - _BEFORE)
        last = max(last, min(len(lines), number + _BEHIND))
        while last < len(lines) and number + _BEHIND <= last and _COLUMNS.search(text, *lines[last]):
            last += 1
    if last:
        yield first, last


@cache
def _words(tells: str, ascii_only: bool) -> re.Pattern[str]:
    labels = (label for label in _LABELS if label.isascii() or not ascii_only)
    return re.compile("|".join((tells, *labels)))


def _runs(text: str) -> Iterator[tuple[str, list[_Line]]]:
    """Lines that follow one another with marks of one kind."""
    marked = _IN_DIFF if "\n@@ -" in text or text.startswith("@@ -") else _MARKED
    kind = ""
    lines: list[_Line] = []
    for match in marked.finditer(f"\n{text}"):  # a sign that is always there is found fast
        if lines and (match.lastgroup != kind or match.start() != lines[-1][1] + 1):
            yield kind, lines
            lines = []
        kind, at = match.lastgroup or "", match.end() - 1
        lines.append((at, _line_end(text, at)))
    if lines:
        yield kind, lines


def _unescaped(text: str) -> View | None:
    """The lines with signs that are written out, with the signs themselves, each with the line behind it."""
    pieces: list[_Piece] = []
    for start, end in _escaped(text):
        lines = list(_written_lines(text, start, end))
        for first, last in _windows(text, lines, _TOLD):
            pieces.append((0, 0, _BETWEEN))
            part = lines[first][0], lines[last - 1][1]
            _verbatim(pieces, *part, _signs(text, *part))
    return _view(text, pieces)


def _escaped(text: str) -> Iterator[tuple[int, int]]:
    """Where such lines stand, those together that follow one another."""
    start = end = done = -1  # of what was found, with the line behind it; and where the last such line ends
    for match in _ESCAPE.finditer(text):
        if match.start() < done:
            continue
        begin, done = text.rfind("\n", 0, match.start()) + 1, _line_end(text, match.end())
        if begin > end + 1 or start < 0:
            if start >= 0:
                yield start, end
            start = begin
        end = _line_end(text, done + 1)
    if start >= 0:
        yield start, end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _written_lines(text: str, start: int, end: int) -> Iterator[_Line]:
    """The lines of a part of a text, also those whose ends are written out."""
    for match in _LINE_END.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def _signs(text: str, start: int, end: int) -> Iterator[_Piece]:
    for match in _WRITTEN.finditer(text, start, end):
        sign = match["sign"]
        yield *match.span(), _sign(sign) if sign else '"\n' if match["opens"] else '\n"'


def _sign(written: str) -> str:
    """What stands for itself where a format writes it out."""
    if written[0] == "&":
        return unescape(written)
    if written[-1] == "m":
        return ""  # a color
    if written[0] == "%":
        return unquote(written, errors="replace") if written[1] in "CDEF" else chr(int(written[-2:], 16))
    last = written.lstrip("\\")
    return _SIGNS.get(last) or (chr(int(last[1:], 16)) if len(last) > 1 else last)


def _verbatim(pieces: list[_Piece], start: int, end: int, edits: Iterable[_Piece]) -> None:
    """A part of a text as pieces, between which what is edited stands."""
    for first, last, put in edits:
        pieces += [(start, first, None), (first, last, put)]
        start = last
    pieces.append((start, end, None))


def _view(text: str, pieces: Iterable[_Piece]) -> View | None:
    shown, begins, places, size = [], [], [], 0
    for start, end, put in pieces:
        words = text[start:end] if put is None else put
        if words:
            shown.append(words)
            begins.append(size)
            places.append((start, end))
            size += len(words)
    return View("".join(shown), begins, places) if shown else None
