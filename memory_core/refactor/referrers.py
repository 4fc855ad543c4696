"""Who names a record, as far as it can be known, and why a change is refused when somebody does.

Asks the one scanner through the index. Where a head is too broken to be read, its text is looked at for the name, so
that nothing is taken for unreferenced only because a line above it is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memory_core.index import Link
from memory_core.layout import record_path
from memory_core.outline import PLACE
from memory_core.records.schema import SUMMARY, Kind, RecordRef, name_of
from memory_core.records.slug import slug_problem
from memory_core.records.summary_block import lines_about
from memory_core.snapshot import Document, Snapshot

BROKEN_HEAD = "broken head"  # the `via` of a link that is only likely: the head it stands in cannot be read
SUMMARY_LINE = "summary line"  # the `via` of a place in the block of the summary that the rules keep current


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is changed, as sentences for a person or a model. `links`: the places that stand in the way."""

    reason: str
    links: tuple[Link, ...] = ()

    @property
    def told(self) -> str:
        """The reason, with the first of the places."""
        places = [f"{link.path}:{link.range.start.line + 1}" for link in self.links[:5]]
        return f"{self.reason} ({', '.join(places)})" if places else self.reason


def referrers(snapshot: Snapshot, ref: RecordRef) -> tuple[Link, ...]:
    """Every place that names a record, its own text included, in path order."""
    links = snapshot.index.backlinks.get(ref, ())
    # Only those are read in which something could hide.
    broken = [snapshot.documents[path] for path in snapshot.index.broken]
    hidden = [link for document in broken for link in _hidden(document, ref, links)]
    return tuple(sorted((*links, *hidden), key=lambda link: (link.path, link.range)))


def in_the_way(links: Iterable[Link], ref: RecordRef) -> tuple[Link, ...]:
    """Those of a record's links that its removal would break: all from other files but the paths in their texts, which
    say where it lay."""
    own = record_path(ref)
    return tuple(link for link in links if link.path != own and link.via != PLACE)


def summary_lines(snapshot: Snapshot, ref: RecordRef) -> tuple[Link, ...]:
    """The places that name a record at the end of a line of the summary's block, the slug alone. They hold nothing in
    place, unlike references: the block follows the records."""
    document = snapshot.document(SUMMARY)
    if document is None:
        return ()
    return tuple(
        Link(ref, document.path, document.lines.range(place.stop - len(ref.slug), place.stop), SUMMARY_LINE)
        for _, place in lines_about(document.text, summary_place(ref))
    )


def summary_place(ref: RecordRef) -> str:
    """How the summary's block names a record: `decisions/<slug>`."""
    return record_path(ref).removeprefix("memory/").removesuffix(".md")


def place_refusal(snapshot: Snapshot, ref: RecordRef) -> Refusal | None:
    """Why no record can be made under this name; None where it can."""
    if problem := slug_problem(ref.slug):
        return Refusal(f"The slug `{ref.slug}` {problem}.")
    if snapshot.document(ref):
        return Refusal(f"{name_of(ref)} exists already: choose another slug, or edit that record.")
    if twin := _twin(snapshot, record_path(ref)):
        return Refusal(f"`{twin}` differs from {name_of(ref)} in case only: rename that file first.")
    return None


def _twin(snapshot: Snapshot, place: str) -> str | None:
    """A file that would be the same one on a disk that ignores case."""
    return min((path for path in snapshot.index.cased if path.lower() == place), default=None)


def head_is_broken(document: Document) -> bool:
    """Whether the head of a document is there but cannot be read as a whole."""
    record = document.record
    if not record:
        return False
    if record.head is None:
        return document.text.startswith(("---", "\ufeff---"))
    return bool(record.problems)


def head_end(document: Document) -> int:
    """The offset where the head ends; of a head that never ends, the end of the text."""
    if document.record and document.record.head:
        return document.record.body_start
    return len(document.text) if head_is_broken(document) else 0


def _hidden(document: Document, ref: RecordRef, known: tuple[Link, ...]) -> list[Link]:
    """The name in a head that cannot be read, outside of the links that were found in spite of that."""
    if ref.slug not in document.text or not head_is_broken(document):
        return []
    taken = [
        (document.lines.offset(link.range.start), document.lines.offset(link.range.end))
        for link in known
        if link.path == document.path
    ]
    return [
        Link(ref, document.path, document.lines.range(*match.span()), BROKEN_HEAD)
        for match in _pattern(document, ref).finditer(document.text, 0, head_end(document))
        if not any(start <= match.start() and match.end() <= end for start, end in taken)
    ]


def _pattern(document: Document, ref: RecordRef) -> re.Pattern[str]:
    """The name as it may stand in the head of a document: with its sigil, and bare where a field may hold it."""
    kind = document.record.ref.kind if document.record else None
    slug = rf"{re.escape(ref.slug)}(?![A-Za-z0-9_-])"
    match ref.kind:
        case Kind.KNOWLEDGE if kind is Kind.WORKFLOW:  # `requires`
            return re.compile(rf"#?(?<![A-Za-z0-9_-]){slug}")
        case Kind.KNOWLEDGE:
            return re.compile(f"#{slug}")
        case Kind.WORKFLOW:
            return re.compile(rf"(?<!\S)/{slug}")
        case _ if kind is ref.kind:
            return re.compile(rf"(?<=replaced_by:)[ \t]*[\"']?{slug}")
        case _:
            return re.compile(r"(?!)")
