"""What is remembered of one enricher between runs: which revisions it was given, what it has yet to forget.

Plain data and its JSON; files are the store's business. A state that cannot be read counts as none: it is derived.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

SCHEMA = 1


@dataclass(frozen=True)
class EnricherState:
    """`known`: revision by record id, as upserted. `pending`: ids to be removed, written down before the call that
    removes them. `open_until`: wall-clock seconds. `drops`: hits that were left out so far, by reason."""

    model: str = ""
    known: Mapping[str, str] = field(default_factory=dict)
    pending: tuple[str, ...] = ()
    open_until: float = 0.0
    last_error: str = ""
    drops: Mapping[str, int] = field(default_factory=dict)

    def with_pending(self, ids: tuple[str, ...]) -> EnricherState:
        return replace(self, pending=tuple(sorted({*self.pending, *ids})))

    def with_drops(self, found: Mapping[str, int]) -> EnricherState:
        total = {reason: self.drops.get(reason, 0) + found.get(reason, 0) for reason in {*self.drops, *found}}
        return replace(self, drops=total)

    def to_json(self) -> str:
        plain = {one.name: getattr(self, one.name) for one in fields(self)}  # `asdict` copies every item
        return json.dumps({"schema": SCHEMA, **plain}, ensure_ascii=False) + "\n"


def from_json(text: str) -> EnricherState:
    """The state in a text; the empty one for anything else, so that everything is sent anew."""
    try:
        data = json.loads(text)
    except ValueError:
        return EnricherState()
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        return EnricherState()
    return EnricherState(
        model=_text(data.get("model")),
        known={str(k): str(v) for k, v in _table(data.get("known")).items()},
        pending=tuple(str(item) for item in data["pending"]) if isinstance(data.get("pending"), list) else (),
        open_until=float(data["open_until"]) if isinstance(data.get("open_until"), int | float) else 0.0,
        last_error=_text(data.get("last_error")),
        drops={str(k): v for k, v in _table(data.get("drops")).items() if isinstance(v, int)},
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _table(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, dict) else {}
