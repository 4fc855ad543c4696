"""Completion of `#slug` and `/slug`, and of slugs in a record's `replaced_by` and `requires`.

A completion list is a query, not a use: nothing here counts as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from memory_core.ide.foreign import plain
from memory_core.ide.view import View
from memory_core.outline import Outline
from memory_core.records.mask import mask
from memory_core.records.refs import typing_at
from memory_core.records.schema import Kind, RecordRef
from memory_core.slug_words import SlugWords
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range

MAX_ITEMS = 50
_SIGIL = {Kind.KNOWLEDGE: "#", Kind.WORKFLOW: "/"}


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One record offered. `filter_text` starts with what stands in the replaced range, sigil included, because editors
    filter by that text; `sort_text` keeps our order."""

    ref: RecordRef
    label: str
    new_text: str
    filter_text: str
    sort_text: str
    description: str | None
    record_kind: str
    uses: int
    broken: bool = False


@dataclass(frozen=True, slots=True)
class CompletionResult:
    """The items, the range each of them replaces, and whether to ask again when more is typed."""

    items: tuple[CompletionItem, ...]
    range: Range
    is_incomplete: bool


@dataclass(frozen=True, slots=True)
class _Query:
    kind: Kind
    prefix: str
    sigil: str
    range: Range


def complete(
    snapshot: Snapshot,
    view: View,
    position: Position,
    *,
    explicit: bool = False,
    uses: Mapping[RecordRef, int] | None = None,
) -> CompletionResult | None:
    """The records that fit what is being typed at a position; None where no reference is being typed.

    `explicit`: the person asked for the list. `uses`: use counts, which order what fits equally well.
    """
    query = _query(view, position, explicit)
    if query is None:
        return None
    uses = uses or {}
    own = view.document.path if view.document else None
    used = [r.slug for r in sorted(uses, key=lambda ref: (-uses[ref], ref.slug)) if r.kind is query.kind]
    fitting = _offered(snapshot, query.kind, ranked(snapshot.index.words[query.kind], query.prefix, used), own)
    items = tuple(_item(query, n, ref, known, uses) for n, (ref, known) in enumerate(islice(fitting, MAX_ITEMS)))
    # The order depends on every character typed, so even a whole list is asked for again; a single item is final.
    return CompletionResult(items, query.range, len(items) > 1)


def _query(view: View, position: Position, explicit: bool) -> _Query | None:
    line, masked = view.line(position.line)
    column = min(position.character, len(line))
    if position.line < view.body_line:
        if not _in_description(view, Position(position.line, column)):
            return _frontmatter_query(view, Position(position.line, column))
        masked = mask(line)
    typing = typing_at(line, column, masked)
    if typing is None:
        return None
    bare = not typing.prefix and not explicit
    # A lone `#` at the start of a line is most often the start of a heading.
    if bare and typing.kind is Kind.KNOWLEDGE and (not line[: typing.start].strip() or not view.prose):
        return None
    if typing.kind is Kind.WORKFLOW and not view.prose and not explicit:
        return None
    span = Range(Position(position.line, typing.start), Position(position.line, typing.end))
    return _Query(typing.kind, typing.prefix.lower(), _SIGIL[typing.kind], span)


def _in_description(view: View, position: Position) -> bool:
    """Whether a place is inside the value of `description`, the one field in which references are read. Behind a `#`
    that YAML takes for a comment it is not."""
    head = view.record.head if view.record else None
    entry = head.entries.get("description") if head else None
    return bool(entry and entry.item.start < view.lines.offset(position) <= entry.item.end)


_REPLACED_BY = re.compile(r"""replaced_by:[ \t]*["']?(?P<typed>[A-Za-z0-9_-]*)\Z""")
_REQUIRES = re.compile(r"""requires:[ \t]*\[(?:[^\]]*[,\s])?["']?(?P<typed>[A-Za-z0-9_-]*)\Z""")
_LIST_ITEM = re.compile(r"""[ \t]*-[ \t]+["']?(?P<typed>[A-Za-z0-9_-]*)\Z""")


def _frontmatter_query(view: View, position: Position) -> _Query | None:
    """In YAML a `#` starts a comment, so slugs stand there without a sigil."""
    record = view.record
    line = view.lines.line(position.line)
    before = line[: position.character]
    if record is None:
        return None
    if record.ref.kind is Kind.DECISION and (match := _REPLACED_BY.match(before)):
        kind = Kind.DECISION
    elif record.ref.kind is Kind.WORKFLOW and (match := _REQUIRES.match(before) or _block_item(view, position, before)):
        kind = Kind.KNOWLEDGE
    else:
        return None
    end = re.compile(r"[A-Za-z0-9_-]*").match(line, position.character)
    stop = end.end() if end else position.character
    span = Range(Position(position.line, match.start("typed")), Position(position.line, stop))
    return _Query(kind, match["typed"].lower(), "", span)


def _block_item(view: View, position: Position, before: str) -> re.Match[str] | None:
    """The item typed in a block list, when the key above the list is `requires`."""
    match = _LIST_ITEM.match(before)
    for number in range(position.line - 1, 0, -1) if match else ():
        line = view.lines.line(number)
        if not line.strip() or line.lstrip().startswith(("-", "#")):
            continue
        return match if re.match(r"requires:[ \t]*(#.*)?$", line) else None
    return None


def ranked(table: SlugWords, query: str, used: Iterable[str] = ()) -> Iterator[str]:
    """The slugs that fit, best first: as a prefix, as the prefix of a later word, inside, then as a subsequence. Used
    ones come before the others of their class; a caller that takes few pays for few."""
    seen: set[str] = set()

    def fresh(found: Iterable[str]) -> Iterator[str]:
        for slug in found:
            if slug not in seen:
                seen.add(slug)
                yield slug

    used = [slug for slug in used if slug in table]
    yield from fresh(slug for slug in used if slug.startswith(query))
    yield from fresh(table.beginning_with(query))
    if not query:
        return
    for part in (f"-{query}", query):
        yield from fresh(slug for slug in used if part in slug)
        yield from fresh(table.holding(part))
    yield from fresh(table.scattered(query))


def _offered(
    snapshot: Snapshot, kind: Kind, slugs: Iterable[str], own: str | None
) -> Iterator[tuple[RecordRef, Outline]]:
    """Records people may name: not those they are asked to be spared, and not the one they are writing."""
    for slug in slugs:
        ref = RecordRef(kind, slug)
        document = snapshot.document(ref)
        if document and document.path != own and (known := document.outline).user_invocable:
            yield ref, known


def _item(query: _Query, number: int, ref: RecordRef, known: Outline, uses: Mapping[RecordRef, int]) -> CompletionItem:
    text = f"{query.sigil}{ref.slug}"
    return CompletionItem(
        ref=ref,
        label=text,
        new_text=text,
        filter_text=text,
        sort_text=f"{number:03d}",
        description=plain(known.description) if known.description else None,
        record_kind=plain(known.kind, 40) if known.kind else str(ref.kind),
        uses=uses.get(ref, 0),
        broken=known.broken,
    )
