"""What the linter may know of a whole store (records that say the same, the resident budget, logs), for the editor.

Worked out on a thread, behind the edits: a diagnostic never waits for it. What was known last is used until then, and
whoever is looked at is checked again when something else is known.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from server.background import in_thread
from server.loading import log_failure

if TYPE_CHECKING:
    from memory_core.lint.facts import LintFacts
    from memory_core.log_facts import Wanted
    from memory_core.snapshot import Snapshot
    from memory_core.workspace import Workspace
    from server.language_server import Server
    from server.state import Root

log = logging.getLogger(__name__)

QUIET_S = 0.5
_SHARE = 10  # facts that take a second are worked out once it has been quiet for ten
MOST_COMPARED = 25_000  # records; what is kept to compare more takes more memory than an editor's server should
_MOST_LOG_BYTES = 32_000_000  # a larger log is not read for a hint


@dataclass
class _Known:
    """What is known of one root, and of which state of it. `digests` belongs to the thread that works."""

    facts: LintFacts | None = None
    snapshot: Snapshot | None = None
    workspace: Workspace | None = None
    shown: frozenset[str] = frozenset()
    wanted: Wanted = field(default_factory=dict)
    digests: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    again: bool = False
    timer: asyncio.TimerHandle | None = None
    task: asyncio.Task[None] | None = None


class StoreFacts:
    """The facts of each root."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._known: dict[Root, _Known] = {}

    def of(self, root: Root) -> LintFacts:
        """What is known now; nothing at first."""
        from memory_core.lint.facts import NO_FACTS

        known = self._known.get(root)
        return known.facts if known and known.facts else NO_FACTS

    def follow(self, root: Root, shown: frozenset[str]) -> None:
        """Bring the facts up to date once it has been quiet. `shown`: the open records, whose logs are looked at."""
        known = self._known.setdefault(root, _Known())
        same = known.snapshot is root.snapshot and known.workspace is root.workspace and known.shown >= shown
        if (same and not known.again) or root.workspace is None or not root.indexed.is_set():
            return
        known.shown = shown
        if known.timer:
            known.timer.cancel()
        delay = max(QUIET_S, _SHARE * known.seconds)
        known.timer = asyncio.get_running_loop().call_later(delay, self._start, root, known)

    def read_again(self, root: Root) -> None:
        """The root was read anew: logs may have come or gone, too."""
        self._known.setdefault(root, _Known()).again = True

    def drop(self, root: Root) -> None:
        known = self._known.pop(root, None)
        if known and known.timer:
            known.timer.cancel()

    def _start(self, root: Root, known: _Known) -> None:
        if known.task and not known.task.done():
            known.timer = asyncio.get_running_loop().call_later(QUIET_S, self._start, root, known)
            return
        known.task = asyncio.create_task(self._work(root, known), name=f"Looking at all of {root.layout.root}")
        known.task.add_done_callback(log_failure)

    async def _work(self, root: Root, known: _Known) -> None:
        snapshot, workspace = root.snapshot, root.workspace
        if snapshot is None or workspace is None or self._known.get(root) is not known:
            return
        logs = None if known.again or known.facts is None else (known.wanted, known.facts.logs)
        known.again = False
        started = time.perf_counter()
        shown = sorted(known.shown)
        aside = self._server.traffic.stepping_aside()
        work = partial(_facts, snapshot, workspace, known.digests, shown, logs, aside)
        facts, wanted = await in_thread("facts", work)
        if self._known.get(root) is not known:
            return
        known.seconds = time.perf_counter() - started
        news = facts != known.facts
        known.snapshot, known.workspace, known.facts, known.wanted = snapshot, workspace, facts, wanted
        if news:
            self._server.diagnostics.schedule(root)


def _facts(
    snapshot: Snapshot,
    workspace: Workspace,
    digests: dict[str, Any],
    shown: list[str],
    logs: tuple[Wanted, Mapping[str, Any] | None] | None,
    aside: Callable[[], None],
) -> tuple[LintFacts, Wanted]:
    """The facts of a root's current state. `logs`: what was wanted of logs before, and what they said. `aside`: lets
    answers through, called between two steps."""
    from memory_core.lint.duplicates import find_duplicates
    from memory_core.lint.facts import LintFacts
    from memory_core.lint.resident import resident_plan
    from memory_core.log_facts import facts_of, wanted_of

    off = {code for code, severity in workspace.config.severities().items() if severity is None}
    memory = workspace.config.memory
    alike = None
    if "near-duplicate" not in off and len(snapshot.documents) <= MOST_COMPARED:
        alike = find_duplicates(snapshot, digests, passing=True, tick=aside)
    plan = None
    if "over-resident-budget" not in off:
        plan = resident_plan(snapshot, memory.resident_token_budget, with_summary=memory.inject_summary)
    wanted = wanted_of(workspace, snapshot, [] if {"source-gone", "source-changed"} <= off else shown)
    if logs and logs[0] == wanted:
        return LintFacts(alike, plan, logs[1]), wanted
    known, problems = facts_of(workspace, wanted, _MOST_LOG_BYTES)
    for problem in problems:
        log.info("%s", problem)
    return replace(known, duplicates=alike, resident=plan), wanted
