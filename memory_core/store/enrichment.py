"""The enrichers of a workspace, put together from its settings and the files they keep. Policy is in `enrich`.

Nothing is started or loaded before the first call.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memory_core.enrich.call import Calls
from memory_core.enrich.circuit import Circuit
from memory_core.enrich.command import FRAME, Command
from memory_core.enrich.port import Enricher
from memory_core.enrich.recall import Configured, Found, Question, search
from memory_core.enrich.semantic import Semantic
from memory_core.enrich.settings import EnricherSettings, enricher_settings
from memory_core.enrich.state import EnricherState
from memory_core.enrich.upkeep import Done, Standing, cleanup, rebuild, standing, sync
from memory_core.ids import utc_now
from memory_core.layout import Layout
from memory_core.snapshot import Snapshot
from memory_core.store import lock
from memory_core.store.enricher_files import read_state, write_state
from memory_core.store.files import require_inside
from memory_core.store.line_child import LineChild
from memory_core.store.prepared_model import PreparedEncoder, model_folder
from memory_core.store.vectors import VectorFile


@dataclass
class Enrichment:
    """The enrichers of one root. `problems`: sentences about settings that cannot be used."""

    layout: Layout
    enrichers: list[Configured]
    problems: list[str] = field(default_factory=list)
    clock: Callable[[], float] = time.time

    def search(self, snapshot: Snapshot, question: Question) -> Found:
        """See `enrich.recall.search`. What failed, what was dropped and what should be forgotten is remembered."""
        found = search(snapshot, question, self.enrichers)
        for one in self.enrichers:
            name = one.enricher.name
            drops, ghosts = found.drops.get(name, {}), found.ghosts.get(name, ())
            if not (drops or ghosts or name in found.warnings):
                continue
            state = self._state(one).with_drops(drops)
            if one.enricher.caps.cleanup:
                state = state.with_pending(
                    tuple(known for known in ghosts if not self._current(snapshot, known, state))
                )
            failed = found.warnings.get(name)
            if failed:
                state = replace(state, last_error=failed, open_until=one.calls.circuit.open_until)
            write_state(self.layout, name, state)
        return found

    def standings(self, snapshot: Snapshot) -> list[Standing]:
        return [standing(snapshot, one, self._state(one), self.clock()) for one in self.enrichers]

    def stale(self, snapshot: Snapshot) -> bool:
        """Whether a `sync` would do something."""
        return any(found.level != "fresh" for found in self.standings(snapshot))

    def sync(self, snapshot: Snapshot, stopped: Callable[[], bool] = lambda: False) -> dict[str, Done]:
        """Bring every enricher in step. LockHeld when another process is at it."""
        return self._each(lambda one, state, save: sync(snapshot, one, state, save, stopped))

    def rebuild(self, snapshot: Snapshot, name: str | None = None) -> dict[str, Done]:
        return self._each(lambda one, state, save: rebuild(snapshot, one, state, save), name)

    def cleanup(self, snapshot: Snapshot, name: str | None = None, ghosts: Sequence[str] = ()) -> dict[str, Done]:
        """`ghosts`: ids to be forgotten too, whether or not they were ever sent from here."""
        return self._each(lambda one, state, save: cleanup(snapshot, one, state, save, ghosts), name)

    def close(self) -> None:
        """End the child processes."""
        for one in self.enrichers:
            getattr(one.enricher, "close", lambda: None)()

    def _each(self, work: Callable[[Configured, EnricherState, Any], Any], name: str | None = None) -> dict[str, Done]:
        done: dict[str, Done] = {}
        with self._lock():
            for one in self.enrichers:
                if name in (None, one.enricher.name):
                    own = one.enricher.name
                    _, done[own] = work(one, self._state(one), lambda state, n=own: write_state(self.layout, n, state))
                    if not done[own].error:
                        getattr(one.enricher, "settle", lambda: None)()
        return done

    @contextmanager
    def _lock(self) -> Iterator[None]:
        path = self.layout.cache / "locks" / "enrichers.lock"
        require_inside(self.layout.root, path)
        with lock.hold(path, "upkeep of the enrichers", utc_now):
            yield

    def _state(self, one: Configured) -> EnricherState:
        """What is on disk; one that lives in memory alone begins with nothing."""
        return read_state(self.layout, one.enricher.name)

    @staticmethod
    def _current(snapshot: Snapshot, known: str, state: EnricherState) -> bool:
        """Whether the id is of a record that is to be sent anyway: then its new revision takes the old one's place."""
        from memory_core.enrich.allow import in_force
        from memory_core.enrich.port import ref_of

        ref = ref_of(known)
        record = snapshot.record(ref) if ref else None
        return record is not None and in_force(record) and known in state.known


def enrichment(
    layout: Layout, tables: Mapping[str, Mapping[str, Any]], environment: Mapping[str, str], *, trusted: bool = False
) -> Enrichment:
    """The enrichers that settings name. Costs nothing where they name none. `trusted`: programs may start in the
    workspace, where `python -m` and the like take what lies there."""
    wanted, problems = enricher_settings(tables)
    clock = time.time
    found: list[Configured] = []
    for settings in wanted:
        circuit = Circuit(clock, read_state(layout, settings.name).open_until)
        made = _made(layout, settings, environment, layout.workspace if trusted else _home(environment))
        found.append(Configured(made, Calls(settings.name, circuit)))
    return Enrichment(layout, found, problems, clock)


def _home(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())


def _made(layout: Layout, settings: EnricherSettings, environment: Mapping[str, str], folder: Path) -> Enricher:
    if settings.type == "semantic":
        encoder = PreparedEncoder(model_folder(environment))
        return Semantic(VectorFile(layout, settings.name, Semantic.model), encoder, settings.name)
    given = {**environment, "OMOIDE_WORKSPACE": str(layout.workspace)}
    child = LineChild(settings.command, folder, given, FRAME)
    # Its words may hold a key, and the model's name is written down.
    told = hashlib.sha256("\0".join(settings.command).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return Command(settings.name, child, settings.caps, f"command/{told}")


@contextmanager
def opened(
    layout: Layout, tables: Mapping[str, Mapping[str, Any]], environment: Mapping[str, str]
) -> Iterator[Enrichment]:
    """The enrichers for one piece of work; their processes end with it."""
    found = enrichment(layout, tables, environment)
    with contextlib.closing(found):
        yield found
