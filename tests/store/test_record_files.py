"""Documents read by name, and the ones that may be resident: the same answers as from reading everything."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memory_core.layout import Layout
from memory_core.lint.resident import resident_set
from memory_core.records.schema import Kind
from memory_core.snapshot import Snapshot
from memory_core.store import record_files, resident_state
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.store.record_files import RecordFiles, resident_files
from tests.using.test_expansion import knowledge, workflow
from tests.using.test_resident import summary


@pytest.fixture
def layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    for module in (record_files, resident_state):  # these files are new: nothing of them would be kept yet
        monkeypatch.setattr(module, "_SETTLED_NS", 0)
    layout, _ = create_root(tmp_path)
    for path, text in {
        "knowledge/a.md": knowledge(model_invokation="true"),
        "knowledge/b.md": knowledge(),
        "knowledge/notes.txt": "no record",
        "knowledge/Bad Name.md": knowledge(),
        "workflow/go.md": workflow(model_invocation="yes"),
        "memory/decisions/d.md": "---\nstatus: open\n---\n\nx\n",
        "memory/summary.md": summary(),
    }.items():
        (layout.root / path).write_text(text, encoding="utf-8")
    return layout


def test_a_document_is_found_by_its_path_and_nothing_else_is(layout: Layout) -> None:
    documents = RecordFiles(layout)
    assert documents["knowledge/a.md"].text == knowledge(model_invokation="true")
    assert "knowledge/a.md" in documents
    for path in (
        "knowledge/none.md",
        "knowledge/Bad Name.md",
        "knowledge/../config.toml",
        "../outside.md",
        "config.toml",
    ):
        assert path not in documents
        with pytest.raises(KeyError):
            documents[path]


def test_the_slugs_are_those_of_a_full_reading(layout: Layout) -> None:
    quick, whole = Snapshot(RecordFiles(layout)), FileStore(layout).load()
    for kind in Kind:
        assert quick.index.names[kind] == whole.index.names[kind]
        assert quick.index.near[kind].alike("aa") == whole.index.near[kind].alike("aa")


def test_what_is_resident_is_what_a_full_reading_finds(layout: Layout) -> None:
    whole = resident_set(FileStore(layout).load(), 5_000)
    for _ in range(2):  # from the files, then from what was remembered
        assert resident_set(Snapshot(resident_files(layout)), 5_000) == whole


def test_only_files_that_changed_are_read_again(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    resident_files(layout)
    read: list[str] = []
    original = record_files.Files.read

    def reading(self: record_files.Files, path: str) -> tuple[str, str | None]:
        read.append(path)
        return original(self, path)

    monkeypatch.setattr(record_files.Files, "read", reading)
    resident_files(layout)
    assert sorted(read) == ["knowledge/a.md", "memory/summary.md", "workflow/go.md"]  # those that ask
    read.clear()
    (layout.root / "knowledge/b.md").write_text(knowledge(model_invokation="true"), encoding="utf-8")
    assert "knowledge/b.md" in resident_files(layout)
    assert "knowledge/b.md" in read
    assert "knowledge/Bad Name.md" not in read


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"version": 1}', b'{"version": 9, "stamps": {}, "asks": []}'])
def test_what_was_remembered_may_be_damaged(layout: Layout, damage: bytes) -> None:
    before = sorted(resident_files(layout))
    (layout.cache / "resident.json").write_bytes(damage)
    assert sorted(resident_files(layout)) == before
    assert json.loads((layout.cache / "resident.json").read_bytes())["version"] == 1


def test_the_state_changes_with_every_change_that_matters(layout: Layout) -> None:
    def state() -> str:
        return resident_state.resident_state(layout)

    seen = [state()]
    assert state() == seen[0] != ""
    (layout.root / "knowledge/b.md").write_text(knowledge("Other words."), encoding="utf-8")
    seen.append(state())
    (layout.root / "knowledge/new.md").write_text(knowledge(), encoding="utf-8")
    seen.append(state())
    (layout.root / "knowledge/new.md").rename(layout.root / "knowledge/newer.md")
    seen.append(state())
    (layout.root / "knowledge/newer.md").unlink()
    seen.append(state())
    (layout.root / "memory/summary.md").write_text(summary("Other."), encoding="utf-8")
    seen.append(state())
    os.truncate(layout.root / "knowledge/a.md", 10)
    seen.append(state())
    assert len(set(seen)) == len(seen)


def test_a_file_that_changed_just_now_gives_no_state(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resident_state, "_SETTLED_NS", 60_000_000_000)
    assert resident_state.resident_state(layout) == ""
