"""Rows of a database that somebody may have damaged or made: no statement takes more than the file could hold.

Pages of a file may point at each other so that a table of a few kilobytes never ends; SQLite follows them. Opens
nothing and knows no table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3

_STRIDE = 1_000  # steps of SQLite's machine between two looks at how many there were
# A sound table costs some ten steps a row, and a row takes at least five bytes of the file; more is the file's fault.
_STEPS = 2_000_000
_STEPS_A_BYTE = 4
_ROW_BYTES = 4
_SLACK = 1 << 16


class Endless(Exception):
    """More came out of a table than its file has room for."""


class Bound:
    """What a statement on a connection may cost. `size`: bytes of the database's files."""

    def __init__(self, connection: sqlite3.Connection, size: int) -> None:
        self._size = size
        self._steps = self._bytes = 0
        connection.set_progress_handler(self._looked, _STRIDE)
        self.begin()

    def begin(self) -> None:
        """Another statement starts."""
        self._steps = _STEPS + _STEPS_A_BYTE * self._size
        self._bytes = _SLACK + self._size

    def _looked(self) -> bool:
        """What SQLite asks now and then: whether to break off."""
        self._steps -= _STRIDE
        return self._steps < 0

    def counted(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """The row; Endless when there were too many."""
        self._bytes -= _ROW_BYTES + sum(len(value) for value in row if isinstance(value, str | bytes))
        if self._bytes < 0:
            raise Endless
        return row


def in_order(rows: Iterable[dict[str, Any]], columns: Sequence[str]) -> list[dict[str, Any]]:
    """Rows sorted as SQLite sorts: NULL, numbers, text, bytes. A column that is in no row does not count."""
    return sorted(rows, key=lambda row: [_rank(row.get(column)) for column in columns])


def _rank(value: Any) -> tuple[int, Any]:
    match value:
        case None:
            return 0, 0
        case int() | float():
            return 1, value
        case str():
            return 2, value
        case _:
            return 3, value
