"""Candidates whose evidence does not hold: no record is made of them, they stay staged with the reason.

Staging files can be edited by hand, so they are not believed where a session's log can be read. Reads no log itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from memory_core.sessions.anchors import entry_hash, resolve
from memory_core.sessions.copies import TAKEN_BACK
from memory_core.sessions.model import Entry
from memory_core.staging import Anchor, CandidateRef, StagingSource
from memory_core.text import shorten

# What an entry counts as when evidence is made of it: who speaks, None where nobody does, and the words.
Heard = tuple[str | None, str]
# The entries of the session that sources (all of one session) name, with what is heard in one; None: its log is gone.
Log = tuple[Sequence[Entry], Callable[[Entry], Heard]]
LogOf = Callable[[Sequence[StagingSource]], Log | None]

_TELLING = 12  # characters; a shorter excerpt ("yes") stands in every session, and must be all that an entry says


def unsupported(ref: CandidateRef) -> str | None:
    """What is wrong with a candidate's evidence as its file has it, without any log; None where nothing is."""
    if not ref.candidate.evidence:
        return None if ref.older else "it has no evidence: nothing says that it was ever said"
    first, last = ref.source.range
    lead = not any(first <= anchor.entry_range[1] <= last for anchor in ref.candidate.evidence)
    for anchor in ref.candidate.evidence:
        start, end = anchor.entry_range
        if lead or not 0 <= start <= end <= last:
            return f"{_name(anchor)} names entries {start} to {end}, and its file was made from {first} to {last}"
    return None


def doubts(refs: Iterable[CandidateRef], log_of: LogOf, check: Callable[[], None] = lambda: None) -> dict[str, str]:
    """Candidate id to why no record is made of it. Each session's log is asked for once, and only for sessions of
    candidates that are whole by themselves. `check`: called between sessions, may raise."""
    found: dict[str, str] = {}
    sessions: dict[str, list[CandidateRef]] = defaultdict(list)
    for ref in refs:
        if why := unsupported(ref):
            found[ref.id] = why
        else:
            sessions[ref.source.session_id].append(ref)
    for group in sessions.values():
        check()
        log = log_of([ref.source for ref in group])
        for ref in group if log else ():
            if log and (why := _unsaid(ref, *log)):
                found[ref.id] = why
    return found


def _unsaid(ref: CandidateRef, entries: Sequence[Entry], heard: Callable[[Entry], Heard]) -> str | None:
    for anchor in ref.candidate.evidence:
        if anchor.speaker == "human" and _is_taken_back(entries, anchor):
            return f"{_name(anchor)} was taken back in the session since it was extracted"
        if not any(_stands(anchor, entry, heard, named) for entry, named in _places(entries, anchor)):
            said = f"“{shorten(anchor.excerpt, 60)}”"
            log = f"the log of session {ref.source.session_id}"
            return f"{_name(anchor)} does not hold: {log} has no {said} by {_by(anchor)}"
    return None


def _is_taken_back(entries: Sequence[Entry], anchor: Anchor) -> bool:
    """Whether the very words of a person that an anchor quotes were taken back: nothing else there says them still."""
    places = [entry for entry in entries if entry_hash(entry) == anchor.sha256]
    return bool(places) and all(entry.subtype in TAKEN_BACK for entry in places)


def _places(entries: Sequence[Entry], anchor: Anchor) -> Iterator[tuple[Entry, bool]]:
    """The entries that may say it, the likeliest first, and whether the anchor names that one."""
    found = resolve(entries, anchor.plain())
    if found.entry is not None:
        yield found.entry, not found.changed
    for entry in entries:
        yield entry, entry_hash(entry) == anchor.sha256


def _stands(anchor: Anchor, entry: Entry, heard: Callable[[Entry], Heard], named: bool) -> bool:
    """Whether an entry says what an anchor quotes. `named`: it is the very record that was anchored."""
    words = _flat(anchor.excerpt.removesuffix("…"))
    raw = _flat(entry.text)
    if words not in raw and "[redacted" not in words and not named:
        return False  # most entries: nothing is made of their text
    speaker, text = heard(entry)
    if speaker not in (None, anchor.speaker):
        return False
    said = _flat(text)
    if words not in raw and words not in said:
        return False
    return named or len(words) >= _TELLING or words in (raw, said)


def _name(anchor: Anchor) -> str:
    return f"evidence {anchor.evidence_id}"


def _by(anchor: Anchor) -> str:
    return {"human": "a person", "assistant": "the assistant", "tool": "a tool"}.get(anchor.speaker, anchor.speaker)


def _flat(text: str) -> str:
    """White space as single blanks, as in excerpts."""
    return " ".join(text.split())
