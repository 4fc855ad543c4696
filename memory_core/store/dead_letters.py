"""Dead letters on disk: one file for each slice that could not be extracted, under `_staging/_dead`.

What a letter means for its session is the extract's business.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable

from pydantic import ValidationError

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.staging import DeadLetter
from memory_core.store.files import read_or_none, remove, require_inside, write_whole

log = logging.getLogger(__name__)
FOLDER = "_dead"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def read_letters(layout: Layout) -> list[DeadLetter]:
    """All letters, oldest first; one that cannot be read is said in the log and stays where it is."""
    found: list[DeadLetter] = []
    for path in sorted((layout.staging / FOLDER).glob("*.json")):
        try:
            found.append(DeadLetter.model_validate_json(read_or_none(path) or b""))
        except (ValidationError, OSError, StoreError) as error:
            log.warning("%s is no dead letter that can be read (%s): repair or remove it.", path, type(error).__name__)
    return found


def bury(layout: Layout, letter: DeadLetter) -> None:
    """Write a letter whole; the same id again replaces it."""
    if not _ID.fullmatch(letter.id):
        raise StoreError(f"`{letter.id}` is no id of a dead letter.")
    path = layout.staging / FOLDER / f"{letter.id}.json"
    require_inside(layout.root, path)
    write_whole(path, letter.to_json().encode("utf-8", "replace"))


def unbury(layout: Layout, ids: Iterable[str]) -> None:
    """Remove letters whose slices were extracted after all."""
    for name in ids:
        path = layout.staging / FOLDER / f"{name}.json"
        if _ID.fullmatch(name) and path.is_file():
            remove(path)
