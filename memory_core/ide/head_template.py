"""Frontmatter to be filled in: a value for each key, all required keys at once, a whole head for an empty file.

Plain text for every editor, and the same with tab stops for those that have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from memory_core.ide.field_help import choices
from memory_core.ide.head import TypedHead
from memory_core.ide.offer import CompletionItem, CompletionResult, Role
from memory_core.ide.ranking import filter_text
from memory_core.ide.view import View
from memory_core.ids import rfc3339
from memory_core.records.schema import FIELDS, Field, FieldType, Kind
from memory_core.text import Position, Range, newline_of

_FIRST_CHOICE = {"status": "open", "kind": "fact", "origin": "user"}


def value_of(field: Field, kind: Kind, now: datetime, stop: int = 1) -> tuple[str, str | None]:
    """The text `key: value` that starts a field, and the same as a snippet whose tab stop has the number `stop`."""
    name = field.name
    match field.type:
        case FieldType.INSTANT:
            return f"{name}: {rfc3339(now)}", None
        case FieldType.SOURCES:
            return f"{name}: []", None
        case FieldType.FLAG:
            return _one_of(name, [value for value, _ in _usual_first(field, kind)], stop)
        case FieldType.STATUS | FieldType.ORIGIN:
            first = _FIRST_CHOICE[name]
            values = [value for value, _ in choices(field, kind)]
            return _one_of(name, sorted(values, key=lambda value: value != first), stop)
        case FieldType.TEXT if name == "kind":
            return f"{name}: fact", f"{name}: ${{{stop}:fact}}"
        case FieldType.TEXT:
            return f'{name}: ""', f'{name}: "${stop}"'
        case FieldType.KNOWLEDGE_SLUGS | FieldType.RANGE:
            return f"{name}: []", f"{name}: [${stop}]"
    return f"{name}: ", None


def _usual_first(field: Field, kind: Kind) -> list[tuple[str, str]]:
    usual = str(field.default).lower()
    return sorted(choices(field, kind), key=lambda choice: choice[0] != usual)


def _one_of(name: str, values: Sequence[str], stop: int) -> tuple[str, str]:
    return f"{name}: {values[0]}", f"{name}: ${{{stop}|{','.join(values)}|}}"


def templates(head: TypedHead, missing: Sequence[Field], now: datetime) -> Iterator[CompletionItem]:
    """All required keys that are missing, where that is more than one; with the line that ends an unfinished head."""
    required = [field for field in missing if field.required]
    if len(required) < 2:
        return
    plain, snippet = _lines(required, head.record.ref.kind, now)
    if not head.closed:
        plain, snippet = [*plain, "---"], [*snippet, "---"]
    ending = newline_of(head.lines.text)
    yield CompletionItem(
        label="all required fields",
        new_text=ending.join(plain),
        filter_text="all required fields",
        sort_text=" ",  # in front of every number
        role=Role.TEMPLATE,
        description=", ".join(field.name for field in required),
        snippet=ending.join(snippet),
    )


def complete_empty(view: View, position: Position, now: datetime) -> CompletionResult | None:
    """A whole head with a title for a record file in which nothing stands yet, or the start of `---` and no more."""
    record = view.record
    if record is None or record.head or view.text.strip("\ufeff \t\r\n") not in ("", "-", "--", "---"):
        return None
    typed = view.lines.line(position.line)[: position.character]
    if typed.strip("\ufeff \t-") or (view.text.strip("\ufeff \t\r\n") and not typed.strip("\ufeff \t")):
        return None
    kind = record.ref.kind
    title = record.ref.slug.replace("-", " ").capitalize()
    plain, snippet = _lines([field for field in FIELDS[kind] if field.required], kind, now)
    ending = newline_of(view.text)
    start = len(typed) - len(typed.lstrip("\ufeff"))
    item = CompletionItem(
        label=f"new {kind}",
        new_text=ending.join(["---", *plain, "---", f"# {title}", ""]),
        filter_text=filter_text(f"--- {kind}", typed[start:]),
        sort_text=" ",
        role=Role.TEMPLATE,
        description="Frontmatter with all required fields, and a title.",
        snippet=ending.join(["---", *snippet, "---", f"# ${{{len(snippet) + 1}:{_escaped(title)}}}", "", "$0"]),
    )
    end = Position(position.line, len(view.lines.line(position.line)))
    return CompletionResult((item,), Range(Position(position.line, start), end), False, position)


def _lines(fields: Sequence[Field], kind: Kind, now: datetime) -> tuple[list[str], list[str]]:
    pairs = [value_of(field, kind, now, stop) for stop, field in enumerate(fields, 1)]
    return [plain for plain, _ in pairs], [snippet or plain for plain, snippet in pairs]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")
