"""Which slices a session is cut into, and when an extract is due."""

from __future__ import annotations

import random

from memory_core.config import Config, MemorySettings
from memory_core.extract.plan import due, has_messages, plan_slices, unextracted_tokens
from memory_core.extract.render import render
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.sessions.pointer import Pointer
from memory_core.testing import session_of
from memory_core.tokens import count

POINTER_ENTRY = Entry(0, EntryKind.EXTENSION, Speaker.SYSTEM, "", domain="memory.extract", payload={})


def ranges(session: Session, pointer: Pointer | None = None, limit: int = 32_000) -> list[tuple[int, int]]:
    pointer = pointer or Pointer()
    return [(view.start, view.end) for view in plan_slices(session, pointer, limit)]


def test_a_short_session_is_one_slice_from_after_the_pointer() -> None:
    """B3 B10"""
    session = session_of(("human", "a"), ("assistant", "b"), ("human", "c"))
    assert ranges(session) == [(0, 2)]
    assert ranges(session, Pointer(1)) == [(2, 2)]
    assert ranges(session, Pointer(2)) == []
    assert ranges(session, Pointer(99)) == []


def test_bookkeeping_alone_is_nothing_new_so_that_our_own_pointer_entry_ends_it() -> None:
    session = session_of(("human", "a"), POINTER_ENTRY)
    assert ranges(session, Pointer(0)) == []


def test_tool_calls_without_a_word_are_a_slice_in_which_nobody_spoke() -> None:
    """A12"""
    session = session_of(("call", "Bash", "x"), ("result", "y"))
    (view,) = plan_slices(session, Pointer(), 32_000)
    assert not has_messages(view)


def test_every_entry_is_in_exactly_one_slice_and_every_input_fits() -> None:
    """T11 and coverage, over random logs; the seed is fixed."""
    random_ = random.Random(11)
    words = ["word", "漢字テスト", "🙂🙂", "x" * 60, "\n\n", "안녕하세요"]
    for _ in range(40):
        steps: list[tuple[str, ...]] = []
        for _ in range(random_.randrange(1, 120)):
            text = " ".join(random_.choices(words, k=random_.randrange(1, 120)))
            kind = random_.choice(["human", "assistant", "call", "result", "error", "reasoning", "system"])
            steps.append(("call", "Bash", text) if kind == "call" else (kind, text))
        session = session_of(*steps)
        start = random_.randrange(-1, len(steps) - 1)
        slices = plan_slices(session, Pointer(start), 1_200)
        covered = [index for view in slices for index in range(view.start, view.end + 1)]
        assert covered == list(range(start + 1, len(steps)))
        assert all(count(render(view, 1_200)) <= 1_200 for view in slices)


def test_nothing_is_omitted_from_slices_when_no_stretch_is_too_long_by_itself() -> None:
    """T10 T11: splitting, not cutting, is the way a large session fits."""
    steps: list[tuple[str, ...]] = []
    for n in range(100):
        steps += [("human", f"wish {n} " + "w " * 40), ("call", "Bash", f"b {n}"), ("result", f"r {n}")]
        steps.append(("assistant", f"answer {n} " + "w " * 60))
    slices = plan_slices(session_of(*steps), Pointer(), 2_000)
    assert len(slices) > 5
    texts = [render(view, 2_000) for view in slices]
    assert not any("omitted" in text for text in texts)
    assert all(any(f"wish {n} " in text for text in texts) for n in range(100))


def test_slices_begin_with_a_humans_message_where_they_can() -> None:
    steps: list[tuple[str, ...]] = []
    for n in range(40):
        steps += [("human", f"wish {n} " + "w " * 40), ("assistant", "a " * 60), ("assistant", "b " * 60)]
    session = session_of(*steps)
    starts = [view.start for view in plan_slices(session, Pointer(), 2_000)]
    assert len(starts) > 3
    assert all(session.entries[start].speaker is Speaker.HUMAN for start in starts)


def test_one_message_far_beyond_the_budget_is_a_slice_of_its_own() -> None:
    """T08"""
    session = session_of(("human", "a"), ("human", "big " * 200_000), ("human", "c"))
    slices = plan_slices(session, Pointer(), 1_000)
    assert [index for view in slices for index in range(view.start, view.end + 1)] == [0, 1, 2]
    assert all(count(render(view, 1_000)) <= 1_000 for view in slices)


def test_a_pair_of_call_and_result_stays_in_one_slice() -> None:
    steps: list[tuple[str, ...]] = []
    for n in range(60):
        steps += [("human", f"wish {n} " + "w " * 50), ("call", "Bash", "b"), ("result", "r " * 40)]
    for view in plan_slices(session_of(*steps), Pointer(), 1_500):
        assert view.session.entries[view.end].kind is EntryKind.TOOL_RESULT


def test_the_language_is_that_of_the_humans_messages_unless_it_is_set() -> None:
    """T20"""
    session = session_of(("assistant", "I will do that with the tool."), ("human", "テストを先に書いてください。"))
    assert plan_slices(session, Pointer(), 32_000)[0].language == "ja"
    assert plan_slices(session, Pointer(), 32_000, "German")[0].language == "German"


def test_the_language_without_a_telling_human_message_is_the_assistants_then_english() -> None:
    assert plan_slices(session_of(("assistant", "テストを実行しました。")), Pointer(), 32_000)[0].language == "ja"
    assert plan_slices(session_of(("human", "ok")), Pointer(), 32_000)[0].language == "en"


def settings(threshold: int) -> Config:
    return Config(memory=MemorySettings(extract_threshold=threshold))


def test_due_when_activity_reaches_the_threshold_and_never_when_it_is_off() -> None:
    """B1"""
    session = session_of(("human", "word " * 400), ("assistant", "word " * 400))
    tokens = unextracted_tokens(session, Pointer())
    assert due(session, Pointer(), settings(0)) is None
    assert due(session, Pointer(), settings(tokens + 1)) is None
    assert due(session, Pointer(), settings(tokens)) == (
        f"{tokens} activity tokens since the last extract, threshold {tokens}"
    )
    assert due(session, Pointer(0), settings(tokens)) is None


def test_activity_is_not_the_number_of_tool_calls() -> None:
    """B1"""
    few = session_of(("human", "word " * 1_000))
    many = session_of(*[("call", "A", "x")] * 100)
    assert unextracted_tokens(few, Pointer()) > unextracted_tokens(many, Pointer())
