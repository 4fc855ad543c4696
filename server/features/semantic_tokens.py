"""`textDocument/semanticTokens/full` and `/range`: references, colored by whether they lead to a record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.text import LineIndex
from server.convert import from_lsp
from server.convert.columns import Encoding, from_code_points
from server.convert.plain import Plain
from server.language_server import Server
from server.long_texts import answer

if TYPE_CHECKING:
    from memory_core.ide.tokens import Token

# As `memory_core.ide.tokens` has them, which loads the core and must wait; a test compares.
LEGEND = types.SemanticTokensLegend(
    token_types=["variable", "function", "comment"], token_modifiers=["deprecated", "unresolved"]
)


async def full(ls: Server, params: types.SemanticTokensParams) -> Plain | None:
    return await _answer(ls, params.text_document.uri, None)


async def of_range(ls: Server, params: types.SemanticTokensRangeParams) -> Plain | None:
    return await _answer(ls, params.text_document.uri, params.range)


async def _answer(ls: Server, uri: str, within: types.Range | None) -> Plain | None:
    about = await ls.loader.asked_about(uri, wanted=ls.state.settings.tokens)
    if about is None:
        return None
    text, root, snapshot = about
    from memory_core.ide.tokens import tokens

    encoding = ls.state.client.encoding
    view = ls.state.view(text, root)
    if not view.prose:
        return None  # editors draw the tokens of one server only, and those of the language matter more there
    span = from_lsp.range_of(view.lines, within, encoding) if within else None
    return await answer(text, lambda: Plain({"data": encoded(view.lines, tokens(snapshot, view, span), encoding)}))


def encoded(lines: LineIndex, found: Iterable[Token], encoding: Encoding) -> list[int]:
    """Tokens as LSP packs them: five numbers each, places counted from the token before."""
    data: list[int] = []
    line = column = 0
    for token in found:
        text, place = lines.line(token.range.start.line), token.range.start
        start = from_code_points(text, place.character, encoding)
        length = from_code_points(text, token.range.end.character, encoding) - start
        data += (place.line - line, start - column if place.line == line else start, length)
        data.append(LEGEND.token_types.index(token.type))
        data.append(1 << LEGEND.token_modifiers.index(token.modifier) if token.modifier else 0)
        line, column = place.line, start
    return data
