"""Tidying by rules: what was overturned ended, chains of replaced decisions shortened, settled conflicts cleared,
records that say the same merged, surplus sources trimmed. Every step goes through the toolbox with its reason.

Merges before it removes, removes only what consolidation made itself and what stands in another record word for word
or nearly so, and never a record that is read. What needs judgment is only named; see `consolidate.tidy`.
"""

from __future__ import annotations

import asyncio
import re
from functools import cached_property
from typing import Any

from memory_core.consolidate.loss import LOSS_SHARE
from memory_core.consolidate.task import ConsolidateInput
from memory_core.consolidate.tidy import bounded, days_unchanged, similar_slugs
from memory_core.consolidate.writes import ORIGIN
from memory_core.errors import Cancelled
from memory_core.providers.builtin.known import Claim, conflict_notes
from memory_core.providers.builtin.overturned import outlived, overturned
from memory_core.providers.builtin.record_text import BODY_LIMIT, EVIDENCE, place_of
from memory_core.providers.builtin.recording import Recorder
from memory_core.providers.builtin.taken_in import beyond, lost, quotes_beyond
from memory_core.providers.builtin.twins import Pair, twins
from memory_core.records.record import Record
from memory_core.records.schema import SUMMARY, Kind, RecordRef, Status, name_of
from memory_core.refactor.new import LAST_SOURCES, plain_sources
from memory_core.refactor.referrers import in_the_way, referrers
from memory_core.text import counted, shorten

_PLACES = {"decisions": Kind.DECISION, "requests": Kind.REQUEST, "knowledge": Kind.KNOWLEDGE}
PAUSE = 100  # pairs between two looks at whether the run is to stop
_MENTION = re.compile(r"`((?:decisions|requests|knowledge)/[a-z0-9-]+)`")


class Tidying:
    """One pass over the records of a run, after its candidates are decided. `noticed`: what is left to people."""

    def __init__(self, recorder: Recorder, view: ConsolidateInput) -> None:
        self.recorder = recorder
        self.snapshot = view.snapshot
        self.used = {(row.kind, row.slug): row.use_count for row in view.usage if row.use_count}
        self.now = view.now
        self.noticed: list[str] = []
        self.alike: list[str] = []
        self.refused: list[str] = []
        self.overturned: list[str] = []
        existing = sum(1 for document in view.snapshot.documents.values() if document.ref)
        self.removals_left = int(LOSS_SHARE * existing)

    async def run(self) -> None:
        """Raises Cancelled when progress says so."""
        await self._step("what was overturned")
        self._end_overturned()
        await self._step("chains and conflicts")
        self._shorten_chains()
        self._clear_settled()
        await self._step("records that say the same")
        for number, (pair, surely) in enumerate(list(twins(self.snapshot, self.recorder.known.claims))):
            if number % PAUSE == 0:
                await self._step("records that say the same")
            self._pair(pair, surely)
        await self._step("sources")
        self._trim_sources()
        self.noticed = [
            *bounded(self.refused),
            *bounded(self.overturned),
            *bounded(self.alike),
            *self._left_to_people(),
        ]

    async def _step(self, what: str) -> None:
        """Tell what comes next, and let a cancel from outside be seen."""
        progress = self.recorder.work.progress
        await asyncio.sleep(0)
        if progress.cancelled:
            raise Cancelled("The consolidation was stopped: nothing was written, the candidates are still staged.")
        progress.report(f"Tidying: {what}")

    def _edit(self, ref: RecordRef, reason: str, **arguments: Any) -> bool:
        args = {"kind": str(ref.kind), "slug": ref.slug, "reason": reason, **arguments}
        result = self.recorder.call("MemoryEdit", args)
        if result.is_error:
            self.refused.append(f"{name_of(ref)} could not be put in order: {shorten(result.text, 200)}")
        return not result.is_error

    def _end_overturned(self) -> None:
        """What a later decision says it was taken instead of no longer holds, nor what was made of such a decision:
        branches are merged, and logs are read, in any order. What a person wrote is only named."""
        known = self.recorder.known
        for old, later in list(overturned(known)):
            if known.claims[old.ref].status is Status.REPLACED:
                continue  # by another one of these
            self._end(old, later)
        for old, holding in list(outlived(known)):
            self._end(old, holding)
        self.overturned = list(dict.fromkeys(self.overturned))  # some are found in both ways

    def _end(self, old: Claim, later: Claim) -> None:
        holding = self.recorder.known.in_place_of(later)
        if not old.made:
            line = f"{name_of(old.ref)} was given up for {name_of(holding.ref)}, and people wrote it: left to you"
            self.overturned.append(line)
        elif self.recorder.note_replaced(old, later):
            self.recorder.replace(None, old, holding)

    def _shorten_chains(self) -> None:
        """A decision replaced by one that was replaced itself points at what holds now; all of them stay."""
        claims = self.recorder.known.claims
        following = {
            ref.slug: claim.replaced_by
            for ref, claim in claims.items()
            if ref.kind is Kind.DECISION and claim.replaced_by and claim.status is Status.REPLACED
        }
        for slug, target in following.items():
            end, seen = target, {slug}
            while end in following and end not in seen:
                seen.add(end)
                end = following[end]
            if end == target or end in seen or RecordRef(Kind.DECISION, end) not in claims:
                continue
            reason = f"decision/{target} was replaced itself: this one now names what holds, decision/{end}"
            self._edit(RecordRef(Kind.DECISION, slug), reason, fields={"replaced_by": end})

    def _clear_settled(self) -> None:
        """A conflict with a record that no longer holds is none: its note goes."""
        claims = self.recorder.known.claims
        for ref, place in [(claim.ref, place) for claim in claims.values() for place in claim.conflicts]:
            folder, _, slug = place.partition("/")
            other = RecordRef(_PLACES[folder], slug) if folder in _PLACES else None
            if other is None or (other in claims and claims[other].status is not Status.REPLACED):
                continue
            record = self.recorder.record(ref)
            notes = [note.group() for note in conflict_notes(record.body) if note["place"] == place] if record else []
            if record and notes:
                self._clear(record, notes[0], name_of(other))

    def _clear(self, record: Record, note: str, other: str) -> None:
        claim = self.recorder.known.claims[record.ref]
        waited = claim.status is Status.OPEN and claim.human
        fields = {"status": "resolved"} if waited and record.value("origin") == ORIGIN else {}
        reason = f"the conflict is settled: {other} no longer holds"
        if self._edit(record.ref, reason, old_text=note, new_text="", fields=fields):
            self.recorder.reread(record.ref)

    def _pair(self, pair: Pair, surely: bool) -> None:
        names = " and ".join(name_of(ref) for ref in pair)
        if not surely:
            self.alike.append(f"{names} are alike, but one has another figure, denies or adds something: left alone")
            return
        records = [self.recorder.record(ref) for ref in pair]
        if records[0] is None or records[1] is None:
            return  # merged already
        keep, gone = sorted((records[0], records[1]), key=self._weight)
        if lost(gone, keep) and not lost(keep, gone):
            keep, gone = gone, keep
        if why := self._stays(gone, keep):
            self.alike.append(f"{names} say the same; {why}: left to you")
            return
        if self.removals_left < 1:
            self.alike.append(f"{names} say the same; a run removes at most a quarter of the records: left for later")
            return
        self._merge(keep, gone)

    def _weight(self, record: Record) -> tuple[Any, ...]:
        """What stays comes first: the one that is read, that a person wrote, that others name, with more sources, the
        older one."""
        uses = self.used.get((record.ref.kind, record.ref.slug), 0)
        made = record.value("origin") == ORIGIN
        named = place_of(record.ref) in self._mentioned
        return -uses, made, not named, -len(record.sources), str(record.created_at or ""), record.ref.slug

    def _stays(self, gone: Record, keep: Record) -> str:
        """Why a record is not merged into its twin; empty where it can be."""
        name = name_of(gone.ref)
        before = self.snapshot.record(gone.ref)
        if gone.value("origin") != ORIGIN:
            return f"people wrote {name}"
        if lost(gone, keep):
            return f"people wrote something into {name} that a merge would lose"
        if uses := self.used.get((gone.ref.kind, gone.ref.slug)):
            return f"{name} was read {counted(uses, 'time')}"
        if gone.resident:
            return f"{name} is resident"
        if before is None or before.text != gone.text:
            return f"{name} was changed by this run"
        if place_of(gone.ref) in self._mentioned:
            return f"the text of another record names {name}"
        if any(not self._is_hop(link.path) for link in in_the_way(referrers(self.snapshot, gone.ref), gone.ref)):
            return f"other records refer to {name}"
        return ""

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        """The records that texts name as a place (`decisions/use-x`), the summary's lines aside: they follow."""
        texts = (document.text for document in self.snapshot.documents.values() if document.ref != SUMMARY)
        return frozenset(place for text in texts for place in _MENTION.findall(text))

    def _is_hop(self, path: str) -> bool:
        """Whether a reference is that of a replaced decision, which can be pointed elsewhere."""
        record = self.snapshot.documents[path].record
        return bool(record and record.ref.kind is Kind.DECISION and record.status is Status.REPLACED)

    def _merge(self, keep: Record, gone: Record) -> None:
        """Take in what one record says beyond the other, with its sources; then remove it."""
        name, into = name_of(gone.ref), name_of(keep.ref)
        reason = f"{name} says the same: its sources, and what it says beyond this, went in here"
        merged = {"from_records": [name], "trim_sources": True}
        text = "\n\n".join(beyond(gone, keep))
        heading = EVIDENCE.search(keep.body.replace("\r\n", "\n"))
        if text and heading:
            merged |= {"old_text": heading.group(), "new_text": f"{text}\n\n{heading.group()}"}
        elif text:
            merged["new_text"] = text
        if not self._edit(keep.ref, reason, **merged):
            return
        room = BODY_LIMIT - len(keep.body) - len(text)
        quotes = [quote for quote in quotes_beyond(gone, keep) if heading and (room := room - len(quote)) > 0]
        if quotes:
            self._edit(keep.ref, reason, new_text="\n".join(quotes), from_records=[name])
        for ref, claim in self.recorder.known.claims.items():
            if keep.ref.kind is Kind.DECISION is ref.kind and claim.replaced_by == gone.ref.slug and ref != keep.ref:
                self._edit(ref, f"{name} was merged into {into}", fields={"replaced_by": keep.ref.slug})
        why = f"{into} says the same and holds its text and sources now."
        args = {"kind": str(gone.ref.kind), "slug": gone.ref.slug, "reason": "duplicate", "explanation": why}
        result = self.recorder.call("MemoryDelete", args)
        if result.is_error:
            self.alike.append(f"{name} says the same as {into}, but stays: {result.text}")
            return
        self.removals_left -= 1
        self.recorder.known.drop(gone.ref)
        self.recorder.reread(keep.ref)

    def _trim_sources(self) -> None:
        for ref, claim in list(self.recorder.known.claims.items()):
            if claim.source_count <= LAST_SOURCES or (record := self.recorder.record(ref)) is None:
                continue
            count = len(plain_sources(record))
            reason = f"{count} sources trimmed to {LAST_SOURCES}: the first, then the latest in which people speak"
            if self._edit(ref, reason, trim_sources=True):
                self.recorder.reread(ref)

    def _left_to_people(self) -> list[str]:
        """What needs judgment, a line each: names that look alike, records of several parts, without a source, or
        unread."""
        parts: list[str] = []
        unsupported: list[str] = []
        unread: list[str] = []
        for ref, claim in self.recorder.known.claims.items():
            if claim.parts:
                parts.append(f"{name_of(ref)}: {claim.parts}: perhaps several records")
            if claim.made and not claim.source_count:
                unsupported.append(f"{name_of(ref)}: made by a consolidation, and rests on no source any more")
            if ref.kind is not Kind.KNOWLEDGE or not self.now or (ref.kind, ref.slug) in self.used:
                continue
            if days := days_unchanged(claim.updated, self.now):
                unread.append(f"{name_of(ref)}: never read, unchanged for {days} days")
        names = [
            f"{line}: the names look alike" for kind in _PLACES.values() for line in similar_slugs(kind, self.snapshot)
        ]
        return [line for lines in (names, parts, unsupported, unread) for line in bounded(lines)]
