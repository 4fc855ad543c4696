"""Staging on disk: files load or say why not, candidates close with a reason, nothing vanishes without one."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.staging import Action, Decision, Request, Resolution, StagingFile, StagingSource
from memory_core.store.filestore import FileStore

ONE = "01970001-0000-7000-8000-000000000001"
TWO = "01970001-0000-7000-8000-000000000002"


def staged(staging_id: str, decisions: int = 1, requests: int = 0) -> StagingFile:
    return StagingFile(
        id=staging_id,
        source=StagingSource(session_id="s", range=(0, 9)),
        decisions=tuple(Decision(chosen=f"d{n}") for n in range(decisions)),
        requests=tuple(Request(intent="i", summary=f"r{n}") for n in range(requests)),
    )


def closing(candidate: str, action: Action = "discarded", run_id: str | None = "run") -> Resolution:
    return Resolution(
        candidate=candidate, action=action, reason="why", run_id=run_id, recorded_at="2026-06-01T09:00:00Z"
    )


def test_what_is_staged_loads_as_it_was(store: FileStore) -> None:
    file = staged(ONE, decisions=1, requests=2)
    store.stage(file)
    area = store.staging()
    assert area.files == (file,)
    assert area.open == {f"{ONE}/decisions/0", f"{ONE}/requests/0", f"{ONE}/requests/1"}
    assert area.bytes == len(file.to_json().encode())


def test_the_same_id_again_replaces_the_file(store: FileStore) -> None:
    store.stage(staged(ONE, decisions=2))
    store.stage(staged(ONE, decisions=1))
    assert len(store.staging().open) == 1


def test_files_come_in_the_order_of_time(store: FileStore) -> None:
    store.stage(staged(TWO))
    store.stage(staged(ONE))
    assert [file.id for file in store.staging().files] == [ONE, TWO]


def test_no_staging_folder_is_an_empty_area(store: FileStore) -> None:
    assert store.staging().files == ()


def test_an_unreadable_file_is_counted_with_its_reason_and_kept(store: FileStore) -> None:
    store.stage(staged(ONE))
    broken = {
        "bad.json": "{",
        "list.json": "[]",
        "missing.json": json.dumps({"decisions": []}),
        "%20.json": json.dumps({"source": {"session_id": "s", "range": [0, 1]}}),
    }
    for name, text in broken.items():
        (store.layout.staging / name).write_text(text)
    area = store.staging()
    assert {name for name, _ in area.invalid} == set(broken)
    assert "source" in dict(area.invalid)["missing.json"]
    assert [file.id for file in area.files] == [ONE]
    store.close([closing(f"{ONE}/decisions/0")])
    assert all((store.layout.staging / name).exists() for name in broken)


def test_an_older_file_loads(store: FileStore) -> None:
    """A10: no anchors, `segment_id`, no schema version, no id of its own."""
    store.layout.staging.mkdir(parents=True)
    data = {
        "source": {"segment_id": "old", "range": [3, 8]},
        "decisions": [{"options": [], "chosen": "c", "rationale": ""}],
    }
    (store.layout.staging / f"{ONE}.json").write_text(json.dumps(data))
    (ref,) = store.staging().files[0].candidates()
    assert ref.id == f"{ONE}/decisions/0"
    assert ref.source.session_id == "old"


def test_a_file_goes_when_its_last_candidate_is_closed_and_into_the_archive(store: FileStore) -> None:
    """B9"""
    store.stage(staged(ONE, decisions=2))
    store.close([closing(f"{ONE}/decisions/0")])
    assert store.staging().open == {f"{ONE}/decisions/1"}
    store.close([closing(f"{ONE}/decisions/1")])
    assert store.staging().files == ()
    assert not (store.layout.staging / f"{ONE}.json").exists()
    assert (store.layout.archive / "run/memory/_staging" / f"{ONE}.json").exists()


def test_kept_closes_nothing(store: FileStore) -> None:
    store.stage(staged(ONE))
    store.close([closing(f"{ONE}/decisions/0", "kept")])
    assert store.staging().open == {f"{ONE}/decisions/0"}
    assert [r.action for r in store.resolutions()] == ["kept"]


def test_a_file_that_arrived_meanwhile_is_not_touched(store: FileStore) -> None:
    store.stage(staged(ONE))
    store.stage(staged(TWO))
    store.close([closing(f"{ONE}/decisions/0")])
    assert [file.id for file in store.staging().files] == [TWO]


def test_how_a_candidate_was_closed_is_one_line_each(store: FileStore) -> None:
    store.stage(staged(ONE, decisions=2))
    store.close([closing(f"{ONE}/decisions/0"), closing(f"{ONE}/decisions/1", "duplicate")])
    lines = [json.loads(line) for line in store.layout.resolutions.read_text(encoding="utf-8").splitlines()]
    assert [(line["candidate"], line["action"]) for line in lines] == [
        (f"{ONE}/decisions/0", "discarded"),
        (f"{ONE}/decisions/1", "duplicate"),
    ]


def test_a_torn_resolution_leaves_its_candidate_open(store: FileStore, caplog: pytest.LogCaptureFixture) -> None:
    store.stage(staged(ONE, decisions=2))
    line = closing(f"{ONE}/decisions/0").model_dump_json()
    store.layout.resolutions.write_text(line[:40], encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        assert len(store.staging().open) == 2
    assert "line 1" in caplog.text
    store.close([closing(f"{ONE}/decisions/1")])
    assert store.staging().open == {f"{ONE}/decisions/0"}


def test_dying_anywhere_in_close_loses_no_candidate(
    store: FileStore, root: Path, dying_disk: Callable[..., Any]
) -> None:
    """At every step a candidate is open, or its resolution is on disk; afterwards closing again ends it."""
    ids = [f"{ONE}/decisions/0", f"{ONE}/decisions/1"]
    for allowed in range(20):
        for path in root.rglob("*.json*"):
            path.unlink()
        store.stage(staged(ONE, decisions=2))
        with dying_disk(allowed) as disk:
            store.close([closing(candidate) for candidate in ids])
        closed = {resolution.candidate for resolution in store.resolutions()}
        assert set(ids) <= closed | store.staging().open
        store.close([closing(candidate) for candidate in store.staging().open])
        assert not (store.layout.staging / f"{ONE}.json").exists()
        if not disk.died:
            break
    assert len(disk.calls) == allowed > 3
