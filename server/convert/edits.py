"""From changes of files to a `WorkspaceEdit`: versions of open texts, files made, moved and deleted, annotations.

Asks nothing of the client and applies nothing; a client that cannot take what is needed gets None, never a part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.text import LineIndex, TextEdit
from server.client import ClientProfile
from server.convert import to_lsp

if TYPE_CHECKING:
    from memory_core.changes import ChangeSet
    from memory_core.refactor.file_edits import FileEdits
    from server.open_text import OpenText
    from server.state import Root, ServerState

_BOM = "\ufeff"
_LABEL_ID = "omoide"

Operation = types.CreateFile | types.RenameFile | types.DeleteFile
DocumentChange = types.TextDocumentEdit | Operation


@dataclass(frozen=True, slots=True)
class Places:
    """Where edits go: the URI of a path below a root, the texts that are open by such a path, what the client takes."""

    uri_of: Callable[[str], str]
    opened: Mapping[str, OpenText]
    client: ClientProfile


def places(state: ServerState, root: Root) -> Places:
    """The places of one root as they are now."""
    return Places(state.uris(root), state.texts_of(root), state.client)


def outdated(changes: ChangeSet, to: Places) -> list[str]:
    """The paths of changes that were made of another text than is open: at its version their edits would be applied in
    the wrong places."""
    open_texts = {change.path: text.text for change in changes if (text := to.opened.get(change.path))}
    made_of = {change.path: change.before for change in changes}
    return [path for path, text in open_texts.items() if text not in _as_open(made_of[path], to)]


def _as_open(text: str | None, to: Places) -> tuple[str | None, ...]:
    """A text and how it is held for the client while it is open."""
    return (text,) if text is None else (text, to.client.lines_of(text))


def workspace_edit(
    edited: Iterable[FileEdits],
    to: Places,
    *,
    label: str | None = None,
    confirm: bool = False,
    outside: Iterable[types.TextDocumentEdit] = (),
) -> types.WorkspaceEdit | None:
    """The edits of files that exist, each at the version that is open; files move after all texts were edited.
    `outside`: edits of open texts that are no files of the root.
    `label`: what an editor with annotations calls the change, `confirm`: whether it asks before it applies it."""
    note = _LABEL_ID if label and to.client.change_annotations else None
    texts: list[DocumentChange] = [*outside]
    moves: list[DocumentChange] = []
    for file in edited:
        if file.edits:
            texts.append(_document_edit(file.path, file.text, file.edits, to, note))
        if file.moved_to:
            moves.append(types.RenameFile(to.uri_of(file.path), to.uri_of(file.moved_to), annotation_id=note))
    return _assembled([*texts, *moves], to.client, label if note else None, confirm=confirm)


def of_changes(
    changes: ChangeSet, to: Places, *, label: str | None = None, confirm: bool = False
) -> types.WorkspaceEdit | None:
    """A change set as edits. Its new files are made empty and filled, its deleted ones deleted; a move in it is one of
    each (`workspace_edit` with `moved_to` keeps it a move)."""
    from memory_core.refactor.file_edits import file_edits

    note = _LABEL_ID if label and to.client.change_annotations else None
    made: list[DocumentChange] = []
    edited: list[DocumentChange] = []
    deleted: list[DocumentChange] = []
    for change in changes:
        match change.op:
            case "create":
                # Else Neovim and Helix empty a file that came to lie there since the plan was made; the text is put in
                # front of what lies there then, where a person sees it and undoes it.
                kept = types.CreateFileOptions(ignore_if_exists=True)
                made.append(types.CreateFile(to.uri_of(change.path), options=kept, annotation_id=note))
                whole = [TextEdit(LineIndex("").range(0, 0), change.after or "")]
                made.append(_document_edit(change.path, "", whole, to, note))
            case "update":
                file = file_edits(change)
                edited.append(_document_edit(file.path, file.text, file.edits, to, note))
            case "delete":
                deleted.append(types.DeleteFile(to.uri_of(change.path), annotation_id=note))
    return _assembled([*made, *edited, *deleted], to.client, label if note else None, confirm=confirm)


def text_edits(text: str, edits: Iterable[TextEdit], to: Places) -> list[types.TextEdit]:
    """Edits of one text, in the client's columns."""
    lines = LineIndex(text)
    return [types.TextEdit(to_lsp.range_of(lines, e.range, to.client.encoding), e.new_text) for e in edits]


def _document_edit(
    path: str, text: str, edits: Sequence[TextEdit], to: Places, note: str | None
) -> types.TextDocumentEdit:
    opened = to.opened.get(path)
    version = opened.version if opened else None
    if not opened and text.startswith(_BOM):
        # An editor takes the mark off when it opens the file, and counts the first line without it.
        text, edits = text[1:], [_shifted(text, edit) for edit in edits]
    if (counted := to.client.lines_of(text)) != text:
        lines, shown = LineIndex(text), LineIndex(counted)  # the same characters in other lines
        edits = [
            TextEdit(shown.range(*(lines.offset(at) for at in (e.range.start, e.range.end))), e.new_text) for e in edits
        ]
        text = counted
    found: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = [*text_edits(text, edits, to)]
    if note:
        found = [types.AnnotatedTextEdit(note, edit.range, edit.new_text) for edit in text_edits(text, edits, to)]
    return types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(to.uri_of(path), version), found)


def _shifted(text: str, edit: TextEdit) -> TextEdit:
    lines, bare = LineIndex(text), LineIndex(text[1:])
    start, end = (max(0, lines.offset(place) - 1) for place in (edit.range.start, edit.range.end))
    return TextEdit(bare.range(start, end), edit.new_text.removeprefix(_BOM))


def _assembled(
    changes: list[DocumentChange], client: ClientProfile, label: str | None, *, confirm: bool
) -> types.WorkspaceEdit | None:
    if not {change.kind for change in changes if not isinstance(change, types.TextDocumentEdit)} <= set(
        client.resource_operations
    ):
        return None
    if client.document_changes:
        annotations = {_LABEL_ID: types.ChangeAnnotation(label, needs_confirmation=confirm or None)} if label else None
        return types.WorkspaceEdit(document_changes=changes, change_annotations=annotations)
    # Without operations, texts can still be edited in the older form, which knows no versions.
    plain: dict[str, list[types.TextEdit]] = {}
    for change in changes:
        if not isinstance(change, types.TextDocumentEdit):
            return None
        edits = [e for e in change.edits if not isinstance(e, types.SnippetTextEdit)]
        plain[change.text_document.uri] = [types.TextEdit(edit.range, edit.new_text) for edit in edits]
    return types.WorkspaceEdit(changes=plain)
