"""Slugs being typed in a record's frontmatter: in `replaced_by` and `requires`, where they stand without a sigil.

In YAML a `#` starts a comment; one that was typed all the same is replaced along with the slug.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

from memory_core.ide.head import KEY, TypedHead
from memory_core.records.schema import FieldType, Kind, field_of
from memory_core.text import Position

_LETTERS = string.ascii_letters + string.digits + "_-"
_ITEM = re.compile(r"[ \t]*-[ \t]+")
_REST = re.compile(r"[A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class TypedSlug:
    """The slug of a record of `kind` being typed: the columns of its start and end, and the part before the cursor.
    `quoted`: it stands in quotes already."""

    kind: Kind
    start: int
    end: int
    typed: str
    quoted: bool


def slug_typed_in(head: TypedHead, position: Position) -> TypedSlug | None:
    """The slug being typed at a place in frontmatter; None where it is none."""
    line = head.lines.line(position.line)
    before = line[: position.character]
    key = KEY.match(before)
    name = key["key"] if key else head.key_above(position.line)
    field = field_of(head.record.ref.kind, name) if name else None
    if field is None:
        return None
    start = _word_start(before)
    quoted = before[:start].endswith(("'", '"'))
    lead = before[key.end() if key else 0 : start - quoted]
    if field.type is FieldType.SLUG and key and lead and not lead.strip(" \t"):
        kind = head.record.ref.kind
    elif field.type is FieldType.KNOWLEDGE_SLUGS and (_opens(lead) if key else _in_list(head, position.line, lead)):
        kind = Kind.KNOWLEDGE
    else:
        return None
    rest = _REST.match(line, position.character)
    return TypedSlug(kind, start, rest.end() if rest else position.character, before[start:], quoted)


# By the parts of a line from its end: an expression that tries each blank as the beginning of the word takes the square
# of a line of blanks.
def _word_start(before: str) -> int:
    start = len(before.rstrip(_LETTERS))
    return start - 1 if before[:start].endswith("#") else start


def _opens(lead: str) -> bool:
    """Whether an item can begin behind what stands between a key and it: `[`, perhaps with other items."""
    items = lead.lstrip(" \t")
    return items.startswith("[") and "]" not in items and _separated(items[1:])


def _separated(items: str) -> bool:
    return not items or items[-1] == "," or items[-1].isspace()


def _in_list(head: TypedHead, number: int, lead: str) -> bool:
    """An item of a block list, or one of a list in brackets that was begun on a line above."""
    if _ITEM.fullmatch(lead):
        return True
    if lead[:1] not in (" ", "\t") or "]" in lead or not _separated(lead):
        return False
    above = [head.lines.line(line) for line in _lines_above(head, number)]
    text = "\n".join(reversed(above))
    return text.rfind("[") > text.rfind("]")


def _lines_above(head: TypedHead, number: int) -> Iterator[int]:
    """The lines up to the key above, that included."""
    for line in range(number - 1, head.first - 1, -1):
        yield line
        if head.key_on(line):
            return
