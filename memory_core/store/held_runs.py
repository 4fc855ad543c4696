"""Runs that wait for review, on disk: one file each under `_staging/_held`. What they mean is the consolidation's."""

from __future__ import annotations

import logging
import re

from pydantic import ValidationError

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.staging import HeldRun
from memory_core.store.files import read_or_none, remove, require_inside, write_whole

log = logging.getLogger(__name__)
FOLDER = "_held"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def read_held(layout: Layout) -> list[HeldRun]:
    """All runs that wait, oldest first; a file that cannot be read is said in the log and stays where it is."""
    found: list[HeldRun] = []
    for path in sorted((layout.staging / FOLDER).glob("*.json")):
        try:
            run = HeldRun.model_validate_json(read_or_none(path) or b"")
            found.append(run.model_copy(update={"run_id": path.stem}))  # its name is its id, whatever stands inside
        except (ValidationError, OSError, StoreError) as error:
            log.warning("%s is no held run that can be read (%s): repair or remove it.", path, type(error).__name__)
    return found


def write_held(layout: Layout, run: HeldRun) -> None:
    if not _ID.fullmatch(run.run_id):
        raise StoreError(f"`{run.run_id}` is no run id.")
    path = layout.staging / FOLDER / f"{run.run_id}.json"
    require_inside(layout.root, path)
    write_whole(path, run.to_json().encode("utf-8", "replace"))


def drop_held(layout: Layout, run_id: str) -> None:
    path = layout.staging / FOLDER / f"{run_id}.json"
    if _ID.fullmatch(run_id) and path.is_file():
        remove(path)
