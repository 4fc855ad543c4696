"""What the commands that change records have in common: commit a change set whole, or say why not.

Every change is a run: its preimages are in the archive, and `omoide undo` takes it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import click

from memory_core.changes import ChangeSet
from memory_core.cli.app import Context
from memory_core.cli.record_names import close
from memory_core.consolidate.one_run import commit_whole
from memory_core.index import Link
from memory_core.records.schema import RecordRef
from memory_core.records.scope import Who
from memory_core.refactor.diff import unified
from memory_core.refactor.referrers import Refusal
from memory_core.scope import may_see
from memory_core.snapshot import Snapshot
from memory_core.text import counted
from memory_core.workspace import Workspace

DRY_RUN = click.option("--dry-run", is_flag=True, help="Show the changes as a diff; write nothing.")
HIDDEN = "It cannot be done now: the operator of this workspace can say why."
SHOWN = 20  # files or places listed for people; JSON has all of them


@dataclass(frozen=True)
class Done:
    """What became of a change. `status`: committed, dry-run, refused, conflict or unchanged."""

    status: str
    run_id: str | None = None
    reason: str = ""
    changes: ChangeSet = field(default_factory=ChangeSet)
    links: tuple[Link, ...] = ()
    conflicts: Mapping[str, str] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        return self.status in ("refused", "conflict")


def carry_out(
    workspace: Workspace,
    event: str,
    plan: ChangeSet | Refusal,
    facts: Mapping[str, Any],
    *,
    dry_run: bool,
    note: str = "",
) -> Done:
    """Commit a plan as one run and put it into the audit log with its `facts`. All of it is written or nothing is."""
    if isinstance(plan, Refusal):
        return Done("refused", reason=plan.reason, links=plan.links)
    store = workspace.store
    conflicts = store.conflicts(plan)
    if conflicts:
        return Done("conflict", reason="nothing was changed", changes=plan, conflicts=conflicts)
    if dry_run:
        return Done("dry-run", changes=plan)
    run_id, lost = commit_whole(store, plan, event=event, facts=facts, note=note, now=workspace.now)
    if lost:
        return Done("conflict", reason="what was written is taken back", changes=plan, conflicts=lost)
    return Done("committed", run_id, changes=plan)


def told_to(done: Done, snapshot: Snapshot, who: Who) -> Done:
    """An outcome as `who` may be told of it: without the files that only others see, whatever became of them."""
    named = {*done.changes.files, *done.conflicts, *(link.path for link in done.links)}
    hidden = {path for path in named if (document := snapshot.documents.get(path)) and not may_see(document, who)}
    if not hidden:
        return done
    files = {path: change for path, change in done.changes.files.items() if path not in hidden}
    return replace(
        done,
        reason=HIDDEN if any(path in done.reason for path in hidden) else done.reason,
        changes=ChangeSet(MappingProxyType(files)),
        links=tuple(link for link in done.links if link.path not in hidden),
        conflicts={path: why for path, why in done.conflicts.items() if path not in hidden},
    )


def shown_path(workspace: Workspace, path: str) -> str:
    """A path below the root as people type it in the workspace."""
    return workspace.layout.absolute(path).relative_to(workspace.layout.workspace).as_posix()


def places(workspace: Workspace, links: Iterable[Link]) -> list[dict[str, Any]]:
    """Links as plain data; lines count from 1, as in every message."""
    return [
        {"path": shown_path(workspace, link.path), "line": link.range.start.line + 1, "via": link.via} for link in links
    ]


def plain(workspace: Workspace, done: Done) -> dict[str, Any]:
    """The machine's answer that every changing command gives."""
    return {
        "run_id": done.run_id,
        "status": done.status,
        "reason": done.reason,
        "changes": done.changes.plain() if done.status in ("committed", "dry-run") else [],
        "referrers": places(workspace, done.links),
        "conflicts": [{"path": path, "reason": why} for path, why in sorted(done.conflicts.items())],
        **({"diff": unified(done.changes)} if done.status == "dry-run" else {}),
    }


def say_failure(context: Context, workspace: Workspace, done: Done) -> None:
    """Why nothing was changed, on stderr, each place on a line of its own."""
    if done.status == "conflict":
        for path, why in sorted(done.conflicts.items()):
            context.note(f"{shown_path(workspace, path)} {why}; {done.reason}")
        return
    context.note(done.reason)
    lines = [f"  {place['path']}:{place['line']} ({place['via']})" for place in places(workspace, done.links)]
    for line in listed(context, lines):
        context.note(line)


def listed(context: Context, lines: list[str]) -> list[str]:
    """At most SHOWN lines, and how many more there are; all of them with `-v`."""
    if context.verbose or len(lines) <= SHOWN:
        return lines
    return [*lines[:SHOWN], f"  ... and {counted(len(lines) - SHOWN, 'more line')} (-v lists all)"]


def say_diff(context: Context, done: Done) -> None:
    """The diff of a dry run; a line end of two characters is no news in it."""
    context.echo(unified(done.changes).replace("\r\n", "\n").rstrip("\n"))
    context.echo(f"Dry run: nothing was written ({counted(len(done.changes.files), 'file')}).")


def say_undo(context: Context, done: Done) -> None:
    context.echo(f"Undo with `omoide undo {done.run_id}`.")


def hinted(plan: ChangeSet | Refusal, snapshot: Snapshot, ref: RecordRef) -> ChangeSet | Refusal:
    """A refusal because there is no such record names those it may have meant."""
    if isinstance(plan, Refusal) and not snapshot.document(ref) and (hint := close(snapshot, ref)):
        return Refusal(plan.reason.rstrip(".") + hint, plan.links)
    return plan


def finish(done: Done) -> None:
    """Exit with 1 where nothing was changed."""
    if done.failed:
        raise SystemExit(1)
