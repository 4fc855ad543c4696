"""Slugs that look alike: within two edits of each other, found without comparing each with each.

Two slugs that differ only in digits are a numbered series, not a slip, and very short slugs are close by arithmetic
alone: neither counts as alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise

MOST_EDITS = 2
_DIGITS = str.maketrans("", "", "0123456789")


def alike_limit(one: str, other: str) -> int:
    """How many edits may part two slugs that count as alike: none below 4 characters, 1 below 6, else 2."""
    shorter = min(len(one), len(other))
    return 0 if shorter < 4 else 1 if shorter < 6 else MOST_EDITS


class NearSlugs:
    """A set of slugs that can be asked which of them are alike to one.

    Slugs are grouped by what is left without their digits. Strings within two edits of each other share one of three
    consecutive pieces at nearly the same place, so only groups that share a piece are compared (the partition scheme
    of Li, Deng and Feng, "Pass-Join", VLDB 2012).
    """

    def __init__(self, slugs: tuple[str, ...]) -> None:
        self._groups: dict[str, list[str]] = defaultdict(list)
        for slug in slugs:
            self._groups[slug.translate(_DIGITS)].append(slug)
        # By length, for each of the three pieces: the skeletons that have it.
        self._pieces: dict[int, list[dict[str, list[str]]]] = {}
        for skeleton in self._groups:
            cuts = _cuts(len(skeleton))
            tables = self._pieces.setdefault(len(skeleton), [{} for _ in cuts])
            for (start, end), table in zip(cuts, tables, strict=True):
                table.setdefault(skeleton[start:end], []).append(skeleton)
        self._near: dict[str, list[str]] = {}

    def alike(self, slug: str, limit: int | None = None) -> list[str]:
        """The other slugs of the set that are alike to `slug`: the nearest first, then by name; at most `limit`."""
        found: list[tuple[int, str]] = []
        for skeleton in self._near_skeletons(slug.translate(_DIGITS)):
            for other, distance in _within(slug, self._groups[skeleton]):
                if distance <= alike_limit(slug, other):
                    found.append((distance, other))
        return [other for _, other in sorted(found)[:limit]]

    def _near_skeletons(self, skeleton: str) -> list[str]:
        """The groups that may hold slugs alike to one of this skeleton; never its own group."""
        known = self._near.get(skeleton)
        if known is None:
            found: set[str] = set()
            for length in range(len(skeleton) - MOST_EDITS, len(skeleton) + MOST_EDITS + 1):
                if length in self._pieces:
                    found.update(self._sharing_a_piece(skeleton, length))
            found.discard(skeleton)
            if not found:
                self._near[skeleton] = []
                return []
            # Deleting the digits of two strings never moves them further apart, so this loses none.
            known = self._near[skeleton] = [other for other, _ in _within(skeleton, found)]
        return known

    def _sharing_a_piece(self, skeleton: str, length: int) -> list[str]:
        found: list[str] = []
        tables = self._pieces[length]
        for piece, start, end in _windows(len(skeleton), length):
            if same := tables[piece].get(skeleton[start:end]):
                found += same
        return found


def _within(word: str, others: Collection[str]) -> list[tuple[str, int]]:
    """Those of some words that are within MOST_EDITS of one, each with its distance, the nearest first."""
    from rapidfuzz import process  # not needed before the first check: it would slow down the start
    from rapidfuzz.distance import Levenshtein

    found = process.extract(word, others, scorer=Levenshtein.distance, score_cutoff=MOST_EDITS, limit=None)
    return [(other, int(distance)) for other, distance, _ in found]


@lru_cache(maxsize=1_024)
def _windows(own: int, length: int) -> tuple[tuple[int, int, int], ...]:
    """Where a skeleton of `own` characters may have the pieces of one of `length`: the piece's number, start and end.
    Worked out for two lengths, not for each skeleton: asking for 6,000 slugs takes 0.16 s, not 0.22."""
    difference = own - length
    before, behind = (MOST_EDITS - difference) // 2, (MOST_EDITS + difference) // 2
    return tuple(
        (piece, at, at + end - start)
        for piece, (start, end) in enumerate(_cuts(length))
        for at in range(max(0, start - before), min(own - (end - start), start + behind) + 1)
    )


@lru_cache(maxsize=128)
def _cuts(length: int) -> tuple[tuple[int, int], ...]:
    """Three consecutive pieces of nearly equal length; some are empty when there are fewer than three characters."""
    marks = [length * part // (MOST_EDITS + 1) for part in range(MOST_EDITS + 2)]
    return tuple(pairwise(marks))


@lru_cache(maxsize=8)
def near_slugs(slugs: tuple[str, ...]) -> NearSlugs:
    """The table of some slugs. Kept for the last few sets, since most changes of a workspace change no slug."""
    return NearSlugs(slugs)
