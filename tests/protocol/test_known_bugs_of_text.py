"""What broke other Markdown servers, seen in a text alone. The numbers are those of docs/language-server.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory_core.layout import path_problem
from memory_core.records.refs import scan
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Document

PLUGIN = Path(__file__).resolve().parents[2] / "editors/neovim"


def slugs(text: str) -> list[str]:
    return [found.slug for found in scan(text)]


@pytest.mark.parametrize(
    "text",
    [
        "a formula $x #api-keys y$ here",
        "$$\n\\tag #api-keys\n$$\n",
        "text $$ #api-keys $$ text",
    ],
)
def test_bug_08_math_holds_no_references(text: str) -> None:
    """marksman#326."""
    assert slugs(text) == []


def test_bug_08_a_price_is_no_math() -> None:
    assert slugs("it costs $5 (see #api-keys) or $6") == ["api-keys"]


@pytest.mark.parametrize(
    "text",
    [
        "```\n#api-keys\n```\n",
        "~~~sh\n#!/bin/bash\n#api-keys\n~~~\n",
        "````md\n```\n#api-keys\n```\n#api-keys\n````\n",
        "- item\n\n  ```\n  #api-keys\n  ```\n",
        "```\n#api-keys\nnever closed\n",
        "> ```\n> #api-keys\n> ```\n",
        "`#api-keys` and ``a ` #api-keys``",
    ],
)
def test_bug_12_code_holds_no_references(text: str) -> None:
    """markdown-oxide#7: `#!/bin/bash` in a fence became a tag."""
    assert slugs(text) == []


def test_bug_12_what_follows_a_fence_does() -> None:
    assert slugs("```\n#one\n```\n\n#two and ~~~ #three\n") == ["two", "three"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("requires: [a-b, c-d]", ["a-b", "c-d"]),
        ("requires: [ 'a-b',\n  \"c-d\" ]", ["a-b", "c-d"]),
        ("requires:\n  - a-b\n  - 'c-d'", ["a-b", "c-d"]),
        ("requires:\n- a-b\n- c-d  # why", ["a-b", "c-d"]),
        ("requires: null", []),
        ("requires:", []),
        ("requires: []", []),
        ("requires: [a-b, 5, {}]", ["a-b"]),
    ],
)
def test_bug_13_a_list_in_the_head_is_read_however_it_is_written(head: str, expected: list[str]) -> None:
    """markdown-oxide#161 and #347: only the inline form was seen."""
    document = Document("workflow/x.md", f"---\ndescription: x\n{head}\n---\nBody\n")
    assert [link.target for link in document.links] == [RecordRef(Kind.KNOWLEDGE, slug) for slug in expected]


def test_bug_32_a_reference_ends_where_a_slug_ends_and_a_cjk_tag_is_none() -> None:
    """flatnotes#308: the grammar of slugs is ASCII, and says so; text that follows without a space is no part of it."""
    text = "手順は#api-keysを読む。#記憶 は別。"
    (found,) = scan(text)
    assert text[found.start : found.end] == "#api-keys"


@pytest.mark.parametrize("name", ["記憶", "api-記憶", "Api", "a--b", "a_b"])
def test_bug_32_a_file_that_cannot_be_referred_to_is_told_why(name: str) -> None:
    problem = path_problem(f"knowledge/{name}.md")
    assert problem is not None
    assert name in problem[1] or "a-z" in problem[1]


def test_bug_20_the_neovim_plugin_names_the_clients_encoding_everywhere() -> None:
    """zk-nvim#279: Neovim 0.11 wants the encoding in every call that makes positions or applies edits."""
    wants = re.compile(
        r"(make_position_params|make_range_params|make_given_range_params|apply_workspace_edit|apply_text_edits|"
        r"show_document|locations_to_items|jump_to_location)\((?P<arguments>[^\n]*)"
    )
    calls = [m for file in PLUGIN.rglob("*.lua") for m in wants.finditer(file.read_text(encoding="utf-8"))]
    assert all("encoding" in call["arguments"] for call in calls), [call.group() for call in calls]
