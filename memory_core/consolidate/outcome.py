"""What of a finished draft may be written and closed when some files are in conflict. Pure arithmetic on sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace

from memory_core.changes import ChangeSet, FileChange
from memory_core.consolidate.draft import named
from memory_core.consolidate.notes import replaced_in
from memory_core.consolidate.tools import ConsolidateToolbox
from memory_core.layout import SUMMARY_PATH, record_at, record_path
from memory_core.ports import Store
from memory_core.records.schema import name_of
from memory_core.refactor.referrers import in_the_way
from memory_core.staging import Action, CandidateRef, empty_field

Decided = tuple[Action, str, tuple[str, ...]]


@dataclass(frozen=True)
class Outcome:
    """`changes`: what may be written. `decided`: candidates to record as decided, kept ones included. `conflicts`:
    path → why it was left alone, also files that only make sense together with one in conflict. `in_editor`: files that
    an editor holds changed and unsaved. `late`: candidates that somebody closed while their records were written."""

    changes: ChangeSet
    decided: Mapping[str, Decided]
    conflicts: Mapping[str, str]
    in_editor: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()

    def unsaved(self, shown: frozenset[str], cites: Mapping[str, Set[str]]) -> Outcome:
        """The same with some files changed in an editor only: until they are saved, what rests on them stays staged.
        The next run finds it covered by the saved record, or decides it again where the edit was thrown away."""
        if not shown:
            return self
        names = {name_of(ref) for path in shown if (ref := record_at(path))}
        rests = {candidate for path in shown for candidate in cites.get(path, ())}
        rests |= {candidate for candidate, (_, _, records) in self.decided.items() if names & set(records)}
        decided = {candidate: how for candidate, how in self.decided.items() if candidate not in rests}
        return replace(self, decided=decided, in_editor=shown)

    @property
    def closing(self) -> frozenset[str]:
        """The candidates that leave staging."""
        return frozenset(candidate for candidate, (action, _, _) in self.decided.items() if action != "kept")


def settle(
    toolbox: ConsolidateToolbox,
    by_host: Mapping[str, Decided],
    conflicts: Mapping[str, str],
    written: Iterable[str] | None = None,
) -> Outcome:
    """Split a draft into what goes and what stays. `conflicts`: files that are not what the run read, also those that
    it does not change. `by_host`: candidates that no worker was asked about. `written`: what a commit did write, where
    one has happened. What rests on a candidate that the toolbox has as withdrawn is left alone like a conflict."""
    draft = toolbox.draft
    changed = draft.changes.files.keys()
    withdrawn = {path for path, ids in draft.cites.items() if path in changed and ids & toolbox.withdrawn}
    blocked = dict.fromkeys(withdrawn, "") | {path: why for path, why in conflicts.items() if path in changed}
    if written is None:
        blocked = _with_dependents(toolbox, blocked)
        going = {path: change for path, change in draft.changes.files.items() if path not in blocked}
    else:
        done = frozenset(written)
        going = {path: change for path, change in draft.changes.files.items() if path in done}
    decided = _decided(toolbox, by_host)
    stuck = {candidate for candidate in decided if _is_stuck(toolbox, candidate, going)} | toolbox.withdrawn
    while True:
        more = {c for c, d in decided.items() if c not in stuck and _leans_on(d, stuck, {*blocked, *conflicts})}
        if not more:
            break
        stuck |= more
    standing = {c: d for c, d in decided.items() if c not in stuck}
    told = {path: why for path, why in blocked.items() if why}
    return Outcome(ChangeSet(going), _grounded(toolbox, standing, ChangeSet(going)), told)


def leaned_on_meanwhile(store: Store, toolbox: ConsolidateToolbox, by_host: Mapping[str, Decided]) -> dict[str, str]:
    """The records that cover a candidate, and that somebody changed or removed since the run read them: path and why.
    The run itself changes none of them, so that no commit compares them."""
    draft = toolbox.draft
    covering = (
        record
        for action, _, records in {**by_host, **toolbox.decided}.values()
        if action in ("duplicate", "already_covered")
        for record in records
    )
    found = (draft.base.document(ref) for record in covering if (ref := named(record)))
    unchanged = {d.path: FileChange(d.path, d.text, d.text) for d in found if d and d.path not in draft.changes.files}
    reasons = store.conflicts(ChangeSet(unchanged))
    return {path: why for path, why in reasons.items() if why.endswith("meanwhile")}


def _grounded(toolbox: ConsolidateToolbox, decided: Mapping[str, Decided], going: ChangeSet) -> dict[str, Decided]:
    """The decisions without those that rest on nothing when the run has ended: on a record that it takes away again, or
    on candidates that name each other. What says so stays staged, since it would be in no record."""
    there = toolbox.draft.base.with_changes(going)
    offered = {f"workflow/{offer.slug}" for offer in toolbox.offers}

    def is_record(name: str) -> bool:
        ref = named(name)
        return name in offered or bool(ref and there.document(ref))

    def holds(candidate: str, how: Decided, closed: Set[str]) -> bool:
        match how:
            case "applied", _, _:
                return any(map(is_record, toolbox.holding(candidate)))
            case (("duplicate" | "already_covered"), _, records):
                staged = toolbox.candidates - closed
                return any(is_record(name) or name in grounded or name in staged for name in records)
            case _:
                return True

    discarded = {candidate for candidate, (action, _, _) in decided.items() if action == "discarded"}
    closed = {candidate for candidate, (action, _, _) in decided.items() if action != "kept"}
    grounded: set[str] = set()  # what is in a record, or covered by what is
    while True:
        more = {c for c in closed - discarded - grounded if holds(c, decided[c], closed)}
        if not more:
            break
        grounded |= more
    return {c: how for c, how in decided.items() if c in grounded or c in discarded or c not in closed}


def _with_dependents(toolbox: ConsolidateToolbox, conflicts: dict[str, str]) -> dict[str, str]:
    """With the changes that share a candidate with a conflicting record, refer to one that would not exist, or say that
    they replace one that would go on as it is.

    The summary alone blocks nothing, since it can be brought up to date by the next run; but it is not written when a
    record it may speak of is not.
    """
    draft = toolbox.draft
    blocked = dict(conflicts)
    replaced = {
        change.path: {record_path(ref) for place in replaced_in(change.after or "") if (ref := named(place))}
        for change in draft.changes
    }
    while True:
        records = {path for path in blocked if path != SUMMARY_PATH}
        candidates = {c for path in records for c in draft.cites.get(path, ())}
        targets = {document.ref for path in records if (document := draft.preview.documents.get(path))}
        more = {
            path
            for path in draft.changes.files
            if path not in blocked
            and (
                (path == SUMMARY_PATH and records)
                or (path != SUMMARY_PATH and candidates & draft.cites.get(path, set()))
                or replaced[path] & records
                or any(
                    link.path == path
                    for ref in targets
                    if ref
                    for link in in_the_way(draft.preview.index.backlinks.get(ref, ()), ref)
                )
            )
        }
        if not more:
            return blocked
        blocked.update(dict.fromkeys(more, "belongs to a change that is in conflict"))


def decided_by_host(
    covered: Mapping[str, str], buried: Mapping[str, str], rest: Iterable[CandidateRef] = ()
) -> dict[str, Decided]:
    """What needs no worker: a record holds the evidence already, or a person would not have it, and why (`buried`), or
    the candidate says nothing. `rest`: the candidates that are not covered."""
    decided: dict[str, Decided] = {
        ref.id: ("discarded", f"its `{field}` is empty: it says nothing that could be remembered", ())
        for ref in rest
        if (field := empty_field(ref.candidate))
    }
    decided.update(
        (candidate, ("already_covered", f"{record} holds this evidence already", (record,)))
        for candidate, record in covered.items()
    )
    decided.update((candidate, ("discarded", why, ())) for candidate, why in buried.items())
    return decided


def _decided(toolbox: ConsolidateToolbox, by_host: Mapping[str, Decided]) -> dict[str, Decided]:
    """The worker's decisions, those of the host, and candidates that a write names but nobody closed: the write is the
    decision."""
    decided: dict[str, Decided] = dict(by_host)
    decided.update(toolbox.decided)
    for path in sorted(toolbox.draft.changes.files):
        for candidate in sorted(toolbox.draft.cites.get(path, ())):
            if candidate not in decided and (records := tuple(toolbox.holding(candidate))):
                decided[candidate] = ("applied", f"went into {', '.join(records)}", records)
    return decided


def _is_stuck(toolbox: ConsolidateToolbox, candidate: str, going: Mapping[str, object]) -> bool:
    """Whether something that rests on a candidate is not written. A stale summary matters only to what is in nothing
    else."""
    draft = toolbox.draft
    citing = [path for path in draft.changes.files if candidate in draft.cites.get(path, ())]
    records = [path for path in citing if path != SUMMARY_PATH] or citing
    return any(path not in going for path in records)


def _leans_on(decided: Decided, stuck: set[str], blocked: set[str]) -> bool:
    """Whether a candidate is covered only by something that did not come to be."""
    action, _, records = decided
    if action not in ("duplicate", "already_covered"):
        return False
    paths = {record_path(ref) for record in records if (ref := named(record))}
    return bool(stuck & set(records)) or bool(paths & blocked)
