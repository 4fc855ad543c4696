"""From the core to the protocol: completion lists, as plain data, and the way back from an item to its record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.text import LineIndex, Range
from server.convert.columns import Encoding
from server.convert.plain import Plain
from server.convert.symbols import plain_range
from server.convert.to_lsp import markup

if TYPE_CHECKING:
    from memory_core.ide.offer import CompletionItem, CompletionResult
    from server.client import ClientProfile

_KINDS = {
    "record": types.CompletionItemKind.Reference.value,
    "field": types.CompletionItemKind.Property.value,
    "value": types.CompletionItemKind.EnumMember.value,
    "template": types.CompletionItemKind.Snippet.value,
}
_PLAIN_TEXT = types.InsertTextFormat.PlainText.value
_SNIPPET = types.InsertTextFormat.Snippet.value
_DEPRECATED = types.CompletionItemTag.Deprecated.value


@dataclass(frozen=True)
class _Ranges:
    """The replaced range; and, where text stands behind the cursor, the same up to the cursor."""

    replace: dict[str, Any]
    insert: dict[str, Any] | None


def completion_list(lines: LineIndex, result: CompletionResult, client: ClientProfile, uri: str) -> Plain:
    """The list. What all items share is said once where the client takes that. `uri`: of the text, for `resolve`."""
    ranges = _ranges(lines, result, client.encoding)
    shared = _defaults(result, ranges, client, uri)
    items = [_item(item, result, ranges, client, shared, uri) for item in result.items]
    found: dict[str, Any] = {"isIncomplete": result.is_incomplete, "items": items}
    if shared and items:
        found["itemDefaults"] = shared
    return Plain(found)


def _ranges(lines: LineIndex, result: CompletionResult, encoding: Encoding) -> _Ranges:
    insert = Range(result.range.start, result.cursor)
    behind = result.cursor != result.range.end
    return _Ranges(plain_range(lines, result.range, encoding), plain_range(lines, insert, encoding) if behind else None)


def _defaults(result: CompletionResult, ranges: _Ranges, client: ClientProfile, uri: str) -> dict[str, Any]:
    taken = client.completion_defaults
    shared: dict[str, Any] = {}
    if "editRange" in taken:
        shared["editRange"] = ranges.replace
    if "insertTextFormat" in taken:
        shared["insertTextFormat"] = _PLAIN_TEXT
    if "data" in taken and any(item.ref for item in result.items):
        shared["data"] = {"uri": uri, "kind": next(str(item.ref.kind) for item in result.items if item.ref)}
    return shared


def _item(
    item: CompletionItem,
    result: CompletionResult,
    ranges: _Ranges,
    client: ClientProfile,
    shared: dict[str, Any],
    uri: str,
) -> dict[str, Any]:
    snippet = item.snippet if client.snippets else None
    text = snippet or item.new_text
    shown: dict[str, Any] = {
        "label": item.label,
        "kind": _KINDS[item.role],
        "sortText": item.sort_text,
        "filterText": item.filter_text,
        **_words(item, client),
    }
    if snippet or "insertTextFormat" not in shared:
        shown["insertTextFormat"] = _SNIPPET if snippet else _PLAIN_TEXT
    if client.insert_replace and ranges.insert and not _goes_on(item, result.suffix):
        shown["textEdit"] = {"newText": text, "insert": ranges.insert, "replace": ranges.replace}
    elif "editRange" not in shared:
        shown["textEdit"] = {"newText": text, "range": ranges.replace}
    elif text != item.label:
        shown["textEditText"] = text
    if item.ref and "data" not in shared:
        shown["data"] = {"uri": uri, "kind": str(item.ref.kind)}
    if item.documentation:
        found = markup(item.documentation, markdown=client.markdown_documentation)
        shown["documentation"] = {"kind": found.kind.value, "value": found.value}
    if item.replaced and client.deprecated_items:
        shown["tags"] = [_DEPRECATED]
    return shown


def _goes_on(item: CompletionItem, suffix: str) -> bool:
    """Whether what stands behind the cursor is a piece of the item: then it is always replaced, since an editor that
    keeps such text would double it. Another word is kept where the person has set that."""
    return suffix.lower() in item.new_text


def _words(item: CompletionItem, client: ClientProfile) -> dict[str, Any]:
    """What is shown beside the label: sort and use count close to it, the description further away."""
    uses = f"{item.uses:,} use{'' if item.uses == 1 else 's'}" if item.uses else ""
    detail = item.description or ("This record's file is broken." if item.broken else "")
    if client.label_details:
        near = {"detail": f" {item.sort}"} if item.sort else {}
        details = near | ({"description": uses} if uses else {})
        return ({"labelDetails": details} if details else {}) | ({"detail": detail} if detail else {})
    detail = " · ".join(part for part in (item.sort, uses, detail) if part)
    return {"detail": detail} if detail else {}


def record_of(item: types.CompletionItem) -> tuple[str, str, str] | None:
    """Where an item of ours was offered and which record it stands for: URI, kind, slug; None for any other item."""
    data = item.data
    if not isinstance(data, dict):
        return None
    uri, kind = data.get("uri"), data.get("kind")
    if not isinstance(uri, str) or not isinstance(kind, str):
        return None
    return uri, kind, item.label.lstrip("#/")
