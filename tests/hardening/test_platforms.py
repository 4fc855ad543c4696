"""Paths and names of other systems, judged without them: drive letters, UNC, case, NFD, reserved names, long paths."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from memory_core.changes import ChangeSet
from memory_core.errors import StoreError
from memory_core.layout import Layout, is_memory_path, path_problem, record_at
from memory_core.records.slug import slug_problem
from memory_core.store.commit import conflicts
from memory_core.store.files import remove, write_whole

FOLDERS = ["my project", "プロジェクト", "café", unicodedata.normalize("NFD", "café"), "a'b", "a#b%20c", "x" * 120]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_workspace_may_have_any_name(tmp_path: Path, name: str) -> None:
    """T54"""
    layout = Layout(tmp_path / name / ".omoide")
    path = layout.absolute("knowledge/a.md")
    assert layout.relative(path) == "knowledge/a.md"
    assert layout.workspace.name == name


@pytest.mark.parametrize(
    "name", ["con", "nul", "aux", "com1", "lpt9", "CON", "a.", "a ", "a:b", "a\\b", "a/b", "..", "."]
)
def test_a_name_that_some_system_keeps_for_itself_is_no_slug_and_no_record(name: str) -> None:
    """T64: Windows cannot make these files, or makes one file of two names."""
    assert slug_problem(name) is not None
    assert path_problem(f"knowledge/{name}.md") is not None


@pytest.mark.parametrize(
    "path",
    [
        "C:/Windows/x.md", "C:knowledge/x.md", "//server/share/x.md", "\\\\server\\share\\x.md", "knowledge\\x.md",
        "knowledge/../../x.md", "knowledge//x.md", "./knowledge/x.md", "/knowledge/x.md", "knowledge/x.md:stream",
        "knowledge/x\0.md", "knowledge/", "", "memory/_staging/x.md", "memory/_archive/x.md", "config.toml",
        "../.git/hooks/post-checkout", ".gitignore", "prompts/extract.md", "sessions/x.jsonl",
    ],
)  # fmt: skip
def test_a_path_of_any_system_that_is_no_record_is_never_written(tmp_path: Path, path: str) -> None:
    (tmp_path / "memory").mkdir()
    with pytest.raises(StoreError):
        conflicts(tmp_path, ChangeSet().with_file(path, None, "x"), frozenset())


@pytest.mark.parametrize("path", ["Knowledge/a.md", "KNOWLEDGE/a.md", "knowledge/A.md", "knowledge/a.MD"])
def test_another_case_is_another_name_on_every_system(path: str) -> None:
    """A disk that does not tell cases apart must not make two records of one file."""
    assert record_at(path) is None


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_slug_has_one_spelling(form: str) -> None:
    stem = unicodedata.normalize(form, "café")
    assert path_problem(f"knowledge/{stem}.md") is not None


def test_the_longest_slug_fits_every_file_system() -> None:
    """255 bytes a name (ext4, NTFS, APFS), with room for the temporary file beside it."""
    longest = max((n for n in range(1, 300) if slug_problem("a" * n) is None), default=0)
    assert longest > 0
    assert len(f".{'a' * longest}.md.4194304-0123abcd.tmp") <= 255


@pytest.mark.parametrize("path", [PurePosixPath("knowledge/a.md"), PureWindowsPath("knowledge\\a.md")])
def test_paths_of_records_are_written_with_slashes(path: PurePosixPath | PureWindowsPath) -> None:
    assert is_memory_path(path.as_posix())


def _held_by_another(times: int, number: int, change: object) -> object:
    """A change of a name as Windows answers while another program has the file open: refused some times, then done."""
    left = [times]

    def refuse(*arguments: object, **options: object) -> None:
        if left[0]:
            left[0] -= 1
            error = PermissionError(13, "The process cannot access the file")
            error.winerror = number  # type: ignore[attr-defined]
            raise error
        assert callable(change)
        change(*arguments, **options)

    return refuse


@pytest.mark.parametrize("number", [5, 32, 33])
def test_a_file_that_another_program_has_open_on_windows_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """There a name cannot be taken from a file that an editor or a virus scanner reads; they are done in a moment."""
    path = tmp_path / "a.md"
    path.write_text("old")
    monkeypatch.setattr(os, "replace", _held_by_another(3, number, os.replace))
    write_whole(path, b"new")
    assert path.read_text() == "new"
    monkeypatch.setattr(os, "unlink", _held_by_another(2, number, os.unlink))
    remove(path)
    assert list(tmp_path.iterdir()) == []


def test_what_stays_open_on_windows_is_refused_and_the_old_text_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    monkeypatch.setattr(os, "replace", _held_by_another(99, 32, os.replace))
    with pytest.raises(PermissionError) as refused:
        write_whole(path, b"new")
    assert refused.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path], "the temporary file is gone"


def test_another_refusal_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    monkeypatch.setattr(os, "replace", _held_by_another(1, 19, os.replace))  # 19: the disk is write protected
    with pytest.raises(PermissionError):
        write_whole(path, b"new")
    assert path.read_text() == "old"
