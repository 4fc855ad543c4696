"""The order of what is offered for something half typed. Knows slugs and words, not where they are typed."""

from __future__ import annotations

import heapq
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from memory_core.records.schema import Kind, RecordRef
from memory_core.slug_words import SlugWords

_PARTS = re.compile("[_-]")
MOST_USED = 200  # of a kind, put before others: who has read more records than this finds the rest by typing


class UseOrder:
    """How often records were read, and those read most, first. Made once and asked at every key."""

    def __init__(self, counts: Mapping[RecordRef, int]) -> None:
        self.counts = counts

    @cached_property
    def _first(self) -> dict[Kind, list[str]]:
        by_kind: dict[Kind, list[tuple[int, str]]] = {kind: [] for kind in Kind}
        for ref, count in self.counts.items():
            by_kind[ref.kind].append((-count, ref.slug))
        return {kind: [slug for _, slug in heapq.nsmallest(MOST_USED, rows)] for kind, rows in by_kind.items()}

    def first(self, kind: Kind) -> list[str]:
        """The slugs of the records of a kind that were read most, at most MOST_USED."""
        return self._first[kind]


NEVER_USED = UseOrder({})


def ranked(table: SlugWords, query: str, used: Iterable[str] = ()) -> Iterator[str]:
    """The slugs that fit, best first: as a prefix, as the prefix of a later word, inside, then as a subsequence. Used
    ones come before the others of their class; a caller that takes few pays for few."""
    seen: set[str] = set()

    def fresh(found: Iterable[str]) -> Iterator[str]:
        for slug in found:
            if slug not in seen:
                seen.add(slug)
                yield slug

    used = [slug for slug in used if slug in table]
    yield from fresh(slug for slug in used if slug.startswith(query))
    yield from fresh(table.beginning_with(query))
    if not query:
        return
    for part in (f"-{query}", query):
        yield from fresh(slug for slug in used if part in slug)
        yield from fresh(table.holding(part))
    yield from fresh(table.scattered(query))


def words_that_fit(words: Collection[str], typed: str) -> list[str]:
    """The words, few enough to look at each, that fit what is typed: those it begins first, then those it begins a part
    of; only where there are none, those that hold its letters in order. In the given order else."""
    wanted = typed.lower()
    whole = [word for word in words if word.lower().startswith(wanted)]
    parts = [word for word in words if word not in whole and any(p.startswith(wanted) for p in _PARTS.split(word))]
    return [*whole, *parts] or [word for word in words if _holds(word.lower(), wanted)]


def filter_text(text: str, typed: str) -> str:
    """What an editor shall filter an item `text` by, where `typed` stands in front of the cursor in the replaced range.

    Editors keep what begins with the typed text, some with regard to case, and rank what only holds its letters by
    their own lights. What begins otherwise is therefore filtered by the typed text itself: our rank stands.
    """
    return text if text.startswith(typed) else f"{typed} {text}"


def _holds(word: str, letters: str) -> bool:
    rest = iter(word)
    return all(letter in rest for letter in letters)
