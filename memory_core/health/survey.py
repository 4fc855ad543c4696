"""One audit of a workspace: every check, the figures, and what became less. Writes nothing, by construction.

What each check means is told in `checks`; what is printed in `cli.audit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memory_core.consolidate.doubt import doubts
from memory_core.consolidate.draft import named
from memory_core.enrich.allow import in_force, revision
from memory_core.enrich.port import id_of
from memory_core.errors import MemoryCoreError
from memory_core.health import figures, records
from memory_core.health.figures import Figures
from memory_core.health.lines import lines_gone
from memory_core.ids import rfc3339
from memory_core.layout import record_path
from memory_core.lint.check import check_all
from memory_core.lint.duplicates import find_duplicates
from memory_core.lint.facts import LintFacts
from memory_core.lint.resident import resident_plan
from memory_core.log_facts import log_facts
from memory_core.ports import StagingArea
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Snapshot
from memory_core.staging import Resolution
from memory_core.store import derived, health
from memory_core.store.health import Finding
from memory_core.store.legacy_receipts import damaged_receipts
from memory_core.store.session_scopes import session_scopes
from memory_core.store.tombstones import removals
from memory_core.store.untouched import untouched
from memory_core.store.usage_log import renames
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.workspace import Workspace

_MADE = (Kind.DECISION, Kind.REQUEST, Kind.KNOWLEDGE)  # what a consolidation makes of candidates
_ORDER = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class Survey:
    """What an audit found, worst first, and its figures."""

    findings: tuple[Finding, ...]
    figures: Figures


def survey(workspace: Workspace, history: Sequence[Figures] = (), *, logs: bool = True) -> Survey:
    """Look the whole store over. `history`: figures of earlier audits; `logs`: whether the logs that records point at
    are read too. While it lasts nothing below the root can be written by this process."""
    with untouched(workspace.layout.root):
        return _survey(workspace, history, logs)


def _survey(workspace: Workspace, history: Sequence[Figures], logs: bool) -> Survey:
    layout, store, memory = workspace.layout, workspace.store, workspace.config.memory
    now = workspace.now()
    snapshot = store.load()
    found: list[Finding] = []
    facts, unread_logs = _of_logs(workspace, snapshot, found) if logs else (LintFacts(), [])
    plan = resident_plan(snapshot, memory.resident_token_budget, with_summary=memory.inject_summary)
    facts = replace(facts, duplicates=find_duplicates(snapshot), resident=plan)
    usage, staging, closed = store.usage_report(), store.staging(), store.resolutions()
    checks: tuple[Callable[[], Iterable[Finding]], ...] = (
        lambda: health.findings(layout),
        lambda: records.of_linter(check_all(snapshot, workspace.config.severities(), facts)),
        lambda: (Finding("warning", "log-unreadable", "", text) for text in unread_logs),
        lambda: records.of_language(snapshot, memory.language),
        lambda: records.of_loops(snapshot, staging.files),
        lambda: _doubted(workspace, staging, logs=logs),
        lambda: records.of_scopes(snapshot, session_scopes(layout)),
        lambda: records.of_use(snapshot, usage.rows, now),
        lambda: derived.of_index(layout),
        lambda: derived.of_enrichers(layout, workspace.enrichment().standings(snapshot), _in_force(snapshot)),
        lambda: _waiting(workspace),
        lambda: _gone(workspace, snapshot),
        lambda: lines_gone(store, snapshot),
    )
    for check in checks:
        _run(check, found)
    numbers = {
        **figures.of_snapshot(snapshot),
        "resident tokens": plan.used,
        "staged": len(staging.open),
        "resolutions": len(closed),
        "uses": sum(row.use_count for row in usage.rows),
        "session logs": sum(1 for _ in layout.sessions.glob("*.jsonl")),
    }
    found += figures.losses(now, numbers, history)
    numbers |= figures.of_findings(found)
    found.sort(key=lambda finding: (_ORDER[finding.level], finding.code, finding.path, finding.line))
    return Survey(tuple(found), Figures(rfc3339(now), numbers))


def _run(check: Callable[[], Iterable[Finding]], found: list[Finding]) -> None:
    """Add what a check finds. One that cannot be made is a finding itself, and the others are still made."""
    try:
        found.extend(check())
    except (MemoryCoreError, OSError) as error:
        found.append(Finding("error", "unreadable", "", f"A part was not checked: {error}"))


def _of_logs(workspace: Workspace, snapshot: Snapshot, found: list[Finding]) -> tuple[LintFacts, list[str]]:
    try:
        return log_facts(workspace, snapshot, snapshot.documents)
    except (MemoryCoreError, OSError) as error:
        found.append(Finding("error", "log-unreadable", "", f"Evidence was not checked: {error}"))
        return LintFacts(), []


def _in_force(snapshot: Snapshot) -> dict[str, str]:
    """Revision by id of every record that an enricher may know."""
    return {
        id_of(document.ref): revision(document)
        for document in snapshot.documents.values()
        if document.ref and document.record and not document.unreadable and in_force(document.record)
    }


def _doubted(workspace: Workspace, staging: StagingArea, *, logs: bool) -> Iterator[Finding]:
    """Staged candidates that no record will be made of, since their evidence does not hold."""
    refs = [ref for file in staging.files for ref in file.candidates() if ref.id in staging.open]
    for candidate, why in doubts(refs, workspace.candidate_logs() if logs else lambda _: None).items():
        name, _, place = candidate.partition("/")
        text = f"No record is made of {place}: {why}. Restore it, or `omoide staging close {candidate}`"
        yield Finding("error", "doubtful-evidence", f"memory/_staging/{name}.json", text)


def _gone(workspace: Workspace, snapshot: Snapshot) -> Iterator[Finding]:
    """Records that candidates went into and that something else than a command of ours took away, as `git clean` does.
    Their candidates stay closed, so that nothing else would ever tell."""
    renamed = {(rename.kind, rename.old) for rename in renames(workspace.layout.audit)}
    removed = removals(workspace.layout)

    def is_told_of(ref: RecordRef, run_id: str | None) -> bool:
        """Whether the record that a run made there is there, or a command is known to have taken it away."""
        path = record_path(ref)
        if path in removed and path not in snapshot.documents:
            until = removed[path]
            return until is None or run_id in until
        return path in snapshot.documents or (str(ref.kind), ref.slug) in renamed

    gone: dict[str, list[Resolution]] = {}
    for how in workspace.store.closed():
        refs = [ref for name in how.records if (ref := named(name)) and ref.kind in _MADE]
        lost = not any(is_told_of(ref, how.run_id) for ref in refs)
        if how.action == "applied" and how.run_id and refs and lost:
            gone.setdefault(record_path(refs[0]), []).append(how)
    for path, closed in gone.items():
        text = (
            f"{counted(len(closed), 'candidate')} went into this record, and it is gone though no command removed it: "
            f"git may have it, else `memory/_archive`; `omoide undo {closed[-1].run_id}` takes back all that its run "
            "made and stages that again"
        )
        yield Finding("note", "record-gone", path, text)


def _waiting(workspace: Workspace) -> Iterator[Finding]:
    """What failed and what waits for a person."""
    store = workspace.store
    for name, reason in store.staging().invalid:
        yield Finding("error", "staging", f"memory/_staging/{name}", f"It cannot be read: {reason}")
    for letter in store.dead_letters():
        text = f"{counted(letter.tries, 'try')} to extract it failed: {letter.reason}. `omoide extract --retry`"
        yield Finding("warning", "dead-letter", f"memory/_staging/_dead/{letter.id}.json", text)
    for run in store.held():
        text = f"A run waits for you: `omoide consolidate --review {run.run_id}`"
        yield Finding("note", "review", f"memory/_staging/_held/{run.run_id}.json", text)
    for path, why in damaged_receipts(workspace.layout):
        yield Finding("error", "damaged-receipt", path, f"{why}: restore it from a backup, it is the way back.")
