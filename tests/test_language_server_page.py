"""docs/language-server.md says what is served and which test shows it; this keeps it from rotting."""

from __future__ import annotations

import re
from pathlib import Path

from server.app import COMMANDS, FEATURES

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/language-server.md").read_text(encoding="utf-8")
SETUPS = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
ROWS = 50


def existing_tests() -> set[str]:
    """All tests of the project but those of session logs, which number other bugs."""
    files = (file for file in (ROOT / "tests").rglob("test_*.py") if "sessions" not in file.parts)
    return {name for file in files for name in re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8"))}


def first_cells(section: str) -> set[str]:
    """What stands in backticks in the first column of the table of a section."""
    block = PAGE.split(f"## {section}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| (`[^|]*) \|", block, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def test_every_method_that_is_served_has_a_row() -> None:
    assert {method for method, _, _ in FEATURES} - first_cells("Methods") == set()


def test_every_command_has_a_row_and_every_row_a_command() -> None:
    assert {name for name, _ in COMMANDS} == first_cells("Commands")


def test_every_row_names_a_test_that_exists() -> None:
    named = set(re.findall(r"`(test_[a-z0-9_]+)`", PAGE))
    assert named - existing_tests() == set()
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert all(re.search(r"`test_[a-z0-9_]+` \|$", row) for row in rows)


def test_every_known_bug_has_a_test_named_after_it_or_a_reason() -> None:
    numbered: dict[int, list[str]] = {}
    for name in existing_tests():
        if match := re.match(r"test_(?:bug|row)_((?:\d+_)+)", name):
            for number in match[1].strip("_").split("_"):
                numbered.setdefault(int(number), []).append(name)
    rows = {int(m[1]): m[2] for m in re.finditer(r"^\| (\d+) \|.*\| ([^|]*) \|$", PAGE, re.MULTILINE)}
    assert sorted(rows) == list(range(1, ROWS + 1))
    for number, cell in rows.items():
        named = re.findall(r"`(test_[a-z0-9_]+)`", cell)
        assert cell.strip(), f"row {number} has neither a test nor a reason"
        if named:
            assert set(named) <= set(numbered.get(number, ())), f"row {number} names a test of another number"
    assert [number for number in rows if number not in numbered and "`test_" in rows[number]] == []


def test_the_settings_of_the_editors_page_are_those_of_the_server() -> None:
    from dataclasses import fields

    from server.settings import Settings

    table = SETUPS.split("## Settings\n", 1)[1].split("\n## ", 1)[0]
    keys = {key for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for key in re.findall(r"`(\w+)`", row)}
    assert keys == {field.name for field in fields(Settings)}
