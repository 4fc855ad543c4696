"""Stores that earlier versions wrote open, lint and work; each test works on a copy (`tests/data/stores`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.hardening.stores import earlier

STAGED = {"c611e48": 2, "eb2451b": 3, "f3c53ad": 2, "07b5047": 1, "d8b4e7c": 1, "yoi": 2}
HELD_WITH = {"f3c53ad": 2, "07b5047": 1}  # candidates that wait with the run that a version held
RUN = "01a22b78-412e-750e-b049-816cb287484a"
RENAME, ARCHIVE, CONSOLIDATE = (  # runs of the second landed version, newest first
    "01a22bda-c2f5-7329-9537-ebd60545a139",
    "01a22bda-c1d7-789c-bdaf-402a54ebf78d",
    "01a22bda-b618-72d0-94ca-9f6c4954e42e",
)

HELD = "01a22cbf-ae76-7c83-8b86-9dd395b276a0"  # of the third landed version, and its runs, newest first
THIRD_ARCHIVE, THIRD_PROMOTE, THIRD_RENAME = (
    "01a22cbf-4de7-7055-97b0-091455082dea",
    "01a22cbf-46d4-7da3-aa6b-34c06cc6cd08",
    "01a22cbf-3ef5-7fea-a25d-fe16dcf84d33",
)

FOURTH_HELD = "01a22d47-31ef-7f85-9172-9010a540b24f"
FOURTH_UNDO, FOURTH_SECOND_ARCHIVE, FOURTH_ARCHIVE, FOURTH_RENAME, FOURTH_CONSOLIDATE = (  # newest first
    "01a22d47-1387-7a98-b7af-2ac641b926bd",
    "01a22d46-f983-743f-b93d-c99447a663a9",
    "01a22d46-f80c-7a4b-8fd1-26ed9d75e9cb",
    "01a22d46-f42f-7325-a18e-cb66b5693066",
    "01a22d46-cabf-75eb-b78d-25f7917dec97",
)


FIFTH_RENAME, FIFTH_ARCHIVE = "01a22e70-b9af-7352-8498-4f564f3b2c57", "01a22e70-b826-73cb-a8bb-9012f0413f9e"


def opened(folder: Path, version: str) -> Path:
    root = folder / (".yoi" if version == "yoi" else ".omoide")
    shutil.copytree(earlier(version), root)
    for name in ("memory/decisions", "memory/requests", "knowledge", "workflow"):  # git keeps no empty folders
        (root / name).mkdir(parents=True, exist_ok=True)
    return root


@pytest.mark.parametrize("version", STAGED)
def test_it_is_read_searched_reported_and_consolidated(omoide: Run, folder: Path, version: str) -> None:
    """T53: files outlive the program that wrote them."""
    root = opened(folder, version)
    records = sorted(
        path for path in root.rglob("*.md") if "_archive" not in path.parts and "prompts" not in path.parts
    )
    status = omoide("status", "--json").json
    assert status["staging"]["candidates"] == STAGED[version]
    assert status["staging"]["invalid"] == []
    decisions = sorted((root / "memory/decisions").glob("*.md"))
    read = omoide("read", "decision", decisions[0].stem)
    assert (read.code, read.out) == (0, decisions[0].read_text(encoding="utf-8"))
    assert omoide("search", "export").out
    report = omoide("usage", "report", "--json").json
    assert report["skipped_lines"] == 0
    assert any(row["slug"] == "never-log-request-bodies" for row in report["records"])
    assert omoide("consolidate").code == 0
    assert omoide("status", "--json").json["staging"]["candidates"] == HELD_WITH.get(version, 0)
    assert all(path.exists() for path in records), "no record of the earlier version is lost"


@pytest.mark.parametrize("version", ["c611e48", "eb2451b", "f3c53ad", "07b5047", "d8b4e7c"])
def test_a_landed_version_lints_as_it_did(omoide: Run, folder: Path, version: str) -> None:
    """The demo leaves one mistake on purpose; everything else those versions wrote is fine today."""
    opened(folder, version)
    found = omoide("lint", "--json").json
    errors = [d["code"] for file in found["files"] for d in file["diagnostics"] if d["severity"] == "error"]
    assert errors == ["unknown-reference"]


def titles(root: Path) -> set[str]:
    """What the decisions are called; how a file is named for it may differ between versions."""
    texts = (path.read_text(encoding="utf-8") for path in (root / "memory/decisions").glob("*.md"))
    return {line for text in texts for line in text.splitlines() if line.startswith("# ")}


def test_a_run_of_the_first_version_is_undone(omoide: Run, folder: Path) -> None:
    root = opened(folder, "c611e48")
    made = titles(root)
    assert made
    undone = omoide("undo", RUN)
    # What a record of today refers to stays, and is named: undoing never breaks a reference.
    assert (undone.code, undone.err.count("left alone")) == (1, 1)
    assert (root / "knowledge/never-log-request-bodies.md").exists()
    assert not list((root / "memory/decisions").glob("*.md"))
    assert omoide("status", "--json").json["staging"]["files"] == 3
    assert omoide("consolidate").code == 0
    assert titles(root) >= made


def test_the_runs_of_the_second_version_are_undone_newest_first(omoide: Run, folder: Path) -> None:
    root = opened(folder, "eb2451b")
    assert omoide("undo", RENAME).code == 0
    assert (root / "memory/decisions/how-finished-export-reach-user-signed.md").exists()
    assert not (root / "memory/decisions/signed-export-links.md").exists()
    assert omoide("undo", ARCHIVE).code == 0
    assert (root / "memory/requests/request-2026-03-10-6aeeef.md").exists()
    undone = omoide("undo", CONSOLIDATE)
    assert (undone.code, undone.err.count("left alone")) == (1, 1), "the demo's own edit refers to one record"
    assert omoide("status", "--json").json["staging"]["files"] == 4


def test_a_run_that_the_third_version_held_is_written_and_undone(omoide: Run, folder: Path) -> None:
    root = opened(folder, "f3c53ad")
    assert omoide("consolidate", "--accept", HELD).code == 0
    made = [root / "memory/decisions/use-zstd-for-archives.md"]
    made += [root / "knowledge/never-keep-export-longer-than-seven-days.md"]
    assert all(path.exists() for path in made)
    assert omoide("status", "--json").json["staging"]["candidates"] == 0
    newest = omoide("undo", "--json").json["runs"][0]["run_id"]
    assert omoide("undo", newest).code == 0
    assert not any(path.exists() for path in made)
    assert omoide("status", "--json").json["staging"]["candidates"] == 2


def test_the_runs_of_the_third_version_are_undone_newest_first(omoide: Run, folder: Path) -> None:
    root = opened(folder, "f3c53ad")
    assert omoide("undo", THIRD_ARCHIVE).code == 0
    assert (root / "memory/requests/delete-export-file.md").exists()
    assert omoide("undo", THIRD_PROMOTE).code == 0
    assert not (root / "knowledge/use-sqlite-in-wal-mode.md").exists()
    assert omoide("undo", THIRD_RENAME).code == 0
    assert (root / "memory/decisions/signed-link-by-mail.md").exists()


def test_what_the_fourth_version_held_and_closed_stays_so(omoide: Run, folder: Path) -> None:
    root = opened(folder, "07b5047")
    assert omoide("consolidate", "--accept", FOURTH_HELD).code == 0
    friday = next((root / "knowledge").glob("*friday*.md"))
    assert omoide("status", "--json").json["staging"]["candidates"] == 0
    assert omoide("consolidate").code == 0
    assert friday.exists()
    assert not any("8093" in path.read_text(encoding="utf-8") for path in root.rglob("*.md"))


def test_a_session_that_the_fourth_version_extracted_twice_is_read_on(omoide: Run, folder: Path) -> None:
    opened(folder, "07b5047")
    log = earlier("07b5047").with_name("grown.jsonl")
    (run,) = omoide("extract", "--log", str(log), "--json").json["runs"]
    assert (run["status"], run["range"]) == ("staged", [8, 8])


def test_the_runs_of_the_fourth_version_are_undone_newest_first(omoide: Run, folder: Path) -> None:
    root = opened(folder, "07b5047")
    webhooks = root / "memory/requests/webhook-deliveries-to-billing-system-have-failed.md"
    assert webhooks.exists()
    assert omoide("undo", FOURTH_UNDO).code == 0
    assert not webhooks.exists(), "the undoing itself is undone"
    assert omoide("undo", FOURTH_SECOND_ARCHIVE).code == 0
    assert webhooks.exists()
    assert omoide("undo", FOURTH_ARCHIVE).code == 0
    assert (root / "memory/requests/delete-export-file.md").exists()
    assert omoide("undo", FOURTH_RENAME).code == 0
    assert (root / "memory/decisions/signed-link-by-mail.md").exists()
    assert omoide("undo", FOURTH_CONSOLIDATE).code == 0
    assert not (root / "memory/decisions/compress-finished-archives-with-zstd.md").exists()


def test_legacy_rows_that_the_second_version_applied_are_taken_back(omoide: Run, folder: Path) -> None:
    root = opened(folder, "eb2451b")
    assert "08e590185d4b6ca7" in omoide("legacy", "list").out
    assert omoide("legacy", "rollback", "--receipt", "08e590185d4b6ca7").code == 0
    assert (root / "memory/_legacy/old-chat.jsonl").read_text(encoding="utf-8").count("\n") == 2
    assert omoide("status", "--json").json["staging"]["candidates"] == 2


def test_the_older_layout_stays_where_it_is(omoide: Run, folder: Path) -> None:
    opened(folder, "yoi")
    assert omoide("init").code == 0
    assert omoide("new", "knowledge", "fresh", "--description", "Fresh.").code == 0
    assert (folder / ".yoi/knowledge/fresh.md").exists()
    assert not (folder / ".omoide").exists()


def test_what_the_fifth_version_archived_does_not_come_back_from_a_fork(omoide: Run, folder: Path) -> None:
    """It kept the beginning of a message as the quote of an anchor; today it is the sentence that was decided."""
    root = opened(folder, "d8b4e7c")
    (run,) = omoide("extract", "--log", str(earlier("d8b4e7c").with_name("fork.jsonl")), "--json").json["runs"]
    assert (run["status"], run["counts"]["decisions"]) == ("staged", 2)
    assert omoide("consolidate").code == 0
    assert omoide("staging", "--json").json["candidates"] == []
    assert not list((root / "memory/decisions").glob("*parquet*.md"))
    assert len(list((root / "knowledge").glob("*object-store*.md"))) == 1


def test_the_runs_of_the_fifth_version_are_undone_newest_first(omoide: Run, folder: Path) -> None:
    root = opened(folder, "d8b4e7c")
    assert omoide("undo", FIFTH_RENAME).code == 0
    assert (root / "knowledge/write-exports-to-object-store.md").exists()
    assert omoide("undo", FIFTH_ARCHIVE).code == 0
    assert (root / "memory/decisions/use-parquet-for-raw-clicks.md").exists()


def test_an_export_of_the_fifth_version_is_brought_in(omoide: Run, folder: Path) -> None:
    assert omoide("init").code == 0
    brought = omoide("import", str(earlier("d8b4e7c").with_name("export.json")), "--all-scopes")
    assert brought.code == 0, brought.err
    assert (folder / ".omoide/knowledge/exports-in-object-store.md").exists()
    assert omoide("status", "--json").json["staging"]["invalid"] == []
