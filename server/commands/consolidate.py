"""`omoide.consolidate`: turn staged candidates into records. Answers what `omoide consolidate --json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.text import counted
from server import errors
from server.choice import beside
from server.commands import arguments, offers, review
from server.commands.confirm import Confirmation
from server.commands.open_records import OpenRecords, Unsaved
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.consolidate.task import ConsolidateRun
    from memory_core.ports import Progress
    from server.state import Root

NAME = "omoide.consolidate"

ALLOWED = {"if_due": bool, "dry_run": bool, "provider": str, "candidate": str}
ABOUT_HELD = dict.fromkeys(review.ACTIONS, str)


async def consolidate(ls: Server, *args: Any) -> dict[str, Any]:
    """A new run, about one `candidate` where it is given, or with `review`, `accept` or `reject` what becomes of one
    that waits. Records that are open with unsaved edits are left alone."""
    given = arguments.read(NAME, args, {**ALLOWED, **ABOUT_HELD})
    asked = [action for action in review.ACTIONS if action in given]
    if len(asked) > 1 or (asked and ALLOWED.keys() & given.keys()):
        raise errors.invalid_params(f"{NAME} takes one of review, accept and reject, and nothing of a new run with it.")
    root = arguments.root_of(ls, given)
    if asked:
        return await review.carry_out(ls, root, asked[0], given[asked[0]], quiet=given.get("quiet", False))
    run = await _new_run(ls, root, given)
    dry_run = given.get("dry_run", False)
    if not given.get("quiet"):
        _tell(ls, root, run, dry_run=dry_run)
    return {**run.plain(), "diff": run.diff} if dry_run else run.plain()


async def _new_run(ls: Server, root: Root, given: dict[str, Any]) -> ConsolidateRun:
    workspace = await arguments.workspace_of(ls, root)
    provider = given.get("provider") or ls.state.settings.provider
    only = frozenset({given["candidate"]}) if "candidate" in given else None
    busy, editor = Unsaved(ls, root), OpenRecords(ls, root)
    confirmation = Confirmation(ls, workspace, provider, by_itself=given.get("if_due", False))

    async def work(progress: Progress) -> ConsolidateRun:
        from memory_core.consolidate.due import consolidation_due

        due = not given.get("if_due") or consolidation_due(workspace.store.staging(), workspace.config) is None
        return await workspace.consolidate(
            provider=await confirmation.of_consolidation(only) if due else provider,
            if_due=given.get("if_due", False),
            dry_run=given.get("dry_run", False),
            busy=busy,
            progress=progress,
            editor=editor,
            only=only,
        )

    try:
        return await ls.jobs.run("consolidate", root, "Omoide: consolidate", work)
    finally:
        ls.loader.load(root)  # also after a failure: some of it may have been written


def _tell(ls: Server, root: Root, run: ConsolidateRun, *, dry_run: bool) -> None:
    """The outcome for the person. What needs their word is asked beside the answer to the request."""
    if run.status == "held" and not dry_run:
        beside(lambda: review.ask(ls, root, run))
    else:
        ls.say(*summary(run))
    if run.offers and run.status != "failed" and not dry_run:
        beside(lambda: offers.ask(ls, root, run.offers))


def summary(run: ConsolidateRun) -> tuple[str, types.MessageType]:
    """The outcome in one line for people."""
    why = f" {run.reason}" if run.reason else ""
    match run.status:
        case "committed":
            text = f"{counted(len(run.changes), 'record')} changed, {counted(len(run.closed), 'candidate')} closed."
            return f"Omoide: {text}", types.MessageType.Info
        case "nothing":
            return f"Omoide: nothing to consolidate.{why}", types.MessageType.Info
        case "conflict":
            text = f"{counted(len(run.conflicts), 'record')} left alone: changed meanwhile.{why}"
            return f"Omoide: {text}", types.MessageType.Warning
        case "held":
            return f"Omoide: the consolidation waits for your review.{why}", types.MessageType.Warning
        case "failed":
            return f"Omoide: the consolidation failed.{why}", types.MessageType.Error
