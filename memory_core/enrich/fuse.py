"""Two rankings of the same store made one. Adds no record and loses none; equal scores keep the lexical order.

Both scores are put on a scale from 0 to 1 by their best and worst hit, since neither means anything by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_core.search import RecordHit
from memory_core.search.words import fold

# Weight of the second ranking; the rest is words. By `bench/recall.py` the most that takes nothing from questions which
# share words with their answer, and enough for those that share none.
MEANING = 0.3


def fused(query: str, words: Sequence[RecordHit], meaning: Sequence[RecordHit]) -> list[RecordHit]:
    """The hits of both, best first. A record whose slug is the query stays in front: it was named."""
    by_words, by_meaning = _scaled(words), _scaled(meaning)
    known = {(hit.kind, hit.slug): hit for hit in (*reversed(meaning), *reversed(words))}
    wanted = fold(query).strip().lstrip("#/")
    places = {(hit.kind, hit.slug): place for place, hit in enumerate((*meaning, *words))}

    def score(key: tuple[object, str]) -> float:
        named = 1.0 if key[1] == wanted else 0.0
        return named + (1 - MEANING) * by_words.get(key, 0.0) + MEANING * by_meaning.get(key, 0.0)

    order = sorted(known, key=lambda key: (-score(key), key not in by_words, places[key], str(key)))
    return [replace(known[key], score=round(score(key), 4)) for key in order]


def _scaled(hits: Sequence[RecordHit]) -> dict[tuple[object, str], float]:
    """Scores from just above 0 (the worst hit) to 1 (the best)."""
    if not hits:
        return {}
    best, worst = max(hit.score for hit in hits), min(hit.score for hit in hits)
    span = best - worst
    return {(hit.kind, hit.slug): 0.1 + 0.9 * ((hit.score - worst) / span if span else 1.0) for hit in hits}
