"""Slugs being typed in a record's frontmatter: in `replaced_by` and `requires`, where they stand without a sigil.

In YAML a `#` starts a comment; one that was typed all the same is replaced along with the slug.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_core.ide.head import KEY, TypedHead
from memory_core.records.schema import FieldType, Kind, field_of
from memory_core.text import Position

_WORD = r"""["']?(?P<typed>\#?[A-Za-z0-9_-]*)\Z"""
_SCALAR = re.compile(rf"[ \t]+{_WORD}")
_FLOW_ITEM = re.compile(rf"[ \t]*\[(?:[^\]]*[,\s])?{_WORD}")
_BLOCK_ITEM = re.compile(rf"[ \t]*-[ \t]+{_WORD}")
_FLOW_LINE = re.compile(rf"[ \t]+(?:[^\]]*[,\s])?{_WORD}")
_REST = re.compile(r"[A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class TypedSlug:
    """The slug of a record of `kind` being typed: the columns of its start and end, and the part before the cursor."""

    kind: Kind
    start: int
    end: int
    typed: str


def slug_typed_in(head: TypedHead, position: Position) -> TypedSlug | None:
    """The slug being typed at a place in frontmatter; None where it is none."""
    line = head.lines.line(position.line)
    before = line[: position.character]
    key = KEY.match(before)
    name = key["key"] if key else head.key_above(position.line)
    field = field_of(head.record.ref.kind, name) if name else None
    if field is None:
        return None
    if field.type is FieldType.SLUG and key:
        kind, match = head.record.ref.kind, _SCALAR.match(before, key.end())
    elif field.type is FieldType.KNOWLEDGE_SLUGS:
        kind = Kind.KNOWLEDGE
        match = _FLOW_ITEM.match(before, key.end()) if key else _in_list(head, position.line, before)
    else:
        return None
    if not match:
        return None
    rest = _REST.match(line, position.character)
    return TypedSlug(kind, match.start("typed"), rest.end() if rest else position.character, match["typed"])


def _in_list(head: TypedHead, number: int, before: str) -> re.Match[str] | None:
    """An item of a block list, or one of a list in brackets that was begun on a line above."""
    if match := _BLOCK_ITEM.match(before):
        return match
    above = ""
    for line in range(number - 1, head.first - 1, -1):
        above = head.lines.line(line) + "\n" + above
        if head.key_on(line):
            break
    return _FLOW_LINE.match(before) if above.rfind("[") > above.rfind("]") else None
