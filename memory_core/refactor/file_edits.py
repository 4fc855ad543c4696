"""What changes in one file, as the smallest edits that make it so: an editor keeps its cursor, marks and folds by them.

Knows no protocol and no version of a text; applies nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from memory_core.changes import FileChange
from memory_core.text import LineIndex, TextEdit

# Changed lines up to which lines are paired; comparing takes the square of it.
_COMPARED = 1_500


@dataclass(frozen=True, slots=True)
class FileEdits:
    """The edits of the file at `path`, whose ranges refer to `text`. `moved_to`: the path it gets after them."""

    path: str
    text: str
    edits: tuple[TextEdit, ...]
    moved_to: str | None = None


def file_edits(change: FileChange) -> FileEdits:
    """A change of a file that exists and stays, as edits."""
    before, after = change.before or "", change.after or ""
    return FileEdits(change.path, before, edits_between(before, after))


def edits_between(before: str, after: str) -> tuple[TextEdit, ...]:
    """Edits of `before`, in order and apart, after which it is `after`: of whole lines, without what both share."""
    if before == after:
        return ()
    old, new = LineIndex(before), LineIndex(after)
    a, b = _lines(old), _lines(new)
    first = _same(a, b)
    last = _same(a[first:][::-1], b[first:][::-1])
    middle = (first, len(a) - last, first, len(b) - last)
    at, bt = [*old.starts, len(before)], [*new.starts, len(after)]
    if max(middle[1] - first, middle[3] - first) > _COMPARED:
        blocks = [middle]
    else:
        matcher = SequenceMatcher(None, a[first : middle[1]], b[first : middle[3]], autojunk=False)
        blocks = [
            (first + i, first + j, first + m, first + n) for tag, i, j, m, n in matcher.get_opcodes() if tag != "equal"
        ]
    return tuple(_edit(old, after, (at[i], at[j]), (bt[m], bt[n])) for i, j, m, n in blocks)


def _edit(old: LineIndex, after: str, taken: tuple[int, int], given: tuple[int, int]) -> TextEdit:
    gone, come = old.text[taken[0] : taken[1]], after[given[0] : given[1]]
    front = _whole(gone, come, _same(gone, come))
    back = _same(gone[front:][::-1], come[front:][::-1])
    if (
        back
        and gone[len(gone) - back] == "\n"
        and gone[: len(gone) - back].endswith("\r") != come[: len(come) - back].endswith("\r")
    ):
        back -= 1  # a line end is replaced whole, or an editor would see two
    return TextEdit(
        old.range(taken[0] + front, taken[1] - back),
        come[front : len(come) - back],
    )


def _whole(gone: str, come: str, front: int) -> int:
    """A common beginning that does not stop between `\\r` and `\\n`: no position is there."""
    inside = front and gone[front - 1] == "\r" and (gone[front : front + 1] == "\n" or come[front : front + 1] == "\n")
    return front - 1 if inside else front


def _lines(index: LineIndex) -> list[str]:
    ends = [*index.starts[1:], len(index.text)]
    return [index.text[start:end] for start, end in zip(index.starts, ends, strict=True)]


def _same(a: str | list[str], b: str | list[str]) -> int:
    """How many items both begin with."""
    shorter = min(len(a), len(b))
    return next((n for n in range(shorter) if a[n] != b[n]), shorter)
