"""The logs that an import brought, noted beside its run in the archive, so that its undo takes them back.

Only what still is as it came is taken, and nothing is thrown away: it lies in the archive under the undo, which can be
undone as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping
from pathlib import Path, PurePosixPath

from memory_core.layout import Layout, is_local, is_memory_path, record_at
from memory_core.ports import LogsBack
from memory_core.sessions.fields import text_at
from memory_core.store.archive import MANIFEST, run_folder, write_manifest
from memory_core.store.files import is_plain_path, read_or_none, remove, require_inside, sha256, write_whole
from memory_core.store.staging_files import alone

_NOTE = "logs.json"
_COPIES = "logs"  # the folder below an undo in which lies what it took away


def note_brought(layout: Layout, run_id: str, started: str, files: Mapping[Path, bytes]) -> None:
    """Say that a run is about to write these files. Before it does, so that who dies in between can take them back."""
    if files:
        hashes = {_relative(layout, path): sha256(data) for path, data in files.items()}
        _write(layout, run_id, started, "import", {"brought": hashes})


def take_back(layout: Layout, run_id: str, undo_id: str, started: str, cited: Callable[[], Container[str]]) -> LogsBack:
    """Take away what a run brought, as far as nothing used it since; or bring back what an undo took away. `cited`:
    the sessions that records rest on."""
    note = _noted(layout, run_id)
    if brought := note.get("brought"):
        with alone(layout):
            return _taken(layout, undo_id, started, brought, cited())
    if taken := note.get("taken"):
        with alone(layout):
            return _given(layout, run_id, undo_id, started, taken)
    return LogsBack()


def _taken(layout: Layout, undo_id: str, started: str, brought: Mapping[str, str], cited: Container[str]) -> LogsBack:
    found = {path: data for path in brought if (data := _read(layout, path)) is not None}
    left = {path: "was used or changed since" for path, data in found.items() if sha256(data) != brought[path]}
    sessions = {path: _session(path, cited) for path in found if path.startswith("sessions/")}
    left |= {path: "is what a record rests on" for path, id_ in sessions.items() if id_ in cited and path not in left}
    kept = {name for path in left if path in sessions for name in _names(path)}
    # What was staged of a session goes by how far it was extracted, and that stays.
    staged = {path: text_at(_json(data), "source", "session_id") for path, data in found.items() if path not in left}
    left |= {path: "is of a session that stays" for path, session in staged.items() if session and session in kept}
    going = {path: data for path, data in found.items() if path not in left}
    if going:
        for path, data in going.items():
            write_whole(run_folder(layout.archive, undo_id) / _COPIES / path, data)
        hashes = {path: sha256(data) for path, data in going.items()}
        _write(layout, undo_id, started, "undo of an import", {"taken": hashes})
        for path in going:
            remove(layout.absolute(path))
    return LogsBack(tuple(sorted(going)), (), left)


def _given(layout: Layout, run_id: str, undo_id: str, started: str, taken: Mapping[str, str]) -> LogsBack:
    folder = run_folder(layout.archive, run_id)
    there = {path: _read(layout, path) for path in taken}
    left = {path: "came into being since" for path, data in there.items() if data and sha256(data) != taken[path]}
    coming = {
        path: data for path in taken if not there[path] and (data := read_or_none(folder / _COPIES / path)) is not None
    }
    if coming:
        note_brought(layout, undo_id, started, {layout.absolute(path): data for path, data in coming.items()})
        for path, data in coming.items():
            write_whole(layout.absolute(path), data)
    return LogsBack((), tuple(sorted(coming)), left)


def _session(path: str, cited: Container[str]) -> str:
    return next((name for name in _names(path) if name in cited), "")


def _names(path: str) -> tuple[str, str]:
    """The session that a log may be of: our own bears its id, a sidecar that of the agent before it."""
    stem = PurePosixPath(path).name.removesuffix(".jsonl")
    return stem, stem.partition(".")[2]


def _noted(layout: Layout, run_id: str) -> dict[str, dict[str, str]]:
    data = read_or_none(run_folder(layout.archive, run_id) / _NOTE)
    note = _json(data or b"")
    found: dict[str, dict[str, str]] = {}
    for key in ("brought", "taken"):
        rows = note.get(key) if isinstance(note, dict) else None
        rows = rows if isinstance(rows, dict) else {}
        found[key] = {path: hash_ for path, hash_ in rows.items() if _is_ours(path) and isinstance(hash_, str)}
    return found


def _is_ours(path: object) -> bool:
    """Whether a path of a note may be one that an import writes: never a record, and nothing beside the root."""
    if not isinstance(path, str) or not is_plain_path(path) or record_at(path):
        return False
    return is_memory_path(path) or (is_local(path) and not path.startswith(("memory/_archive", "cache")))


def _write(layout: Layout, run_id: str, started: str, reason: str, note: Mapping[str, Mapping[str, str]]) -> None:
    folder = run_folder(layout.archive, run_id)
    write_whole(folder / _NOTE, (json.dumps(note, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace"))
    if not (folder / MANIFEST).exists():  # a run that changed no record is listed and undone as well
        write_manifest(folder, run_id, started, reason, {})


def _read(layout: Layout, path: str) -> bytes | None:
    place = layout.absolute(path)
    require_inside(layout.root, place)
    return read_or_none(place)


def _json(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _relative(layout: Layout, path: Path) -> str:
    return layout.relative(path) or path.name
