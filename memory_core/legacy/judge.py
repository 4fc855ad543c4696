"""What a row is, by what can be seen of it: a person's words, an answer, an echo of recalled text, curated, damaged.

Judges shape and never content: whether a row is worth keeping is for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from memory_core.ids import parse_rfc3339
from memory_core.legacy.row import Row

OVERSIZE = 64 * 1024  # bytes; a turn that long is a paste or an echo that fed on itself


class RowClass(StrEnum):
    USER = "user turn"
    ASSISTANT = "assistant turn"
    CURATED = "curated"
    NOISE = "noise"
    OVERSIZE = "oversize"
    EMPTY = "empty"
    DAMAGED = "damaged"
    UNKNOWN = "unknown"


PROMOTABLE = frozenset({RowClass.USER, RowClass.CURATED, RowClass.UNKNOWN})
MOVABLE = frozenset({RowClass.USER, RowClass.ASSISTANT})

# Marks that hosts put around recalled text before a model sees it: a row that has one is what a memory said, stored
# again as if a person had said it.
_RECALLED = re.compile(
    r"\[(?:memory|recalled|recall)[ _-](?:context|memories|entries)\]"
    r"|</?(?:memory[-_]context|recalled[-_]memor(?:y|ies)|relevant[-_]memor(?:y|ies)|omoide-memory)\b"
    r"|\[untrusted (?:recall|memory|context)",
    re.IGNORECASE,
)
_TOOL = re.compile(r"^\s*(?:<tool_result|<function_results|\{\"tool_call_id\")", re.IGNORECASE)
_USER_KEY = re.compile(r"(?:user_msg|webhook_msg)(?:_.*)?|(?:telegram|discord|slack|matrix|whatsapp|signal|mail)_.+")
_ANSWER_KEY = re.compile(r"assistant_(?:resp|msg|reply).*")
_CURATED = frozenset({"core", "fact", "preference", "decision", "entity", "semantic", "procedural", "daily"})

EXPIRY: dict[str, str] = {
    "noise": "recalled text that was stored again",
    "empty": "rows without any text",
    "duplicates": "rows that say what an earlier row of the same source says, to the letter",
}
"""The rules by which rows may be expired, each by name and on request only."""


def recalled(text: str) -> bool:
    """Whether a text holds the marks that stand around what a memory put into a session."""
    return _RECALLED.search(text) is not None


def class_of(row: Row) -> RowClass:
    if row.damaged:
        return RowClass.DAMAGED
    if not row.content.strip():
        return RowClass.EMPTY
    if recalled(row.content) or _TOOL.search(row.content):
        return RowClass.NOISE
    if len(row.content.encode("utf-8", "replace")) > OVERSIZE:
        return RowClass.OVERSIZE
    if row.role == "assistant" or _ANSWER_KEY.fullmatch(row.key):
        return RowClass.ASSISTANT
    if row.role in ("user", "human") or row.category == "conversation" or _USER_KEY.fullmatch(row.key):
        return RowClass.USER
    return RowClass.CURATED if row.category in _CURATED else RowClass.UNKNOWN


def movable(row: Row) -> str:
    """Why a row cannot be moved to its session; empty when session, agent and instant are certain."""
    if class_of(row) not in MOVABLE:
        return f"it is no turn ({class_of(row)})"
    if not row.session or not row.agent:
        return "its session or its agent is not known"
    if row.key == "user_msg":
        return "its key is the same for every turn, so that earlier ones were overwritten"
    return "" if parse_rfc3339(row.at) else "it has no instant with a time zone"


def expired_by(rule: str, rows: Iterable[Row]) -> set[str]:
    """The ids of the rows that a rule of `EXPIRY` names."""
    rows = list(rows)
    if rule == "duplicates":
        seen: set[tuple[str, str, str]] = set()
        twice: set[str] = set()
        for row in rows:
            same = (row.source, row.content.strip(), row.session)
            if class_of(row) in (RowClass.USER, RowClass.ASSISTANT, RowClass.CURATED, RowClass.UNKNOWN):
                if same in seen:
                    twice.add(row.id)
                seen.add(same)
        return twice
    wanted = {"noise": RowClass.NOISE, "empty": RowClass.EMPTY}[rule]
    return {row.id for row in rows if class_of(row) is wanted}
