"""Templates are rendered strictly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory_core.errors import PromptError
from memory_core.prompts import NAMES, bundled, problems, render

FOLDER = Path(__file__).resolve().parent.parent / "prompts"


def test_a_missing_or_unused_value_is_an_error() -> None:
    with pytest.raises(PromptError, match="unused"):
        render("extract_system", **dict.fromkeys(placeholders("extract_system"), "x"), extra="y")
    with pytest.raises(PromptError, match=r"unknown placeholder"):
        render("extract_system", "{{no_such_value}}")


def test_a_missing_prompt_is_an_error() -> None:
    with pytest.raises(PromptError, match="no prompt `nothing`"):
        bundled("nothing")


def test_values_are_never_rendered_again() -> None:
    assert render("x", "{{a}} {{b}}", a="{{b}}", b="1").text == "{{b}} 1"


def test_an_override_has_its_own_hash() -> None:
    assert render("x", "one").hash != render("x", "two").hash


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda p: p.stem)
def test_prompts_name_no_project_management_method(path: Path) -> None:
    """C3: a bundled prompt presumes no way of managing projects."""
    words = {"jira", "kanban", "scrum", "sprint", "worktree", "story points", "todo list", "backlog"}
    text = path.read_text(encoding="utf-8").lower()
    assert not [word for word in words if word in text]


def placeholders(name: str) -> set[str]:
    return set(re.findall(r"\{\{\s*([a-z_]+)\s*\}\}", bundled(name)))


def test_a_workspaces_own_prompt_is_checked_for_its_placeholders() -> None:
    """C3: an override may say what it likes, but the person learns what the model will not be told."""
    text = "Find decisions.\nUse {{tools}} and {{favourite_number}}.\n"
    unknown, missing = problems("extract_system", text)
    assert (unknown.range.start.line, unknown.range.start.character) == (1, 18)
    assert "favourite_number" in unknown.message
    assert "{{language}}" in missing.message
    assert "{{tools}}" not in missing.message
    assert problems("extract_system", bundled("extract_system")) == []
    assert NAMES == ("extract_system", "consolidate_system")
