"""Rows of an agent's database, as a format asks for them: named tables and columns only, each value decoded on its own.

Opens no database; the store does, and refuses every table that the format did not name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from memory_core.sessions.frames import decode_document
from memory_core.sessions.source import Source


class Tables(Protocol):
    """A database opened for reading. A column or table that this version of the agent does not have reads as None or
    as empty. `problems`: what could not be read, in words; reading goes on with the rest."""

    problems: list[str]

    def rows(
        self,
        table: str,
        columns: Sequence[str],
        where: Mapping[str, str] | None = None,
        order: Sequence[str] = (),
    ) -> Iterator[dict[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class Listed:
    """A session as its database lists it. `parent`: the session whose agent started it, empty for a person's."""

    session_id: str
    cwd: str
    started_at: str | None
    updated_at: str | None
    parent: str = ""


def listed_in(tables: Tables, found: Iterable[Listed]) -> Iterator[Listed]:
    """The sessions that have an id; how many have none is one of the tables' problems."""
    nameless = 0
    for session in found:
        if session.session_id:
            yield session
        else:
            nameless += 1
    if nameless:
        tables.problems.append(f"{nameless} session{'s' * (nameless != 1)} without an id cannot be named")


def name_cell(value: Any) -> str:
    """An id in a column; empty where there is none."""
    return str(value) if isinstance(value, str | int) else ""


def json_cell(source: Source, value: Any) -> Any:
    """The JSON in a column, decoded like a document; None where it is none."""
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    return decode_document(value, source.repairs) if isinstance(value, bytes) else None
