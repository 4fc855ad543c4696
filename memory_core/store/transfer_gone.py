"""What was removed from a store and is not to come back, as it goes along to another one: records under the run that
removed them, and the words of candidates.

There it lies in the archive like what was removed there: it removes nothing, and `omoide undo` of that run brings the
record back. An export without it, as older versions write them, is none the worse.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from memory_core.ids import parse_rfc3339
from memory_core.layout import Layout, record_at
from memory_core.ports import Tombstone
from memory_core.redact import redact
from memory_core.store.archive import MANIFEST, ManifestEntry, manifest, run_folder
from memory_core.store.files import is_id, sha256
from memory_core.store.staging_files import CLOSED, archived_files
from memory_core.store.tombstones import is_way_back
from memory_core.store.transfer_logs import LogPlan, carried, carried_bytes, lines_about

_FIELDS = ("path", "text", "run_id", "reason", "at")


def read_gone(layout: Layout, stones: Iterable[Tombstone], candidates: Iterable[str]) -> dict[str, Any]:
    """What is removed as plain data; empty where nothing is. `candidates`: those of which nothing is to be kept."""
    records = [{name: getattr(stone, name) for name in _FIELDS} | {"text": redact(stone.text)} for stone in stones]
    names = sorted({candidate.split("/", 1)[0] for candidate in candidates})
    files = {name: carried(data) for name, data in archived_files(layout, names).items()}
    return {key: value for key, value in (("records", records), ("candidates", files)) if value}


def plan_gone(layout: Layout, gone: Mapping[str, Any], resolutions: object = None) -> LogPlan:
    """What taking over what is gone elsewhere would write here: runs and files that are not in the archive yet.
    `resolutions`: the log of how candidates were closed there, where it does not come as a whole."""
    removed, unknown = _removed(gone.get("records"))
    new: dict[Path, bytes] = {}
    names: dict[Path, str] = {}
    for run_id, stones in removed.items():
        folder = run_folder(layout.archive, run_id)
        if not folder.exists():
            for place, content in _run(stones).items():  # the manifest last: without it nothing of the run counts
                new[folder / place], names[folder / place] = content, f"removed/{run_id}/{place}"
    coming: set[str] = set()
    found = gone.get("candidates")
    files = found if isinstance(found, Mapping) else {}
    there = archived_files(layout, files)
    for name, value in files.items():
        data = carried_bytes(value)
        if not is_id(name) or data is None:
            unknown[f"candidates/{name}"] = "is no file of candidates"
        elif not (layout.staging / f"{name}.json").exists() and name not in there:
            path = run_folder(layout.archive, CLOSED) / "memory/_staging" / f"{name}.json"
            new[path], names[path] = data, f"closed/{name}"
            coming.add(name)
    return LogPlan(new, names, unknown=unknown, closing=lines_about(resolutions, coming))


def _removed(records: object) -> tuple[dict[str, list[Tombstone]], dict[str, str]]:
    """The removed records of an export by run, and why one is not taken."""
    found: defaultdict[str, list[Tombstone]] = defaultdict(list)
    unknown: dict[str, str] = {}
    for number, item in enumerate(records if isinstance(records, Sequence) else ()):
        fields = {name: item.get(name) if isinstance(item, Mapping) else None for name in _FIELDS}
        stone = Tombstone(**{name: value if isinstance(value, str) else "" for name, value in fields.items()})
        is_run = is_id(stone.run_id) and stone.run_id != CLOSED
        if is_run and record_at(stone.path) and stone.text and parse_rfc3339(stone.at):
            found[stone.run_id].append(stone)
        else:
            unknown[f"removed/{number}"] = "is no removed record"
    return found, unknown


def _run(stones: Sequence[Tombstone]) -> dict[str, bytes]:
    """The files of a run that removed records, as an archive has them."""
    texts = {stone.path: stone.text.encode("utf-8", "replace") for stone in stones}
    entries = {
        stone.path: ManifestEntry("delete", stone.path, sha256(texts[stone.path]), None, "written", stone.reason)
        for stone in stones
    }
    first = stones[0]
    reason = f"archive: {first.reason}" if is_way_back(first.reason) else first.reason
    return texts | {MANIFEST: manifest(first.run_id, first.at, reason, entries)}
