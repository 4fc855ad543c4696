"""Staging on disk: candidate files, how each candidate was closed, and which are still open.

A candidate leaves staging only by a resolution; its file goes when no open one is left, into the archive of the run.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Sequence
from pathlib import Path

from pydantic import ValidationError

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.ports import RunSummary, StagingArea
from memory_core.staging import Resolution, StagingFile
from memory_core.store.archive import run_folder
from memory_core.store.files import append_lines, is_id, lines_of, read_or_none, remove, write_whole
from memory_core.text import counted

log = logging.getLogger(__name__)


def read_area(layout: Layout) -> StagingArea:
    """What is staged. Files whose candidates are all closed (a crash left them) are not in it."""
    closed = closed_candidates(layout)
    files: list[StagingFile] = []
    invalid: list[tuple[str, str]] = []
    still_open: set[str] = set()
    size = 0
    for path in _paths(layout):
        try:
            file, length = read_file(path)
        except StoreError as error:
            invalid.append((path.name, str(error)))
            continue
        mine = {ref.id for ref in file.candidates()} - closed.keys()
        if mine:
            files.append(file)
            still_open |= mine
            size += length
    return StagingArea(tuple(files), frozenset(still_open), tuple(invalid), size)


def read_file(path: Path) -> tuple[StagingFile, int]:
    """A staging file and its size in bytes; its id is its file name. StoreError saying what is wrong with it."""
    data = read_or_none(path)
    if data is None:
        raise StoreError(f"{path} is gone.")
    if not is_id(path.stem):
        raise StoreError(f"{path}: the file name is no staging id; rename or remove it.")
    try:
        file = StagingFile.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise StoreError(f"{path}: {place}: {first['msg']}; repair or remove it.") from error
    return file.model_copy(update={"id": path.stem}), len(data)


def write_file(layout: Layout, file: StagingFile) -> None:
    """Write a staging file whole; the same id again replaces it."""
    if not is_id(file.id):
        raise StoreError(f"`{file.id}` is no staging id.")
    write_whole(layout.staging / f"{file.id}.json", file.to_json().encode("utf-8", "replace"))


def close(layout: Layout, resolutions: Sequence[Resolution]) -> None:
    """Append the resolutions by one durable write, then archive and remove files without open candidates.

    In this order a crash leaves a file too many, never a candidate that vanished without a word.
    """
    if resolutions:
        lines = "".join(resolution.model_dump_json(exclude_none=True) + "\n" for resolution in resolutions)
        append_lines(layout.resolutions, lines, sync=True)
    closed = {candidate: resolution.run_id for candidate, resolution in closed_candidates(layout).items()}
    for path in _paths(layout):
        try:
            file, _ = read_file(path)
        except StoreError as error:
            log.warning("A staging file is kept as it is: %s", error)
            continue
        ids = [ref.id for ref in file.candidates()]
        if all(candidate in closed for candidate in ids):
            run_id = next((closed[candidate] for candidate in reversed(ids) if closed[candidate]), None)
            _archive(layout, path, run_id or "closed")


def closed_candidates(layout: Layout) -> dict[str, Resolution]:
    """How each closed candidate was closed. The last line about a candidate counts: `kept` opens it again."""
    last = {resolution.candidate: resolution for resolution in read_resolutions(layout)}
    return {candidate: resolution for candidate, resolution in last.items() if resolution.action != "kept"}


def closing_runs(layout: Layout, known: Collection[str]) -> list[RunSummary]:
    """The runs that closed candidates, which are still closed, without writing a record; none of those `known`."""
    closed: dict[str, list[Resolution]] = {}
    for resolution in closed_candidates(layout).values():
        if resolution.run_id and resolution.run_id not in known:
            closed.setdefault(resolution.run_id, []).append(resolution)
    return [
        RunSummary(run_id, min(r.recorded_at for r in found), f"closed {counted(len(found), 'candidate')}", 0)
        for run_id, found in closed.items()
    ]


def reopen(layout: Layout, resolutions: Sequence[Resolution]) -> None:
    """Bring archived staging files back, then append `resolutions`, which open their candidates again.

    In this order a crash leaves a file whose candidates are still closed, which reading leaves out. A file lies with
    the run that closed its last candidate, which need not be the run that is undone.
    """
    for name in sorted({resolution.candidate.split("/", 1)[0] for resolution in resolutions}):
        if not is_id(name) or (layout.staging / f"{name}.json").exists():
            continue
        archived = sorted(layout.archive.glob(f"*/memory/_staging/{name}.json"))
        data = read_or_none(archived[-1]) if archived else None
        if data is not None:
            write_whole(layout.staging / f"{name}.json", data)
    if resolutions:
        lines = "".join(resolution.model_dump_json(exclude_none=True) + "\n" for resolution in resolutions)
        append_lines(layout.resolutions, lines, sync=True)


def _archive(layout: Layout, path: Path, run_id: str) -> None:
    data = read_or_none(path)
    if data is not None:
        write_whole(run_folder(layout.archive, run_id) / "memory/_staging" / path.name, data)
        remove(path)


def read_resolutions(layout: Layout) -> list[Resolution]:
    """All resolutions, in order; lines that cannot be read are said in the log, their candidates stay open."""
    data = read_or_none(layout.resolutions)
    found: list[Resolution] = []
    for number, line in enumerate(lines_of(data or b""), 1):
        try:
            found.append(Resolution.model_validate(_upgraded(json.loads(line))))
        except ValueError:
            log.warning("%s: line %d cannot be read and is left out.", layout.resolutions, number)
    return found


def _upgraded(data: object) -> object:
    """Lines of the older layout say `candidate_id`."""
    if isinstance(data, dict) and "candidate" not in data and "candidate_id" in data:
        return {**data, "candidate": data["candidate_id"]}
    return data


def _paths(layout: Layout) -> list[Path]:
    """The staging files in the order of their ids, which is the order of time."""
    try:
        found = [path for path in layout.staging.iterdir() if path.suffix == ".json" and not path.name.startswith(".")]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{layout.staging} cannot be listed ({error.strerror}): check its permissions.") from error
    return sorted(found, key=lambda path: path.name)
