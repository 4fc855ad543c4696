"""What a model is shown together it may mix up: a run is about the candidates of one scope, is shown what whoever has
that scope may see, and writes for nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memory_core.consolidate.budget import fitting
from memory_core.consolidate.reach import reach_of
from memory_core.consolidate.tools import ConsolidateToolbox
from memory_core.records.record import parse
from memory_core.records.schema import Kind, RecordRef
from memory_core.scope import scope_of
from memory_core.staging import CandidateRef
from tests.consolidate.conftest import Bench, Scripted, decided, decision_text, knowledge_text, staged
from tests.consolidate.test_consolidate_scope import box, scoped

ACME = {"tenant": "acme"}
PRICE = "Use the Frankfurt contract price of 41.70 euro per seat"
SHARED = "memory/decisions/queue.md"
HIDDEN = "memory/decisions/price.md"
TEXTS = {
    SHARED: decision_text("# Use SQLite for the queue\n"),
    HIDDEN: decision_text(f"# {PRICE}\n").replace("status:", "scope: {tenant: acme}\nstatus:"),
    "knowledge/ports.md": knowledge_text("The port is 8080.\n"),
}


def close_all(action: str) -> Callable[[ConsolidateToolbox], Any]:
    def close(toolbox: ConsolidateToolbox) -> None:
        for candidate in sorted(toolbox.candidates):
            toolbox.call("CloseCandidate", {"id": candidate, "action": action, "reason": "of no use"})

    return close


def stage_both(bench: Bench) -> None:
    for path, text in TEXTS.items():
        bench.write(path, text)
    bench.stage(scoped(staged(1, decided(PRICE)), ACME), staged(2, decided("Use WAL for the queue"), session="other"))


def test_the_runs_of_a_model_are_about_one_scope_after_the_other(bench: Bench) -> None:
    """A model wrote what a tenant's session said into a shared decision and into the summary."""
    stage_both(bench)
    shown = []
    for number in range(2):
        worker = Scripted([close_all("discarded")])
        bench.run(worker, run_id=f"run-{number}")
        shown.append(worker.works[0].prompt)
    of_tenant, of_all = shown
    assert "41.70" in of_tenant
    assert "Use WAL" not in of_tenant
    assert "Use SQLite" in of_tenant
    assert "41.70" not in of_all
    assert "Frankfurt" not in of_all
    assert "decision/price" not in of_all
    assert not bench.store.staging().open


def test_no_scope_waits_for_ever(bench: Bench) -> None:
    stage_both(bench)
    views = []
    for number in range(4):
        worker = Scripted([close_all("kept")])
        bench.run(worker, run_id=f"run-{number}")
        views += [dict(worker.views[0].candidates[0].source.scope or {})]
    assert views == [ACME, {}, ACME, {}]


def test_rules_take_all_scopes_at_once() -> None:
    files = scoped(staged(1, decided("Use A")), ACME), staged(2, decided("Use B"))
    refs = [ref for file in files for ref in file.candidates()]
    assert fitting(refs, None) == refs
    assert fitting(refs, "m") == refs[:1]


def reaching(scope: dict[str, str]) -> tuple[ConsolidateToolbox, CandidateRef]:
    tools, (ref,) = box(TEXTS, scoped(staged(1, decided(PRICE)), scope))
    return ConsolidateToolbox(tools.draft, [ref], reach=reach_of(scope)), ref


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("MemoryRead", {"kind": "decision", "slug": "price"}),
        ("MemoryWrite", {"kind": "decision", "slug": "price", "body": "# B", "overwrite": True}),
        ("MemoryEdit", {"kind": "decision", "slug": "price", "new_text": "B", "reason": "news"}),
        ("MemoryEdit", {"kind": "decision", "slug": "queue", "from_records": ["decision/price"], "reason": "merged"}),
        ("MemoryDelete", {"kind": "decision", "slug": "price", "reason": "noisy", "explanation": "It is noisy."}),
        (
            "PromoteRecord",
            {
                "kind": "decision",
                "slug": "price",
                "knowledge_slug": "p",
                "knowledge_kind": "fact",
                "description": "P. Read it.",
                "body": "Prices.",
            },
        ),
    ],
)
def test_a_shared_run_reaches_no_record_of_few(name: str, arguments: dict[str, Any]) -> None:
    tools, _ = reaching({})
    result = tools.call(name, arguments)
    assert result.is_error
    assert "not for this run" in result.text
    assert "41.70" not in result.text


def test_a_shared_run_finds_no_record_of_few() -> None:
    tools, ref = reaching({})
    assert tools.call("MemoryQuery", {"query": "Frankfurt price"}).text == "Nothing found."
    assert "price" not in tools.call("MemoryRead", {"kind": "decision", "slug": "pricee"}).text.removeprefix(
        "There is no decision/pricee"
    )
    covered = {"id": ref.id, "action": "already_covered", "reason": "it is there", "records": ["decision/price"]}
    assert tools.call("CloseCandidate", covered).is_error


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("MemoryEdit", {"kind": "decision", "slug": "queue", "new_text": "41.70 euro.", "reason": "news"}),
        ("MemoryEdit", {"kind": "decision", "slug": "queue", "fields": {"description": "Euro."}, "reason": "news"}),
        ("MemoryWrite", {"kind": "decision", "slug": "queue", "body": "# Price", "overwrite": True}),
        ("MemoryWrite", {"kind": "summary", "body": "- The price is 41.70 euro per seat."}),
        ("MemoryDelete", {"kind": "decision", "slug": "queue", "reason": "noisy", "explanation": "41.70 euro a seat."}),
        (
            "PromoteRecord",
            {
                "kind": "decision",
                "slug": "queue",
                "knowledge_slug": "p",
                "knowledge_kind": "fact",
                "description": "P. Read it.",
                "body": "41.70 euro.",
            },
        ),
    ],
)
def test_a_run_for_few_changes_nothing_that_more_people_see(name: str, arguments: dict[str, Any]) -> None:
    tools, _ = reaching(ACME)
    result = tools.call(name, arguments)
    assert result.is_error
    assert "shown to more people" in result.text
    assert not tools.draft.changes.files


def test_a_run_for_few_reads_what_is_shared_and_writes_for_them() -> None:
    tools, ref = reaching(ACME)
    assert "SQLite" in tools.call("MemoryRead", {"kind": "decision", "slug": "queue"}).text
    assert "decision/price" in tools.call("MemoryQuery", {"query": "Frankfurt price"}).text
    new = {"kind": "decision", "slug": "seats", "body": f"# {PRICE}", "candidates": [ref.id]}
    assert not tools.call("MemoryWrite", new).is_error
    record = tools.draft.record(RecordRef(Kind.DECISION, "seats"))
    assert record
    assert scope_of(record) == ACME
    offer = {"slug": "pay", "description": "How to pay.", "body": "1. Pay.", "candidates": [ref.id], "reason": "done"}
    assert not tools.call("OfferWorkflow", offer).is_error
    assert scope_of(parse(RecordRef(Kind.WORKFLOW, "pay"), tools.offers[0].text)) == ACME
