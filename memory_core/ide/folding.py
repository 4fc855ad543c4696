"""What of a record can be folded: its frontmatter, and the fields in it that take several lines.

Headings are left to the editor, which folds them in any Markdown text.
"""

from __future__ import annotations

from memory_core.ide.view import View


def folds(view: View) -> list[tuple[int, int]]:
    """First and last line of each fold, both inclusive, the frontmatter first; empty for what is no record."""
    head = view.record.head if view.record else None
    if head is None:
        return []
    last = view.lines.position(head.end).line
    inner = ((entry.range.start.line, _last_line(view, entry.item.end)) for entry in head.entries.values())
    return [(start, end) for start, end in [(0, last), *sorted(inner)] if end > start]


def _last_line(view: View, end: int) -> int:
    """The line that a value ends on: one whose end is the start of a line ended on the line before."""
    place = view.lines.position(end)
    return place.line - (place.character == 0)
