"""What an extract tells people: each session, what was staged and what was not, and the sums."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from memory_core.config import Config
from memory_core.extract.report import session_lines, total_lines
from memory_core.extract.several import extract_sessions
from memory_core.extract.task import ExtractRun, Found, Price, SetAside
from memory_core.llm import TokenUsage
from memory_core.providers.builtin.extract import BuiltinExtractor
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.testing import session_of

NOW = datetime(2026, 1, 31, 9, 0, tzinfo=UTC)
COUNTS = {"decisions": 1, "discussions": 0, "attempts": 0, "requests": 1}
STAGED = ExtractRun(
    "s-1",
    (0, 9),
    "staged",
    "2 candidates staged (1 set aside)",
    "file-1",
    COUNTS,
    TokenUsage(1_200, 34, 2),
    (SetAside("decisions", "Use MD5", "tool output alone cannot support a decision"),),
    "codex",
    (Found("file-1/decisions/0", "decision", "Use uv"), Found("file-1/requests/0", "request", "Lint first")),
    "Quiet logs",
)
NOTHING = ExtractRun("s-2", (0, 3), "nothing", "nothing worth keeping was found", agent="claude-code")
FAILED = ExtractRun("s-2", (4, 7), "failed", "the server is down", agent="claude-code")


def test_a_session_names_what_was_staged_and_why_something_was_not() -> None:
    assert session_lines([STAGED]) == [
        's-1 (codex, "Quiet logs") entries 0-9: 2 candidates staged (1 set aside) (file-1)',
        "  decision: Use uv",
        "  request: Lint first",
        "  not staged: decision `Use MD5`: tool output alone cannot support a decision",
    ]


def test_the_parts_of_a_session_stand_together() -> None:
    assert session_lines([NOTHING, FAILED]) == [
        "s-2 (claude-code) in 2 parts:",
        "  entries 0-3: nothing worth keeping was found",
        "  entries 4-7: failed: the server is down",
    ]


def test_totals_are_of_each_agent_and_of_all() -> None:
    assert total_lines([STAGED, NOTHING, FAILED]) == [
        "claude-code: 1 session, 0 candidates staged, 1 failed",
        "codex: 1 session, 2 candidates staged, 1 set aside, 1,234 tokens in 2 requests",
        "In all: 2 sessions, 2 candidates staged, 1 set aside, 1 failed, 1,234 tokens in 2 requests",
    ]
    assert total_lines([STAGED]) == ["1 session, 2 candidates staged, 1 set aside, 1,234 tokens in 2 requests"]
    assert total_lines([]) == []


def test_a_dry_run_sums_up_its_price() -> None:
    price = ExtractRun("s-1", (0, 9), "skipped", "dry run: ...", agent="codex", planned=Price(2, 4_000))
    assert total_lines([price, price]) == ["1 session, 8,000 tokens in 4 parts"]
    assert "skipped" not in session_lines([price])[0]


def test_a_title_shows_no_secret() -> None:
    secret = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z" * 2
    run = ExtractRun("s-1", None, "nothing", "no new entries", agent="codex", title=f"use {secret}")
    assert secret not in session_lines([run])[0]


class Watching:
    """Progress that is written down."""

    cancelled = False

    def __init__(self) -> None:
        self.said: list[tuple[str, float | None]] = []

    def report(self, message: str, fraction: float | None = None) -> None:
        self.said.append((message, fraction))


async def test_progress_counts_the_sessions_and_names_each(tmp_path: Path) -> None:
    layout, _ = create_root(tmp_path)
    talk = [("human", "From now on, always run the linter before you commit."), ("assistant", "Understood.")]
    sessions = [session_of(*talk, session_id=f"talk-{number}", agent=f"agent-{number}") for number in range(3)]
    watching = Watching()
    runs = await extract_sessions(
        sessions,
        store=FileStore(layout, lambda: NOW),
        worker=BuiltinExtractor(),
        config=Config(),
        progress=watching,
        now=lambda: NOW,
    )
    assert [run.status for run in runs] == ["staged"] * 3
    assert [message for message, _ in watching.said] == [
        "session 1 of 3, agent-0 talk-0: entries 0 to 1",
        "1 of 3 sessions done, 1 staged",
        "session 2 of 3, agent-1 talk-1: entries 0 to 1",
        "2 of 3 sessions done, 2 staged",
        "session 3 of 3, agent-2 talk-2: entries 0 to 1",
        "3 of 3 sessions done, 3 staged",
    ]
    fractions = [fraction for _, fraction in watching.said]
    assert fractions == sorted(fraction or 0.0 for fraction in fractions)
    assert fractions[-1] == 1.0
