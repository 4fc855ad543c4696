"""`textDocument/codeAction` and `codeAction/resolve`: repairs, new records, and what can be done with a selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memory_core.text import ORIGIN
from server import errors
from server.convert import actions as convert
from server.convert.edits import places
from server.language_server import Server
from server.planned import Texts, planned, texts_before

if TYPE_CHECKING:
    from memory_core.ide.actions import Made, Plan
    from memory_core.ide.view import View
    from memory_core.lint.check import Severities
    from memory_core.refactor.referrers import Refusal
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
    def plan(snapshot: Snapshot) -> tuple[list[types.CodeAction], Texts]:
        return _listed(snapshot, view, menu, params, severities)

    (found, _), _ = await planned(ls, root, plan, lambda listed: listed[1], linked=False)
    return found


def _listed(
    snapshot: Snapshot, view: View, menu: convert.Menu, params: types.CodeActionParams, severities: Severities
) -> tuple[list[types.CodeAction], Texts]:
    """The entries, and what those that are made already, for a client that resolves nothing, were made of."""
    from memory_core.ide.actions import Made, offers
    from memory_core.ids import rfc3339, utc_now

    now, made_of = rfc3339(utc_now()), dict[str, str | None]()
    asked, ours = convert.asked_of(view.lines, params, menu.to.client.encoding)

    def make(plan: Plan) -> Made | None:
        done = _made(snapshot, view, plan, severities)
        made_of.update(_texts(done))
        return done if isinstance(done, Made) else None

    found = []
    for offer in offers(snapshot, view, asked, now):
        told = params.context.diagnostics[ours[offer.solves]] if offer.solves is not None else None
        if action := convert.code_action(offer, menu, told, make):
            found.append(action)
    return found, made_of


def _note_limit(ls: Server, view: View, params: types.CodeActionParams) -> None:
    """A person who saves a record too long to be fixed as a whole is told so, in the log."""
    from memory_core.ide.actions import FIX_ALL, MOST_FIXED, Asked

    only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    if view.document and len(view.text) > MOST_FIXED and only and Asked(ORIGIN, only=only).wants(FIX_ALL):
        ls.note(f"{view.document.path} has more than {MOST_FIXED:,} characters: `omoide lint --fix` fixes it, not the "
                "editor.")  # fmt: skip


async def resolve(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """The edit of an action that was chosen. Fails, with the reason, where it cannot be done (any more)."""
    from memory_core.ide.actions import PLACED, Made

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
    done, _ = await planned(ls, root, lambda snapshot: _made(snapshot, view, plan, severities), _texts, linked=False)
    if not isinstance(done, Made):
        raise errors.request_failed(done.reason)
    action.edit = convert.workspace_edit(done, menu)
    if action.edit is None:
        raise errors.request_failed("This editor cannot be told to make files: run `omoide new` instead.")
    return action


def _made(snapshot: Snapshot, view: View, plan: Plan, severities: Severities) -> Made | Refusal:
    """What a plan does; else why it cannot be done."""
    from memory_core.ide.actions import made
    from memory_core.ids import rfc3339, utc_now

    return made(snapshot, view, plan, rfc3339(utc_now()), severities)


def _texts(done: Made | Refusal) -> Texts:
    from memory_core.ide.actions import Made

    return texts_before(done.changes) if isinstance(done, Made) else {}


def _menu(ls: Server, root: Root, text: OpenText) -> convert.Menu:
    return convert.Menu(text, places(ls.state, root), frozenset(ls.protocol.fm.commands))
