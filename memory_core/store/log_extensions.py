"""The extensions in a log of ours, read without the rest of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memory_core.errors import StoreError
from memory_core.sessions import pointer
from memory_core.sessions.fields import at, text_at
from memory_core.sessions.model import EntryKind
from memory_core.store.ordinary import open_binary


def extensions(path: Path) -> tuple[list[tuple[str, Any]], int]:
    """The extensions in a log as (domain, payload), and the line of the newest pointer; -1 where there is none. Empty
    for a log that is not there. StoreError when it cannot be read."""
    found: list[tuple[str, Any]] = []
    last = -1
    try:
        with open_binary(path) as stream:
            for number, line in enumerate(stream):
                value = _parsed(line) if b'"extension"' in line and line.endswith(b"\n") else None
                if text_at(value, "kind") == EntryKind.EXTENSION:
                    found.append((text_at(value, "domain"), at(value, "payload")))
                    last = number if pointer.pointers(found[-1:]) else last
    except FileNotFoundError:
        pass
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error
    return found, last


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
