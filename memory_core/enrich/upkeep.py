"""What enrichers know brought in step with the store: after the fact, in the background, and again after a failure.

The store is read and never written. Deletes are written down before they are sent, so that none is forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from memory_core.enrich import allow
from memory_core.enrich.call import COOLING
from memory_core.enrich.port import Deadline
from memory_core.enrich.recall import Configured
from memory_core.enrich.row_text import FORM
from memory_core.enrich.state import EnricherState
from memory_core.snapshot import Snapshot

UPSERT_S = 3.0
LOADING_S = 30.0  # for the first call of one that says it has something to load: it is in the background
BATCH = 16  # records of one call: it has to fit into the deadline also where a model is slow
SAVED = 40  # batches between two states on disk: what is lost by a crash is sent again, which changes nothing
REMOVED = 500  # ids of one call
Save = Callable[[EnricherState], None]
Level = Literal["fresh", "stale", "never filled"]


@dataclass(frozen=True)
class Standing:
    """How an enricher stands against the store: what it would have to be sent, what it has to forget, what is never
    sent and why. `capable`: it can forget."""

    name: str
    level: Level
    known: int
    missing: int
    changed: int
    pending: int
    refused: Mapping[str, int] = field(default_factory=dict)
    cooling_s: float = 0.0
    last_error: str = ""
    drops: Mapping[str, int] = field(default_factory=dict)
    capable: bool = True


@dataclass(frozen=True)
class Done:
    """What one upkeep did. `error`: why it stopped early; what is left is done next time."""

    sent: int = 0
    removed: int = 0
    left: int = 0
    error: str = ""


def standing(snapshot: Snapshot, one: Configured, state: EnricherState, now: float) -> Standing:
    """Look, and call nothing."""
    caps = one.enricher.caps
    wanted, refused = _wanted(snapshot, one)
    known = {} if state.model not in ("", _model(one)) else state.known
    missing = sum(1 for row in wanted if row.id not in known)
    changed = sum(1 for row in wanted if row.id in known and known[row.id] != row.rev)
    pending = len({*state.pending, *_gone(state.known, wanted)})
    level: Level = "never filled" if wanted and not known else "stale" if missing or changed or pending else "fresh"
    return Standing(
        one.enricher.name,
        level,
        len(known),
        missing,
        changed,
        pending,
        dict(refused),
        max(0.0, state.open_until - now),
        state.last_error,
        state.drops,
        caps.cleanup,
    )


def sync(
    snapshot: Snapshot, one: Configured, state: EnricherState, save: Save, stopped: Callable[[], bool] = lambda: False
) -> tuple[EnricherState, Done]:
    """Send what is new or changed, remove what is gone. Stops at the first failure; `save` has been called with the
    state that is true by then. `stopped`: asked between calls."""
    wanted, _ = _wanted(snapshot, one)
    state = state.with_pending(tuple(_gone(state.known, wanted)))
    if state.model and state.model != _model(one):
        state = replace(state, known={})  # its vectors mean nothing to another model; older rows hold what is not sent
    state = replace(state, model=_model(one))
    save(state)
    state, removed, error = _remove(one, state, save)
    todo = [item for item in wanted if state.known.get(item.id) != item.rev]
    known = dict(state.known)
    sent = 0
    for number, batch in enumerate(_batches(todo), 1):
        if error or stopped():
            break
        error = _sent(one, batch)
        if not error:
            known |= {item.id: item.rev for item in batch}
            one.warm = True
            sent += len(batch)
            if number % SAVED == 0:
                save(replace(state, known=dict(known), last_error=""))
    if sent:
        state = replace(state, known=known, last_error="")
    if error:
        state = _failed(state, one, error)
    save(state)
    return state, Done(sent, removed, len(todo) - sent, error)


def rebuild(snapshot: Snapshot, one: Configured, state: EnricherState, save: Save) -> tuple[EnricherState, Done]:
    """Everything anew: all that was ever sent is removed where that is possible, then all records are sent."""
    everything = tuple({*state.known, *state.pending}) if one.enricher.caps.cleanup else ()
    state = replace(state, known={}, pending=tuple(sorted(everything)), drops={}, model="")
    return sync(snapshot, one, state, save)


def cleanup(
    snapshot: Snapshot, one: Configured, state: EnricherState, save: Save, ghosts: Iterable[str] = ()
) -> tuple[EnricherState, Done]:
    """Remove what should not be there: pending deletes, records that are gone, and ids that answers brought to light.
    Sends nothing."""
    wanted, _ = _wanted(snapshot, one)
    state = state.with_pending((*_gone(state.known, wanted), *ghosts))
    save(state)
    state, removed, error = _remove(one, state, save)
    if error:
        state = _failed(state, one, error)
        save(state)
    return state, Done(0, removed, len(state.pending), error)


def _model(one: Configured) -> str:
    """What rows were made for: a model, and the form of the text. Vectors of pieces that stayed the same are kept."""
    return f"{one.enricher.model}/{FORM}"


def _wanted(snapshot: Snapshot, one: Configured) -> tuple[list[allow.Sendable], Counter[str]]:
    found: list[allow.Sendable] = []
    refused: Counter[str] = Counter()
    for item in allow.sendable(snapshot, one.enricher.caps):
        if isinstance(item, allow.Refused):
            refused[item.reason] += 1
        else:
            found.append(item)
    return found, refused


def _gone(known: Mapping[str, str], wanted: list[allow.Sendable]) -> list[str]:
    return sorted(set(known) - {item.id for item in wanted})


def _sent(one: Configured, batch: list[allow.Sendable]) -> str:
    """Send some records; why that failed, or empty. Each row is looked at once more as it goes out."""
    rows = [row for item in batch if not allow.checked(row := item.row(), one.enricher.caps)]
    _, error = _call(one, lambda d: one.enricher.upsert(rows, d))
    return error


def _remove(one: Configured, state: EnricherState, save: Save) -> tuple[EnricherState, int, str]:
    removed = 0
    if not one.enricher.caps.cleanup:
        return state, removed, ""
    while state.pending:
        ids = state.pending[:REMOVED]
        _, error = _call(one, lambda d, i=ids: one.enricher.remove(i, d))  # type: ignore[misc]
        if error:
            return state, removed, error
        known = {known: rev for known, rev in state.known.items() if known not in ids}
        state = replace(state, known=known, pending=state.pending[REMOVED:], last_error="")
        removed += len(ids)
        save(state)
    return state, removed, ""


def _failed(state: EnricherState, one: Configured, error: str) -> EnricherState:
    """The state after a failure. That no call was made is no cause: the failure before it stays the last one."""
    cause = state.last_error if error == COOLING and state.last_error else error
    return replace(state, last_error=cause, open_until=one.calls.circuit.open_until)


def _call(one: Configured, call: Callable[[Deadline], None]) -> tuple[object, str]:
    seconds = LOADING_S if one.enricher.caps.first_s and not one.warm else UPSERT_S
    deadline = Deadline(seconds)
    begun = one.calls.begin(lambda: call(deadline))
    if isinstance(begun, str):
        return None, begun
    value, error = begun.wait(seconds)
    if not error:
        one.calls.circuit.worked()
    return value, error


def _batches(rows: list[allow.Sendable]) -> Iterator[list[allow.Sendable]]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]
