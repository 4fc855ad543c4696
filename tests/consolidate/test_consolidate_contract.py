"""What each tool promises: parts of a record, expected counts, merges with their sources, offers once, figures."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memory_core.changes import ChangeSet
from memory_core.consolidate import figures, offers
from memory_core.consolidate.schema import DeleteReason
from memory_core.consolidate.task import WorkflowOffer
from memory_core.consolidate.tidy import tidy_hints
from memory_core.errors import StoreError
from memory_core.records.record import parse
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import snapshot_of
from memory_core.staging import Attempt, Decision
from memory_core.usage import RecordUsage
from tests.consolidate.conftest import NOW

B = Any
ONE = "memory/decisions/one.md"
TEXT = "# Use A\n\nfirst line\nsecond line\nsecond line\n"


def edit(**more: Any) -> tuple[str, dict[str, Any]]:
    return "MemoryEdit", {"kind": "decision", "slug": "one", "reason": "because", **more}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"offset": 7}, "# Use A\n\nfirst line\nsecond line\nsecond line\n[lines 7-11 of 12]"),
        ({"offset": 9, "limit": 1}, "first line\n[lines 9-9 of 12]"),
        ({"limit": 1}, "---\n[lines 0-0 of 12]"),
    ],
)
def test_a_record_is_read_in_parts(make: B, arguments: dict[str, int], text: str) -> None:
    toolbox, _ = make.toolbox({ONE: make.decision_text(TEXT)})
    total = len(make.decision_text(TEXT).splitlines())
    result = toolbox.call("MemoryRead", {"kind": "decision", "slug": "one", **arguments})
    assert not result.is_error
    assert result.text == text.replace("12]", f"{total}]")


def test_a_part_behind_the_end_and_a_bad_limit_are_refused(make: B) -> None:
    toolbox, _ = make.toolbox({ONE: make.decision_text(TEXT)})
    for arguments in ({"offset": 500}, {"offset": -1}, {"limit": 0}):
        assert toolbox.call("MemoryRead", {"kind": "decision", "slug": "one", **arguments}).is_error


def test_a_passage_is_replaced_as_often_as_expected_and_otherwise_not(make: B) -> None:
    toolbox, (ref,) = make.toolbox({ONE: make.decision_text(TEXT)}, make.decided("Use A"))
    for count in (None, 1, 3):
        more = {} if count is None else {"count": count}
        call = edit(old_text="second line", new_text="other line", candidates=[ref.id], **more)
        result = toolbox.call(*call)
        assert result.is_error
        assert "occurs 2 times" in result.text
    assert not toolbox.call(*edit(old_text="second line", new_text="other", count=2, candidates=[ref.id])).is_error
    body = toolbox.draft.preview.documents[ONE].text
    assert body.count("other\n") == 2
    assert "second line" not in body


def test_the_reasons_to_remove_are_those_of_the_contract(make: B) -> None:
    assert {"outdated", "superseded", "unused", "noisy"} <= set(DeleteReason.__args__)  # type: ignore[attr-defined]
    toolbox, _ = make.toolbox({ONE: make.decision_text(TEXT)})
    call = {"kind": "decision", "slug": "one", "reason": "unused", "explanation": "Nobody has read it for a year."}
    assert not toolbox.call("MemoryDelete", call).is_error
    assert toolbox.call("MemoryDelete", {**call, "reason": "boring"}).is_error


def test_an_edit_without_candidates_shortens_and_adds_nothing(make: B) -> None:
    toolbox, _ = make.toolbox({ONE: make.decision_text(TEXT)})
    assert not toolbox.call(*edit(old_text="first line\n", new_text="")).is_error
    refused = toolbox.call(*edit(new_text="Entirely invented claims about databases arrive here."))
    assert refused.is_error
    assert "name the candidates" in refused.text
    assert toolbox.call(*edit(fields={"description": "Entirely invented claims about databases."})).is_error


def test_a_merge_takes_the_words_and_the_sources_along(make: B) -> None:
    """T62: merging is no new evidence, and loses none."""
    sources = "\nsources:\n- session_id: s-2\n  range: [3, 4]"
    other = make.decision_text("# Use B\n\nQueues want durable storage underneath.\n").replace("\nsources: []", sources)
    texts = {ONE: make.decision_text(TEXT), "memory/decisions/two.md": other}
    toolbox, _ = make.toolbox(texts)
    wish = edit(new_text="Queues want durable storage underneath.")
    assert toolbox.call(*wish).is_error
    assert not toolbox.call(wish[0], {**wish[1], "from_records": ["decision/two"]}).is_error
    record = parse(RecordRef(Kind.DECISION, "one"), toolbox.draft.preview.documents[ONE].text)
    assert [source.session_id for source in record.sources] == ["s-2"]
    for name in ("decision/one", "decision/made-up", "nonsense"):
        assert toolbox.call(wish[0], {**wish[1], "from_records": [name]}).is_error


OFFER = {
    "slug": "cut-a-release",
    "description": "How a release is cut. Use when somebody asks for one.",
    "body": "1. Run the whole test suite.\n2. Tag the commit.\n3. Publish the notes.",
    "reason": "It was done three times.",
}


@pytest.mark.parametrize(
    ("answer", "words"),
    [("open", "waits for"), ("later", "waits for"), ("never", "refused it"), ("created", "took it")],
)
def test_an_offer_is_made_once_whatever_was_said_to_it(bench: B, make: B, answer: str, words: str) -> None:
    first, _ = make.toolbox({})
    assert not first.call("OfferWorkflow", OFFER).is_error
    offers.keep(bench.store, "run", NOW, first.offers)
    (stored,) = bench.store.offers()
    bench.store.keep_offer(stored.model_copy(update={"answer": answer}))
    for again in (OFFER, {**OFFER, "slug": "make-a-release"}):
        toolbox, _ = make.toolbox({}, offered=bench.store.offers())
        result = toolbox.call("OfferWorkflow", again)
        assert result.is_error
        assert words in result.text
    other = {**OFFER, "slug": "restore-a-backup", "body": "1. Stop the writers.\n2. Copy the dump back."}
    toolbox, _ = make.toolbox({}, offered=bench.store.offers())
    assert not toolbox.call("OfferWorkflow", other).is_error


def test_a_second_offer_of_a_slug_does_not_undo_the_answer(bench: B) -> None:
    offer = WorkflowOffer("x", "---\ndescription: D. Use it.\n---\n\n1. One.\n", "why")
    offers.keep(bench.store, "one", NOW, [offer])
    offers.answer(bench.store, "x", "never", now=lambda: NOW)
    offers.keep(bench.store, "two", NOW, [offer])
    assert [(o.run_id, o.answer) for o in bench.store.offers()] == [("one", "never")]
    assert offers.waiting(bench.store) == []


def test_an_offer_that_does_not_lint_today_is_not_written(bench: B) -> None:
    offers.keep(bench.store, "one", NOW, [WorkflowOffer("x", "---\ndescription: D.\n---\n\nSee #gone.\n", "why")])
    with pytest.raises(StoreError, match="does not lint any more"):
        offers.create(bench.store, "x", now=lambda: NOW)
    assert bench.records() == {}


def test_an_offer_file_that_cannot_be_read_stays_and_stops_nothing(bench: B) -> None:
    bench.write("memory/_staging/_offers/broken.json", "{")
    assert bench.store.offers() == []
    assert bench.read("memory/_staging/_offers/broken.json") == "{"
    assert bench.store.staging().invalid == ()


def test_a_dry_run_keeps_no_offer(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided("Use A")))
    run = bench.run(make.scripted([("OfferWorkflow", OFFER)]), dry_run=True)
    assert [offer.slug for offer in run.offers] == ["cut-a-release"]
    assert bench.store.offers() == []


def test_churn_counts_what_moved_and_how_deep_a_chain_is(make: B) -> None:
    """T62: churn and the depth of merges are reported."""
    chain = {
        f"memory/decisions/d{n}.md": make.decision_text(status="replaced", replaced_by=f"d{n + 1}") for n in range(3)
    }
    base = snapshot_of(
        {**chain, "memory/decisions/d3.md": make.decision_text(), "knowledge/k.md": make.knowledge_text()}
    )
    old = base.documents["memory/decisions/d3.md"].text
    changes = (
        ChangeSet()
        .with_file("memory/decisions/d3.md", old, make.decision_text(status="replaced", replaced_by="d4"))
        .with_file("memory/decisions/d4.md", None, make.decision_text())
    )
    found = figures.churn(base, base.with_changes(changes), changes)
    assert (found.existing, found.created, found.updated, found.deleted, found.depth) == (5, 1, 1, 0, 4)
    assert found.plain()["share"] == 0.2
    assert figures.churn(base, base, ChangeSet()).plain()["share"] == 0.0


def test_a_ring_of_replaced_decisions_has_an_end(make: B) -> None:
    ring = {f"memory/decisions/d{n}.md": make.decision_text(status="replaced", replaced_by=f"d{1 - n}") for n in (0, 1)}
    snapshot = snapshot_of(ring)
    changes = ChangeSet().with_file(
        "memory/decisions/d0.md", ring["memory/decisions/d0.md"], make.decision_text("# X\n")
    )
    assert figures.churn(snapshot, snapshot, changes).depth == 1


def test_only_knowledge_that_is_read_and_not_resident_is_proposed(make: B) -> None:
    texts = {
        "knowledge/read.md": make.knowledge_text(),
        "knowledge/loud.md": make.knowledge_text(resident=True),
        "knowledge/rare.md": make.knowledge_text(),
        "memory/decisions/d.md": make.decision_text(),
    }
    rows = [RecordUsage("knowledge", slug, use_count=uses) for slug, uses in (("read", 9), ("loud", 9), ("rare", 1))]
    rows += [RecordUsage("decision", "d", use_count=9), RecordUsage("knowledge", "gone", use_count=9)]
    assert [p.slug for p in figures.residency(snapshot_of(texts), rows)] == ["read"]


def test_hints_name_what_to_split_what_has_no_source_and_what_nobody_reads(make: B) -> None:
    long = "# Many things\n\n" + "".join(f"## Part {n}\n\n{'A sentence about it. ' * 70}\n\n" for n in range(3))
    orphan = make.decision_text().replace("status: open", "status: open\norigin: policy:consolidate")
    texts = {
        "knowledge/long.md": make.knowledge_text(long),
        "knowledge/read.md": make.knowledge_text(),
        "memory/decisions/orphan.md": orphan,
    }
    usage = [RecordUsage("knowledge", "read", use_count=1)]
    hints = tidy_hints(snapshot_of(texts), None, None, usage, datetime(2026, 6, 1, tzinfo=UTC))
    assert [line.split(":")[0] for line in hints.to_split] == ["knowledge/long"]
    assert [line.split(":")[0] for line in hints.unsupported] == ["decision/orphan"]
    assert hints.unread == ("knowledge/long: never read, unchanged for 151 days",)
    assert tidy_hints(snapshot_of(texts)).unread == ()


def test_feeding_the_same_candidates_again_leaves_none_staged_and_changes_nothing(bench: B, make: B) -> None:
    """T62: also lessons that differ from each other in a word or two."""
    tried = [
        Attempt(
            action=f"Cache the {word} role page",
            result="Failed because of the lock",
            succeeded=False,
            evidence=(make.said(number, f"the {word} one failed because of the lock"),),
        )
        for number, word in enumerate(("audit", "batch", "column", "deploy", "export", "filter", "audits"))
    ]
    for number, attempt in enumerate(tried):
        bench.stage(make.staged(number, attempt))
    bench.run(run_id="first")
    before = bench.records()
    for number, attempt in enumerate(tried):
        bench.stage(make.staged(100 + number, attempt, session=f"session-{number}"))
    run = bench.run(run_id="second")
    assert (run.left, bench.store.staging().open) == ((), frozenset())
    assert bench.records() == before


def test_a_change_that_a_run_takes_back_leaves_no_candidate_undecided(make: B) -> None:
    toolbox, (ref,) = make.toolbox({ONE: make.decision_text(TEXT)}, make.decided("Use A"))
    draft = toolbox.draft
    record = RecordRef(Kind.DECISION, "one")
    assert draft.put(record, make.decision_text("# Use B\n"), [ref.id]) is None
    assert draft.put(record, make.decision_text(TEXT)) is None
    assert not toolbox.call("CloseCandidate", {"id": ref.id, "action": "applied", "reason": "it says so"}).is_error
    assert toolbox.decided[ref.id] == ("already_covered", "it says so", ("decision/one",))


def test_old_sources_do_not_push_out_later_ones_of_knowledge(bench: B, make: B) -> None:
    """T62: the same logs again rotate nothing."""
    rule = "From now on, always run the linter before you commit"

    def stage(first: int) -> None:
        for number in range(14):
            said = make.said(3, rule, ts=f"2026-05-{number + 1:02d}T10:00:00Z")
            file = make.staged(first + number, Decision(chosen=rule, evidence=(said,)), session=f"session-{number}")
            bench.stage(file)

    stage(0)
    bench.run(run_id="first")
    before = bench.records()
    assert any(path.startswith("knowledge/") for path in before)
    stage(100)
    run = bench.run(run_id="second")
    assert (run.changes, run.left) == ((), ())
    assert bench.records() == before
