"""What a write may rest on: every reason why candidates, and records merged in, do not carry what it says, or for whom.

Refuses in words and changes nothing; what the writing tools do is in `writes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory_core.consolidate.arguments import clean
from memory_core.consolidate.draft import Draft, named
from memory_core.consolidate.notes import notes_in
from memory_core.consolidate.schema import RecordFields
from memory_core.consolidate.similar import tokens
from memory_core.consolidate.voiced import by_tools_alone
from memory_core.records.record import Record
from memory_core.records.schema import Kind, RecordRef, name_of
from memory_core.scope import narrowed, scope_of, understood, widens
from memory_core.staging import CandidateRef
from memory_core.text import shorten

JOINING_WORDS = 3  # new words an edit may bring that no candidate and no record says
# What was said where few could see it does not become visible to more by being remembered.
_TOO_WIDE = "{} cannot be put into this record: write a record of its own from the candidates of one scope."
_ALLOWED: Mapping[Kind, tuple[str, ...]] = {
    Kind.SUMMARY: (),
    Kind.DECISION: ("status", "replaced_by", "description"),
    Kind.REQUEST: ("description",),
    Kind.KNOWLEDGE: ("kind", "description"),
}


def given_fields(kind: Kind, given: RecordFields) -> dict[str, Any] | str:
    """The fields that a call sets, or which of them it may not."""
    fields = given.model_dump(exclude_none=True)
    unknown = sorted(set(fields) - set(_ALLOWED[kind]))
    if unknown:
        allowed = ", ".join(_ALLOWED[kind]) or "none"
        return f"A {kind} has no field `{unknown[0]}` that you may set (allowed: {allowed})."
    return {key: clean(value) for key, value in fields.items()}


def evidence_problem(kind: Kind, fields: RecordFields, refs: Sequence[CandidateRef], *, new: bool = True) -> str | None:
    """What the candidates cannot support. Candidates of older files have no anchors; then there is nothing to check."""
    if kind is Kind.SUMMARY:
        return None
    if new and not refs:
        return "Name the candidates this rests on: a record without a source is refused."
    speakers = {anchor.speaker for ref in refs for anchor in ref.candidate.evidence}
    if not speakers:
        return None
    if all(by_tools_alone(ref) for ref in refs if ref.candidate.evidence):
        return "Output of tools alone supports no record: discard the candidate, or name one in which a person speaks."
    if "human" in speakers:
        return None
    if kind is Kind.REQUEST:
        return "A request is what a person asked for, and no person speaks in this evidence."
    if fields.status == "resolved":
        return "No person settled this in the evidence: use status `open`."
    return None


def merged_records(draft: Draft, ref: RecordRef, names: Sequence[str]) -> list[Record] | str:
    """The records that are merged into one, or what is wrong with their names."""
    found: list[Record] = []
    for name in dict.fromkeys(names):
        other = named(name)
        record = draft.record(other) if other and other != ref else None
        if record is None:
            return f"`from_records`: there is no other record `{shorten(name, 80)}`."
        if not understood(record):
            return (
                f"`from_records`: nobody can tell who may see {name_of(record.ref)}: its `scope` is to be mended first."
            )
        found.append(record)
    return found


def unsupported_words(
    draft: Draft, record: Record, merged_in: Sequence[Record], body: str | None, fields: Mapping[str, Any]
) -> str | None:
    """Why an edit without candidates is refused: it says what neither the record nor those merged into it said. A
    few words to join sentences are nothing, and so is a note that one record took the place of another, which says it
    in that one's words; the summary has no sources (what it may say is in `borne`)."""
    if record.ref.kind is Kind.SUMMARY:
        return None
    text = f"{body or ''}\n{fields.get('description', '')}"
    noted = [(note, other) for note, place in notes_in(text) if (ref := named(place)) and (other := draft.record(ref))]
    sayers = (record, *merged_in, *(other for _, other in noted))
    known = {word for r in sayers for word in tokens(f"{r.description or ''}\n{r.body}")}
    known.update(word for note, _ in noted for word in tokens(note))
    said = tokens(text)
    added = [word for word in dict.fromkeys(said) if word not in known]
    if len(added) <= JOINING_WORDS:
        return None
    words = ", ".join(f"`{word}`" for word in added[:5])
    return (
        f"This adds what {name_of(record.ref)} does not say ({words}): name the candidates it rests on, or as "
        "`from_records` the records you merge. Without either an edit may only shorten."
    )


def scope_for(kind: Kind, refs: Sequence[CandidateRef]) -> dict[str, str] | str:
    """Who may see a new record that rests on candidates, or why they cannot go into one."""
    scope = narrowed(ref.source.scope or {} for ref in refs)
    if scope is None:
        return _TOO_WIDE.format("Sessions of different people")
    return _TOO_WIDE.format("Sessions of few people") if scope and kind is Kind.SUMMARY else scope


def scope_problem(record: Record, refs: Sequence[CandidateRef], merged_in: Sequence[Record] = ()) -> str | None:
    """Why what is added to a record would be shown to more than may see it; None where it would not."""
    added = [*(ref.source.scope or {} for ref in refs), *(scope_of(other) for other in merged_in)]
    if not any(widens(scope, scope_of(record)) for scope in added):
        return None
    return _TOO_WIDE.format(f"{name_of(record.ref)} is shown to more people than what you add; it")
