"""Usage and audit on disk: whole lines, whoever else writes, whatever a crash left behind."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.audit import drops_in
from memory_core.layout import Layout
from memory_core.ledger import DayLedger
from memory_core.records.schema import Kind, RecordRef
from memory_core.store.filestore import FileStore
from memory_core.usage import UsageEvent, use_event

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


def event(slug: str) -> UsageEvent:
    return use_event(
        RecordRef(Kind.KNOWLEDGE, slug), "text", source="MemoryRead", actor="agent", session_id="s", now=NOW
    )


def test_events_come_back_in_order(store: FileStore) -> None:
    """D1, D4"""
    written = [event("a"), event("b")]
    for each in written:
        store.append_usage(each)
    assert store.usage() == (written, 0)


def test_no_log_is_no_events(store: FileStore) -> None:
    assert store.usage() == ([], 0)


def test_a_torn_tail_costs_itself_and_nothing_else(store: FileStore) -> None:
    store.append_usage(event("a"))
    with store.layout.usage.open("ab") as file:
        file.write(b'{"id": "torn", "occ')
    store.append_usage(event("b"))
    events, unreadable = store.usage()
    assert [e.records[0].slug for e in events] == ["a", "b"]
    assert unreadable == 1


def test_bad_bytes_are_one_unreadable_line(store: FileStore) -> None:
    store.append_usage(event("a"))
    with store.layout.usage.open("ab") as file:
        file.write(b"\xff\xfe\n\n")
    assert store.usage()[1] == 1


_WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from memory_core.layout import Layout
from memory_core.records.schema import Kind, RecordRef
from memory_core.store.filestore import FileStore
from memory_core.usage import use_event
store = FileStore(Layout(Path(sys.argv[1])))
for n in range(300):
    ref = RecordRef(Kind.KNOWLEDGE, f"{sys.argv[2]}-{n}")
    now = datetime(2026, 6, 1, tzinfo=UTC)
    store.append_usage(use_event(ref, "x" * n, source="MemoryRead", actor="agent", session_id=sys.argv[2], now=now))
"""


def test_two_processes_lose_no_event(store: FileStore, root: Path) -> None:
    """T47"""
    runs = [subprocess.Popen([sys.executable, "-c", _WRITER, str(root), name]) for name in ("one", "two")]
    assert [run.wait(timeout=60) for run in runs] == [0, 0]
    events, unreadable = store.usage()
    assert unreadable == 0
    assert sorted(e.records[0].slug for e in events) == sorted(f"{p}-{n}" for p in ("one", "two") for n in range(300))


def test_a_read_never_fails_for_its_statistics(store: FileStore, root: Path, caplog: pytest.LogCaptureFixture) -> None:
    (root / "memory/_usage").write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        store.append_usage(event("a"))
    assert "not recorded" in caplog.text


def test_a_run_never_fails_for_its_audit(store: FileStore, root: Path, caplog: pytest.LogCaptureFixture) -> None:
    (root / "memory/_logs").write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        store.append_audit("extract", {"x": 1})
    assert "not recorded" in caplog.text


def test_nothing_is_written_beside_a_root_that_is_gone(tmp_path: Path) -> None:
    store = FileStore(Layout(tmp_path / "nowhere" / ".omoide"))
    store.append_usage(event("a"))
    store.append_audit("extract", {})
    assert not (tmp_path / "nowhere").exists()


def test_words_that_no_file_can_hold_do_not_keep_a_run_out_of_the_audit(store: FileStore) -> None:
    """Half a surrogate pair in a model's reply would else hide what that model did."""
    store.append_audit("extract", {"reply": "A\ud800B"})
    (line,) = store.layout.audit.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["reply"] == "A\N{REPLACEMENT CHARACTER}B"


def test_an_audit_event_is_one_line_of_json(store: FileStore) -> None:
    store.append_audit("extract", {"session_id": "s", "reason": "zwei\nZeilen", "model": None})
    (line,) = store.layout.audit.read_text(encoding="utf-8").splitlines()
    data = json.loads(line)
    assert data["event"] == "extract"
    assert data["occurred_at"] == "2026-06-01T09:00:00Z"
    assert data["reason"] == "zwei\nZeilen"
    assert "model" not in data


def test_tokens_of_the_day_are_summed_over_all_runs(root: Path) -> None:
    """T03: the ceiling of a day counts what every process spent, and starts anew at midnight UTC."""
    days = [datetime(2026, 5, 31, 23, 59, tzinfo=UTC), NOW, NOW]
    for number, day in enumerate(days):
        usage = {"input_tokens": 100 * (number + 1), "output_tokens": 1, "requests": 1}
        FileStore(Layout(root), lambda day=day: day).append_audit("extract", {"usage": usage})  # type: ignore[misc]
    FileStore(Layout(root), lambda: NOW).append_audit("undo", {"usage": None})
    assert FileStore(Layout(root), lambda: NOW).tokens_spent_today() == 200 + 300 + 2


@pytest.mark.parametrize(
    "line",
    [
        '{"occurred_at": "2026-06-01T08:00:00Z", "usage": {"input_tokens": -1000000, "output_tokens": true}}',
        '{"occurred_at": "2026-06-01T08:00:00Z", "usage": ' + "[" * 100_000,
    ],
)
def test_a_log_that_comes_with_a_repository_takes_nothing_off_what_was_spent(store: FileStore, line: str) -> None:
    store.append_audit("extract", {"usage": {"input_tokens": 100, "output_tokens": 1, "requests": 1}})
    with store.layout.audit.open("a", encoding="utf-8") as log:
        log.write(line + "\n")
    assert store.tokens_spent_today() == 101
    assert drops_in([line.replace("usage", "extract")], "2026") == drops_in([], "")


def test_where_nothing_can_be_written_down_nothing_may_be_spent(store: FileStore) -> None:
    """Each run asked anew, and the day's limit never came."""
    assert DayLedger(store, 500, {}).left() == 500
    assert store.layout.audit.read_bytes() == b""
    store.layout.audit.unlink()
    store.layout.audit.mkdir()  # for one that is read-only; who runs tests may be allowed everything
    assert DayLedger(store, 500, {}).left() == 0
    assert DayLedger(store, 0, {}).left() is None


def test_an_override_is_the_text_of_the_workspace(store: FileStore, root: Path) -> None:
    assert store.prompt_override("consolidate") is None
    (root / "prompts").mkdir()
    (root / "prompts/consolidate.md").write_bytes(b"\xef\xbb\xbfOurs.\n")
    assert store.prompt_override("consolidate") == "Ours.\n"


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b", "", "A"])
def test_an_override_is_never_read_from_elsewhere(store: FileStore, root: Path, name: str) -> None:
    (root / "secret.md").write_text("secret")
    assert store.prompt_override(name) is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a second process made by fork")
def test_an_append_is_one_write(store: FileStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two writes of one event could have another process's line between them."""
    sizes: list[int] = []
    real = os.write

    def counting(handle: int, data: bytes) -> int:
        sizes.append(len(data))
        return real(handle, data)

    monkeypatch.setattr(os, "write", counting)
    store.append_usage(event("a"))
    assert len(sizes) == 1
