"""Rows of an agent's database, as a format asks for them: named tables and columns only, each value decoded on its own.

Opens no database; the store does, and refuses every table that the format did not name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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


def json_cell(source: Source, value: Any) -> Any:
    """The JSON in a column, decoded like a document; None where it is none."""
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    return decode_document(value, source.repairs) if isinstance(value, bytes) else None
