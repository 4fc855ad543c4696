"""A choice between the same things for another place overturns nothing, whichever of both was recorded first."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.records.schema import Kind, Status
from tests.consolidate.test_overturned import at

PAIRS = [
    (
        ("US cluster", "EU cluster"),
        "For the load tests use the US cluster instead of the EU cluster",
        "Use the EU cluster instead of the US cluster for customer data",
    ),
    (("local time", "UTC"), "Use local time instead of UTC in the reports", "Use UTC in the database"),
    (("spaces", "tabs"), "Use spaces instead of tabs in Python files", "Use tabs instead of spaces in Go files"),
    (
        ("Mongo for the events", "Postgres"),
        "Use Mongo for the events instead of Postgres",
        "Use Postgres for the orders instead of Mongo",
    ),
]


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize(("things", "later", "earlier"), PAIRS)
def test_both_hold(
    bench: Any, make: Any, things: tuple[str, ...], later: str, earlier: str, newest_first: bool
) -> None:
    said = [(2, earlier, ()), (5, later, things)]
    for number, (day, text, options) in enumerate(reversed(said) if newest_first else said):
        bench.stage(at(make, day, text, options=options))
        bench.run(run_id=f"run-{number}")
    bench.run(run_id="again")
    records = [document.record for document in bench.store.load().index.slugs[Kind.DECISION].values()]
    assert [record.status for record in records if record] == [Status.RESOLVED, Status.RESOLVED]
