"""A workspace, opened: root, settings, store, sessions, and the two jobs. Where command line and server meet the core.

The one place that names the real store and the providers; everything below works on ports.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memory_core.config import Config
from memory_core.diagnostic import Diagnostic
from memory_core.errors import NoSession, SessionError, WorkspaceError
from memory_core.ids import utc_now, uuid7
from memory_core.layout import Layout
from memory_core.store.discovery import find_root, not_a_root
from memory_core.store.filestore import FileStore
from memory_core.store.settings_files import read_settings

if TYPE_CHECKING:  # jobs, sessions and rules take most of the time to load, and few commands need them
    from datetime import datetime

    from memory_core.consolidate.doubt import LogOf
    from memory_core.consolidate.task import ConsolidateRun
    from memory_core.extract.task import ExtractRun
    from memory_core.ports import EditorTurns, OpenTexts, Progress
    from memory_core.sessions.model import Session
    from memory_core.staging import DeadLetter
    from memory_core.store.enrichment import Enrichment
    from memory_core.store.session_cache import SessionCache
    from memory_core.store.session_list import Listed
    from memory_core.store.session_ref import SessionRef
    from memory_core.worker import Work

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Workspace:
    """An opened workspace. `problems`: what is wrong with the settings, by file; `models`: those of the editor it is
    open in, where it offers any."""

    layout: Layout
    config: Config
    problems: Mapping[Path, Sequence[Diagnostic]]
    store: FileStore
    environment: Mapping[str, str]
    now: Callable[[], datetime] = utc_now
    models: EditorTurns | None = None

    def sessions(self) -> list[SessionRef]:
        """The sessions of this workspace, newest first."""
        from memory_core.store.known_places import remember
        from memory_core.store.session_discovery import discover

        remember(self.layout)
        cache = self.session_cache()
        sources = self.config.sessions.sources
        refs = discover(self.layout.workspace, self.layout.sessions, self.environment, sources, cache)
        cache.save()
        return refs

    def enrichment(self) -> Enrichment:
        """What helps to find records, as the settings name it. Starts and loads nothing."""
        from memory_core.store.enrichment import enrichment

        trusted = self.config.trust.covers(self.layout.workspace)
        return enrichment(self.layout, self.config.enricher, self.environment, trusted=trusted)

    def session_cache(self) -> SessionCache:
        """What is kept of this workspace's logs, so that unchanged ones are not opened again."""
        from memory_core.store.known_places import known_places
        from memory_core.store.session_cache import SessionCache

        roots = known_places(self.layout.workspace)
        return SessionCache(self.layout.cache / "sessions.json", "\n".join(map(str, roots)))

    def listed_sessions(self, limit: int | None = None) -> list[Listed | SessionError]:
        """The newest sessions as lists show them; an error stands for one that cannot be read."""
        from memory_core.store.session_list import listed

        every = self.sessions()
        cache = self.session_cache()
        rows = list(listed(every[:limit], every, self.layout.sessions, cache))
        cache.save()
        return rows

    def read_session(self, ref: SessionRef, every: Sequence[SessionRef]) -> Session:
        """A session with what it repeats from others labelled; `every`: as `sessions` gave them."""
        from memory_core.store.one_history import read_once

        return read_once(ref, every, self.layout.sessions)

    def sessions_in(self, file: Path) -> list[SessionRef] | None:
        """The sessions of this workspace in one file that holds several (a database, a history), read now; None where
        no agent keeps such a file. OSError or SessionError when it cannot be read."""
        from memory_core.store.session_discovery import sessions_in

        return sessions_in(file, self.layout.workspace, self.environment, self.config.sessions.sources)

    def may_hold_several(self, file: Path) -> bool:
        """Whether `sessions_in` has an answer for a file. Looks at no disk."""
        from memory_core.store.session_discovery import may_hold_several

        return may_hold_several(file, self.layout.workspace, self.environment, self.config.sessions.sources)

    def session_folders(self) -> list[Path]:
        """Where `sessions` looks, existing or not."""
        from memory_core.store.session_discovery import session_folders

        return session_folders(
            self.layout.workspace, self.layout.sessions, self.environment, self.config.sessions.sources
        )

    def session(self, session_id: str) -> Session:
        """The session with an id, or a unique beginning of one. NoSession where there is none, SessionError where
        several begin so."""
        if not session_id:
            raise SessionError("An empty id is no session's: `omoide sessions` lists them.")
        every = self.sessions()
        found = [ref for ref in every if ref.session_id.startswith(session_id)]
        exact = [ref for ref in found if ref.session_id == session_id] or found
        if len({ref.session_id for ref in exact}) > 1:
            choices = ", ".join(sorted(ref.session_id for ref in exact)[:5])
            raise SessionError(f"`{session_id}` begins several session ids: {choices}.")
        if not exact:
            raise NoSession(f"No session `{session_id}` in this workspace: `omoide sessions` lists them.")
        if others := sorted({ref.agent for ref in exact} - {exact[0].agent}):
            log.warning(
                "%s has a session `%s` too: that of %s is meant, name the other's log with `--log`.",
                " and ".join(others),
                session_id,
                exact[0].agent,
            )
        return self.read_session(exact[0], every)

    def failed_sessions(self, reason: str = "") -> tuple[list[Session], list[tuple[DeadLetter, SessionError]]]:
        """The sessions with a slice that could not be extracted, for a `reason` with these words; and the letters whose
        session cannot be read any more, each with why."""
        from memory_core.store.one_id import read_listed
        from memory_core.store.ordinary import on_another_machine
        from memory_core.store.session_discovery import is_of

        found: dict[str, Session] = {}
        missing: list[tuple[DeadLetter, SessionError]] = []
        for letter in self.store.dead_letters():
            source = letter.source
            if source.session_id in found or reason.casefold() not in letter.reason.casefold():
                continue
            near = source.log and not on_another_machine(source.log, self.layout.workspace)
            log = Path(source.log) if source.log and near else None
            try:
                name = source.session_id
                session = read_listed(log, name) if log and log.exists() else self.session(name)
                if session.session_id != source.session_id:
                    raise SessionError(f"{log} is another session by now.")
                if log and not is_of(session, self.layout.workspace):
                    raise SessionError(f"{log} is a log of another project: name it yourself, with --log.")
            except SessionError as error:
                missing.append((letter, error))
            else:
                found[source.session_id] = session
        return list(found.values()), missing

    async def extract(
        self,
        sessions: Sequence[Session],
        *,
        provider: str | None = None,
        if_due: bool = False,
        dry_run: bool = False,
        retry: bool = False,
        progress: Progress | None = None,
    ) -> list[ExtractRun]:
        """Extract sessions one after the other; a failure of one is its run's status, the next one is still done.
        `retry`: also slices that failed too often to be tried by themselves."""
        from memory_core.extract.several import extract_sessions
        from memory_core.ports import Silent
        from memory_core.providers.registry import extract_planner, extract_worker

        if dry_run:  # what would be sent can be seen before there is a key to send it with
            worker = extract_planner(self.config, provider)
        else:
            worker = extract_worker(self.config, self.environment, provider, self.models)
        return await extract_sessions(
            sessions,
            store=self.store,
            worker=worker,
            config=self.config,
            progress=progress or Silent(),
            now=self.now,
            if_due=if_due,
            dry_run=dry_run,
            retry=retry,
        )

    async def consolidate(
        self,
        *,
        provider: str | None = None,
        if_due: bool = False,
        dry_run: bool = False,
        busy: Container[str] = frozenset(),
        progress: Progress | None = None,
        editor: OpenTexts | None = None,
        only: Container[str] | None = None,
    ) -> ConsolidateRun:
        """One consolidation of everything staged, or of `only` some candidates. `busy`: records open with unsaved
        edits; `editor`: where records that are open are changed."""
        from memory_core.consolidate.job import consolidate, consolidation_due
        from memory_core.consolidate.task import ConsolidateRun
        from memory_core.ports import Silent
        from memory_core.providers.registry import consolidate_worker

        run_id = uuid7(self.now())
        if if_due and (reason := consolidation_due(self.store.staging(), self.config)) is not None:
            return ConsolidateRun(run_id, "nothing", reason)
        worker = consolidate_worker(self.config, self.environment, provider, self.models)
        return await consolidate(
            run_id,
            store=self.store,
            worker=worker,
            config=self.config,
            progress=progress or Silent(),
            now=self.now,
            dry_run=dry_run,
            busy=busy,
            editor=editor,
            only=only,
            if_due=if_due,
            log_of=self.candidate_logs(),
        )

    def candidate_logs(self) -> LogOf:
        """What finds the logs that candidates' evidence is looked up in."""
        from memory_core.candidate_logs import logs_of

        return logs_of(self.sessions)

    async def consolidation_request(self, provider: str | None = None) -> Work | None:
        """What a model would be sent first by a consolidation now; None where it would be asked nothing. Calls nothing
        and writes nothing, and needs neither key nor model."""
        from memory_core.consolidate.job import consolidate
        from memory_core.ports import Silent
        from memory_core.providers.registry import consolidate_planner

        worker = consolidate_planner(self.config, provider)
        await consolidate(
            uuid7(self.now()),
            store=self.store,
            worker=worker,
            config=self.config,
            progress=Silent(),
            now=self.now,
            dry_run=True,
        )
        return worker.work


def open_workspace(start: Path, environment: Mapping[str, str] | None = None) -> Workspace:
    """The workspace that `start` lies in. WorkspaceError where there is none."""
    layout = find_root(start)
    if layout is None and (path := not_a_root(start)):
        what = "is another user's, or a link that leaves this project" if path.is_dir() else "is not a folder"
        raise WorkspaceError(f"{path} {what}: move it away, then run `omoide init`.")
    if layout is None:
        raise WorkspaceError(f"No memory root in {start} or above it: run `omoide init` in your project's folder.")
    return open_root(layout, environment)


def open_root(layout: Layout, environment: Mapping[str, str] | None = None) -> Workspace:
    """A workspace whose root is known, with the settings of user, workspace and environment put together."""
    environment = os.environ if environment is None else environment
    config, problems = read_settings(layout, environment)
    return Workspace(layout, config, problems, FileStore(layout), environment)
