"""What is known of candidates that were taken out of memory before: here, in the other work trees of the repository, or
by hand. Asks stores; whether a candidate says the same again is judged by `buried`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from memory_core.consolidate.buried import buried_under, not_wanted, present_names, without_records
from memory_core.errors import StoreError
from memory_core.ports import Store, Tombstone
from memory_core.records.schema import Kind, name_of
from memory_core.snapshot import Snapshot
from memory_core.staging import CandidateRef, Resolution

GONE = "their record is gone and no run removed it"  # why candidates stay staged, see `vanished`
_REMEMBERED = tuple(f"{kind}/" for kind in (Kind.DECISION, Kind.REQUEST, Kind.KNOWLEDGE))


def said_again(
    store: Store, candidates: Sequence[CandidateRef], snapshot: Snapshot, report: Callable[[str], None]
) -> dict[str, str]:
    """Candidate id to the reason why it is discarded: what a store knows of it, or one in another work tree of the
    repository does. A record that was removed there and stands here is not gone."""
    found: dict[str, str] = {}
    if not candidates:
        return found
    for other in store.beside():
        where = str(other.layout.workspace)
        try:
            away = [stone for stone in other.tombstones() if stone.path not in snapshot.documents]
            found |= _buried_in(other, candidates, [replace(stone, workspace=where) for stone in away])
        except (StoreError, OSError) as error:
            report(f"What was removed in {where} is not known here: {error}")
    return found | _buried_in(store, candidates, store.tombstones())


def _buried_in(store: Store, candidates: Sequence[CandidateRef], stones: Sequence[Tombstone]) -> dict[str, str]:
    names = partial(present_names, store.present_slug())
    return buried_under(candidates, stones, store.words_of(not_wanted(store.closed(), stones, names)), names)


def vanished(store: Store, candidates: Sequence[CandidateRef], snapshot: Snapshot) -> dict[str, str]:
    """Candidate id to why it waits for a person: the same of the same evidence went into records that are not there any
    more, and no run took them away. Somebody deleted them by hand, or they lie on another branch: from here the two
    look the same, so that it is neither recorded again nor discarded."""
    if not candidates:
        return {}
    names = partial(present_names, store.present_slug())
    there = {name_of(document.ref) for document in snapshot.documents.values() if document.ref}
    without: dict[Resolution, list[str]] = {}
    for how in store.closed():
        records = {name for name in names(how) if name.startswith(_REMEMBERED)}
        if how.action == "applied" and records and there.isdisjoint(records):
            without[how] = sorted(records)
    return without_records(candidates, ((ref, without[how]) for how, ref in store.words_of(list(without))))
