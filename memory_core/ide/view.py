"""An open text as the editor features see it: a record, another text of the workspace, or code.

Decides what is hidden from the reference scanner; asks nothing of a snapshot.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from memory_core.records.mask import mask
from memory_core.records.record import Record
from memory_core.snapshot import Document
from memory_core.text import LineIndex


@dataclass(frozen=True)
class View:
    """A text with what features need to know of it.

    `document`: set when the text is a file under the record folders. `markdown`: code, URLs and the like are masked.
    `prose`: a person writes sentences here (Markdown, plain text, a commit message), so a lone sigil is meant as one;
    in program code it is a comment or a division. `known_lines`: of this very text, where somebody has them already.
    """

    text: str
    markdown: bool = True
    prose: bool = True
    document: Document | None = None
    known_lines: LineIndex | None = None

    @cached_property
    def lines(self) -> LineIndex:
        return self.document.lines if self.document else self.known_lines or LineIndex(self.text)

    @cached_property
    def masked(self) -> str:
        """The text with the same length, blanked where a sigil is no reference."""
        if self.document:
            return self.document.masked
        return mask(self.text) if self.markdown else self.text

    @property
    def record(self) -> Record | None:
        return self.document.record if self.document else None

    @property
    def body_line(self) -> int:
        """The line the body starts on: 0 where there is no frontmatter."""
        return self.lines.position(self.record.body_start).line if self.record else 0

    def line(self, number: int) -> tuple[str, str]:
        """A line without its line end, as written and as masked."""
        text = self.lines.line(number)
        start = self.lines.starts[number] if number < self.lines.line_count else 0
        return text, self.masked[start : start + len(text)]


def view_of(document: Document) -> View:
    """The view of a file under the record folders."""
    return View(document.text, document=document)
