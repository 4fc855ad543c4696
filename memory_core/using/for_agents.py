"""Records for an editor's own agent mode: found by words, read by name, as texts between our lines.

Pure: reads a snapshot. Whoever asks is nobody in particular, so only what is shared is seen. Recording a read is the
caller's business; a search is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from memory_core.records.record import Record
from memory_core.records.schema import SUMMARY, Kind, RecordRef
from memory_core.records.scope import NOBODY
from memory_core.records.slug import slug_problem
from memory_core.scope import may_see, seen_by
from memory_core.search import search_records, stored
from memory_core.snapshot import Document, Snapshot
from memory_core.text import counted, shorten
from memory_core.tokens import estimate
from memory_core.using.expansion import TURN_TOKENS
from memory_core.using.fence import fenced, quoted

MOST_NAMES = 20  # of one read; more in one call is a model that lists instead of choosing
MOST_HITS = 20
_SHOWN = 300  # characters of a description or an excerpt
_SIGILS = {"#": Kind.KNOWLEDGE, "/": Kind.WORKFLOW}
_ANY = (Kind.KNOWLEDGE, Kind.WORKFLOW, Kind.DECISION, Kind.REQUEST)  # a bare name is looked for in this order
_NEAR = 3
_NAMED = re.compile(rf"({'|'.join(_ANY)})/(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ReadByName:
    """`text`: what the model is given. `records`: those that were asked for and are in it, each with the text of its
    file; what a workflow brought along was not asked for."""

    text: str
    records: tuple[tuple[RecordRef, str], ...] = ()


def name_of(ref: RecordRef) -> str:
    """How a record is named here, so that it can be read by that name."""
    match ref.kind:
        case Kind.SUMMARY:
            return "summary"
        case Kind.KNOWLEDGE | Kind.WORKFLOW:
            return str(ref)
        case _:
            return f"{ref.kind}/{ref.slug}"


def find(snapshot: Snapshot, query: str, *, limit: int = MOST_HITS, tokens: int = TURN_TOKENS) -> str:
    """Names, descriptions and matching lines of the records that hold the words, best first, within `tokens`."""
    shared = seen_by(snapshot, NOBODY)
    lines: list[str] = []
    left_out, used = 0, 0
    for hit in search_records(shared, query, None, min(limit, MOST_HITS), 1):
        document = shared.document(RecordRef(hit.kind, hit.slug))
        line = _line(RecordRef(hit.kind, hit.slug), document.record if document else None, hit.excerpt)
        used += estimate(line)
        if used > tokens:
            left_out += 1
        else:
            lines.append(line)
    if left_out:
        lines.append(f"({counted(left_out, 'more record')} found no room.)")
    total = counted(stored(shared, None), "record")
    return fenced("search", "\n".join(lines)) if lines else f"Nothing found in {total}. Other words may help."


def read(snapshot: Snapshot, names: Sequence[str], *, tokens: int = TURN_TOKENS) -> ReadByName:
    """The records of some names, each once, in their order and within `tokens`; a workflow behind what it requires.
    What cannot be read is said behind them."""
    parts: list[str] = []
    given: set[RecordRef] = set()
    asked: list[tuple[RecordRef, str]] = []
    notes: list[str] = []
    used = 0
    for name in names[:MOST_NAMES]:
        document = _named(snapshot, name)
        if isinstance(document, str):
            notes.append(document)
            continue
        group = [it for it in (*_required(snapshot, document), document) if it.ref and it.ref not in given]
        texts = [_text(it) for it in group]
        cost = sum(estimate(text) for text in texts)
        if used + cost > tokens:
            notes.append(f"`{shorten(name, 80)}` found no room: read it alone, or less at once.")
            continue
        used += cost
        parts += texts
        given.update(it.ref for it in group if it.ref)
        asked += [(it.ref, it.text) for it in group if it is document and it.ref]
    if len(names) > MOST_NAMES:
        notes.append(f"Only the first {MOST_NAMES} of {len(names)} names were read.")
    if notes:
        parts.append(fenced("note", "\n".join(quoted(note) for note in notes)))
    return ReadByName("\n\n".join(parts), tuple(asked))


def _line(ref: RecordRef, record: Record | None, excerpt: str | None) -> str:
    updated = f", changed {record.updated_at:%Y-%m-%d}" if record and record.updated_at else ""
    status = f", {record.status}" if record and record.status else ""
    # Without secrets before it is cut: half a key is not recognized any more.
    described = shorten(quoted(" ".join(((record and record.description) or "").split())), _SHOWN)
    found = shorten(" ".join((excerpt or "").split()), _SHOWN)
    return quoted(f"{name_of(ref)} ({ref.kind}{status}{updated}): {described}\n  {found}".rstrip())


def _named(snapshot: Snapshot, name: str) -> Document | str:
    """The record of a name, or why there is none to be read, in a sentence."""
    name = name.strip()
    refs = list(_meant(name))
    shown = shorten(name, 80)
    if not refs:
        return f"`{shown}` is no name of a record: use one as the search answers them."
    for ref in refs:
        document = snapshot.document(ref) if snapshot.index.exists(ref) else None
        if document and document.record and may_see(document, NOBODY):
            return f"`{shown}` cannot be read: {document.unreadable}" if document.unreadable else document
    # All that are alike, not the first few: what may not be seen takes no place among those that are named.
    alike = (RecordRef(ref.kind, it) for ref in refs for it in snapshot.index.near[ref.kind].alike(ref.slug))
    near = ", ".join(islice((name_of(ref) for ref in alike if _visible(snapshot, ref)), _NEAR))
    return f"`{shown}` names no record.{f' Near it: {near}.' if near else ''}"


def _meant(name: str) -> Iterable[RecordRef]:
    if name in ("summary", "summary/summary"):
        return [SUMMARY]
    if (match := _NAMED.fullmatch(name)) and not slug_problem(match[2]):
        return [RecordRef(Kind(match[1]), match[2])]
    kinds = (_SIGILS[name[0]],) if name[:1] in _SIGILS else _ANY
    slug = name[1:] if name[:1] in _SIGILS else name
    return [] if slug_problem(slug) else [RecordRef(kind, slug) for kind in kinds]


def _visible(snapshot: Snapshot, ref: RecordRef) -> bool:
    document = snapshot.document(ref)
    return document is not None and may_see(document, NOBODY)


def _required(snapshot: Snapshot, document: Document) -> list[Document]:
    """The knowledge that a workflow wants read before it."""
    if not document.ref or document.ref.kind is not Kind.WORKFLOW or not document.record:
        return []
    refs = (RecordRef(Kind.KNOWLEDGE, slug) for slug in dict.fromkeys(document.record.requires))
    found = (snapshot.document(ref) for ref in refs if snapshot.index.exists(ref) and _visible(snapshot, ref))
    return [it for it in found if it and it.record and not it.unreadable]


def _text(document: Document) -> str:
    ref, record = document.ref, document.record
    if ref is None or record is None:
        return ""
    more = {"updated": f"{record.updated_at:%Y-%m-%d}"} if record.updated_at else {}
    more |= {"status": str(record.status)} if record.status else {}
    if record.replaced_by and not slug_problem(record.replaced_by):
        more["replaced-by"] = record.replaced_by
    return fenced(str(ref.kind), quoted(record.body), name=name_of(ref), **more)
