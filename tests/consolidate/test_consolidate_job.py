"""A run from lock to closed candidates: its order, its ends, and that a crash anywhere loses and doubles nothing."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import Any

import pytest

from memory_core.config import Config, MemorySettings, ProviderSettings
from memory_core.consolidate.job import consolidation_due
from memory_core.errors import Cancelled, ProviderUnavailable
from memory_core.lint.check import check_all
from memory_core.llm import TokenUsage
from memory_core.ports import StagingArea
from memory_core.providers.model_worker import ModelWorker
from memory_core.staging import Attempt, Decision
from memory_core.testing import ScriptedModel, tool_call
from memory_core.worker import WorkerReport

B = Any


def write(slug: str, candidate: str, body: str = "# Body") -> tuple[str, dict[str, Any]]:
    return "MemoryWrite", {"kind": "decision", "slug": slug, "body": body, "candidates": [candidate]}


def close(candidate: str, action: str = "applied", *records: str) -> tuple[str, dict[str, Any]]:
    return "CloseCandidate", {"id": candidate, "action": action, "reason": "because", "records": list(records)}


def audit(bench: B) -> list[dict[str, Any]]:
    lines = bench.store.layout.audit.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_nothing_staged_is_a_normal_end_and_writes_nothing(bench: B, make: B) -> None:
    before = bench.everything()
    run = bench.run(make.scripted())
    assert (run.status, run.reason) == ("nothing", "nothing is staged")
    assert bench.everything() == before


def test_only_unreadable_files_are_counted_and_kept(bench: B, make: B) -> None:
    """yoi 10.12: its own reason, the files stay."""
    bench.write("memory/_staging/bad.json", "{")
    run = bench.run(make.scripted())
    assert run.status == "nothing"
    assert "bad.json" in run.reason
    assert bench.read("memory/_staging/bad.json") == "{"


def test_records_are_written_and_candidates_closed(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    run = bench.run(make.scripted([write("use-a", ref.id), close(ref.id)]))
    assert run.status == "committed"
    assert [(c.op, c.kind, c.slug) for c in run.changes] == [("create", "decision", "use-a")]
    assert [(r.candidate, r.action, r.records) for r in run.closed] == [(ref.id, "applied", ("decision/use-a",))]
    assert run.left == ()
    assert "+# Body" in run.diff
    assert "memory/decisions/use-a.md" in bench.records()
    assert bench.store.staging().files == ()
    assert not bench.store.layout.lock.exists()


def test_undecided_candidates_stay(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"), make.decided("Use B", 2))
    bench.stage(file)
    first, second = file.candidates()
    run = bench.run(make.scripted([close(first.id, "discarded")]))
    assert run.status == "committed"
    assert run.left == (second.id,)
    assert bench.store.staging().open == {second.id}


def test_a_model_that_stopped_without_any_result_is_a_failure(bench: B, make: B) -> None:
    """A refused key or nonsense for an answer is no quiet `nothing`: a hook or a person must see it."""

    class Refused(make.scripted):  # type: ignore[misc, name-defined]
        async def run(self, work: Any, view: Any) -> WorkerReport:
            return WorkerReport(stopped="the server refused the key")

    bench.stage(make.staged(1, make.decided("Use A")))
    before = bench.store.staging().open
    run = bench.run(Refused())
    assert (run.status, run.reason) == ("failed", "the worker stopped early: the server refused the key")
    assert bench.store.staging().open == before == set(run.left)


def test_an_idle_worker_destroys_nothing(bench: B, make: B) -> None:
    """yoi 11.2: staging was deleted after a run that wrote nothing."""
    bench.stage(make.staged(1, make.decided("Use A")))
    before = bench.store.staging().open
    run = bench.run(make.scripted())
    assert run.status == "nothing"
    assert bench.store.staging().open == before


def test_a_write_that_names_a_candidate_decides_it(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    run = bench.run(make.scripted([write("use-a", ref.id)]))
    assert [(r.action, r.records) for r in run.closed] == [("applied", ("decision/use-a",))]


def test_candidates_that_arrive_meanwhile_are_left_for_the_next_run(bench: B, make: B) -> None:
    """B9"""
    file, late = make.staged(1, make.decided("Use A")), make.staged(2, make.decided("Use B"))
    bench.stage(file)
    (ref,) = file.candidates()
    worker = make.scripted([lambda _: bench.stage(late), close(ref.id, "discarded")])
    run = bench.run(worker)
    assert run.left == ()
    assert [f.id for f in bench.store.staging().files] == [late.id]
    assert [c.id for c in worker.views[0].candidates] == [ref.id]


def test_the_lock_names_what_is_consumed(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    seen: list[Any] = []
    bench.run(make.scripted([lambda _: seen.append(json.loads(bench.store.layout.lock.read_text()))]))
    assert seen[0]["consumed_ids"] == [file.id]


def test_a_held_lock_is_its_own_outcome(bench: B, make: B) -> None:
    """T40, T46: a lost race names the holder, calls no worker and consumes nothing."""
    bench.stage(make.staged(1, make.decided("Use A")))
    worker = make.scripted()
    with bench.store.consolidation_lock([]):
        run = bench.run(worker)
    assert run.status == "failed"
    assert "Another consolidation is running" in run.reason
    assert worker.works == []
    assert len(bench.store.staging().open) == 1


def test_a_run_that_nobody_asked_for_leaves_the_work_to_the_one_that_goes_on(bench: B, make: B) -> None:
    """T40: a hook and an editor that find the same work due are no failure of either."""
    bench.stage(make.staged(1, make.decided("Use A")))
    with bench.store.consolidation_lock([]):
        run = bench.run(make.scripted(), if_due=True)
    assert (run.status, len(run.left)) == ("nothing", 1)
    assert "Another consolidation is running" in run.reason


def test_a_dry_run_with_a_model_pays_for_what_it_asked(bench: B, make: B) -> None:
    """T03: it writes no record, and costs what any run costs."""
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    replies = [tool_call("CloseCandidate", {"id": ref.id, "action": "discarded", "reason": "not ours"})]
    model = ScriptedModel([replace(replies[0], usage=TokenUsage(900, 80, 1))])
    before = bench.records()
    run = bench.run(ModelWorker(model, "openai", "m-1"), dry_run=True)
    assert run.closed[0].action == "discarded"
    assert bench.records() == before
    assert bench.store.staging().open == {ref.id}
    assert bench.store.tokens_spent_today() == 980


def test_a_record_edited_during_the_run_is_a_conflict_and_keeps_its_candidates(bench: B, make: B) -> None:
    """T39"""
    bench.write("memory/decisions/use-a.md", make.decision_text("# Use A\n\nOld.\n"))
    file = make.staged(1, make.decided("Use A"), make.decided("Use B", 2))
    bench.stage(file)
    first, second = file.candidates()
    edit = {"kind": "decision", "slug": "use-a", "old_text": "Old.", "new_text": "New.", "reason": "news"}
    person = make.decision_text("# Use A\n\nA person's words.\n")
    worker = make.scripted(
        [
            ("MemoryEdit", {**edit, "candidates": [first.id]}),
            write("use-b", second.id),
            close(first.id),
            close(second.id),
            lambda _: bench.write("memory/decisions/use-a.md", person),
        ]
    )
    run = bench.run(worker)
    assert run.status == "conflict"
    assert run.conflicts == ("memory/decisions/use-a.md",)
    assert "was changed meanwhile" in run.reason
    assert bench.read("memory/decisions/use-a.md") == person
    assert run.left == (first.id,)
    assert bench.store.staging().open == {first.id}
    assert [c.slug for c in run.changes] == ["use-b"]


def test_a_record_open_with_unsaved_edits_is_a_conflict(bench: B, make: B) -> None:
    bench.write("memory/decisions/use-a.md", make.decision_text())
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    edit = {"kind": "decision", "slug": "use-a", "new_text": "More.", "reason": "news", "candidates": [ref.id]}
    run = bench.run(make.scripted([("MemoryEdit", edit)]), busy=frozenset({"memory/decisions/use-a.md"}))
    assert run.status == "conflict"
    assert bench.read("memory/decisions/use-a.md") == make.decision_text()
    assert run.left == (ref.id,)


def test_a_read_only_record_is_a_conflict(bench: B, make: B) -> None:
    """T39: a file that is marked so is not replaced by a rename; both texts and the candidates stay."""
    bench.write("memory/decisions/use-a.md", make.decision_text())
    path = bench.root / "memory/decisions/use-a.md"
    path.chmod(0o444)
    before = path.read_bytes()
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    given = {"kind": "decision", "slug": "use-a", "new_text": "And B.", "candidates": [ref.id], "reason": "more"}
    run = bench.run(make.scripted([("MemoryEdit", given), close(ref.id)]))
    assert run.status == "conflict"
    assert "memory/decisions/use-a.md is read-only: make it writable, then run again" in run.reason
    assert path.read_bytes() == before
    assert bench.store.staging().open == {ref.id}
    path.chmod(0o644)
    assert bench.run(make.scripted([("MemoryEdit", given), close(ref.id)])).status == "committed"


def test_a_decision_is_not_replaced_by_one_that_could_not_be_written(bench: B, make: B) -> None:
    """What belongs together goes together: no dangling `replaced_by` after a conflict."""
    bench.write("memory/decisions/use-a.md", make.decision_text("# Use A\n"))
    file = make.staged(1, make.decided("Use B"))
    bench.stage(file)
    (ref,) = file.candidates()
    fields = {"status": "replaced", "replaced_by": "use-b"}
    worker = make.scripted(
        [
            write("use-b", ref.id),
            ("MemoryEdit", {"kind": "decision", "slug": "use-a", "fields": fields, "reason": "given up"}),
            lambda _: bench.write("memory/decisions/use-b.md", make.decision_text("# Someone was faster\n")),
        ]
    )
    run = bench.run(worker)
    assert run.status == "conflict"
    assert bench.read("memory/decisions/use-a.md") == make.decision_text("# Use A\n")
    assert run.changes == ()


def test_a_summary_edited_meanwhile_holds_up_no_record(bench: B, make: B) -> None:
    file = make.staged(
        1, make.decided("Use A"), Attempt(action="x", result="y", succeeded=False, evidence=(make.said(5, "y"),))
    )
    bench.stage(file)
    decision, attempt = file.candidates()
    worker = make.scripted(
        [
            write("use-a", decision.id),
            ("MemoryWrite", {"kind": "summary", "body": "We use A.", "candidates": [decision.id, attempt.id]}),
            lambda _: bench.write("memory/summary.md", "---\nupdated_at: 2026-01-01T00:00:00Z\n---\n\nTheirs\n"),
        ]
    )
    run = bench.run(worker)
    assert run.status == "conflict"
    assert [c.slug for c in run.changes] == ["use-a"]
    assert run.left == (attempt.id,)
    assert "Theirs" in bench.read("memory/summary.md")


def test_a_run_that_would_take_too_much_is_held(bench: B, make: B) -> None:
    """T42: at most a quarter of the existing records may lose content."""
    for number in range(8):
        bench.write(f"knowledge/topic-{number}{'x' * number}.md", make.knowledge_text("Some words that are here.\n"))
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    before = bench.records()

    def delete(number: int) -> tuple[str, dict[str, Any]]:
        slug = f"topic-{number}{'x' * number}"
        args = {"kind": "knowledge", "slug": slug, "reason": "noisy", "explanation": "nobody needs it"}
        return "MemoryDelete", args

    run = bench.run(make.scripted([delete(0), delete(1), delete(2)]), run_id="held")
    assert run.status == "held"
    assert "3 of 8" in run.reason
    assert "-Some words" in run.diff
    assert bench.records() == before
    assert len(bench.store.staging().open) == 1
    assert run.left == tuple(bench.store.staging().open)
    run = bench.run(make.scripted([delete(0), delete(1)]), run_id="fine")
    assert run.status == "committed"
    assert len(bench.records()) == 6


def test_what_is_removed_goes_from_the_summarys_block(bench: B, make: B) -> None:
    for number in range(8):
        bench.write(f"knowledge/topic-{number}.md", make.knowledge_text("Some words that are here.\n"))
    block = "<!-- omoide:begin -->\n- One (knowledge/topic-0)\n- Two (knowledge/topic-1)\n<!-- omoide:end -->\n"
    bench.write("memory/summary.md", f"---\nupdated_at: 2026-01-01T00:00:00Z\n---\n\n{block}")
    bench.stage(make.staged(1, make.decided("Use A")))
    args = {"kind": "knowledge", "slug": "topic-0", "reason": "noisy", "explanation": "nobody needs it"}
    run = bench.run(make.scripted([("MemoryDelete", args)]), run_id="tidy")
    assert run.status == "committed"
    text = bench.read("memory/summary.md")
    assert ("topic-0" in text, "topic-1" in text) == (False, True)


def test_emptying_records_counts_as_loss(bench: B, make: B) -> None:
    """T42: shrinking is loss too; a small edit and a record made in the same run are none."""
    body = "One two three four five six seven eight nine ten.\n"
    for slug in ("alpha", "bravo", "charlie", "delta"):
        bench.write(f"knowledge/{slug}.md", make.knowledge_text(body))
    bench.stage(make.staged(1, make.decided("Use A")))

    def edit(slug: str, new: str) -> tuple[str, dict[str, Any]]:
        args = {"kind": "knowledge", "slug": slug, "old_text": body.strip(), "new_text": new, "reason": "shorter"}
        return "MemoryEdit", args

    small = [edit(slug, body.replace("ten", "10").strip()) for slug in ("alpha", "bravo", "charlie", "delta")]
    assert bench.run(make.scripted(small), dry_run=True).status == "committed"
    assert bench.run(make.scripted([edit("alpha", "One."), edit("bravo", "One.")])).status == "held"


def test_a_young_store_can_be_corrected_and_not_emptied(bench: B, make: B) -> None:
    """T07: no run may end in a state nobody can leave; T42: removal has no allowance."""
    bench.write("knowledge/alpha.md", make.knowledge_text("Port 80.\n"))
    bench.stage(make.staged(1, make.decided("Use A")))
    edit = {"kind": "knowledge", "slug": "alpha", "old_text": "Port 80.", "new_text": "No port.", "reason": "moved"}
    assert bench.run(make.scripted([("MemoryEdit", edit)]), dry_run=True).status == "committed"
    delete = {"kind": "knowledge", "slug": "alpha", "reason": "noisy", "explanation": "nobody needs it"}
    assert bench.run(make.scripted([("MemoryDelete", delete)])).status == "held"


def test_a_dry_run_writes_nothing_and_shows_the_diff(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    before = bench.everything()
    run = bench.run(make.scripted([write("use-a", ref.id), close(ref.id)]), dry_run=True)
    assert run.status == "committed"
    assert "+++ b/memory/decisions/use-a.md" in run.diff
    assert bench.everything() == before


def test_a_failing_provider_leaves_everything_staged(bench: B, make: B) -> None:
    def fails(_: Any) -> None:
        raise ProviderUnavailable("no connection to http://127.0.0.1:1")

    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    run = bench.run(make.scripted([write("use-a", ref.id), fails]))
    assert run.status == "failed"
    assert "no connection" in run.reason
    assert bench.records() == {}
    assert bench.store.staging().open == {ref.id}
    assert audit(bench)[-1]["status"] == "failed"


def test_a_cancelled_run_leaves_nothing_half_done(bench: B, make: B) -> None:
    class Stopped:
        cancelled = True

        def report(self, message: str, fraction: float | None = None) -> None:
            pass

    bench.stage(make.staged(1, make.decided("Use A")))
    for worker in (None, make.scripted()):
        with pytest.raises(Cancelled):
            bench.run(worker, progress=Stopped())
        assert bench.records() == {}
        assert len(bench.store.staging().open) == 1
        assert not bench.store.layout.lock.exists()


def test_a_spent_day_makes_no_call(bench: B, make: B) -> None:
    """T03"""
    bench.stage(make.staged(1, make.decided("Use A")))
    bench.store.append_audit("extract", {"usage": {"input_tokens": 90, "output_tokens": 20}})
    worker = make.scripted()
    run = bench.run(worker, config=Config(provider=ProviderSettings(tokens_per_day=100)))
    assert run.status == "failed"
    assert "tokens_per_day" in run.reason
    assert worker.works == []
    assert bench.run(config=Config(provider=ProviderSettings(tokens_per_day=100))).status == "committed"


def test_the_workers_reads_are_no_use(bench: B, make: B) -> None:
    """D2: the janitor does not inflate its own evidence."""
    bench.write("memory/decisions/use-a.md", make.decision_text())
    bench.stage(make.staged(1, make.decided("Use A")))
    reads = [
        ("MemoryRead", {"kind": "decision", "slug": "use-a"}),
        ("MemoryQuery", {"query": "use"}),
        ("KnowledgeQuery", {"query": "use"}),
    ]
    bench.run(make.scripted(reads))
    assert not bench.store.layout.usage.exists()


def test_unchanged_records_keep_their_bytes(bench: B, make: B) -> None:
    """C3, memory-anchors 5: no churn."""
    texts = {
        "memory/decisions/odd.md": make.decision_text("# Odd\r\n\r\n\tSpacing   kept \n\n\n\n").replace(
            "\n", "\r\n", 3
        ),
        "knowledge/bom.md": "\ufeff" + make.knowledge_text(),
        "workflow/w.md": "---\n# comment\ndescription: 'D'\n---\nBody without newline",
    }
    for path, text in texts.items():
        bench.write(path, text)
    before = bench.records()
    bench.stage(make.staged(1, make.decided("Store sessions in Redis")))
    assert bench.run().status == "committed"
    after = bench.records()
    assert {path: after[path] for path in texts} == {path: before[path] for path in texts}


def test_the_audit_says_with_which_prompt_and_why(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    bench.run(make.scripted([write("use-a", ref.id), close(ref.id)]))
    (event,) = audit(bench)
    assert event["event"] == "consolidate"
    assert event["run_id"] == "run"
    assert event["prompt"]["name"] == "consolidate_system"
    assert event["prompt"]["hash"].startswith("sha256:")
    assert (event["provider"], event["model"]) == ("scripted", "scripted")
    assert event["usage"] == {"input_tokens": 10, "output_tokens": 5, "requests": 1}
    assert event["closed"][0]["reason"] == "because"
    assert event["changes"] == [{"op": "create", "kind": "decision", "slug": "use-a"}]
    assert bench.store.tokens_spent_today() == 15


def test_the_prompt_of_the_workspace_is_used(bench: B, make: B) -> None:
    """C3: local policy goes into an override."""
    bench.write("prompts/consolidate.md", "Ours, in {{language}}.")
    bench.stage(make.staged(1, make.decided("Use A"), language="ja"))
    worker = make.scripted()
    bench.run(worker)
    assert worker.works[0].system.text == "Ours, in Japanese."


def test_the_language_of_the_settings_wins(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided("Use A"), language="ja"))
    worker = make.scripted()
    bench.run(worker, config=Config(memory=MemorySettings(language="zh")))
    assert worker.views[0].language == "zh"
    assert "Chinese" in worker.works[0].system.text


def test_rules_are_given_no_text_and_a_model_is(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided("Use A")))
    model, rules = make.scripted(), make.scripted(model=None)
    bench.run(model)
    bench.run(rules)
    assert "Use A" in model.works[0].prompt
    assert rules.works[0].prompt == ""


def test_more_candidates_than_a_model_can_take_wait(bench: B, make: B) -> None:
    """T11: the input of one run is bounded whatever is staged."""
    wordy = [
        Decision(chosen=f"Use option {n} " + "and so on " * 300, evidence=(make.said(n, f"x{n}"),)) for n in range(60)
    ]
    bench.stage(make.staged(1, *wordy))
    worker = make.scripted()
    run = bench.run(worker)
    assert 0 < len(worker.views[0].candidates) < 60
    assert len(run.left) == 60


@pytest.mark.parametrize(
    ("files", "size", "area", "part"),
    [
        (0, 0, 9, "off"),
        (5, 0, 0, "nothing is staged"),
        (5, 0, 4, "4 of 5 files"),
        (5, 0, 5, None),
        (0, 100, 3, None),
        (0, 301, 3, "300 of 301 bytes"),
        (5, 300, 3, None),
    ],
)
def test_due_by_files_or_bytes(make: B, files: int, size: int, area: int, part: str | None) -> None:
    settings = MemorySettings(consolidation_threshold_files=files, consolidation_threshold_bytes=size)
    staged = StagingArea(tuple(make.staged(n, make.decided("x")) for n in range(area)), bytes=area * 100)
    reason = consolidation_due(staged, Config(memory=settings))
    assert (reason is None) if part is None else (reason is not None and part in reason)


def test_unreadable_files_make_nothing_due(bench: B) -> None:
    for number in range(9):
        bench.write(f"memory/_staging/bad{number}.json", "{")
    assert consolidation_due(bench.store.staging(), Config()) is not None


def _content(bench: B) -> dict[str, str]:
    """The records without their dates, which differ between a run in one go and one in two."""
    lines = {path: data.decode().splitlines() for path, data in bench.records().items()}
    return {path: "\n".join(line for line in found if "_at: " not in line) for path, found in lines.items()}


def _bury(bench: B) -> None:
    """What a killed process left names a process that is gone; here it still names this one."""
    layout = bench.store.layout
    for path in (layout.lock, *layout.archive.glob("_pending/*.json")):
        if path.exists():
            path.write_text(json.dumps({**json.loads(path.read_text()), "pid": 0x7FFFFFF0}))


def test_dying_at_any_write_loses_and_doubles_nothing(
    bench: B, make: B, dying_disk: B, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T26, T62: after the crash a second run ends where one run in one go does, and never was a record half there."""
    monkeypatch.setattr(os, "fsync", lambda _: None)  # hundreds of runs; what is durable is not what is tested here
    files = (
        make.staged(
            1,
            make.decided("Use SQLite for the queue", 3, options=("SQLite", "Redis"), rationale="nothing to run"),
            make.asked("Run slow tests at night only", 9),
            Attempt(
                action="Ran it twice",
                result="Failed because of the lock",
                succeeded=False,
                evidence=(make.said(9, "Failed because of the lock"),),
            ),
        ),
        make.staged(2, make.decided("We use SQLite for the queue", 5)),
    )

    def fresh(name: str) -> Any:
        root = tmp_path / name / ".omoide"
        (root / "memory").mkdir(parents=True)
        other = type(bench)(root)
        other.stage(*files)
        return other

    whole = fresh("whole")
    whole.run()
    expected = _content(whole)
    assert len(expected) == 4
    for allowed in range(400):
        one = fresh(f"die{allowed}")
        with dying_disk(allowed) as disk:
            one.run(run_id="first")
        if not disk.died:
            break
        _bury(one)
        assert check_all(one.store.load()) == {}
        candidates = {ref.id for file in files for ref in file.candidates()}
        closed = {resolution.candidate for resolution in one.store.resolutions()}
        assert candidates == closed | one.store.staging().open
        assert one.run(run_id="second").status in ("committed", "nothing")
        assert one.store.staging().open == frozenset()
        assert _content(one).keys() == expected.keys()
        assert _content(one) == expected, allowed
    assert allowed > 30
