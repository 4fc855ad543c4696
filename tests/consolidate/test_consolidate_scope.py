"""R11: what was said where few could see it is not shown to more by being remembered, merged or summed up."""

from __future__ import annotations

from typing import Any

from memory_core.consolidate.draft import Draft
from memory_core.consolidate.tools import ConsolidateToolbox
from memory_core.records.record import parse
from memory_core.records.schema import Kind, RecordRef
from memory_core.scope import scope_of
from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.staging import CandidateRef, StagingFile
from tests.consolidate.conftest import Bench, decided, decision_text, staged

MINE = {"principal": "me"}


def scoped(file: StagingFile, scope: dict[str, str] | None) -> StagingFile:
    return file.model_copy(update={"source": file.source.model_copy(update={"scope": scope})})


def box(texts: dict[str, str], *files: StagingFile) -> tuple[ConsolidateToolbox, list[CandidateRef]]:
    refs = [ref for file in files for ref in file.candidates()]
    snapshot = snapshot_of(texts) if texts else Snapshot()
    return ConsolidateToolbox(Draft(snapshot, Bench.now(Bench(None))), refs), refs  # type: ignore[arg-type]


def write(slug: str, *refs: CandidateRef, kind: str = "decision") -> tuple[str, dict[str, Any]]:
    name = {"slug": slug} if kind != "summary" else {}
    return "MemoryWrite", {"kind": kind, **name, "body": "# Use A\n\nWe use A.", "candidates": [ref.id for ref in refs]}


def test_r11_a_record_gets_the_scope_of_the_session_it_comes_from() -> None:
    tools, (ref,) = box({}, scoped(staged(1, decided("Use A")), MINE))
    assert not tools.call(*write("use-a", ref)).is_error
    record = tools.draft.record(RecordRef(Kind.DECISION, "use-a"))
    assert record
    assert scope_of(record) == MINE


def test_sessions_of_different_people_do_not_become_one_record() -> None:
    files = scoped(staged(1, decided("Use A")), MINE), scoped(staged(2, decided("Use A")), {"principal": "you"})
    tools, refs = box({}, *files)
    result = tools.call(*write("use-a", *refs))
    assert result.is_error
    assert "different people" in result.text


def test_a_shared_record_and_the_summary_take_nothing_in_that_few_may_see() -> None:
    tools, (ref,) = box({"memory/decisions/old.md": decision_text("# Use A\n")}, scoped(staged(1, decided("B")), MINE))
    edit = {"kind": "decision", "slug": "old", "new_text": "And B.", "candidates": [ref.id], "reason": "it was said"}
    assert "shown to more people" in tools.call("MemoryEdit", edit).text
    assert tools.call(*write("", ref, kind="summary")).is_error


def test_a_narrower_record_takes_in_what_is_shared() -> None:
    text = decision_text("# Use A\n").replace("status:", "scope: {principal: me}\nstatus:")
    tools, (ref,) = box({"memory/decisions/old.md": text}, staged(1, decided("Use B")))
    edit = {"kind": "decision", "slug": "old", "new_text": "And B.", "candidates": [ref.id], "reason": "it was said"}
    result = tools.call("MemoryEdit", edit)
    assert not result.is_error, result.text


def test_r11_the_rules_keep_what_few_may_see_apart_and_out_of_the_summary(bench: Bench) -> None:
    bench.stage(
        scoped(staged(1, decided("Keep the keys in the vault", 1, "Keep the keys in the vault.")), MINE),
        staged(2, decided("Keep the keys in the vault", 1, "Keep the keys in the vault."), session="other"),
    )
    run = bench.run()
    assert run.status == "committed"
    records = {path: text.decode() for path, text in bench.records().items() if "summary" not in path}
    scopes = sorted(str(scope_of(parse(RecordRef(Kind.DECISION, "x"), text))) for text in records.values())
    assert scopes == ["{'principal': 'me'}", "{}"]
    private = next(path for path, text in records.items() if "principal: me" in text)
    summary = bench.read("memory/summary.md")
    assert f"({private.removeprefix('memory/').removesuffix('.md')})" not in summary
    again = bench.run()
    assert again.status == "nothing"


def test_an_extract_notes_whose_session_it_was() -> None:
    from memory_core.staging import StagingSource

    source = StagingSource(session_id="s", range=(0, 1), scope=MINE)
    assert StagingFile(id="x", source=source).to_json().count('"principal": "me"') == 1
    assert '"scope"' not in StagingFile(id="x", source=StagingSource(session_id="s", range=(0, 1))).to_json()
