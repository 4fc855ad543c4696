"""Records that were removed and are not back, as the archive's manifests have them.

Reads only: a tombstone is made by the commit that removes a record. It ends when there is a record at its place again,
and for good when the removed one itself was back there: what was renamed afterwards is not gone.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core.errors import StoreError
from memory_core.layout import Layout, record_at
from memory_core.ports import Tombstone
from memory_core.store.archive import MANIFEST
from memory_core.store.files import read_or_none, sha256

_UNDO = "undo of "  # and the id of a run: the reason of an undo, which is a run too


@dataclass(frozen=True, slots=True)
class _Run:
    folder: Path
    run_id: str
    started: str
    reason: str
    written: tuple[dict[str, Any], ...]  # what the manifest says of the files that it wrote


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """What a run did to a file."""

    run: _Run
    file: Mapping[str, Any]


def standing(layout: Layout) -> list[Tombstone]:
    """The tombstones in the order of their removal, the last one of each place. A manifest that is damaged, or a
    preimage that is gone, is no tombstone: undoing that run says what is wrong."""
    runs = _runs(layout)
    reasons = {run.run_id: run.reason for run in runs}
    found: list[tuple[str, Tombstone]] = []
    for path, steps in _histories(runs).items():
        last: tuple[_Step, Tombstone] | None = None
        for step in _in_order(steps) if any(step.file["op"] == "delete" for step in steps) else ():
            if last and last[0].file["before"] in (step.file["before"], step.file["after"]):
                last = None  # it was there again, brought back by this run or before it
            if step.file["op"] == "delete" and _removes(step.run.reason, reasons):
                last = (step, stone) if (stone := _stone(step.run, step.file)) else last
        if last and not (layout.root / path).exists():
            found.append((last[0].run.started, last[1]))
    return [stone for _, stone in sorted(found, key=lambda pair: pair[0])]


def _in_order(steps: Sequence[_Step]) -> Iterator[_Step]:
    """What was done to one file, in the order in which it can have been. A clock may have been set back in between:
    what a run found there tells what came before it, and an undo comes behind what it undoes."""
    undoes = {step.run.run_id: step.run.reason.removeprefix(_UNDO) for step in steps}
    rest, there = list(steps), object()
    while rest:
        left, made = {step.run.run_id for step in rest}, {step.file["after"] for step in rest} - {None}
        free = (undoes[name] not in left or undoes[undoes[name]] == name for name in (s.run.run_id for s in rest))
        ready = [step for step, is_free in zip(rest, free, strict=True) if is_free] or rest
        follows = (step for step in ready if step.file["before"] == there)
        begins = (step for step in ready if step.file["before"] not in made)
        step = next(follows, None) or next(begins, None) or ready[0]
        rest.remove(step)
        there = step.file["after"]
        yield step


def removals(layout: Layout) -> dict[str, frozenset[str] | None]:
    """The places from which a run took a record away, for good or not, a rename included. None where no run wrote there
    since; else the ids of the runs until the removal: what later ones made there is another record."""
    found: dict[str, frozenset[str] | None] = {}
    for path, steps in _histories(_runs(layout)).items():
        ordered = list(_in_order(steps)) if any(step.file["op"] == "delete" for step in steps) else []
        last = max((n for n, step in enumerate(ordered) if step.file["op"] == "delete"), default=None)
        if last is not None:
            until = frozenset(step.run.run_id for step in ordered[: last + 1])
            found[path] = until if last + 1 < len(ordered) else None
    return found


def _runs(layout: Layout) -> list[_Run]:
    folders = sorted(layout.archive.iterdir()) if layout.archive.is_dir() else []
    return [run for folder in folders if (run := _run(folder)) is not None]


def _histories(runs: Sequence[_Run]) -> dict[str, list[_Step]]:
    """What runs did to each file, by the time at which they began."""
    histories: defaultdict[str, list[_Step]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: run.started):
        for file in run.written:
            histories[file["path"]].append(_Step(run, file))
    return histories


def _run(folder: Path) -> _Run | None:
    """A run of the archive; None where its manifest cannot be read."""
    try:
        data = json.loads(read_or_none(folder / MANIFEST) or b"")
        files = tuple(file for file in data["files"] if file["state"] == "written")
        about = data["run_id"], data["started_at"], data["reason"]
        texts = [*about, *(file[key] for file in files for key in ("op", "path"))]
        hashes = [file[key] for file in files for key in ("before", "after")]
        known = all(isinstance(text, str) for text in texts) and all(isinstance(h, str | None) for h in hashes)
        return _Run(folder, *about, files) if known else None
    except (OSError, StoreError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _removes(reason: str, reasons: Mapping[str, str]) -> bool:
    """Whether what a run took away was removed by it. A rename takes nothing away, and whoever undoes a run stages its
    candidates again on purpose; who undoes that does once more what was undone."""
    for _ in reasons:
        undone = reasons.get(reason.removeprefix(_UNDO), "")
        if not (reason.startswith(_UNDO) and undone.startswith(_UNDO)):
            break
        reason = reasons.get(undone.removeprefix(_UNDO), _UNDO)
    return not is_way_back(reason)


def is_way_back(reason: str) -> bool:
    """Whether the reason of a run is that of one after which nothing counts as removed."""
    return reason.startswith(("rename", _UNDO))


def _stone(run: _Run, file: Mapping[str, Any]) -> Tombstone | None:
    """The tombstone of a record that a run removed; None where its text is not in the archive as it was."""
    path = file["path"]
    try:
        data = read_or_none(run.folder / path) if record_at(path) else None
        if data is None or sha256(data) != file["before"]:
            return None
        return Tombstone(path, data.decode("utf-8"), run.run_id, file.get("reason") or run.reason, run.started)
    except (OSError, StoreError, ValueError):
        return None
