"""The slugs of one kind, sorted, to be asked by beginnings, parts and scattered letters. Ranks nothing.

All slugs stand in one text, so that asking for a part is one search at the speed of C, whatever their number.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

# Of the slugs that hold scattered letters; so many share a few common letters that more would only take time.
MOST_SCATTERED = 4_000


class SlugWords:
    """A sorted tuple of slugs and what speeds up questions about them."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def __contains__(self, slug: str) -> bool:
        at = bisect_left(self.names, slug)
        return at < len(self.names) and self.names[at] == slug

    @cached_property
    def _text(self) -> str:
        return "\n" + "\n".join(self.names) + "\n"

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.names), default=0)

    def beginning_with(self, prefix: str) -> Iterator[str]:
        """In order."""
        for at in range(bisect_left(self.names, prefix), len(self.names)):
            if not self.names[at].startswith(prefix):
                return
            yield self.names[at]

    def holding(self, part: str) -> Iterator[str]:
        """Those that `part`, which is not empty, stands in; in order."""
        text, end = self._text, 0
        while (at := text.find(part, end)) >= 0:
            end = text.index("\n", at)
            yield text[text.rindex("\n", 0, at) + 1 : end]

    def scattered(self, letters: str) -> list[str]:
        """Those that hold all letters in their order, with others between them: the closest together first, then in
        order. At most MOST_SCATTERED are looked at."""
        if len(letters) > self._longest:
            return []  # a pattern of as many parts would take seconds to be made
        pattern = re.escape(letters[0]) + "".join(
            f"[^\n{re.escape(letter)}]*+{re.escape(letter)}" for letter in letters[1:]
        )
        text = self._text
        found: list[tuple[int, str]] = []
        end = 0
        search = re.compile(pattern).search
        while len(found) < MOST_SCATTERED and (match := search(text, end)):
            start, to = match.span()
            end = text.index("\n", to)
            found.append((to - start, text[text.rindex("\n", 0, start) + 1 : end]))
        return [slug for _, slug in sorted(found)]
