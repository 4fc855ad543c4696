"""What a model's run is shown, and whom it writes for. What is shown together may be mixed up, so all of it is for the
same people: candidates of one scope, and the records that whoever has that scope may see.

Rules in a model's place carry each scope along themselves and see everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from memory_core.consolidate.arguments import target
from memory_core.consolidate.draft import named
from memory_core.consolidate.schema import MemoryDelete, MemoryEdit, MemoryWrite, PromoteRecord
from memory_core.records.schema import SUMMARY, Kind, RecordRef, name_of
from memory_core.records.scope import caller_of
from memory_core.scope import ALL, Who, may_see, scope_of, seen_by, widens
from memory_core.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Reach:
    """`who`: whose records are shown. `scope`: of all candidates of the run; nobody else is written for."""

    who: Who = ALL
    scope: Mapping[str, str] = field(default_factory=dict)

    def seen(self, snapshot: Snapshot) -> Snapshot:
        return seen_by(snapshot, self.who)

    def problem(self, snapshot: Snapshot, args: BaseModel) -> str | None:
        """Why a call may not be run: it names a record that this run is not shown, or changes one that more people see
        than may see what the run was shown."""
        if self.who == ALL:
            return None
        for ref in _named(args):
            document = snapshot.document(ref)
            if document and not may_see(document, self.who):
                return f"{name_of(ref)} is not for this run: not everybody may see it whom this run writes for."
        if not isinstance(args, MemoryWrite | MemoryEdit | MemoryDelete | PromoteRecord):
            return None
        changed = target(args.kind, args.slug)
        return None if isinstance(changed, str) else self._too_wide(snapshot, changed)

    def _too_wide(self, snapshot: Snapshot, ref: RecordRef) -> str | None:
        record = snapshot.record(ref)
        wide = widens(self.scope, scope_of(record)) if record else bool(self.scope) and ref == SUMMARY
        if not wide:
            return None
        return (
            f"{name_of(ref)} is shown to more people than what this run is about, so this run changes nothing in it: "
            "write a record of its own from the candidates."
        )


def _named(args: BaseModel) -> Iterator[RecordRef]:
    """The records that a call names."""
    given = args.model_dump()
    if "kind" in given and isinstance(ref := target(given["kind"], given.get("slug")), RecordRef):
        yield ref
    if isinstance(args, PromoteRecord) and isinstance(ref := target(Kind.KNOWLEDGE, args.knowledge_slug), RecordRef):
        yield ref
    found = map(named, (*given.get("from_records", ()), *given.get("records", ())))
    yield from (other for other in found if other)


def reach_of(scope: Mapping[str, str]) -> Reach:
    """The reach of a run over candidates that have this scope, all of them."""
    return Reach(caller_of(scope), scope)
