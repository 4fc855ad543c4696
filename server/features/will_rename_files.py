"""`workspace/willRenameFiles`: edits of whatever refers to records whose files the person is about to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from server.convert import edits
from server.convert.uris import to_path
from server.language_server import Server
from server.planned import Texts, planned

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory_core.ide.rename import Moved
    from memory_core.refactor.file_edits import FileEdits
    from memory_core.refactor.referrers import Refusal
    from memory_core.refactor.rename import Renaming
    from memory_core.snapshot import Snapshot
    from server.state import Root


async def will_rename_files(ls: Server, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
    """Only references that resolve to a moved record follow it; that something cannot follow is said, since the files
    are moved all the same."""
    by_root: dict[Root, list[tuple[str, str | None]]] = {}
    for file in params.files:
        old, new = to_path(file.old_uri), to_path(file.new_uri)
        found = ls.state.find_root(old)
        before = found[0].relative(old) if found else None
        if found and before:
            by_root.setdefault(found[0], []).append((before, found[0].relative(new)))
    made: list[types.WorkspaceEdit] = []
    for root, paths in by_root.items():
        if edit := await _edit(ls, root, paths):
            made.append(edit)
    return _joined(made)


async def _edit(ls: Server, root: Root, paths: list[tuple[str, str | None]]) -> types.WorkspaceEdit | None:
    if await ls.loader.linked(root) is None:
        ls.say("Omoide: the records are still being read, so references do not follow.", types.MessageType.Warning)
        return None

    def plan(snapshot: Snapshot) -> tuple[list[FileEdits], list[Refusal], Texts]:
        from memory_core.ide.rename import follow, moved_files

        moves = [move for old, new in paths for move in moved_files(snapshot, old, new)]
        plans, refusals = follow(snapshot, moves)
        files = _merged([file for plan in plans for file in plan.files])
        return files, refusals, {**_free(plans, moves), **{file.path: file.text for file in files}}

    made, to = await planned(ls, root, plan, lambda made: made[2])
    files, refusals, _ = made
    if refusals:
        ls.say("Omoide: " + " ".join(refusal.reason for refusal in refusals[:3]), types.MessageType.Warning)
    return edits.workspace_edit(files, to, label="Update references to renamed records") if files else None


def _free(plans: Iterable[Renaming], moves: Iterable[Moved]) -> Texts:
    """The places that must be empty: of those that references shall follow to all but what moves away as well. Where
    two differ in case alone, a disk may hold one file for both."""
    from memory_core.layout import record_path

    leaving = {move.old.lower() for move in moves}
    new = (record_path(plan.target) for plan in plans)
    return {path: None for path in new if path.lower() not in leaving}


def _merged(found: list[FileEdits]) -> list[FileEdits]:
    """One row a file, where several of the records it refers to move at once."""
    from memory_core.refactor.file_edits import FileEdits

    rows: dict[str, FileEdits] = {}
    for file in found:
        known = rows.get(file.path)
        both = (*known.edits, *file.edits) if known else file.edits
        rows[file.path] = FileEdits(file.path, file.text, tuple(sorted(both, key=lambda edit: edit.range)))
    return [rows[path] for path in sorted(rows)]


def _joined(made: list[types.WorkspaceEdit]) -> types.WorkspaceEdit | None:
    if len(made) < 2:
        return made[0] if made else None
    changes = {uri: found for edit in made for uri, found in (edit.changes or {}).items()}
    documents = [change for edit in made for change in edit.document_changes or ()]
    notes = {key: note for edit in made for key, note in (edit.change_annotations or {}).items()}
    return types.WorkspaceEdit(changes or None, documents or None, notes or None)
