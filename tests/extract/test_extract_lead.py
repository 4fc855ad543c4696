"""What stands before a slice: an extract may run between a question and its answer, which says little alone."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.consolidate.doubt import unsupported
from memory_core.extract.evidence import evidence_of, speaker_of
from memory_core.extract.plan import plan_slices
from memory_core.extract.render import LEAD_TOKENS, render
from memory_core.extract.task import Slice
from memory_core.extract.tools import ExtractToolbox
from memory_core.providers.builtin.extract import find, payload_of
from memory_core.providers.builtin.turns import Finding
from memory_core.sessions.model import Session, Speaker
from memory_core.sessions.pointer import Pointer
from memory_core.staging import CandidateRef, StagingFile, StagingSource
from memory_core.testing import session_of
from memory_core.tokens import count
from tests.extract.scored_set import Scored, load, score

TWO_WAYS = """There are two ways to expire links:

1. Lazy deletion: check the expiry when a link is read.
2. A sweeper job that runs every five minutes.

Which one do you prefer?"""
ASKED = session_of(
    ("human", "Links must expire after a while. How does the service do it now?"),
    ("call", "Bash", "grep -rn expire src"),
    ("result", "src/links.py: no expiry"),
    ("assistant", TWO_WAYS),
    ("human", "go with option 2, we need the table to stay small"),
    ("assistant", "The sweeper runs every five minutes now."),
)


def after(session: Session, through: int, limit: int = 32_000) -> Slice:
    """What an extract reads whose pointer stands at `through`."""
    view, *rest = plan_slices(session, Pointer(through), limit)
    assert not rest
    return view


def handed_in(view: Slice, *evidence: str) -> ExtractToolbox:
    box = ExtractToolbox(view)
    chosen = {"options": [], "chosen": "A sweeper job", "rationale": "The table stays small.", "evidence": [*evidence]}
    box.call("write_extracted", {"decisions": [chosen]})
    return box


def test_an_answer_is_understood_when_its_question_was_extracted_before() -> None:
    whole, later = find(after(ASKED, -1)), find(after(ASKED, 3))
    assert [(f.array, f.text) for f in later] == [(f.array, f.text) for f in whole if f.array == "decisions"]
    assert later[0].text.startswith("A sweeper job")


def test_nothing_is_found_again_that_was_found_before() -> None:
    session = session_of(
        ("human", "Never commit directly to main, always go through a pull request."),
        ("assistant", "Noted."),
        ("human", "Thanks."),
        ("assistant", "You are welcome."),
    )
    assert find(after(session, -1))
    assert find(after(session, 1)) == ()


def test_what_a_person_says_again_is_found_again() -> None:
    rule = "Never commit directly to main, always go through a pull request."
    session = session_of(("human", rule), ("assistant", "Noted."), ("human", rule), ("assistant", "Yes."))
    assert next(item.entries for finding in find(after(session, 1)) for item in finding.items) == (2, 2)


def test_the_lead_goes_back_some_turns_and_its_ids_are_its_own() -> None:
    steps = [step for n in range(9) for step in (("human", f"wish {n}"), ("assistant", f"answer {n}"))]
    view = after(session_of(*steps), 15)
    assert (view.first, view.start) == (7, 16)
    ids = [item.id for item in evidence_of(view)]
    assert ids[-2:] == ["M0001", "M0002"]
    assert ids[:2] == ["LM0001", "LM0002"]


def test_nothing_stands_before_the_beginning() -> None:
    assert after(ASKED, -1).lead is None
    assert "before this part" not in render(after(ASKED, -1), 32_000)


def test_a_model_is_shown_what_was_said_before_between_two_marks() -> None:
    text = render(after(ASKED, 3), 32_000)
    lead, own = text.split("[Here this part begins.]\n")
    assert "LM0002 (assistant, entry 3): There are two ways" in lead
    assert own.startswith("M0001 (human, entry 4): go with option 2")
    assert "grep" not in text  # what tools did then is found by the tools alone


def test_the_lead_is_cut_to_its_room() -> None:
    long = session_of(*(("human", f"{n} " + "word " * 1_500) for n in range(4)), ("human", "Use uv, not pip."))
    view = after(long, 3)
    assert count(render(view, 32_000)) < LEAD_TOKENS + 500


def test_the_tools_reach_the_lead_and_nothing_before_it() -> None:
    box = ExtractToolbox(after(ASKED, 3))
    assert "LE0001" in box.call("search_evidence", {"query": "expire"}).text
    assert not box.call("read_evidence", {"entry_range": [0, 3]}).is_error
    steps = [step for n in range(9) for step in (("human", f"wish {n}"), ("assistant", f"answer {n}"))]
    assert (
        "must lie within [7, 17]"
        in ExtractToolbox(after(session_of(*steps), 15)).call("read_evidence", {"entry_range": [0, 3]}).text
    )


def test_a_candidate_may_rest_on_the_lead_but_not_on_it_alone() -> None:
    view = after(ASKED, 3)
    assert handed_in(view, "LM0002").result is None
    box = ExtractToolbox(view)
    refused = box.call(
        "write_extracted", {"decisions": [{"options": [], "chosen": "x", "rationale": "y", "evidence": ["LM0002"]}]}
    )
    assert "stands before entry 4, where this part begins" in refused.text
    accepted = handed_in(view, "LM0002", "M0001").result
    assert accepted is not None
    assert [anchor.entry_range for anchor in accepted["decisions"][0].evidence] == [(3, 3), (4, 4)]


def staged(view: Slice, *evidence: str, span: tuple[int, int] = (4, 5)) -> CandidateRef:
    result: Any = handed_in(view, *evidence).result
    source = StagingSource(session_id="s-1", range=span, agent="claude-code")
    file = StagingFile(
        schema_version=1, id="0192f3c2-0000-7000-8000-000000000001", source=source, language="en", **result
    )
    return next(iter(file.candidates()))


def test_a_staged_candidate_that_rests_on_its_lead_too_is_sound() -> None:
    view = after(ASKED, 3)
    assert unsupported(staged(view, "LM0002", "M0001")) is None
    why = unsupported(staged(view, "M0001", span=(5, 5)))
    assert why == "evidence M0001 names entries 4 to 4, and its file was made from 5 to 5"


def test_the_language_of_a_short_answer_is_that_of_what_was_said_before() -> None:
    session = session_of(
        ("human", "リンクの期限はどう実装されていますか。期限切れのリンクは残さないでください。"),
        ("assistant", "定期ジョブで消しますか。"),
        ("human", "OK"),
    )
    assert after(session, 1).language == "ja"


def _in_pieces(session: Scored) -> list[Finding]:
    """What is found where every message of a person begins an extract of its own, as hooks have it."""
    whole = session.view.session
    starts = [entry.index for entry in whole.entries if speaker_of(entry) is Speaker.HUMAN and entry.index]
    found: list[Finding] = []
    for start, end in zip([0, *starts], [*starts, len(whole.entries)], strict=True):
        part = Session(whole.session_id, whole.agent, whole.path, whole.entries[:end])
        found += [f for view in plan_slices(part, Pointer(start - 1), 32_000) for f in find(view)]
    return found


def test_extracting_after_every_answer_finds_what_extracting_once_finds() -> None:
    """Of 252 items that must be found 199 were, with 89 % right; at once it is 234 with 94 %."""
    result = score((session, _in_pieces(session)) for session in load())
    assert result.recall >= 0.9, result.missed
    assert result.precision >= 0.92, result.wrong


@pytest.mark.parametrize("session", load()[:12], ids=lambda session: session.name)
def test_what_rules_find_in_a_part_is_accepted(session: Scored) -> None:
    whole = session.view.session
    starts = [entry.index for entry in whole.entries if speaker_of(entry) is Speaker.HUMAN and entry.index]
    for start in starts:
        (view,) = plan_slices(whole, Pointer(start - 1), 200_000)
        result = ExtractToolbox(view).call("write_extracted", payload_of(find(view)))
        assert not result.is_error or "write in" in result.text
