"""Rename from the editor: what is renamed at a cursor, under which name it stands there, and the edits that follow.

Decides which place stands for which record; what a rename changes, and when it is refused, is `refactor.rename`'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memory_core.ide.target import target_at
from memory_core.ide.view import View
from memory_core.layout import path_problem, record_at
from memory_core.records.schema import RecordRef, name_of
from memory_core.refactor.referrers import Refusal
from memory_core.refactor.rename import Renaming, followed, rename_refusal, renaming
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range

_ELSEWHERE = (
    "There is no name of a record here: put the cursor on a `#slug` or a `/slug`, on `replaced_by` or `requires`, or "
    "on the title of a record."
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What would be renamed: the record, the text that stands for its name at `range`, and the name to begin with."""

    ref: RecordRef
    range: Range
    placeholder: str


def prepare(snapshot: Snapshot, view: View, position: Position) -> Prepared | Refusal:
    """The record whose name stands at a position: where it is referred to, or in its own title."""
    found = _named(view, position) or _titled(view, position)
    if found is None:
        return Refusal(_ELSEWHERE)
    return rename_refusal(snapshot, found.ref) or found


def rename_at(snapshot: Snapshot, view: View, position: Position, new_name: str) -> Renaming | Refusal:
    """The edits that give the record at a position another name, which may be typed with its sigil."""
    found = prepare(snapshot, view, position)
    if isinstance(found, Refusal):
        return found
    return renaming(snapshot, found.ref, new_name.strip().removeprefix("#").removeprefix("/"))


@dataclass(frozen=True, slots=True)
class Moved:
    """A file of the record folders that gets another path; both relative to the root."""

    old: str
    new: str


def moved_files(snapshot: Snapshot, old: str, new: str | None) -> list[Moved]:
    """The files that move with a path: itself, or all below a folder. `new` None: out of the root, so nothing that
    refers to them can follow."""
    if new is None:
        return []
    if old in snapshot.documents:
        return [Moved(old, new)]
    inside = f"{old}/"
    return [Moved(path, f"{new}/{path[len(inside) :]}") for path in snapshot.documents if path.startswith(inside)]


def follow(snapshot: Snapshot, moved: Iterable[Moved]) -> tuple[list[Renaming], list[Refusal]]:
    """The edits of whatever refers to files that are about to be moved, and why some cannot follow. A file that stays
    the same record, in whatever folder, needs none: slugs are flat."""
    moves = list(moved)
    leaving = {move.old for move in moves}
    plans: list[Renaming] = []
    refusals: list[Refusal] = []
    for move in moves:
        source, target = record_at(move.old), record_at(move.new)
        if source is None or source == target:
            continue
        if target is None or target.kind is not source.kind:
            if snapshot.index.backlinks.paths(source):
                refusals.append(Refusal(f"What refers to {name_of(source)} stays as it is: {_why(move, source)}"))
            continue
        if move.new in snapshot.documents and move.new not in leaving:
            refusals.append(Refusal(f"{name_of(target)} exists already: what refers to {name_of(source)} stays."))
            continue
        plan = followed(snapshot, source, target)
        if isinstance(plan, Refusal):
            refusals.append(plan)
        elif plan.references:
            plans.append(plan)
    return plans, refusals


def _why(move: Moved, source: RecordRef) -> str:
    problem = path_problem(move.new)
    return problem[1] if problem else f"`{move.new}` is no {source.kind}."


def _named(view: View, position: Position) -> Prepared | None:
    target = target_at(view, position)
    if target is None:
        return None
    lines = view.lines
    start, end = lines.offset(target.range.start), lines.offset(target.range.end)
    written = view.text[start:end]
    # Without sigil and quotes, so that what is typed over it is the slug alone.
    at = written.find(target.ref.slug)
    span = lines.range(start + at, start + at + len(target.ref.slug)) if at >= 0 else target.range
    return Prepared(target.ref, span, target.ref.slug)


def _titled(view: View, position: Position) -> Prepared | None:
    """The record itself, where the cursor is on the heading its body begins with."""
    document, record = view.document, view.record
    if document is None or record is None or document.ref is None or position.line < view.body_line:
        return None
    first = next(
        (n for n in range(view.body_line, view.lines.line_count) if view.lines.line(n).strip()), view.lines.line_count
    )
    line = view.lines.line(position.line)
    if position.line != first or not line.startswith("# "):
        return None
    return Prepared(document.ref, Range(Position(first, 2), Position(first, len(line))), document.ref.slug)
