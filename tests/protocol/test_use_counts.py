"""Use counts keep up with a log that anybody appends to; what counts as opening a record. No server is started."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memory_core.ids import utc_now
from memory_core.layout import Layout
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import snapshot_of
from memory_core.store.discovery import find_root
from memory_core.usage import exposure_event, use_event
from memory_core.usage.event import Actor, UsageEvent
from memory_core.workspace import open_root
from server import use_counts
from server.state import Root
from server.usage import JUMP_S, LOOK_EVERY_S, WINDOW_S, UsageRecorder
from server.use_counts import UseCounts, count, place_of
from tests.protocol.conftest import make_root

A, B = RecordRef(Kind.KNOWLEDGE, "a"), RecordRef(Kind.KNOWLEDGE, "b")


def use(ref: RecordRef = A, actor: Actor = "agent") -> UsageEvent:
    return use_event(ref, "x", source="MemoryRead", actor=actor, session_id="s", now=utc_now())


@pytest.fixture
def root(tmp_path: Path) -> Root:
    workspace = make_root(tmp_path / "project", {"knowledge/a.md": "x", "knowledge/b.md": "x"})
    layout = find_root(workspace)
    assert isinstance(layout, Layout)
    return Root(layout, layout.root, snapshot=snapshot_of({"knowledge/a.md": "x"}), workspace=open_root(layout))


def log_of(root: Root) -> Path:
    return root.layout.usage


def append(root: Root, *events: UsageEvent) -> None:
    assert root.workspace
    for event in events:
        root.workspace.store.append_usage(event)


def counted(root: Root) -> UseCounts:
    assert root.workspace
    counts = UseCounts()
    counts.take(root, count(root.workspace))
    return counts


def numbers(root: Root, ref: RecordRef = A) -> tuple[int, int, int]:
    used = root.used.get(ref)
    return (used.count, used.human, used.agent) if used else (0, 0, 0)


def test_a_workspace_without_a_log_has_no_counts(root: Root) -> None:
    counts = counted(root)
    assert root.used == {}
    assert counts.catch_up(root)


def test_counts_are_not_known_before_the_log_was_added_up(root: Root) -> None:
    """A card said "never read" of a record that others had read, until then."""
    append(root, use(), use())
    recorder = UsageRecorder()
    recorder.record(root, A, "EditorHover")
    assert recorder.used(root) is None
    recorder.counted(root, count(root.workspace))  # type: ignore[arg-type]
    assert recorder.used(root) == root.used
    assert numbers(root)[0] >= 3
    recorder.close(5)


def test_uses_are_counted_by_actor_and_exposures_are_none(root: Root) -> None:
    append(root, use(), use(), use(actor="human"), use(B), exposure_event([(A, "x", 9)], session_id="s", now=utc_now()))
    counted(root)
    assert numbers(root) == (3, 1, 2)
    assert numbers(root, B) == (1, 0, 1)


def test_what_is_appended_is_added(root: Root) -> None:
    append(root, use())
    counts = counted(root)
    append(root, use(), use(B, "human"), exposure_event([(A, "x", 9)], session_id="s", now=utc_now()))
    assert counts.catch_up(root)
    assert numbers(root) == (2, 0, 2)
    assert numbers(root, B) == (1, 1, 0)
    assert counts.catch_up(root)
    assert numbers(root) == (2, 0, 2)


def test_a_log_that_appears_later_is_read_from_its_beginning(root: Root) -> None:
    counts = counted(root)
    append(root, use(), use())
    assert counts.catch_up(root)
    assert numbers(root) == (2, 0, 2)


def test_a_torn_line_is_waited_for_and_a_bad_one_passed_over(root: Root) -> None:
    append(root, use())
    counts = counted(root)
    line = use().to_line()
    with log_of(root).open("a", encoding="utf-8") as log:
        log.write("nonsense\n" + line[:20])
    assert counts.catch_up(root)
    assert numbers(root) == (1, 0, 1)
    with log_of(root).open("a", encoding="utf-8") as log:
        log.write(line[20:])
    assert counts.catch_up(root)
    assert numbers(root) == (2, 0, 2)


@pytest.mark.parametrize("how", ["shorter", "another file", "a large tail"])
def test_what_cannot_be_added_is_added_up_anew(root: Root, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    append(root, use(), use())
    counts = counted(root)
    match how:
        case "shorter":
            log_of(root).write_text(use().to_line(), encoding="utf-8")
        case "another file":
            other = log_of(root).with_name("other")
            other.write_text("".join(use().to_line() for _ in range(5)), encoding="utf-8")
            other.replace(log_of(root))
        case _:
            monkeypatch.setattr(use_counts, "LONGEST_TAIL", 10)
            append(root, use())
    assert not counts.catch_up(root)
    assert counts.catch_up(root), "asked for once"
    assert root.workspace
    counts.take(root, count(root.workspace))
    assert numbers(root)[0] == {"shorter": 1, "another file": 5}.get(how, 3)


def test_our_own_events_are_counted_once(root: Root) -> None:
    counts = counted(root)
    own = use(actor="human")
    counts.add(root, own)
    assert numbers(root) == (1, 1, 0)
    append(root, own, use())
    assert counts.catch_up(root)
    assert numbers(root) == (2, 1, 1)
    counts.add(root, unwritten := use(actor="human"))
    assert root.workspace
    counts.take(root, count(root.workspace), [unwritten])
    assert numbers(root) == (3, 2, 1)
    append(root, unwritten)
    assert counts.catch_up(root)
    assert numbers(root) == (3, 2, 1)


def test_the_order_is_made_anew_only_when_counts_change(root: Root) -> None:
    append(root, use(B), use(B), use(A))
    counts = counted(root)
    order = counts.order(root)
    assert order.first(Kind.KNOWLEDGE) == ["b", "a"]
    assert counts.order(root) is order
    append(root, use(), use())
    counts.catch_up(root)
    assert counts.order(root).first(Kind.KNOWLEDGE) == ["a", "b"]


def test_the_place_of_no_file_is_none(tmp_path: Path) -> None:
    assert place_of(tmp_path / "none") is None


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def uses_of(root: Root) -> int:
    return numbers(root)[0]


async def test_a_definition_alone_is_no_open(root: Root) -> None:
    recorder = UsageRecorder(Clock())
    recorder.pointed(root, A)
    assert uses_of(root) == 0


async def test_an_open_behind_a_definition_counts_once_the_file_stayed(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.usage.STAY_S", 0.01)
    recorder = UsageRecorder(Clock())
    recorder.pointed(root, A)
    recorder.opened(root, A, by_person=False)
    assert uses_of(root) == 0
    for _ in range(200):
        await asyncio.sleep(0.01)
        if uses_of(root):
            break
    assert uses_of(root) == 1
    recorder.close(5)


async def test_a_preview_that_was_closed_is_none(root: Root) -> None:
    recorder = UsageRecorder(Clock())
    recorder.pointed(root, A)
    recorder.opened(root, A, by_person=False)
    (timer,) = recorder._staying.values()
    recorder.closed(root, A)
    assert timer.cancelled()
    assert recorder._staying == {}
    assert uses_of(root) == 0


async def test_an_open_with_no_definition_or_long_after_it_is_none(root: Root) -> None:
    clock = Clock()
    recorder = UsageRecorder(clock)
    recorder.opened(root, A, by_person=False)
    recorder.pointed(root, A)
    clock.now += JUMP_S
    recorder.opened(root, A, by_person=False)
    assert recorder._staying == {}


async def test_an_open_for_a_person_counts_at_once_and_once_a_minute(root: Root) -> None:
    clock = Clock()
    recorder = UsageRecorder(clock)
    for passed in (0.0, 1.0, WINDOW_S - 2, WINDOW_S):
        clock.now += passed
        recorder.opened(root, A, by_person=True)
    assert uses_of(root) == 2
    recorder.close(5)
    assert len(log_of(root).read_text(encoding="utf-8").splitlines()) == 2


async def test_the_log_is_looked_at_so_often_and_no_oftener(root: Root) -> None:
    clock = Clock()
    recorder = UsageRecorder(clock)
    assert root.workspace
    recorder.counted(root, count(root.workspace))
    recorder.refresh(root)
    append(root, use())
    recorder.refresh(root)
    assert uses_of(root) == 0
    clock.now += LOOK_EVERY_S
    recorder.refresh(root)
    assert uses_of(root) == 1
