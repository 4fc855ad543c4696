"""Changes as workspace edits: forms, versions, columns, marks at the beginning, and clients that take less. Pure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from memory_core.changes import ChangeSet
from memory_core.refactor.file_edits import FileEdits
from memory_core.text import LineIndex, Position, Range, TextEdit
from server.client import ClientProfile
from server.convert.columns import Encoding
from server.convert.edits import Places, of_changes, outdated, text_edits, workspace_edit
from server.open_text import OpenText

ALL = frozenset({"create", "rename", "delete"})


def to(versions: dict[str, int] | None = None, **client: Any) -> Places:
    given = {"document_changes": True, "resource_operations": ALL, **client}
    opened = {
        path: OpenText(f"file:///o/{path}", Path("/o") / path, None, "markdown", version, LineIndex(""))
        for path, version in (versions or {}).items()
    }
    return Places(lambda path: f"file:///r/{path}", opened, ClientProfile(**given))


def edit(line: int, start: int, end: int, text: str) -> TextEdit:
    return TextEdit(Range(Position(line, start), Position(line, end)), text)


A = FileEdits("a.md", "x 👩 #old\n", (edit(0, 5, 8, "new"),))


def shape(found: types.WorkspaceEdit | None) -> list[str]:
    assert found
    assert found.document_changes is not None
    return [getattr(change, "kind", "edit") for change in found.document_changes]


@pytest.mark.parametrize(("encoding", "column"), [(Encoding.UTF8, 8), (Encoding.UTF16, 6), (Encoding.UTF32, 5)])
def test_columns_are_the_clients(encoding: Encoding, column: int) -> None:
    (found,) = text_edits(A.text, A.edits, to(encoding=encoding))
    assert found.range.start == types.Position(0, column)


def test_an_open_text_has_its_version_and_another_has_none() -> None:
    found = workspace_edit([A, FileEdits("b.md", "#old", (edit(0, 1, 4, "new"),))], to({"a.md": 7}))
    assert found
    assert found.document_changes
    versions = [c.text_document.version for c in found.document_changes if isinstance(c, types.TextDocumentEdit)]
    assert versions == [7, None]


def test_a_change_made_of_another_text_than_is_open_is_outdated() -> None:
    opened = to({"a.md": 7, "b.md": 1, "c.md": 1})  # all three are empty
    changes = ChangeSet().with_file("a.md", "", "x").with_file("b.md", "old", "x").with_file("c.md", None, "x")
    assert outdated(changes.with_file("d.md", "shut", "x"), opened) == ["b.md", "c.md"]


def test_edits_of_a_closed_text_stand_in_the_lines_that_the_client_counts() -> None:
    """Vim, Emacs and Helix show a lone carriage return, by which LSP ends a line: they edited the next line."""
    file = FileEdits("a.md", "one\rtwo\nsee #old\n", (edit(2, 5, 8, "new"),))
    for returns_are_text, line in ((False, 2), (True, 1)):
        found = workspace_edit([file], to(returns_are_text=returns_are_text))
        assert found
        assert found.document_changes
        (change,) = found.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        assert change.edits[0].range.start == types.Position(line, 5)


def test_files_move_after_all_texts_were_edited() -> None:
    moved = FileEdits("a.md", A.text, A.edits, "c.md")
    assert shape(workspace_edit([moved, FileEdits("b.md", "#old", A.edits)], to())) == ["edit", "edit", "rename"]
    bare = workspace_edit([FileEdits("a.md", "", (), "c.md")], to())
    assert shape(bare) == ["rename"]


def test_new_files_are_made_first_and_deleted_ones_go_last() -> None:
    changes = ChangeSet().with_file("a.md", None, "new\n").with_file("b.md", "old\n", "two\n")
    changes = changes.with_file("c.md", "gone\n", None)
    assert shape(of_changes(changes, to())) == ["create", "edit", "edit", "delete"]


@pytest.mark.parametrize("missing", sorted(ALL))
def test_a_client_that_lacks_an_operation_gets_nothing_rather_than_half(missing: str) -> None:
    changes = ChangeSet().with_file("a.md", None, "new\n").with_file("c.md", "gone\n", None)
    less = to(resource_operations=ALL - {missing})
    whole = (
        workspace_edit([FileEdits("a.md", "", (), "c.md")], less) if missing == "rename" else of_changes(changes, less)
    )
    assert whole is None


def test_a_client_without_document_changes_gets_plain_edits_of_texts_alone() -> None:
    found = workspace_edit([A], to({"a.md": 7}, document_changes=False, resource_operations=frozenset()))
    assert found
    assert found.document_changes is None
    assert found.changes == {
        "file:///r/a.md": [types.TextEdit(types.Range(types.Position(0, 6), types.Position(0, 9)), "new")]
    }
    moved = workspace_edit([FileEdits("a.md", A.text, A.edits, "c.md")], to(document_changes=False))
    assert moved is None


def test_annotations_are_sent_to_whoever_knows_them() -> None:
    found = workspace_edit([A], to(change_annotations=True), label="Rename", confirm=True)
    assert found
    assert found.change_annotations == {"omoide": types.ChangeAnnotation("Rename", needs_confirmation=True)}
    assert found.document_changes
    (change,) = found.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    assert [getattr(e, "annotation_id", None) for e in change.edits] == ["omoide"]
    plain = workspace_edit([A], to(), label="Rename")
    assert plain
    assert plain.change_annotations is None


def test_a_mark_at_the_beginning_is_not_counted_in_a_file_that_is_not_open() -> None:
    """An editor takes the byte order mark off; a text that is open is as the editor sent it."""
    marked = FileEdits("a.md", "\ufeff#old\n#old\n", (edit(0, 2, 5, "new"), edit(1, 1, 4, "new")))
    columns = {}
    for name, versions in (("closed", {}), ("open", {"a.md": 1})):
        found = workspace_edit([marked], to(versions))
        assert found
        assert found.document_changes
        (change,) = found.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        columns[name] = [e.range.start.character for e in change.edits if isinstance(e, types.TextEdit)]
    assert columns == {"closed": [1, 1], "open": [2, 1]}


def test_nothing_to_change_is_an_empty_edit() -> None:
    found = of_changes(ChangeSet(), to())
    assert found
    assert found.document_changes == []
