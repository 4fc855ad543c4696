"""The formats that are read, by the shape of their storage: lines of JSON, one document, Markdown, a database.

Recognizing is by content alone. Where agents keep their logs is in `store.agents`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from memory_core.sessions.formats import (
    aider,
    claude_code,
    claude_history,
    cline,
    codex,
    codex_document,
    copilot_chat,
    copilot_cli,
    copilot_document,
    gemini,
    goose,
    omoide,
    opencode,
    pi,
    specstory,
    yoi,
)
from memory_core.sessions.formats.claude_reading import FORMAT as CLAUDE_CODE
from memory_core.sessions.frames import Frame
from memory_core.sessions.lines import Line
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.own_log import FORMAT as OMOIDE
from memory_core.sessions.source import Source
from memory_core.sessions.tables import Listed, Tables


@dataclass(frozen=True)
class Format:
    """Lines of JSON: how one of its records is recognized, and how a log of them is read."""

    name: str
    recognizes: Callable[[dict[str, Any]], bool]
    read: Callable[[Iterator[Frame | Gap], Source], Session]


@dataclass(frozen=True)
class DocumentFormat:
    """One JSON document."""

    name: str
    recognizes: Callable[[Any], bool]
    read: Callable[[Any, Source], Session]


@dataclass(frozen=True)
class TextFormat:
    """Markdown: recognized by the beginning of the file."""

    name: str
    recognizes: Callable[[str], bool]
    read: Callable[[Iterator[Line], Source], Session]


@dataclass(frozen=True)
class DatabaseFormat:
    """A database: recognized by its tables, of which nothing else is read. `versions`: the tables of each version of
    its agent; a database may hold those of several."""

    name: str
    versions: tuple[tuple[str, ...], ...]
    sessions: Callable[[Tables], Iterator[Listed]]
    read: Callable[[Tables, Source], Session]

    @property
    def tables(self) -> tuple[str, ...]:
        """All of them, each once."""
        return tuple(dict.fromkeys(table for tables in self.versions for table in tables))


# The order matters where records look alike: Yoi's share kinds with our own, a chat's head is also a mutation.
FORMATS = (
    Format(yoi.FORMAT, yoi.recognizes, yoi.read),
    Format(OMOIDE, omoide.recognizes, omoide.read),
    Format(copilot_cli.FORMAT, copilot_cli.recognizes, copilot_cli.read),
    Format(pi.FORMAT, pi.recognizes, pi.read),
    Format(CLAUDE_CODE, claude_code.recognizes, claude_code.read),
    Format(CLAUDE_CODE, claude_history.recognizes, claude_history.read),
    Format(copilot_chat.FORMAT, copilot_chat.recognizes, copilot_chat.read),
    Format(goose.FORMAT, goose.recognizes, goose.read),
    Format(gemini.FORMAT, gemini.recognizes, gemini.read),
    Format(codex.FORMAT, codex.recognizes, codex.read),
)
DOCUMENTS = (
    DocumentFormat(codex.FORMAT, codex_document.recognizes, codex_document.read),
    DocumentFormat(copilot_chat.FORMAT, copilot_chat.recognizes_document, copilot_chat.read_document),
    DocumentFormat(copilot_cli.FORMAT, copilot_document.recognizes, copilot_document.read),
    DocumentFormat(gemini.FORMAT, gemini.recognizes_document, gemini.read_document),
    DocumentFormat(goose.FORMAT, goose.recognizes_document, goose.read_document),
    DocumentFormat(opencode.FORMAT, opencode.recognizes, opencode.read_tree),
    DocumentFormat(cline.FORMAT, cline.recognizes_document, cline.read_document),
)
TEXTS = (
    TextFormat(aider.FORMAT, aider.recognizes, aider.read),
    TextFormat(specstory.FORMAT, specstory.recognizes, specstory.read),
)
DATABASES = (
    DatabaseFormat(opencode.FORMAT, opencode.VERSIONS, opencode.sessions, opencode.read_database),
    DatabaseFormat(goose.FORMAT, (goose.TABLES,), goose.sessions, goose.read_database),
)
