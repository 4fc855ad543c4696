"""The order in which candidates were said: by the clock, and what stands behind another in one log after it.

Orders only. A clock may be set back while somebody talks; in a log that was cut and went on, only the clock tells.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from memory_core.ids import instant_of
from memory_core.providers.builtin.record_text import date_of, last_moment, moment_of
from memory_core.sessions.model import TIMED_BY_SESSION
from memory_core.staging import CandidateRef

_OPEN = timedelta(days=7)  # how long such a session is open at most; one that is open for longer is taken for earlier


def last_entry(ref: CandidateRef) -> int:
    """Where it was settled: the last entry of a person's words it rests on, else of anybody's; -1 for none."""
    evidence = ref.candidate.evidence
    persons = [anchor.entry_range[1] for anchor in evidence if anchor.speaker == "human"]
    return max(persons or [anchor.entry_range[1] for anchor in evidence], default=-1)


def until_of(ref: CandidateRef) -> str:
    """The latest at which it may have been settled: where a log tells when it began and no more, that is not when it
    was said."""
    return latest(moment_of(ref), ref.source.agent, instant_of(ref.id.split("/")[0]))


def latest(moment: str, agent: str | None, known_since: datetime | None) -> str:
    """The latest at which something may have been said that an agent's log gives a moment, and that was known by some
    instant."""
    if agent not in TIMED_BY_SESSION or not moment:
        return moment
    end = datetime.fromisoformat(moment) + _OPEN
    if known_since:
        known_since = known_since.replace(tzinfo=known_since.tzinfo or UTC)
        end = max(datetime.fromisoformat(moment), min(end, known_since))
    return last_moment([end.isoformat()])


def as_said(candidates: Sequence[CandidateRef]) -> list[CandidateRef]:
    """The candidates in the order in which they were said: what a person says later may take back what they said
    before. The newest session is often extracted first, so that the ids of staging files tell nothing."""
    slices: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    files: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    begun: dict[str, str] = {}
    for ref in candidates:
        session, file, moment = ref.source.session_id, ref.id.split("/")[0], moment_of(ref) or date_of(ref)
        slices[session].append((ref.source.range[1], moment))
        files[file].append((last_entry(ref), moment))
        begun[session] = min(begun.get(session, file), file)
    before_slice = {session: _latest_before(places) for session, places in slices.items()}
    before_entry = {file: _latest_before(places) for file, places in files.items()}

    def key(ref: CandidateRef) -> tuple[str, str, int]:
        session, entry = ref.source.session_id, last_entry(ref)
        passed = before_slice[session](ref.source.range[0]), before_entry[ref.id.split("/")[0]](entry)
        return max(moment_of(ref) or date_of(ref), *passed), begun[session], entry

    return sorted(candidates, key=key)


def _latest_before(places: Iterable[tuple[int, str]]) -> Callable[[int], str]:
    """What answers for a place the latest moment of all that stands before it."""
    ordered = sorted(places)
    moments = list(accumulate((moment for _, moment in ordered), max, initial=""))
    entries = [entry for entry, _ in ordered]
    return lambda entry: moments[bisect_left(entries, entry)]
