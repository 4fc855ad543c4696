"""What the tools work on: the workspace as it is now, on whose behalf, and what each of them leaves behind.

Every call opens the workspace anew, so that settings and records are those of the moment.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory_core.records.scope import Caller, granted
from memory_core.scope import seen_by
from memory_core.snapshot import Snapshot
from memory_core.workspace import Workspace, open_workspace


@dataclass(frozen=True)
class Answer:
    """What a tool answers. `facts`: the same for programs, where there is more to say than the text."""

    text: str
    is_error: bool = False
    facts: dict[str, Any] | None = None


@dataclass
class Memory:
    """One workspace for one client. `writes`: how many changes this process made; the lock lets one at a time begin."""

    folder: Path
    read_only: bool = False
    agent: str | None = None
    session_id: str | None = None
    tenant: str | None = None
    principal: str | None = None
    writes: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def caller(self, workspace: Workspace) -> Caller:
        """On whose behalf is read, with what the settings let this agent read of others."""
        caller = Caller(self.agent, self.session_id, self.tenant, self.principal)
        return granted(caller, workspace.config.grants)

    def open(self) -> Workspace:
        return open_workspace(self.folder)

    def snapshot(self, workspace: Workspace) -> Snapshot:
        """The records that the caller may see; what it may not see is as if it were not there."""
        return seen_by(workspace.store.load(), self.caller(workspace))

    def own(self, workspace: Workspace) -> Snapshot:
        """The records that the caller may change: a grant to read another agent's gives no right to write them."""
        return seen_by(workspace.store.load(), self.caller(workspace).alone)


def refused(text: str) -> Answer:
    return Answer(text, is_error=True)
