"""An enricher that is another program: one JSON object a line each way, each answered under its own number.

Request: `{"v": 1, "id": 7, "op": "upsert" | "recall" | "remove", ...}`. Answer: `{"v": 1, "id": 7, "ok": true, ...}` or
`{"v": 1, "id": 7, "ok": false, "error": "..."}`. Starting and killing the program is behind `Child`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from memory_core.enrich.port import Caps, Deadline, Derived, EnrichQuery, EnrichRow, Hit
from memory_core.errors import ProviderError

VERSION = 1
FRAME = 1 << 20  # bytes of one line, either way


class Child(Protocol):
    """A program that answers lines."""

    def ask(self, line: bytes, deadline: Deadline) -> bytes: ...
    def close(self) -> None: ...


class Command:
    """The enricher. What it can do comes from the user's settings, not from the program."""

    def __init__(self, name: str, child: Child, caps: Caps, model: str = "") -> None:
        self.name = name
        self.caps = caps
        self.model = model or f"command/{name}"
        self._child = child
        self._number = 0

    def upsert(self, rows: Sequence[EnrichRow], deadline: Deadline) -> None:
        for part in _frames(rows):
            self._ask("upsert", {"rows": part}, deadline)

    def recall(self, query: EnrichQuery, deadline: Deadline) -> Sequence[Hit | Derived]:
        asked = {"text": query.text, "limit": query.limit, "mode": query.mode}
        asked |= {key: value for key, value in (("agent", query.agent), ("tenant", query.tenant)) if value}
        answer = self._ask("recall", {"query": asked}, deadline)
        found = answer.get("hits", [])
        if not isinstance(found, list):
            raise ProviderError("the enricher's `hits` are no list")
        return [_hit(item) for item in found]

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:
        self._ask("remove", {"ids": list(ids)}, deadline)

    def close(self) -> None:
        self._child.close()

    def _ask(self, op: str, more: Mapping[str, Any], deadline: Deadline) -> Mapping[str, Any]:
        self._number += 1
        line = json.dumps({"v": VERSION, "id": self._number, "op": op, **more}).encode("ascii")
        try:
            return self._understood(self._child.ask(line, deadline))
        except ProviderError:
            self._child.close()  # whatever it says next would be taken for the answer to something else
            raise

    def _understood(self, line: bytes) -> Mapping[str, Any]:
        try:
            answer = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            raise ProviderError("the enricher's answer is no JSON object on one line") from None
        if not isinstance(answer, dict) or answer.get("v") != VERSION:
            raise ProviderError(f"the enricher does not speak version {VERSION}")
        if answer.get("id") != self._number or isinstance(answer["id"], bool):
            raise ProviderError("the enricher answered another request")
        if answer.get("ok") is not True:
            raise ProviderError(f"the enricher refused: {answer.get('error', 'without a reason')}")
        return answer


def _hit(item: Any) -> Hit | Derived:
    """A hit as the program wrote it. One that is none becomes a reference to nothing, which is counted as malformed."""
    item = item if isinstance(item, dict) else {}
    number = _number(item.get("score", 0.0))
    if isinstance(item.get("text"), str) and "id" not in item:
        return Derived(item["text"], number)
    name, rev = (str(value) if isinstance(value, str | int) else "" for value in (item.get("id"), item.get("rev")))
    return Hit(name, rev, number)


def _number(score: Any) -> float:
    """A score; NaN, which makes the hit a malformed one, for what is none or larger than a number can be here."""
    if not isinstance(score, int | float) or isinstance(score, bool):
        return math.nan
    try:
        return float(score)
    except OverflowError:
        return math.nan


def _frames(rows: Sequence[EnrichRow]) -> list[list[dict[str, Any]]]:
    """The rows in parts that fit into one line; most batches are one part."""
    parts: list[list[dict[str, Any]]] = [[]]
    size = 0
    for row in rows:
        plain = {"id": row.id, "rev": row.rev, "text": row.text, "scope": dict(row.scope)}
        length = len(json.dumps(plain))
        if size + length > FRAME - 4_096 and parts[-1]:
            parts.append([])
            size = 0
        parts[-1].append(plain)
        size += length
    return parts
