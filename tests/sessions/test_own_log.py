"""Our own session log: the line is the index, the newline is the commit mark."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from memory_core.sessions import own_log
from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.model import EntryKind, Speaker
from memory_core.sessions.pointer import DOMAIN, Pointer, fold

NOW = datetime(2026, 4, 1, 9, tzinfo=UTC)


def start(**extra: Any) -> dict[str, Any]:
    return own_log.session_start(NOW, session_id="s1", agent="omoide", cwd="/w/app", **extra)


def said(text: str) -> dict[str, Any]:
    return own_log.record(EntryKind.USER_MESSAGE, NOW, text=text)


def test_what_is_written_is_what_is_read(read: Any) -> None:
    records = [
        start(session_kind="chat", scope={"tenant": "t"}),
        said("使う #slug\u2028\n"),
        own_log.record(EntryKind.ASSISTANT_MESSAGE, NOW, text="Ok."),
        own_log.record(EntryKind.TOOL_CALL, NOW, call_id="c", name="Read", arguments={"path": "a.py"}),
        own_log.record(EntryKind.TOOL_RESULT, NOW, call_id="c", summary="3 lines", content="1\n2\n3", is_error=True),
        own_log.record(EntryKind.REASONING, NOW, text="Hm."),
        own_log.record(EntryKind.SYSTEM, NOW, text="expanded", subtype="expansion"),
        own_log.record(EntryKind.USAGE, NOW, input_tokens=5, output_tokens=2),
        own_log.extension(NOW, "any.domain", [1, {"a": None}]),
    ]
    session = read(own_log.encode(records))
    assert [str(e.kind) for e in session.entries] == [r["kind"] for r in records]
    assert [e.native_id for e in session.entries] == [r["id"] for r in records]
    assert [e.line for e in session.entries] == list(range(9))
    assert [str(e.speaker) for e in session.entries][:5] == ["system", "human", "assistant", "assistant", "tool"]
    assert session.entries[3].paths == ("a.py",)
    assert (session.entries[4].text, session.entries[4].content, session.entries[4].is_error) == (
        "3 lines",
        "1\n2\n3",
        True,
    )
    assert session.entries[6].subtype == "expansion"
    assert session.extensions == (("any.domain", [1, {"a": None}]),)
    assert (session.session_id, session.session_kind, session.scope, session.cwds) == (
        "s1",
        "chat",
        {"tenant": "t"},
        ("/w/app",),
    )


def test_b5_the_newest_pointer_that_parses_wins(read: Any) -> None:
    payloads = [Pointer(3, "a").payload(), Pointer(7, None).payload(), {"processed_through_entry": "x"}, "nonsense"]
    records = [start(), *(own_log.extension(NOW, DOMAIN, payload) for payload in payloads)]
    assert fold(read(own_log.encode(records)).extensions) == Pointer(7, None)


def test_an_unterminated_tail_is_not_committed_even_when_it_is_whole(read: Any) -> None:
    data = own_log.encode([start(), said("One.")]) + own_log.encode([said("Two.")]).rstrip(b"\n")
    session = read(data)
    assert [e.text for e in session.entries][1:] == ["One."]
    assert session.repairs["unfinished_tail"] > 0
    assert session.gaps == ()


def test_a_bad_line_is_a_gap_with_an_index_of_its_own(read: Any) -> None:
    good = own_log.encode([start(), said("One.")])
    session = read(good + b'{"kind": broken\n' + b"\n" + own_log.encode([said("Two.")]))
    assert [(e.index, e.subtype) for e in session.entries] == [
        (0, None),
        (1, None),
        (2, "gap"),
        (3, "blank"),
        (4, None),
    ]
    assert [entry.line for entry in session.entries] == [0, 1, 2, 3, 4]
    assert [gap.line for gap in session.gaps] == [2]


def test_a_record_behind_a_torn_one_keeps_its_lines_index(read: Any) -> None:
    torn = own_log.encode([start()]) + b'{"kind":"user_message","te' + own_log.encode([said("Whole.")])
    session = read(torn)
    assert [e.text for e in session.entries] == ["", "Whole."]
    assert len(session.gaps) == 1


def test_a_second_record_on_a_line_is_reported(read: Any) -> None:
    data = own_log.encode([start()]).rstrip(b"\n") + own_log.encode([said("Lost?"), said("Next.")])
    session = read(data)
    assert [str(e.kind) for e in session.entries] == ["session_start", "user_message"]
    assert session.entries[1].text == "Next."
    assert [gap.reason for gap in session.gaps] == ["a second record on the same line"]


def test_a_log_whose_first_line_is_damaged_is_still_ours(read: Any) -> None:
    session = read(b"\xff garbage\n" + own_log.encode([said("One.")]), name="file-id")
    assert (session.agent, session.session_id, session.entries[1].text) == ("omoide", "file-id", "One.")


def test_unknown_kinds_and_wrong_types_lose_only_themselves(read: Any) -> None:
    odd = [{"kind": "hologram", "id": 5}, {"kind": "user_message", "text": 7, "ts": 1_775_000_000_000}, {"no": "kind"}]
    session = read(start(), *odd, said("One."))
    assert [e.subtype for e in session.entries] == [None, "unknown", None, "unknown", None]
    assert session.entries[2].ts == "2026-03-31T23:33:20.000Z"
    assert session.skipped == {"unknown:hologram": 1, "unknown:no kind": 1}


def test_injected_memory_in_a_turn_is_not_the_persons(read: Any) -> None:
    block = "<omoide-memory>\n#slug: use tabs\n</omoide-memory>"
    session = read(start(), said(f"Go on.\n{block}"), said(block))
    assert [(str(e.speaker), e.text) for e in session.entries][1:] == [("human", "Go on."), ("system", block)]


def test_in_a_sub_agents_session_the_agent_is_asking(read: Any) -> None:
    session = read(start(session_kind="subagent"), said("Look."))
    assert (str(session.entries[1].speaker), session.entries[1].subtype) == ("assistant", "subagent_prompt")


def test_a_record_without_what_its_kind_needs_is_refused() -> None:
    with pytest.raises(ValueError, match="call_id, name"):
        own_log.record(EntryKind.TOOL_CALL, NOW, arguments={})


@pytest.mark.parametrize("payload", [object(), float("nan")])
def test_what_is_no_json_is_refused(payload: Any) -> None:
    with pytest.raises(ValueError, match=r"JSON"):
        own_log.encode([own_log.extension(NOW, "d", payload)])


def test_lone_surrogates_are_never_written() -> None:
    line = own_log.encode([said("x\udcb2")])
    assert json.loads(line)["text"] == "x\ufffd"


def test_long_tool_output_is_kept_compressed_and_given_back_whole() -> None:
    """A log of hundreds of megabytes must not fill the memory; no part of a result may be lost for that."""
    builder = SessionBuilder("omoide", "omoide")
    texts = [f"{number} " + "結果 \udcb2 line\n" * 700_000 for number in range(3)]
    for text in texts:
        builder.add(EntryKind.TOOL_RESULT, Speaker.TOOL, "summary", None, content=text)
    assert [entry.output for entry in builder.entries] == texts
    assert builder.entries[0].packed is None, "short sessions keep their output as it is"
    assert builder.entries[2].packed is not None
    assert len(builder.entries[2].packed) < len(texts[2]) / 10
