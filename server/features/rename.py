"""`textDocument/rename`: every reference to a record in the records, and the move of its file, as one edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from server import errors
from server.convert import edits, from_lsp
from server.features.file_operations import expect_rename
from server.language_server import Server
from server.open_mentions import renamed
from server.planned import Texts, planned, texts_before

if TYPE_CHECKING:
    from memory_core.refactor.referrers import Refusal
    from memory_core.refactor.rename import Renaming

OPTIONS = types.RenameOptions(prepare_provider=True)


async def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    if not text or not root or not ls.state.settings.navigation:
        return None
    from memory_core.ide.rename import rename_at
    from memory_core.refactor.referrers import Refusal

    if await ls.loader.linked(root) is None:  # half of the references would be left behind
        raise errors.no_snapshot(root)
    # The name stands in the text that was asked about, whatever is typed meanwhile.
    view = ls.state.view(text, root)
    at = from_lsp.position(view.lines, params.position, ls.state.client.encoding)
    plan, to = await planned(ls, root, lambda snapshot: rename_at(snapshot, view, at, params.new_name), _texts)
    if isinstance(plan, Refusal):
        raise errors.refused(plan)
    outside = renamed(ls.state, root, plan.source, plan.target)
    edit = edits.workspace_edit(plan.files, to, label=f"Rename {plan.source} to {plan.target}", outside=outside)
    if edit is None:
        raise errors.request_failed(
            "Your editor cannot rename files as part of an edit: run the command `omoide.rename` instead, or "
            f"`omoide rename {plan.source.kind} {plan.source.slug} {plan.target.slug}` in a terminal."
        )
    expect_rename(ls, root, plan.source, plan.target)
    return edit


def _texts(plan: Renaming | Refusal) -> Texts:
    from memory_core.refactor.referrers import Refusal

    return texts_before(plan if isinstance(plan, Refusal) else plan.changes)
