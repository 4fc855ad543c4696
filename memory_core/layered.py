"""A mapping that shares nearly everything with the one it was made from: a change costs its own size, not the whole's.

Knows nothing of what it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST_CHANGES = 256  # laid over one base; beyond them a copy of the whole costs less than looking twice each time


class Layered(Mapping[K, V]):
    """Some changes over a base that is never changed. Made by `changed`."""

    __slots__ = ("_base", "_length", "_over")

    def __init__(self, base: Mapping[K, V], over: Mapping[K, V | None]) -> None:
        self._base = base
        self._over = over
        self._length = len(base) + sum((value is not None) - (key in base) for key, value in over.items())

    def __getitem__(self, key: K) -> V:
        if key in self._over:
            value = self._over[key]
            if value is None:
                raise KeyError(key)
            return value
        return self._base[key]

    def __contains__(self, key: object) -> bool:
        return self._over[key] is not None if key in self._over else key in self._base  # type: ignore[index]

    def __iter__(self) -> Iterator[K]:
        over, base = self._over, self._base
        yield from (key for key in base if key not in over or over[key] is not None)
        yield from (key for key, value in over.items() if value is not None and key not in base)

    def __len__(self) -> int:
        return self._length


def changed(mapping: Mapping[K, V], changes: Mapping[K, V | None]) -> Mapping[K, V]:
    """The mapping with some values replaced or added, or dropped where the value is None."""
    if isinstance(mapping, Layered):
        base, over = mapping._base, {**mapping._over, **changes}  # noqa: SLF001 - its own constructor
    else:
        base, over = mapping, dict(changes)
    if len(over) <= MOST_CHANGES < len(base):
        return Layered(base, over)
    whole = {**base}
    for key, value in over.items():
        if value is None:
            whole.pop(key, None)
        else:
            whole[key] = value
    return whole
