"""Staging on disk: candidate files, and which of their candidates are still open.

A candidate leaves staging only by a resolution; its file goes when no open one is left, into the archive of the run.
"""

from __future__ import annotations

import contextlib
import json
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.ports import StagingArea
from memory_core.staging import CandidateRef, Resolution, StagingFile, words_hash
from memory_core.store import process
from memory_core.store.archive import run_folder
from memory_core.store.closed import Closed, read_closed, read_resolutions
from memory_core.store.files import append_lines, is_id, opened_to_write, read_or_none, remove, write_whole

log = logging.getLogger(__name__)

CLOSED = "closed"  # where the archive has the files of candidates that no run closed


def read_area(layout: Layout) -> StagingArea:
    """What is staged. Files whose candidates are all closed (a crash left them) are not in it."""
    closed = read_closed(layout)
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
        mine = closed.open_in(file)
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


def amend(layout: Layout, candidate: str, fields: Mapping[str, Any]) -> None:
    """Put fields into a candidate where it stands; None takes one out. Whatever else is in the file stays, also what is
    not known here. StoreError where there is no such candidate."""
    name, array, number = candidate.split("/")
    path = layout.staging / f"{name}.json"
    with alone(layout):
        read_file(path)
        data = json.loads(read_or_none(path) or b"{}")
        entry: dict[str, Any] = data[array][int(number)]
        entry.update(fields)
        data[array][int(number)] = {key: value for key, value in entry.items() if value is not None}
        write_whole(path, (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace"))


def close(layout: Layout, resolutions: Sequence[Resolution]) -> frozenset[str]:
    """Append the resolutions by one durable write, then archive and remove files without open candidates. What somebody
    closed before stays as that one closed it; the candidates of which this is so.

    In this order a crash leaves a file too many, never a candidate that vanished without a word.
    """
    with alone(layout):
        before = read_closed(layout)
        known = [_knowing(layout, resolution) for resolution in resolutions]
        _append(layout, [resolution for resolution in known if not before.holds(resolution)])
        closed = read_closed(layout)
        for path in _paths(layout):
            try:
                file, _ = read_file(path)
            except StoreError as error:
                log.warning("A staging file is kept as it is: %s", error)
                continue
            if not closed.open_in(file):
                _archive(layout, path, _last_run(closed, file) or CLOSED)
    return frozenset(resolution.candidate for resolution in known if before.holds(resolution))


def reopen(layout: Layout, resolutions: Sequence[Resolution]) -> None:
    """Bring archived staging files back, then append `resolutions`, which open their candidates again. What
    `not_to_be_had` names must not be among them.

    In this order a crash leaves a file whose candidates are still closed, which reading leaves out.
    """
    with alone(layout):
        archived = _archived(layout)
        for name in sorted({resolution.candidate.split("/", 1)[0] for resolution in resolutions}):
            path = layout.staging / f"{name}.json"
            if not path.exists() and (data := archived(name)) is not None:
                write_whole(path, data)
        _append(layout, resolutions)


def not_to_be_had(layout: Layout, resolutions: Sequence[Resolution]) -> frozenset[str]:
    """The candidates of which neither staging nor the archive holds a file that can be read: nothing opens them."""
    names = {resolution.candidate.split("/", 1)[0] for resolution in resolutions}
    archived = _archived(layout)
    gone = {name for name in names if not _is_staged(layout, name) and archived(name) is None}
    return frozenset(r.candidate for r in resolutions if r.candidate.split("/", 1)[0] in gone)


def words_of(layout: Layout, resolutions: Sequence[Resolution]) -> list[tuple[Resolution, CandidateRef]]:
    """What closed candidates said, as far as their files can be read."""
    if not resolutions:
        return []
    closed, wanted, archived = read_closed(layout), set(resolutions), _archived(layout)
    found: list[tuple[Resolution, CandidateRef]] = []
    for name in dict.fromkeys(resolution.candidate.split("/", 1)[0] for resolution in resolutions):
        data = read_or_none(layout.staging / f"{name}.json") if _is_staged(layout, name) else archived(name)
        with contextlib.suppress(ValidationError):
            file = StagingFile.model_validate_json(data or b"").model_copy(update={"id": name})
            how = closed.in_file(file)
            found += [(how[ref.id], ref) for ref in file.candidates() if how.get(ref.id) in wanted]
    return found


def archived_files(layout: Layout, names: Iterable[str]) -> dict[str, bytes]:
    """The staging files of these names as they were archived last, as far as a copy can be read."""
    archived = _archived(layout)
    return {name: data for name in names if (data := archived(name)) is not None}


def _is_staged(layout: Layout, name: str) -> bool:
    return is_id(name) and (layout.staging / f"{name}.json").exists()


def _archived(layout: Layout) -> Callable[[str], bytes | None]:
    """Finds the staging file of a name as it was archived last; None where no copy can be read. A file lies with a run
    that closed a candidate of it, and the order of these is that of their lines: clocks and names of runs tell nothing.
    Log and archive are looked through once, since a store keeps all that was ever closed."""
    closing: defaultdict[str, list[str]] = defaultdict(list)
    for resolution in read_resolutions(layout):
        closing[resolution.candidate.split("/", 1)[0]].append(resolution.run_id or CLOSED)
    holding: defaultdict[str, list[str]] = defaultdict(list)
    for path in layout.archive.glob("*/memory/_staging/*.json"):
        holding[path.stem].append(path.parents[2].name)

    def find(name: str) -> bytes | None:
        if not is_id(name):
            return None
        for run_id in dict.fromkeys([*reversed(closing[name]), CLOSED, *sorted(holding[name], reverse=True)]):
            path = layout.archive / run_id / "memory/_staging" / f"{name}.json"
            with contextlib.suppress(StoreError):
                if is_id(run_id) and run_id in holding[name]:
                    read_file(path)
                    return read_or_none(path)
        return None

    return find


def _last_run(closed: Closed, file: StagingFile) -> str | None:
    """The run that closed the last of a file's candidates, of those that a run closed."""
    mine = list(closed.in_file(file).values())
    return next((r.run_id for r in reversed(closed.standing) if r.run_id and r in mine), None)


def _knowing(layout: Layout, resolution: Resolution) -> Resolution:
    """A resolution that knows what it is about: where whoever closed it did not say, what stands there now. What a
    person discards also knows what else of the same they saw then; clocks do not tell it."""
    name = resolution.candidate.split("/", 1)[0]
    by_person = resolution.action == "discarded" and resolution.run_id is None
    if (resolution.said is not None and not by_person) or not _is_staged(layout, name):
        return resolution
    with contextlib.suppress(StoreError):
        file, _ = read_file(layout.staging / f"{name}.json")
        for ref in file.candidates():
            if ref.id == resolution.candidate:
                about: dict[str, Any] = {"said": resolution.said or words_hash(ref.candidate)}
                if by_person:
                    about["beside"] = tuple(_beside(layout, ref))
                return resolution.model_copy(update=about)
    return resolution


def _beside(layout: Layout, ref: CandidateRef) -> Iterator[str]:
    """The other staging files that rest on an entry that a candidate rests on."""
    hashes = [anchor.sha256.encode() for anchor in ref.candidate.evidence]
    for path in _paths(layout) if hashes else ():
        with contextlib.suppress(StoreError):
            data = read_or_none(path) or b""
            if path.stem != ref.id.split("/", 1)[0] and any(each in data for each in hashes):
                yield path.stem


def _append(layout: Layout, resolutions: Sequence[Resolution]) -> None:
    if resolutions:
        lines = "".join(resolution.model_dump_json(exclude_none=True) + "\n" for resolution in resolutions)
        append_lines(layout.resolutions, lines, sync=True)


def _archive(layout: Layout, path: Path, run_id: str) -> None:
    data = read_or_none(path)
    if data is not None:
        write_whole(run_folder(layout.archive, run_id) / "memory/_staging" / path.name, data)
        remove(path)


@contextlib.contextmanager
def alone(layout: Layout) -> Iterator[None]:
    """One process at a time closes and opens candidates: a file that an undo brings back, before its candidates are
    open again, must not be archived by another one. The system frees the lock when a process dies."""
    with opened_to_write(layout.staging / ".closing-guard") as handle:
        process.lock_file(handle)
        yield


def _paths(layout: Layout) -> list[Path]:
    """The staging files in the order of their ids, which is the order of time."""
    try:
        found = [path for path in layout.staging.iterdir() if path.suffix == ".json" and not path.name.startswith(".")]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{layout.staging} cannot be listed ({error.strerror}): check its permissions.") from error
    return sorted(found, key=lambda path: path.name)
