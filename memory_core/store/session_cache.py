"""What was learned of session logs the last time, kept in a file, so that an unchanged log is not opened again.

Disposable: without it every answer is the same, only slower. Knows when something it keeps is old; what it keeps is
decided by those who ask.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from memory_core.errors import StoreError
from memory_core.store.files import require_inside, write_whole
from memory_core.store.ordinary import read_bytes

log = logging.getLogger(__name__)

# Raised when a reader or a look changes what it answers for the same bytes.
VERSION = 5


class SessionCache:
    """Answers about files by question and path. `name`: what else they depend on, so that answers for another
    workspace or an older version of this code are not taken. `path` None: nothing is kept."""

    def __init__(self, path: Path | None, name: str) -> None:
        self._path = path
        self._name = f"{VERSION}\n{name}"
        self._known = self._load()
        self._seen: set[str] = set()
        self._changed = False
        self.damaged = 0

    def answer(
        self,
        question: str,
        files: Iterable[Path],
        compute: Callable[[], Any],
        sound: Callable[[Any], bool] = lambda _: True,
    ) -> Any:
        """What `compute` answered (plain JSON data) when the files were as they are now, else what it answers now. An
        error of it is not kept. `sound`: whether a kept answer is one that `compute` could have given; one that is not
        was damaged, counts in `damaged`, and is worked out anew."""
        paths = list(files)
        key = "\n".join((question, *map(str, paths)))
        self._seen.add(key)
        stamp = [_stamp(path) for path in paths]
        known = self._known.get(key)
        if known and known[0] == stamp:
            if sound(known[1]):
                return known[1]
            self.damaged += 1
        value = compute()
        self._known[key] = [stamp, value]
        self._changed = True
        return value

    def save(self) -> None:
        """Keep what was learned. Answers about files that nobody asked for this time are dropped when their files are
        gone. A cache that cannot be written is said in the log and missed by nobody."""
        if not self._changed or self._path is None:
            return
        if self.damaged:
            log.warning("%s was damaged in %d places: they were made anew from the logs.", self._path, self.damaged)
            self.damaged = 0
        kept = {
            key: value
            for key, value in self._known.items()
            if key in self._seen or os.path.exists(key.split("\n")[1])  # noqa: PTH110 - raises for no odd name
        }
        data = json.dumps({"name": self._name, "answers": kept}, ensure_ascii=False)
        try:
            require_inside(self._path.parent.parent, self._path)
            write_whole(self._path, data.encode("utf-8", "surrogatepass"))
            self._changed = False
        except (OSError, StoreError, ValueError) as error:
            log.debug("what was learned of the session logs is not kept: %s", error)

    def _load(self) -> dict[str, list[Any]]:
        try:
            data = json.loads(read_bytes(self._path)) if self._path else None
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(data, dict) or data.get("name") != self._name or not isinstance(data.get("answers"), dict):
            return {}
        return {key: value for key, value in data["answers"].items() if isinstance(value, list) and len(value) == 2}


def has_types(value: Any, types: Mapping[str, tuple[type, ...]]) -> bool:
    """Whether a value from outside is an object with exactly these fields, each of one of its types."""
    return (
        isinstance(value, dict)
        and value.keys() == types.keys()
        and all(type(value[name]) in wanted for name, wanted in types.items())
    )


def _stamp(path: Path) -> list[int]:
    """What changes when a file does; of a database also its write-ahead log."""
    stamp: list[int] = []
    for name in (path, path.with_name(path.name + "-wal")) if path.suffix in (".db", ".sqlite") else (path,):
        try:
            found = os.stat(name)  # noqa: PTH116 - as above
            stamp += [found.st_mtime_ns, found.st_size, found.st_ino]
        except (OSError, ValueError):
            stamp += [0, 0, 0]
    return stamp
