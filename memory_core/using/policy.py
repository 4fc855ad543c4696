"""On whose turn memory may be put in unasked: the one table. Decided by where a turn comes from, never by its text.

What a person or an agent asks for by name (`#slug`, `MemoryRead`) is not decided here: that works in every session.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Origin(StrEnum):
    """Where a turn comes from: the kind of its session, or a worker of Omoide itself."""

    CHAT = "chat"
    CODE = "code"
    SCHEDULED = "scheduled"
    SUBAGENT = "subagent"
    INTERNAL = "internal"


class _Settings(Protocol):
    """`config.MemorySettings`, or the little of it that a hook reads."""

    @property
    def resident_token_budget(self) -> int: ...

    @property
    def inject_summary(self) -> bool: ...

    @property
    def resident_for_code_sessions(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class ResidentRules:
    """The settings that resident context hangs on, with their defaults; see `config.MemorySettings`."""

    resident_token_budget: int = 5_000
    inject_summary: bool = True
    resident_for_code_sessions: bool = False

    @classmethod
    def of(cls, settings: _Settings) -> ResidentRules:
        """Those of `[memory]`."""
        return cls(settings.resident_token_budget, settings.inject_summary, settings.resident_for_code_sessions)


def origin_of(session_kind: str) -> Origin:
    """The origin of a session's turns. An unknown kind is treated like code, which gets nothing unasked."""
    return Origin(session_kind) if session_kind in set(Origin) else Origin.CODE


def refusal(origin: Origin, rules: ResidentRules) -> str | None:
    """Why a turn is given no resident context, in a sentence; None when it may be."""
    match origin:
        case Origin.INTERNAL:
            return "Internal workers are never given resident context."
        case Origin.SUBAGENT:
            return "Sub-agents are never given resident context."
        case Origin.CODE if not rules.resident_for_code_sessions:
            return "Code sessions are given none: `resident_for_code_sessions` is off in this workspace."
        case _ if rules.resident_token_budget <= 0:
            return "`resident_token_budget` is 0."
        case _:
            return None
