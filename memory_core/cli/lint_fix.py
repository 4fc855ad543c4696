"""`omoide lint --fix` and `--diff`: apply the certain fixes to files, or show what that would change.

What is certain is decided in `lint.fix`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory_core.changes import ChangeSet
from memory_core.cli.app import Context
from memory_core.ids import uuid7
from memory_core.lint.fix import Applied, fixed
from memory_core.snapshot import Snapshot
from memory_core.text import counted
from memory_core.workspace import Workspace


@dataclass(frozen=True)
class Fixes:
    """What `--fix` did: the fixes of each file that was written, by absolute path, and the files left alone."""

    written: Mapping[Path, Sequence[Applied]] = field(default_factory=dict)
    left: tuple[Path, ...] = ()


def write_fixes(context: Context, workspace: Workspace, snapshot: Snapshot, chosen: Sequence[str]) -> Fixes:
    """Apply the certain fixes of some documents."""
    changes, applied = _planned(workspace, snapshot, chosen)
    if not changes:
        return Fixes()
    result = workspace.store.commit(changes, run_id=uuid7(workspace.now()), reason="lint --fix")
    context.note(f"fixed {counted(len(result.written), 'file')}")
    for name in result.conflicts:
        context.note(f"{name} was left alone: it changed meanwhile or cannot be written; run the command again")
    root = workspace.layout.root
    return Fixes(
        {root / name: applied[name] for name in sorted(result.written)}, tuple(root / n for n in result.conflicts)
    )


def print_diff(context: Context, workspace: Workspace, snapshot: Snapshot, chosen: Sequence[str]) -> bool:
    """Show what `--fix` would change; whether that is anything."""
    from memory_core.refactor.diff import unified

    changes, applied = _planned(workspace, snapshot, chosen)
    if context.as_json:
        root = workspace.layout.root
        files = {root / name: fixes for name, fixes in applied.items()}
        context.print_json({"fixes": listed(files, workspace.layout.workspace), "diff": unified(changes)})
    else:
        if changes:
            context.echo(unified(changes).rstrip("\n"))
        context.note(f"{counted(len(changes.files), 'file')} would be fixed")
    return bool(changes)


def listed(files: Mapping[Path, Sequence[Applied]], folder: Path) -> list[dict[str, object]]:
    """Fixes as the machine's answer has them, with paths as people see them from `folder`."""
    return [
        {"path": shown(folder, path), "fixes": [{"code": fix.code, "title": fix.title} for fix in fixes]}
        for path, fixes in files.items()
    ]


def shown(folder: Path, path: Path) -> str:
    """A path from `folder`; absolute for what lies elsewhere."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_posix()


def _planned(
    workspace: Workspace, snapshot: Snapshot, chosen: Sequence[str]
) -> tuple[ChangeSet, dict[str, Sequence[Applied]]]:
    changes = ChangeSet()
    applied: dict[str, Sequence[Applied]] = {}
    severities = workspace.config.severities()
    for name in chosen:
        if done := fixed(snapshot, name, severities):
            changes = changes.with_file(name, snapshot.documents[name].text, done.text)
            applied[name] = done.applied
    return changes, applied
