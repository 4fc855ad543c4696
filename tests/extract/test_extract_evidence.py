"""What is evidence of a slice, and the anchors made of it."""

from __future__ import annotations

from dataclasses import replace

from memory_core.extract.evidence import anchor_for, anchors_for, artifacts, collect
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.staging import EXCERPT_LIMIT
from memory_core.testing import session_of

SESSION = session_of(
    ("human", "Use uv, not pip."),
    ("reasoning", "SECRET THOUGHT"),
    ("call", "Bash", "uv sync"),
    ("result", "Resolved 12 packages"),
    ("assistant", "Done, I use uv."),
    ("system", "hook output"),
    ("summary", "Earlier: the human said to delete everything."),
)


def items(session: Session = SESSION, start: int = 0, end: int | None = None) -> list[tuple[str, tuple[int, int], str]]:
    found = collect(session, start, len(session.entries) - 1 if end is None else end)
    return [(item.id, item.entries, item.speaker.value) for item in found]


def test_messages_and_tool_pairs_get_ids_in_order() -> None:
    """A1 A3"""
    assert items() == [("M0001", (0, 0), "human"), ("E0001", (2, 3), "tool"), ("M0002", (4, 4), "assistant")]


def test_ranges_are_indices_of_the_session_also_in_a_later_slice() -> None:
    """Bug of the older system: ranges relative to the slice cannot be resolved later."""
    assert items(start=4) == [("M0001", (4, 4), "assistant")]


def test_reasoning_system_text_and_compaction_summaries_are_no_evidence() -> None:
    """A4"""
    text = "".join(item.text for item in collect(SESSION, 0, 6))
    assert "SECRET THOUGHT" not in text
    assert "hook output" not in text
    assert "delete everything" not in text


def test_an_agent_prompting_an_agent_is_the_assistants_words() -> None:
    session = session_of(("prompt", "Find all callers of parse()."), ("assistant", "Found three."))
    first, _ = collect(session, 0, 1)
    assert first.speaker is Speaker.ASSISTANT
    assert first.is_prompt


def test_injected_memory_is_cut_out_of_a_message_and_a_message_of_it_alone_is_none() -> None:
    """T25"""
    session = session_of(
        ("human", "Go on. <omoide-memory date='2026-01-01'>Always use tabs.</omoide-memory> Thanks."),
        ("human", "<omoide-memory>Always use tabs.</omoide-memory>"),
        ("human", "<omoide-memory>cut off: always use tabs."),
    )
    (only,) = collect(session, 0, 2)
    assert only.text == "Go on.  Thanks."


def test_what_a_person_says_after_naming_the_tag_is_heard() -> None:
    """Everything behind it was taken for a block that was cut off, and passed over."""
    texts = (
        "We write `<omoide-memory>` today. From now on write plain fences.",
        "<omoide-memory>tabs</omoide-memory> Use `<omoide-memory>` no more.",
        "Fine.\n  <omoide-memory kind='x'>\ncut off: tabs\n\nmore tabs",
    )
    found = collect(session_of(*(("human", text) for text in texts)), 0, 2)
    assert [item.text for item in found] == [texts[0], "Use `<omoide-memory>` no more.", "Fine."]


def test_what_memory_tools_answered_is_marked_as_recalled() -> None:
    """T25"""
    session = session_of(
        ("call", "mcp__omoide__MemoryRead", "x"),
        ("result", "Always use tabs."),
        ("call", "Bash", "cd x && omoide read knowledge tabs"),
        ("result", "Always use tabs."),
        ("call", "Bash", "omoide lint"),
        ("result", "fine"),
    )
    assert [item.recalled for item in collect(session, 0, 5)] == [True, True, False]


def test_parallel_calls_are_paired_by_call_id() -> None:
    session = session_of(("call", "A", "a"), ("call", "B", "b"), ("result", "ra"), ("result", "rb"))
    assert items(session) == [("E0001", (0, 2), "tool"), ("E0002", (1, 3), "tool")]


def test_a_pair_cut_by_the_slice_gives_an_item_on_each_side() -> None:
    session = session_of(("call", "A", "a"), ("result", "ra"))
    assert items(session, 0, 0) == [("E0001", (0, 0), "tool")]
    assert items(session, 1, 1) == [("E0001", (1, 1), "tool")]


def test_repeated_call_ids_never_lose_or_double_an_entry() -> None:
    call = Entry(0, EntryKind.TOOL_CALL, Speaker.ASSISTANT, "x", call_id="c", tool="A")
    result = Entry(0, EntryKind.TOOL_RESULT, Speaker.TOOL, "y", call_id="c")
    session = session_of(result, call, call, result, result)
    covered = [index for item in collect(session, 0, 4) for index in {e.index for e in (item.call, item.result) if e}]
    assert sorted(covered) == [0, 1, 2, 3, 4]


def test_an_answer_hidden_in_a_tool_result_is_the_humans_message() -> None:
    call = Entry(0, EntryKind.TOOL_CALL, Speaker.ASSISTANT, "Which one?", call_id="c", tool="AskUserQuestion")
    answer = Entry(
        0, EntryKind.TOOL_RESULT, Speaker.HUMAN, "Which one? → SQLite", call_id="c", subtype="question_answer"
    )
    assert items(session_of(call, answer)) == [("E0001", (0, 0), "tool"), ("M0001", (1, 1), "human")]


def test_an_anchor_names_place_speaker_and_hash_and_its_excerpt_is_bounded() -> None:
    """A9"""
    long = "word " * 500
    session = session_of(("human", long))
    anchor = anchor_for(collect(session, 0, 0)[0])
    assert (anchor.evidence_id, anchor.entry_range, anchor.kind, anchor.speaker) == (
        "M0001",
        (0, 0),
        "message",
        "human",
    )
    assert anchor.native_id == "n0"
    assert anchor.sha256 == session.entries[0].sha256
    assert len(anchor.excerpt) <= EXCERPT_LIMIT


def test_an_anchor_of_a_tool_item_has_call_id_tool_and_path_and_never_the_full_result() -> None:
    """A4 A9"""
    session = session_of(("call", "Edit", "src/a.py"), ("result", "edited", "FULL CONTENT"))
    session = replace(session, entries=(replace(session.entries[0], paths=("src/a.py",)), session.entries[1]))
    anchor = anchor_for(collect(session, 0, 1)[0])
    assert (anchor.kind, anchor.call_id, anchor.tool, anchor.path) == ("tool_result", "call-0", "Edit", "src/a.py")
    assert anchor.entry_range == (0, 1)
    assert "FULL CONTENT" not in anchor.excerpt


def test_secrets_never_reach_an_item_or_an_anchor() -> None:
    """T36"""
    key = "sk-proj-" + "a1B2" * 8
    session = session_of(("human", f"the key is {key}"), ("call", "Bash", "env"), ("result", f"OPENAI={key}"))
    found = collect(session, 0, 2)
    assert key not in "".join(item.text for item in found)
    assert key not in "".join(anchor.excerpt for anchor in anchors_for(found))


def test_artifacts_named_in_a_message_become_anchors_of_their_own() -> None:
    """A9"""
    session = session_of(
        ("human", "Fix issue #42 as in https://github.com/o/r/pull/7, see ABC-12 and commit 1a2b3c4d.")
    )
    (item,) = collect(session, 0, 0)
    assert artifacts(item) == ["#42", "https://github.com/o/r/pull/7", "ABC-12", "1a2b3c4d"]
    anchors = anchors_for([item])
    assert [anchor.kind for anchor in anchors] == ["message", "artifact_ref", "artifact_ref", "artifact_ref"]
    assert anchors[0].ref == "#42"


def test_slugs_encodings_and_colors_are_no_artifacts() -> None:
    session = session_of(("human", "See #retry-policy, UTF-8, SHA-256, #fff and #123-abc; x-ray; version v1-2."))
    assert artifacts(collect(session, 0, 0)[0]) == []


def test_half_surrogates_and_nul_do_not_survive() -> None:
    """T15"""
    (item,) = collect(session_of(("human", "a\ud800b\x00c")), 0, 0)
    assert item.text.encode("utf-8")
    assert "\x00" not in item.text
