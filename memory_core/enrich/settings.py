"""The `[enricher.<name>]` tables as values: what is wrong in one is said, and then that enricher does not exist."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from memory_core.enrich.port import Caps, ScopeLevel

TYPES = ("semantic", "command")  # the lexical one is always there: it is how the store itself answers
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_KEYS = {"type", "command", "scope", "result", "cleanup", "enabled"}


@dataclass(frozen=True, slots=True)
class EnricherSettings:
    """One enricher as somebody wants it."""

    name: str
    type: str
    command: tuple[str, ...] = ()
    caps: Caps = field(default_factory=Caps)


def enricher_settings(tables: Mapping[str, Mapping[str, Any]]) -> tuple[list[EnricherSettings], list[str]]:
    """The enrichers in the order of the file, and a sentence for each that cannot be used."""
    found: list[EnricherSettings] = []
    problems: list[str] = []
    for name, table in tables.items():
        one = _one(name, table)
        if isinstance(one, str):
            problems.append(f"[enricher.{name}] is not used: {one}")
        elif one is not None:
            found.append(one)
    return found, problems


def _one(name: str, table: Mapping[str, Any]) -> EnricherSettings | str | None:
    if table.get("enabled") is False:
        return None
    if not _NAME.fullmatch(name):
        return "its name is no word of small letters, digits and hyphens"
    kind = table.get("type", name)
    if kind not in TYPES:
        return f"`type` must be one of {', '.join(TYPES)}"
    if unknown := sorted(set(table) - _KEYS):
        return f"there is no setting `{unknown[0]}` in it"
    if kind != "command":
        return EnricherSettings(name, kind)
    command = table.get("command")
    if not isinstance(command, list) or not command or not all(isinstance(word, str) and word for word in command):
        return "`command` must be a list of words in your own configuration, or in a workspace you trust"
    caps = _caps(table)
    return caps if isinstance(caps, str) else EnricherSettings(name, kind, tuple(command), caps)


def _caps(table: Mapping[str, Any]) -> Caps | str:
    levels = [level for level in get_args(ScopeLevel) if level != "full"]
    scope, result, cleanup = table.get("scope", "none"), table.get("result", "reference"), table.get("cleanup", True)
    if scope not in levels:
        return f"`scope` must be one of {', '.join(levels)}"
    if result not in ("reference", "derived"):
        return "`result` must be reference or derived"
    if not isinstance(cleanup, bool):
        return "`cleanup` must be true or false"
    return Caps(result=result, scope=scope, cleanup=cleanup)
