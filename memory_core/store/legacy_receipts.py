"""Receipts of applied plans for legacy rows: what a plan did, and the way back. One file a plan, never trusted blindly.

Carries nothing out; `legacy_files` and `legacy_purge` do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.store.files import encode, is_plain_path, read_or_none, require_inside, write_whole

SCHEMA = 1
STATES = ("begun", "done", "rolling back", "rolled back", "purging", "purged")
_RUN = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Receipt:
    """What a plan did. `state`: one of `STATES`. `created`: hash by path of what it made; `sources`: (path, hash, where
    it was put or empty where it stays); `purged`: hash by path of what was deleted for good."""

    run: str
    plan_hash: str
    state: str
    counts: dict[str, int]
    created: dict[str, str]
    sources: tuple[tuple[str, str, str], ...]
    expired: tuple[str, ...] = ()
    ids: tuple[str, ...] = field(default=(), repr=False)
    purged: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        return json.dumps({"schema": SCHEMA, **asdict(self)}, ensure_ascii=False, indent=1) + "\n"


def receipts(layout: Layout) -> tuple[list[Receipt], dict[str, str]]:
    """All receipts, in order of their names, and what is wrong with the damaged ones, by path below the root. A damaged
    one hides no other; it may be the only way back, so it is never taken for nothing."""
    found: list[Receipt] = []
    damaged: dict[str, str] = {}
    for path in sorted(layout.receipts.glob("legacy-*.json")) if layout.receipts.is_dir() else ():
        try:
            receipt = _read(path)
        except StoreError as error:
            damaged[path.relative_to(layout.root).as_posix()] = str(error)
        else:
            found += [receipt] if receipt else []
    return found, damaged


def damaged_receipts(layout: Layout) -> Iterator[tuple[str, str]]:
    """Path and reason of each receipt that cannot be read."""
    yield from receipts(layout)[1].items()


def read_receipt(layout: Layout, run: str) -> Receipt | None:
    """The receipt of a run; None where there is none. StoreError for a damaged one."""
    return _read(_path(layout, run)) if _RUN.fullmatch(run) else None


def write_receipt(layout: Layout, receipt: Receipt) -> None:
    path = _path(layout, receipt.run)
    require_inside(layout.root, path)
    write_whole(path, encode(receipt.to_json(), path))


def _path(layout: Layout, run: str) -> Path:
    return layout.receipts / f"legacy-{run}.json"


def _read(path: Path) -> Receipt | None:
    data = read_or_none(path)
    if data is None:
        return None
    try:
        plain: dict[str, Any] = json.loads(data)
        if plain.pop("schema") != SCHEMA:
            raise ValueError("another schema")
        sources = tuple((str(a), str(b), str(c)) for a, b, c in plain.pop("sources"))
        expired, ids = tuple(plain.pop("expired")), tuple(plain.pop("ids"))
        receipt = Receipt(**plain, sources=sources, expired=expired, ids=ids)
        _require_believable(receipt, path.stem.removeprefix("legacy-"))
        return receipt
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise StoreError(f"{path} is damaged ({error}): restore it, it says what a plan did.") from None


def _require_believable(receipt: Receipt, run: str) -> None:
    """A receipt may come with a cloned repository: it names its own run, and files that a plan makes below the root.
    ValueError otherwise."""
    if receipt.run != run or not _RUN.fullmatch(run):
        raise ValueError("it is not named after its run")
    tables = (receipt.counts, receipt.created, receipt.purged)
    if receipt.state not in STATES or not all(isinstance(table, dict) for table in tables):
        raise ValueError("it is no receipt")
    if not all(type(number) is int for number in receipt.counts.values()):
        raise ValueError("its counts are no numbers")
    applied = f"memory/_legacy/_applied/{run}/"
    moved = [archived for _, _, archived in receipt.sources if archived]
    if not all(path.startswith(("sessions/", "memory/_staging/")) for path in map(str, receipt.created)):
        raise ValueError("it names files that no plan makes")  # records and settings are nobody's to take back here
    if not all(map(is_plain_path, [*receipt.created, *moved])) or not all(path.startswith(applied) for path in moved):
        raise ValueError("it names files that no plan makes")
    if not all(isinstance(digest, str) for digest in (*receipt.created.values(), *receipt.purged.values())):
        raise ValueError("it holds no hashes")
    copies = f"memory/_archive/legacy-{run}/"
    if not all(is_plain_path(path) and path.startswith((copies, applied)) for path in receipt.purged):
        raise ValueError("it names files that no purge deletes")
