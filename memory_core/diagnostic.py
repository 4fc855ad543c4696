"""One problem at one place, as the parser, the linter and the configuration report it. Plain data, no LSP."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from memory_core.text import Range, TextEdit


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True)
class Fix:
    """A certain repair of one diagnostic: edits of the same file. `title` is what a menu shows."""

    title: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True)
class Related:
    """Another place that explains the problem. `path` is relative to the memory root."""

    path: str
    range: Range
    message: str


@dataclass(frozen=True)
class Diagnostic:
    """A problem: stable `code`, what to do in `message`, exact `range` in the file it was reported for."""

    code: str
    severity: Severity
    message: str
    range: Range
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = field(default=())
