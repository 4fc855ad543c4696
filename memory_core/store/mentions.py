"""Where Markdown files outside the records name a record: READMEs, notes, prompts. Reads only, and not without end.

They are people's files; whoever renames a record is told of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory_core.layout import Layout, way_to
from memory_core.places import places_in
from memory_core.records.refs import scan
from memory_core.records.schema import RecordRef
from memory_core.store.ordinary import read_bytes
from memory_core.text import LineIndex

MOST_FILES = 5_000
MOST_BYTES = 1024 * 1024  # of one file; a larger one is generated
_SKIPPED = frozenset({"node_modules", "venv", "dist", "build", "target", "vendor", "site-packages"})


@dataclass(frozen=True, slots=True)
class Mentions:
    """`places`: (file, 1-based line). `unread`: files that were too large, not text, or beyond the most looked at."""

    places: tuple[tuple[Path, int], ...] = ()
    unread: int = 0


def mentions(layout: Layout, ref: RecordRef) -> Mentions:
    """The references to a record, and its paths, in the workspace's other Markdown files, in path order."""
    places: list[tuple[Path, int]] = []
    unread = 0
    for number, path in enumerate(_markdown(layout)):
        text = _text(path) if number < MOST_FILES else None
        if text is None:
            unread += 1
        elif ref.slug in text:
            lines = LineIndex(text)
            found = {r.start for r in scan(text) if (r.kind, r.slug) == (ref.kind, ref.slug)}
            found |= {place.start for place in places_in(text, way_to(layout.root, path)) if place.ref == ref}
            places += [(path, lines.position(start).line + 1) for start in sorted(found)]
    return Mentions(tuple(places), unread)


def _markdown(layout: Layout) -> Iterator[Path]:
    yield from sorted(layout.prompts.glob("*.md"))
    for folder, folders, files in os.walk(layout.workspace):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        yield from (Path(folder, name) for name in sorted(files) if name.lower().endswith((".md", ".markdown", ".mdx")))


def _text(path: Path) -> str | None:
    try:
        if path.is_symlink() or path.stat().st_size > MOST_BYTES:
            return None
        return read_bytes(path).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
