"""What waits below the staging folder, one JSON file each: dead letters, runs for review, offered workflows.

A file goes by its name, whatever stands inside it. What the things mean is the business of the two jobs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, Self, TypeVar

from pydantic import ValidationError

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.records.slug import slug_problem
from memory_core.staging import DeadLetter, HeldRun, StoredOffer
from memory_core.store.files import is_id, read_or_none, remove, require_inside, write_whole

log = logging.getLogger(__name__)


class _Model(Protocol):
    @classmethod
    def model_validate_json(cls, json_data: bytes) -> Self: ...

    def model_copy(self, *, update: dict[str, str]) -> Self: ...

    def to_json(self) -> str: ...


M = TypeVar("M", bound=_Model)


@dataclass(frozen=True)
class Shelf(Generic[M]):
    """The files of one kind. `key`: the field that holds the file's name; `what`: one of them, in words; `is_name`:
    whether a name may be one of theirs."""

    folder: str
    model: type[M]
    key: str
    what: str
    is_name: Callable[[str], bool] = is_id

    def read(self, layout: Layout) -> list[M]:
        """All of them in the order of their names; one that cannot be read is said in the log and stays there."""
        found: list[M] = []
        for path in sorted((layout.staging / self.folder).glob("*.json")):
            try:
                item = self.model.model_validate_json(read_or_none(path) or b"")
            except (ValidationError, OSError, StoreError) as error:
                log.warning("%s is no %s that can be read (%s).", path, self.what, type(error).__name__)
                continue
            if self.is_name(path.stem):
                found.append(item.model_copy(update={self.key: path.stem}))
            else:
                log.warning("%s is no name of a %s: rename or remove it.", path, self.what)
        return found

    def write(self, layout: Layout, item: M) -> None:
        """Write one whole; the same name again replaces it."""
        path = self._path(layout, getattr(item, self.key))
        require_inside(layout.root, path)
        write_whole(path, item.to_json().encode("utf-8", "replace"))

    def remove(self, layout: Layout, names: Iterable[str]) -> None:
        for name in names:
            if self.is_name(name) and (path := self._path(layout, name)).is_file():
                require_inside(layout.root, path)
                remove(path)

    def _path(self, layout: Layout, name: str) -> Path:
        if not self.is_name(name):
            raise StoreError(f"`{name}` is no name of a {self.what}.")
        return layout.staging / self.folder / f"{name}.json"


LETTERS = Shelf("_dead", DeadLetter, "id", "dead letter")
REVIEWS = Shelf("_held", HeldRun, "run_id", "run for review")
OFFERS = Shelf("_offers", StoredOffer, "slug", "workflow offer", lambda name: slug_problem(name) is None)
