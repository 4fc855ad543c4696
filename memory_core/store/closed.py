"""How candidates were closed, as `_resolutions.jsonl` has it, and which candidates of a staging file that means.

A line that knows what was said closes just that, wherever it stands in its file now: people edit staging files by hand,
and what stands at a closed candidate's place then may never have been decided about. Moves and removes no file.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from memory_core.layout import Layout
from memory_core.ports import RunSummary
from memory_core.staging import Resolution, StagingFile, words_hash
from memory_core.store.files import lines_of, read_or_none
from memory_core.text import counted

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Closed:
    """The resolutions that count, oldest first: of each candidate the last one, unless that opened it again."""

    standing: tuple[Resolution, ...]
    by_file: dict[str, list[Resolution]]

    def in_file(self, file: StagingFile) -> dict[str, Resolution]:
        """How the closed ones of a file's candidates were closed, by id. A line closes one candidate: of several that
        say the same, its own, else one that stands nowhere else."""
        lines = self.by_file.get(file.id, [])
        older = {line.candidate: line for line in lines if line.said is None}
        said = {ref.id: words_hash(ref.candidate) for ref in file.candidates()}
        own = {line.candidate: line for line in lines if line.said and line.said == said.get(line.candidate)}
        moved: dict[str, list[Resolution]] = {}
        for line in lines:
            if line.said and own.get(line.candidate) is not line:
                moved.setdefault(line.said, []).append(line)
        found: dict[str, Resolution] = {}
        for name, words in said.items():
            how = own.get(name) or (moved[words].pop(0) if moved.get(words) else older.get(name))
            if how is not None:
                found[name] = how
        return found

    def holds(self, resolution: Resolution) -> bool:
        """Whether the words that a resolution is about are closed already."""
        lines = self.by_file.get(resolution.candidate.split("/", 1)[0], [])
        about = (line.said for line in lines if line.candidate == resolution.candidate)
        return any(said == resolution.said or None in (said, resolution.said) for said in about)

    def open_in(self, file: StagingFile) -> set[str]:
        """The ids of a file's open candidates."""
        return {ref.id for ref in file.candidates()} - self.in_file(file).keys()


def read_closed(layout: Layout) -> Closed:
    """How each closed candidate was closed. The last line about a candidate counts: `kept` opens it again."""
    last: dict[tuple[str, str | None], Resolution] = {}
    keys: dict[str, set[str | None]] = {}  # by candidate: a line that does not know what was said is about all of these
    for resolution in read_resolutions(layout):
        name = resolution.candidate
        known = keys.setdefault(name, set())
        known.add(resolution.said)
        for said in known if resolution.said is None else {None, resolution.said}:
            last.pop((name, said), None)  # put in anew, so that the order is that of the lines
        last[name, resolution.said] = resolution
    standing = tuple(resolution for resolution in last.values() if resolution.action != "kept")
    by_file: dict[str, list[Resolution]] = {}
    for resolution in standing:
        by_file.setdefault(resolution.candidate.split("/", 1)[0], []).append(resolution)
    return Closed(standing, by_file)


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


def _upgraded(data: object) -> object:
    """Lines of the older layout say `candidate_id`."""
    if isinstance(data, dict) and "candidate" not in data and "candidate_id" in data:
        return {**data, "candidate": data["candidate_id"]}
    return data


def before_reopening(lines: Iterable[Resolution], run_id: str) -> list[Resolution]:
    """The last way in which each candidate was closed before a run opened it, of all `lines` of the log in order."""
    closed: dict[str, Resolution] = {}
    found: list[Resolution] = []
    for how in lines:
        if how.action != "kept":
            closed[how.candidate] = how
        elif how.run_id == run_id and how.candidate in closed:
            found.append(closed[how.candidate])
    return found
