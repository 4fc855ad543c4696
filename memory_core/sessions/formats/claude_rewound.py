"""Turns of Claude Code that a person took back: they went up in the talk and typed something else there.

The log keeps both branches. Which lines say what is in `claude_messages`; what is taken back keeps its index and place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.copies import ROLLED_BACK
from memory_core.sessions.model import EntryKind, Speaker


@dataclass
class Tree:
    """The lines of a transcript by the line each one follows. `parents`: of each uuid, in file order; `typed`: by what
    they follow, the lines that a person typed."""

    parents: dict[str, str] = field(default_factory=dict)
    typed: dict[str, list[str]] = field(default_factory=dict)

    def add(self, builder: SessionBuilder, uuid: str, parent: str, start: int) -> None:
        """A line that is no copy, with its entries from `start` on. What follows a line that was never written, as many
        logs have them, follows nothing that tells."""
        if parent not in self.parents:
            parent = ""
        self.parents[uuid] = parent
        said = builder.entries[start:]
        if parent and any(_is_typed(entry.kind, entry.speaker, entry.subtype) for entry in said):
            self.typed.setdefault(parent, []).append(uuid)

    def mark(self, builder: SessionBuilder, places: dict[str, tuple[int, int]]) -> None:
        """Label what was taken back. `places`: the entries of each uuid."""
        rivals = [lines for lines in self.typed.values() if len(lines) > 1]
        if not rivals:
            return
        numbers = {uuid: number for number, uuid in enumerate(self.parents)}
        ends = self._ends(numbers)
        # Two programs may go on with one session side by side: then both branches grow, and nothing was taken back.
        roots = {early for lines in rivals for early, late in pairwise(lines) if ends[early] < numbers[late]}
        gone: set[str] = set()
        for uuid, parent in self.parents.items():
            if uuid in roots or parent in gone:
                gone.add(uuid)
                self._label(builder, places[uuid])

    def _ends(self, numbers: dict[str, int]) -> dict[str, int]:
        """Of each line the number of the last one in the branch that begins with it."""
        ends = dict(numbers)
        for uuid, parent in reversed(self.parents.items()):
            if parent:
                ends[parent] = max(ends[parent], ends[uuid])
        return ends

    @staticmethod
    def _label(builder: SessionBuilder, place: tuple[int, int]) -> None:
        for index in range(*place):
            entry = builder.entries[index]
            if entry.subtype is None or entry.speaker is Speaker.HUMAN:
                builder.relabel(index, ROLLED_BACK)


def _is_typed(kind: EntryKind, speaker: Speaker, subtype: str | None) -> bool:
    return kind is EntryKind.USER_MESSAGE and speaker is Speaker.HUMAN and subtype is None
