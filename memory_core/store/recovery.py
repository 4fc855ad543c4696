"""Commits are whole: one that died half-way is rolled back before the next run, from the preimages it had archived.

Touches only files that still are as the dead commit left them, and keeps what it takes back. A file changed since
stays, and is named.
"""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.store import archive, process
from memory_core.store.files import read_or_none, refuse_outside, remove, sha256, write_whole
from memory_core.store.ordinary import link_in, read_bytes

log = logging.getLogger(__name__)
_FOLDER = "_pending"  # no run id starts with an underscore
_FROM_STAGING = ("consolidate with ", "accepted after review")  # reasons of runs whose words are staged until they end
_TAKEN_BACK = "_taken_back"  # below a run's folder: what a run that died had written and that was put back
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
        _restore(layout, run_id, died=False)
        remove(_marker(layout, run_id))
    except (OSError, StoreError) as error:
        log.warning("The failed run %s could not be rolled back yet (%s): the next run tries again.", run_id, error)


def roll_back(layout: Layout) -> list[str]:
    """Undo commits that did not end, or count them as done where all was written but that; the ids of those undone.
    Those of a process that still runs are its own business. A damaged marker or manifest is logged and left for a
    person."""
    # The newest first: it may have written over what an older one had, which only then is as that one left it.
    markers = sorted((layout.archive / _FOLDER).glob("*.json"), reverse=True)
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
            outcome = _restore(layout, run_id, died=True)
            remove(marker)
        except (OSError, ValueError, RecursionError, StoreError) as error:
            log.warning("The unfinished run %s could not be rolled back (%s): see %s.", run_id, error, layout.archive)
        else:
            log.warning("The unfinished run %s was %s.", run_id, outcome)
            if outcome == "rolled back":
                done.append(run_id)
    return done


def _restore(layout: Layout, run_id: str, *, died: bool) -> str:
    """Take a commit back, or count it as done; in a word, which. `died`: nobody knows of it that it failed."""
    folder = archive.run_folder(layout.archive, run_id)
    entries = {entry.path: entry for entry in archive.read_entries(folder)}
    planned = [entry for entry in entries.values() if entry.state == "planned"]
    current = {entry.path: _current(layout, folder, entry) for entry in planned}
    began = archive.summary(folder)
    # What a person or an agent wrote is nowhere else, and may have been read for days: a whole commit stays. That of a
    # consolidation goes, since its candidates are staged.
    if (
        died
        and began
        and not began.reason.startswith(_FROM_STAGING)
        and all(_hash(current[e.path]) == e.after for e in planned)
    ):
        states = dict.fromkeys(current, "written")
        archive.write_manifest(folder, run_id, began.started_at, began.reason, archive.settled(entries, states))
        return "finished"
    preimages = {e.path: _preimage(folder, e) for e in planned if _hash(current[e.path]) == e.after != e.before}
    for entry in planned:
        data = current[entry.path]
        if entry.path in preimages:
            if died and data is not None:
                write_whole(folder / _TAKEN_BACK / entry.path, data)
            _put_back(preimages[entry.path], layout.root / entry.path, entry)
            if died and data is None:  # a person may have removed it as well, which nothing tells from the run
                log.warning("%s is back, which the unfinished run %s was to remove.", entry.path, run_id)
        elif _hash(data) != entry.before:
            log.warning("%s was changed since the unfinished run %s: it was left alone.", entry.path, run_id)
    if entries:
        states = dict.fromkeys(current, "rolled back")
        archive.write_manifest(folder, run_id, "", "rolled back", archive.settled(entries, states))
    return "rolled back"


def _current(layout: Layout, folder: Path, entry: archive.ManifestEntry) -> bytes | None:
    # A manifest may come with a cloned repository: it is believed no more than a change set is.
    refuse_outside(entry.path)
    target = layout.root / entry.path
    for place, top in ((target, layout.root), (folder / entry.path, layout.archive)):
        if link := link_in(top, place):
            raise StoreError(f"{link} is a symbolic link: nothing is restored through links")
    return read_or_none(target)


def _preimage(folder: Path, entry: archive.ManifestEntry) -> bytes | None:
    """What a file was, None where there was none; looked at for all files before the first one is put back."""
    data = read_or_none(folder / entry.path) if entry.before else None
    if _hash(data) != entry.before:
        raise StoreError(f"{folder / entry.path} is missing or was changed")
    return data


def _put_back(preimage: bytes | None, target: Path, entry: archive.ManifestEntry) -> None:
    def look() -> None:
        if _hash(read_or_none(target)) != entry.after:
            raise StoreError(f"{target} was changed just now")

    if preimage is None:
        remove(target)
    else:
        write_whole(target, preimage, look=look)


def _hash(data: bytes | None) -> str | None:
    return None if data is None else sha256(data)


def _marker(layout: Layout, run_id: str) -> Path:
    return layout.archive / _FOLDER / f"{run_id}.json"
