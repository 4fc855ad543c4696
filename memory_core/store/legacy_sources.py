"""The files that hold legacy rows: found, hashed and read, never written. Whatever cannot be read is said."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from memory_core.errors import SessionError, StoreError
from memory_core.layout import Layout
from memory_core.legacy.plan import PlannedSource
from memory_core.legacy.row import COLUMNS, Row, row_from
from memory_core.legacy.texts import rows_of
from memory_core.store.files import read_or_none, require_inside
from memory_core.store.session_database import is_database, open_tables

ENDINGS = (".jsonl", ".ndjson", ".json", ".md", ".markdown", ".sqlite", ".sqlite3", ".db")
TABLES = ("memories", "memory", "conversation", "conversations", "messages")


@dataclass(frozen=True)
class LegacyRows:
    """Sources with their rows in order, and what could not be read, by path."""

    sources: tuple[PlannedSource, ...]
    rows: tuple[Row, ...]
    problems: dict[str, str]


def read_sources(layout: Layout, paths: Iterable[Path] = ()) -> LegacyRows:
    """The rows of some files, or of all that lie in `memory/_legacy`."""
    sources: list[PlannedSource] = []
    rows: list[Row] = []
    problems: dict[str, str] = {}
    for path in list(paths) or lying(layout):
        name = shown(layout, path)
        try:
            data, found, damage = _read(path, name)
        except (StoreError, SessionError) as error:
            problems[name] = str(error)
            continue
        if damage:
            problems[name] = damage
        sources.append(PlannedSource(name, hashlib.sha256(data).hexdigest(), len(data)))
        rows += found
    return LegacyRows(tuple(sources), tuple(rows), problems)


def lying(layout: Layout) -> list[Path]:
    """The files that wait in `memory/_legacy`, in order of their names."""
    require_inside(layout.root, layout.legacy)
    if not layout.legacy.is_dir():
        return []
    return sorted(p for p in layout.legacy.iterdir() if p.suffix in ENDINGS and p.is_file() and not p.is_symlink())


def shown(layout: Layout, path: Path) -> str:
    """A source's name in plans: relative to the workspace, or absolute where it lies elsewhere."""
    absolute = path.absolute()
    return (
        absolute.relative_to(layout.workspace).as_posix()
        if absolute.is_relative_to(layout.workspace)
        else absolute.as_posix()
    )


def located(layout: Layout, name: str) -> Path:
    """The file that a plan names."""
    return layout.workspace / name


def _read(path: Path, name: str) -> tuple[bytes, list[Row], str]:
    data = read_or_none(path)
    if data is None:
        raise StoreError(f"{path} is gone.")
    if not is_database(path):
        return data, rows_of(name, data), ""
    found: list[Row] = []
    with open_tables(path, TABLES) as tables:
        for table in TABLES:
            if tables.has([table]):
                for values in tables.rows(table, COLUMNS, order=("id", "timestamp", "created_at")):
                    found.append(row_from(values, name, len(found)))
        damage = "; ".join(tables.problems)
    if not found and not damage:
        damage = f"no table of it is known: one of {', '.join(TABLES)} was expected"
    return data, found, damage
