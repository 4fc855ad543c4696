"""The parts of a Markdown text in which a `#` or `/` means something else, so that no reference is found there.

Line rules and one pass over what hides something; linear in the length of the text, no exception on any prefix.
Deliberately not a Markdown parser: it answers while a person types, on text that is half written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

# A fence may stand inside list items and quotes.
_FENCE = re.compile(r"[ \t]*+(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*+)*+(`{3,}+|~{3,}+)(.*)")
FENCE_MARK = re.compile(r"```|~~~")
_LINE_END = re.compile(r"\r\n|\n|\r")

# What hides something, whole where one expression can tell, else the characters that may begin it. Every alternative
# begins with a literal, so that the search skips ordinary text at the speed of C, and what turns out to hide nothing
# costs no more: a megabyte of `[` or `<` is one.
_HIDING = re.compile(
    r"`"
    r"|<!--"
    r"|</?[A-Za-z][^<>\n\r]*+>"
    r"|<[A-Za-z][A-Za-z0-9+.-]{1,31}+:[^<>\s]*+>"
    r"|\]\([^()\n\r]*+(?:\([^()\n\r]*+\)[^()\n\r]*+)*+\)"
    # A definition, at the start of a line; with `^` it is a footnote, whose text is prose.
    r"|\[(?:(?<![^\n\r]\[)|(?<=[\n\r] \[)|(?<=[\n\r]  \[)|(?<=[\n\r]   \[)"
    r"|(?<=\A \[)|(?<=\A  \[)|(?<=\A   \[))(?!\^)[^\]\n\r]++\]:[ \t]*+\S++"
    r"|\$\$"
    r"|\$(?<![\w\\$]\$)(?![\s$])(?:[^$\n\r\\]|\\[^\n\r])++(?<![\s\\])\$(?![\w$])"
    r"|://(?=[^\s<>])"
    r"|www\.(?<!\wwww\.)[^\s<>]*+"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*\Z")
_SCHEME_LIMIT = 32
_ADDRESS = re.compile(r"[^\s<>]+")
_TICKS = re.compile(r"`+")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t]*+[\r\n]")
_VISIBLE = re.compile(r"[^\r\n]+")

LONG = 16_384  # characters from which what was masked before is worth remembering; a record holds 8,000
MARK_EVERY = 1_000  # characters between the places a masking can be resumed at


def mask(text: str) -> str:
    """The text with the same length and lines, in which everything that hides references is blanked out.

    Masked: fenced and inline code, URLs, link targets and definitions, HTML tags and comments, math. Frontmatter is
    the caller's business, since only it knows whether the text is a record.
    """
    if len(text) < LONG:
        fenceless, _ = without_fences(text)
        parts, _, _ = scan_hidden(fenceless)
        return "".join(parts)
    from memory_core.records.mask_again import mask_long

    return mask_long(text)


def scan_hidden(text: str, at: int = 0, stops: Sequence[int] = ()) -> tuple[list[str], list[int], int]:
    """Mask a text without fences from a clean place `at` on, up to the first of the places `stops` that is one.

    Answers the parts of the masked text from there, the clean places that were met, about MARK_EVERY apart, and where
    it stopped. A place is clean where it stands behind a blank line, nothing that hides is open, and nothing was
    opened in vain before: then what follows hangs on nothing in front of it.
    """
    found = _HIDING.search(text, at)
    spans = _Spans(text)
    parts: list[str] = []
    marks: list[int] = []
    blank_line = "\r\n\r\n" if "\r\n" in text[:MARK_EVERY] else "\n\n"
    marked = looked = at
    waiting = iter(stops)
    stop = next(waiting, len(text) + 1)
    while found:
        opener = found.start()
        if opener - marked >= MARK_EVERY and not spans.missing:
            mark = text.rfind(blank_line, max(at, looked - 3), opener)
            looked = opener
            if mark >= 0:
                marked = mark + len(blank_line)
                marks.append(marked)
        while stop <= opener:
            if stop >= at and not spans.missing:
                parts.append(text[at:stop])
                return parts, marks, stop
            stop = next(waiting, len(text) + 1)
        start, end = spans.hidden(found, at)
        if end > start:
            parts += (text[at:start], blank(text[start:end]))
            at = end
        found = _HIDING.search(text, end)
    parts.append(text[at:])
    return parts, marks, len(text)


def blank(text: str) -> str:
    """As many spaces as the text has characters, with its line ends."""
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    return _VISIBLE.sub(lambda line: " " * len(line.group()), text)


class _Spans:
    """Finds where a hidden part ends. `missing`: what the rest of the text has no more of, so that no search is
    repeated."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.missing: set[str] = set()
        self._paragraph_end = -1
        self._ticks: dict[int, list[int]] = {}  # where runs of so many backticks start, in the paragraph up to there

    def hidden(self, found: re.Match[str], floor: int) -> tuple[int, int]:
        """What a match of `_HIDING` hides, not before `floor`; where that is nothing, twice the offset to go on at."""
        at, end = found.span()
        match end - at, found.group() if end - at < 5 else "":
            case 1, "`":
                return self._code(at)
            case 4, "<!--":
                return self._through("-->", at, end - 2)
            case 2, "$$":
                return self._through("$$", at, end + 1)
            case 3, "://":
                return self._url(at, floor)
        return at, end

    def _code(self, at: int) -> tuple[int, int]:
        """A code span: closed by a run of just as many backticks in the same paragraph (CommonMark 6.1)."""
        if self.text[at - 1 : at] == "\\":
            return at + 1, at + 1
        if at >= self._paragraph_end:
            self._read_paragraph(at)
        opening = _TICKS.match(self.text, at)
        length = len(opening.group()) if opening else 1
        starts = self._ticks.get(length, [])
        number = bisect_right(starts, at)
        behind = starts[number] + length if number < len(starts) else 0
        return (at, behind) if behind else (at + length, at + length)

    def _read_paragraph(self, at: int) -> None:
        blank = _BLANK_LINE.search(self.text, at)
        self._paragraph_end = blank.start() if blank else len(self.text)
        self._ticks = {}
        for run in _TICKS.finditer(self.text, at, self._paragraph_end):
            start, end = run.span()
            self._ticks.setdefault(end - start, []).append(start)

    def _through(self, closer: str, at: int, start: int) -> tuple[int, int]:
        """From `at` through the next `closer` behind `start`. That there is none is known for the rest of the text."""
        found = -1 if closer in self.missing else self.text.find(closer, start)
        if found < 0:
            self.missing.add(closer)
            return at + 2, at + 2
        return at, found + len(closer)

    def _url(self, at: int, floor: int) -> tuple[int, int]:
        start = max(floor, at - _SCHEME_LIMIT)
        scheme = _SCHEME.search(self.text[start:at])
        rest = _ADDRESS.match(self.text, at + 3) if scheme else None
        return (start + scheme.start(), rest.end()) if scheme and rest else (at + 3, at + 3)


def without_fences(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its fenced blocks, which hide what would hide something by other rules; and where they are."""
    blocks = list(_fences(text))
    parts: list[str] = []
    done = 0
    for start, end in blocks:
        parts += (text[done:start], blank(text[start:end]))
        done = end
    return "".join((*parts, text[done:])) if blocks else text, blocks


def _fences(text: str) -> Iterator[tuple[int, int]]:
    fence, begin = "", 0
    line_end = 0  # of the last line that was looked at
    while found := FENCE_MARK.search(text, line_end):
        at = found.start()
        start = max(text.rfind("\n", line_end, at), text.rfind("\r", line_end, at), line_end - 1) + 1
        end = _LINE_END.search(text, at)
        line_end = end.start() if end else len(text)
        match = _FENCE.match(text, start, line_end)
        if not match:
            continue
        if not fence:
            # An info string of a backtick fence holds no backtick: that would be inline code (CommonMark 4.5).
            if match[1][0] == "~" or "`" not in match[2]:
                fence, begin = match[1], start
        elif match[1].startswith(fence) and not match[2].strip():
            fence = ""
            yield begin, line_end
    if fence:
        yield begin, len(text)
