"""Reading: every file under the record folders is a document, and one that cannot be read says so itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_core.lint.check import check
from memory_core.records.schema import Kind, RecordRef
from memory_core.store.filestore import FileStore
from tests.store.conftest import unprivileged

posix = pytest.mark.skipif(os.name == "nt", reason="symbolic links and modes as POSIX has them")


def test_bom_and_line_ends_are_kept(store: FileStore, root: Path) -> None:
    (root / "knowledge/a.md").write_bytes(b"\xef\xbb\xbf---\r\nkind: x\r\n---\r\nbody\r\n")
    assert store.load().documents["knowledge/a.md"].text == "\ufeff---\r\nkind: x\r\n---\r\nbody\r\n"


def test_bad_utf8_is_an_unreadable_document_that_names_the_byte(store: FileStore, root: Path) -> None:
    (root / "knowledge/a.md").write_bytes(b"ok\xffmore")
    document = store.load().documents["knowledge/a.md"]
    assert document.text == "ok�more"
    assert "byte 2" in (document.unreadable or "")


def test_misplaced_files_are_documents_that_the_linter_reports(store: FileStore, root: Path) -> None:
    (root / "memory/decisions/deep").mkdir()
    (root / "memory/decisions/deep/a.md").write_text("x")
    (root / "memory/notes.md").write_text("x")
    (root / "knowledge/picture.png").write_bytes(b"\x89PNG\xff")
    snapshot = store.load()
    for path in ("memory/decisions/deep/a.md", "memory/notes.md", "knowledge/picture.png"):
        assert "invalid-path" in {d.code for d in check(snapshot, path)}, path


def test_machinery_and_hidden_files_are_no_documents(store: FileStore, root: Path) -> None:
    (root / "memory/_archive/run/memory/decisions").mkdir(parents=True)
    (root / "memory/_archive/run/memory/decisions/a.md").write_text("x")
    (root / "knowledge/.a.md.swp").write_text("x")
    assert not store.load().documents


def test_a_folder_named_like_a_record_is_reported(store: FileStore, root: Path) -> None:
    (root / "knowledge/a.md").mkdir()
    assert "is a folder" in (store.load().documents["knowledge/a.md"].unreadable or "")


@posix
def test_links_are_followed_inside_the_root_only(store: FileStore, root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (root / "knowledge/inside.md").write_text("inside")
    (root / "knowledge/link.md").symlink_to(root / "knowledge/inside.md")
    (root / "knowledge/outside.md").symlink_to(tmp_path / "secret.md")
    (root / "knowledge/dangling.md").symlink_to(tmp_path / "nothing.md")
    documents = store.load().documents
    assert documents["knowledge/link.md"].text == "inside"
    assert documents["knowledge/outside.md"].text == ""
    assert "leaves the memory root" in (documents["knowledge/outside.md"].unreadable or "")
    assert "link to nothing" in (documents["knowledge/dangling.md"].unreadable or "")


@posix
def test_a_record_folder_that_leaves_the_root_is_refused_whole(store: FileStore, root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/a.md").write_text("secret")
    (root / "workflow").rmdir()
    (root / "workflow").symlink_to(tmp_path / "elsewhere")
    documents = store.load().documents
    assert "workflow/a.md" not in documents
    assert "leaves the memory root" in (documents["workflow"].unreadable or "")


@posix
def test_a_folder_that_cannot_be_listed_does_not_fail_the_others(store: FileStore, root: Path) -> None:
    """T45: a hiccup of one folder is said, and is no deletion of what is in it."""
    (root / "knowledge/a.md").write_text("x")
    (root / "memory/decisions").chmod(0)
    try:
        with unprivileged(root):
            documents = store.load().documents
    finally:
        (root / "memory/decisions").chmod(0o755)
    assert "knowledge/a.md" in documents
    assert "cannot be listed" in (documents["memory/decisions"].unreadable or "")


def test_a_file_in_the_place_of_a_folder_does_not_fail_the_others(store: FileStore, root: Path) -> None:
    """T45: a folder that cannot be listed is a problem of its own."""
    (root / "knowledge/a.md").write_text("x")
    (root / "memory/decisions").rmdir()
    (root / "memory/decisions").write_text("not a folder")
    documents = store.load().documents
    assert documents["knowledge/a.md"].text == "x"


def test_what_is_edited_on_disk_is_what_the_next_load_says(store: FileStore, root: Path) -> None:
    """R14: there is no second authority."""
    path = root / "knowledge/a.md"
    path.write_text("one")
    store.load()
    path.write_text("two")
    document = store.load().document(RecordRef(Kind.KNOWLEDGE, "a"))
    assert document is not None
    assert document.text == "two"
