"""Who may see a record: its `scope` against the identity of whoever asks.

A record without a scope is shared. A caller without an identity is nobody in particular and never everybody: it sees
what is shared, and nothing else. Whoever may see all (a person at the command line) does not ask here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory_core.records.record import Record
from memory_core.records.schema import SCOPE_KEYS


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose behalf records are read. None: no identity at that level."""

    agent: str | None = None
    session: str | None = None
    tenant: str | None = None
    principal: str | None = None
    session_kind: str = "code"  # decides what a session is given unasked, never what it may see


NOBODY = Caller()


@dataclass(frozen=True, slots=True)
class Everything:
    """What an operator says who wants to see all records. Nobody becomes one by leaving an identity out."""


ALL = Everything()
Who = Caller | Everything


def caller_of(scope: Mapping[str, str]) -> Caller:
    """The caller that a session's scope stands for; keys that are no scope are ignored."""
    return Caller(**{key: scope[key] for key in SCOPE_KEYS if scope.get(key)})


def visible(record: Record, caller: Who) -> bool:
    """Whether the caller may see the record. A scope that cannot be understood hides it."""
    if isinstance(caller, Everything):
        return True
    scope = record.value("scope")
    if scope is None:
        return True
    if not isinstance(scope, Mapping):
        return False
    return all(key in SCOPE_KEYS and (value is None or value == getattr(caller, key)) for key, value in scope.items())
