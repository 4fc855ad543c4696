"""Expired legacy rows deleted for good: the one thing here that nothing takes back, and so a step of its own.

Rows that were kept stay readable: they are written out before the copies that hold them go. What lies outside the
memory root belongs to its program and is never touched.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from memory_core.errors import Refused
from memory_core.layout import Layout
from memory_core.legacy.plan import Plan, read_plan
from memory_core.legacy.row import Row
from memory_core.store.files import read_or_none, remove, require_inside, write_whole
from memory_core.store.legacy_files import backup, read_backups, run_folder
from memory_core.store.legacy_receipts import Receipt, read_receipt, write_receipt
from memory_core.store.legacy_sources import read_sources
from memory_core.text import counted

KEPT = "kept.jsonl"


@dataclass(frozen=True)
class Purge:
    """What would go and what stays. `files`: hash by path of what is deleted; `rows`: how many rows go with it for
    good; `kept`: how many are written out; `elsewhere`: sources that hold such rows and are not ours to touch."""

    run: str
    files: dict[str, str]
    rows: int
    kept: int
    elsewhere: tuple[str, ...]


def planned(layout: Layout, run: str, *, everything: bool = False) -> Purge:
    """What a purge of a run would do. `everything`: also the rows that were kept. StoreError where it cannot be done:
    no such run, nothing expired, or a kept row whose bytes are only in the source."""
    receipt = _receipt(layout, run)
    kept = () if everything else _kept(layout, receipt)
    damaged = [row for row in kept if row.damaged]
    if damaged:
        what = counted(len(damaged), "damaged row")
        raise Refused(
            f"Plan {run} keeps {what}, whose bytes only the source has: add --kept-too, or leave it. Nothing was done."
        )
    if not everything and not receipt.expired and receipt.state == "done":
        raise Refused(f"Plan {run} expired no row: there is nothing to purge.")
    files = {path: digest for path in _paths(layout, receipt) if (digest := _hash(layout.root / path))}
    rows = _going(layout, receipt, files, everything=everything)
    elsewhere = tuple(name for name, _, archived in receipt.sources if not archived)
    return Purge(run, files or dict(receipt.purged), rows, len(kept), elsewhere)


def purge(layout: Layout, run: str, *, everything: bool = False) -> Purge:
    """Delete it. What goes is in the receipt before the first file does; a purge that died is finished by the same
    call, and one that is done changes nothing."""
    receipt = _receipt(layout, run)
    done = planned(layout, run, everything=everything)
    if receipt.state == "purged":
        return done
    if not everything and receipt.state == "done":
        path = run_folder(layout, run) / KEPT
        require_inside(layout.root, path)
        write_whole(path, _lines(_kept(layout, receipt)))
    if receipt.state == "done":
        receipt = replace(receipt, state="purging", purged=done.files)
        write_receipt(layout, receipt)
    for name in receipt.purged:
        path = layout.absolute(name)
        require_inside(layout.root, path)
        remove(path)
    write_receipt(layout, replace(receipt, state="purged"))
    return done


def kept_path(layout: Layout, run: str) -> Path:
    """Where the kept rows of a purged run are."""
    return run_folder(layout, run) / KEPT


def _receipt(layout: Layout, run: str) -> Receipt:
    receipt = read_receipt(layout, run)
    if receipt is None:
        raise Refused(f"There is no receipt `{run}`: `omoide legacy list` shows them.")
    if receipt.state not in ("done", "purging", "purged"):
        raise Refused(f"Plan {run} is {receipt.state}: only what is done can be purged.")
    return receipt


def kept_rows(layout: Layout, run: str) -> tuple[Row, ...]:
    """The kept rows of a purged run, with the place and so the id that each had before; none where none were kept."""
    path = kept_path(layout, run)
    lines = (read_or_none(path) or b"").split(b"\n")
    return tuple(_placed(row, lines[row.line]) for row in (read_sources(layout, [path]).rows if path.exists() else ()))


def _placed(row: Row, line: bytes) -> Row:
    """A row with the place that its line names; one that somebody damaged stays where it is read."""
    try:
        told = json.loads(line)
        source, number = told["source"], told["line"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return row
    return replace(row, source=source, line=number) if isinstance(source, str) and type(number) is int else row


def _kept(layout: Layout, receipt: Receipt) -> tuple[Row, ...]:
    """The rows that the plan left where they were; after a purge has begun they are written out already."""
    if receipt.state != "done":
        return ()
    plan = _plan(layout, receipt.run)
    wanted = {(item.source, item.id) for item in plan.having("kept")}
    return tuple(row for row in read_backups(layout, receipt.run, plan) if (row.source, row.id) in wanted)


def _plan(layout: Layout, run: str) -> Plan:
    data = read_or_none(run_folder(layout, run) / "plan.json")
    if data is None:
        raise Refused(f"The archive of plan {run} is not whole (plan.json is gone): nothing was done.")
    return read_plan(data.decode("utf-8", "replace"))


def _going(layout: Layout, receipt: Receipt, files: Collection[str], *, everything: bool) -> int:
    """How many rows go with some files. The plan in the archive says what each file held, and it is the plan that was
    applied; a receipt can be edited. StoreError where the receipt names other sources than it."""
    wanted = ("expired", "kept") if everything else ("expired",)
    if receipt.state != "done":  # begun before, when it was looked at; what is gone cannot be counted again
        return sum(receipt.counts.get(name, 0) for name in wanted)
    plan = _plan(layout, receipt.run)
    if plan.hash[:16] != receipt.run:
        raise Refused(f"The archive of plan {receipt.run} holds another plan: restore its plan.json. Nothing was done.")
    if {item.path for item in plan.sources} != {name for name, _, _ in receipt.sources}:
        raise Refused(
            f"The receipt of plan {receipt.run} names other sources than its plan: restore it. Nothing was done."
        )
    held = {name for name, _, _ in receipt.sources if _copy(layout, receipt, name) in files}
    return sum(1 for row in plan.rows if row.disposition in wanted and row.source in held)


def _copy(layout: Layout, receipt: Receipt, name: str) -> str:
    return backup(layout, receipt.run, name).relative_to(layout.root).as_posix()


def _paths(layout: Layout, receipt: Receipt) -> list[str]:
    copies = [backup(layout, receipt.run, name) for name, _, _ in receipt.sources]
    own = [*copies, run_folder(layout, receipt.run) / "expired.jsonl"]
    paths = [path.relative_to(layout.root).as_posix() for path in own]
    return sorted({*paths, *(archived for _, _, archived in receipt.sources if archived)})


def _hash(path: Path) -> str:
    data = read_or_none(path)
    return hashlib.sha256(data).hexdigest() if data is not None else ""


def _lines(rows: Iterable[Row]) -> bytes:
    """Rows as lines that `legacy list --rows` reads back, each with the place it had."""
    lines = []
    for row in rows:
        plain = {**asdict(row), "timestamp": row.at}
        lines.append({name: value for name, value in plain.items() if value != "" and name != "at"})
    return "".join(json.dumps(line, ensure_ascii=True) + "\n" for line in lines).encode("ascii")
