"""The extract pointer: how far a session has been extracted. An extension of domain `memory.extract`, folded here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

DOMAIN = "memory.extract"


@dataclass(frozen=True, slots=True)
class Pointer:
    """`processed_through_entry`: the last entry extracted, -1 before the first. `staging_id`: None when that run
    found nothing."""

    processed_through_entry: int = -1
    staging_id: str | None = None

    def payload(self) -> dict[str, Any]:
        return {"processed_through_entry": self.processed_through_entry, "staging_id": self.staging_id}


def fold(extensions: Iterable[tuple[str, Any]]) -> Pointer:
    """The pointer that a session's extensions add up to: the newest one that parses wins."""
    pointer = Pointer()
    for domain, payload in extensions:
        if domain != DOMAIN or not isinstance(payload, dict):
            continue
        through, staging = payload.get("processed_through_entry"), payload.get("staging_id")
        if isinstance(through, int) and not isinstance(through, bool) and through >= -1:
            pointer = Pointer(through, staging if isinstance(staging, str) and staging else None)
    return pointer
