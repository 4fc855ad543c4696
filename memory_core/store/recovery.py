"""Commits are whole: one that died half-way is rolled back before the next run, from the preimages it had archived.

Touches only files that still are as the dead commit left them; a file changed since stays, and is named.
"""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.store import archive, process
from memory_core.store.files import link_in, read_or_none, refuse_outside, remove, sha256, write_whole
from memory_core.store.ordinary import read_bytes

log = logging.getLogger(__name__)
_FOLDER = "_pending"  # no run id starts with an underscore
_active: set[str] = set()  # commits of this process that are under way: its other threads must not roll them back


def mark(layout: Layout, run_id: str) -> None:
    """Say that a commit has begun, and whose it is."""
    _active.add(run_id)
    write_whole(_marker(layout, run_id), json.dumps(process.identity()).encode())


def unmark(layout: Layout, run_id: str) -> None:
    """Say that a commit has ended, with every file written or named as a conflict."""
    remove(_marker(layout, run_id))
    _active.discard(run_id)


def abandon(layout: Layout, run_id: str) -> None:
    """Roll back a commit that an error ended. What the disk does not let happen now, the next run does."""
    _active.discard(run_id)
    try:
        _restore(layout, run_id)
        remove(_marker(layout, run_id))
    except (OSError, StoreError) as error:
        log.warning("The failed run %s could not be rolled back yet (%s): the next run tries again.", run_id, error)


def roll_back(layout: Layout) -> list[str]:
    """Undo commits that did not end; the ids of those runs. Those of a process that still runs are its own business. A
    damaged marker or manifest is logged and left for a person."""
    markers = sorted((layout.archive / _FOLDER).glob("*.json"))
    done: list[str] = []
    for marker in markers:
        run_id = marker.name.removesuffix(".json")
        try:
            named = json.loads(read_bytes(marker))
            if isinstance(named, dict) and not (named.get("host") and named.get("process_started")):
                raise StoreError("its marker names no process")  # not written by us, so not ours to act on
            ours = isinstance(named, dict) and named.get("pid") == os.getpid() and run_id not in _active
            if not isinstance(named, dict) or not (ours or process.gone(named)):
                continue
            _restore(layout, run_id)
            remove(marker)
        except (OSError, ValueError, RecursionError, StoreError) as error:
            log.warning("The unfinished run %s could not be rolled back (%s): see %s.", run_id, error, layout.archive)
        else:
            log.warning("The unfinished run %s was rolled back.", run_id)
            done.append(run_id)
    return done


def _restore(layout: Layout, run_id: str) -> None:
    folder = archive.run_folder(layout.archive, run_id)
    entries = {entry.path: entry for entry in archive.read_entries(folder)}
    states: dict[str, str] = {}
    for path, entry in entries.items():
        if entry.state != "planned":
            continue
        # A manifest may come with a cloned repository: it is believed no more than a change set is.
        refuse_outside(path)
        target = layout.root / path
        for place, top in ((target, layout.root), (folder / path, layout.archive)):
            if link := link_in(top, place):
                raise StoreError(f"{link} is a symbolic link: nothing is restored through links")
        data = read_or_none(target)
        current = None if data is None else sha256(data)
        if current == entry.after and current != entry.before:
            _put_back(folder / path, target, entry)
        elif current != entry.before:
            log.warning("%s was changed since the unfinished run %s: it was left alone.", path, run_id)
        states[path] = "rolled back"
    if entries:
        archive.write_manifest(folder, run_id, "", "rolled back", archive.settled(entries, states))


def _put_back(preimage: Path, target: Path, entry: archive.ManifestEntry) -> None:
    def look() -> None:
        data = read_or_none(target)
        if (None if data is None else sha256(data)) != entry.after:
            raise StoreError(f"{target} was changed just now")

    data = read_or_none(preimage) if entry.before else None
    if entry.before is None:
        remove(target)
    elif data is not None and sha256(data) == entry.before:
        write_whole(target, data, look=look)
    else:
        raise StoreError(f"{preimage} is missing or was changed")


def _marker(layout: Layout, run_id: str) -> Path:
    return layout.archive / _FOLDER / f"{run_id}.json"
