"""`omoide.offers`: workflows that consolidations offered. Answers what `omoide staging offers --json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memory_core.errors import MemoryCoreError
from server import errors
from server.background import in_thread
from server.choice import choose
from server.commands import arguments
from server.convert.uris import from_path
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.consolidate.task import WorkflowOffer
    from memory_core.workspace import Workspace
    from server.state import Root

NAME = "omoide.offers"
ANSWERS = ("create", "later", "never")
CREATE, LATER, NEVER = "Create", "Not now", "Never"


async def offers(ls: Server, *args: Any) -> dict[str, Any]:
    """The offers that wait, or with `create`, `later` or `never` a person's answer to one."""
    given = arguments.read(NAME, args, dict.fromkeys(ANSWERS, str))
    said = [word for word in ANSWERS if word in given]
    if len(said) > 1:
        raise errors.invalid_params(f"{NAME} takes one of {', '.join(ANSWERS)}.")
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    if not said:
        return {"offers": await in_thread("offers", lambda: _waiting(workspace))}
    return await _answer(ls, root, said[0], given[said[0]], quiet=given.get("quiet", False))


async def ask(ls: Server, root: Root, found: Sequence[WorkflowOffer]) -> None:
    """Ask about the offers of a run, one after the other. A message that is closed is a `not now`."""
    for offer in found:
        text = f"Omoide: a procedure was repeated that could be the workflow /{offer.slug}. {offer.reason}"
        chosen = await choose(ls, text, (CREATE, LATER, NEVER), types.MessageType.Info)
        word = {CREATE: "create", NEVER: "never"}.get(chosen or "", "later")
        try:
            await _answer(ls, root, word, offer.slug, quiet=False)
        except JsonRpcException as error:
            ls.say(f"Omoide: {error.message}", types.MessageType.Error)


async def _answer(ls: Server, root: Root, word: str, slug: str, *, quiet: bool) -> dict[str, Any]:
    workspace = await arguments.workspace_of(ls, root)
    busy = ls.state.busy(root)
    try:
        if word != "create":
            offer = await in_thread("offer", lambda: _noted(workspace, slug, word))
            return {"slug": offer, "answer": word}
        path, run_id = await in_thread("offer", lambda: _created(workspace, slug, busy))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    await ls.loader.refresh(root, {path})
    uri = from_path(workspace.layout.absolute(path))
    if not quiet:
        ls.show(uri)
    return {"slug": slug, "answer": "created", "run_id": run_id, "uri": uri}


def _waiting(workspace: Workspace) -> list[dict[str, Any]]:
    from memory_core.consolidate import offers as offered

    return [offer.model_dump(mode="json", exclude_none=True) for offer in offered.waiting(workspace.store)]


def _noted(workspace: Workspace, slug: str, word: str) -> str:
    from memory_core.consolidate import offers as offered

    said: offered.Answer = "never" if word == "never" else "later"
    return offered.answer(workspace.store, slug, said, now=workspace.now).slug


def _created(workspace: Workspace, slug: str, busy: frozenset[str]) -> tuple[str, str]:
    from memory_core.consolidate import offers as offered
    from memory_core.layout import record_path
    from memory_core.records.schema import Kind, RecordRef

    severities = workspace.config.severities()
    run_id = offered.create(workspace.store, slug, now=workspace.now, severities=severities, busy=busy)
    return record_path(RecordRef(Kind.WORKFLOW, slug.removeprefix("/"))), run_id
