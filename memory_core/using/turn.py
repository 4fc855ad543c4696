"""A turn's expansions and a session's resident context, with what they leave behind: history first, then usage events.

The order is the point: what a model is given stands in the log before it is handed over. Decides nothing about texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from memory_core.ports import Store
from memory_core.records.scope import NOBODY, Caller
from memory_core.sessions.model import EntryKind
from memory_core.snapshot import Snapshot
from memory_core.usage import Actor
from memory_core.using.entries import expansion_entries, resident_entry, use_events
from memory_core.using.expansion import Expansion, expand
from memory_core.using.policy import Origin, ResidentRules
from memory_core.using.resident import ResidentContext, exposure_of, resident_context

Append = Callable[[EntryKind, Mapping[str, Any]], object]  # puts one entry into a session log of ours, on disk


def expand_turn(
    store: Store,
    snapshot: Snapshot,
    text: str,
    *,
    actor: Actor,
    session_id: str | None,
    now: datetime,
    caller: Caller = NOBODY,
    append: Append | None = None,
) -> Expansion:
    """What a turn refers to, recorded as used. `append`: the session's own log, which gets the entries first; an error
    of it is the caller's, and nothing counts as used then."""
    expansion = expand(snapshot, text, caller=caller, by_person=actor == "human")
    if append:
        for fields in expansion_entries(expansion):
            append(EntryKind.SYSTEM, fields)
    for event in use_events(expansion, actor=actor, session_id=session_id, now=now):
        store.append_usage(event)
    return expansion


def give_resident(
    store: Store,
    snapshot: Snapshot,
    origin: Origin,
    rules: ResidentRules,
    *,
    session_id: str | None,
    now: datetime,
    caller: Caller = NOBODY,
    append: Append | None = None,
) -> ResidentContext:
    """The resident context of a session that begins now, recorded as exposure; see `expand_turn` for `append`."""
    context = resident_context(snapshot, origin, rules, now=now, caller=caller)
    if context and append:
        append(EntryKind.SYSTEM, resident_entry(context))
    if context:
        store.append_usage(exposure_of(context, session_id=session_id, now=now))
    return context
