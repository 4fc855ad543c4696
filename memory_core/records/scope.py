"""Who may see a record: its `scope` against the identity of whoever asks, and what that one was explicitly granted.

A record without a scope is shared. A caller without an identity is nobody in particular and never everybody: it sees
what is shared, and nothing else. Whoever may see all (a person at the command line) does not ask here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memory_core.records.frontmatter import split
from memory_core.records.record import Record
from memory_core.records.schema import SCOPE_KEYS, Kind

# The key of a scope right below another key, or inside its braces.
_BESIDE = re.compile(rf":[ \t]*(?:\r?\n[ \t]+|\{{[^\n]*?)[\"']?(?:{'|'.join(SCOPE_KEYS)})[\"']?[ \t]*:")
_SCOPE_LINE = re.compile(r"^\W*scope\w*\W*:", re.MULTILINE)  # where there is no head at all, a key of one
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})


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
    if not understood(record):
        return False
    scope = record.value("scope") or {}
    return all(_matches(key, value, record, caller) for key, value in scope.items())


def may_join(scope: Mapping[str, str], caller: Caller) -> bool:
    """Whether what has this scope, a session for instance, is the caller's or shared. Grants are for records alone."""
    return all(getattr(caller, key, None) == value for key, value in scope.items() if value is not None)


def understood(record: Record) -> bool:
    """Whether it can be told who may see a record. One of which it cannot is shown to nobody, and nothing of it is put
    into another record."""
    if record.head is None or record.head.broken:
        return not _speaks_of_scope(record)
    if meant_as_scope(record) or ambiguous_scope(record):
        return False
    scope = record.value("scope")
    if scope is None:
        return True
    return isinstance(scope, Mapping) and all(
        key in SCOPE_KEYS and (value is None or (isinstance(value, str) and bool(value)))
        for key, value in scope.items()
    )


def meant_as_scope(record: Record) -> bool:
    """Whether a head says something that can only be meant to be its scope, and is none: what it says is then not
    known. A key that begins like it (`scopes`, `scope.agent`), a mapping of agents or tenants under any other name, or
    a `scope` that is empty while an agent or tenant stands beside it, where the indent was forgotten."""
    entries = record.head.entries if record.head else {}
    for key, entry in entries.items():
        value = entry.item.value
        if key == "scope":
            if value is None and (_is_said(entry.item.raw) or not entries.keys().isdisjoint(SCOPE_KEYS)):
                return True
        elif _letters(key).startswith("scope") or (isinstance(value, Mapping) and _names_somebody(value)):
            return True
    return False


def may_speak_of_scope(text: str) -> bool:
    """A quick no for most documents: many texts speak of a scope, and few do in their head. Whatever this says yes to
    is parsed. A key that is written with an escape (YAML allows `"\\x73cope"`) has a backslash."""
    end = text.find("\n---", 3) if text.startswith("---") else -1
    if end < 0:
        parts = split(text)
        end = len(text) if isinstance(parts, str) else parts[1]
    head = text[:end]
    head = head.lower() if head.isascii() else unicodedata.normalize("NFKC", head).casefold()
    return "scope" in head or "\\" in head or bool(_BESIDE.search(head))


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


def _speaks_of_scope(record: Record) -> bool:
    """Whether a head that cannot be read as a whole speaks of a scope, however it is written there."""
    if record.head is not None:
        said = record.text[record.head.start : record.head.end]
    elif record.text.startswith(("---", "\ufeff---")):
        said = record.text  # a head that never ends
    else:
        return bool(_SCOPE_LINE.search(record.text.casefold()))
    return "scope" in unicodedata.normalize("NFKC", _ESCAPE.sub(_meant, said)).casefold()


def _meant(match: re.Match[str]) -> str:
    number = int(next(filter(None, match.groups())), 16)
    return chr(number) if number < 0x110000 else ""


def _letters(key: str) -> str:
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKC", key).casefold()))


def _is_said(raw: str) -> bool:
    """Whether something is written where YAML reads nothing, such as a value of a kind that no record has."""
    return raw.partition("#")[0].strip() not in _NOTHING


def _names_somebody(value: Mapping[object, object]) -> bool:
    return any(isinstance(key, str) and key.casefold() in SCOPE_KEYS for key in value)
