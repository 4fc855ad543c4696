"""Completion: what fits at a cursor, be it a reference, a slug in frontmatter, or frontmatter itself.

A completion list is a query, not a use: nothing here counts as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from memory_core.ide.foreign import plain
from memory_core.ide.head import TypedHead, head_of
from memory_core.ide.head_completion import complete_head
from memory_core.ide.head_slugs import slug_typed_in
from memory_core.ide.head_template import complete_empty
from memory_core.ide.offer import MAX_ITEMS, CompletionItem, CompletionResult
from memory_core.ide.ranking import NEVER_USED, UseOrder, filter_text, ranked
from memory_core.ide.view import View
from memory_core.ids import utc_now
from memory_core.outline import Outline
from memory_core.records.mask import mask
from memory_core.records.refs import typing_at
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.records.slug import as_yaml
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range

__all__ = ["MAX_ITEMS", "CompletionItem", "CompletionResult", "complete", "ranked"]

_SIGIL = {Kind.KNOWLEDGE: "#", Kind.WORKFLOW: "/"}


@dataclass(frozen=True, slots=True)
class _Query:
    """A slug of `kind` being typed at `range`: `typed` stands in front of the cursor, `suffix` behind it. `sigil`: what
    an item begins with; none in YAML. `bare`: where only what YAML reads as text can stand without quotes."""

    kind: Kind
    sigil: str
    typed: str
    range: Range
    cursor: Position
    suffix: str
    bare: bool = False

    @property
    def prefix(self) -> str:
        """What slugs are looked for by. An underline is how other tools write the hyphen."""
        return self.typed.lstrip("#/").lower().replace("_", "-")


def complete(
    snapshot: Snapshot,
    view: View,
    position: Position,
    *,
    explicit: bool = False,
    uses: UseOrder = NEVER_USED,
    now: datetime | None = None,
) -> CompletionResult | None:
    """What fits what is being typed at a position; None where nothing is known to fit.

    `explicit`: the person asked for the list. `uses`: orders what fits equally well. `now`: the instant that is
    offered for one.
    """
    position = Position(position.line, min(position.character, len(view.lines.line(position.line))))
    head = head_of(view)
    if head and position.line in head and not _in_description(view, position):
        typed = slug_typed_in(head, position)
        if typed is None:
            return complete_head(head, position, now or utc_now())
        start, end = Position(position.line, typed.start), Position(position.line, typed.end)
        suffix = view.lines.line(position.line)[position.character : typed.end]
        span, bare = Range(start, end), not typed.quoted
        return _slugs(snapshot, view, _Query(typed.kind, "", typed.typed, span, position, suffix, bare), uses)
    if found := complete_empty(view, position, now or utc_now()):
        return found
    query = _reference(view, head, position, explicit)
    return _slugs(snapshot, view, query, uses) if query else None


def _slugs(snapshot: Snapshot, view: View, query: _Query, uses: UseOrder) -> CompletionResult:
    own = view.document.path if view.document else None
    slugs = ranked(snapshot.index.words[query.kind], query.prefix, uses.first(query.kind))
    fitting = _offered(snapshot, query, slugs, own)
    items = tuple(_item(query, n, ref, known, uses) for n, (ref, known) in enumerate(islice(fitting, MAX_ITEMS)))
    # The order depends on every character typed, so even a whole list is asked for again; a single item is final, if
    # the editor can go on filtering it by its beginning.
    final = not items or (len(items) == 1 and items[0].filter_text == items[0].new_text)
    return CompletionResult(items, query.range, not final, query.cursor, query.suffix)


def _reference(view: View, head: TypedHead | None, position: Position, explicit: bool) -> _Query | None:
    """The `#slug` or `/slug` being typed in a text, or in the description of a record."""
    line, masked = view.line(position.line)
    if position.line < view.body_line or (head and position.line in head):
        if not head or position.line not in head:
            return None  # one of the lines `---`
        masked = mask(line)
    typing = typing_at(line, position.character, masked)
    if typing is None:
        return None
    bare = not typing.prefix and not explicit
    # A lone `#` at the start of a line is most often the start of a heading.
    if bare and typing.kind is Kind.KNOWLEDGE and (not line[: typing.start].strip() or not view.prose):
        return None
    if typing.kind is Kind.WORKFLOW and not view.prose and not explicit:
        return None
    span = Range(Position(position.line, typing.start), Position(position.line, typing.end))
    before, suffix = line[typing.start : position.character], line[position.character : typing.end]
    return _Query(typing.kind, _SIGIL[typing.kind], before, span, position, suffix)


def _in_description(view: View, position: Position) -> bool:
    """Whether a place is inside the value of `description`, the one field in which references are read. Behind a `#`
    that YAML takes for a comment it is not."""
    head = view.record.head if view.record else None
    entry = head.entries.get("description") if head else None
    return bool(entry and entry.item.start < view.lines.offset(position) <= entry.item.end)


def _offered(
    snapshot: Snapshot, query: _Query, slugs: Iterable[str], own: str | None
) -> Iterator[tuple[RecordRef, Outline]]:
    """Records people may name: not those they are asked to be spared, and not the one they are writing. In frontmatter
    a program names them, so the first does not count there."""
    for slug in slugs:
        ref = RecordRef(query.kind, slug)
        document = snapshot.document(ref)
        if document and document.path != own and ((known := document.outline).user_invocable or not query.sigil):
            yield ref, known


def _item(query: _Query, number: int, ref: RecordRef, known: Outline, uses: UseOrder) -> CompletionItem:
    text = f"{query.sigil}{ref.slug}"
    shown = known.description or known.title
    return CompletionItem(
        label=text,
        new_text=as_yaml(ref.slug) if query.bare else text,
        filter_text=filter_text(text, query.typed),
        sort_text=f"{number:03d}",
        ref=ref,
        description=plain(shown) if shown else None,
        sort=plain(known.kind, 40) if known.kind else known.status or str(ref.kind),
        uses=uses.counts.get(ref, 0),
        broken=known.broken,
        replaced=known.status == Status.REPLACED,
    )
