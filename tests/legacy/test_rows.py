"""Legacy rows as they are found: every shape, every damage, and what each is taken for."""

from __future__ import annotations

import json

import pytest

from memory_core.legacy.judge import RowClass, class_of, expired_by, movable
from memory_core.legacy.row import Row, row_from
from memory_core.legacy.texts import json_rows, markdown_rows, rows_of

AT = "2026-01-31T09:00:00Z"


def line(**values: object) -> str:
    return json.dumps(values, ensure_ascii=False) + "\n"


SHAPES: dict[str, tuple[dict[str, object], RowClass]] = {
    "keyed user turn": ({"key": "user_msg_1f2e", "content": "Use tabs, please."}, RowClass.USER),
    "fixed key": ({"key": "user_msg", "content": "The last turn only."}, RowClass.USER),
    "answer": ({"key": "assistant_resp_3", "content": "Done."}, RowClass.ASSISTANT),
    "channel key": ({"key": "telegram_55_1", "content": "hello from a phone"}, RowClass.USER),
    "webhook key": ({"key": "webhook_msg_7", "content": "a build failed"}, RowClass.USER),
    "category": ({"key": "x", "category": "Conversation", "content": "I live in Kyoto."}, RowClass.USER),
    "curated": ({"key": "editor", "category": "core", "content": "Prefers vim."}, RowClass.CURATED),
    "daily": ({"key": "2026-01-31", "category": "daily", "content": "Went to the dentist."}, RowClass.CURATED),
    "recalled": ({"key": "user_msg_2", "content": "[Memory context]\n- user_msg_1: hi"}, RowClass.NOISE),
    "our own fence": ({"key": "user_msg_3", "content": '<omoide-memory kind="x">a</omoide-memory>'}, RowClass.NOISE),
    "tool markup": ({"key": "user_msg_4", "content": "<tool_result>ok</tool_result>"}, RowClass.NOISE),
    "huge": ({"key": "user_msg_5", "content": "a" * 70_000}, RowClass.OVERSIZE),
    "blank": ({"key": "user_msg_6", "content": "  "}, RowClass.EMPTY),
    "no text": ({"key": "user_msg_7"}, RowClass.DAMAGED),
    "something else": ({"key": "note", "content": "Something."}, RowClass.UNKNOWN),
    "role": ({"role": "assistant", "text": "Sure."}, RowClass.ASSISTANT),
}


@pytest.mark.parametrize(("values", "expected"), SHAPES.values(), ids=SHAPES.keys())
def test_each_shape_is_taken_for_what_it_is(values: dict[str, object], expected: RowClass) -> None:
    assert class_of(row_from(values, "a.jsonl", 0)) is expected


def test_a_truncated_last_line_is_a_damaged_row_and_the_rest_is_read() -> None:
    rows = json_rows("a.jsonl", (line(key="user_msg_1", content="one") + '{"key": "user_msg_2", "con').encode())
    assert [row.content for row in rows] == ["one", '{"key": "user_msg_2", "con']
    assert class_of(rows[1]) is RowClass.DAMAGED


def test_mixed_encodings_lose_no_line() -> None:
    data = line(content="日本語").encode() + line(content="日本").encode("shift-jis") + line(content="last").encode()
    rows = json_rows("a.jsonl", data)
    assert len(rows) == 3
    assert [bool(row.damaged) for row in rows] == [False, True, False]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_understood(encoding: str) -> None:
    rows = json_rows("a.jsonl", (line(content="née") + line(content="二")).encode(encoding))
    assert [row.content for row in rows] == ["née", "二"]


@pytest.mark.parametrize(
    "text", ['[{"content": "a"}, {"content": "b"}, 3]', '{"memories": [{"content": "a"}, {"content": "b"}, 3]}']
)
def test_a_whole_document_is_read_as_rows(text: str) -> None:
    rows = json_rows("a.json", text.encode())
    assert [row.content for row in rows] == ["a", "b", "3"]
    assert rows[2].damaged


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\x00\x00", b"\xff\xfe", b"[", b"{" * 3000, b"null", b"\xef\xbb\xbf"])
def test_no_bytes_raise(data: bytes) -> None:
    for name in ("a.jsonl", "a.md", "a.json"):
        for row in rows_of(name, data):
            class_of(row)


def test_markdown_bullets_and_headings_are_rows_with_all_their_lines() -> None:
    text = "intro\n- **user_msg_1**: first\n  second line\n\n# Title\nbody\n- **editor**: vim\n"
    rows = markdown_rows("MEMORY.md", text.encode())
    assert [(row.key, row.content, row.line) for row in rows] == [
        ("", "intro", 0),
        ("user_msg_1", "first\n  second line", 1),
        ("Title", "body", 4),
        ("editor", "vim", 6),
    ]
    assert class_of(rows[1]) is RowClass.USER


def test_an_id_fits_one_text_at_one_place() -> None:
    row = Row("a", 1, content="x")
    assert len({row.id, Row("a", 1, content="y").id, Row("a", 2, content="x").id}) == 3
    assert row.id == Row("a", 1, content="x").id


def test_a_row_moves_only_when_all_of_its_origin_is_certain() -> None:
    whole = {"key": "user_msg_1", "content": "hi", "session_id": "s", "agent": "codex", "timestamp": AT}
    assert movable(row_from(whole, "a", 0)) == ""
    for name in ("session_id", "agent", "timestamp"):
        assert movable(row_from({key: value for key, value in whole.items() if key != name}, "a", 0))
    assert movable(row_from(whole | {"key": "user_msg"}, "a", 0))
    assert movable(row_from(whole | {"timestamp": "2026-01-31 09:00"}, "a", 0))
    assert movable(row_from(whole | {"content": "[Memory context] x"}, "a", 0))


def test_duplicates_keep_the_first_and_only_within_a_source_and_session() -> None:
    rows = [
        Row("a", 0, content="same", role="user"),
        Row("a", 1, content="same ", role="user"),
        Row("a", 2, content="same", session="other", role="user"),
        Row("b", 0, content="same", role="user"),
    ]
    assert expired_by("duplicates", rows) == {rows[1].id}
