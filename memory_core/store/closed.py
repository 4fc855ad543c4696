"""How candidates were closed, as `_resolutions.jsonl` has it, and which candidates of a staging file that means.

A line that knows what was said closes just that, wherever it stands in its file now: people edit staging files by hand,
and what stands at a closed candidate's place then may never have been decided about. Moves and removes no file.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from dataclasses import dataclass

from memory_core.layout import Layout
from memory_core.ports import RunSummary
from memory_core.staging import CandidateRef, Resolution, StagingFile, words_hash
from memory_core.store.files import lines_of, read_or_none
from memory_core.text import counted

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Closed:
    """The resolutions that count, oldest first: of each candidate the last one, unless that opened it again."""

    standing: tuple[Resolution, ...]
    by_key: dict[str, Resolution]

    def of(self, file: StagingFile, ref: CandidateRef) -> Resolution | None:
        """How a candidate of a file was closed; None for an open one."""
        return self.by_key.get(_key(file.id, words_hash(ref.candidate))) or self.by_key.get(ref.id)

    def open_in(self, file: StagingFile) -> set[str]:
        """The ids of a file's open candidates."""
        return {ref.id for ref in file.candidates() if self.of(file, ref) is None}


def read_closed(layout: Layout) -> Closed:
    """How each closed candidate was closed. The last line about a candidate counts: `kept` opens it again."""
    last: dict[str, Resolution] = {}
    keys: dict[str, set[str]] = {}  # by candidate: a line that does not know what was said is about all of these
    for resolution in read_resolutions(layout):
        name = resolution.candidate
        key = name if resolution.said is None else _key(name.split("/", 1)[0], resolution.said)
        for earlier in keys.setdefault(name, set()) if resolution.said is None else {name}:
            last.pop(earlier, None)
        last.pop(key, None)  # put in anew, so that the order is that of the lines
        keys.setdefault(name, set()).add(key)
        last[key] = resolution
    standing = {key: resolution for key, resolution in last.items() if resolution.action != "kept"}
    return Closed(tuple(standing.values()), standing)


def closing_runs(layout: Layout, known: Collection[str]) -> list[RunSummary]:
    """The runs that closed candidates, which are still closed, without writing a record; none of those `known`."""
    closed: dict[str, list[Resolution]] = {}
    for resolution in read_closed(layout).standing:
        if resolution.run_id and resolution.run_id not in known:
            closed.setdefault(resolution.run_id, []).append(resolution)
    return [
        RunSummary(run_id, min(r.recorded_at for r in found), f"closed {counted(len(found), 'candidate')}", 0)
        for run_id, found in closed.items()
    ]


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


def _key(staging_id: str, said: str) -> str:
    return f"{staging_id}#{said}"


def _upgraded(data: object) -> object:
    """Lines of the older layout say `candidate_id`."""
    if isinstance(data, dict) and "candidate" not in data and "candidate_id" in data:
        return {**data, "candidate": data["candidate_id"]}
    return data
