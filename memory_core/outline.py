"""The outline of a document: the little that lists, slug tables and backlinks are made of, kept on disk between runs.

Made from a parsed document; holds no text and no place but those of links.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from memory_core.layout import record_path
from memory_core.records.record import Record
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.slug import is_slug
from memory_core.text import Position, Range

if TYPE_CHECKING:
    from memory_core.parsed import Parsed

FORMAT = 2  # of `pack`; a change of what it holds is a new number, which makes caches worthless

LINK = "link"  # the `via` of a link by path
PLACE = "place"  # the `via` of a path in the text, which only says where a record lies: it holds nothing in place

_COUNTED = 20_000  # characters up to which lines are counted anew for each place
_TITLE = re.compile(r"\A\s*#[ \t]+(\S[^\r\n]*)")
_LETTERS = {kind: kind.value[0] for kind in Kind}  # all different, as `_KINDS` shows
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}


class Link(NamedTuple):
    """One reference to `target` standing in the document at `path`. `via`: `body`, `description`, `replaced_by` or
    `requires`, with the sigil if there is one; LINK or PLACE, and then the slug alone. `widest`: the largest code point
    up to its end on its line; where it is ASCII, or below U+10000, columns are the same in UTF-8, or UTF-16, and nobody
    needs the line to count them."""

    target: RecordRef
    path: str
    range: Range
    via: str
    widest: int = 0x10FFFF


class Outline(NamedTuple):
    """What a list shows of a document. `title`: the first heading, where the body starts with one. `kind`: what sort of
    knowledge. `broken`: the file has problems that parsing meets."""

    title: str | None = None
    description: str | None = None
    kind: str | None = None
    status: str | None = None
    user_invocable: bool = True
    resident: bool = False
    broken: bool = False


# One text for both halves, the links and the outline: it is what a cache stores, it takes a third of the memory of
# objects, and who wants one half does not pay for the other.
_PLACE = r"[a-z][a-z0-9-]+ \d+ \d+ \d+ \d+ \d+ [a-z_]+"
_PACKED = re.compile(rf"(?:{_PLACE}(?:;{_PLACE})*)?\n\[.*\]")


def pack(parsed: Parsed) -> str:
    """The outline and the links of a document as one text."""
    # ASCII, since half of a surrogate pair cannot be stored.
    return ";".join(_places(parsed)) + "\n" + json.dumps(outline_of(parsed), separators=(",", ":"))


def is_packed(text: str) -> bool:
    """Whether a text that was stored is of the form that `pack` makes."""
    return bool(_PACKED.fullmatch(text))


def is_broken(packed: str) -> bool:
    """`Outline.broken` of a packed document, read from how it ends."""
    return packed.endswith("true]")


def outline_in(packed: str) -> Outline:
    """The outline in a packed text; ValueError or TypeError where it is none."""
    values = json.loads(packed[packed.index("\n") :])
    if len(values) != len(Outline._fields):
        raise ValueError("not an outline")
    return Outline(*values)


def targets_in(packed: str) -> set[str]:
    """The paths of the records that are named in a packed document, existing or not."""
    places = packed[: packed.index("\n")]
    return {_target_path(place[: place.index(" ")]) for place in places.split(";")} if places else set()


def links_in(packed: str, path: str, target: RecordRef | None = None) -> Iterator[Link]:
    """The links of the packed document at `path`: all, or those to one record."""
    places = packed[: packed.index("\n")]
    for place in places_of(packed, begin_of(target)) if target else places.split(";") if places else ():
        yield link_at(path, place, target)


def places_of(packed: str, wanted: str) -> list[str]:
    """The places in a packed document that begin with `wanted` (see `begin_of`), each packed too: a thousand are passed
    on as they are for a tenth of what as many links cost."""
    last = packed.index("\n")
    at = packed.find(wanted, 0, last)
    if at < 0:
        return []
    if packed.find(wanted, at + 1, last) < 0 and (at == 0 or packed[at - 1] == ";"):  # one, as in nearly all
        end = packed.find(";", at, last)
        return [packed[at : end if end >= 0 else last]]
    return [place for place in packed[:last].split(";") if place.startswith(wanted)]


def begin_of(target: RecordRef) -> str:
    """How every packed place begins that names a record."""
    return f"{_LETTERS[target.kind]}{target.slug} "


def link_at(path: str, place: str, target: RecordRef | None = None) -> Link:
    """The link that a packed place in the document at `path` stands for; `target` where it is known."""
    name, line, start, last, end, widest, via = place.split(" ")
    span = Range(Position(int(line), int(start)), Position(int(last), int(end)))
    return Link(target or RecordRef(_KINDS[name[0]], name[1:]), path, span, via, int(widest))


def outline_of(parsed: Parsed) -> Outline:
    """The outline of a document."""
    record = parsed.record
    if record is None:
        return Outline(broken=True)
    kind = record.value("kind") if record.ref.kind is Kind.KNOWLEDGE else None
    return Outline(
        title=title_of(record),
        description=record.description,
        kind=kind if isinstance(kind, str) else None,
        status=str(record.status) if record.status else None,
        user_invocable=record.user_invocable,
        resident=record.resident,
        broken=bool(record.problems),
    )


def title_of(record: Record) -> str | None:
    """The first heading of a record's body, when the body starts with one."""
    match = _TITLE.match(record.text[record.body_start : record.body_start + 1_000])
    return match[1].strip() if match else None


def _places(parsed: Parsed) -> Iterator[str]:
    record, widths = parsed.record, _Widths(parsed.text)
    if record and record.head:
        entry = record.head.entries.get("replaced_by")
        if entry and record.replaced_by:
            target = RecordRef(record.ref.kind, record.replaced_by)
            yield _packed_link(parsed, widths, target, entry.item.start, entry.item.end, "replaced_by")
        entry = record.head.entries.get("requires")
        for item in entry.item.items if entry else ():
            if isinstance(item.value, str) and is_slug(item.value):  # as `record.requires` has it, which is made anew
                target = RecordRef(Kind.KNOWLEDGE, item.value)
                yield _packed_link(parsed, widths, target, item.start, item.end, "requires")
    for via, references in (("description", parsed.description_references), ("body", parsed.references)):
        for found in references:
            yield _packed_link(parsed, widths, RecordRef(found.kind, found.slug), found.start, found.end, via)
    for place in parsed.named_places:
        via = LINK if place.link else PLACE
        yield _packed_link(parsed, widths, place.ref, place.at, place.at + len(place.ref.slug), via)


class _Widths:
    """The widest character of a line up to a place on it. A line is looked through once for all places in order, since
    one may be a megabyte long and full of them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = self._end = -1
        self._widest = 0x7F

    def up_to(self, line_start: int, end: int) -> int:
        if line_start != self._start or end < self._end:
            self._start = self._end = line_start
            self._widest = 0x7F
        part = self._text[self._end : end]
        if not part.isascii():
            self._widest = max(self._widest, ord(max(part)))
        self._end = end
        return self._widest


def _packed_link(parsed: Parsed, widths: _Widths, target: RecordRef, start: int, end: int, via: str) -> str:
    line, character = _position(parsed, start)
    last, behind = _position(parsed, end)
    widest = widths.up_to(max(0, start - character), end)
    return f"{_LETTERS[target.kind]}{target.slug} {line} {character} {last} {behind} {widest} {via}"


def _position(parsed: Parsed, offset: int) -> tuple[int, int]:
    """As `LineIndex.position`; for the two or three places in a record, counting is faster than a table of lines."""
    text = parsed.text
    if len(text) > _COUNTED or "\r" in text:
        at = parsed.lines.position(offset)
        return at.line, at.character
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


def _target_path(name: str) -> str:
    return record_path(RecordRef(_KINDS[name[0]], name[1:]))
