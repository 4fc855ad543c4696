"""The part of a snapshot that somebody may see, and scopes that are copied from record to record without widening.

Decides nothing about one record: `records.scope` does. Whoever asks is named; left out, only what is shared is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memory_core.records.record import Record
from memory_core.records.schema import SCOPE_KEYS
from memory_core.records.scope import (
    ALL,
    NOBODY,
    Caller,
    Everything,
    Who,
    may_speak_of_scope,
    understood,
    visible,
)
from memory_core.snapshot import Document, Snapshot

__all__ = [
    "ALL",
    "NOBODY",
    "Caller",
    "Everything",
    "Who",
    "hidden_from_all",
    "may_see",
    "narrowed",
    "scope_of",
    "seen_by",
    "understood",
    "widens",
]


def seen_by(snapshot: Snapshot, who: Who) -> Snapshot:
    """The snapshot as if what `who` may not see were not there: to be asked before anything is ranked or counted."""
    if isinstance(who, Everything):
        return snapshot
    hidden = {path: None for path, document in snapshot.documents.items() if not may_see(document, who)}
    return snapshot.with_documents(hidden) if hidden else snapshot


def may_see(document: Document, who: Who) -> bool:
    """Whether `who` may see a document. One whose head says nothing of a scope is shared, and is not parsed to know
    that; one whose head cannot be read and speaks of a scope is hidden, since nobody can say from whom."""
    if isinstance(who, Everything) or not may_speak_of_scope(document.text):
        return True
    record = document.record
    return record is None or visible(record, who)


def hidden_from_all(document: Document) -> bool:
    """Whether a document speaks of a scope that nobody can understand: then nobody but an operator sees it."""
    record = document.record
    if record is None or document.unreadable or not may_speak_of_scope(document.text):
        return False
    return not understood(record)


def scope_of(record: Record) -> dict[str, str]:
    """The scope of a record as it may be copied: the keys that are set."""
    scope = record.value("scope")
    if not isinstance(scope, Mapping):
        return {}
    return {key: str(scope[key]) for key in SCOPE_KEYS if scope.get(key) is not None}


def widens(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether somebody could see what has the scope `after` who could not while it was `before`."""
    return any(value is not None and after.get(key) != value for key, value in before.items())


def narrowed(scopes: Iterable[Mapping[str, str]]) -> dict[str, str] | None:
    """The scope of what is made of several records: all their keys together, so that it is shown to nobody who might
    not see each of them. None where two of them contradict each other: such records are not made one."""
    joined: dict[str, str] = {}
    for scope in scopes:
        for key, value in scope.items():
            if joined.setdefault(key, value) != value:
                return None
    return joined
