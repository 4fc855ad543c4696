"""What the rules put in order by themselves: each step with its reason, nothing lost, no second run needed."""

from __future__ import annotations

import json
from typing import Any

from memory_core.ids import utc_now
from memory_core.lint.check import check_all
from memory_core.records.record import Record
from memory_core.records.schema import SUMMARY, Kind, RecordRef, Status
from memory_core.usage import use_event

B = Any


def source(session: str, entry: int, speaker: str = "human") -> str:
    return (
        f"  - session_id: {session}\n    range: [{entry}, {entry}]\n    anchors:\n"
        f"      - evidence_id: M{entry:04d}\n        entry_range: [{entry}, {entry}]\n        kind: message\n"
        f"        speaker: {speaker}\n        sha256: {entry:064x}\n        excerpt: words {entry}\n"
    )


def text_of(kind: str, body: str, sources: str = "", *, made: bool = True, **fields: str) -> str:
    """A record as consolidation makes it, or, unless `made`, as a person does."""
    key = "last_sources" if kind == "knowledge" else "sources"
    own = {
        "decision": {"status": "resolved"},
        "knowledge": {"kind": "rule", "model_invokation": "false", "user_invocable": "true"},
    }.get(kind, {})
    head = {"created_at": "2026-05-01T00:00:00Z", "updated_at": "2026-05-01T00:00:00Z", **own, **fields}
    lines = "".join(f"{name}: {value}\n" for name, value in head.items())
    origin = "origin: policy:consolidate\n" if made else "origin: user\n"
    return f"---\n{lines}{key}:{chr(10) + sources if sources else ' []' + chr(10)}{origin}---\n\n{body}\n"


def fill(bench: B, count: int = 8) -> None:
    """Records about other things: a run takes away at most a quarter."""
    topics = ("apples", "boats", "clouds", "drums", "eagles", "forests", "glass", "hills", "ink", "jade")
    for topic in topics[:count]:
        bench.write(f"memory/requests/paint-{topic}.md", text_of("request", f"# Paint {topic}", source("s0", 1)))


def record(bench: B, kind: Kind, slug: str) -> Record | None:
    found: Record | None = bench.store.load().record(RecordRef(kind, slug))
    return found


def tidied(run: B) -> dict[str, str]:
    return {step["record"]: step["reason"] for step in run.plain()["tidied"]}


def test_a_chain_of_replaced_decisions_is_shortened_and_keeps_every_link(bench: B) -> None:
    """Issue 7.6: the first one names what holds now, not what was replaced itself."""
    chain = (("use-csv", "use-json"), ("use-json", "use-parquet"))
    for slug, after in chain:
        body = f"# {slug.capitalize()} for the export"
        bench.write(f"memory/decisions/{slug}.md", text_of("decision", body, status="replaced", replaced_by=after))
    bench.write("memory/decisions/use-parquet.md", text_of("decision", "# Use Parquet for the export"))
    run = bench.run(run_id="one")
    assert run.status == "committed"
    assert tidied(run) == {
        "decision/use-csv": "decision/use-json was replaced itself: this one now names what holds, decision/use-parquet"
    }
    found = record(bench, Kind.DECISION, "use-csv")
    assert found is not None
    assert found.replaced_by == "use-parquet"
    assert record(bench, Kind.DECISION, "use-json") is not None
    before = bench.everything()
    assert bench.run(run_id="two").status == "nothing"
    assert bench.everything() == before


def test_a_ring_of_replaced_decisions_is_left_to_the_linter(bench: B) -> None:
    for slug, after in (("use-a", "use-b"), ("use-b", "use-a")):
        bench.write(
            f"memory/decisions/{slug}.md", text_of("decision", f"# {slug}", status="replaced", replaced_by=after)
        )
    before = bench.records()
    bench.run()
    assert bench.records() == before


def test_records_that_say_the_same_become_one_with_both_sources(bench: B) -> None:
    """Issue 7.6, T27, T43: what is removed stands in the other record and in the archive, with the reason."""
    fill(bench)
    first = "# Never commit directly to main\n\nWhy: Reviews were skipped."
    second = "# Don't ever commit to main directly\n\nWhy: The build broke twice that week."
    bench.write(
        "memory/decisions/never-commit-to-main.md", text_of("decision", first, source("s1", 3) + source("s2", 4))
    )
    bench.write("memory/decisions/dont-commit-to-main.md", text_of("decision", second, source("s3", 5)))
    untouched = {path: text for path, text in bench.records().items() if "paint" in path}
    run = bench.run(run_id="one")
    kept = record(bench, Kind.DECISION, "never-commit-to-main")
    assert kept is not None
    assert [s.session_id for s in kept.sources] == ["s1", "s2", "s3"]
    assert "The build broke twice that week." in kept.body
    assert record(bench, Kind.DECISION, "dont-commit-to-main") is None
    assert tidied(run)["decision/dont-commit-to-main"].startswith("duplicate: decision/never-commit-to-main says")
    assert "says the same" in tidied(run)["decision/never-commit-to-main"]
    assert {path: text for path, text in bench.records().items() if "paint" in path} == untouched
    (stone,) = bench.store.tombstones()
    assert stone.path == "memory/decisions/dont-commit-to-main.md"
    audit = [json.loads(line) for line in bench.read("memory/_logs/audit.jsonl").splitlines()]
    assert audit[-1]["tidied"] == run.plain()["tidied"]
    assert bench.run(run_id="two").status == "nothing"


def test_what_is_merged_keeps_its_quotations_above_no_heading(bench: B) -> None:
    """The paragraphs go before the evidence, the quotations behind it."""
    fill(bench)
    quoted = "\n\n## Evidence\n\n- human, entry {0} of session `s{0}`:\n  > words {0}"
    one = "# Log in JSON lines only\n\nWhy: One line is one event." + quoted.format(1)
    two = "# Log in JSON lines only\n\nChosen over: plain text." + quoted.format(2)
    bench.write("memory/decisions/log-json.md", text_of("decision", one, source("s1", 1) + source("s0", 9)))
    bench.write("memory/decisions/log-json-only.md", text_of("decision", two, source("s2", 2)))
    bench.run()
    kept = record(bench, Kind.DECISION, "log-json")
    assert kept is not None
    said, _, evidence = kept.body.partition("## Evidence")
    assert "Chosen over: plain text." in said
    assert "> words 1" in evidence
    assert "> words 2" in evidence
    assert [d.code for found in check_all(bench.store.load()).values() for d in found if d.severity == "error"] == []


def test_a_record_of_a_person_stays_and_takes_in_the_other(bench: B) -> None:
    fill(bench)
    text = "# Never commit directly to main"
    bench.write("knowledge/main.md", text_of("knowledge", text, made=False, description="Read before a commit."))
    bench.write("knowledge/never-commit.md", text_of("knowledge", text, source("s1", 3), description="Read before it."))
    bench.run()
    kept = record(bench, Kind.KNOWLEDGE, "main")
    assert kept is not None
    assert [s.session_id for s in kept.sources] == ["s1"]
    assert record(bench, Kind.KNOWLEDGE, "never-commit") is None


def test_two_records_of_people_are_only_named(bench: B) -> None:
    fill(bench)
    for slug in ("main", "never-commit"):
        text = text_of("knowledge", "# Never commit directly to main", made=False, description="Read before a commit.")
        bench.write(f"knowledge/{slug}.md", text)
    before = bench.records()
    run = bench.run()
    assert bench.records() == before
    assert any("knowledge/main and knowledge/never-commit say the same; people wrote" in line for line in run.noticed)


def test_a_record_that_is_read_is_not_merged_away(bench: B) -> None:
    """Issue 7.6: records with uses are protected; both are read, so both stay."""
    fill(bench)
    for slug in ("main", "never-commit"):
        bench.write(
            f"knowledge/{slug}.md",
            text_of(
                "knowledge", "# Never commit directly to main", source("s1", 3), description="Read before a commit."
            ),
        )
        event = use_event(
            RecordRef(Kind.KNOWLEDGE, slug), "x", source="MemoryRead", actor="agent", session_id="s", now=utc_now()
        )
        bench.store.append_usage(event)
    before = bench.records()
    run = bench.run()
    assert bench.records() == before
    assert any("was read 1 time: left to you" in line for line in run.noticed)


def test_a_figure_or_a_denial_keeps_two_records_apart(bench: B) -> None:
    """T30, T26"""
    fill(bench)
    for slug, text in {
        "port": "# Listen on port 8080 for metrics",
        "port-two": "# Listen on port 9090 for metrics",
        "log": "# Log the request bodies in the gateway",
        "log-not": "# Do not log the request bodies in the gateway",
    }.items():
        bench.write(f"memory/decisions/{slug}.md", text_of("decision", text, source("s1", 3)))
    before = {path: text for path, text in bench.records().items() if "decisions" in path}
    bench.run()
    assert {path: text for path, text in bench.records().items() if "decisions" in path} == before


def test_a_record_others_refer_to_is_not_merged_away(bench: B) -> None:
    fill(bench)
    text = "# Never commit directly to main"
    bench.write("knowledge/main.md", text_of("knowledge", text, made=False, description="Read before a commit."))
    bench.write("knowledge/never-commit.md", text_of("knowledge", text, source("s1", 3), description="Read before it."))
    bench.write("workflow/ship.md", "---\ndescription: How to ship.\n---\n\nFirst read #never-commit.\n")
    run = bench.run()
    assert record(bench, Kind.KNOWLEDGE, "never-commit") is not None
    assert any("other records refer to knowledge/never-commit" in line for line in run.noticed)


def test_a_run_merges_away_at_most_a_quarter_and_the_next_goes_on(bench: B) -> None:
    """Issue 7.6: it is not held for it; what is left is named and done later."""
    for number, topic in enumerate(("the gateway", "the billing module", "the export job")):
        for part in ("one", "two"):
            text = f"# Keep every secret out of {topic} at all times"
            bench.write(f"memory/decisions/{part}-{number}.md", text_of("decision", text, source(f"s{number}", number)))
    first = bench.run(run_id="one")
    assert first.status == "committed"
    assert [change.op for change in first.changes].count("delete") == 1
    assert any("at most a quarter" in line for line in first.noticed)
    bench.run(run_id="two")
    assert len(bench.store.load().index.slugs[Kind.DECISION]) == 4


def test_surplus_sources_are_trimmed_to_ten_of_people_and_the_first(bench: B) -> None:
    """Issue 7.6: source overflow."""
    sources = "".join(source(f"s{n:02d}", n, "assistant" if n % 2 else "human") for n in range(14))
    bench.write("memory/decisions/use-x.md", text_of("decision", "# Use X for everything", sources))
    run = bench.run(run_id="one")
    found = record(bench, Kind.DECISION, "use-x")
    assert found is not None
    kept = [s.session_id for s in found.sources]
    assert len(kept) == 10
    assert kept[0] == "s00"
    assert {f"s{n:02d}" for n in range(0, 14, 2)} <= set(kept)
    assert tidied(run)["decision/use-x"].startswith("14 sources trimmed to 10")
    assert bench.run(run_id="two").status == "nothing"


def test_a_conflict_is_told_at_both_ends_and_cleared_when_it_is_settled(bench: B, make: B) -> None:
    """Issue 7.4: both are kept until it is resolved, and both say so."""
    bench.stage(make.staged(1, make.decided("Don't use mocks in tests", 3)))
    bench.run(run_id="one")
    bench.stage(make.staged(2, make.decided("Use mocks in tests for the payment gateway", 4)))
    bench.run(run_id="two")
    older, newer = "dont-use-mocks-in-tests", "use-mocks-in-tests-for-payment-gateway"
    for slug, other in ((older, newer), (newer, older)):
        found = record(bench, Kind.DECISION, slug)
        assert found is not None
        assert f"Conflicts with `decisions/{other}`" in found.body
        assert found.body.index("Conflicts with") < found.body.index("## Evidence")
    assert bench.run(run_id="three").status == "nothing"
    settled = bench.read(f"memory/decisions/{older}.md").replace(
        "status: resolved", f"status: replaced\nreplaced_by: {newer}"
    )
    bench.write(f"memory/decisions/{older}.md", settled)
    run = bench.run(run_id="four")
    found = record(bench, Kind.DECISION, newer)
    assert found is not None
    assert "Conflicts with" not in found.body
    assert found.status is Status.RESOLVED
    assert tidied(run)[f"decision/{newer}"] == f"the conflict is settled: decision/{older} no longer holds"
    assert check_all(bench.store.load()) == {}


def test_what_needs_judgment_is_named_and_left_alone(bench: B) -> None:
    """Issue 7.6: several parts, no source left, never read, names that look alike."""
    long = "# Notes\n\n" + "".join(f"## Part {n}\n\n{'many words about it ' * 90}\n\n" for n in range(3))
    bench.write("memory/decisions/notes.md", text_of("decision", long, source("s1", 1), made=False))
    bench.write("memory/requests/faster-login.md", text_of("request", "# Make the login faster"))
    old = {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "description": "Read before x."}
    bench.write("knowledge/retry-policy.md", text_of("knowledge", "# Retry three times", source("s1", 1), **old))
    bench.write("knowledge/retry-polizy.md", text_of("knowledge", "# Wait a second", source("s1", 2), **old))
    before = bench.records()
    run = bench.run()
    assert bench.records() == before
    for line in (
        "decision/notes: ",
        "request/faster-login: made by a consolidation, and rests on no source any more",
        "knowledge/retry-policy: never read, unchanged for 151 days",
        "knowledge/retry-policy, knowledge/retry-polizy: the names look alike",
    ):
        assert any(noticed.startswith(line) for noticed in run.noticed), (line, run.noticed)


def test_a_run_about_named_candidates_tidies_nothing(bench: B, make: B) -> None:
    fill(bench)
    for slug in ("main", "never-commit"):
        text = text_of("decision", "# Never commit directly to main", source(slug, 3))
        bench.write(f"memory/decisions/{slug}.md", text)
    (ref,) = make.staged(1, make.decided("Use SQLite for the queue", 3)).candidates()
    bench.stage(make.staged(1, make.decided("Use SQLite for the queue", 3)))
    run = bench.run(only={ref.id})
    assert run.tidied == ()
    assert record(bench, Kind.DECISION, "never-commit") is not None


def test_a_model_can_trim_sources_too(make: B) -> None:
    sources = "".join(source(f"s{n:02d}", n) for n in range(12))
    toolbox, _ = make.toolbox({"memory/decisions/use-x.md": text_of("decision", "# Use X", sources)})
    args = {"kind": "decision", "slug": "use-x", "trim_sources": True, "reason": "too many"}
    assert not toolbox.call("MemoryEdit", args).is_error
    found = toolbox.draft.record(RecordRef(Kind.DECISION, "use-x"))
    assert [s.session_id for s in found.sources] == ["s00", *(f"s{n:02d}" for n in range(3, 12))]


def test_what_nobody_has_written_yet_is_not_in_the_summary(bench: B, make: B) -> None:
    bench.write("memory/decisions/use-later.md", text_of("decision", "# Use later", made=False, status="open"))
    bench.write("memory/requests/empty.md", text_of("request", "", made=False))
    bench.stage(make.staged(1, make.decided("Use SQLite for the queue", 3)))
    bench.run()
    summary = bench.store.load().record(SUMMARY)
    assert summary is not None
    assert "use-sqlite-for-queue" in summary.body
    assert "use-later" not in summary.body
    assert "requests/empty" not in summary.body


def test_archiving_the_last_line_of_a_section_takes_its_heading(bench: B, make: B) -> None:
    from memory_core.changes import ChangeSet
    from memory_core.refactor.archive import archive

    bench.stage(make.staged(1, make.decided("Use SQLite for the queue", 3), make.asked("Make the login faster", 5)))
    bench.run(run_id="one")
    changes = archive(bench.store.load(), RecordRef(Kind.DECISION, "use-sqlite-for-queue"))
    assert isinstance(changes, ChangeSet)
    after = changes.files["memory/summary.md"].after or ""
    assert "Decisions that hold" not in after
    assert "## Requests\n\n- 2026-06-01: Make the login faster (requests/" in after


def test_a_merge_leaves_the_summary_right_at_once(bench: B, make: B) -> None:
    """The line of the record that goes is gone, and nothing is left to do for the next run."""
    bench.stage(
        make.staged(
            1, make.decided("From now on never commit directly to main", 3), make.decided("Use uv for installs", 5)
        )
    )
    bench.stage(
        make.staged(2, make.asked("Make the login faster", 1), make.asked("Show the build number in the footer", 2))
    )
    bench.run(run_id="one")
    (slug,) = bench.store.load().index.slugs[Kind.KNOWLEDGE]
    text = bench.read(f"knowledge/{slug}.md").replace("session-1", "session-9")
    bench.write("knowledge/no-direct-commits-to-main.md", text)
    run = bench.run(run_id="two")
    assert len(bench.store.load().index.slugs[Kind.KNOWLEDGE]) == 1
    assert tidied(run)
    (kept,) = bench.store.load().index.slugs[Kind.KNOWLEDGE]
    summary = bench.store.load().record(SUMMARY)
    assert summary is not None
    assert summary.body.count("Never commit directly to main") == 1
    assert f"(knowledge/{kept})" in summary.body
    before = bench.records()
    assert bench.run(run_id="three").status == "nothing"
    assert bench.records() == before
