"""The writing tools: what each does to the draft. What a write may rest on is in `support`, other tools in `tools`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from memory_core.consolidate.arguments import clean, target
from memory_core.consolidate.borne import unborne
from memory_core.consolidate.draft import Draft
from memory_core.consolidate.provenance import joined, merged
from memory_core.consolidate.schema import MemoryDelete, MemoryEdit, MemoryWrite, PromoteRecord
from memory_core.consolidate.similar import score
from memory_core.consolidate.support import (
    evidence_problem,
    given_fields,
    merged_records,
    scope_for,
    scope_problem,
    unsupported_words,
)
from memory_core.consolidate.trimming import trimmed
from memory_core.layout import record_path
from memory_core.records.record import Record
from memory_core.records.render import render, replace_body, set_fields
from memory_core.records.schema import SUMMARY, Kind, RecordRef, name_of
from memory_core.redact import Secret, locate
from memory_core.refactor import promote as promotion
from memory_core.refactor.archive import archive
from memory_core.refactor.new import LAST_SOURCES, new_head, plain_sources
from memory_core.refactor.referrers import Refusal
from memory_core.scope import understood
from memory_core.staging import CandidateRef
from memory_core.text import newline_of
from memory_core.worker import ToolResult, refused

COPY_SCORE = 95  # of 100: a promoted body this close to the record's own is a copy, not a rewriting
ORIGIN = "policy:consolidate"


def write(draft: Draft, args: MemoryWrite, refs: Sequence[CandidateRef], run: Collection[CandidateRef]) -> ToolResult:
    """MemoryWrite: create a record with a head made by the host, or replace the body of an existing one. `run`: all
    candidates of the run, as in `edit`."""
    ref = target(args.kind, args.slug)
    if isinstance(ref, str):
        return refused(ref)
    fields = given_fields(ref.kind, args.fields)
    problem = fields if isinstance(fields, str) else evidence_problem(ref.kind, args.fields, refs)
    if isinstance(fields, str) or problem:
        return refused(str(problem))
    body = clean(args.body)
    if body.lstrip().startswith("---\n"):
        return refused("`body` starts with frontmatter: give the Markdown alone, the host writes the head.")
    existing = draft.record(ref)
    if existing and not args.overwrite:
        return refused(f"{name_of(ref)} exists: MemoryRead it, then MemoryEdit it or set `overwrite`.")
    if ref == SUMMARY and (foreign := unborne(draft, body, run)):
        return refused(foreign)
    if existing:
        return _change(draft, existing, body, fields, refs, "rewritten")
    scope = scope_for(ref.kind, refs)
    if isinstance(scope, str):
        return refused(scope)
    head = new_head(ref.kind, draft.now, fields, merged([], refs), ORIGIN) | ({"scope": scope} if scope else {})
    return _put(draft, ref, render(ref.kind, head, body), refs, "created", "")


def edit(
    draft: Draft, args: MemoryEdit, refs: Sequence[CandidateRef], run: Collection[CandidateRef] | None = None
) -> ToolResult:
    """MemoryEdit: one passage, some fields, further sources; everything else keeps its bytes. `run`: None where no run
    edits, but an agent by the will of a person, who may put into the summary what they like."""
    ref = target(args.kind, args.slug)
    if isinstance(ref, str):
        return refused(ref)
    record = draft.record(ref)
    if not record:
        return refused(f"There is no {name_of(ref)}.")
    fields = given_fields(ref.kind, args.fields)
    if isinstance(fields, str):
        return refused(fields)
    problem = evidence_problem(ref.kind, args.fields, refs, new=False)
    if problem:
        return refused(problem)
    merged_in = merged_records(draft, ref, args.from_records)
    if isinstance(merged_in, str):
        return refused(merged_in)
    body: str | None = None
    if args.old_text is not None:
        told = () if run is None or draft.most is None else locate(record.body)
        replaced = _replaced(record, args.old_text, clean(args.new_text or ""), args.count, told)
        if isinstance(replaced, ToolResult):
            return replaced
        body = replaced
    elif args.new_text is not None:
        body = _appended(record, clean(args.new_text))
    if not refs and (foreign := unsupported_words(draft, record, [*merged_in], body, fields)):
        return refused(foreign)
    if ref == SUMMARY and body is not None and run is not None and (foreign := unborne(draft, body, run)):
        return refused(foreign)
    trim = args.trim_sources
    return _change(
        draft, record, body, fields, refs, "edited", spliced=True, note=args.reason, merged_in=merged_in, trim=trim
    )


def delete(draft: Draft, args: MemoryDelete, used: int) -> ToolResult:
    """MemoryDelete: refused while something refers to the record, or while it is read and nobody said why."""
    ref = RecordRef(Kind(args.kind), args.slug)
    removal = archive(draft.preview, ref)
    if isinstance(removal, Refusal):
        return refused(removal.reason)
    if used and not args.despite_use:
        return refused(f"{name_of(ref)} was read {used} times: set `despite_use` and explain why it should go anyway.")
    note = f"{args.reason}: {clean(args.explanation)}"
    problem = draft.put(ref, None, note=note)
    if problem:
        return refused(problem)
    summary = removal.files.get(record_path(SUMMARY))
    kept = draft.put(SUMMARY, summary.after, note=f"no longer lists {name_of(ref)}") if summary else None
    more = f" The summary still lists it, since it cannot be changed: {kept}" if kept else ""
    return ToolResult(f"{name_of(ref)} removed; it stays in the archive.{more}")


def promote(draft: Draft, args: PromoteRecord, refs: Sequence[CandidateRef]) -> ToolResult:
    """PromoteRecord: knowledge from the reusable part of a record, with its latest sources; the record stays."""
    origin = RecordRef(Kind(args.kind), args.slug)
    record = draft.record(origin)
    ref = target(Kind.KNOWLEDGE, args.knowledge_slug)
    if isinstance(ref, str):
        return refused(ref)
    body = clean(args.body)
    if record and not understood(record):
        return refused(f"Nobody can tell who may see {name_of(origin)}: its `scope` is to be mended first.")
    if record and (wide := scope_problem(record, refs)):
        return refused(wide)
    sources = merged(plain_sources(record), refs) if record else None
    wish = promotion.Promotion(ref.slug, clean(args.description), args.knowledge_kind, body, sources, ORIGIN)
    creation = promotion.promote(draft.preview, origin, wish, draft.now)
    if isinstance(creation, Refusal):
        return refused(creation.reason)
    if record and score(body, record.body) >= COPY_SCORE:
        return refused(f"The body is a copy of {name_of(origin)}: write the part that holds beyond this one case.")
    text = creation.files[record_path(ref)].after
    return _put(draft, ref, text or "", refs, "created", f"promoted from {name_of(origin)}")


def _change(
    draft: Draft,
    record: Record,
    body: str | None,
    fields: Mapping[str, Any],
    refs: Sequence[CandidateRef],
    done: str,
    *,
    spliced: bool = False,
    note: str = "",
    merged_in: Sequence[Record] = (),
    trim: bool = False,
) -> ToolResult:
    """Change an existing record by the smallest edit. `spliced`: the body is exact; otherwise it is laid out anew.
    `merged_in`: records whose sources come along. `trim`: of too many sources, some go."""
    if wide := scope_problem(record, refs, merged_in):
        return refused(wide)
    text = record.text
    if body is not None and spliced:
        text = record.text[: record.body_start] + body
    elif body is not None and body.strip() != record.body.replace("\r\n", "\n").strip():
        text = replace_body(text, body)
    changes: dict[str, Any] = {key: value for key, value in fields.items() if record.value(key) != value}
    if text != record.text or changes:
        changes["updated_at"] = draft.now
    key = _sources_key(record.ref.kind)
    if key and (refs or merged_in or trim):
        sources = plain_sources(record)
        grown = merged(joined(sources, [plain_sources(other) for other in merged_in]), refs)
        grown = trimmed(grown) if trim and key == "sources" else grown
        if grown != sources or (trim and len(grown) > LAST_SOURCES):
            changes[key] = grown[-LAST_SOURCES:] if key == "last_sources" else grown
    if not changes:
        return ToolResult(f"{name_of(record.ref)} says this already, with these sources; nothing was changed.")
    try:
        text = set_fields(text, changes)
    except ValueError as error:
        return refused(f"{name_of(record.ref)} cannot be changed: {error}")
    return _put(draft, record.ref, text, refs, done, note)


def _replaced(record: Record, old: str, new: str, expected: int, secrets: Sequence[Secret] = ()) -> str | ToolResult:
    """The body with a passage exchanged wherever it stands, if that is as often as expected. A model quotes with plain
    line ends, whatever the file has. What overlaps one of `secrets` does not occur: else a guess at a few letters of it
    would be told right from wrong."""
    plain = old.replace("\r\n", "\n")
    # Of a passage of one line both line ends fit: the record's own comes first.
    newlines = sorted(("\n", "\r\n"), key=newline_of(record.body or record.text).__ne__)
    found = [(newline, _places(record.body, plain.replace("\n", newline), secrets)) for newline in newlines]
    newline, places = max(found, key=lambda pair: len(pair[1]))
    if len(places) != expected:
        where = f"occurs {len(places)} times" if places else "does not occur"
        what = "exactly once, or give its `count`" if expected == 1 else f"{expected} times, or correct `count`"
        return refused(f"`old_text` {where} in {name_of(record.ref)}: quote a passage that occurs {what}.")
    put, length = new.replace("\r\n", "\n").replace("\n", newline), len(plain.replace("\n", newline))
    ends = [0, *(place + length for place in places)]
    body = put.join(record.body[a:b] for a, b in zip(ends, [*places, len(record.body)], strict=True))
    if not body.strip():
        return refused(f"That would leave {name_of(record.ref)} empty: use MemoryDelete, or write what remains.")
    return body


def _places(text: str, passage: str, secrets: Sequence[Secret]) -> list[int]:
    """Where a passage stands in a text outside its secrets, none overlapping another."""
    found: list[int] = []
    at = text.find(passage)
    while at >= 0:
        end = at + len(passage)
        if not any(secret.start < end and at < secret.end for secret in secrets):
            found.append(at)
        at = text.find(passage, end)
    return found


def _appended(record: Record, text: str) -> str:
    """The body with one more paragraph; what is there keeps its bytes."""
    newline = newline_of(record.text)
    kept = record.body.rstrip("\r\n")
    return f"{kept}{newline * 2 if kept else newline}{text.replace(chr(13), '').replace(chr(10), newline)}{newline}"


def _sources_key(kind: Kind) -> str | None:
    return {Kind.DECISION: "sources", Kind.REQUEST: "sources", Kind.KNOWLEDGE: "last_sources"}.get(kind)


def _put(draft: Draft, ref: RecordRef, text: str, refs: Sequence[CandidateRef], done: str, note: str) -> ToolResult:
    full = draft.most is not None and len(draft.changes.files) >= draft.most
    if full and record_path(ref) not in draft.changes.files:
        return refused(f"This run changed {draft.most} files already: close what is left as `kept` for the next run.")
    problem = draft.put(ref, text, (candidate.id for candidate in refs), note)
    return refused(problem) if problem else ToolResult(f"{name_of(ref)} {done}.")
