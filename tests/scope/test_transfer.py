"""Export and import: lossless, byte for byte, and a change set where there is something already."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.enrich.doubles import decision, knowledge


def tree(workspace: Path) -> dict[str, str]:
    root = workspace / ".omoide"
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in ("knowledge", "workflow", "memory/decisions", "memory/requests", "memory/_usage")
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def records(workspace: Path) -> Path:
    root = workspace / ".omoide"
    (root / "knowledge/a.md").write_bytes(knowledge("one\r\ntwo ```x```").encode())
    (root / "knowledge/b.md").write_bytes(("\ufeff" + knowledge("日本語", scope="{agent: codex}")).encode())
    (root / "knowledge/odd.md").write_bytes(b"no frontmatter, no newline")
    (root / "memory/decisions/c.md").write_text(decision("By pipeline."), encoding="utf-8")
    (root / "memory/_usage").mkdir(exist_ok=True)
    (root / "memory/_usage/events.jsonl").write_text('{"id": "1"}\n')
    return workspace


def test_a_round_trip_is_byte_identical(omoide: Run, records: Path, tmp_path: Path) -> None:
    before = tree(records)
    assert omoide("export", "--all-scopes", "--out", str(tmp_path / "all.json")).code == 0
    for path in before:
        (records / ".omoide" / path).unlink()
    assert omoide("import", str(tmp_path / "all.json"), "--all-scopes").code == 0
    assert tree(records) == before
    done = omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--json").json
    assert (done["changes"], len(done["same"])) == ([], 4)


def test_an_import_can_be_undone(omoide: Run, records: Path, tmp_path: Path) -> None:
    omoide("export", "--all-scopes", "--out", str(tmp_path / "all.json"))
    (records / ".omoide/knowledge/a.md").unlink()
    run = omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--json").json["run_id"]
    assert (records / ".omoide/knowledge/a.md").exists()
    assert omoide("undo", run).code == 0
    assert not (records / ".omoide/knowledge/a.md").exists()


def test_what_is_there_with_other_text_is_a_conflict_and_nothing_is_written(
    omoide: Run, records: Path, tmp_path: Path
) -> None:
    omoide("export", "--all-scopes", "--out", str(tmp_path / "all.json"))
    path = records / ".omoide/knowledge/a.md"
    path.write_text(knowledge("edited since"))
    (records / ".omoide/memory/decisions/c.md").unlink()
    before = tree(records)
    done = omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--json")
    assert done.code == 1
    assert done.json["conflicts"] == [{"path": "knowledge/a.md", "reason": "is there with other text"}]
    assert tree(records) == before
    assert omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--replace", "knowledge/a.md").code == 0
    assert "one" in path.read_text()


def test_a_dry_run_writes_nothing(omoide: Run, records: Path, tmp_path: Path) -> None:
    omoide("export", "--all-scopes", "--out", str(tmp_path / "all.json"))
    (records / ".omoide/knowledge/a.md").unlink()
    before = tree(records)
    assert "+one" in omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--dry-run").out
    assert tree(records) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["records"][0].update(text="changed"), "its hash differs"),
        (lambda d: d["records"][0].update(path="../../etc/passwd"), "no place for a record"),
        (lambda d: d["records"][0].update(path="memory/_staging/a.md"), "no place for a record"),
        (lambda d: d["records"].append(d["records"][0]), "a record twice"),
        (lambda d: d.update(version=2), "of version 1"),
        (lambda d: d.update(records={}), "are no list"),
        (lambda d: d["records"].append(3), "no path or no text"),
    ],
)
def test_a_file_that_is_no_export_changes_nothing(
    omoide: Run, records: Path, tmp_path: Path, change: object, said: str
) -> None:
    path = tmp_path / "all.json"
    omoide("export", "--all-scopes", "--out", str(path))
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)  # type: ignore[operator]
    path.write_text(json.dumps(data), encoding="utf-8")
    before = tree(records)
    done = omoide("import", str(path), "--all-scopes")
    assert done.code == 2
    assert said in done.err
    assert tree(records) == before


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[]", b"[" * 100_000])
def test_damaged_bytes_are_one_line(omoide: Run, records: Path, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "all.json"
    path.write_bytes(data)
    done = omoide("import", str(path))
    assert (done.code, len(done.err.splitlines())) == (2, 1)


def test_markdown_is_for_people_and_keeps_fences_inside(omoide: Run, records: Path) -> None:
    out = omoide("export", "--markdown").out
    assert "## knowledge/a.md\n\n````markdown\n---\n" in out
    assert "knowledge/b.md" not in out, "scoped to somebody else"


def test_a_file_is_never_replaced(omoide: Run, records: Path, tmp_path: Path) -> None:
    (tmp_path / "all.json").write_text("mine")
    assert omoide("export", "--out", str(tmp_path / "all.json")).code == 2
    assert (tmp_path / "all.json").read_text() == "mine"
