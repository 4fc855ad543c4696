"""`omoide.status`, `omoide.reindex` and `omoide.lint`: what the server holds, reading it again, checking all of it."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.text import counted
from server.commands import arguments
from server.language_server import Server
from server.status import status_of

if TYPE_CHECKING:
    from memory_core.diagnostic import Diagnostic
    from memory_core.ports import Progress
    from memory_core.snapshot import Snapshot
    from memory_core.workspace import Workspace
    from server.state import Root

LINT = "omoide.lint"
_SEVERITIES = ("error", "warning", "hint")
Found = dict[str, list["Diagnostic"]]

_STEP = 64  # records between two looks at whether the person still waits


async def status(ls: Server, *args: Any) -> dict[str, Any]:
    """The roots this server knows, in numbers."""
    arguments.read("omoide.status", args, {})
    return {"roots": [await ls.status.counted(root) for root in list(ls.state.roots.values())]}


async def reindex(ls: Server, *args: Any) -> dict[str, Any]:
    """Read a root again from disk, and answer with its numbers."""
    root = arguments.root_of(ls, arguments.read("omoide.reindex", args, {}))
    await ls.loader.load(root)
    arguments.require_open(ls, root)
    return asdict(status_of(root))


async def lint(ls: Server, *args: Any) -> dict[str, Any]:
    """Check every record of a workspace, with what is open as it is open, and show the client what was found."""
    given = arguments.read(LINT, args, {})
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    snapshot = await arguments.linked_of(ls, root)

    async def work(progress: Progress) -> Found:
        return _check_all(snapshot, workspace, progress)

    found = await ls.jobs.run("lint", root, "Omoide: lint", work)
    arguments.require_open(ls, root)
    ls.status.checked(root, found)
    _show_all(ls, root)
    severities = [str(problem.severity) for problems in found.values() for problem in problems]
    counts = {"files": len(snapshot.documents), **{f"{name}s": severities.count(name) for name in _SEVERITIES}}
    if not given.get("quiet"):
        ls.say(*summary(counts))
    files = [{"path": path, "problems": len(problems)} for path, problems in found.items() if problems]
    return {"workspace": str(root.layout.workspace), "files": files, "counts": counts}


def _show_all(ls: Server, root: Root) -> None:
    """From now on the problems of all records are shown and kept up to date, as `omoide.diagnostics: workspace` has it:
    a list that was right once would stay behind in the editor. Who turned diagnostics off is told the counts only."""
    if ls.state.settings.diagnostics == "open":
        ls.state.settings = replace(ls.state.settings, diagnostics="workspace")
        asyncio.ensure_future(ls.diagnostics.pulled.register())  # noqa: RUF006 - the client answers when it likes
    ls.diagnostics.schedule(root)


def _check_all(snapshot: Snapshot, workspace: Workspace, progress: Progress) -> Found:
    from memory_core.errors import Cancelled
    from memory_core.lint.check import check
    from memory_core.lint.duplicates import find_duplicates
    from memory_core.lint.facts import LintFacts
    from memory_core.lint.resident import resident_plan
    from server.lint_facts import MOST_COMPARED

    memory = workspace.config.memory
    plan = resident_plan(snapshot, memory.resident_token_budget, with_summary=memory.inject_summary)
    alike = find_duplicates(snapshot, {}) if len(snapshot.documents) <= MOST_COMPARED else None
    facts = LintFacts(duplicates=alike, resident=plan)
    severities, paths = workspace.config.severities(), sorted(snapshot.documents)
    found: Found = {}
    for number, path in enumerate(paths):
        if number % _STEP == 0:
            if progress.cancelled:
                raise Cancelled("The check was stopped.")
            progress.report(f"{number:,} of {len(paths):,} records", number / len(paths))
        found[path] = check(snapshot, path, severities, facts)
    return found


def summary(counts: dict[str, int]) -> tuple[str, types.MessageType]:
    """The outcome in one line for people."""
    told = ", ".join(counted(counts[f"{name}s"], name) for name in _SEVERITIES if counts[f"{name}s"])
    kind = types.MessageType.Warning if counts["errors"] else types.MessageType.Info
    return f"Omoide: {counted(counts['files'], 'record')} checked: {told or 'nothing found'}.", kind
