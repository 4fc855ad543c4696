"""What was taken out of memory does not come back by itself from the same evidence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory_core.changes import ChangeSet
from memory_core.consolidate.undo import undo
from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef
from memory_core.staging import Decision, Resolution
from tests.consolidate.conftest import NOW
from tests.consolidate.test_consolidate_job import close, write

B = Any
RULE = "Use SQLite for the queue"


def recorded(bench: B, make: B) -> str:
    """The path of a decision that the rules made of a candidate."""
    bench.stage(make.staged(1, make.decided(RULE, 3), session="s"))
    run = bench.run(run_id="first")
    (change,) = [change for change in run.changes if change.kind == "decision"]
    return record_path(RecordRef(Kind.DECISION, change.slug))


def removed(bench: B, path: str, reason: str = "archive: wrong") -> None:
    text = bench.read(path)
    bench.store.commit(ChangeSet().with_file(path, text, None), run_id="removal", reason=reason)


def test_a_record_that_a_person_removed_is_not_made_again_from_the_same_evidence(bench: B, make: B) -> None:
    """T31, T43, T62: deleting works, and the reason names the run that did it."""
    path = recorded(bench, make)
    removed(bench, path)
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    run = bench.run(run_id="second")
    assert [(r.action, r.records) for r in run.closed] == [("discarded", ())]
    assert "run removal removed (archive: wrong)" in run.closed[0].reason
    assert "omoide undo removal" in run.closed[0].reason
    assert path not in bench.records()
    assert bench.store.staging().open == frozenset()


@pytest.mark.parametrize(
    "said",
    [
        "Let's use SQLite for the queue",
        "We decided to use SQLite for the queue",
        "Ok, let's go with SQLite for the queue",
        "We'll go with SQLite for the queue",
        "I want you to use SQLite for the queue",
    ],
)
def test_a_statement_is_known_again_though_its_record_says_it_in_other_words(bench: B, make: B, said: str) -> None:
    """The record says `Use SQLite`, where the person said `Let's use SQLite`."""
    bench.stage(make.staged(1, make.decided(said, 3), session="s"))
    (change,) = [change for change in bench.run(run_id="first").changes if change.kind == "decision"]
    removed(bench, record_path(RecordRef(Kind.DECISION, change.slug)))
    bench.stage(make.staged(2, make.decided(said, 3), session="s"))
    (how,) = bench.run(run_id="second").closed
    assert how.action == "discarded"
    assert "run removal removed" in how.reason


def test_a_model_is_not_even_asked_about_it(bench: B, make: B) -> None:
    removed(bench, recorded(bench, make))
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    worker = make.scripted()
    bench.run(worker)
    assert worker.works == []


def test_new_evidence_for_it_is_decided_like_any(bench: B, make: B) -> None:
    path = recorded(bench, make)
    removed(bench, path)
    bench.stage(make.staged(2, make.decided(RULE, 8), session="another"))
    run = bench.run(run_id="second")
    assert [r.action for r in run.closed] == ["applied"]
    assert path in bench.records()


def test_another_decision_of_the_same_message_is_not_buried_with_it(bench: B, make: B) -> None:
    text = "Use SQLite for the queue, and name the branches after tickets."
    bench.stage(make.staged(1, make.decided(RULE, 3, text), session="s"))
    (change,) = bench.run(run_id="first").changes[:1]
    removed(bench, record_path(RecordRef(Kind.DECISION, change.slug)))
    bench.stage(make.staged(2, make.decided("Name the branches after tickets", 3, text), session="s"))
    assert [r.action for r in bench.run(run_id="second").closed] == ["applied"]


def test_a_person_has_it_back_by_undoing_the_removal(bench: B, make: B) -> None:
    path = recorded(bench, make)
    before = bench.read(path)
    removed(bench, path)
    undo(bench.store, "removal", now=lambda: NOW)
    assert bench.store.tombstones() == []
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    assert [r.action for r in bench.run(run_id="second").closed] == ["already_covered"]
    assert bench.read(path) == before


def test_a_person_has_it_back_by_writing_it_anew(bench: B, make: B) -> None:
    path = recorded(bench, make)
    removed(bench, path)
    bench.write(path, make.decision_text(f"# {RULE}\n"))
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    assert [r.action for r in bench.run(run_id="second").closed] == ["applied"]


def test_undoing_the_run_that_made_it_buries_nothing(bench: B, make: B) -> None:
    """The candidates are staged again on purpose; who wants them gone closes them."""
    path = recorded(bench, make)
    undo(bench.store, "first", now=lambda: NOW)
    assert path not in bench.records()
    assert bench.store.tombstones() == []
    assert bench.run(run_id="second").status == "committed"
    assert path in bench.records()


def test_a_rename_buries_nothing(bench: B, make: B) -> None:
    renamed(bench, recorded(bench, make), "memory/decisions/renamed.md")
    assert bench.store.tombstones() == []


def anchored(make: B, text: str, entry: int, **more: Any) -> Any:
    return make.staged(1, Decision(chosen=text, evidence=(make.said(entry, text, **more),))).decisions[0]


UUID = "0b7f7a3e-51b1-4c6e-9d5f-2f6f0e6a7c11"
AT = "2026-06-01T09:00:00Z"


def said_again(bench: B, make: B, first: dict[str, Any], again: dict[str, Any], session: str, agent: str) -> list[str]:
    """What becomes of RULE where its record, from entry 3 of session `s`, was removed before."""
    bench.stage(make.staged(1, anchored(make, RULE, 3, **first), session="s"))
    (change,) = [change for change in bench.run(run_id="first").changes if change.kind == "decision"]
    removed(bench, record_path(RecordRef(Kind.DECISION, change.slug)))
    file = make.staged(2, anchored(make, RULE, again.pop("entry"), **again), session=session)
    bench.stage(file.model_copy(update={"source": file.source.model_copy(update={"agent": agent})}))
    return [r.action for r in bench.run(run_id="second").closed]


@pytest.mark.parametrize(
    ("first", "again", "session", "agent"),
    [
        ({"native_id": UUID}, {"entry": 8, "native_id": UUID}, "a-fork", "claude-code"),  # the line names its session
        ({"native_id": UUID, "excerpt": "Hello!"}, {"entry": 8, "native_id": UUID}, "a-fork", "claude-code"),
        ({"native_id": "m-3", "ts": AT}, {"entry": 3, "native_id": "m-3", "ts": AT}, "a-fork", "claude-code"),
        ({"ts": "2026-06-01T09:00:00.037Z"}, {"entry": 1, "ts": AT}, "s", "claude-code"),  # a list of prompts
        ({"ts": AT, "native_id": "e2"}, {"entry": 8, "ts": AT, "native_id": "r0"}, "s", "copilot-chat"),
        ({}, {"entry": 3}, "s", "claude-code"),
    ],
    ids=["fork", "fork, another part of the message", "fork without ids", "stand-in", "another form", "written anew"],
)
def test_the_same_words_at_another_place_are_the_same_evidence(
    bench: B, make: B, first: dict[str, Any], again: dict[str, Any], session: str, agent: str
) -> None:
    """A log is forked, written anew, or gone but for the list of what was typed."""
    assert said_again(bench, make, first, again | {"sha256": "f" * 64}, session, agent) == ["discarded"]


@pytest.mark.parametrize(
    ("first", "again", "session", "agent"),
    [
        ({"ts": AT}, {"entry": 8, "ts": "2026-06-01T09:30:00Z"}, "s", "claude-code"),
        ({"ts": AT}, {"entry": 8, "ts": AT}, "s", "claude-code"),  # all have the time of the beginning, as Aider's have
        ({}, {"entry": 8}, "s", "claude-code"),
        ({}, {"entry": 8}, "s", "specstory"),
        ({"native_id": "message-3"}, {"entry": 3, "native_id": "message-3"}, "another", "claude-code"),
        ({"native_id": UUID, "ts": AT}, {"entry": 3, "native_id": UUID, "ts": "2026-06-13T09:00:00Z"}, "b", "x"),
    ],
    ids=["later", "one time for all", "no time", "no time in another form", "the same number", "another day"],
)
def test_what_is_said_anew_is_new_evidence(
    bench: B, make: B, first: dict[str, Any], again: dict[str, Any], session: str, agent: str
) -> None:
    """A log may have no times, and numbers instead of ids."""
    assert said_again(bench, make, first, again, session, agent) == ["applied"]


def discard(bench: B, candidate: str, **more: str) -> None:
    fields = {"candidate": candidate, "action": "discarded", "reason": "private", "recorded_at": "2026-06-01T09:00:00Z"}
    bench.store.close([Resolution.model_validate(fields | more)])


@pytest.mark.parametrize(("staged", "action"), [(2, "discarded"), (0, "applied")], ids=["later", "earlier"])
def test_of_an_older_closing_the_clock_tells_what_was_seen(bench: B, make: B, staged: int, action: str) -> None:
    """Lines of before did not say what else of the same was staged then."""
    bench.stage(make.staged(1, make.decided(RULE, 3), session="s"))
    discard(bench, f"{make.staged(1).id}/decisions/0")
    log = bench.root / "memory/_resolutions.jsonl"
    line = json.loads(log.read_text(encoding="utf-8"))
    assert line.pop("beside") == []
    log.write_text(json.dumps(line | {"recorded_at": "2025-05-24T01:56:00Z"}) + "\n", encoding="utf-8")
    bench.stage(make.staged(staged, make.decided(RULE, 3), session="s"))
    assert [r.action for r in bench.run().closed] == [action]


@pytest.mark.parametrize("file", [1, 0], ids=["of one extract", "of two"])
@pytest.mark.parametrize("kind", ["decisions", "requests"])
def test_of_two_of_the_same_that_a_person_saw_the_one_that_they_left_is_recorded(
    bench: B, make: B, file: int, kind: str
) -> None:
    left = make.decided(RULE, 3) if kind == "decisions" else make.asked(RULE, 3)
    if file:
        bench.stage(make.staged(1, left, make.decided(RULE, 3, rationale="it is small"), session="s"))
    else:
        bench.stage(make.staged(0, left, session="s"))
        bench.stage(make.staged(1, make.decided(RULE, 3, rationale="it is small"), session="s"))
    number = 1 if file and kind == "decisions" else 0
    discard(bench, f"{make.staged(1).id}/decisions/{number}")
    assert [r.action for r in bench.run().closed] == ["applied"]


def test_a_part_of_what_a_person_discarded_is_recorded(bench: B, make: B) -> None:
    """They may have found it too broad."""
    both = f"{RULE} and Redis for the cache"
    bench.stage(make.staged(1, make.decided(both, 3, both), session="s"))
    discard(bench, f"{make.staged(1).id}/decisions/0")
    bench.stage(make.staged(2, make.decided(RULE, 3, both), session="s"))
    assert [r.action for r in bench.run().closed] == ["applied"]


@pytest.mark.parametrize("alone", [True, False])
def test_what_a_person_discarded_is_not_recorded_when_it_is_extracted_again(bench: B, make: B, alone: bool) -> None:
    """Its staging file may be in the archive by then, or still wait with others."""
    others = () if alone else (make.decided("Write the docs in English", 5),)
    first = make.staged(1, make.decided(RULE, 3), *others, session="s")
    bench.stage(first)
    gone = f"{first.id}/decisions/0"
    discard(bench, gone)
    bench.stage(
        make.staged(2, make.decided(RULE, 3), make.decided("Sign the tags", 4, f"Sign the tags. {RULE}"), session="s")
    )
    worker = make.scripted()
    run = bench.run(worker)
    assert [(r.action, r.reason) for r in run.closed] == [
        ("discarded", f"a person discarded the same of the same evidence ({gone}: private)")
    ]
    assert len(worker.views[0].candidates) == 2 - alone


def test_what_a_run_discarded_is_decided_again(bench: B, make: B) -> None:
    first = make.staged(1, make.decided(RULE, 3), session="s")
    bench.stage(first)
    discard(bench, f"{first.id}/decisions/0", run_id="a-run")
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    assert [r.action for r in bench.run().closed] == ["applied"]


def renamed(bench: B, path: str, new: str) -> None:
    text = bench.read(path)
    bench.store.commit(
        ChangeSet().with_file(path, text, None).with_file(new, None, text), run_id="move", reason="rename"
    )


@pytest.mark.parametrize("back", ["undone", "by hand"])
def test_a_removal_that_was_taken_back_does_not_count_again_once_the_record_is_renamed(
    bench: B, make: B, back: str
) -> None:
    path = recorded(bench, make)
    before = bench.read(path)
    removed(bench, path)
    if back == "undone":
        undo(bench.store, "removal", now=bench.now)
    else:  # as `git checkout` does
        bench.write(path, before)
    renamed(bench, path, "memory/decisions/renamed.md")
    assert bench.store.tombstones() == []


@pytest.mark.parametrize("made", ["by a run", "by hand"])
@pytest.mark.parametrize("undone", [False, True])
def test_the_order_of_runs_does_not_hang_on_the_clock(bench: B, make: B, made: str, undone: bool) -> None:
    """It was set back after the record was made, and once more after it was removed."""
    path = "memory/decisions/use-sqlite.md"
    if made == "by a run":
        path = recorded(bench, make)
    else:
        bench.write(path, make.decision_text(f"# {RULE}\n"))
    bench.minutes = -600
    removed(bench, path)
    assert [stone.run_id for stone in bench.store.tombstones()] == ["removal"]
    if undone:
        bench.minutes = -1200
        undo(bench.store, "removal", now=bench.now)
        (bench.root / path).unlink()  # by git, or by a person
        assert bench.store.tombstones() == []


def test_a_removal_counts_though_another_record_had_its_place_meanwhile(bench: B, make: B) -> None:
    path = recorded(bench, make)
    removed(bench, path)
    bench.write(path, make.decision_text("# Another thing\n"))
    renamed(bench, path, "memory/decisions/renamed.md")
    assert [stone.run_id for stone in bench.store.tombstones()] == ["removal"]


def test_a_removal_whose_undo_was_undone_counts_again(bench: B, make: B) -> None:
    path = recorded(bench, make)
    removed(bench, path)
    first = undo(bench.store, "removal", now=bench.now)
    second = undo(bench.store, first.run_id, now=bench.now)
    assert path not in bench.records()
    assert [(stone.run_id, stone.path) for stone in bench.store.tombstones()] == [(second.run_id, path)]
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    assert [r.action for r in bench.run(run_id="second").closed] == ["discarded"]
    undo(bench.store, second.run_id, now=bench.now)
    assert bench.store.tombstones() == []


def test_undoing_the_return_of_what_a_run_had_made_buries_nothing(bench: B, make: B) -> None:
    """The undo of a run that made a record is no removal, however often it is taken back and done again."""
    path = recorded(bench, make)
    ids = ["first"]
    for _ in range(3):
        ids.append(undo(bench.store, ids[-1], now=bench.now).run_id)
    assert path not in bench.records()
    assert bench.store.tombstones() == []


def test_undos_that_name_each_other_end(bench: B, make: B) -> None:
    removed(bench, recorded(bench, make))
    manifest = bench.read("memory/_archive/removal/manifest.json")
    for name, other in (("a", "b"), ("b", "a")):
        forged = manifest.replace("archive: wrong", f"undo of {other}").replace("removal", name)
        bench.write(f"memory/_archive/{name}/manifest.json", forged)
    assert [stone.run_id for stone in bench.store.tombstones()] == ["removal"]


def test_a_removal_by_a_run_counts_with_its_own_reason(bench: B, make: B) -> None:
    path = recorded(bench, make)
    slug = path.rsplit("/", 1)[1].removesuffix(".md")
    bench.write("knowledge/a.md", make.knowledge_text())
    bench.write("knowledge/b.md", make.knowledge_text())
    bench.write("knowledge/c.md", make.knowledge_text())
    file = make.staged(7, make.decided("Use another thing altogether", 9), session="other")
    bench.stage(file)
    (ref,) = file.candidates()
    delete = {"kind": "decision", "slug": slug, "reason": "outdated", "explanation": "The queue is gone altogether."}
    bench.write("memory/summary.md", "---\nupdated_at: 2026-01-01T00:00:00Z\n---\nNothing.\n")
    run = bench.run(make.scripted([("MemoryDelete", delete), write("other", ref.id), close(ref.id)]), run_id="tidy")
    assert run.status == "committed", run.reason
    (stone,) = bench.store.tombstones()
    assert (stone.path, stone.run_id) == (path, "tidy")
    assert stone.reason == "outdated: The queue is gone altogether."


@pytest.mark.parametrize("damage", ["{", "[]", '{"run_id": "x", "files": [{}]}'])
def test_a_damaged_archive_stops_no_run(bench: B, make: B, damage: str) -> None:
    removed(bench, recorded(bench, make))
    bench.write("memory/_archive/broken/manifest.json", damage)
    assert len(bench.store.tombstones()) == 1
    bench.write("memory/_archive/removal/manifest.json", damage)
    assert bench.store.tombstones() == []
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    assert bench.run().status == "committed"


def test_a_store_without_an_archive_has_no_tombstones_and_gets_none(bench: B) -> None:
    before = bench.everything()
    assert bench.store.tombstones() == []
    assert bench.everything() == before
