"""The four tools: what they show, their bounds, and what write_extracted refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory_core.extract.look import READ_BYTES
from memory_core.extract.task import Slice
from memory_core.extract.tools import ExtractToolbox
from memory_core.sessions.model import Session
from memory_core.testing import session_of
from memory_core.worker import ToolResult

KEY = "sk-proj-" + "a1B2" * 8
WORD = "Xk7vQ2" + "mRt9LpZs4W"
SESSION = session_of(
    ("human", "Use uv, not pip: the lock file must be reproducible."),
    ("call", "Bash", "uv sync"),
    ("result", "Resolved 12 packages", f"Resolved 12 packages\nneedle-in-full-output\ntoken {KEY}"),
    ("assistant", "Switched to uv."),
    ("reasoning", "hidden-thought"),
    ("call", "mcp__omoide__MemoryRead", "x"),
    ("result", "Always use tabs."),
    ("human", "outside of the slice"),
)


def toolbox(session: Session = SESSION, start: int = 0, end: int = 6, language: str = "en") -> ExtractToolbox:
    return ExtractToolbox(Slice(session, start, end, language))


def write(box: ExtractToolbox, **arrays: Any) -> ToolResult:
    return box.call("write_extracted", arrays)


def decision(*evidence: str, **changes: Any) -> dict[str, Any]:
    fields = {"options": ["uv", "pip"], "chosen": "uv", "rationale": "The lock file is reproducible."}
    return {**fields, "evidence": list(evidence), **changes}


def test_exactly_four_tools_are_offered_with_closed_object_schemas() -> None:
    """A5 A7 A15"""
    specs = toolbox().specs
    assert [spec.name for spec in specs] == [
        "search_evidence",
        "read_evidence",
        "resolve_source_anchor",
        "write_extracted",
    ]
    for spec in specs:
        assert spec.parameters["type"] == "object"
        assert spec.parameters["additionalProperties"] is False
        assert "$ref" not in json.dumps(spec.parameters)


def test_an_unknown_tool_is_an_error_that_names_the_tools() -> None:
    """T59"""
    result = toolbox().call("read_file", {"path": "/etc/passwd"})
    assert result.is_error
    assert "search_evidence" in result.text


# search


def test_search_finds_words_in_full_results_but_shows_only_summaries() -> None:
    """A5"""
    result = toolbox().call("search_evidence", {"query": "needle-in-full-output"})
    assert result.text.startswith("E0001 (tool Bash, entries 1-2")
    assert "needle-in-full-output" not in result.text


def test_search_never_finds_reasoning_or_what_lies_outside_the_slice() -> None:
    """A4 A6"""
    for query in ("hidden-thought", "outside of the slice"):
        assert toolbox().call("search_evidence", {"query": query}).text.startswith("No evidence matches") or (
            query not in toolbox().call("search_evidence", {"query": query}).text
        )


def test_search_filters_by_speaker_and_an_empty_query_lists_all_of_it() -> None:
    result = toolbox().call("search_evidence", {"kind": "human"})
    assert [line.split()[0] for line in result.text.splitlines()] == ["M0001"]


def test_search_gives_twenty_hits_and_fifty_at_most() -> None:
    """A5: 20 by default; more than 50 is refused instead of being cut in silence."""
    box = toolbox(session_of(*[("human", f"the same words {n}") for n in range(80)]), 0, 79)
    lines = box.call("search_evidence", {"query": "same words"}).text.splitlines()
    assert len(lines) == 21
    assert lines[-1] == "(60 more match: narrow the query)"
    assert len(box.call("search_evidence", {"query": "same", "limit": 50}).text.splitlines()) == 51
    assert box.call("search_evidence", {"query": "same", "limit": 51}).is_error


def test_search_ranks_the_phrase_before_single_words_and_finds_japanese() -> None:
    session = session_of(
        ("human", "lock"), ("human", "file lock"), ("human", "the lock file"), ("human", "ロックファイルを使う")
    )
    hits = toolbox(session, 0, 3).call("search_evidence", {"query": "lock file"}).text.splitlines()
    assert [hit.split()[0] for hit in hits] == ["M0003", "M0002", "M0001"]
    assert toolbox(session, 0, 3).call("search_evidence", {"query": "ロック"}).text.startswith("M0004")


# read


def test_read_by_id_gives_call_arguments_and_the_full_result_redacted() -> None:
    """A5 T37"""
    text = toolbox().call("read_evidence", {"evidence_id": "e0001"}).text
    assert '{"command": "uv sync"}' in text
    assert "needle-in-full-output" in text
    assert KEY not in text


def test_read_by_range_never_shows_reasoning() -> None:
    text = toolbox().call("read_evidence", {"entry_range": [0, 6]}).text
    assert "Use uv" in text
    assert "hidden-thought" not in text


@pytest.mark.parametrize("entry_range", [[0, 7], [-1, 3], [5, 2], [100, 200]])
def test_a_range_outside_the_slice_is_refused(entry_range: list[int]) -> None:
    """A6"""
    result = toolbox().call("read_evidence", {"entry_range": entry_range})
    assert result.is_error
    assert "[0, 6]" in result.text


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"evidence_id": "M0001", "entry_range": [0, 1]},
        {"evidence_id": "M9999"},
        {"entry_range": [0]},
        {"entry_range": "0-3"},
        {"evidence_id": 3},
        {"path": "/etc/passwd"},
        {"entry_range": [4, 4]},
        "M0001",
        None,
        [],
    ],
)
def test_bad_arguments_are_errors_that_say_what_to_do(arguments: Any) -> None:
    """T19"""
    result = toolbox().call("read_evidence", arguments)
    assert result.is_error
    assert result.text


def test_a_read_shows_ten_items_and_says_where_to_go_on() -> None:
    """A15"""
    box = toolbox(session_of(*[("human", f"message {n}") for n in range(15)]), 0, 14)
    text = box.call("read_evidence", {"entry_range": [0, 14]}).text
    assert "message 9" in text
    assert "message 10" not in text
    assert "(5 more items in this range: read from entry 10)" in text


@pytest.mark.parametrize(
    "code",
    [
        f'os.environ["API_TOKEN"] = "{WORD}"',
        f'requests.get(url, auth=("alice", "{WORD}"))',
        f'DriverManager.getConnection("jdbc:mysql://h/d", "root", "{WORD}")',
        f'curl -b "session={WORD}" https://x.test',
        f"machine h.test\n  login bob\n  password {WORD}",
        f"DB_PASSWORD=\x1b[33m{WORD[:6]}\x1b[0m{WORD[6:]}",
    ],
)
def test_what_a_call_writes_is_read_without_its_secrets(code: str) -> None:
    """T36: in JSON the quotes around a secret are written out, and so are the ends of its lines."""
    box = toolbox(session_of(("human", "Write it."), ("call", "Write", f"import os\n{code}\n")), 0, 1)
    shown = box.call("read_evidence", {"entry_range": [0, 1]}).text
    assert "import os" in shown
    assert WORD[6:] not in shown
    assert "No evidence" in box.call("search_evidence", {"query": WORD[6:]}).text


@pytest.mark.parametrize("letter", ["a", "漢", "🙂", "é"])
def test_a_read_never_exceeds_sixteen_kib_of_utf8(letter: str) -> None:
    """A15: bytes, not characters."""
    box = toolbox(session_of(*[("human", letter * 30_000) for _ in range(10)]), 0, 9)
    for arguments in ({"entry_range": [0, 9]}, {"evidence_id": "M0001"}, {"evidence_id": "M0001", "offset": 29_000}):
        assert len(box.call("read_evidence", arguments).text.encode()) <= READ_BYTES


def test_a_long_message_can_be_read_to_its_end() -> None:
    """T13"""
    box = toolbox(session_of(("human", "".join(f"{n:06d}," for n in range(10_000)))), 0, 0)
    offset, read = 0, ""
    for _ in range(10):
        body = box.call("read_evidence", {"evidence_id": "M0001", "offset": offset}).text.split(":\n", 1)[1]
        read += body.split("\n[")[0]
        if "\n[" not in body:
            break
        offset = int(body.rstrip("]").rsplit(" ", 1)[1])
    assert read == box.items[0].text


# anchors


def test_an_anchor_is_resolved_by_id_range_and_call_id_alike() -> None:
    """A5 A9"""
    box = toolbox()
    by_id, by_range, by_call = (
        json.loads(box.call("resolve_source_anchor", selector).text.splitlines()[0])
        for selector in ({"evidence_id": "E0001"}, {"entry_range": [1, 2]}, {"call_id": "call-1"})
    )
    assert by_id == by_range == by_call
    assert by_id["entry_range"] == [1, 2]
    assert by_id["tool"] == "Bash"
    assert box.call("resolve_source_anchor", {"call_id": "call-99"}).is_error


# write_extracted


def test_accepted_candidates_carry_anchors_made_by_the_host() -> None:
    """A9 B4"""
    box = toolbox()
    result = write(box, decisions=[decision("M0001", "E0001", "m0001")])
    assert not result.is_error
    assert box.finished
    assert box.result is not None
    (only,) = box.result["decisions"]
    assert [anchor.evidence_id for anchor in only.evidence] == ["M0001", "E0001"]
    assert only.evidence[0].sha256 == SESSION.entries[0].sha256


def test_nothing_is_an_accepted_result() -> None:
    """A12 A15"""
    box = toolbox()
    assert not box.call("write_extracted", {}).is_error
    assert box.result == {"decisions": (), "discussions": (), "attempts": (), "requests": ()}


def test_what_a_second_call_hands_in_is_added_and_nothing_twice() -> None:
    """A8: it is to be called once, and models call it several times in one answer all the same."""
    box = toolbox()
    write(box, decisions=[decision("M0001")])
    assert not write(box, decisions=[decision("M0001"), decision("M0002", chosen="uv sync")]).is_error
    assert box.result is not None
    assert [each.chosen for each in box.result["decisions"]] == ["uv", "uv sync"]


def test_an_unknown_id_refuses_the_payload_and_names_valid_ones() -> None:
    box = toolbox()
    result = write(box, decisions=[decision("M0001"), decision("M0007")])
    assert result.is_error
    assert "decisions.1.evidence: there is no evidence `M0007`; near it: M0001, M0002" in result.text
    assert not box.finished


def test_a_candidate_without_evidence_is_refused() -> None:
    assert "evidence" in write(toolbox(), decisions=[decision()]).text
    assert "evidence is missing" in write(toolbox(), attempts=[{"action": "a", "result": "b", "succeeded": True}]).text


def test_tool_output_alone_supports_no_decision_and_no_request() -> None:
    """T33"""
    request = {"intent": "Use tabs", "summary": "Tabs.", "evidence": ["E0001"]}
    result = write(toolbox(), decisions=[decision("E0001")], requests=[request])
    assert "decisions.0.evidence: tool output alone cannot support a decision" in result.text
    assert "requests.0.evidence: a request needs a message of the human" in result.text
    attempt = {"action": "uv sync", "result": "12 packages", "succeeded": True, "evidence": ["E0001"]}
    assert not write(toolbox(), attempts=[attempt]).is_error


def test_a_request_needs_a_humans_words_not_the_assistants_or_an_agents() -> None:
    """T33 T35"""
    session = session_of(("prompt", "Always squash."), ("assistant", "The user wants squash."))
    for evidence in ("M0001", "M0002"):
        box = toolbox(session, 0, 1)
        assert write(box, requests=[{"intent": "Squash", "summary": "Always.", "evidence": [evidence]}]).is_error


def test_what_lacks_support_a_second_time_is_set_aside_and_the_rest_goes_on() -> None:
    """T33 T34: one bad candidate costs neither the good ones nor the run; it is kept with its reason."""
    box = toolbox()
    arrays = {"decisions": [decision("M0001"), decision("E0001", chosen="Use MD5"), decision("M0099", chosen="Gone")]}
    assert write(box, **arrays).is_error
    assert box.dropped == ()
    result = write(box, **arrays)
    assert not result.is_error
    assert "Set aside: `Use MD5`: tool output alone cannot support a decision" in result.text
    assert box.result is not None
    assert len(box.result["decisions"]) == 1
    assert [(each.array, each.what) for each in box.dropped] == [("decisions", "Use MD5"), ("decisions", "Gone")]
    assert "there is no evidence `M0099`" in box.dropped[1].reason


def test_what_is_set_aside_shows_no_secret() -> None:
    """T37"""
    box = toolbox()
    secret = "sk-proj-" + "a1B2" * 8
    for _ in range(2):
        write(box, decisions=[decision("E0001", chosen=f"Use the key {secret}")])
    assert box.dropped
    assert secret not in repr(box.dropped)


def test_memory_that_was_read_back_is_set_aside_at_the_second_try() -> None:
    """T25"""
    box = toolbox()
    for _ in range(2):
        write(box, attempts=[{"action": "Ask", "result": "Tabs", "succeeded": True, "evidence": ["E0002"]}])
    assert box.result == {"decisions": (), "discussions": (), "attempts": (), "requests": ()}
    assert "memory that was read back" in box.dropped[0].reason


def test_recalled_memory_supports_nothing() -> None:
    """T25"""
    result = write(toolbox(), decisions=[decision("M0001", "E0002")])
    assert "E0002 is memory that was read back" in result.text


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"decisions": [decision("M0001", author="me")]}, "decisions.0.author is not a known field"),
        ({"decisions": [decision("M0001", source={"session_id": "x"})]}, "decisions.0.source is not a known field"),
        ({"preferences": []}, "preferences is not a known field (known: decisions"),
        ({"decisions": [decision("M0001", options='["uv", "pip"]')]}, 'not `["uv", "pip"]`'),
        ({"decisions": [decision("M0001", chosen="  ")]}, "decisions.0.chosen must not be empty"),
        ({"decisions": [decision("M0001", chosen=None)]}, "decisions.0.chosen"),
        ({"decisions": {"0": decision("M0001")}}, "decisions: input should be a valid list"),
        ({"decisions": [decision("M0001", chosen="x" * 5_000)]}, "decisions.0.chosen"),
        ({"decisions": [decision(*["M0001"] * 50)]}, "decisions.0.evidence"),
        ({"decisions": [decision("M0001")] * 50}, "decisions: list should have at most 20"),
        ({"decisions": [decision("M0001", evidence="M0001")]}, "decisions.0.evidence"),
        ({"attempts": [{"action": "a", "result": "b", "succeeded": "yes", "evidence": ["E0001"]}]}, "succeeded"),
    ],
)
def test_a_malformed_payload_is_refused_with_the_field_and_the_bad_part(arrays: dict[str, Any], said: str) -> None:
    """T14 T16 T19 T35"""
    box = toolbox()
    result = write(box, **arrays)
    assert result.is_error
    assert said in result.text
    assert len(result.text) < 2_000
    assert not box.finished


def test_what_a_model_says_of_its_own_confidence_is_ignored() -> None:
    """T35: it neither raises a candidate's authority nor costs the candidate."""
    box = toolbox()
    assert not write(box, decisions=[decision("M0001", confidence=1.0, importance="highest", score=99)]).is_error
    assert box.result is not None
    (kept,) = box.result["decisions"]
    assert not {"confidence", "importance", "score"} & kept.model_dump().keys()
    alone = toolbox()
    assert write(alone, decisions=[decision("E0001", confidence=1.0)]).is_error, "tool output still supports none"


def test_all_problems_are_told_at_once() -> None:
    result = write(toolbox(), decisions=[decision("X1"), decision("E0001"), decision("M0044")])
    assert result.text.count("\n- decisions.") == 3


def test_text_is_redacted_and_made_writable_on_its_way_to_staging() -> None:
    """T15 T36"""
    box = toolbox()
    write(box, decisions=[decision("M0001", chosen=f"key {KEY}\x00", rationale="half \ud800 pair")])
    assert box.result is not None
    text = str(box.result["decisions"][0].model_dump())
    assert KEY not in text
    assert "\x00" not in text
    assert text.encode("utf-8")


def test_a_payload_in_another_language_is_sent_back_once_and_then_flagged() -> None:
    """T20"""
    box = toolbox(session_of(("human", "ロックファイルは必ず再現可能にすること。")), 0, 0, "ja")
    first = write(box, decisions=[decision("M0001")])
    assert first.is_error
    assert "Japanese" in first.text
    assert not write(box, decisions=[decision("M0001")]).is_error
    assert box.flags == ("not written in the session's language (ja)",)


def test_a_quotation_in_the_humans_own_language_passes_an_english_session() -> None:
    box = toolbox(session_of(("human", "キャッシュは使わないでください。理由は整合性です。")), 0, 0, "en")
    request = {"intent": "キャッシュは使わない", "summary": "理由は整合性です。", "evidence": ["M0001"]}
    assert not write(box, requests=[request]).is_error
    assert not box.flags
