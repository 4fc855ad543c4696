"""Secrets in columns: rows below a head that says `password`, in tables, files of values and SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memory_core.secrets.judgment import is_secret
from memory_core.secrets.lookup import occurrences

_NAME = r"(?:passw(?:or)?d|passwd|passphrase|secret|token|api[ _-]?key)"
_HEAD = re.compile(rf"{_NAME}[\"'`]?[ \t]{{0,40}}(?:[|,;\t\r\n]|\Z)", re.IGNORECASE)
_COLUMN = re.compile(r"[\w .-]{0,40}")  # Names alone stand in a head; in code there is more, and other rows follow.
_IS_SECRET = re.compile(rf"(?i)(?:[a-z]{{1,20}}[ _-]){{0,2}}(?:api|access|auth|client|db|user)?{_NAME}")
_SQL = re.compile(
    r"(?:insert into|copy) [\w.\"`\[\]]{1,80}\s?\((?P<names>[^()]{1,500})\)\s{0,3}"
    r"(?:values\s{0,3}(?=\()|from stdin[^\n]{0,40}\n)",
    re.IGNORECASE,
)
_TUPLE = re.compile(r"\((?P<cells>(?:'(?:[^'\\]|''|\\.)*'(?!')|[^()'])*)\)[\s,]{0,20}")
_RULE = re.compile(r"[-+|=:\s]*")
_CELLS = {
    sign: re.compile(
        rf"[ \t]*(?:\"(?:[^\"\n]|\"\")*\"[ \t]*(?=[{sign}]|\Z)|'(?:[^'\n]|'')*'[ \t]*(?=[{sign}]|\Z)|[^{sign}\n]*)"
    )
    for sign in "|\t;,"
}
_WORDS = ("passw", "passphrase", "secret", "token", "api")
_MOST_ROWS, _LONGEST_ROW = 1_000, 4_000
_SHORTEST = 6


def cells(text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """Where secrets stand in rows below their name. `lowered`: the text in lower case."""
    if not any(word in lowered for word in _WORDS):
        return
    done = 0
    for found in _heads(text, lowered):
        start = text.rfind("\n", max(0, found.start() - _LONGEST_ROW), found.start()) + 1
        if start >= done and (start or found.start() < _LONGEST_ROW):
            done, places = _below(text, start)
            yield from places
    for head in _SQL.finditer(text) if "insert into" in lowered or "copy " in lowered else ():
        names = (name.strip(' "`[]\n\t') for name in head["names"].split(","))
        yield from _rows(text, head.end(), {n: name for n, name in enumerate(names) if _IS_SECRET.fullmatch(name)})


def _heads(text: str, lowered: str) -> Iterable[re.Match[str]]:
    """The names of columns that what ends a cell stands behind. They are looked for by their words, a fifth of the
    work, but where letters have more than two cases."""
    if not text.isascii():
        return _HEAD.finditer(text)
    return (match for at, _ in occurrences(lowered, _WORDS) if (match := _HEAD.match(text, at)))


def _below(text: str, start: int) -> tuple[int, list[tuple[int, int]]]:
    """The end of a table whose head begins at `start`, or of that line, and its secrets."""
    places: list[tuple[int, int]] = []
    end = _line_end(text, start)
    separator = next((sign for sign in _CELLS if sign in text[start:end]), ",")
    names = list(_split(text, start, end, separator))
    wanted = {n: text[a:b] for n, (a, b) in enumerate(names) if _IS_SECRET.fullmatch(text, a, b)}
    before = text[max(0, start - _LONGEST_ROW) : max(0, start - 1)].rpartition("\n")[2]
    if before.count(separator) == text.count(separator, start, end) and not _RULE.fullmatch(before):
        return end, []  # a row of a table itself
    if not wanted or len(names) < 2 or not all(_COLUMN.fullmatch(text, *name) for name in names):
        return end, []
    for _ in range(_MOST_ROWS):
        following, upto = end + 1, _line_end(text, end + 1)
        row = list(_split(text, following, upto, separator))
        if following >= upto:
            break
        if not _RULE.fullmatch(text, following, upto):
            if len(row) != len(names):
                break
            places += _chosen(text, row, wanted)
        end = upto
        if end >= len(text):
            break
    return end, places


def _rows(text: str, at: int, wanted: dict[int, str]) -> Iterator[tuple[int, int]]:
    """Rows of SQL: `('a', 'b'), (...)`, or lines with tabs up to `\\.`."""
    while wanted and (found := _TUPLE.match(text, at)):
        yield from _chosen(text, list(_split(text, *found.span("cells"), ",")), wanted)
        at = found.end()
    while wanted and text[at - 1 : at] == "\n" and text[at : at + 1] not in ("", "\\", "\n"):
        end = _line_end(text, at)
        yield from _chosen(text, list(_split(text, at, end, "\t")), wanted)
        at = end + 1


def _chosen(text: str, row: list[tuple[int, int]], wanted: dict[int, str]) -> Iterator[tuple[int, int]]:
    for name, (start, end) in ((name, row[n]) for n, name in wanted.items() if n < len(row)):
        value = text[start:end]
        if end - start >= _SHORTEST and not re.search(r"\s|\[redacted", value):
            yield from [(start, end)] if is_secret(name, value, quoted=True) else ()


def _split(text: str, start: int, end: int, separator: str) -> Iterator[tuple[int, int]]:
    """The cells of a line, without what stands around their words."""
    at = start
    while at <= end:
        a, b = at, _CELLS[separator].match(text, at, end).end()  # type: ignore[union-attr]  # nothing is a cell too
        at = b + 1
        while a < b and text[a] in " \t\"'`\r":
            a += 1
        while b > a and text[b - 1] in " \t\"'`\r":
            b -= 1
        yield a, b


def _line_end(text: str, at: int) -> int:
    """Where a line ends, or what is looked at of one that is longer than rows are."""
    end = text.find("\n", at, at + _LONGEST_ROW)
    return min(len(text), at + _LONGEST_ROW) if end < 0 else end
