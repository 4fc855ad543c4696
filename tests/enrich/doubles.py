"""Enrichers that do what a test says, and records to find."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memory_core.enrich.call import Calls
from memory_core.enrich.circuit import Circuit
from memory_core.enrich.port import Caps, Deadline, Derived, EnrichQuery, EnrichRow, Hit
from memory_core.enrich.recall import Configured


def knowledge(body: str, *, description: str = "d", scope: str = "", extra: str = "") -> str:
    head = [
        "created_at: 2026-01-31T09:00:00Z",
        "updated_at: 2026-01-31T09:00:00Z",
        "kind: fact",
        f"description: {description}",
        "model_invokation: false",
        "user_invocable: true",
        "last_sources: []",
    ]
    head += [f"scope: {scope}"] if scope else []
    head += [extra] if extra else []
    return "---\n" + "\n".join(head) + f"\n---\n{body}\n"


def decision(body: str, *, status: str = "resolved", replaced_by: str = "", scope: str = "") -> str:
    more = f"replaced_by: {replaced_by}\n" if replaced_by else ""
    more += f"scope: {scope}\n" if scope else ""
    dates = "created_at: 2026-01-31T09:00:00Z\nupdated_at: 2026-01-31T09:00:00Z\n"
    return f"---\n{dates}sources: []\nstatus: {status}\n{more}---\n{body}\n"


@dataclass
class Spy:
    """Remembers what it was given; answers what `answers` returns or raises."""

    answers: Callable[[EnrichQuery], object] = lambda _: []
    name: str = "spy"
    caps: Caps = field(default_factory=lambda: Caps(scope="full"))
    model: str = "m1"
    on_upsert: Callable[[Sequence[EnrichRow]], None] = lambda _: None
    on_remove: Callable[[Sequence[str]], None] = lambda _: None
    rows: dict[str, EnrichRow] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    def upsert(self, rows: Sequence[EnrichRow], deadline: Deadline) -> None:
        self.calls.append("upsert")
        self.on_upsert(rows)
        self.rows.update((row.id, row) for row in rows)

    def recall(self, query: EnrichQuery, deadline: Deadline) -> Sequence[Hit | Derived]:
        self.calls.append("recall")
        return self.answers(query)  # type: ignore[return-value]

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:
        self.calls.append("remove")
        self.on_remove(ids)
        for known in ids:
            self.rows.pop(known, None)


class Clock:
    """A clock that goes when told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def configured(enricher: object, clock: Callable[[], float] | None = None) -> Configured:
    circuit = Circuit(clock or Clock())
    name = enricher.name  # type: ignore[attr-defined]
    return Configured(enricher, Calls(name, circuit))  # type: ignore[arg-type]


class Hang:
    """Blocks until `let_go` is called, so that no thread outlives a test."""

    def __init__(self) -> None:
        self._gone = threading.Event()

    def __call__(self, *_: object) -> list[Hit]:
        self._gone.wait(30)
        return []

    def let_go(self) -> None:
        self._gone.set()
