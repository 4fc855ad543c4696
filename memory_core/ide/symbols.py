"""Symbols: the records of a workspace by what somebody types, and the fields and headings of one record.

A list of symbols is a query, not a use. Documents that are no record are left to whoever else outlines them.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from memory_core.ide.foreign import plain
from memory_core.ide.ranking import ranked
from memory_core.ide.view import View
from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range

MAX_SYMBOLS = 200
_ORDER = (Kind.KNOWLEDGE, Kind.WORKFLOW, Kind.DECISION, Kind.REQUEST, Kind.SUMMARY)


@dataclass(frozen=True, slots=True)
class RecordSymbol:
    """A record that fits a query. `rank`: 0 where its slug begins with it, then 1 to 3. `replaced`: another decision
    took its place."""

    ref: RecordRef
    path: str
    rank: int
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a record: a field of its frontmatter, a heading with what stands below it, or the frontmatter itself
    (`what`). `detail`: the value of a field, in short."""

    what: str
    name: str
    range: Range
    selection: Range
    detail: str | None = None
    parts: tuple[Section, ...] = ()


def record_symbols(
    snapshot: Snapshot, query: str, used: Iterable[RecordRef] = (), most: int = MAX_SYMBOLS
) -> list[RecordSymbol]:
    """The records whose slugs fit, best first and at most `most`; used ones come before others that fit equally well.

    A query may name the kind, as `#slug`, `/slug` or `decision/slug`; spaces stand for hyphens.
    """
    kinds, typed = _query(query)
    used_by_kind: dict[Kind, list[str]] = {kind: [] for kind in kinds}
    for ref in used:
        if ref.kind in used_by_kind:
            used_by_kind[ref.kind].append(ref.slug)
    tables = snapshot.index.words
    rows = [_ranked_refs(kind, ranked(tables[kind], typed, used_by_kind[kind]), typed) for kind in kinds]
    # Each kind's rows come in order of their rank: merged, whoever takes few pays for few.
    found = islice(heapq.merge(*rows, key=lambda row: row[0]), most)
    return [RecordSymbol(ref, record_path(ref), rank, _is_replaced(snapshot, ref)) for rank, ref in found]


def _query(query: str) -> tuple[tuple[Kind, ...], str]:
    typed = "-".join(query.lower().split())
    if typed.startswith("#"):
        return (Kind.KNOWLEDGE,), typed.lstrip("#")
    kind, slash, slug = typed.partition("/")
    if slash and not kind:
        return (Kind.WORKFLOW,), slug
    if slash and kind in set(Kind):
        return (Kind(kind),), slug
    return _ORDER, typed


def _ranked_refs(kind: Kind, slugs: Iterable[str], typed: str) -> Iterator[tuple[int, RecordRef]]:
    for slug in slugs:
        yield _rank(slug, typed), RecordRef(kind, slug)


def _rank(slug: str, typed: str) -> int:
    """The classes of `ranking.ranked`, in its order."""
    if slug.startswith(typed):
        return 0
    return 1 if f"-{typed}" in slug else 2 if typed in slug else 3


def _is_replaced(snapshot: Snapshot, ref: RecordRef) -> bool:
    """Said only once the records were read: to read two hundred for one list would hold it up."""
    if ref.kind is not Kind.DECISION or not snapshot.index.knows_links:
        return False
    document = snapshot.document(ref)
    return document is not None and document.outline.status == Status.REPLACED


_MARKS = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+|\Z)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*")
# What can stand above a line of hyphens without being a paragraph, which alone makes it a heading (CommonMark 4.3).
_NO_PARAGRAPH = re.compile(r"[ \t]*(?:[-*+>|#]|\d{1,9}[.)][ \t])|[ ]{4}|\t")


def sections(view: View, *, headings: bool = True) -> tuple[Section, ...]:
    """The frontmatter with its fields, and the headings one inside the other; empty for what is no record."""
    record = view.record
    if record is None:
        return ()
    found: list[Section] = []
    if record.head:
        lines = view.lines
        whole = Range(Position(0, 0), lines.line_range(lines.position(record.head.end).line).end)
        fields = tuple(
            Section(
                "field", plain(key, 80) or "(no name)", entry.range, entry.key_range, plain(entry.item.raw, 80) or None
            )
            for key, entry in record.head.entries.items()
        )
        found.append(Section("frontmatter", "frontmatter", whole, lines.line_range(0), None, fields))
    return (*found, *_nested(view, list(_headings(view)))) if headings else tuple(found)


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    title: str
    line: int


def _headings(view: View) -> Iterator[_Heading]:
    """ATX and underlined headings of the body; what the mask hides (code, comments) makes none."""
    lines = view.lines
    before = ""
    for number in range(view.body_line, lines.line_count):
        text, masked = view.line(number)
        if match := _MARKS.match(masked):
            title = text[match.end() : _title_end(masked, match.end())]
            yield _Heading(len(match["marks"]), plain(title, 120) or "(untitled)", number)
            before = ""
            continue
        if before and _UNDERLINE.fullmatch(masked):
            yield _Heading(1 if "=" in masked else 2, plain(before, 120), number - 1)
            before = ""
            continue
        before = text.strip() if masked.strip() and not _NO_PARAGRAPH.match(masked) else ""


def _title_end(line: str, start: int) -> int:
    """Where a title ends that begins at `start`: before the marks that close it. No expression looks for them, since
    one that tries them behind each blank takes the square of a long line."""
    title = line[start:].rstrip(" \t")
    bare = title.rstrip("#")
    return start + len(bare.rstrip(" \t") if not bare or bare[-1] in " \t" else title)


def _nested(view: View, headings: list[_Heading]) -> tuple[Section, ...]:
    """Each heading with those of lower level that follow it, in one pass from the end."""
    lines = view.lines
    end_of_text = lines.position(len(view.text))
    waiting: list[tuple[int, Section]] = []  # level and section, of what follows; the next one last
    for heading in reversed(headings):
        inner: list[Section] = []
        while waiting and waiting[-1][0] > heading.level:
            inner.append(waiting.pop()[1])
        end = lines.line_range(waiting[-1][1].selection.start.line - 1).end if waiting else end_of_text
        selection = lines.line_range(heading.line)
        section = Section("heading", heading.title, Range(selection.start, end), selection, None, tuple(inner))
        waiting.append((heading.level, section))
    return tuple(section for _, section in reversed(waiting))


def used_first(uses: Mapping[RecordRef, int]) -> list[RecordRef]:
    """Records by how often they were used, the most used first."""
    return sorted(uses, key=lambda ref: (-uses[ref], ref))
