"""A store in a temporary folder, candidates in few words, and one call that consolidates."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory_core.config import Config
from memory_core.consolidate.doubt import LogOf
from memory_core.consolidate.draft import Draft
from memory_core.consolidate.job import consolidate
from memory_core.consolidate.task import ConsolidateInput, ConsolidateRun, ConsolidateWorker
from memory_core.consolidate.tools import ConsolidateToolbox
from memory_core.layout import Layout
from memory_core.llm import TokenUsage
from memory_core.ports import Silent
from memory_core.providers.builtin.consolidate import BuiltinConsolidator
from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.staging import Anchor, Attempt, CandidateRef, Decision, Discussion, Request, StagingFile, StagingSource
from memory_core.store.filestore import FileStore
from memory_core.worker import Work, WorkerReport

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
CANDIDATE = Decision | Discussion | Attempt | Request


def said(entry: int, text: str, speaker: str = "human", **more: Any) -> Anchor:
    """An anchor: `speaker` said `text` in one entry."""
    data = {
        "evidence_id": f"M{entry:04d}",
        "entry_range": (entry, entry),
        "kind": "tool_result" if speaker == "tool" else "message",
        "speaker": speaker,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "excerpt": text,
        **more,
    }
    return Anchor.model_validate(data)


def staged(number: int, *candidates: CANDIDATE, session: str | None = None, language: str = "en") -> StagingFile:
    """A staging file; its number makes the id, and the session unless one is given."""
    source = StagingSource(session_id=session or f"session-{number}", range=(0, 99), agent="claude-code")
    arrays: dict[str, Any] = {
        "decisions": tuple(c for c in candidates if isinstance(c, Decision)),
        "discussions": tuple(c for c in candidates if isinstance(c, Discussion)),
        "attempts": tuple(c for c in candidates if isinstance(c, Attempt)),
        "requests": tuple(c for c in candidates if isinstance(c, Request)),
    }
    return StagingFile(id=f"0197{number:04d}-0000-7000-8000-000000000000", source=source, language=language, **arrays)


def decided(chosen: str, entry: int = 1, said_as: str | None = None, **more: Any) -> Decision:
    """A decision that a person voiced in one entry."""
    return Decision(chosen=chosen, evidence=(said(entry, said_as or chosen),), **more)


def asked(summary: str, entry: int = 1, **more: Any) -> Request:
    data = {"intent": summary, "summary": summary, "evidence": (said(entry, summary),), **more}
    return Request(**data)


def decision_text(body: str = "# Use A\n", **fields: str) -> str:
    head = {
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "sources": "[]",
        "status": "open",
    }
    lines = "".join(f"{key}: {value}\n" for key, value in {**head, **fields}.items())
    return f"---\n{lines}---\n\n{body}"


def knowledge_text(body: str = "Body.\n", description: str = "A fact. Read before x.", resident: bool = False) -> str:
    return (
        "---\ncreated_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\nkind: fact\n"
        f"description: {description}\nmodel_invokation: {str(resident).lower()}\nuser_invocable: true\n"
        f"last_sources: []\n---\n\n{body}"
    )


@dataclass
class Scripted:
    """A worker that makes the calls it was given, in order. A callable is called with the toolbox instead."""

    calls: Iterable[Any] = ()
    model: str | None = "scripted"
    name: str = "scripted"
    results: list[Any] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    views: list[ConsolidateInput] = field(default_factory=list)

    async def run(self, work: Work, view: ConsolidateInput) -> WorkerReport:
        self.works.append(work)
        self.views.append(view)
        for call in self.calls:
            self.results.append(call(work.toolbox) if callable(call) else work.toolbox.call(*call))
        return WorkerReport(TokenUsage(10, 5, 1), turns=1)


@dataclass
class Bench:
    """A workspace whose clock moves a minute with each look at it."""

    root: Path
    minutes: int = 0

    @property
    def store(self) -> FileStore:
        return FileStore(Layout(self.root), self.now)

    def now(self) -> datetime:
        self.minutes += 1
        return NOW + timedelta(minutes=self.minutes)

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode())

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def stage(self, *files: StagingFile) -> None:
        for file in files:
            self.store.stage(file)

    def run(
        self,
        worker: ConsolidateWorker | None = None,
        *,
        run_id: str = "run",
        config: Config | None = None,
        dry_run: bool = False,
        busy: frozenset[str] = frozenset(),
        progress: Any = None,
        only: set[str] | None = None,
        if_due: bool = False,
        log_of: LogOf = lambda _: None,
    ) -> ConsolidateRun:
        return asyncio.run(
            consolidate(
                run_id,
                store=self.store,
                worker=worker or BuiltinConsolidator(),
                config=config or Config(),
                progress=progress or Silent(),
                now=self.now,
                dry_run=dry_run,
                busy=busy,
                only=only,
                if_due=if_due,
                log_of=log_of,
            )
        )

    def records(self) -> dict[str, bytes]:
        """Every record by path, as bytes."""
        return {path: (self.root / path).read_bytes() for path in self.store.load().documents}

    def everything(self) -> dict[str, bytes]:
        return {str(p.relative_to(self.root)): p.read_bytes() for p in self.root.rglob("*") if p.is_file()}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    root = tmp_path / "work" / ".omoide"
    for name in ("memory/decisions", "memory/requests", "knowledge", "workflow"):
        (root / name).mkdir(parents=True)
    return Bench(root)


class Make:
    """The builders above, as a fixture."""

    said = staticmethod(said)
    staged = staticmethod(staged)
    decided = staticmethod(decided)
    asked = staticmethod(asked)
    decision_text = staticmethod(decision_text)
    knowledge_text = staticmethod(knowledge_text)
    scripted = Scripted

    def toolbox(
        self, texts: dict[str, str] | Snapshot, *candidates: CANDIDATE, **more: Any
    ) -> tuple[ConsolidateToolbox, list[CandidateRef]]:
        """A toolbox over some texts, with the candidates of one staging file."""
        snapshot = texts if isinstance(texts, Snapshot) else snapshot_of(texts)
        refs = list(staged(1, *candidates).candidates())
        return ConsolidateToolbox(Draft(snapshot, NOW), refs, **more), refs


@pytest.fixture
def make() -> Make:
    return Make()
