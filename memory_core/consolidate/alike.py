"""Which candidates say nearly what another one, or a record, says already: a mark for whoever decides them.

Likeness of words, with numbers masked; where two are written in different scripts, that they rest on the same places
of a log. It closes nothing. Certain duplicates are found in `covered`.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable

from memory_core.consolidate.covered import claim
from memory_core.consolidate.provenance import AnchorKey, candidate_keys, record_keys
from memory_core.consolidate.similar import same_sense, score, tokens
from memory_core.records.record import Record
from memory_core.records.schema import Kind, name_of
from memory_core.snapshot import Snapshot
from memory_core.staging import CandidateRef

ALIKE = 75  # of 100: below the mark at which rules take two statements for one, since this only points out
MOST = 3  # names for one candidate
_COMMON = 200  # a word that more texts than this have says nothing about likeness
_LOOKED_AT = 20  # texts that are compared in full, those with the most words in common first


def alike(candidates: Iterable[CandidateRef], snapshot: Snapshot) -> dict[str, tuple[str, ...]]:
    """Candidate id to what it is like, most alike first: ids of other candidates, and records as `kind/slug`. The
    work grows with the number of texts that share rare words, not with all pairs."""
    refs, records = list(candidates), list(_records(snapshot))
    texts = [(ref.id, text) for ref in refs if (text := claim(ref).strip())]
    texts += [(name_of(record.ref), text) for record in records if (text := _claim(record))]
    places = {ref.id: candidate_keys(ref) for ref in refs}
    rests = _Rests(texts, places | {name_of(record.ref): record_keys(record) for record in records})
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for number, (_, text) in enumerate(texts):
        for word in set(tokens(text)):
            holders[word].append(number)
    found: dict[str, tuple[str, ...]] = {}
    ids = {ref.id for ref in refs}
    for number, (name, text) in enumerate(texts):
        if name not in ids:
            continue
        elsewhere = rests.in_another_script(name, text)
        if like := (*elsewhere, *(one for one in _like(number, text, texts, holders) if one not in elsewhere)):
            found[name] = like[:MOST]
    return found


class _Rests:
    """Who rests on which places. The same fact in two languages shares no word, so that only its evidence tells."""

    def __init__(self, texts: Iterable[tuple[str, str]], places: dict[str, frozenset[AnchorKey]]) -> None:
        self._texts = dict(texts)
        self._places = places
        self._holders: defaultdict[AnchorKey, list[str]] = defaultdict(list)
        for name, keys in places.items():
            for key in keys:
                self._holders[key].append(name)

    def in_another_script(self, name: str, text: str) -> tuple[str, ...]:
        """The others that hold all places of a candidate and say something in another script."""
        wanted, scripts = self._places[name], _scripts(text)
        held = self._holders[min(wanted)] if wanted else ()
        others = (other for other in held if other != name and wanted <= self._places[other])
        return tuple(sorted(other for other in others if _differ(scripts, _scripts(self._texts.get(other, "")))))


def in_other_scripts(one: str, other: str) -> bool:
    """Whether two texts are written in different scripts, so that they share no word though they may say the same."""
    return _differ(_scripts(one), _scripts(other))


def _scripts(text: str) -> frozenset[str] | None:
    """Scripts of the letters but the Latin one, which names and commands have in any language; None without letters."""
    signs = unicodedata.normalize("NFKC", text)
    names = {unicodedata.name(sign, "").partition(" ")[0] for sign in signs if sign.isalpha()}
    return frozenset(names - {"LATIN"}) if names else None


def _differ(one: frozenset[str] | None, other: frozenset[str] | None) -> bool:
    return one is not None and other is not None and bool(one | other) and not one & other


def _like(number: int, text: str, texts: list[tuple[str, str]], holders: dict[str, list[int]]) -> tuple[str, ...]:
    shared: Counter[int] = Counter()
    for word in set(tokens(text)):
        if len(holders[word]) <= _COMMON:
            shared.update(holders[word])
    shared.pop(number, None)
    near = []
    for other, _ in shared.most_common(_LOOKED_AT):
        name, said = texts[other]
        likeness = score(text, said)
        if likeness >= ALIKE and same_sense(text, said):
            near.append((-likeness, name))
    return tuple(name for _, name in sorted(near)[:MOST])


def _records(snapshot: Snapshot) -> Iterable[Record]:
    for kind in (Kind.DECISION, Kind.REQUEST, Kind.KNOWLEDGE):
        for document in snapshot.index.slugs[kind].values():
            if document.record:
                yield document.record


def _claim(record: Record) -> str:
    """What a record says in one sentence: its description, else its first words."""
    if record.description:
        return record.description
    lines = (line.strip("# ").strip() for line in record.body.splitlines())
    return next((line for line in lines if line), "")
