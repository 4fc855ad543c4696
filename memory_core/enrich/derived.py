"""Text that an enricher made, as it may stand before a model or a person: fenced, escaped, bounded, untrusted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memory_core.enrich.port import Derived
from memory_core.using.fence import fenced, quoted

ONE, ALL_OF_THEM = 800, 4_000  # characters


@dataclass(frozen=True, slots=True)
class Untrusted:
    """One text. `shown` is what may be put anywhere; `enricher` says who made it."""

    enricher: str
    shown: str
    score: float


def untrusted(found: Iterable[tuple[str, Derived]]) -> Iterator[Untrusted]:
    """The texts that find room, each once, in the order given. Line ends become spaces: no line of it can pose as one
    of ours."""
    seen: set[str] = set()
    used = 0
    for enricher, item in found:
        flat = " ".join(item.text.split())[:ONE]
        key = hashlib.sha256(flat.casefold().encode("utf-8", "replace")).hexdigest()
        if not flat or key in seen or used + len(flat) > ALL_OF_THEM:
            continue
        seen.add(key)
        used += len(flat)
        yield Untrusted(enricher, fenced("untrusted", quoted(flat), source=enricher), item.score)
