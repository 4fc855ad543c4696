"""Writes the JSON Schema of `.omoide/config.toml` that the VS Code extension ships, from the settings themselves.

    python scripts/config_schema.py      editors/vscode/schemas/config.schema.json, made anew

A test compares the file with what this makes, so that it cannot drift. Draft 4 words only, apart from the numbers: what
TOML editors understand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from memory_core.config import LEVELS, SECTIONS
from memory_core.lint.registry import RULES

TARGET = Path(__file__).resolve().parents[1] / "editors/vscode/schemas/config.schema.json"
TABLES = {
    "memory": "The two steps that make records, and what agents are given.",
    "provider": "The model of the two steps. `base_url` and `api_key_env` count in your own settings, or in a "
    "workspace that you trust.",
    "sessions": "Whose logs are looked for.",
    "trust": "Workspaces whose provider settings count; in your own settings only.",
}


def schema() -> dict[str, Any]:
    """The schema as plain data."""
    tables: dict[str, Any] = {name: _table(name, section) for name, section in SECTIONS.items()}
    tables["lint"] = {
        "type": "object",
        "description": "How much a rule of the linter weighs.",
        "properties": {rule.code: {"description": rule.summary, "enum": list(LEVELS)} for rule in RULES},
        "additionalProperties": False,
    }
    tables["enricher"] = {
        "type": "object",
        "description": "What helps to find records, by name.",
        "additionalProperties": {"type": "object"},
    }
    tables["grants"] = {
        "type": "object",
        "description": "Which other agents' records an agent may read, by agent.",
        "additionalProperties": {"type": "array", "items": {"type": "string", "minLength": 1}},
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Omoide: settings of a workspace",
        "type": "object",
        "properties": tables,
        "additionalProperties": False,
    }


def text() -> str:
    """The file's text."""
    return json.dumps(schema(), ensure_ascii=False, indent=2) + "\n"


def _table(name: str, section: Any) -> dict[str, Any]:
    keys = {field.name: _key(field.metadata, field) for field in fields(section)}
    return {"type": "object", "description": TABLES[name], "properties": keys, "additionalProperties": False}


def _key(metadata: Mapping[str, Any], field: Field[Any]) -> dict[str, Any]:
    told = {"description": metadata["about"], **metadata["schema"]}
    if field.default is None:
        return told
    return {**told, "default": list(field.default) if isinstance(field.default, tuple) else field.default}


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(text(), encoding="utf-8")
