"""The resident context that was given last, kept in `cache/`: while no record changes, the next session gets it at
once, without a record being read or the code for it being loaded.

Disposable. Never used where a record belongs to one agent or session only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from memory_core.layout import Layout
from memory_core.store.ordinary import read_bytes

_VERSION = 1
_NAME = "resident-answer.json"


def kept(layout: Layout, key: str) -> dict[str, Any] | None:
    """What was kept under this key: `text`, and `records` for the usage event. None for anything else."""
    try:
        value = json.loads(read_bytes(layout.cache / _NAME))
        if value["version"] != _VERSION or value["key"] != key or not isinstance(value["text"], str):
            return None
        return {"text": value["text"], "records": list(value["records"])}
    except (OSError, ValueError, TypeError, LookupError):
        return None


def keep(layout: Layout, key: str, answer: Mapping[str, Any]) -> None:
    """Keep an answer in the place of the one before."""
    from memory_core.errors import StoreError
    from memory_core.store.files import require_inside, write_whole

    path = layout.cache / _NAME
    with suppress(OSError, StoreError):
        require_inside(layout.root, path)
        write_whole(path, json.dumps({"version": _VERSION, "key": key, **answer}).encode("ascii"), durable=False)
