"""Mask a long text that was masked before and has changed in one place, as it does at every key: only that place.

The answer is that of masking the whole text; which texts are remembered changes nothing but the time.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from memory_core.records.mask import FENCE_MARK, blank, scan_hidden, without_fences

_REMEMBERED = 3  # texts
_LONGEST = 4_000_000  # characters of a text that is remembered


class _Masked(NamedTuple):
    """A text that was masked. `fenceless`: without its fenced blocks, which are at `fences`. `marks`: the clean places
    of `scan_hidden`."""

    text: str
    fenceless: str
    fences: list[tuple[int, int]]
    visible: str
    marks: list[int]


_remembered: tuple[_Masked, ...] = ()


def mask_long(text: str) -> str:
    """See `mask.mask`."""
    global _remembered  # a memo of a pure function; replaced as a whole, so that threads may share it
    known = _remembered
    before = next((old for old in known if _alike(old.text, text)), None)
    if before and before.text == text:
        return before.visible
    masked = (before and _again(before, text)) or _masked(text)
    if len(text) <= _LONGEST:
        _remembered = (masked, *(old for old in known if old is not before))[:_REMEMBERED]
    return masked.visible


def _alike(old: str, new: str) -> bool:
    """Whether it is worth looking at what two texts share."""
    return old[:80] == new[:80] or old[-80:] == new[-80:]


def _masked(text: str) -> _Masked:
    fenceless, fences = without_fences(text)
    parts, marks, _ = scan_hidden(fenceless)
    return _Masked(text, fenceless, fences, "".join(parts), marks)


def _again(old: _Masked, text: str) -> _Masked | None:
    """Masked anew from the last clean place before the change up to the first behind it; None where the change may
    have moved a fence, or is so large that beginning anew is as good."""
    prefix = _shared(old.text, text)
    suffix = _shared(old.text[prefix:][::-1], text[prefix:][::-1])
    if prefix + suffix < len(text) // 2:
        return None
    # Whole lines, told by `\n` alone: a place between `\r` and `\n` is no start of a line.
    start = text.rfind("\n", 0, prefix) + 1
    end = text.find("\n", len(text) - suffix) + 1 or len(text)
    moved = len(text) - len(old.text)
    was, now = old.text[start : (old_end := end - moved)], text[start:end]
    if FENCE_MARK.search(was) or FENCE_MARK.search(now):
        return None
    number = bisect_left(old.fences, (start, 0)) - 1
    inside = number >= 0 and (start < old.fences[number][1] or start == len(old.text) == old.fences[number][1])
    fenceless = old.fenceless[:start] + (blank(now) if inside else now) + old.fenceless[old_end:]
    at = bisect_right(old.marks, start) - 1
    begin = old.marks[at] if at >= 0 else 0
    later = [mark + moved for mark in old.marks[bisect_left(old.marks, old_end + 4) :]]
    parts, marks, stop = scan_hidden(fenceless, begin, later)
    return _Masked(
        text,
        fenceless,
        [(_moved(a, old_end, moved), _moved(b, old_end, moved)) for a, b in old.fences] if moved else old.fences,
        old.visible[:begin] + "".join(parts) + old.visible[stop - moved :],
        [*old.marks[: at + 1], *marks, *later[bisect_left(later, stop) :]],
    )


def _moved(offset: int, behind: int, moved: int) -> int:
    return offset + moved if offset >= behind else offset


def _shared(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
