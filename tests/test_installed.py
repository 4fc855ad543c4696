"""What is said about an extra is a command that works for the way in which this Omoide was installed."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from memory_core.installed import extra_remedy, requirement


def asked(**direct_url: Any) -> str:
    return requirement("mcp", json.dumps(direct_url))


def test_from_the_index_it_has_its_name() -> None:
    assert requirement("mcp", None) == "omoide[mcp]"


def test_a_checkout_or_a_wheel_is_named_by_its_place(tmp_path: Path) -> None:
    folder = tmp_path / "a checkout"
    folder.mkdir()
    assert asked(url=folder.as_uri(), dir_info={"editable": True}) == f"{folder}[mcp]"
    wheel = tmp_path / "omoide-0.1.0-py3-none-any.whl"
    wheel.touch()
    assert asked(url=wheel.as_uri(), archive_info={}) == f"{wheel}[mcp]"


def test_a_checkout_that_is_gone_is_another_folder_now(tmp_path: Path) -> None:
    assert asked(url=(tmp_path / "gone").as_uri(), dir_info={}) == ".[mcp]"


def test_a_repository_or_a_file_of_the_web_is_named_by_its_address() -> None:
    git = {"vcs": "git", "commit_id": "0" * 40}
    assert (
        asked(url="https://example.com/omoide.git", vcs_info=git) == "omoide[mcp] @ git+https://example.com/omoide.git"
    )
    assert asked(url="https://example.com/o.whl", archive_info={}) == "omoide[mcp] @ https://example.com/o.whl"


@pytest.mark.parametrize("damaged", ["", "{", "[]", "{}", '{"url": 3}', '{"url": null}', '{"url": "http://[x"}'])
def test_a_damaged_record_is_no_error(damaged: str) -> None:
    assert requirement("mcp", damaged) == ".[mcp]"


def test_the_command_can_be_pasted_into_a_shell() -> None:
    said = extra_remedy("semantic")
    first, second = said.split(", or ")
    assert shlex.split(first)[:3] == ["uv", "tool", "install"]
    assert shlex.split(second)[:2] == ["pip", "install"]
    assert shlex.split(first)[3].endswith("[semantic]")
    assert len(shlex.split(first)) == 4
