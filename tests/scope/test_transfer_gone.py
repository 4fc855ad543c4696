"""What was archived or discarded does not come back where a store is brought in by export and import."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.store.session_store import SessionStore
from tests.cli.conftest import Run

KEPT, ARCHIVED, DISCARDED = (
    "Never commit directly to main, always go through a pull request.",
    "Let's use Postgres for the job queue, because we need several workers.",
    "From now on, write all log lines as JSON.",
)


@pytest.fixture
def moved(omoide: Run, workspace: Path, tmp_path: Path) -> Callable[..., Path]:
    """A store in which one of three things that were said is archived and one discarded; the call gives its export, and
    leaves a new store beside the same sessions, which are not known there."""
    sessions = SessionStore.of_workspace(workspace)
    session = sessions.create("my-agent", session_kind="code", cwd=str(workspace))
    for text in (KEPT, ARCHIVED, DISCARDED):
        sessions.append(session, "user_message", text=text)
    logs = {path: path.read_bytes() for path in (workspace / ".omoide/sessions").iterdir()}
    omoide("extract", "--all")
    staged = omoide("staging", "--json").json
    (number,) = [one["id"] for one in staged["candidates"] if "JSON" in json.dumps(one)]
    assert omoide("staging", "close", number, "--action", "discarded", "--reason", "not ours").code == 0
    assert omoide("consolidate").code == 0
    assert omoide("archive", "decision", "use-postgres-for-job-queue").code == 0

    def export(*flags: str) -> Path:
        path = tmp_path / "all.json"
        assert omoide("export", "--out", str(path), *flags).code == 0
        shutil.rmtree(workspace / ".omoide")
        assert omoide("init").code == 0
        for log, data in logs.items():
            log.parent.mkdir(exist_ok=True)
            log.write_bytes(data)
        return path

    return export


def records(omoide: Run) -> str:
    """All records once everything was extracted and consolidated again."""
    omoide("extract", "--all")
    omoide("consolidate")
    return json.dumps(omoide("export").json["records"])


def machinery(workspace: Path) -> dict[Path, bytes]:
    memory = workspace / ".omoide/memory"
    files = (*(memory / "_archive").rglob("*"), memory / "_resolutions.jsonl")
    return {path: path.read_bytes() for path in files if path.is_file()}


def test_neither_what_was_archived_nor_what_was_discarded_comes_back(omoide: Run, moved: Callable[..., Path]) -> None:
    done = omoide("import", str(moved("--all-scopes")), "--all-scopes")
    assert "does not come back here" in done.out
    said = records(omoide)
    assert "pull request" in said
    assert "Postgres" not in said
    assert "JSON" not in said


def test_a_person_has_it_back_by_undoing_the_removal_there(omoide: Run, moved: Callable[..., Path]) -> None:
    path = moved("--all-scopes")
    (record,) = json.loads(path.read_text("utf-8"))["gone"]["records"]
    omoide("import", str(path), "--all-scopes")
    assert omoide("undo", record["run_id"]).code == 0
    assert "Postgres" in records(omoide)


def test_it_goes_on_to_a_third_place_and_is_taken_over_once(
    omoide: Run, moved: Callable[..., Path], workspace: Path
) -> None:
    path = moved("--all-scopes")
    omoide("import", str(path), "--all-scopes")
    before = machinery(workspace)
    omoide("import", str(path), "--all-scopes")
    assert machinery(workspace) == before
    again = omoide("export", "--all-scopes").json
    assert again["gone"] == json.loads(path.read_text("utf-8"))["gone"]


def test_an_export_for_others_says_nothing_of_what_was_removed(omoide: Run, moved: Callable[..., Path]) -> None:
    path = moved()
    assert "gone" not in json.loads(path.read_text("utf-8"))
    assert "Postgres" not in path.read_text("utf-8")


def test_it_is_left_out_and_said_where_nobody_asks_for_all(omoide: Run, moved: Callable[..., Path]) -> None:
    path = moved("--all-scopes")
    assert "--all-scopes brings it in" in omoide("import", str(path)).err
    assert "Postgres" in records(omoide)


def test_an_export_of_an_older_version_is_brought_in_as_before(omoide: Run, moved: Callable[..., Path]) -> None:
    path = moved("--all-scopes")
    data = json.loads(path.read_text("utf-8"))
    del data["gone"]
    path.write_text(json.dumps(data), encoding="utf-8")
    assert omoide("import", str(path), "--all-scopes").code == 0
    assert "pull request" in records(omoide)


@pytest.mark.parametrize(
    "change",
    [
        {"run_id": "../../x"},
        {"run_id": "closed"},
        {"run_id": "_pending"},
        {"path": "../../etc/passwd"},
        {"path": "memory/_staging/a.md"},
        {"text": 3},
        {"at": "yesterday"},
        None,
    ],
)
def test_what_is_no_removed_record_is_left_out_and_said(
    omoide: Run, moved: Callable[..., Path], tmp_path: Path, change: dict[str, Any] | None
) -> None:
    path = moved("--all-scopes")
    data = json.loads(path.read_text("utf-8"))
    record = data["gone"]["records"][0]
    data["gone"] = {
        "records": [record | change if change else change],
        "candidates": {"../../x": "{}", "a": 3},
    }
    path.write_text(json.dumps(data), encoding="utf-8")
    done = omoide("import", str(path), "--all-scopes")
    assert done.code == 0
    assert "`gone/removed/0` is left out" in done.err
    assert "`gone/candidates/../../x` is left out" in done.err
    (run,) = (path.parent.name for path in tmp_path.rglob("*/_archive/*/manifest.json"))
    assert run in omoide("undo").out, "the import's own"


@pytest.mark.parametrize("gone", [[], {"records": 3, "candidates": 4}, "x"])
def test_damaged_data_about_what_was_removed_is_no_crash(omoide: Run, moved: Callable[..., Path], gone: object) -> None:
    path = moved("--all-scopes")
    data = json.loads(path.read_text("utf-8")) | {"gone": gone}
    path.write_text(json.dumps(data), encoding="utf-8")
    done = omoide("import", str(path), "--all-scopes")
    assert done.code in (0, 2)
    assert "Traceback" not in done.err
