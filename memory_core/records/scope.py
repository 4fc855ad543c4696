"""Who may see a record: its `scope` against the identity of whoever asks, and what that one was explicitly granted.

A record without a scope is shared. A caller without an identity is nobody in particular and never everybody: it sees
what is shared, and nothing else. Whoever may see all (a person at the command line) does not ask here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memory_core.records.record import Record
from memory_core.records.schema import SCOPE_KEYS, Kind


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose behalf records are read. None: no identity at that level."""

    agent: str | None = None
    session: str | None = None
    tenant: str | None = None
    principal: str | None = None
    session_kind: str = "code"  # decides what a session is given unasked, never what it may see
    grants: frozenset[tuple[str, str]] = frozenset()  # (other agent, kind or empty for all kinds) it may read

    @property
    def alone(self) -> Caller:
        """The same without grants, for writing: a grant is to read."""
        return replace(self, grants=frozenset()) if self.grants else self


NOBODY = Caller()


@dataclass(frozen=True, slots=True)
class Everything:
    """What an operator says who wants to see all records. Nobody becomes one by leaving an identity out."""


ALL = Everything()
Who = Caller | Everything


def caller_of(scope: Mapping[str, str]) -> Caller:
    """The caller that a session's scope stands for; keys that are no scope are ignored."""
    agent, session, tenant, principal = (scope.get(key) or None for key in SCOPE_KEYS)
    return Caller(agent, session, tenant, principal)


def granted(caller: Caller, grants: Mapping[str, Sequence[str]]) -> Caller:
    """The caller with what the settings let its agent read of other agents: `codex = ["reviewer", "claude/knowledge"]`.
    Grants are named one by one, hold for reading alone, and are not handed on: who may read A, which may read B, does
    not read B by that. A caller without an agent has none."""
    named = grants.get(caller.agent, ()) if caller.agent else ()
    return replace(caller, grants=frozenset(map(grant_of, named))) if named else caller


def grant_of(text: str) -> tuple[str, str]:
    """The agent and the kind that a grant names; no kind means every kind."""
    agent, _, kind = text.rpartition("/")
    return (agent, kind) if agent and kind in set(Kind) else (text, "")


def visible(record: Record, caller: Who) -> bool:
    """Whether the caller may see the record. A scope that cannot be understood hides it."""
    if isinstance(caller, Everything):
        return True
    scope = record.value("scope")
    if scope is None:
        return not misspelled_scope(record) and not ambiguous_scope(record)
    if not isinstance(scope, Mapping) or ambiguous_scope(record):
        return False
    return all(key in SCOPE_KEYS and _matches(key, value, record, caller) for key, value in scope.items())


def misspelled_scope(record: Record) -> bool:
    """Whether a record has a key that can only be meant to be `scope`: what it says is then not known."""
    keys = record.head.entries if record.head else ()
    return any(key != "scope" and key.casefold().rstrip("s") == "scope" for key in keys)


def ambiguous_scope(record: Record) -> bool:
    """Whether `scope`, or a key in it, is given twice: nobody knows which of the two counts."""
    entry = record.head.entries.get("scope") if record.head else None
    if entry is None:
        return False
    own = entry.key_range.start
    # The second of two equal keys is no entry; below a block it stands behind what was read of it, further in.
    behind = [other.start for other in record.head.entries.values() if other.start > entry.start] if record.head else []
    end = min(behind, default=record.body_start)
    for problem in record.problems:
        if problem.code != "duplicate-key":
            continue
        place = problem.range.start
        offset = entry.item.lines.offset(place)
        inside = entry.start < offset < entry.item.end or (
            entry.start < offset < end and place.character > own.character
        )
        if inside or record.text[offset : entry.item.lines.offset(problem.range.end)].strip("\"'") == "scope":
            return True
    return False


def _matches(key: str, value: object, record: Record, caller: Caller) -> bool:
    if value is None or value == getattr(caller, key):
        return True
    if key != "agent" or not isinstance(value, str):
        return False
    return (value, "") in caller.grants or (value, record.ref.kind.value) in caller.grants
