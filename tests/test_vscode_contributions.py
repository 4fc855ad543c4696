"""What the VS Code extension contributes as data is kept equal to what the core says: settings schema, snippets."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from memory_core import config
from memory_core.lint.check import check
from memory_core.records.schema import Kind
from memory_core.snapshot import snapshot_of
from scripts import config_schema

EXTENSION = Path(__file__).resolve().parents[1] / "editors/vscode"
SNIPPETS = json.loads((EXTENSION / "snippets/records.json").read_text(encoding="utf-8"))
PLACES = {
    Kind.SUMMARY: "memory/summary.md",
    Kind.DECISION: "memory/decisions/of-a-snippet.md",
    Kind.REQUEST: "memory/requests/of-a-snippet.md",
    Kind.KNOWLEDGE: "knowledge/of-a-snippet.md",
    Kind.WORKFLOW: "workflow/of-a-snippet.md",
}
CLOCK = {"YEAR": "2026", "MONTH": "06", "DATE": "01", "HOUR": "09", "MINUTE": "05", "SECOND": "07"}


def test_the_schema_of_the_settings_is_current() -> None:
    assert config_schema.TARGET.read_text(encoding="utf-8") == config_schema.text(), (
        "run: python scripts/config_schema.py"
    )


def test_every_table_that_settings_may_hold_is_in_the_schema() -> None:
    tables = config_schema.schema()["properties"]
    unknown = "".join(f"[{name}]\n" for name in tables)
    _, problems = config.parse(unknown, trusted=True)
    assert problems == []
    _, (problem,) = config.parse("[nonesuch]\n", trusted=True)
    assert "nonesuch" in problem.message


@pytest.mark.parametrize(
    "text",
    [
        "[memory]\nextract_threshold = -1\n",
        "[memory]\nextract_worker_max_turns = 101\n",
        "[memory]\nconsolidate_review = 'sometimes'\n",
        "[memory]\nrecord_hover = 1\n",
        "[memory]\nlanguage = ''\n",
        "[provider]\ntimeout_s = 0\n",
        "[provider]\ntimeout_s = 120\ntokens_per_day = 5\nname = 'openai'\n",
        "[sessions]\nsources = ['codex', 'no-such-agent']\n",
        "[sessions]\nsources = ['codex']\n",
        "[lint]\nempty-body = 'off'\n",
        "[lint]\nempty-body = 'sometimes'\n",
        "[memory]\nextract_treshold = 5\n",
    ],
)
def test_the_schema_refuses_what_the_settings_refuse(text: str) -> None:
    _, problems = config.parse(text, trusted=True, known_rules=frozenset({"empty-body"}))
    assert bool(problems) is not _fits(tomllib.loads(text), config_schema.schema())


@pytest.mark.parametrize("kind", list(Kind))
def test_a_snippet_makes_a_record_without_a_problem(kind: Kind) -> None:
    snippet = SNIPPETS[f"Omoide: {kind}"]
    # One word: after a hyphen a snippet would be offered for `#deploy-w`, among the records.
    assert snippet["prefix"] == f"omoide{kind}"
    text = _expanded("\n".join(snippet["body"])) + ("Words.\n" if kind is not Kind.WORKFLOW else "\n")
    snapshot = snapshot_of({PLACES[kind]: text})
    assert [problem.code for problem in check(snapshot, PLACES[kind], {})] == []


def _expanded(body: str) -> str:
    """A snippet as VS Code inserts it when nobody types into it."""
    body = body.replace("$CURRENT_TIMEZONE_OFFSET", "+00:00")
    for name, value in CLOCK.items():
        body = body.replace(f"${{CURRENT_{name}}}", value).replace(f"$CURRENT_{name}", value)
    body = re.sub(r"\$\{\d+\|([^,|]*)[^}]*\}", r"\1", body)
    body = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", body).replace("$0", "")
    assert "$" not in body
    return body


def _fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value fits the few words of JSON Schema that are used."""
    if "enum" in schema:
        return value in schema["enum"]
    match schema["type"]:
        case "object":
            rest = schema.get("additionalProperties", True)
            inner = {key: schema.get("properties", {}).get(key, rest) for key in value}
            return all(one is True or (one is not False and _fits(value[key], one)) for key, one in inner.items())
        case "array":
            return isinstance(value, list) and all(_fits(item, schema["items"]) for item in value)
        case "string":
            return isinstance(value, str) and schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10**9)
        case "boolean":
            return isinstance(value, bool)
        case "integer" | "number" as kind:
            numeric = type(value) is int or (kind == "number" and type(value) is float)
            least, most = schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))
            return numeric and value > schema.get("exclusiveMinimum", float("-inf")) and least <= value <= most
    raise AssertionError(schema)
