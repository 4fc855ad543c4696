"""What could not be extracted is known, counted, tried again in smaller parts, and never tried without end."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.errors import BadReply, InputTooLong, ProviderUnavailable
from memory_core.extract.job import MOST_TRIES
from memory_core.llm import ModelReply
from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.store.filestore import FileStore
from memory_core.testing import ScriptedModel, session_of, tool_call
from tests.extract.test_extract_job import FOUND, NOTHING, SESSION, config, extract, store

__all__ = ["store"]  # the fixture

NONSENSE = tool_call("no_such_tool", {})


def long_session(turns: int) -> Session:
    said = [("human" if n % 2 == 0 else "assistant", f"Point {n}: " + "about the build " * 60) for n in range(turns)]
    return session_of(*said)


async def fail(store: FileStore, session: Session = SESSION, **more: Any) -> Any:
    (run, *_) = await extract(store, ScriptedModel([NONSENSE] * 20), session, **more)
    return run


async def test_a_slice_that_failed_becomes_a_dead_letter_with_reason_and_source(store: FileStore) -> None:
    """T09, T18: kept with its reason, not only written to a log."""
    run = await fail(store)
    assert run.status == "failed"
    (letter,) = store.dead_letters()
    assert letter.reason == run.reason == "the model made 4 invalid calls in a row"
    assert (letter.source.session_id, letter.source.range, letter.tries) == ("s-1", (0, 3), 1)
    assert (letter.provider, letter.model) == ("openai", "m-1")
    assert store.pointer(SESSION) == Pointer(), "failure leaves the pointer"
    assert store.staging().invalid == (), "a letter is no staging file"


async def test_the_same_slice_is_tried_a_few_times_and_then_left_alone(store: FileStore) -> None:
    """T07, T09: every state has an exit, and says which."""
    for tries in range(1, MOST_TRIES + 1):
        await fail(store)
        (letter,) = store.dead_letters()
        assert letter.tries == tries
    model = ScriptedModel([FOUND])
    (run,) = await extract(store, model)
    assert run.status == "skipped"
    assert run.reason.startswith("3 tries failed, the last one because the model made 4 invalid calls in a row;")
    assert "`omoide extract --retry`" in run.reason
    assert model.requests == [], "nothing is spent on it"


async def test_retry_revives_a_letter_and_success_removes_it(store: FileStore) -> None:
    """T12"""
    for _ in range(MOST_TRIES):
        await fail(store)
    (run,) = await extract(store, ScriptedModel([FOUND]), retry=True)
    assert run.status == "staged"
    assert store.dead_letters() == []
    assert store.pointer(SESSION).processed_through_entry == 3


async def test_a_retry_takes_smaller_parts_and_keeps_what_went_through(store: FileStore) -> None:
    """T10: after a failure the next slice is smaller, and the pointer moves past proven parts only."""
    session = long_session(24)
    settings = config(extract_worker_max_input_tokens=4_000)
    first = await extract(store, ScriptedModel([NONSENSE] * 20), session, settings)
    assert first[-1].range
    again = await extract(store, ScriptedModel([NOTHING, *[NONSENSE] * 20]), session, settings)
    assert [run.status for run in again] == ["nothing", "failed"]
    assert again[0].range
    assert again[0].range[1] < first[-1].range[1], "the part is smaller than the slice that failed"
    assert store.pointer(session).processed_through_entry == again[0].range[1]
    (letter,) = store.dead_letters()
    assert letter.source.range[0] == again[0].range[1] + 1, "the old letter went with the part that was proven"


async def test_input_that_never_fits_becomes_a_letter_and_does_not_block_other_sessions(store: FileStore) -> None:
    """T08, T11"""
    run = await fail_with(store, InputTooLong("the input is too long"))
    assert run.status == "failed"
    assert len(store.dead_letters()) == 1
    other = session_of(("human", "Use tabs."), ("assistant", "Yes."), session_id="s-2")
    (next_run,) = await extract(store, ScriptedModel([NOTHING]), other)
    assert next_run.status == "nothing"


@pytest.mark.parametrize("error", [ProviderUnavailable("the server is down")])
async def test_a_server_that_is_down_is_not_the_slices_fault(store: FileStore, error: Exception) -> None:
    run = await fail_with(store, error)
    assert run.status == "failed"
    assert store.dead_letters() == []


async def test_a_reply_that_cannot_be_used_is(store: FileStore) -> None:
    await fail_with(store, BadReply("that is no reply"))
    assert [letter.reason for letter in store.dead_letters()] == ["that is no reply"]


async def fail_with(store: FileStore, error: Exception) -> Any:
    (run,) = await extract(store, ScriptedModel([error] * 8))
    return run


async def test_a_letter_that_cannot_be_read_stays_and_stops_nothing(store: FileStore) -> None:
    folder = store.layout.staging / "_dead"
    folder.mkdir(parents=True)
    (folder / "x.json").write_text("{broken", encoding="utf-8")
    (run,) = await extract(store, ScriptedModel([FOUND]))
    assert run.status == "staged"
    assert (folder / "x.json").exists()


async def test_what_a_model_said_last_is_kept_without_its_secrets(store: FileStore) -> None:
    said = "I would store api_key=abcd1234efgh5678ijkl"
    await extract(store, ScriptedModel([ModelReply(said), ModelReply(said)]))
    (letter,) = store.dead_letters()
    assert letter.reply
    assert letter.reply.startswith("I would store")
    assert "abcd1234" not in letter.reply
