"""Expansions and resident context as entries of our own session log: what a model sees stands in the history first.

Makes entries and events; appending them is the caller's, before the model is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_core.records.schema import Kind
from memory_core.usage.event import Actor, Source, UsageEvent, use_event
from memory_core.using.expansion import Expansion

if TYPE_CHECKING:  # a hook makes entries of a prompt without knowing the linter's measures
    from memory_core.using.resident import ResidentContext

EXPANSION = "expansion"  # subtypes of system entries
UNRESOLVED = "unresolved_reference"
RESIDENT = "resident"


def expansion_entries(expansion: Expansion) -> Iterator[dict[str, Any]]:
    """The fields of the system entries that follow a user's message: each record with exactly the text the model is
    given, its name and the hash of its file; then each name that did not resolve."""
    for item in expansion.records:
        extra = {"required_by": item.required_by} if item.required_by else {}
        yield {
            "text": item.text,
            "subtype": EXPANSION,
            "record_kind": str(item.ref.kind),
            "slug": item.ref.slug,
            "record_sha256": item.sha256,
            **extra,
        }
    for problem in expansion.unresolved:
        yield {
            "text": problem.message,
            "subtype": UNRESOLVED,
            "record_kind": str(problem.ref.kind),
            "slug": problem.ref.slug,
            "near": list(problem.near),
        }
    for note in expansion.notes[len(expansion.unresolved) :]:
        yield {"text": note, "subtype": UNRESOLVED}


def resident_entry(context: ResidentContext) -> dict[str, Any]:
    """The fields of the system entry that holds a session's resident context."""
    return {"text": context.text, "subtype": RESIDENT, "records": [str(item.ref) for item in context.shown]}


def use_events(expansion: Expansion, *, actor: Actor, session_id: str | None, now: datetime) -> Iterator[UsageEvent]:
    """The uses that an expansion is: of each record that was named. What a workflow brought along was not asked for."""
    for item in expansion.records:
        if item.required_by is None:
            source: Source = "WorkflowInvoke" if item.ref.kind is Kind.WORKFLOW else "KnowledgeRef"
            yield use_event(item.ref, item.file_text, source=source, actor=actor, session_id=session_id, now=now)
