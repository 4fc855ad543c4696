"""Test doubles and the fixture language, for our tests and for anyone who builds on the core. Production never imports it.

Fixture language: `//- memory/decisions/a.md` starts a file (path relative to the memory root); `$0` is the cursor; a
line `//^^^ code` below a line expects a diagnostic there (the carets sit under its range; `//` counts as two columns,
`//<^^` starts the range at column 0); such lines are removed from the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.text import LineIndex, Position, Range

CURSOR = "$0"
_FILE = re.compile(r"^//- (\S+)[ \t]*\n", re.MULTILINE)
_EXPECTED = re.compile(r"^//(<?)( *)(\^+) ?(.*)\n?", re.MULTILINE)


@dataclass(frozen=True)
class Fixture:
    """Files by path, the cursor (path, position) if there is one, and the expected diagnostics (path, range, text)."""

    texts: dict[str, str]
    cursor: tuple[str, Position] | None = None
    expected: list[tuple[str, Range, str]] = field(default_factory=list)

    @property
    def snapshot(self) -> Snapshot:
        return snapshot_of(self.texts)


def fixture(source: str, default: str = "knowledge/here.md") -> Fixture:
    """Read the fixture language. Text before the first `//-` line is the file `default`."""
    pieces = _FILE.split(source)
    files = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    if pieces[0].strip():
        files = {default: pieces[0], **files}
    texts: dict[str, str] = {}
    cursor: tuple[str, Position] | None = None
    expected: list[tuple[str, Range, str]] = []
    for path, raw in files.items():
        text, found = _take_expected(raw)
        expected += [(path, span, code) for span, code in found]
        at = text.find(CURSOR)
        if at >= 0:
            text = text[:at] + text[at + len(CURSOR) :]
            cursor = path, LineIndex(text).position(at)
        texts[path] = text
    return Fixture(texts, cursor, expected)


def _take_expected(raw: str) -> tuple[str, list[tuple[Range, str]]]:
    kept: list[str] = []
    found: list[tuple[Range, str]] = []
    for line in raw.splitlines(keepends=True):
        match = _EXPECTED.fullmatch(line)
        if not match:
            kept.append(line)
            continue
        start = 0 if match[1] else 2 + len(match[2])
        end = start + len(match[3]) + (2 + len(match[2]) + 1 if match[1] else 0)
        number = len(kept) - 1
        found.append((Range(Position(number, start), Position(number, end)), match[4].strip()))
    return "".join(kept), found
