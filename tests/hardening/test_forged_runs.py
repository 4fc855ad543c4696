"""Files of local machinery that came with a cloned repository: they name no place that is not a record's."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.staging import DeadLetter, HeldRun, StagingSource
from memory_core.store import legacy_files, lock, process
from memory_core.store.discovery import create_root
from memory_core.store.files import refuse_outside, write_new
from memory_core.store.filestore import FileStore
from memory_core.store.recovery import roll_back

NOW = datetime(2026, 1, 31, 9, tzinfo=UTC)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    (tmp_path / "ws").mkdir()
    layout, _ = create_root(tmp_path / "ws")
    return layout


def forge(layout: Layout, entry: dict[str, object], **marker: object) -> None:
    """A run that seems to have died half-way, with a marker of a process that is gone."""
    dead = {**process.identity(), "pid": 4_000_000, **marker}
    for path, value in (("_pending/rr.json", dead), ("rr/manifest.json", {"files": [entry]})):
        file = layout.archive / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({k: v for k, v in value.items() if v is not None}), encoding="utf-8")


def hashed(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("spelling", ["absolute", "../../victim.txt", "knowledge/../../../victim.txt"])
def test_a_forged_unfinished_run_deletes_nothing_outside(layout: Layout, spelling: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim.txt"
    victim.write_text("v")
    path = str(victim) if spelling == "absolute" else spelling
    forge(layout, {"op": "create", "path": path, "before": None, "after": hashed("v"), "state": "planned"})
    assert roll_back(layout) == []
    assert victim.read_text() == "v"


def test_a_forged_unfinished_run_writes_nothing_outside(layout: Layout, tmp_path: Path) -> None:
    path = "../../pwned.txt"
    entry = {"op": "delete", "path": path, "before": hashed("evil"), "after": None, "state": "planned"}
    forge(layout, entry)
    preimage = layout.archive / "rr" / path
    preimage.parent.mkdir(parents=True, exist_ok=True)
    preimage.write_text("evil")
    with FileStore(layout, lambda: NOW).consolidation_lock(()):
        pass
    assert not (layout.root / path).exists()


def test_a_marker_that_names_no_process_of_a_host_is_left_alone(layout: Layout) -> None:
    record = layout.root / "knowledge/a.md"
    record.write_text("v")
    forge(
        layout,
        {"op": "create", "path": "knowledge/a.md", "before": None, "after": hashed("v"), "state": "planned"},
        host=None,
    )
    assert roll_back(layout) == []
    assert record.exists()


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../x.md", "knowledge\\x.md", "config.toml", "", 5, ["x"], "knowledge/./x.md"]
)
def test_a_path_that_is_no_records_is_refused(path: object) -> None:
    with pytest.raises(StoreError, match="no place for a record"):
        refuse_outside(path)  # type: ignore[arg-type]


def test_a_held_run_goes_by_the_name_of_its_file(layout: Layout) -> None:
    folder = layout.staging / "_held"
    folder.mkdir(parents=True)
    data = {"run_id": "../../other", "created_at": "2026-01-01T00:00:00Z", "reason": "r", "changes": []}
    (folder / "h5.json").write_text(json.dumps(data))
    store = FileStore(layout, lambda: NOW)
    assert [run.run_id for run in store.held()] == ["h5"]
    store.drop_held("h5")
    assert store.held() == []


@pytest.mark.parametrize(
    "change",
    [
        {"created": {"../../victim.txt": hashlib.sha256(b"v").hexdigest()}},
        {"created": {"/etc/hostname": "x"}},
        {"created": 5},
        {"counts": 5},
        {"state": "odd"},
        {"sources": [[".omoide/memory/_legacy/x.md", hashlib.sha256(b"v").hexdigest(), "../../victim.txt"]]},
        {"sources": [["../victim.txt", hashlib.sha256(b"v").hexdigest(), "memory/_legacy/_applied/ab1/x"]]},
        {"run": "../../../../escaped"},
    ],
)
def test_a_forged_receipt_of_legacy_rows_touches_nothing(layout: Layout, change: dict[str, object]) -> None:
    victim = layout.workspace.parent / "victim.txt"
    victim.write_text("v")
    receipt = {
        "schema": 1, "run": "ab1", "plan_hash": "p", "state": "done", "counts": {}, "created": {}, "sources": [],
        "expired": [], "ids": [],
    }  # fmt: skip
    layout.receipts.mkdir(parents=True, exist_ok=True)
    (layout.receipts / "legacy-ab1.json").write_text(json.dumps({**receipt, **change}))
    before = {path for path in layout.workspace.parent.rglob("*") if path.is_file()}
    with pytest.raises(StoreError, match=r"receipt|damaged"):
        legacy_files.roll_back(layout, "ab1")
    assert victim.read_text() == "v"
    assert {path for path in layout.workspace.parent.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"run_id": 5, "started_at": 5, "reason": [], "files": []}', "", "null"]
)
def test_a_damaged_manifest_hides_no_other_run(layout: Layout, text: str) -> None:
    for name, data in (
        ("r1", text),
        ("r2", json.dumps({"run_id": "r2", "started_at": "2026", "reason": "x", "files": []})),
    ):
        (layout.archive / name).mkdir(parents=True)
        (layout.archive / name / "manifest.json").write_text(data)
    assert "r2" in [run.run_id for run in FileStore(layout, lambda: NOW).runs()]


def test_a_damaged_lock_names_nobody(layout: Layout) -> None:
    layout.lock.parent.mkdir(parents=True, exist_ok=True)
    layout.lock.write_text("[" * 100_000)
    assert lock.holder(layout.lock) == {}


@pytest.mark.parametrize("folder", ["_held", "_dead"])
def test_nothing_is_written_through_a_link_below_the_staging_folder(
    layout: Layout, folder: str, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    layout.staging.mkdir(parents=True, exist_ok=True)
    (layout.staging / folder).symlink_to(outside)
    store = FileStore(layout, lambda: NOW)
    about = {"created_at": "2026-01-01T00:00:00Z", "reason": "r"}
    held = HeldRun(run_id="h", changes=(), **about)
    dead = DeadLetter(id="l", run_id="r", source=StagingSource(session_id="s", range=(0, 1)), **about)
    with pytest.raises(StoreError, match="leaves the memory root"):
        _ = store.hold(held) if folder == "_held" else store.bury(dead)  # type: ignore[func-returns-value]
    assert not list(outside.iterdir())


def test_a_file_for_a_person_is_not_written_through_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    with pytest.raises(StoreError, match="exists already"):
        write_new(link, b"x")
    assert not target.exists()


def test_a_dead_letter_and_an_offer_go_by_the_names_of_their_files(layout: Layout) -> None:
    source = {"session_id": "s", "range": [0, 1]}
    letter = {"id": "other", "run_id": "r", "created_at": "2026", "source": source, "reason": "r"}
    offer = {"slug": "other", "text": "t", "reason": "r", "run_id": "r", "offered_at": "2026"}
    for folder, data in (("_dead", letter), ("_offers", offer)):
        (layout.staging / folder).mkdir(parents=True)
        (layout.staging / folder / "mine.json").write_text(json.dumps(data))
    (layout.staging / "_offers/No Slug.json").write_text(json.dumps(offer))
    store = FileStore(layout, lambda: NOW)
    assert [letter.id for letter in store.dead_letters()] == ["mine"]
    assert [offer.slug for offer in store.offers()] == ["mine"]
    store.unbury(["mine"])
    assert store.dead_letters() == []
