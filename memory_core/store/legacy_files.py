"""A plan for legacy rows carried out and taken back: backup, receipt, targets, archive, in this order, each step once.

Decides nothing about rows. What was begun and died is finished by the same call; nothing here deletes without a copy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from memory_core.errors import Refused, StoreError
from memory_core.layout import Layout
from memory_core.legacy.plan import Plan, refusals
from memory_core.legacy.row import Row
from memory_core.legacy.targets import Target, expired_lines, targets_of
from memory_core.sessions import pointer
from memory_core.sessions.fields import text_at
from memory_core.sessions.model import EntryKind
from memory_core.store.files import read_or_none, remove, require_inside, write_whole
from memory_core.store.legacy_receipts import Receipt, read_receipt, receipts, write_receipt
from memory_core.store.legacy_sources import located, read_sources, shown


def run_of(plan: Plan) -> str:
    """The name of a plan's run: the same plan is the same run."""
    return plan.hash[:16]


def apply(layout: Layout, plan: Plan, counts: dict[str, int]) -> Receipt:
    """Carry a plan out; StoreError when anything is not as the plan expects, before the first write. A plan that was
    applied already changes nothing; one that died on the way is finished."""
    run = run_of(plan)
    receipt = read_receipt(layout, run)
    if receipt and receipt.state == "done":
        return receipt
    if receipt and receipt.state in ("rolling back", "rolled back"):
        raise Refused(f"Plan {run} was taken back: make a new one.")
    if receipt and receipt.state in ("purging", "purged"):
        raise Refused(f"Plan {run} was applied and purged: make a new one.")
    begun = receipt is not None
    _require_unchanged(layout, plan, begun=begun)
    rows = read_backups(layout, run, plan)
    if why := refusals(plan, rows):
        raise Refused(f"The plan was not applied: {'; '.join(why[:5])}. Make a new one.")
    targets = targets_of(plan, rows, run)
    _require_free(layout, targets, begun=begun)
    receipt = Receipt(
        run,
        plan.hash,
        "begun",
        counts,
        {target.path: target.sha256 for target in targets},
        tuple((item.path, item.sha256, _archived_name(layout, run, item.path)) for item in plan.sources),
        tuple(item.id for item in plan.having("expired")),
        tuple(item.id for item in plan.rows),
    )
    _private(layout)
    for item in plan.sources:
        _write_once(layout, backup(layout, run, item.path), _bytes(_copy_or_source(layout, run, item.path)))
    _write_once(layout, run_folder(layout, run) / "plan.json", plan.to_json().encode("utf-8"))
    write_receipt(layout, receipt)
    if receipt.expired:
        _write_once(layout, run_folder(layout, run) / "expired.jsonl", expired_lines(plan, rows))
    for target in targets:
        _write_once(layout, layout.absolute(target.path), target.data)
    for name, _, archived in receipt.sources:
        _put_away(layout, located(layout, name), archived)
    receipt = replace(receipt, state="done")
    write_receipt(layout, receipt)
    return receipt


def roll_back(layout: Layout, run: str) -> tuple[Receipt, list[str]]:
    """Take a run back: (receipt, nothing) when that is done, or the files that changed since, when nothing was done."""
    receipt = read_receipt(layout, run)
    if receipt is None:
        raise Refused(f"There is no receipt `{run}`: `omoide legacy list` shows them.")
    if receipt.state == "rolled back":
        return receipt, []
    if receipt.state in ("purging", "purged"):
        raise Refused(f"Plan {run} was purged: there is nothing left to take it back with.")
    resumed = receipt.state in ("rolling back", "begun")
    if changed := _changed(layout, receipt, resumed=resumed):
        return receipt, changed
    receipt = replace(receipt, state="rolling back")
    write_receipt(layout, receipt)
    for name, _, archived in receipt.sources:
        source = located(layout, name)
        if archived and not source.exists():
            require_inside(layout.root, source)
            write_whole(source, _bytes(backup(layout, run, name)), exclusive=True)
        if archived:
            remove(layout.absolute(archived))
    for path in receipt.created:
        remove(layout.absolute(path))
    receipt = replace(receipt, state="rolled back")
    write_receipt(layout, receipt)
    return receipt, []


def read_backups(layout: Layout, run: str, plan: Plan) -> tuple[Row, ...]:
    """The rows of a plan's sources under the names the plan has for them, from their copies as far as there are any."""
    rows = read_sources(layout, [_copy_or_source(layout, run, item.path) for item in plan.sources]).rows
    return tuple(replace(row, source=_named(layout, run, plan, row.source)) for row in rows)


def legacy_ids(layout: Layout) -> list[str]:
    """Ids under which an enricher of an older memory may hold copies of rows."""
    waiting = read_sources(layout).rows
    ids = {row.key for row in waiting if row.key} | {row.id for row in waiting}
    return sorted(ids | {known for receipt in receipts(layout)[0] for known in receipt.ids})


def rows_of_applied(layout: Layout, receipt: Receipt) -> tuple[Row, ...]:
    """The rows of an applied plan, from the copies of its sources: with the source and so the id that they had before,
    for the one reader of such rows."""
    copies = {backup(layout, receipt.run, name): name for name, _, _ in receipt.sources}
    names = {shown(layout, copy): name for copy, name in copies.items()}
    return tuple(replace(row, source=names[row.source]) for row in read_sources(layout, copies).rows)


def _require_unchanged(layout: Layout, plan: Plan, *, begun: bool) -> None:
    run = run_of(plan)
    for item in plan.sources:
        path = _copy_or_source(layout, run, item.path) if begun else located(layout, item.path)
        data = read_or_none(path)
        if data is None:
            raise Refused(f"{item.path} is gone since the plan was made: nothing was done.")
        if hashlib.sha256(data).hexdigest() != item.sha256:
            raise Refused(f"{item.path} changed since the plan was made: nothing was done; make a new plan.")


def _require_free(layout: Layout, targets: Iterable[Target], *, begun: bool) -> None:
    for target in targets:
        path = layout.absolute(target.path)
        require_inside(layout.root, path)
        there = read_or_none(path)
        if there is not None and not (begun and there == target.data):
            raise Refused(f"{target.path} exists already: nothing was done.")


def _changed(layout: Layout, receipt: Receipt, *, resumed: bool) -> list[str]:
    """What is not as the run left it. A run that died may have left things undone, and that is no change."""
    found = []
    for path, digest in receipt.created.items():
        require_inside(layout.root, layout.absolute(path))
        data = read_or_none(layout.absolute(path))
        if (data is None and not resumed) or (data is not None and not _is_as_left(data, digest)):
            found.append(path)
    for name, digest, archived in receipt.sources:
        there = read_or_none(located(layout, name))
        if archived and there is not None and hashlib.sha256(there).hexdigest() != digest:
            found.append(name)  # something new lies where the source would come back
        if archived:
            require_inside(layout.root, layout.absolute(archived))
            if located(layout, name).parent != layout.legacy:
                raise StoreError(f"The receipt {receipt.run} names a source that no plan moves ({name}).")
            put = read_or_none(layout.absolute(archived))
            if put is not None and hashlib.sha256(put).hexdigest() != digest:
                found.append(archived)
        kept = read_or_none(backup(layout, receipt.run, name))
        if archived and there is None and (kept is None or hashlib.sha256(kept).hexdigest() != digest):
            found.append(backup(layout, receipt.run, name).relative_to(layout.root).as_posix())
    return found


def _is_as_left(data: bytes, digest: str) -> bool:
    """Whether a file is what a run made of it, with nothing behind it but how far an extract of ours read it."""
    lines = data.splitlines(keepends=True)
    while hashlib.sha256(data).hexdigest() != digest:
        if not lines or not _is_pointer(lines.pop()):
            return False
        data = b"".join(lines)
    return True


def _is_pointer(line: bytes) -> bool:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return text_at(value, "kind") == EntryKind.EXTENSION and text_at(value, "domain").startswith(pointer.DOMAIN)


def _put_away(layout: Layout, source: Path, archived: str) -> None:
    """Move a source below the archive without replacing anything there. One of another program stays where it is."""
    if not archived or not source.exists():
        return
    target = layout.absolute(archived)
    _write_once(layout, target, _bytes(source))
    remove(source)


def _archived_name(layout: Layout, run: str, name: str) -> str:
    """Where a source goes: only what lies in `memory/_legacy` is ours to move."""
    source = located(layout, name)
    return f"memory/_legacy/_applied/{run}/{source.name}" if source.parent == layout.legacy else ""


def _copy_or_source(layout: Layout, run: str, name: str) -> Path:
    copy = backup(layout, run, name)
    return copy if copy.exists() else located(layout, name)


def _named(layout: Layout, run: str, plan: Plan, shown: str) -> str:
    """The name that a plan has for a source that was read from its backup."""
    copies = {
        backup(layout, run, item.path).relative_to(layout.workspace).as_posix(): item.path for item in plan.sources
    }
    return copies.get(shown, shown)


def backup(layout: Layout, run: str, name: str) -> Path:
    """Two sources may have the same file name, so the place of each is in the name of its copy."""
    place = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    return run_folder(layout, run) / f"{place}-{Path(name).name}"


def run_folder(layout: Layout, run: str) -> Path:
    return layout.archive / f"legacy-{run}"


def _bytes(path: Path) -> bytes:
    data = read_or_none(path)
    if data is None:
        raise StoreError(f"{path} is gone.")
    return data


def _write_once(layout: Layout, path: Path, data: bytes) -> None:
    """Make a file, or see that it is there already; StoreError when something else is."""
    require_inside(layout.root, path)
    there = read_or_none(path)
    if there is None:
        write_whole(path, data, exclusive=True)
    elif there != data:
        raise Refused(f"{path} is there with other content: nothing of it was replaced.")


def _private(layout: Layout) -> None:
    """Keep rows out of git also in a root that was made before there were any."""
    for folder in (layout.legacy, layout.receipts):
        path = folder / ".gitignore"
        require_inside(layout.root, path)
        if not path.exists():
            write_whole(path, b"*\n")
