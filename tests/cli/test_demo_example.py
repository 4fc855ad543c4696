"""`omoide demo --example`: a project with an agent's logs in it, to go from a log to a record by hand."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run


def test_the_example_goes_from_a_log_to_a_record_without_leaving_its_folder(omoide: Run, folder: Path) -> None:
    made = omoide("--json", "demo", "--example", "shop")
    assert made.code == 0
    assert made.json["workspace"] == str(folder / "shop")
    assert Path(made.json["readme"]).is_file()

    listed = omoide("--json", "--workspace", "shop", "sessions").json["sessions"]
    assert sorted(row["session_id"] for row in listed) == sorted(made.json["sessions"])
    assert {row["agent"] for row in listed} == {"claude-code"}

    runs = omoide("--json", "--workspace", "shop", "extract", "--all").json["runs"]
    assert [run["status"] for run in runs] == ["staged", "staged"]
    run = omoide("--json", "--workspace", "shop", "consolidate").json
    assert run["status"] == "committed"
    assert "knowledge" in {change["kind"] for change in run["changes"]}, "there is a name to complete"


def test_the_example_is_never_laid_over_what_is_there(omoide: Run, folder: Path) -> None:
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    refused = omoide("demo", "--example", ".")
    assert refused.code == 2
    assert "not empty" in refused.err
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_keeping_the_demo_and_laying_out_the_example_exclude_each_other(omoide: Run, folder: Path) -> None:
    assert omoide("demo", "--example", "a", "--keep", "b").code == 2
    assert list(folder.iterdir()) == []
