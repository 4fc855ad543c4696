"""`textDocument/codeAction` and `codeAction/resolve`: repairs, new records, and what can be done with a selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memory_core.text import ORIGIN
from server import errors
from server.background import in_thread
from server.convert import actions as convert
from server.convert.edits import places
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.ide.actions import Made, Plan
    from memory_core.ide.view import View
    from memory_core.lint.check import Severities
    from memory_core.snapshot import Snapshot
    from server.open_text import OpenText
    from server.state import Root

# As `memory_core.ide.actions` has them, which loads the linter and must wait; a test compares.
OPTIONS = types.CodeActionOptions(
    code_action_kinds=["quickfix", "refactor.extract", "refactor.rewrite", "refactor.move", "source.fixAll.omoide"],
    resolve_provider=True,
)


async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    wanted = ls.state.settings.actions and ls.state.client.action_literals
    snapshot = await ls.loader.snapshot(root) if root and wanted else None
    text = ls.state.text(params.text_document.uri)  # while the records were being read it may have changed
    if not text or not root or not snapshot:
        return None
    view, menu, severities = ls.state.view(text, root), _menu(ls, root, text), ls.diagnostics.severities(root)
    _note_limit(ls, view, params)
    # On a thread: the first question about like names makes a table of all slugs.
    return await in_thread("actions", lambda: _listed(snapshot, view, menu, params, severities))


def _listed(
    snapshot: Snapshot, view: View, menu: convert.Menu, params: types.CodeActionParams, severities: Severities
) -> list[types.CodeAction]:
    from memory_core.ide.actions import offers
    from memory_core.ids import rfc3339, utc_now

    now = rfc3339(utc_now())
    asked, ours = convert.asked_of(view.lines, params, menu.to.client.encoding)

    def make(plan: Plan) -> Made | None:
        return _made(snapshot, view, plan, severities)[0]

    found = []
    for offer in offers(snapshot, view, asked, now):
        told = params.context.diagnostics[ours[offer.solves]] if offer.solves is not None else None
        if action := convert.code_action(offer, menu, told, make):
            found.append(action)
    return found


def _note_limit(ls: Server, view: View, params: types.CodeActionParams) -> None:
    """A person who saves a record too long to be fixed as a whole is told so, in the log."""
    from memory_core.ide.actions import FIX_ALL, MOST_FIXED, Asked

    only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    if view.document and len(view.text) > MOST_FIXED and only and Asked(ORIGIN, only=only).wants(FIX_ALL):
        ls.note(f"{view.document.path} has more than {MOST_FIXED:,} characters: `omoide lint --fix` fixes it, not the "
                "editor.")  # fmt: skip


async def resolve(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """The edit of an action that was chosen. Fails, with the reason, where it cannot be done (any more)."""
    from memory_core.ide.actions import PLACED

    data = action.data if isinstance(action.data, dict) else {}
    text = ls.state.text(data["uri"]) if isinstance(data.get("uri"), str) else None
    root = ls.state.root_of(text) if text else None
    plan = convert.plan_of(data.get("plan"))
    snapshot = await ls.loader.snapshot(root) if root else None
    text = ls.state.text(text.uri) if text else None  # while the records were being read it may have changed
    if not text or not root or not snapshot or plan is None:
        if action.edit or action.command:
            return action  # nothing is left to find out
        raise errors.invalid_params("This action is not from here, or its document was closed.")
    if data.get("version") != text.version and isinstance(plan, PLACED):
        code = types.LSPErrorCodes.ContentModified.value
        raise JsonRpcException("The document changed since the action was offered: ask again.", code=code)
    view, severities, menu = ls.state.view(text, root), ls.diagnostics.severities(root), _menu(ls, root, text)
    done, refused = await in_thread("action", lambda: _made(snapshot, view, plan, severities))
    if done is None:
        raise errors.request_failed(refused)
    action.edit = convert.workspace_edit(done, menu)
    if action.edit is None:
        raise errors.request_failed("This editor cannot be told to make files: run `omoide new` instead.")
    return action


def _made(snapshot: Snapshot, view: View, plan: Plan, severities: Severities) -> tuple[Made | None, str]:
    """What a plan does; else why it cannot be done."""
    from memory_core.ide.actions import Made, made
    from memory_core.ids import rfc3339, utc_now

    done = made(snapshot, view, plan, rfc3339(utc_now()), severities)
    return (done, "") if isinstance(done, Made) else (None, done.reason)


def _menu(ls: Server, root: Root, text: OpenText) -> convert.Menu:
    return convert.Menu(text, places(ls.state, root), frozenset(ls.protocol.fm.commands))
