"""The usage log on disk: many writers, torn lines, rotation by size, renames, and a report in bounded memory. D1-D5."""

from __future__ import annotations

import json
import logging
import multiprocessing
import shutil
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory_core.errors import StoreError
from memory_core.records.schema import Kind, RecordRef
from memory_core.refactor.history import Rename
from memory_core.store import usage_append, usage_log
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.usage import UsageEvent, exposure_event, report, rows_of, use_event
from memory_core.usage.tally import Tally

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


def used(slug: str, at: datetime = NOW, text: str = "12345678") -> UsageEvent:
    ref = RecordRef(Kind.KNOWLEDGE, slug)
    return use_event(ref, text, source="MemoryRead", actor="agent", session_id="s", now=at)


def exposed(slug: str, tokens: int, at: datetime = NOW) -> UsageEvent:
    return exposure_event([(RecordRef(Kind.KNOWLEDGE, slug), "text", tokens)], session_id="s", now=at)


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(create_root(tmp_path)[0], lambda: NOW)


def counts(store: FileStore) -> dict[str, int]:
    return {row.slug: row.use_count for row in store.usage_report().rows}


def _append_many(root: str, worker: int, number: int, limit: int) -> None:
    path = Path(root)
    for index in range(number):
        usage_append.append(path, used(f"w-{worker}", NOW + timedelta(seconds=index)), NOW, limit)


@pytest.mark.parametrize("limit", [usage_append.ROTATE_BYTES, 50_000])
def test_many_processes_lose_and_tear_nothing(store: FileStore, limit: int) -> None:
    """D1; with the smaller limit the log is set aside dozens of times meanwhile."""
    context = multiprocessing.get_context("spawn")
    path = store.layout.usage
    path.parent.mkdir(parents=True)
    workers = [context.Process(target=_append_many, args=(str(path), n, 400, limit)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    found = store.usage_report()
    assert {row.slug: row.use_count for row in found.rows} == {f"w-{n}": 400 for n in range(4)}
    assert found.skipped == 0
    assert len(list(path.parent.glob("events-*.jsonl"))) >= (0 if limit > 1_000_000 else 2)


def test_a_report_is_the_same_before_and_after_the_log_is_set_aside(store: FileStore) -> None:
    events = [used(f"s-{n % 7}", NOW + timedelta(minutes=n)) for n in range(200)]
    events += [exposed(f"s-{n % 3}", n, NOW + timedelta(minutes=n)) for n in range(40)]
    for event in events:
        usage_append.append(store.layout.usage, event, NOW, 4_000)
    assert len(list(store.layout.usage.parent.glob("events-*.jsonl"))) > 5
    expected = report(events)
    assert list(store.usage_report().rows) == expected
    assert list(store.usage_report().rows) == expected  # now from the totals that were kept
    assert len(list(store.layout.usage.parent.glob("totals-*.json"))) > 5
    assert store.usage()[1] == 0
    assert len(store.usage()[0]) == len(events)


def test_totals_outlive_their_file(store: FileStore) -> None:
    for n in range(50):
        usage_append.append(store.layout.usage, used("a", NOW + timedelta(minutes=n)), NOW, 2_000)
    assert counts(store) == {"a": 50}
    for aside in store.layout.usage.parent.glob("events-*.jsonl"):
        aside.unlink()
    assert counts(store) == {"a": 50}


def test_a_late_append_to_a_file_that_was_set_aside_still_counts(store: FileStore) -> None:
    for n in range(20):
        usage_append.append(store.layout.usage, used("a", NOW + timedelta(minutes=n)), NOW, 2_000)
    assert counts(store) == {"a": 20}
    aside = next(iter(sorted(store.layout.usage.parent.glob("events-*.jsonl"))))
    with aside.open("ab") as file:  # by a process that had opened it before
        file.write(used("a").to_line().encode())
    assert counts(store) == {"a": 21}


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"version": 1, "bytes": 0, "totals": 3}', b"\xff\xfe"])
def test_totals_that_are_damaged_are_made_anew(store: FileStore, damage: bytes) -> None:
    for n in range(20):
        usage_append.append(store.layout.usage, used("a", NOW + timedelta(minutes=n)), NOW, 2_000)
    assert counts(store) == {"a": 20}
    for totals in store.layout.usage.parent.glob("totals-*.json"):
        totals.write_bytes(damage)
    assert counts(store) == {"a": 20}


def test_torn_and_foreign_lines_are_skipped_and_counted(store: FileStore) -> None:
    """D1: a torn line costs itself, never its neighbors."""
    good = used("a").to_line()
    half = good[: len(good) // 2]
    lines = [good, good[:40] + "\n", "null\n", good, '{"event": "search"}\n', "\n", "  \n", "\xe9\n", half]
    store.layout.usage.parent.mkdir(parents=True)
    store.layout.usage.write_bytes("".join(lines).encode("latin-1"))
    assert store.usage_report().skipped == 5
    store.append_usage(used("a"))  # behind a tail without its end
    found = store.usage_report()
    assert found.skipped == 5
    assert counts(store) == {"a": 3}


def test_an_event_of_another_version_is_skipped_and_counted(store: FileStore) -> None:
    newer = json.loads(used("a").to_line()) | {"event": "glance", "version": 9}
    more = json.loads(used("a").to_line()) | {"mood": "curious"}  # an unknown key is no reason to lose the event
    store.layout.usage.parent.mkdir(parents=True)
    store.layout.usage.write_text(f"{json.dumps(newer)}\n{json.dumps(more)}\n", encoding="utf-8")
    assert (counts(store), store.usage_report().skipped) == ({"a": 1}, 1)


def test_older_lines_count(store: FileStore) -> None:
    """`segment_id`, no actor, nanoseconds, spaces, another order, an offset instead of `Z`."""
    record = {"kind": "knowledge", "slug": "a", "file_bytes": 8, "file_tokens_estimate": 2}
    base = {"id": "x", "occurred_at": "2026-01-01T00:00:00.123456789Z", "segment_id": "old", "event": "use"}
    lines = [
        json.dumps({**base, "source": "MemoryRead", "records": [record]}),
        json.dumps({**base, "source": "KnowledgeRef", "records": [record]}, separators=(",", ":")),
        json.dumps({"records": [record], "source": "MemoryRead", **base}),
        json.dumps({**base, "occurred_at": "2026-03-01T01:00:00+02:00", "source": "MemoryRead", "records": [record]}),
    ]
    store.layout.usage.parent.mkdir(parents=True)
    store.layout.usage.write_text("\r\n".join(lines) + "\r\n", encoding="utf-8")
    (row,) = store.usage_report().rows
    assert (row.use_count, row.source_breakdown) == (4, {"KnowledgeRef": 1, "MemoryRead": 3})
    assert row.last_used_at == "2026-02-28T23:00:00Z"


def test_the_clock_going_back_loses_nothing(store: FileStore) -> None:
    for hours in (5, 3, 4, 0):
        usage_append.append(store.layout.usage, exposed("a", hours, NOW + timedelta(hours=hours)), NOW, 300)
        usage_append.append(store.layout.usage, used("a", NOW + timedelta(hours=hours)), NOW, 300)
    (row,) = store.usage_report().rows
    assert row.use_count == 4
    assert row.last_used_at == "2026-06-01T14:00:00Z"
    assert row.estimated_tokens_per_injection == 5  # of the latest one
    assert row.estimated_total_resident_exposure_tokens == 12


def rename(old: str, new: str, hours: int) -> Rename:
    return Rename(NOW + timedelta(hours=hours), "knowledge", old, new)


@pytest.mark.parametrize("limit", [100_000, 800])
def test_a_renamed_record_keeps_its_uses_and_the_freed_name_begins_anew(store: FileStore, limit: int) -> None:
    """D5, yoi 12: also where the log was set aside before, in the middle of, or after the rename."""
    path = store.layout.usage
    for hours in range(10):
        usage_append.append(path, used("a", NOW + timedelta(hours=hours, minutes=30)), NOW, limit)
    renames = [rename("a", "b", 4), rename("b", "c", 6)]
    for _ in range(2):
        found = {row.slug: row.use_count for row in rows_of(usage_log.tally(path, renames))}
        assert found == {"a": 6, "c": 4}
    if limit < 1_000:
        for aside in path.parent.glob("events-*.jsonl"):
            if json.loads(aside.read_text(encoding="utf-8").splitlines()[-1])["occurred_at"] < "2026-06-01T13":
                aside.unlink()
        assert {r.slug: r.use_count for r in rows_of(usage_log.tally(path, renames))} == {"a": 6, "c": 4}


def test_the_fast_way_and_the_slow_way_add_up_to_the_same() -> None:
    events = [used(f"s-{n % 5}", NOW + timedelta(minutes=n)) for n in range(100)]
    events += [exposed("s-1", n, NOW + timedelta(minutes=n)) for n in range(10)]
    chunk = "".join(event.to_line() for event in events).encode()
    spaced = "".join(json.dumps(json.loads(event.to_line())) + "\n" for event in events).encode()
    for data in (chunk, spaced):
        tally = Tally()
        tally.add_lines(data)
        assert rows_of(tally.finish()) == report(events)


def test_a_line_that_only_looks_plain_is_not_counted() -> None:
    line = used("a").to_line().rstrip("\n")
    tally = Tally()
    tally.add_lines((line[:-1] + ',"event":}\n' + line.replace('"use"', '"use"x') + "\n").encode())
    assert (rows_of(tally.finish()), tally.skipped) == ([], 2)


def test_the_memory_of_a_report_does_not_grow_with_the_events(store: FileStore) -> None:
    path = store.layout.usage
    path.parent.mkdir(parents=True)

    def peak(number: int) -> int:
        lines = (used(f"s-{n % 50}", NOW + timedelta(seconds=n)).to_line() for n in range(number))
        path.write_text("".join(lines), encoding="utf-8")
        tracemalloc.start()
        assert sum(row.use_count for row in store.usage_report().rows) == number
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    chunk = usage_log._CHUNK
    try:
        usage_log._CHUNK = 64 * 1024
        peak(100)
        assert peak(40_000) < 2 * peak(4_000)
    finally:
        usage_log._CHUNK = chunk


def test_a_read_never_fails_for_its_statistics(store: FileStore, caplog: pytest.LogCaptureFixture) -> None:
    """D1: a store on a disk that cannot be written"""
    store.layout.usage.parent.parent.mkdir(exist_ok=True)
    store.layout.usage.parent.write_text("in the way", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        store.append_usage(used("a"))
    assert "was not recorded" in caplog.text


def test_a_log_that_cannot_be_set_aside_is_still_appended_to(store: FileStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "in use")

    monkeypatch.setattr(Path, "rename", refuse)
    for _ in range(5):
        usage_append.append(store.layout.usage, used("a"), NOW, 100)
    assert counts(store) == {"a": 5}


def test_a_log_that_is_a_folder_is_one_clear_error(store: FileStore) -> None:
    store.layout.usage.mkdir(parents=True)
    with pytest.raises(StoreError, match=r"events\.jsonl cannot be read"):
        store.usage_report()


def test_losing_the_sessions_loses_no_statistics(store: FileStore) -> None:
    """D1"""
    store.append_usage(used("a"))
    store.layout.sessions.mkdir(exist_ok=True)
    (store.layout.sessions / "s.jsonl").write_text("{}\n", encoding="utf-8")
    before = store.usage_report()
    (store.layout.sessions / "s.jsonl").unlink()
    assert store.usage_report() == before


def test_a_use_of_a_day_to_come_counts_and_its_date_is_not_believed(store: FileStore) -> None:
    """A forged line would stay the last use for ever, and outlive every rename."""
    forged = NOW.replace(year=9999)
    for event in (used("a"), used("a", forged), used("b", forged), exposed("c", 7, forged), exposed("c", 3)):
        store.append_usage(event)
    rows = {row.slug: row for row in store.usage_report().rows}
    assert (rows["a"].use_count, rows["a"].last_used_at) == (2, "2026-06-01T09:00:00Z")
    assert (rows["b"].use_count, rows["b"].last_used_at) == (1, None)
    assert (rows["c"].resident_exposure_count, rows["c"].estimated_tokens_per_injection) == (2, 3)


def test_a_forged_date_in_kept_totals_is_not_believed_either(store: FileStore) -> None:
    path = store.layout.usage.with_name("events-1.jsonl")
    path.parent.mkdir(parents=True)
    path.write_text(used("a", NOW.replace(year=9998)).to_line())
    usage_log.tally(store.layout.usage, ())  # as an older version kept it
    (totals,) = path.parent.glob("totals-*.json")
    assert "9998" in totals.read_text()
    assert [row.last_used_at for row in store.usage_report().rows] == [None]


def linked(main: Path, tree: Path) -> FileStore:
    """A store in a linked work tree of the repository that `main` is, as `git worktree add` leaves it."""
    kept = main / ".git/worktrees" / tree.name
    kept.mkdir(parents=True)
    (kept / "gitdir").write_text(f"{tree}/.git\n")
    (kept / "commondir").write_text("../..\n")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {kept}\n")
    return FileStore(create_root(tree)[0], lambda: NOW)


def test_uses_in_a_linked_work_tree_outlive_it(tmp_path: Path) -> None:
    (tmp_path / "main").mkdir()
    main = FileStore(create_root(tmp_path / "main")[0], lambda: NOW)
    tree = linked(tmp_path / "main", tmp_path / "tree")
    tree.append_usage(used("a"))
    tree.append_usage(used("a"))
    main.append_usage(used("b"))
    assert counts(tree) == {"a": 2}
    shutil.rmtree(tmp_path / "tree")
    assert counts(main) == {"a": 2, "b": 1}


def test_a_main_work_tree_that_takes_no_use_stops_none(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "main").mkdir()
    main = FileStore(create_root(tmp_path / "main")[0], lambda: NOW)
    main.layout.usage.parent.mkdir(parents=True)
    main.layout.usage.mkdir()
    tree = linked(tmp_path / "main", tmp_path / "tree")
    with caplog.at_level(logging.WARNING):
        tree.append_usage(used("a"))
    assert counts(tree) == {"a": 1}
    assert "is not known in the main work tree" in caplog.text
