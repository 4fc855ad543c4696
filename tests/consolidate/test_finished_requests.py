"""A request that its session did stays findable, and neither the record nor the summary lets it look open."""

from __future__ import annotations

from typing import Any

from memory_core.records.schema import Kind
from memory_core.staging import Request
from tests.consolidate.test_consolidate_builtin import clean, record, summary

B = Any
TEXT = "Build an importer for bank statements"


def _done(make: B, day: int, entry: int = 1) -> Request:
    at = f"2026-05-{day:02d}T08:00"
    evidence = (
        make.said(entry, TEXT, ts=f"{at}:00Z"),
        make.said(entry + 2, "The file i.py has been updated.", "tool", tool="Edit", ts=f"{at}:10Z"),
        make.said(entry + 3, "The importer streams.", "assistant", ts=f"{at}:20Z"),
    )
    return Request(intent=TEXT, summary=TEXT, evidence=evidence)


def _open(make: B, day: int) -> Request:
    return Request(intent=TEXT, summary=TEXT, evidence=(make.said(50, TEXT, ts=f"2026-05-{day:02d}T08:00:00Z"),))


def test_the_record_says_that_it_was_done_and_the_summary_does_not_list_it(bench: B, make: B) -> None:
    bench.stage(make.staged(1, _done(make, 3), make.decided("Use SQLite for the job queue")))
    bench.run()
    assert "Done in the session that asked for it: The importer streams." in record(bench, *_place(bench)).body
    assert TEXT not in summary(bench)
    clean(bench)


def test_what_is_not_known_to_be_done_is_listed(bench: B, make: B) -> None:
    bench.stage(make.staged(1, _open(make, 3)))
    bench.run()
    assert "Done in" not in record(bench, *_place(bench)).body
    assert TEXT in summary(bench)


def test_what_is_asked_for_again_waits_again_and_what_is_done_later_does_not(bench: B, make: B) -> None:
    bench.stage(make.staged(1, _done(make, 3)))
    bench.run()
    bench.stage(make.staged(2, _open(make, 5)))
    bench.run()
    assert TEXT in summary(bench)
    bench.stage(make.staged(3, _done(make, 7, entry=70)))
    bench.run()
    assert f"{TEXT} (requests/" not in summary(bench)


def _place(bench: B) -> tuple[Kind, str]:
    (slug,) = bench.store.load().index.slugs[Kind.REQUEST]
    return Kind.REQUEST, slug
