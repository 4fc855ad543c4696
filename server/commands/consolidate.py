"""`omoide.consolidate`: turn staged candidates into records. Answers what `omoide consolidate --json` prints."""

from __future__ import annotations

import asyncio
from concurrent.futures import CancelledError
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.errors import MemoryCoreError
from memory_core.text import counted
from server import errors
from server.choice import beside
from server.commands import arguments, offers, review
from server.commands.confirm import Confirmation
from server.commands.open_records import OpenRecords
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.consolidate.task import ConsolidateRun
    from memory_core.ports import Progress
    from server.state import Root

NAME = "omoide.consolidate"

# An event loop that does not answer for so long is ending.
_PATIENCE_S = 2.0
ALLOWED = {"if_due": bool, "dry_run": bool, "provider": str}
ABOUT_HELD = dict.fromkeys(review.ACTIONS, str)


class Unsaved:
    """The records with edits that are not on disk at the moment of asking: a person may begin to type while a model
    thinks. Asked on the job's thread; where there is no answer, the record counts as being edited and is left alone."""

    def __init__(self, ls: Server, root: Root) -> None:
        self._ls = ls
        self._root = root
        self._loop = asyncio.get_running_loop()

    def __contains__(self, path: object) -> bool:
        async def ask() -> bool:
            return path in self._ls.state.busy(self._root)

        question = ask()
        try:
            return asyncio.run_coroutine_threadsafe(question, self._loop).result(_PATIENCE_S)
        except (RuntimeError, TimeoutError, CancelledError):  # the server is ending
            question.close()
            return True


async def consolidate(ls: Server, *args: Any) -> dict[str, Any]:
    """A new run, or with `review`, `accept` or `reject` what becomes of one that waits. Records that are open with
    unsaved edits are left alone."""
    given = arguments.read(NAME, args, {**ALLOWED, **ABOUT_HELD})
    asked = [action for action in review.ACTIONS if action in given]
    if len(asked) > 1 or (asked and ALLOWED.keys() & given.keys()):
        raise errors.invalid_params(f"{NAME} takes one of review, accept and reject, and nothing of a new run with it.")
    root = arguments.root_of(ls, given)
    if asked:
        return await review.carry_out(ls, root, asked[0], given[asked[0]], quiet=given.get("quiet", False))
    try:
        workspace = await ls.loader.workspace(root)
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    provider = given.get("provider") or ls.state.settings.provider
    busy, editor = Unsaved(ls, root), OpenRecords(ls, root)
    confirmation = Confirmation(ls, workspace, provider)

    async def work(progress: Progress) -> ConsolidateRun:
        from memory_core.consolidate.job import consolidation_due
        from memory_core.providers.registry import consolidate_worker

        area = workspace.store.staging()
        due = not given.get("if_due") or consolidation_due(area, workspace.config) is None
        number = len(area.open) if due else 0
        model = workspace.config.memory.consolidation_model
        make = partial(consolidate_worker, workspace.config, workspace.environment, provider)
        await confirmation.of("consolidation", number, "candidate", model, make)
        return await workspace.consolidate(
            provider=provider,
            if_due=given.get("if_due", False),
            dry_run=given.get("dry_run", False),
            busy=busy,
            progress=progress,
            editor=editor,
        )

    try:
        run = await ls.jobs.run("consolidate", root, "Omoide: consolidate", work)
    finally:
        ls.loader.load(root)  # also after a failure: some of it may have been written
    if not given.get("quiet"):
        _tell(ls, root, run, dry_run=given.get("dry_run", False))
    return {**run.plain(), "diff": run.diff} if given.get("dry_run") else run.plain()


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
