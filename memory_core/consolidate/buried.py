"""Candidates that say again, from the same evidence, what somebody took out of memory or would not have in it: not to
be recorded once more. Pure: what stores know of that is asked by `removed`.

New evidence for the same point is another matter; it is decided like any candidate. So is what is in doubt: what comes
back is removed again, but a new word that is taken for an old one is lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from memory_core.consolidate.covered import claim, own_words, says
from memory_core.consolidate.provenance import anchor_key, chosen_anchors, is_one_only
from memory_core.ids import instant_of, parse_rfc3339
from memory_core.layout import record_at
from memory_core.ports import Tombstone
from memory_core.records.schema import SUMMARY, name_of
from memory_core.snapshot import Document
from memory_core.staging import CandidateRef, Decision, Request, Resolution, words_hash

# Two logs of one session tell the time of a message to the millisecond, or to the minute.
_SAME_MOMENT = 60.0
Names = Callable[[Resolution], Iterable[str]]


@dataclass(frozen=True)
class _Place:
    """An anchor in the log of a session, which has places of its own in each agent's form."""

    session: str
    agent: str | None
    anchor: Mapping[str, Any]


@dataclass(frozen=True)
class _Grave:
    """What is not to come back: where it was said, which candidates say it, and why they are discarded."""

    places: tuple[_Place, ...]
    says: Callable[[CandidateRef], bool]
    why: str


def present_names(present_slug: Callable[[str, str, str], str], how: Resolution) -> tuple[str, ...]:
    """The records that a closed candidate went into, under the names they were given since."""
    parts = (name.partition("/") for name in how.records)
    return tuple(f"{kind}{mark}{present_slug(kind, slug, how.recorded_at)}" for kind, mark, slug in parts)


def _as_recorded(how: Resolution) -> tuple[str, ...]:
    return how.records


def not_wanted(
    closed: Iterable[Resolution], tombstones: Iterable[Tombstone], names: Names = _as_recorded
) -> list[Resolution]:
    """The closed candidates of which nothing is to be remembered: a person discarded them, or all records that they
    went into were removed. A run would discard again what it discarded. `names`: what these records are called now."""
    removed = {name_of(ref) for stone in tombstones if (ref := record_at(stone.path))}
    return [
        how
        for how in closed
        if (how.action == "discarded" and how.run_id is None)
        or (how.action == "applied" and removed.issuperset(rest := set(names(how)) - {name_of(SUMMARY)}) and rest)
    ]


def buried_under(
    candidates: Iterable[CandidateRef],
    tombstones: Sequence[Tombstone],
    gone: Iterable[tuple[Resolution, CandidateRef]] = (),
    names: Names = _as_recorded,
) -> dict[str, str]:
    """Candidate id to the reason why it is discarded: a removed record, or a candidate of `gone` (`not_wanted`), rested
    on all its places and said it. The last one counts."""
    return _under([*_records(tombstones), *_candidates(gone, tombstones, names)], candidates)


def without_records(
    candidates: Iterable[CandidateRef], went: Iterable[tuple[CandidateRef, Sequence[str]]]
) -> dict[str, str]:
    """Candidate id to why it waits for a person: an earlier candidate (of `went`, each with the names of the records
    that it went into) said the same of the same evidence, and these are not there any more."""
    return _under([_Grave(_places(ref), partial(_alike, ref), _vanished(names)) for ref, names in went], candidates)


def _vanished(names: Sequence[str]) -> str:
    return (
        f"it went into {' and '.join(names)} before, which is gone and which no run removed: bring the file back, "
        "accept the candidate in the editor, or discard it"
    )


def _under(graves: Sequence[_Grave], candidates: Iterable[CandidateRef]) -> dict[str, str]:
    by_words: defaultdict[str, dict[int, _Grave]] = defaultdict(dict)
    for number, grave in enumerate(graves):
        for place in grave.places:
            for word in _words(place.anchor):
                by_words[word][number] = grave
    found: dict[str, str] = {}
    for ref in candidates:
        places = _places(ref)
        near: dict[int, _Grave] = {}
        for word in _words(places[0].anchor) if places else ():
            near |= by_words.get(word, {})
        for _, grave in sorted(near.items(), reverse=True):
            if all(any(_same(place, held) for held in grave.places) for place in places) and grave.says(ref):
                found[ref.id] = grave.why
                break
    return found


def _records(tombstones: Iterable[Tombstone]) -> Iterator[_Grave]:
    for stone in tombstones:
        if record := Document(stone.path, stone.text).record:
            places = tuple(_Place(s.session_id, s.agent, anchor) for s in record.sources for anchor in s.anchors)
            yield _Grave(places, partial(says, own_words(record)), _reason_of(stone))


def _reason_of(stone: Tombstone) -> str:
    """Why a candidate is discarded, and how a person has it otherwise."""
    ref = record_at(stone.path)
    name = name_of(ref) if ref else stone.path
    where, there = (f" in {stone.workspace}", " there") if stone.workspace else ("", "")
    return (
        f"the same evidence stood in {name}, which run {stone.run_id} removed{where} ({stone.reason}); "
        f"`omoide undo {stone.run_id}`{there} brings it back"
    )


def _candidates(
    gone: Iterable[tuple[Resolution, CandidateRef]], tombstones: Iterable[Tombstone], names: Names
) -> Iterator[_Grave]:
    """What candidates said, in their own words: a record says it in others."""
    whys = {name_of(at): _reason_of(stone) for stone in tombstones if (at := record_at(stone.path))}
    for how, ref in gone:
        if why := next((whys[name] for name in names(how) if name in whys), ""):
            yield _Grave(_places(ref), partial(_alike, ref), why)
        else:
            why = f"a person discarded the same of the same evidence ({ref.id}: {how.reason})"
            yield _Grave(_places(ref), partial(_discarded_again, how, ref), why)


def _places(ref: CandidateRef) -> tuple[_Place, ...]:
    source = ref.source
    return tuple(_Place(source.session_id, source.agent, anchor.plain()) for anchor in chosen_anchors(ref))


def _alike(gone: CandidateRef, ref: CandidateRef) -> bool:
    """Whether two candidates say the same, neither of them more than the other."""
    if words_hash(gone.candidate) == words_hash(ref.candidate):
        return True
    claims = all(isinstance(one.candidate, Decision | Request) for one in (gone, ref))
    return claims and says(claim(gone), ref) and says(claim(ref), gone)


def _discarded_again(how: Resolution, gone: CandidateRef, ref: CandidateRef) -> bool:
    """Whether a candidate says again what a person discarded. What was staged by then they saw, and left; of what one
    message holds they may have discarded a wrong kind, or a second one of the same."""
    (file, _, _), (old, _, _) = ref.id.split("/"), gone.id.split("/")
    if file == old or gone.array != ref.array:
        return False
    if how.beside is not None:
        return file not in how.beside and _alike(gone, ref)
    staged, then = instant_of(file), parse_rfc3339(how.recorded_at)
    return bool(staged and then and staged >= then) and _alike(gone, ref)


def _words(anchor: Mapping[str, Any]) -> Iterator[str]:
    """What two anchors of the same place have in common, one or the other."""
    yield f"sha256:{anchor.get('sha256', '')}"
    if excerpt := anchor.get("excerpt"):
        yield f"says:{excerpt}"
    if is_one_only(name := str(anchor.get("native_id") or "")):
        yield f"id:{name}"


def _same(place: _Place, held: _Place) -> bool:
    """Whether two anchors are of the same words of the same moment. A log that was copied, forked or written anew, or
    the list of prompts that is left of it, has them at another place, and other bytes around them."""
    one, other = place.anchor, held.anchor
    keys = anchor_key(place.session, one), anchor_key(held.session, other)
    if keys[0] and keys[0] == keys[1]:
        return True
    name = one.get("native_id") if one.get("native_id") == other.get("native_id") else None
    # Of a long message the excerpt is what the candidate says, and two may say it in other words.
    alike = one.get("excerpt") == other.get("excerpt") or (name is not None and is_one_only(str(name)))
    if not one.get("excerpt") or not alike or one.get("speaker") != other.get("speaker"):
        return False
    apart = _apart(one, other)
    if apart is not None and apart > _SAME_MOMENT:
        return False
    here = place.session == held.session
    if name:
        return here or (is_one_only(str(name)) if apart is None else apart == 0)
    if not here or not keys[0] or not keys[1]:
        return False
    if place.agent and held.agent and place.agent != held.agent:
        return apart is not None  # Two forms of a log number its entries in their own ways.
    # In some logs all messages have the time of their beginning: what stands behind the first was said after it.
    return keys[0][1:3] == keys[1][1:3] or (apart is not None and keys[0][1] < keys[1][1])


def _apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> float | None:
    """The seconds between two anchors; None where one of them has no time."""
    times = [parse_rfc3339(str(anchor.get("ts"))) for anchor in (one, other)]
    return abs((times[0] - times[1]).total_seconds()) if times[0] and times[1] else None
