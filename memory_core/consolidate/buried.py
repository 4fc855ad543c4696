"""Candidates that say again what somebody took out of memory, from the same evidence: not to be recorded once more.

New evidence for the same point is another matter; it is decided like any candidate.
"""

from __future__ import annotations

from collections.abc import Iterable

from memory_core.consolidate.covered import own_words, says
from memory_core.consolidate.provenance import candidate_keys, record_keys
from memory_core.layout import record_at
from memory_core.ports import Tombstone
from memory_core.records.schema import name_of
from memory_core.snapshot import Document
from memory_core.staging import CandidateRef


def buried_under(candidates: Iterable[CandidateRef], tombstones: Iterable[Tombstone]) -> dict[str, Tombstone]:
    """Candidate id to the removed record that held all its anchors and said it; the last removal counts."""
    graves = []
    for stone in tombstones:
        record = Document(stone.path, stone.text).record
        if record and (keys := record_keys(record)):
            graves.append((stone, keys, own_words(record)))
    graves.reverse()
    found: dict[str, Tombstone] = {}
    for ref in candidates:
        keys = candidate_keys(ref)
        for stone, held, said in graves if keys else ():
            if keys <= held and says(said, ref):
                found[ref.id] = stone
                break
    return found


def reason_of(stone: Tombstone) -> str:
    """Why a candidate is discarded, and how a person has it otherwise."""
    ref = record_at(stone.path)
    name = name_of(ref) if ref else stone.path
    return (
        f"the same evidence stood in {name}, which run {stone.run_id} removed ({stone.reason}); "
        f"`omoide undo {stone.run_id}` brings it back"
    )
