"""Writing: each file is compared, archived, replaced whole and read back, or left alone and named."""

from __future__ import annotations

import errno
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.changes import ChangeSet
from memory_core.errors import StoreError, WorkspaceError
from memory_core.layout import Layout
from memory_core.store.archive import list_runs
from memory_core.store.filestore import FileStore

posix = pytest.mark.skipif(os.name == "nt", reason="symbolic links and modes as POSIX has them")
A = "memory/decisions/a.md"
B = "memory/decisions/b.md"


def one(path: str, before: str | None, after: str | None) -> ChangeSet:
    return ChangeSet().with_file(path, before, after)


def manifest(root: Path, run_id: str = "run") -> dict[str, Any]:
    data: dict[str, Any] = json.loads((root / f"memory/_archive/{run_id}/manifest.json").read_text(encoding="utf-8"))
    return data


def test_create_update_and_delete_are_written_and_read_back(store: FileStore, root: Path) -> None:
    (root / A).write_bytes(b"\xef\xbb\xbfold\r\n")
    (root / B).write_text("gone")
    changes = (
        one(A, "\ufeffold\r\n", "\ufeffnew\r\n").with_file(B, "gone", None).with_file("knowledge/c.md", None, "c\n")
    )
    result = store.commit(changes, run_id="run", reason="test")
    assert result.written == ("knowledge/c.md", A, B)
    assert (root / A).read_bytes() == b"\xef\xbb\xbfnew\r\n"
    assert not (root / B).exists()
    assert (root / "knowledge/c.md").read_bytes() == b"c\n"


def test_a_file_changed_meanwhile_is_a_conflict_and_both_versions_stay(store: FileStore, root: Path) -> None:
    """T39, T40: an edit during a long model call is kept, and its loss is an outcome of its own."""
    (root / A).write_text("edited by a person")
    result = store.commit(one(A, "old", "new").with_file(B, None, "b"), run_id="run", reason="test")
    assert result.conflicts == (A,)
    assert result.reasons[A] == "was changed meanwhile"
    assert result.written == (B,)
    assert (root / A).read_text() == "edited by a person"


def test_a_change_of_line_ends_alone_is_a_conflict(store: FileStore, root: Path) -> None:
    (root / A).write_bytes(b"old\r\n")
    assert store.commit(one(A, "old\n", "new\n"), run_id="run", reason="test").conflicts == (A,)


def test_create_never_overwrites(store: FileStore, root: Path) -> None:
    (root / A).write_text("someone was faster")
    result = store.commit(one(A, None, "mine"), run_id="run", reason="test")
    assert result.reasons == {A: "exists already"}
    assert (root / A).read_text() == "someone was faster"


def test_a_file_open_with_unsaved_edits_is_a_conflict(store: FileStore, root: Path) -> None:
    (root / A).write_text("old")
    result = store.commit(one(A, "old", "new"), run_id="run", reason="test", busy=frozenset({A}))
    assert "unsaved edits" in result.reasons[A]
    assert (root / A).read_text() == "old"


def test_an_unreadable_file_is_never_written_back(store: FileStore, root: Path) -> None:
    """T44: a read error aborts the write; the replacement text is not taken for the file."""
    (root / A).write_bytes(b"good\xffbytes")
    text = store.load().documents[A].text
    result = store.commit(one(A, text, "rewritten"), run_id="run", reason="test")
    assert result.conflicts == (A,)
    assert (root / A).read_bytes() == b"good\xffbytes"


def test_a_folder_in_the_place_of_a_file_is_a_conflict(store: FileStore, root: Path) -> None:
    (root / A).mkdir()
    result = store.commit(one(A, "", "x"), run_id="run", reason="test")
    assert "cannot be compared" in result.reasons[A]
    assert (root / A).is_dir()


@posix
def test_nothing_is_written_through_a_link(store: FileStore, root: Path, tmp_path: Path) -> None:
    """T58: writes stay under the store."""
    outside = tmp_path / "outside.md"
    outside.write_text("old")
    (root / A).symlink_to(outside)
    (root / "knowledge").rmdir()
    (tmp_path / "folder").mkdir()
    (root / "knowledge").symlink_to(tmp_path / "folder")
    changes = one(A, "old", "new").with_file("knowledge/k.md", None, "k")
    result = store.commit(changes, run_id="run", reason="test")
    assert result.written == ()
    assert "symbolic link" in result.reasons[A]
    assert outside.read_text() == "old"
    assert not list((tmp_path / "folder").iterdir())


@pytest.mark.parametrize(
    "path",
    [
        "../evil.md",
        "knowledge/../../evil.md",
        "/etc/evil.md",
        "config.toml",
        "sessions/a.jsonl",
        "memory/_staging/a.json",
        "knowledge/./a.md",
        "knowledge\\a.md",
        "knowledge/C:a.md",
        "knowledge/a\0.md",
    ],
)
def test_a_path_outside_the_record_folders_refuses_the_whole_commit(store: FileStore, root: Path, path: str) -> None:
    """T58"""
    before = sorted(root.rglob("*"))
    with pytest.raises(StoreError, match="no place for a record"):
        store.commit(one(path, None, "x").with_file(A, None, "a"), run_id="run", reason="test")
    assert sorted(root.rglob("*")) == before


def test_preimages_and_tombstones_are_in_the_archive(store: FileStore, root: Path) -> None:
    """T43: every removal leaves run id and reason."""
    (root / A).write_bytes(b"old\r\n")
    (root / B).write_text("gone")
    changes = one(A, "old\r\n", "new").with_file(B, "gone", None)
    store.commit(changes, run_id="run", reason="tidy", notes={B: "outdated: it was about v1"})
    assert (root / "memory/_archive/run" / A).read_bytes() == b"old\r\n"
    assert (root / "memory/_archive/run" / B).read_text() == "gone"
    files = {f["path"]: f for f in manifest(root)["files"]}
    assert files[B]["op"] == "delete"
    assert files[B]["after"] is None
    assert files[B]["reason"] == "outdated: it was about v1"
    assert files[A]["state"] == "written"
    assert files[A]["before"].startswith("sha256:")


@posix
def test_the_mode_of_a_file_is_kept(store: FileStore, root: Path) -> None:
    (root / A).write_text("old")
    (root / A).chmod(0o600)
    store.commit(one(A, "old", "new"), run_id="run", reason="test")
    assert (root / A).stat().st_mode & 0o777 == 0o600


def test_a_half_surrogate_is_refused_before_anything_is_written(store: FileStore, root: Path) -> None:
    """T15"""
    with pytest.raises(StoreError, match="surrogate"):
        store.commit(one(A, None, "x\ud800"), run_id="run", reason="test")
    assert not (root / A).exists()


def test_a_full_disk_is_one_clear_line_and_leaves_whole_files(
    store: FileStore, root: Path, dying_disk: Callable[..., Any]
) -> None:
    """Whatever write fails, each file is the old or the new one, whole; and by the next run all are, or none."""
    changes = one(A, "old a", "new a").with_file(B, "old b", "new b")
    for allowed in range(40):
        (root / A).write_text("old a")
        (root / B).write_text("old b")
        with dying_disk(allowed, lambda: OSError(errno.ENOSPC, "No space left on device")) as disk:
            try:
                result = store.commit(changes, run_id=f"run{allowed}", reason="test")
            except StoreError as error:
                assert "No space left" in str(error)  # noqa: PT017 - which call fails decides whether it raises
            else:
                assert result.written == (A, B)
                break
        assert (root / A).read_text() in ("old a", "new a")
        assert (root / B).read_text() in ("old b", "new b")
        with store.consolidation_lock([]):
            both = (root / A).read_text(), (root / B).read_text()
        assert both in (("old a", "old b"), ("new a", "new b"))
    assert len(disk.calls) == allowed > 10


def leads_to(path: Path, target: str, folders: dict[str, Any]) -> bool:
    """Whether a call that renames something gives it the name `path`; where it can, it names the folder by a handle."""
    folder = folders.get("dst_dir_fd")
    named = folder is None or os.path.samestat(os.fstat(folder), path.parent.stat())
    return named and Path(target) == (path if folder is None else Path(path.name))


def test_an_error_that_passes_is_rolled_back_at_once(
    store: FileStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / A).write_text("old a")
    real = os.replace

    def failing(source: Any, target: Any, **folders: Any) -> None:
        if leads_to(root / B, target, folders):
            raise OSError(errno.EIO, "Input/output error")
        real(source, target, **folders)

    (root / B).write_text("old b")
    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(StoreError, match="Input/output"):
        store.commit(one(A, "old a", "new a").with_file(B, "old b", "new b"), run_id="run", reason="test")
    assert (root / A).read_text() == "old a"
    assert not list((root / "memory/_archive/_pending").glob("*.json"))


def test_a_rolled_back_file_that_was_changed_since_is_left_alone(
    store: FileStore, root: Path, dying_disk: Callable[..., Any]
) -> None:
    (root / A).write_text("old a")
    for allowed in range(40):
        with dying_disk(allowed):
            store.commit(one(A, "old a", "new a").with_file(B, None, "b"), run_id="run", reason="test")
        if (root / A).read_text() == "new a":
            break
    (root / A).write_text("a person's")
    (pending,) = (root / "memory/_archive/_pending").glob("*.json")
    pending.write_text(json.dumps({"pid": 0x7FFFFFF0, "host": socket.gethostname()}))
    with store.consolidation_lock([]):
        pass
    assert (root / A).read_text() == "a person's"
    assert not (root / B).exists()
    assert store.archived("run") is not None


def test_success_is_only_said_of_bytes_seen_on_disk(
    store: FileStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T60: a rename that claims to work and does not is no success."""
    (root / A).write_text("old")
    real = os.replace

    def lying(source: Any, target: Any, **folders: Any) -> None:
        if not leads_to(root / A, target, folders):
            real(source, target, **folders)

    monkeypatch.setattr(os, "replace", lying)
    result = store.commit(one(A, "old", "new"), run_id="run", reason="test")
    assert result.written == ()
    assert "not on disk as it was written" in result.reasons[A]


def test_an_empty_change_set_leaves_no_trace(store: FileStore, root: Path) -> None:
    assert store.commit(ChangeSet(), run_id="run", reason="test").written == ()
    assert not (root / "memory/_archive").exists()


def test_a_root_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    store = FileStore(Layout(tmp_path / ".omoide"))
    with pytest.raises(WorkspaceError, match="omoide init"):
        store.commit(one(A, None, "x"), run_id="run", reason="test")
    assert not (tmp_path / ".omoide").exists()


@pytest.mark.parametrize("run_id", ["..", "a/b", "", "/abs"])
def test_a_run_id_cannot_leave_the_archive(store: FileStore, run_id: str) -> None:
    with pytest.raises(StoreError, match="run id"):
        store.commit(one(A, None, "x"), run_id=run_id, reason="test")


def test_runs_of_one_second_are_listed_by_their_ids(tmp_path: Path) -> None:
    for run_id in ("0197-b", "0197-c", "0197-a"):
        folder = tmp_path / run_id
        folder.mkdir()
        data = {"run_id": run_id, "started_at": "2026-01-01T00:00:00Z", "reason": "x", "files": []}
        (folder / "manifest.json").write_text(json.dumps(data), encoding="utf-8")
    assert [run.run_id for run in list_runs(tmp_path)] == ["0197-c", "0197-b", "0197-a"]
