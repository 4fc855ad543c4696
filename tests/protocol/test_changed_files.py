"""What a server makes of files that changed beside it: records, other files, and folders with all that is in them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memory_core.document import Document
from memory_core.store.scan import listing
from server.indexing import changed_files
from server.watcher import matters


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in {"knowledge/a.md": "A", "knowledge/old/b.md": "B", "knowledge/notes.txt": "N"}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def known(root: Path) -> dict[str, Document]:
    found = dict(listing(root).documents)
    assert set(found) == {"knowledge/a.md", "knowledge/old/b.md", "knowledge/notes.txt"}
    return found


def test_a_file_that_an_editor_writes_beside_a_record_and_renames_is_no_change(
    root: Path, known: dict[str, Document]
) -> None:
    """Vim's `4913` and `a.md~`, the `a.saving` of others: gone when one looks. All was read again for it."""
    (root / "knowledge/a.md").write_text("A, again", encoding="utf-8")
    found = changed_files(root, {"knowledge/a.md", "knowledge/4913", "knowledge/a.md~", "knowledge/a.saving"}, known)
    assert found is not None
    assert {path: document.text if document else None for path, document in found.items()} == {
        "knowledge/a.md": "A, again"
    }


def test_a_record_that_is_gone_is_told_of(root: Path, known: dict[str, Document]) -> None:
    (root / "knowledge/a.md").unlink()
    (root / "knowledge/notes.txt").unlink()
    paths = {"knowledge/a.md", "knowledge/notes.txt", "knowledge/never.md"}
    assert changed_files(root, paths, known) == {"knowledge/a.md": None, "knowledge/notes.txt": None}


def test_a_file_that_is_no_record_is_known_by_its_name_alone(root: Path, known: dict[str, Document]) -> None:
    """The linter says that it lies where records live."""
    (root / "knowledge/picture.png").write_bytes(b"\x89PNG\xff")
    assert changed_files(root, {"knowledge/picture.png"}, known) == {
        "knowledge/picture.png": Document("knowledge/picture.png", "")
    }
    found = dict(listing(root).documents)
    assert changed_files(root, {"knowledge/picture.png"}, known) == {
        "knowledge/picture.png": found["knowledge/picture.png"]
    }


def test_a_folder_that_came_or_went_takes_what_is_in_it_along(root: Path, known: dict[str, Document]) -> None:
    shutil.rmtree(root / "knowledge/old")
    assert changed_files(root, {"knowledge/old"}, known) is None
    (root / "knowledge/new").mkdir()
    assert changed_files(root, {"knowledge/new"}, known) is None


@pytest.mark.parametrize(
    "path", ["cache", "cache/index.sqlite3", "sessions", "sessions/a.jsonl", "memory/_staging", "memory/_usage/e.jsonl",
             "knowledge/.a.md.swp", ".gitignore", ".git/index", "knowledge/.old/a.md"],
)  # fmt: skip
def test_machinery_is_not_looked_at_when_it_changes_or_is_first_made(path: str) -> None:
    """The first index on disk made its folder, and everything was read a second time."""
    assert not matters(path)


@pytest.mark.parametrize("path", [".", "knowledge", "knowledge/a.md", "memory/summary.md", "config.toml", "cachet.md"])
def test_records_settings_and_the_root_are(path: str) -> None:
    assert matters(path)
