"""`workspace/didCreateFiles`, `didRenameFiles`, `didDeleteFiles`: what the person did with files in the editor.

The disk is read again at once, without waiting for whoever watches it; a rename is noted down, so that what was counted
as use of a record stays with it.
"""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.errors import MemoryCoreError
from memory_core.layout import ROOT_NAMES
from server.background import in_thread
from server.convert.uris import to_path
from server.language_server import Server
from server.loading import log_failure

if TYPE_CHECKING:
    from memory_core.records.schema import RecordRef
    from server.state import Root

log = logging.getLogger(__name__)

_ROOTS = "{" + ",".join(ROOT_NAMES) + "}"
_RECORDS = f"**/{_ROOTS}/{{memory,knowledge,workflow}}/**/*.md"


def _filter(glob: str, kind: types.FileOperationPatternKind) -> types.FileOperationFilter:
    return types.FileOperationFilter(types.FileOperationPattern(glob, kind), "file")


# Record files, and the folders that hold them; nothing else in the workspace is any concern of this server.
OPTIONS = types.FileOperationRegistrationOptions(
    [
        _filter(_RECORDS, types.FileOperationPatternKind.File),
        _filter(f"**/{_ROOTS}", types.FileOperationPatternKind.Folder),
        _filter(f"**/{_ROOTS}/{{memory,knowledge,workflow}}/**", types.FileOperationPatternKind.Folder),
        _filter(f"**/{_ROOTS}/{{memory,knowledge,workflow}}", types.FileOperationPatternKind.Folder),
    ]
)

# How long after the edits were handed out a rename may still be applied (a person may look at a preview first), and how
# often that is looked for in an editor that does not say it.
_EXPECTED_S = 120.0
_LOOK_EVERY_S = 0.25
_MOST_EXPECTED = 16  # renames; an editor that shows a rename as it is typed asks for one at every key, and drops it


def did_create_files(ls: Server, params: types.CreateFilesParams) -> None:
    _changed(ls, [file.uri for file in params.files])


def did_delete_files(ls: Server, params: types.DeleteFilesParams) -> None:
    """What referred to a deleted record is checked again, since it refers to nothing now."""
    for file in params.files:
        ls.diagnostics.clear(file.uri)
    _changed(ls, [file.uri for file in params.files])


async def did_rename_files(ls: Server, params: types.RenameFilesParams) -> None:
    for file in params.files:
        ls.diagnostics.clear(file.old_uri)
        old, new = to_path(file.old_uri), to_path(file.new_uri)
        if old and new:
            await _renamed(ls, old, new)
    _changed(ls, [uri for file in params.files for uri in (file.old_uri, file.new_uri)])


def expect_rename(ls: Server, root: Root, source: RecordRef, target: RecordRef) -> None:
    """Edits that rename a record were handed out: note the rename down when it happens. An editor may drop them."""
    if ls.state.client.did_rename_files:
        return  # it will say so
    waiting = ls.expected_renames
    if old := waiting.pop((root, source, target), None):
        old.cancel()
    task = asyncio.create_task(_note_when_moved(ls, root, source, target), name=f"Expecting {target}")
    task.add_done_callback(log_failure)
    waiting[root, source, target] = task
    for name in list(waiting)[:-_MOST_EXPECTED]:
        waiting.pop(name).cancel()


async def _note_when_moved(ls: Server, root: Root, source: RecordRef, target: RecordRef) -> None:
    from memory_core.layout import record_path

    old, new = (root.layout.absolute(record_path(ref)) for ref in (source, target))
    for _ in range(round(_EXPECTED_S / _LOOK_EVERY_S)):
        if _has_moved(old, new):
            await _note(ls, root, source, target)
            _changed_paths(ls, {old, new})
            return
        await asyncio.sleep(_LOOK_EVERY_S)


def _has_moved(old: Path, new: Path) -> bool:
    return os.path.exists(new) and not os.path.exists(old)  # noqa: PTH110 - does not raise where a folder is closed


async def _renamed(ls: Server, old: Path, new: Path) -> None:
    """Note down a record that has another slug now; what became another kind of record, or none, is gone instead."""
    from memory_core.layout import record_at

    found = ls.state.find_root(new)
    root = found[0] if found else None
    if root is None:
        return
    before, after = root.relative(old), root.relative(new)
    source, target = (record_at(path) if path else None for path in (before, after))
    if before and after and before != after and before.lower() == after.lower():
        # Asked by name, a disk that ignores case says that both are there: only a list tells.
        ls.loader.load(root)
    if source and target and source.kind is target.kind and source != target:
        await _note(ls, root, source, target)


async def _note(ls: Server, root: Root, source: RecordRef, target: RecordRef) -> None:
    """The same event that the command line writes, without a run: the editor's undo takes it back."""
    from memory_core.refactor.history import EVENT

    facts = {"kind": str(source.kind), "slug": source.slug, "new_slug": target.slug, "by": "editor"}
    try:
        workspace = await ls.loader.workspace(root)
        await in_thread("note", lambda: workspace.store.append_audit(EVENT, facts))
    except (MemoryCoreError, OSError) as error:
        log.warning("That %s is %s now was not noted down: %s", source, target, error)


def _changed(ls: Server, uris: list[str]) -> None:
    _changed_paths(ls, {path for uri in uris if (path := to_path(uri))})


def _changed_paths(ls: Server, paths: set[Path]) -> None:
    ls.watchers.changed(paths)
