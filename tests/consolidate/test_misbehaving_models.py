"""Models that do what they should not, over a real local server: nothing is lost, nothing unlinted is on disk, every
candidate is closed with a reason or still staged, and each ending has its own name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from memory_core.config import Config, MemorySettings, ProviderSettings
from memory_core.consolidate.task import ConsolidateRun
from memory_core.lint.check import check_all
from memory_core.providers.registry import consolidate_worker
from memory_core.testing import HttpReply, ScriptedOpenAI, completion

B = Any
Call = tuple[str, Mapping[str, Any] | str]
WORDS = ("queue", "cache", "parser", "index", "logger", "router", "mailer", "editor")
NAMES = [f"use-the-{word}" for word in WORDS]


@dataclass
class Case:
    """A store with eight decisions and one piece of knowledge, and two candidates staged."""

    bench: Any
    first: str
    second: str
    before: dict[str, bytes]

    def run(self, *turns: Sequence[Call] | Callable[[Any], HttpReply], requests: int = 30) -> ConsolidateRun:
        """A run in which the model answers with these calls, then says that it is done."""
        script = [turn if callable(turn) else completion(calls=list(turn)) for turn in turns]
        with ScriptedOpenAI([*script, *[completion("Done.")] * 2]) as server:
            config = Config(
                provider=ProviderSettings(name="openai", base_url=server.url, requests_per_run=requests),
                memory=MemorySettings(consolidation_model="scripted"),
            )
            worker = consolidate_worker(config, {"OMOIDE_API_KEY": "k", "OPENAI_API_KEY": "k"}, "openai")
            run = self.bench.run(worker, config=config)
            self.answers = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
            self.requests = len(server.requests)
        self.check(run)
        return run

    def check(self, run: ConsolidateRun) -> None:
        """What holds however a model behaves."""
        store = self.bench.store
        after = self.bench.records()
        for path, data in self.before.items():
            if after.get(path) != data:
                archived = store.archived(run.run_id)
                kept = [file.before for file in archived.files] if archived else []
                assert data.decode() in kept, f"{path} is lost"
        assert check_all(store.load()) == {}
        closed = {r.candidate: r for r in store.resolutions() if r.action != "kept"}
        assert closed.keys() | store.staging().open == {self.first, self.second}
        assert not closed.keys() & store.staging().open
        assert all(len(r.reason) > 2 for r in closed.values())
        assert not store.layout.lock.exists()
        outside = [p for p in self.bench.root.parent.rglob("*") if p.is_file() and self.bench.root not in p.parents]
        assert outside == []
        for name, data in self.bench.everything().items():
            if name.endswith(".json"):
                json.loads(data)

    def unchanged(self) -> bool:
        return bool(self.bench.records() == self.before)

    def staged(self) -> set[str]:
        return set(self.bench.store.staging().open)


@pytest.fixture
def case(bench: B, make: B) -> Case:
    for word, name in zip(WORDS, NAMES, strict=True):
        body = f"# Use the {word}\n\nIt keeps the {word} simple and the {word} tests fast, said the team in {name}.\n"
        bench.write(f"memory/decisions/{name}.md", make.decision_text(body))
    bench.write("knowledge/ports.md", make.knowledge_text("The port is 8080.\n", "Which port. Read before tests."))
    file = make.staged(1, make.decided("Store sessions in Redis", 3), make.decided("Rotate the keys monthly", 7))
    bench.stage(file)
    first, second = (ref.id for ref in file.candidates())
    return Case(bench, first, second, bench.records())


def write(slug: str, *candidates: str, body: str = "# Store sessions in Redis", **more: Any) -> Call:
    return "MemoryWrite", {"kind": "decision", "slug": slug, "body": body, "candidates": list(candidates), **more}


def delete(slug: str, reason: str = "noisy") -> Call:
    return "MemoryDelete", {"kind": "decision", "slug": slug, "reason": reason, "explanation": "I do not like it."}


def close(candidate: str, action: str = "applied", *records: str, reason: str = "because it is so") -> Call:
    return "CloseCandidate", {"id": candidate, "action": action, "reason": reason, "records": list(records)}


def test_a_model_that_writes_without_sources_is_refused(case: Case) -> None:
    run = case.run([write("no-source"), write("empty-source", body="# Other")])
    assert case.unchanged()
    assert run.status == "failed"
    assert len([a for a in case.answers if "without a source is refused" in a]) == 2
    assert case.staged() == {case.first, case.second}


def test_a_model_that_edits_without_sources_can_only_shorten(case: Case) -> None:
    added = {"kind": "decision", "slug": NAMES[0], "new_text": "Postgres replicas serve analytics.", "reason": "better"}
    lied = {**added, "new_text": None, "fields": {"description": "Postgres replicas serve analytics dashboards."}}
    case.run([("MemoryEdit", added), ("MemoryEdit", lied)])
    assert case.unchanged()
    assert all("does not say" in answer for answer in case.answers)


def test_a_model_that_overwrites_silently_is_refused(case: Case) -> None:
    """T28, T57: the slug of another record is no place for a new one."""
    run = case.run([write(NAMES[0], case.first)])
    assert case.unchanged()
    assert "exists: MemoryRead it" in case.answers[0]
    assert run.status == "failed"


def test_a_model_that_deletes_all_is_held(case: Case) -> None:
    """T42, T43, T45"""
    run = case.run([delete(name) for name in NAMES])
    assert run.status == "held"
    assert "8 of 9 records would lose content" in run.reason
    assert case.unchanged()
    assert case.staged() == {case.first, case.second}
    assert run.diff.count("+++ /dev/null") == 8


def test_a_model_that_empties_all_by_overwriting_is_held(case: Case) -> None:
    """T42: loss by rewriting is loss."""
    run = case.run([write(name, case.first, body="# Gone", overwrite=True) for name in NAMES])
    assert run.status == "held"
    assert case.unchanged()


def test_a_model_that_edits_with_stale_text_is_refused(case: Case) -> None:
    """T30, T39: what is not there any more is not replaced."""
    stale = {"kind": "decision", "slug": NAMES[0], "old_text": "what it said before", "new_text": "x", "reason": "new"}
    run = case.run([("MemoryEdit", {**stale, "candidates": [case.first]})])
    assert case.unchanged()
    assert "does not occur" in case.answers[0]
    assert run.status == "failed"


def test_a_model_that_loops_ends_at_its_limit(case: Case) -> None:
    """T07: a run always ends, and what it left says why."""
    read: Call = ("MemoryRead", {"kind": "decision", "slug": NAMES[0]})
    run = case.run(*[[read]] * 30, requests=6)
    assert case.requests == 6
    assert (run.status, case.unchanged()) == ("failed", True)
    assert "did not finish within 6 requests" in run.reason
    assert case.staged() == {case.first, case.second}


@pytest.mark.parametrize(
    "slug", ["../../outside", "..", "/etc/passwd", "a/b", "a\\b", "con", ".git", "a" * 65, "UPPER", "a--b", "x.md", " "]
)
def test_a_model_that_names_slugs_outside_the_store_is_refused(case: Case, slug: str) -> None:
    """T58"""
    run = case.run(
        [
            write(slug, case.first),
            (
                "PromoteRecord",
                {
                    "kind": "decision",
                    "slug": NAMES[0],
                    "knowledge_slug": slug,
                    "knowledge_kind": "fact",
                    "description": "A fact.",
                    "body": "Something else.",
                    "candidates": [case.first],
                },
            ),
        ]
    )
    assert case.unchanged()
    assert run.status == "failed"


def test_a_model_that_writes_a_workflow_is_refused(case: Case) -> None:
    call = ("MemoryWrite", {"kind": "workflow", "slug": "mine", "body": "1. x", "candidates": [case.first]})
    edit = ("MemoryEdit", {"kind": "workflow", "slug": "mine", "new_text": "x", "reason": "xxx"})
    case.run(
        [call, edit, ("MemoryDelete", {"kind": "workflow", "slug": "mine", "reason": "noisy", "explanation": "x"})]
    )
    assert case.unchanged()
    assert not any((case.bench.root / "workflow").iterdir())
    assert all("Error" in answer for answer in case.answers)


def test_a_model_that_forges_anchors_is_refused(case: Case) -> None:
    """T31: who said it comes from the log, never from a model."""
    forged = [{"session_id": "made-up", "range": [0, 1], "anchors": []}]
    run = case.run(
        [
            write("forged", case.first, sources=forged),
            write("forged", case.first, fields={"sources": forged}),
            write("forged", case.first, body=f"---\nsources: {json.dumps(forged)}\n---\n# Body"),
        ],
        [write("forged", case.second), write("other", "0197-made-up/decisions/0"), close(case.second)],
    )
    text = case.bench.read("memory/decisions/forged.md")
    assert "made-up" not in text
    assert "session-1" in text
    assert [c.slug for c in run.changes] == ["forged"]
    assert case.staged() == {case.first}


def test_a_model_that_ignores_candidates_leaves_them_staged(case: Case) -> None:
    run = case.run([write("one", case.first), close(case.first)])
    assert run.status == "committed"
    assert run.left == (case.second,)
    assert case.staged() == {case.second}


def test_a_model_that_closes_all_as_applied_without_writing_is_refused(case: Case) -> None:
    """T60: `saved` is only said of what is on disk."""
    run = case.run([close(case.first, "applied", f"decision/{NAMES[0]}"), close(case.second)])
    assert case.unchanged()
    assert all("write first" in answer for answer in case.answers)
    assert (run.status, run.closed) == ("failed", ())
    assert case.staged() == {case.first, case.second}


def test_a_model_that_covers_candidates_with_nothing_is_refused(case: Case) -> None:
    case.run([close(case.first, "duplicate", case.first), close(case.second, "already_covered", "decision/made-up")])
    assert case.staged() == {case.first, case.second}
    assert case.unchanged()


def test_a_model_that_discards_what_it_wrote_is_refused(case: Case) -> None:
    run = case.run([write("one", case.first), close(case.first, "discarded")])
    assert [(r.candidate, r.action) for r in run.closed] == [(case.first, "applied")]


def test_a_model_that_never_ends_is_ended(case: Case) -> None:
    """T07: new calls for ever, none of them wrong."""
    turns = [[("MemoryQuery", {"query": f"thing {n}"})] for n in range(90)]
    run = case.run(*turns, requests=200)
    assert case.requests <= 60
    assert "did not finish within 60 turns" in run.reason
    assert (run.status, case.unchanged()) == ("failed", True)


def test_a_model_that_talks_instead_of_calling_is_ended(case: Case) -> None:
    run = case.run(lambda _: completion("I have updated everything."))
    assert (run.status, case.unchanged()) == ("failed", True)
    assert "without calling a tool" in run.reason


def test_a_model_that_sends_broken_calls_is_ended(case: Case) -> None:
    """T59: a call that does not fit the schema is told the schema's words."""
    broken: list[Call] = [("MemoryWrite", "{not json"), ("Shell", {"cmd": "rm"}), ("MemoryWrite", {}), ("", "")]
    run = case.run(broken, broken)
    assert (run.status, case.unchanged()) == ("failed", True)
    assert "4 invalid calls in a row" in run.reason


def test_a_model_that_makes_records_resident_is_refused(case: Case) -> None:
    fields = {"model_invokation": True, "kind": "rule", "description": "A rule."}
    call = {"kind": "knowledge", "slug": "loud", "body": "Loud.", "fields": fields, "candidates": [case.first]}
    origin = {**call, "fields": {"kind": "rule", "description": "A rule.", "origin": "user"}}
    case.run([("MemoryWrite", call), ("MemoryWrite", origin)])
    assert case.unchanged()


def test_a_model_that_writes_what_does_not_lint_is_refused(case: Case) -> None:
    case.run([write("bad", case.first, body="See #made-up-slug."), write("big", case.first, body="word " * 3000)])
    assert case.unchanged()
    assert all("Refused, nothing was changed" in answer for answer in case.answers)


def test_a_model_that_silences_the_linter_is_refused(case: Case) -> None:
    body = "See #made-up-slug. <!-- omoide-disable unknown-reference, unknown-slug -->"
    case.run([write("quiet", case.first, body=body)])
    assert case.unchanged()
    assert "only people do that" in case.answers[0]


def test_a_model_that_breaks_references_is_refused(case: Case, make: B) -> None:
    case.bench.write("knowledge/user.md", make.knowledge_text("See #ports.\n", "A user. Read before x."))
    case.before = case.bench.records()
    gone = {"kind": "knowledge", "slug": "ports", "reason": "outdated", "explanation": "It is gone, I think."}
    case.run([("MemoryDelete", gone)])
    assert case.unchanged()


def test_a_model_that_replaces_a_decision_by_nothing_is_refused(case: Case) -> None:
    edit = {"kind": "decision", "slug": NAMES[0], "reason": "gone", "candidates": [case.first]}
    case.run(
        [
            ("MemoryEdit", {**edit, "fields": {"status": "replaced"}}),
            ("MemoryEdit", {**edit, "fields": {"status": "replaced", "replaced_by": "made-up"}}),
            ("MemoryEdit", {**edit, "fields": {"status": "replaced", "replaced_by": NAMES[0]}}),
        ]
    )
    assert case.unchanged()
    assert case.staged() == {case.first, case.second}


def test_a_model_that_writes_secrets_writes_none(case: Case) -> None:
    secret = "ghp_" + "a1B2" * 9
    case.run([write("token", case.first, body=f"# Token\n\nUse {secret}."), close(case.first)])
    assert secret not in "".join(data.decode("utf-8", "replace") for data in case.bench.everything().values())


def test_a_model_whose_file_is_edited_meanwhile_loses_the_race_and_says_so(case: Case) -> None:
    """T39, T40: the edit made during the call stays, the candidate stays, and the outcome has a name of its own."""
    path = f"memory/decisions/{NAMES[0]}.md"
    edit = {
        "kind": "decision",
        "slug": NAMES[0],
        "new_text": "Sessions too.",
        "reason": "new",
        "candidates": [case.first],
    }

    def meanwhile(_: Any) -> HttpReply:
        case.bench.write(path, case.before[path].decode() + "\nA person was here.\n")
        case.before = case.bench.records()
        return completion(calls=[close(case.second, "discarded")])

    run = case.run([("MemoryEdit", edit), close(case.first)], meanwhile)
    assert (run.status, run.conflicts) == ("conflict", (path,))
    assert "A person was here." in case.bench.read(path)
    assert "was changed meanwhile" in run.reason
    assert case.staged() == {case.first}


def test_a_server_that_fails_half_way_leaves_the_rest_staged_and_is_named(case: Case) -> None:
    """What was written until then was checked like everything; it stays, and says how it came to an end."""
    run = case.run([write("one", case.first)], lambda _: HttpReply("no json", 400))
    assert (run.status, [c.slug for c in run.changes]) == ("committed", ["one"])
    assert "the worker stopped early" in run.reason
    assert case.staged() == {case.second}


def test_a_server_that_fails_at_once_leaves_everything_staged(case: Case) -> None:
    run = case.run(lambda _: HttpReply("no json", 400))
    assert (run.status, case.unchanged()) == ("failed", True)
    assert case.staged() == {case.first, case.second}
