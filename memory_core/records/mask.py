"""The parts of a Markdown text in which a `#` or `/` means something else, so that no reference is found there.

Line rules and one pass over the openers; linear in the length of the text, no exception on any prefix. Deliberately
not a Markdown parser: it answers while a person types, on text that is half written.
"""

from __future__ import annotations

import re
from bisect import bisect_right

# A fence may stand inside list items and quotes.
_FENCE = re.compile(r"[ \t]*+(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*+)*+(`{3,}+|~{3,}+)(.*)")

# Every alternative begins with a literal, so that the search skips ordinary text at the speed of C.
_OPENER = re.compile(r"`|<|\]\(|\[|\$|://|www\.")

_TAG = re.compile(r"</?[A-Za-z][^<>\n\r]*>|<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*>")
_TARGET = re.compile(r"\]\([^()\n\r]*+(?:\([^()\n\r]*+\)[^()\n\r]*+)*+\)")
_DEFINITION = re.compile(r"\[(?!\^)[^\]\n\r]+\]:[ \t]*\S+")  # with `^` it is a footnote, whose text is prose
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*\Z")
_SCHEME_LIMIT = 32
_ADDRESS = re.compile(r"[^\s<>]+")
_MATH = re.compile(r"\$(?![\s$])(?:[^$\n\r\\]|\\[^\n\r])+?(?<![\s\\])\$(?![\w$])")
_TICKS = re.compile(r"`+")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*+[\r\n]")
_VISIBLE = re.compile(r"[^\r\n]")


def mask(text: str) -> str:
    """The text with the same length and lines, in which everything that hides references is blanked out.

    Masked: fenced and inline code, URLs, link targets and definitions, HTML tags and comments, math. Frontmatter is
    the caller's business, since only it knows whether the text is a record.
    """
    text = _mask_fences(text)
    opener = _OPENER.search(text)
    if not opener:
        return text
    spans = _Spans(text)
    parts: list[str] = []
    at = 0
    while opener:
        start, end = spans.hidden(opener, at)
        if end > start:
            parts += (text[at:start], _blank(text[start:end]))
            at = end
        opener = _OPENER.search(text, max(end, opener.end()))
    parts.append(text[at:])
    return "".join(parts)


def _blank(text: str) -> str:
    return _VISIBLE.sub(" ", text)


class _Spans:
    """Finds where a hidden part ends. Remembers what the whole text has no more of, so that no search is repeated."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._ticks: dict[int, list[int]] | None = None
        self._missing: set[str] = set()

    def hidden(self, opener: re.Match[str], floor: int) -> tuple[int, int]:
        """The hidden part an opener begins, not before `floor`; the same offset twice where it hides nothing."""
        text, at = self.text, opener.start()
        match opener.group():
            case "`":
                return self._code(at)
            case "<" if text.startswith("<!--", at):
                return at, self._through("-->", at + 2) or at
            case "<":
                found = _TAG.match(text, at)
            case "](":
                found = _TARGET.match(text, at)
            case "[":
                found = _DEFINITION.match(text, at) if self._begins_line(at) else None
            case "$" if text.startswith("$$", at):
                return at, self._through("$$", at + 3) or at
            case "$":
                found = _MATH.match(text, at) if not self._behind_word(at, "\\$") else None
            case "://":
                return self._url(at, floor)
            case _:  # www.
                found = _ADDRESS.match(text, at) if not self._behind_word(at, "") else None
        return (at, found.end()) if found else (at, at)

    def _code(self, at: int) -> tuple[int, int]:
        """A code span: closed by a run of just as many backticks in the same paragraph (CommonMark 6.1)."""
        if self._ticks is None:
            self._ticks = {}
            for run in _TICKS.finditer(self.text):
                self._ticks.setdefault(len(run.group()), []).append(run.start())
        if self.text[at - 1 : at] == "\\":
            return at + 1, at + 1
        opening = _TICKS.match(self.text, at)
        length = len(opening.group()) if opening else 1
        starts = self._ticks.get(length, [])
        number = bisect_right(starts, at)
        if number < len(starts) and not _BLANK_LINE.search(self.text, at, starts[number]):
            return at, starts[number] + length
        return at + length, at + length

    def _through(self, closer: str, start: int) -> int:
        """The offset behind the next `closer`; 0 when there is none, which is then known for the rest of the text."""
        if closer in self._missing:
            return 0
        found = self.text.find(closer, start)
        if found < 0:
            self._missing.add(closer)
            return 0
        return found + len(closer)

    def _url(self, at: int, floor: int) -> tuple[int, int]:
        start = max(floor, at - _SCHEME_LIMIT)
        scheme = _SCHEME.search(self.text[start:at])
        rest = _ADDRESS.match(self.text, at + 3) if scheme else None
        return (start + scheme.start(), rest.end()) if scheme and rest else (at, at)

    def _begins_line(self, at: int) -> bool:
        line = self.text[max(0, at - 4) : at]
        return line.rstrip(" ")[-1:] in ("", "\n", "\r") and (len(line) < 4 or line.strip(" ") != "")

    def _behind_word(self, at: int, also: str) -> bool:
        before = self.text[at - 1 : at]
        return before.isalnum() or before == "_" or (before != "" and before in also)


def _mask_fences(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    lines = re.split(r"(\r\n|\n|\r)", text)
    fence = ""
    for number in range(0, len(lines), 2):
        line = lines[number]
        match = _FENCE.match(line)
        if not fence:
            # An info string of a backtick fence holds no backtick: that would be inline code (CommonMark 4.5).
            if match and not (match[1][0] == "`" and "`" in match[2]):
                fence = match[1]
                lines[number] = " " * len(line)
            continue
        if match and match[1][0] == fence[0] and len(match[1]) >= len(fence) and not match[2].strip():
            fence = ""
        lines[number] = " " * len(line)
    return "".join(lines)
