"""Semantic tokens: the references in a text, told apart by whether they lead to a record.

Only standard token types, so that every theme colors them; nothing where the reference scanner is silent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memory_core.ide.links import Name, names_in
from memory_core.ide.view import View
from memory_core.records.schema import Kind, Status
from memory_core.snapshot import Snapshot
from memory_core.text import Range

# `variable`: a record; `function`: a workflow; `comment`: a name that leads nowhere, dimmed as comments are.
TokenType = Literal["variable", "function", "comment"]
TOKEN_TYPES: tuple[TokenType, ...] = ("variable", "function", "comment")

# `deprecated`, a standard one, on a decision that was replaced; `unresolved`, our own, beside the type `comment`.
TokenModifier = Literal["deprecated", "unresolved"]
TOKEN_MODIFIERS: tuple[TokenModifier, ...] = ("deprecated", "unresolved")


@dataclass(frozen=True, slots=True)
class Token:
    """A reference on one line."""

    range: Range
    type: TokenType
    modifier: TokenModifier | None = None


def tokens(snapshot: Snapshot, view: View, within: Range | None = None) -> list[Token]:
    """The references of a text in order, those that touch `within` where it is given."""
    found: list[Token] = []
    for name in names_in(view, within=within):
        if name.range.start.line != name.range.end.line:
            continue  # a slug in a block of YAML: a token may not reach over a line
        if token := _token(snapshot, view, name):
            found.append(token)
    return found


def _token(snapshot: Snapshot, view: View, name: Name) -> Token | None:
    if snapshot.index.exists(name.ref):
        if name.ref.kind is Kind.WORKFLOW:
            return Token(name.range, "function")
        return Token(name.range, "variable", "deprecated" if _replaced(snapshot, name) else None)
    # A `/word` that is no workflow is a path or another program's command; in code, `#word` is its own syntax.
    if name.weak or name.ref.kind is Kind.WORKFLOW or not view.prose:
        return None
    return Token(name.range, "comment", "unresolved")


def _replaced(snapshot: Snapshot, name: Name) -> bool:
    document = snapshot.document(name.ref) if name.ref.kind is Kind.DECISION else None
    return document is not None and document.outline.status == Status.REPLACED
