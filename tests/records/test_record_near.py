"""Slugs that look alike: the fast search answers what comparing each with each answers."""

import random
import time

from rapidfuzz.distance import Levenshtein

from memory_core.records.near import NearSlugs, alike_limit, near_slugs

DIGITS = str.maketrans("", "", "0123456789")


def by_comparing(slug: str, slugs: list[str]) -> list[str]:
    near = [
        (Levenshtein.distance(slug, other), other)
        for other in slugs
        if other.translate(DIGITS) != slug.translate(DIGITS)
    ]
    return [other for distance, other in sorted(near) if distance <= alike_limit(slug, other)]


def test_it_finds_exactly_what_a_full_comparison_finds():
    dice = random.Random(7)
    slugs = sorted({"".join(dice.choice("ab1-") for _ in range(dice.randint(1, 10))) for _ in range(600)})
    near = NearSlugs(tuple(slugs))
    for slug in slugs:
        assert near.alike(slug) == by_comparing(slug, slugs)


def test_it_can_be_asked_about_a_slug_that_is_not_in_the_set():
    near = near_slugs(("retry-policy", "retry-polite", "unrelated"))
    assert near.alike("retry-polcy") == ["retry-policy"]
    assert near.alike("retry-polic") == ["retry-policy", "retry-polite"]
    assert near.alike("retry-polic", 1) == ["retry-policy"]


def test_two_series_of_five_thousand_are_answered_quickly():
    """Every number is near many of the other series: the worst case a generated workspace has."""
    slugs = tuple(sorted(f"{name}-{n:05}" for name in ("note", "nota") for n in range(5_000)))
    near = NearSlugs(slugs)
    started = time.process_time()
    for slug in slugs[:200]:
        assert near.alike(slug)
    assert time.process_time() - started < 3
