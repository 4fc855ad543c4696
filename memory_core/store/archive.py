"""The archive of a run: what each file was before it, and a manifest that says what happened to it and why.

Written before the files themselves, so that a run which died half-way can still be undone. Restores nothing itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memory_core.changes import FileChange
from memory_core.errors import Refused, StoreError
from memory_core.ports import ArchivedFile, ArchivedRun, RunSummary
from memory_core.store.files import encode, is_id, read_or_none, sha256, write_whole

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """One file of a run. `state`: planned, written, conflict or rolled back; hashes are None where there is no file. An
    entry with op `delete` is the tombstone of its record."""

    op: str
    path: str
    before: str | None
    after: str | None
    state: str
    reason: str

    def plain(self) -> dict[str, Any]:
        return {
            "op": self.op,
            "path": self.path,
            "before": self.before,
            "after": self.after,
            "state": self.state,
            "reason": self.reason,
        }


def run_folder(archive: Path, run_id: str) -> Path:
    """The folder of a run. StoreError for an id that could name a place outside the archive."""
    if not is_id(run_id):
        raise Refused(f"`{run_id}` is no run id: the folders in {archive} are named after the runs.")
    return archive / run_id


def begin(
    archive: Path, run_id: str, started: str, reason: str, changes: Sequence[FileChange], notes: Mapping[str, str]
) -> dict[str, ManifestEntry]:
    """Store the preimages and a manifest with every change planned. A second commit of the same run adds to it: the
    first preimage of a file stays."""
    folder = run_folder(archive, run_id)
    entries = {entry.path: entry for entry in read_entries(folder)}
    for change in changes:
        before, after = _hash(change.before, change.path), _hash(change.after, change.path)
        earlier = entries.get(change.path)
        if earlier and earlier.state == "written":
            before = earlier.before
        elif change.before is not None:
            write_whole(folder / change.path, encode(change.before, Path(change.path)))
        note = notes.get(change.path, reason)
        entries[change.path] = ManifestEntry(change.op, change.path, before, after, "planned", note)
    write_manifest(folder, run_id, started, reason, entries)
    return entries


def write_manifest(folder: Path, run_id: str, started: str, reason: str, entries: Mapping[str, ManifestEntry]) -> None:
    write_whole(folder / MANIFEST, manifest(run_id, started, reason, entries))


def manifest(run_id: str, started: str, reason: str, entries: Mapping[str, ManifestEntry]) -> bytes:
    """The manifest of a run as it stands in its file."""
    data = {
        "schema_version": 1,
        "run_id": run_id,
        "started_at": started,
        "reason": reason,
        "files": [entries[path].plain() for path in sorted(entries)],
    }
    return (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")


def settled(entries: Mapping[str, ManifestEntry], states: Mapping[str, str]) -> dict[str, ManifestEntry]:
    """The entries with what became of each file."""
    return {path: replace(entry, state=states.get(path, entry.state)) for path, entry in entries.items()}


def read_entries(folder: Path) -> list[ManifestEntry]:
    """The entries of a manifest, empty when there is none. StoreError when it is damaged."""
    path = folder / MANIFEST
    data = read_or_none(path)
    if data is None:
        return []
    try:
        files = json.loads(data)["files"]
        return [
            ManifestEntry(f["op"], f["path"], f["before"], f["after"], f["state"], f.get("reason", "")) for f in files
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StoreError(f"{path} is damaged ({error}): restore the files beside it by hand.") from error


def archived_run(archive: Path, run_id: str) -> ArchivedRun | None:
    """What a run changed, with the text of each file before it; None when the archive holds no such run."""
    folder = run_folder(archive, run_id)
    entries = read_entries(folder)
    if not entries and not (folder / MANIFEST).exists():
        return None
    return ArchivedRun(
        run_id, tuple(_archived(folder, entry) for entry in entries if entry.state in ("planned", "written"))
    )


def list_runs(archive: Path) -> list[RunSummary]:
    """The runs with a manifest, newest first, those of one second by their ids, which are UUIDv7.
    A damaged manifest is left out, undoing that run says what is wrong."""
    folders = archive.iterdir() if archive.is_dir() else ()
    found = [run for folder in folders if (run := summary(folder)) is not None]
    return sorted(found, key=lambda run: (run.started_at, run.run_id), reverse=True)


def summary(folder: Path) -> RunSummary | None:
    """What the manifest in a folder says of its run; None where there is none that can be read."""
    try:
        manifest = json.loads(read_or_none(folder / MANIFEST) or b"")
        written = sum(entry["state"] == "written" for entry in manifest["files"])
        run_id, started, reason = (str(manifest[key]) for key in ("run_id", "started_at", "reason"))
        return RunSummary(run_id, started, reason, written)
    except (ValueError, KeyError, TypeError, RecursionError, StoreError):
        return None


def _archived(folder: Path, entry: ManifestEntry) -> ArchivedFile:
    if entry.before is None:
        return ArchivedFile(entry.path, None, None, entry.after)
    data = read_or_none(folder / entry.path)
    if data is None or sha256(data) != entry.before:
        raise Refused(f"{folder / entry.path} is missing or was changed: this run cannot be undone.")
    return ArchivedFile(entry.path, data.decode("utf-8"), entry.before, entry.after)


def _hash(text: str | None, path: str) -> str | None:
    return None if text is None else sha256(encode(text, Path(path)))
