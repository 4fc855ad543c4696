"""The system prompt of an extract: what it must say, and what it must not."""

from __future__ import annotations

import re

import pytest

from memory_core import prompts
from memory_core.errors import PromptError
from memory_core.extract.instructions import system_prompt
from memory_core.extract.payload import MAX_CANDIDATES, Payload
from memory_core.extract.task import Slice
from memory_core.extract.tools import ExtractToolbox
from memory_core.testing import session_of

SPECS = ExtractToolbox(Slice(session_of(("human", "x")), 0, 0, "en")).specs


def test_every_tool_and_array_it_names_exists_and_all_are_named() -> None:
    """T59: generated from the tables."""
    text = system_prompt("en", SPECS).text
    assert set(re.findall(r"`(\w+_\w+)`", text)) == {spec.name for spec in SPECS}
    for array in Payload.model_fields:
        assert f"- `{array}` (" in text
    assert f"at most {MAX_CANDIDATES} candidates" in text


def test_its_template_holds_no_number_and_no_foreign_script() -> None:
    """T21 T59"""
    template = prompts.bundled("extract_system")
    assert template.isascii()
    assert re.findall(r"\d+", re.sub(r"(?m)^\d\. ", "", template)) == []


def test_the_host_names_the_language_once() -> None:
    """T20 T21"""
    assert system_prompt("ja", SPECS).text.count("Write in Japanese.") == 1
    assert "Write in Esperanto." in system_prompt("Esperanto", SPECS).text


def test_it_presumes_no_way_of_managing_projects() -> None:
    """C3"""
    words = ("scrum", "kanban", "sprint", "jira", "backlog", "standup", "milestone", "worktree", "todo")
    assert [word for word in words if word in prompts.bundled("extract_system").lower()] == []


def test_an_override_is_identified_by_its_own_hash_and_may_leave_placeholders_out() -> None:
    assert system_prompt("en", SPECS).hash != system_prompt("en", SPECS, "Write in {{language}}.").hash
    with pytest.raises(PromptError, match="`extract_system`"):
        system_prompt("en", SPECS, "{{nonsense}}")
