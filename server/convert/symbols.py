"""From the core to the protocol: symbols of a workspace and of a document, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.records.schema import Kind
from memory_core.text import LineIndex, Range
from server.convert.columns import Encoding, from_code_points

if TYPE_CHECKING:
    from memory_core.ide.symbols import RecordSymbol, Section

_DEPRECATED = types.SymbolTag.Deprecated.value
# What editors have icons for, since no protocol knows records: something said, done, decided or asked.
_OF_RECORDS = {
    Kind.KNOWLEDGE: types.SymbolKind.Class.value,
    Kind.WORKFLOW: types.SymbolKind.Function.value,
    Kind.DECISION: types.SymbolKind.Constant.value,
    Kind.REQUEST: types.SymbolKind.Event.value,
    Kind.SUMMARY: types.SymbolKind.File.value,
}
_OF_SECTIONS = {
    "frontmatter": types.SymbolKind.Object.value,
    "field": types.SymbolKind.Key.value,
    "heading": types.SymbolKind.String.value,
}
_START = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


def plain_range(lines: LineIndex, span: Range, encoding: Encoding) -> dict[str, Any]:
    """A range as JSON data."""
    start, end = span.start, span.end
    return {
        "start": {
            "line": start.line,
            "character": from_code_points(lines.line(start.line), start.character, encoding),
        },
        "end": {"line": end.line, "character": from_code_points(lines.line(end.line), end.character, encoding)},
    }


def workspace_symbols(found: Iterable[RecordSymbol], uri_of: Callable[[str], str], folder: str) -> list[dict[str, Any]]:
    """Records as workspace symbols. `folder` names the workspace where there are several, else it is empty."""
    return [
        {
            "name": symbol.ref.slug,
            "kind": _OF_RECORDS[symbol.ref.kind],
            "containerName": f"{symbol.ref.kind} · {folder}" if folder else str(symbol.ref.kind),
            "location": {"uri": uri_of(symbol.path), "range": _START},
            **({"tags": [_DEPRECATED]} if symbol.replaced else {}),
        }
        for symbol in found
    ]


def document_symbols(lines: LineIndex, found: Iterable[Section], encoding: Encoding) -> list[dict[str, Any]]:
    """Sections one inside the other."""
    return [
        {
            "name": section.name,
            "kind": _OF_SECTIONS[section.what],
            "range": plain_range(lines, section.range, encoding),
            "selectionRange": plain_range(lines, section.selection, encoding),
            **({"detail": section.detail} if section.detail else {}),
            **({"children": document_symbols(lines, section.parts, encoding)} if section.parts else {}),
        }
        for section in found
    ]


def flat_symbols(
    lines: LineIndex, uri: str, found: Iterable[Section], encoding: Encoding, container: str = ""
) -> Iterator[dict[str, Any]]:
    """The same one after the other, for clients that know no hierarchy."""
    for section in found:
        yield {
            "name": section.name,
            "kind": _OF_SECTIONS[section.what],
            "location": {"uri": uri, "range": plain_range(lines, section.range, encoding)},
            **({"containerName": container} if container else {}),
        }
        yield from flat_symbols(lines, uri, section.parts, encoding, section.name)
