"""BM25 over texts that are known beforehand, by an inverted index built once. Knows words and numbers only."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

# Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). A lower B than the usual .75:
# turns are short, and their length says little.
K1, B = 1.2, 0.5


def rarity(holding: int, total: int) -> float:
    """What a word weighs that `holding` of `total` texts have."""
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


class Bm25:
    """Scores of texts for a query, by an inverted index built once."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._lengths = [len(words) for words in texts]
        self._mean = sum(self._lengths) / len(texts) if texts else 0.0
        self._postings: dict[str, dict[int, int]] = {}
        for number, words in enumerate(texts):
            for word, count in Counter(words).items():
                self._postings.setdefault(word, {})[number] = count

    def holding(self, query: Iterable[str]) -> set[int]:
        """The numbers of the texts that have a word of the query."""
        return {number for word in query for number in self._postings.get(word, ())}

    def forget(self, number: int, words: Mapping[str, int]) -> None:
        """Take words out of a text, each as often as `words` says. How long the text is stays what it was, so that no
        score depends on what was forgotten before a query and what after it."""
        for word, count in words.items():
            postings = self._postings.get(word, {})
            left = postings.pop(number, 0) - count
            if left > 0:
                postings[number] = left

    def scores(self, query: Iterable[str]) -> dict[int, float]:
        """Scores by number of text; texts without any word of the query are absent."""
        total = len(self._lengths)
        scores: dict[int, float] = {}
        for word in dict.fromkeys(query):
            postings = self._postings.get(word, {})
            weight = rarity(len(postings), total)
            for number, count in postings.items():
                norm = K1 * (1 - B + B * self._lengths[number] / (self._mean or 1.0))
                scores[number] = scores.get(number, 0.0) + weight * count * (K1 + 1) / (count + norm)
        return scores
