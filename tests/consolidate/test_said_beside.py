"""What a candidate says beside its claim is in no log where an agent or a person wrote it: it goes into the record."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef
from memory_core.staging import StagingFile

B = Any
RULE = "Use Caddy for the proxy of the shop"
WHY = "The auditors at Lloyds demanded it by phone."
ASKED = "Add a retry to the uploader of pictures"
LONG = f"{RULE}, {'and for the other machines in the cellar of the old house, ' * 4}but nginx in Oslo"


def records(bench: B) -> str:
    return "\n".join(map(bytes.decode, bench.records().values()))


def first(bench: B, file: StagingFile) -> None:
    bench.stage(file)
    assert [r.action for r in bench.run(run_id="first").closed] == ["applied"]


@pytest.mark.parametrize("session", ["s", "another"])
@pytest.mark.parametrize(
    ("plain", "more", "words"),
    [
        ("decided", {"chosen": RULE, "rationale": WHY}, "Lloyds"),
        ("decided", {"chosen": RULE, "options": ("Traefik", RULE)}, "Traefik"),
        ("decided", {"chosen": LONG}, "Oslo"),
        ("asked", {"summary": ASKED, "target": "src/gallery.py"}, "gallery"),
        ("asked", {"summary": f"{ASKED}, {LONG}", "intent": ASKED}, "Oslo"),
    ],
    ids=["reason", "options", "behind the title", "target", "details"],
)
def test_what_is_said_beside_a_claim_that_is_known_goes_into_its_record(
    bench: B, make: B, plain: str, more: dict[str, Any], words: str, session: str
) -> None:
    say, text = (make.decided, RULE) if plain == "decided" else (make.asked, ASKED)
    first(bench, make.staged(1, say(text, 3), session="s"))
    assert words not in records(bench)
    candidate = say(text, 3).model_copy(update=more)
    bench.stage(make.staged(2, candidate, session=session))
    bench.run(run_id="second")
    assert words in records(bench)
    assert len([path for path in bench.records() if path != "memory/summary.md"]) <= 2  # one may become knowledge
    before = records(bench)
    bench.stage(make.staged(3, candidate, session=session))
    assert [r.action for r in bench.run(run_id="third").closed] == ["already_covered"]
    assert records(bench) == before


def test_a_reason_is_not_written_again_where_it_begins_a_longer_one(bench: B, make: B) -> None:
    first(bench, make.staged(1, make.decided(RULE, 3, rationale=f"{WHY} Not even nginx will do."), session="s"))
    for number, why in enumerate((WHY, f"{WHY[:-1]}, and by mail.")):
        bench.stage(make.staged(2 + number, make.decided(RULE, 3, rationale=why), session=f"t{number}"))
        bench.run(run_id=f"again-{number}")
    decision = next(text for path, text in bench.records().items() if path.startswith("memory/decisions")).decode()
    whys = [line for line in decision.splitlines() if line.startswith("Why: ")]
    assert whys == [f"Why: {WHY} Not even nginx will do.", f"Why: {WHY[:-1]}, and by mail."]


def test_of_two_of_the_same_evidence_the_reason_of_the_second_is_kept(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided(RULE, 3), session="s"))
    bench.stage(make.staged(2, make.decided(RULE, 3, rationale=WHY), session="s"))
    assert [r.action for r in bench.run().closed] == ["applied", "applied"]
    assert "Lloyds" in records(bench)


def test_a_reason_that_an_earlier_one_of_the_same_evidence_gave_is_written_once(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided(RULE, 3, rationale=WHY), session="s"))
    bench.stage(make.staged(2, make.decided(RULE, 3), make.decided(RULE, 3, rationale=WHY), session="s"))
    assert [r.action for r in bench.run().closed] == ["applied", "duplicate", "duplicate"]
    assert records(bench).count("Lloyds") == 1


def test_a_reason_goes_into_a_record_that_has_all_the_sources_it_may_have(bench: B, make: B) -> None:
    for number in range(8):
        bench.stage(make.staged(number, make.decided(RULE, 3), session=f"s{number}"))
        bench.run(run_id=f"run-{number}")
    bench.stage(make.staged(9, make.decided(RULE, 3, rationale=WHY), session="last"))
    assert [r.action for r in bench.run(run_id="last").closed] == ["applied"]
    assert "Lloyds" in records(bench)


def test_it_stands_above_the_quotations(bench: B, make: B) -> None:
    first(bench, make.staged(1, make.decided(RULE, 3), session="s"))
    bench.stage(make.staged(2, make.decided(RULE, 3, rationale=WHY), session="s"))
    (how,) = bench.run(run_id="second").closed
    slug = how.records[0].split("/")[1]
    body = bench.read(record_path(RecordRef(Kind.DECISION, slug)))
    assert body.index("Why: The auditors at Lloyds") < body.index("## Evidence")
