"""Records that were removed and are not back, as the archive's manifests have them.

Reads only: a tombstone is made by the commit that removes a record, and ends when there is a record at its place again.
"""

from __future__ import annotations

import json

from memory_core.errors import StoreError
from memory_core.layout import Layout, record_at
from memory_core.ports import Tombstone
from memory_core.store.archive import MANIFEST
from memory_core.store.files import read_or_none, sha256

# A rename takes nothing away, and whoever undoes a run stages its candidates again on purpose.
_NO_REMOVAL = ("rename", "undo of ")


def standing(layout: Layout) -> list[Tombstone]:
    """The tombstones in the order of their removal, the last one of each place. A manifest that is damaged, or a
    preimage that is gone, is no tombstone: undoing that run says what is wrong."""
    found: dict[str, Tombstone] = {}
    folders = sorted(layout.archive.iterdir()) if layout.archive.is_dir() else []
    removed: list[tuple[str, Tombstone]] = []
    for folder in folders:
        try:
            manifest = json.loads(read_or_none(folder / MANIFEST) or b"")
            run_id, started, why = manifest["run_id"], manifest["started_at"], manifest["reason"]
            gone = [f for f in manifest["files"] if f["op"] == "delete" and f["state"] == "written"]
            if not gone or why.startswith(_NO_REMOVAL):
                continue
            for file in gone:
                data = read_or_none(folder / file["path"])
                if data is None or sha256(data) != file["before"] or record_at(file["path"]) is None:
                    continue
                stone = Tombstone(file["path"], data.decode("utf-8"), run_id, file.get("reason") or why)
                removed.append((started, stone))
        except (OSError, StoreError, ValueError, KeyError, TypeError, AttributeError):
            continue
    for _, stone in sorted(removed, key=lambda pair: pair[0]):
        found.pop(stone.path, None)
        found[stone.path] = stone
    return [stone for path, stone in found.items() if not (layout.root / path).exists()]
