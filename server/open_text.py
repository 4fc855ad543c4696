"""A document that is open in the editor, as an immutable value: a change makes a new one.

Takes the place of pygls' own document, whose lines also end at form feeds and U+2028: there a later edit lands on the
wrong line and corrupts the server's copy without a sign. LSP 3.17 knows `\\n`, `\\r\\n` and `\\r` only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from memory_core.text import LineIndex

_MARKDOWN = frozenset({"markdown", "mdx", "quarto", "rmd"})
_PROSE = _MARKDOWN | {"plaintext", "text", "gitcommit", "git-commit", "rst", "restructuredtext", "asciidoc", "org", ""}


@dataclass(frozen=True)
class OpenText:
    """`uri` as the client wrote it. `path`: as it names it; `real`: with symbolic links followed; None for what is no
    file, an unsaved buffer say. `lost`: a change could not be read, so that `lines` is what the editor had before it:
    its version stays, by which the editor knows edits of the old text, until the whole text comes."""

    uri: str
    path: Path | None
    real: Path | None
    language: str
    version: int
    lines: LineIndex
    lost: bool = False

    @property
    def text(self) -> str:
        return self.lines.text

    @property
    def markdown(self) -> bool:
        suffix = PurePath(self.uri).suffix.lower()
        return self.language in _MARKDOWN or (not self.language and suffix in (".md", ".markdown", ".mdx"))

    @property
    def prose(self) -> bool:
        return self.markdown or self.language in _PROSE

    def with_lines(self, lines: LineIndex, version: int) -> OpenText:
        return replace(self, lines=lines, version=version, lost=False)
