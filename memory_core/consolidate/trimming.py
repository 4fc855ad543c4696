"""Which sources a record with too many keeps. The others stay in the archive of the run that trimmed them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory_core.refactor.new import LAST_SOURCES


def trimmed(sources: Sequence[Any], limit: int = LAST_SOURCES) -> list[Any]:
    """At most `limit` sources in their order: the first, where the record comes from; then the latest in which people
    speak; then the latest."""
    if len(sources) <= limit:
        return list(sources)
    ranked = sorted(range(1, len(sources)), key=lambda at: (_by_people(sources[at]), at), reverse=True)
    kept = {0, *ranked[: limit - 1]}
    return [source for at, source in enumerate(sources) if at in kept]


def _by_people(source: Any) -> bool:
    anchors = source.get("anchors") if isinstance(source, Mapping) else None
    found = anchors if isinstance(anchors, list) else []
    return any(isinstance(anchor, Mapping) and anchor.get("speaker") == "human" for anchor in found)
