"""One session's extract from pointer to staging, with a real store and scripted models."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_core.config import Config, MemorySettings, ProviderSettings
from memory_core.errors import Cancelled, InputTooLong, ProviderUnavailable, StoreError
from memory_core.extract.job import extract_session, planned, rendered_inputs
from memory_core.extract.task import ExtractRun, Slice
from memory_core.llm import ModelReply, ModelRequest, TokenUsage
from memory_core.ports import Silent
from memory_core.providers.json_tools import JsonToolsModel
from memory_core.providers.model_worker import ModelWorker
from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.testing import ScriptedModel, session_of, tool_call
from memory_core.tokens import count
from memory_core.worker import Work, WorkerReport

NOW = datetime(2026, 1, 31, 9, 0, tzinfo=UTC)
SESSION = session_of(
    ("human", "Use uv, not pip: the lock file must be reproducible."),
    ("call", "Bash", "uv sync"),
    ("result", "Resolved 12 packages"),
    ("assistant", "Switched to uv."),
)
DECISION = {"options": ["uv", "pip"], "chosen": "uv", "rationale": "reproducible", "evidence": ["M0001", "E0001"]}
FOUND = tool_call("write_extracted", {"decisions": [DECISION]})
NOTHING = tool_call("write_extracted", {})


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    layout, _ = create_root(tmp_path)
    return FileStore(layout, lambda: NOW)


def config(provider: dict[str, Any] | None = None, **memory: Any) -> Config:
    return Config(memory=MemorySettings(**memory), provider=ProviderSettings(**(provider or {})))


async def extract(
    store: FileStore, model: Any, session: Session = SESSION, settings: Config | None = None, **changes: Any
) -> list[ExtractRun]:
    worker = changes.pop("worker", None) or ModelWorker(model, "openai", "m-1")
    return await extract_session(
        session,
        store=store,
        worker=worker,
        config=settings or config(),
        progress=changes.pop("progress", Silent()),
        now=lambda: NOW,
        **changes,
    )


def audit(store: FileStore) -> list[dict[str, Any]]:
    if not store.layout.audit.exists():
        return []
    return [json.loads(line) for line in store.layout.audit.read_text(encoding="utf-8").splitlines()]


async def test_what_was_found_is_staged_with_the_hosts_source_and_the_pointer_moves(store: FileStore) -> None:
    """A8 A10 B4 B5 B7"""
    (run,) = await extract(store, ScriptedModel([FOUND]))
    assert (run.status, run.range) == ("staged", (0, 3))
    assert run.counts == {"decisions": 1, "discussions": 0, "attempts": 0, "requests": 0}
    (file,) = store.staging().files
    assert file.id == run.staging_id
    assert file.source.session_id == "s-1"
    assert file.source.range == (0, 3)
    assert (file.source.agent, file.source.log, file.language) == ("claude-code", "/logs/s-1.jsonl", "en")
    assert [anchor.entry_range for anchor in file.decisions[0].evidence] == [(0, 0), (1, 2)]
    assert store.pointer(SESSION) == Pointer(3, file.id)
    assert not list((store.layout.root / "memory/decisions").glob("*.md"))
    assert not list((store.layout.root / "knowledge").glob("*.md"))


async def test_extract_writes_staging_pointer_lock_and_audit_and_nothing_else(store: FileStore) -> None:
    """A8"""
    before = {path for path in store.layout.root.rglob("*") if path.is_file()}
    await extract(store, ScriptedModel([FOUND]))
    new = {path for path in store.layout.root.rglob("*") if path.is_file()} - before
    folders = {path.relative_to(store.layout.root).parts[:2] for path in new}
    assert {parts[0] if parts[0] != "memory" else "/".join(parts) for parts in folders} <= {
        "sessions",
        "cache",
        "memory/_staging",
        "memory/_logs",
    }


async def test_the_model_is_given_prompt_overview_and_the_four_tools(store: FileStore) -> None:
    """A1 A7 A14"""
    model = ScriptedModel([NOTHING])
    await extract(store, model)
    (request,) = model.requests
    system, user = request.messages
    assert "Read the Overview first" in system.content
    assert "{{" not in system.content
    assert user.content.startswith("## Overview\nM0001 (human, entry 0)")
    assert [tool.name for tool in request.tools] == [
        "search_evidence",
        "read_evidence",
        "resolve_source_anchor",
        "write_extracted",
    ]


async def test_nothing_found_advances_the_pointer_and_writes_no_file(store: FileStore) -> None:
    """A12"""
    (run,) = await extract(store, ScriptedModel([NOTHING]))
    assert (run.status, run.staging_id) == ("nothing", None)
    assert store.pointer(SESSION) == Pointer(3, None)
    assert not list(store.layout.staging.glob("*.json"))


async def test_a_second_run_has_nothing_to_do_and_asks_nobody(store: FileStore) -> None:
    """B10"""
    await extract(store, ScriptedModel([FOUND]))
    (run,) = await extract(store, ScriptedModel([]))
    assert (run.status, run.range, run.reason) == ("nothing", None, "no new entries")


async def test_new_entries_are_extracted_from_the_pointer_on(store: FileStore) -> None:
    """B3 B6 B10"""
    await extract(store, ScriptedModel([NOTHING]))
    longer = session_of(*SESSION.entries, ("human", "Always run the linter before a commit."))
    wish = {"intent": "lint first", "summary": "Run the linter before a commit.", "evidence": ["M0001"]}
    (run,) = await extract(store, ScriptedModel([tool_call("write_extracted", {"requests": [wish]})]), longer)
    assert run.range == (4, 4)
    assert store.staging().files[0].requests[0].evidence[0].entry_range == (4, 4)


async def test_a_slice_in_which_nobody_spoke_is_passed_without_asking(store: FileStore) -> None:
    session = session_of(("call", "Bash", "x"), ("result", "y"))
    (run,) = await extract(store, ScriptedModel([]), session)
    assert run.status == "nothing"
    assert store.pointer(session) == Pointer(1, None)


async def test_a_failure_leaves_the_pointer_and_says_why(store: FileStore) -> None:
    (run,) = await extract(store, ScriptedModel([ProviderUnavailable("The server is down.")]))
    assert (run.status, run.reason) == ("failed", "The server is down.")
    assert store.pointer(SESSION) == Pointer()
    assert not store.staging().files
    (again,) = await extract(store, ScriptedModel([FOUND]))
    assert again.status == "staged"


async def test_prose_instead_of_a_call_fails_the_run_and_is_kept_in_the_audit(store: FileStore) -> None:
    """T09 T18"""
    (run,) = await extract(store, ScriptedModel([ModelReply("I found nothing."), ModelReply("Nothing, really.")]))
    assert run.reason == "the model answered without calling a tool"
    assert store.pointer(SESSION) == Pointer()
    assert audit(store)[-1]["reply"] == "Nothing, really."


async def test_refused_calls_are_counted_in_the_audit(store: FileStore) -> None:
    """T18"""
    bad = tool_call("write_extracted", {"decisions": [{**DECISION, "evidence": ["M9"]}]})
    await extract(store, ScriptedModel([bad, FOUND]))
    assert audit(store)[-1]["refused_calls"] == 1


async def test_the_audit_names_prompt_model_usage_and_reason(store: FileStore) -> None:
    await extract(store, ScriptedModel([replace(FOUND, usage=TokenUsage(900, 80, 1))]))
    spent, event = audit(store)
    assert (spent["event"], spent["run_id"], spent["model"]) == ("spent", event["run_id"], "m-1")
    assert event["event"] == "extract"
    assert event["prompt"]["name"] == "extract_system"
    assert event["prompt"]["hash"].startswith("sha256:")
    assert (event["provider"], event["model"]) == ("openai", "m-1")
    assert event["usage"] == {"input_tokens": 900, "output_tokens": 80, "requests": 1}
    assert event["reason"] == "1 candidate staged"
    assert store.tokens_spent_today() == 980


async def test_a_run_that_dies_has_paid_for_what_it_asked(store: FileStore) -> None:
    """T03: or a process that is killed again and again could spend without end."""

    class Dies(ScriptedModel):
        async def complete(self, request: ModelRequest) -> ModelReply:
            if self.requests:
                raise RuntimeError("killed")
            return await super().complete(request)

    reading = replace(tool_call("read_evidence", {"evidence_id": "M0001"}), usage=TokenUsage(900, 80, 1))
    with pytest.raises(RuntimeError, match="killed"):
        await extract(store, Dies([reading]))
    assert store.tokens_spent_today() == 980


async def test_a_cancelled_request_counts_as_what_was_sent(store: FileStore) -> None:
    """T03: a server may ask for what it was sent, whether anybody waited for the answer or not."""
    progress = Stopped()

    class Hangs(ScriptedModel):
        async def complete(self, request: ModelRequest) -> ModelReply:
            progress.cancelled = True
            await asyncio.sleep(30)
            raise AssertionError("nobody waits so long")

    with pytest.raises(Cancelled):
        await extract(store, Hangs([]), progress=progress)
    (shown,) = planned(SESSION, Pointer(), config())
    assert store.tokens_spent_today() == pytest.approx(shown.tokens, rel=0.02)


class Stopped(Silent):
    def __init__(self) -> None:
        self.cancelled = False


# long sessions


def long_session(turns: int = 30) -> Session:
    steps: list[tuple[str, ...]] = []
    for n in range(turns):
        steps += [("human", f"wish {n} " + "w " * 60), ("assistant", f"answer {n} " + "w " * 60)]
    return session_of(*steps)


async def test_a_long_session_goes_slice_by_slice_and_each_moves_the_pointer(store: FileStore) -> None:
    """T10 T11"""
    session = long_session()
    settings = config(extract_worker_max_input_tokens=1_500)
    runs = await extract(store, ScriptedModel([NOTHING] * 9), session, settings)
    assert len(runs) >= 3
    covered = [index for run in runs for index in range(run.range[0], run.range[1] + 1)]  # type: ignore[index]
    assert covered == list(range(len(session.entries)))
    assert store.pointer(session).processed_through_entry == len(session.entries) - 1


async def test_a_failure_in_the_middle_keeps_the_slices_before_it(store: FileStore) -> None:
    session = long_session()
    settings = config(extract_worker_max_input_tokens=1_500)
    runs = await extract(store, ScriptedModel([NOTHING, ProviderUnavailable("down")]), session, settings)
    assert [run.status for run in runs] == ["nothing", "failed"]
    assert store.pointer(session).processed_through_entry == runs[0].range[1]  # type: ignore[index]
    more = await extract(store, ScriptedModel([NOTHING] * 9), session, settings)
    assert more[0].range == runs[1].range


async def test_a_slice_that_the_model_cannot_hold_is_split(store: FileStore) -> None:
    """T10: the range shrinks on a failure instead of growing."""
    session = long_session()
    sizes: list[int] = []

    def narrow(request: ModelRequest) -> ModelReply:
        sizes.append(len(request.messages[1].content))
        if sizes[-1] > 6_000:
            raise InputTooLong("The input is too long for the model.")
        return NOTHING

    runs = await extract(store, ScriptedModel([narrow] * 30), session, config(extract_worker_max_input_tokens=8_000))
    assert {run.status for run in runs} == {"nothing"}
    assert sizes[0] > 6_000
    assert store.pointer(session).processed_through_entry == len(session.entries) - 1


async def test_a_model_that_can_hold_nothing_fails_the_run_instead_of_splitting_for_ever(store: FileStore) -> None:
    """T08"""
    model = ScriptedModel([InputTooLong("The input is too long for the model.")] * 20)
    (run,) = await extract(store, model, long_session(), config(extract_worker_max_input_tokens=8_000))
    assert run.status == "failed"
    assert len(model.requests) == 4  # 8000, 4000, 2000, 1000


# budgets and triggers


async def test_over_the_days_budget_nothing_is_sent(store: FileStore) -> None:
    """T03"""
    store.append_audit("extract", {"usage": {"input_tokens": 4_000, "output_tokens": 900}})
    (run,) = await extract(store, ScriptedModel([]), settings=config({"tokens_per_day": 5_000}))
    assert run.status == "skipped"
    assert "4900 of 5000 tokens of today are spent (tokens_per_day)" in run.reason
    assert store.pointer(SESSION) == Pointer()


async def test_the_requests_of_a_run_are_counted_over_its_slices(store: FileStore) -> None:
    """T01"""
    model = ScriptedModel([NOTHING] * 9)
    runs = await extract(
        store, model, long_session(60), config({"requests_per_run": 2}, extract_worker_max_input_tokens=1_500)
    )
    assert [run.status for run in runs] == ["nothing", "nothing", "skipped"]
    assert len(model.requests) == 2


async def test_not_due_is_skipped_with_the_figures(store: FileStore) -> None:
    """B1 B8"""
    (off,) = await extract(store, ScriptedModel([]), if_due=True)
    assert off.reason == "not due: extract_threshold is 0, which turns it off"
    (early,) = await extract(store, ScriptedModel([]), settings=config(extract_threshold=9_999), if_due=True)
    assert early.status == "skipped"
    assert "of 9999 tokens were said" in early.reason
    (due,) = await extract(store, ScriptedModel([FOUND]), settings=config(extract_threshold=10), if_due=True)
    assert due.status == "staged"


async def test_a_dry_run_says_what_would_be_sent_and_does_nothing(store: FileStore) -> None:
    before = sorted(store.layout.root.rglob("*"))
    (run,) = await extract(store, ScriptedModel([]), dry_run=True)
    assert run.status == "skipped"
    assert run.reason.startswith("dry run: ")
    assert " tokens would be sent in 1 part, and again in each further turn (at most 8)" in run.reason
    assert sorted(store.layout.root.rglob("*")) == before


async def test_the_dry_run_shows_exactly_what_is_sent(store: FileStore) -> None:
    (shown,) = planned(SESSION, Pointer(), config())
    model = ScriptedModel([NOTHING])
    await extract(store, model)
    (request,) = model.requests
    assert [message.content for message in request.messages] == [shown.system, shown.prompt]
    assert json.loads(shown.tools) == [tool.plain() for tool in request.tools]
    assert rendered_inputs(SESSION, Pointer(), config()) == [shown.prompt]
    assert shown.tokens > count(shown.prompt)


async def test_the_dry_run_shows_the_words_that_a_server_without_tools_is_sent(store: FileStore) -> None:
    settings = replace(config(), provider=ProviderSettings(tool_calls="json"))
    (shown,) = planned(SESSION, Pointer(), settings)
    model = ScriptedModel([ModelReply('{"tool": "write_extracted", "arguments": {}}')])
    await extract(store, None, settings=settings, worker=ModelWorker(JsonToolsModel(model), "openai", "m-1"))
    (request,) = model.requests
    assert [message.content for message in request.messages] == [shown.system, shown.prompt]
    assert (shown.tools, request.tools) == ("", ())


# one in flight, cancel, crash


@dataclass
class Held:
    """A worker that waits until it is told to go on."""

    name: str = "held"
    model: str | None = None

    def __post_init__(self) -> None:
        self.started, self.go_on = asyncio.Event(), asyncio.Event()

    async def run(self, work: Work, view: Slice) -> WorkerReport:
        self.started.set()
        await self.go_on.wait()
        work.toolbox.call("write_extracted", {"decisions": [DECISION]})
        return WorkerReport()


async def test_one_extract_of_a_session_at_a_time(store: FileStore) -> None:
    """B6"""
    held = Held()
    first = asyncio.ensure_future(extract(store, None, worker=held))
    await held.started.wait()
    (second,) = await extract(store, ScriptedModel([]))
    assert second.status == "skipped"
    assert second.reason.startswith("already running")
    (other,) = await extract(store, ScriptedModel([NOTHING]), replace(SESSION, session_id="s-2"))
    assert other.status == "nothing"
    held.go_on.set()
    assert (await first)[0].status == "staged"
    (after,) = await extract(store, ScriptedModel([]))
    assert after.reason == "no new entries"


async def test_entries_that_arrive_meanwhile_are_left_for_the_next_run(store: FileStore) -> None:
    """B6: the pointer covers what was read, not what is there by now."""
    held = Held()
    running = asyncio.ensure_future(extract(store, None, worker=held))
    await held.started.wait()
    longer = session_of(*SESSION.entries, ("human", "One more thing."))
    held.go_on.set()
    await running
    assert store.pointer(longer).processed_through_entry == 3


class Pressed(Silent):
    cancelled = False


async def test_cancel_leaves_the_pointer_and_staging_as_they_were(store: FileStore) -> None:
    progress = Pressed()

    def press(_: ModelRequest) -> ModelReply:
        progress.cancelled = True
        return tool_call("search_evidence", {"query": "uv"})

    with pytest.raises(Cancelled):
        await extract(store, ScriptedModel([press]), progress=progress)
    assert store.pointer(SESSION) == Pointer()
    assert not store.staging().files
    assert audit(store)[-1]["reason"] == "cancelled"
    (again,) = await extract(store, ScriptedModel([FOUND]))
    assert again.status == "staged"


@dataclass(frozen=True)
class DiesBeforePointer(FileStore):
    """A store whose process dies, or whose disk fills up, between staging and pointer."""

    error: type[BaseException] = SystemExit

    def advance(self, session: Session, pointer: Pointer) -> None:
        raise self.error("no space left")


@pytest.mark.parametrize("error", [SystemExit, StoreError])
async def test_a_crash_between_staging_and_pointer_adds_nothing_new(
    store: FileStore, error: type[BaseException]
) -> None:
    """T10, design: staging is written before the pointer."""
    dying = DiesBeforePointer(store.layout, store.now, error)
    try:
        (run,) = await extract(dying, ScriptedModel([FOUND]))
        assert run.status == "failed"
    except SystemExit:
        pass
    (staged,) = store.staging().files
    assert store.pointer(SESSION) == Pointer()
    (run,) = await extract(store, ScriptedModel([]))
    assert (run.status, run.staging_id) == ("staged", staged.id)
    assert [file.id for file in store.staging().files] == [staged.id]
    assert store.pointer(SESSION) == Pointer(3, staged.id)


async def test_an_answer_that_grew_is_read_although_its_beginning_is_staged(store: FileStore) -> None:
    """What an earlier run staged and pointed past is not taken for what a crash left without a pointer."""
    begun, whole = (
        session_of(("human", "Which one?"), ("assistant", text))
        for text in ("Switched to", "Switched to uv, since pip lost the lock file.")
    )
    begun, whole = (
        replace(s, log_format="x", entries=tuple(replace(e, native_id=f"n{e.index}") for e in s.entries))
        for s in (begun, whole)
    )
    found = tool_call("write_extracted", {"decisions": [{**DECISION, "evidence": ["M0001"]}]})
    (first,) = await extract(store, ScriptedModel([found]), begun)
    assert (first.status, store.pointer(begun)) == ("staged", Pointer(1, first.staging_id))
    (second,) = await extract(store, ScriptedModel([NOTHING]), whole)
    assert (second.range, second.status) == ((1, 1), "nothing")
    assert store.pointer(whole) == Pointer(1, None)


async def test_what_was_said_in_a_log_that_was_cut_and_went_on_otherwise_is_read(store: FileStore) -> None:
    """The file staged before the cut was taken for one without a pointer, and everything up to its end passed over."""

    def session(*said: tuple[str, str]) -> Session:
        found = session_of(*(("human", text) for _, text in said))
        stamps = [f"2026-01-31T09:{ord(name) - 97:02}:00Z" for name, _ in said]
        entries = (
            replace(e, native_id=name, ts=ts) for e, (name, _), ts in zip(found.entries, said, stamps, strict=True)
        )
        return replace(found, log_format="x", path=None, entries=tuple(entries))

    begun = session(("a", "Use uv, not pip."), ("b", "Fine."), ("c", "Done?"))
    whole = session(("a", "Use uv, not pip."), ("d", "No: use poetry."), ("e", "Done?"), ("f", "Yes."))
    found = tool_call("write_extracted", {"decisions": [{**DECISION, "evidence": ["M0001"]}]})
    await extract(store, ScriptedModel([found]), begun)
    (run,) = await extract(store, ScriptedModel([NOTHING]), whole)
    assert (run.range, run.status) == ((0, 3), "nothing")


async def test_what_another_machine_staged_of_another_course_of_the_session_passes_over_nothing(
    store: FileStore,
) -> None:
    """A session that went on here and there: what waits there was brought here, and covers entries of its own."""
    start = ("human", "Use uv, not pip.")
    there = session_of(start, ("assistant", "Done."), ("human", "Thanks."), ("assistant", "Bye."))
    here = session_of(start, ("assistant", "Done."), ("human", "Always run the linter."), ("assistant", "I will."))
    dying = DiesBeforePointer(store.layout, store.now, StoreError)
    found = tool_call("write_extracted", {"decisions": [{**DECISION, "evidence": ["M0001"]}]})
    await extract(dying, ScriptedModel([found]), there)
    (run,) = await extract(store, ScriptedModel([NOTHING]), here)
    assert (run.range, run.status) == ((0, 3), "nothing")


async def test_a_crash_and_new_entries_stage_only_the_new_ones(store: FileStore) -> None:
    dying = DiesBeforePointer(store.layout, store.now, StoreError)
    await extract(dying, ScriptedModel([FOUND]))
    longer = session_of(*SESSION.entries, ("human", "Always run the linter."))
    runs = await extract(store, ScriptedModel([NOTHING]), longer)
    assert [(run.status, run.range) for run in runs] == [("staged", (0, 3)), ("nothing", (4, 4))]


async def test_staged_files_of_other_sessions_are_not_taken_over(store: FileStore) -> None:
    dying = DiesBeforePointer(store.layout, store.now, StoreError)
    await extract(dying, ScriptedModel([FOUND]), replace(SESSION, agent="codex"))
    (run,) = await extract(store, ScriptedModel([FOUND]))
    assert run.reason == "1 candidate staged"
    assert len(store.staging().files) == 2


async def test_what_an_agent_staged_by_quotes_passes_over_nothing(store: FileStore) -> None:
    """Its range goes from the first quote to the last one; what was said in between is in no candidate."""
    await extract(store, ScriptedModel([FOUND]))
    (made,) = store.staging().files
    store.layout.sessions.joinpath("claude-code.s-1.jsonl").unlink()
    (store.layout.staging / f"{made.id}.json").unlink()
    store.stage(made.model_copy(update={"run_id": None}))
    model = ScriptedModel([FOUND])
    (run,) = await extract(store, model)
    assert (run.status, run.range, len(model.requests)) == ("staged", (0, 3), 1)
    assert "earlier run" not in run.reason


async def test_a_slice_staged_from_a_log_that_was_replaced_since_takes_nothing_over(store: FileStore) -> None:
    """The staged slice covers the same indices, but what stands there now was never extracted."""
    dying = DiesBeforePointer(store.layout, store.now, StoreError)
    await extract(dying, ScriptedModel([FOUND]))
    others = session_of(*[("human", f"Other words {number}.") for number in range(4)])
    others = replace(others, entries=tuple(replace(e, native_id=f"other-{e.index}", ts=None) for e in others.entries))
    (run,) = await extract(store, ScriptedModel([NOTHING]), others)
    assert (run.status, run.range) == ("nothing", (0, 3))


@pytest.mark.parametrize("override", ["{{unknown}} thing", "Write in {{language}}."])
async def test_a_workspace_prompt_is_used_or_refused_with_its_name(store: FileStore, override: str) -> None:
    store.layout.prompts.mkdir(exist_ok=True)
    name = "extract.md" if "unknown" in override else "extract_system.md"  # the first is what it was called before
    (store.layout.prompts / name).write_text(override, encoding="utf-8")
    model = ScriptedModel([NOTHING])
    (run,) = await extract(store, model)
    if "unknown" in override:
        assert run.status == "failed"
        assert "`extract_system`: unknown placeholder {{unknown}}" in run.reason
        assert not model.requests
    else:
        assert model.requests[0].messages[0].content == "Write in English."


async def test_rules_in_place_of_a_model_need_no_budget_and_leave_no_prompt_in_the_audit(store: FileStore) -> None:
    """T38"""
    held = Held()
    held.go_on.set()
    store.append_audit("extract", {"usage": {"input_tokens": 99_999, "output_tokens": 0}})
    (run,) = await extract(store, None, worker=held, settings=config({"tokens_per_day": 100}))
    assert run.status == "staged"
    assert "prompt" not in audit(store)[-1]


async def test_what_was_set_aside_is_counted_in_the_reason_the_data_and_the_audit(store: FileStore) -> None:
    """T18 T33: a candidate that is not staged is never silently gone."""
    unsupported = {
        "decisions": [
            {"options": [], "chosen": "Use uv", "rationale": "", "evidence": ["M0001"]},
            {"options": [], "chosen": "Use MD5", "rationale": "", "evidence": ["M0099"]},
        ]
    }
    call = tool_call("write_extracted", unsupported)
    (run,) = await extract(store, ScriptedModel([call, call]))
    assert run.status == "staged"
    assert run.reason == "1 candidate staged (1 set aside)"
    (dropped,) = run.plain()["dropped"]
    assert (dropped["array"], dropped["what"]) == ("decisions", "Use MD5")
    assert audit(store)[-1]["dropped"] == [dropped]


async def test_the_run_is_plain_data_for_the_command_line(store: FileStore) -> None:
    (run,) = await extract(store, ScriptedModel([NOTHING]))
    assert run.plain() == {
        "session_id": "s-1",
        "range": [0, 3],
        "status": "nothing",
        "reason": "nothing worth keeping was found",
        "staging_id": None,
        "counts": {"decisions": 0, "discussions": 0, "attempts": 0, "requests": 0},
        "usage": {"input_tokens": 0, "output_tokens": 0, "requests": 1},
        "agent": "claude-code",
    }
