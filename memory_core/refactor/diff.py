"""A change set as a unified diff, for people. Changes nothing."""

from __future__ import annotations

import difflib

from memory_core.changes import ChangeSet, FileChange


def unified(changes: ChangeSet) -> str:
    """The diff of all files in path order; line ends are shown as they are, a missing last one is said."""
    return "".join(_one(change) for change in changes)


def _one(change: FileChange) -> str:
    old = f"a/{change.path}" if change.before is not None else "/dev/null"
    new = f"b/{change.path}" if change.after is not None else "/dev/null"
    lines = difflib.unified_diff(_lines(change.before), _lines(change.after), old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str | None) -> list[str]:
    # Not `splitlines`: a line separator within a text is no line end to a diff.
    *whole, last = (text or "").split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
