"""What the records claim already, findable by likeness: existing records and those written earlier in the same run.

Compares only; what follows from a likeness is decided in `consolidate`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from heapq import nsmallest
from typing import Any, NamedTuple

from memory_core.consolidate.clauses import part_says, same_statement
from memory_core.consolidate.notes import is_ended, replaced_in
from memory_core.consolidate.provenance import entry_names, sessions_of
from memory_core.consolidate.similar import same_sense, score, words_of
from memory_core.consolidate.tidy import parts_of
from memory_core.consolidate.turned import turned
from memory_core.consolidate.writes import ORIGIN
from memory_core.providers.builtin.finished import is_done
from memory_core.providers.builtin.record_text import last_moment
from memory_core.providers.builtin.said_order import latest
from memory_core.providers.builtin.wording import LABELS
from memory_core.records.record import Record, Source
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.refactor.new import UNDESCRIBED
from memory_core.scope import scope_of, understood
from memory_core.snapshot import Snapshot
from memory_core.text import shorten

ENOUGH_SHARED = 0.4  # of the shorter text's words; below it no likeness that anything is decided on can come out
LEAST_LIKENESS = 40  # of 100: nothing is decided on less
LOOKED_AT = 400  # claims that are compared with a text in full, those with the most words in common first
_WHY = re.compile(r"^(?:Why|理由|이유): (.+?)[ \t]*$", re.MULTILINE)
_REJECTED = re.compile(r"^(?:Chosen over|退けた案|未采用|채택하지 않은 안): (.+?)[ \t.]*$", re.MULTILINE)
# In each language: a part of the note that a search finds fast, and the whole paragraph.
_CONFLICTS = tuple(
    (
        words["contradicts"].rsplit("{}", 1)[1],
        re.compile(
            re.escape(words["contradicts"])
            .replace(r"\{\}", r"(?P<place>[a-z]+/[a-z0-9-]+)", 1)
            .replace(r"\{\}", r"[^\n]*")
            + r"(?:\n\n|\n*\Z)"
        ),
    )
    for words in LABELS.values()
)
_PROMOTED = re.compile(r"(?:Recorded in|記録:|记录于|기록:) `(?:decisions|requests)/")
_HEADING = re.compile(r"^#{1,3}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_UNDESCRIBED = re.compile(re.escape(UNDESCRIBED).replace(r"\{\}", "(?P<slug>[a-z0-9-]+)"))


@dataclass(frozen=True)
class Claim:
    """What one record says in a sentence. `others`: further wordings it can be recognized by. `hashes`: and ids, of the
    log entries it rests on; the same entry seen in a copy of a session is no second time. `date`: the day it was last
    said, else recorded; `moment` that instant, where a log tells. `rule`: knowledge that people's words made a rule or
    fact, with no decision beside it that says the same."""

    ref: RecordRef
    text: str
    others: tuple[str, ...] = ()
    date: str = ""
    status: Status | None = None
    sessions: frozenset[str] = frozenset()
    hashes: frozenset[str] = frozenset()
    source_count: int = 0
    human: bool = False
    rationale: str = ""
    rule: bool = False
    scope: frozenset[tuple[str, str]] = frozenset()
    rejected: str = ""
    blank: bool = False  # started by somebody and not written yet
    made: bool = False  # by a consolidation
    replaced_by: str | None = None
    updated: datetime | None = None
    parts: str = ""  # what makes it look like several records
    moment: str = ""
    conflicts: tuple[str, ...] = ()  # the records that a note in it says to speak against it
    last_entry: int = -1  # of its sources; tells something where they are of one session
    spoken: str = ""  # what people say in its evidence,
    voiced: frozenset[str] = frozenset()  # and the names of the entries in which they do
    replaces: tuple[str, ...] = ()  # the records that a note in it says it replaces
    done: bool = False  # a request that the session which asked for it last did
    until: str = ""  # the latest that `moment` may be, where a log does not tell exactly

    def likeness(self, text: str) -> float:
        return max(score(text, known) for known in (self.text, *self.others))

    def same_sense(self, text: str) -> bool:
        """Whether neither denies what the other says, and neither turns it around."""
        return same_sense(self.text, text) and not turned(self.text, text)

    def repeats(self, text: str) -> bool:
        """Whether it says the same as a text. Knowledge without a title is told by its description, which goes on to
        say when to read it: its first words count too."""
        known = (self.text, *self.others) if self.ref.kind is Kind.KNOWLEDGE else (self.text,)
        return any(same_statement(one, text) for one in known)

    def says(self, text: str) -> bool:
        """Whether one part of what it claims is what a text says."""
        return part_says(self.text, text)


class _Text(NamedTuple):
    """One wording of a claim: how many words it has, and whether it is what the record claims."""

    ref: RecordRef
    length: int
    first: bool


@dataclass
class Known:
    """The claims of a run by record. Replaced decisions are in it, but are never found as what holds now."""

    claims: dict[RecordRef, Claim] = field(default_factory=dict)
    scope: frozenset[tuple[str, str]] = frozenset()  # of the candidate at hand: what others may see is another claim
    _texts: list[_Text] = field(default_factory=list)
    _words: dict[str, list[int]] = field(default_factory=dict)  # to places in `_texts`: numbers are counted fast
    _asked: dict[tuple[Any, ...], list[tuple[float, Claim]]] = field(default_factory=dict)  # since the last change

    def put(self, claim: Claim) -> None:
        self._asked.clear()
        before = self.claims.get(claim.ref)
        self.claims[claim.ref] = claim
        known = (before.text, *before.others) if before else ()
        for text in dict.fromkeys((claim.text, *claim.others)):
            first = text == claim.text
            if text not in known or (first and before and before.text != text):
                words = words_of(text)
                for word in words:
                    self._words.setdefault(word, []).append(len(self._texts))
                self._texts.append(_Text(claim.ref, len(words), first))

    def drop(self, ref: RecordRef) -> None:
        """Forget a record that is no more."""
        self._asked.clear()
        self.claims.pop(ref, None)

    def nearest(self, text: str, kinds: Collection[Kind], *, over: bool = False) -> list[tuple[float, Claim]]:
        """Claims that hold now and share words with the text, most alike first; ties in the order of their names.
        Of very many, those that share the most words, the shorter ones first. `over`: also what holds no longer. One
        decision asks for the same several times until it is written."""
        asked = (text, *sorted(kinds), over, self.scope)
        if asked not in self._asked:
            self._asked[asked] = self._nearest(text, frozenset(kinds), over=over)
        return self._asked[asked]

    def _nearest(self, text: str, wanted: frozenset[Kind], *, over: bool) -> list[tuple[float, Claim]]:
        words = words_of(text)
        shared: Counter[int] = Counter()
        for word in words:
            shared.update(self._words.get(word, ()))
        size, texts = len(words), self._texts
        best: dict[RecordRef, tuple[int, int]] = {}
        for number, count in shared.items():
            ref, length, first = texts[number]
            if count < ENOUGH_SHARED * (length if length < size else size):
                continue
            # A longer text that is not what the record claims helps by its likeness alone, and this is its limit.
            if length > size and not first and 200 * count < LEAST_LIKENESS * (size + length):
                continue
            if ref.kind in wanted and ref in self.claims and (ref not in best or (-count, length) < best[ref]):
                best[ref] = -count, length
        near = [(rank, ref) for ref, rank in best.items() if self._counts(self.claims[ref], over=over)]
        if len(near) > LOOKED_AT:
            near = nsmallest(LOOKED_AT, near)
        found = ((self.claims[ref].likeness(text), self.claims[ref]) for _, ref in near)
        return sorted(found, key=lambda pair: (-pair[0], pair[1].ref))

    def _counts(self, claim: Claim, *, over: bool = False) -> bool:
        return (over or claim.status is not Status.REPLACED) and claim.scope == self.scope

    def having(self, words: Collection[str], kinds: Collection[Kind]) -> list[Claim]:
        """The claims that hold now, of any scope, of which one wording has all of some words; in the order of their
        names."""
        places = sorted((self._words.get(word, []) for word in words), key=len)
        common = set(places[0]).intersection(*places[1:]) if places else ()
        found = {ref for number in common if (ref := self._texts[number].ref) in self.claims and ref.kind in kinds}
        return [self.claims[ref] for ref in sorted(found) if self.claims[ref].status is not Status.REPLACED]

    def holding(self, kind: Kind) -> Iterator[Claim]:
        """All claims of a kind that hold now."""
        return (claim for ref, claim in self.claims.items() if ref.kind is kind and self._counts(claim))

    def in_place_of(self, claim: Claim) -> Claim:
        """What holds where a decision no longer does: the end of what replaced it; itself where it holds."""
        seen = {claim.ref}
        while claim.status is Status.REPLACED and claim.replaced_by:
            following = self.claims.get(RecordRef(Kind.DECISION, claim.replaced_by))
            if following is None or following.ref in seen:
                break
            seen.add(following.ref)
            claim = following
        return claim

    def slugs(self, kind: Kind) -> set[str]:
        return {ref.slug for ref in self.claims if ref.kind is kind}


def known_in(snapshot: Snapshot) -> Known:
    """The claims of the records in a snapshot."""
    known = Known()
    for kind in (Kind.DECISION, Kind.REQUEST, Kind.KNOWLEDGE):
        for document in snapshot.index.slugs[kind].values():
            if document.record and document.ref and not document.unreadable:
                known.put(claim_of(document.record))
    return known


def claim_of(record: Record) -> Claim:
    heading = _HEADING.search(record.body)
    lines = (line.strip() for line in record.body.splitlines())
    first = next((line for line in lines if line and not line.startswith(("#", "-", ">", "<"))), "")
    texts = [heading[1] if heading else "", record.description or "", first]
    texts = [shorten(text, 400) for text in dict.fromkeys(texts) if text] or [record.ref.slug.replace("-", " ")]
    reason = _WHY.search(record.body)
    anchors = [anchor for source in record.sources for anchor in source.anchors]
    moment = last_moment(anchor.get("ts") for anchor in anchors)
    persons = [anchor for anchor in anchors if anchor.get("speaker") == "human"]
    return Claim(
        record.ref,
        texts[0].replace("\\#", "#").replace("\\/", "/"),
        tuple(texts[1:]),
        _date(record, moment),
        Status.REPLACED if is_ended(record.body) else record.status,
        sessions_of(record.sources),
        frozenset[str]().union(*map(entry_names, anchors)),
        len(record.sources),
        bool(persons),
        reason[1] if reason else "",
        record.ref.kind is Kind.KNOWLEDGE
        and record.value("kind") in ("rule", "fact")
        and not _PROMOTED.search(record.body),
        # One that nobody can understand is like no other: such a record is made one with none.
        frozenset(scope_of(record).items() if understood(record) else [("scope", str(record.ref))]),
        rejected[1] if (rejected := _REJECTED.search(record.body)) else "",
        _is_blank(record),
        record.value("origin") == ORIGIN,
        record.replaced_by,
        record.updated_at,
        parts_of(record),
        moment,
        tuple(found["place"] for found in conflict_notes(record.body)),
        max((source.end for source in record.sources), default=-1),
        " ".join(str(anchor.get("excerpt") or "") for anchor in persons),
        frozenset[str]().union(*map(entry_names, persons)),
        replaced_in(record.body),
        record.ref.kind is Kind.REQUEST and is_done(record.sources),
        max((_until(source, record.updated_at) for source in record.sources), default=""),
    )


def _until(source: Source, recorded: datetime | None) -> str:
    return latest(last_moment(anchor.get("ts") for anchor in source.anchors), source.agent, recorded)


def conflict_notes(body: str) -> Iterator[re.Match[str]]:
    """The paragraphs that say that another record speaks against this one; `place` is where that stands."""
    for begins, note in _CONFLICTS:
        if begins in body:
            yield from note.finditer(body.replace("\r\n", "\n"))


def _is_blank(record: Record) -> bool:
    """Whether nobody has written anything in it yet: `omoide new` alone claims nothing, nor does it under another
    name."""
    template = _UNDESCRIBED.fullmatch(record.description or "")
    name = template["slug"] if template else record.ref.slug
    title = f"# {name.replace('-', ' ').capitalize()}"
    return record.body.strip() in ("", title) and bool(template or not record.description) and not record.sources


def _date(record: Record, moment: str) -> str:
    """The day it was last said, where its anchors tell; else the day it was recorded. Adding a source of the same day
    changes nothing, so the summary is not rewritten for it."""
    recorded = record.created_at or record.updated_at
    return moment[:10] or (f"{recorded:%Y-%m-%d}" if recorded else "")
