"""Where open texts that are no records name one: notes, prompts, commit messages. Their files belong to people; only
what is open in the editor, where they see it, is found and changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.text import TextEdit
from server.convert import to_lsp

if TYPE_CHECKING:
    from memory_core.ide.view import View
    from memory_core.records.schema import RecordRef
    from memory_core.text import Range
    from server.open_text import OpenText
    from server.state import Root, ServerState


def mentions(state: ServerState, root: Root, ref: RecordRef) -> Iterator[tuple[OpenText, View, Range]]:
    """The places, sigil included, in open texts of a root's workspace that are no records; of paths, the slugs."""
    from memory_core.ide.references import named_in
    from memory_core.layout import way_to

    for text in list(state.texts.values()):
        if ref.slug not in text.text or state.root_of(text) is not root or root.record_path(text):
            continue
        view = state.view(text, root)
        for span in named_in(view, ref, way_to(root.real, text.real) if text.real else None):
            yield text, view, span


def renamed(state: ServerState, root: Root, source: RecordRef, target: RecordRef) -> list[types.TextDocumentEdit]:
    """The edits that let them follow a record to its next name, each text at the version that is open."""
    found: dict[str, tuple[OpenText, list[types.TextEdit]]] = {}
    for text, view, span in mentions(state, root, source):
        start = view.lines.offset(span.start)
        at = view.text.find(source.slug, start, view.lines.offset(span.end))
        if at >= 0:
            edit = TextEdit(view.lines.range(at, at + len(source.slug)), target.slug)
            place = to_lsp.range_of(view.lines, edit.range, state.client.encoding)
            found.setdefault(text.uri, (text, []))[1].append(types.TextEdit(place, edit.new_text))
    return [
        types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(text.uri, text.version), [*edits])
        for text, edits in found.values()
    ]
