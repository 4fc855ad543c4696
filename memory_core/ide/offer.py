"""What completion offers, as plain values: items, what they replace, and whether to ask again. Finds nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memory_core.records.schema import RecordRef
from memory_core.text import Position, Range

MAX_ITEMS = 50


class Role(StrEnum):
    """What an item is; editors show each by a symbol of its own."""

    RECORD = "record"
    FIELD = "field"  # a frontmatter key
    VALUE = "value"  # a value of one
    TEMPLATE = "template"  # several lines to be filled in


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One thing offered. `filter_text` begins with what stands in front of the cursor in the replaced range, because
    editors filter by that text; `sort_text` keeps our order.

    `description`: one line of plain text. `sort`: what sort of thing it is, in a word or two. `documentation`: Markdown
    for what no record stands behind; a record's card is made when it is asked for. `snippet`: `new_text` with tab stops
    in LSP's syntax, for editors that have them.
    """

    label: str
    new_text: str
    filter_text: str
    sort_text: str
    role: Role = Role.RECORD
    ref: RecordRef | None = None
    description: str | None = None
    sort: str = ""
    uses: int = 0
    broken: bool = False
    replaced: bool = False
    documentation: str | None = None
    snippet: str | None = None


@dataclass(frozen=True, slots=True)
class CompletionResult:
    """The items, the range each of them replaces, and whether to ask again when more is typed.

    `cursor`: where the range ends for those who want the text behind the cursor kept. `suffix`: that text.
    """

    items: tuple[CompletionItem, ...]
    range: Range
    is_incomplete: bool
    cursor: Position
    suffix: str = ""
