"""Which words of a message an anchor keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory_core.extract.evidence import anchor_for, collect
from memory_core.extract.excerpts import excerpt
from memory_core.sessions.anchors import FoundBy, resolve
from memory_core.sessions.model import Speaker
from memory_core.staging import EXCERPT_LIMIT
from memory_core.testing import session_of
from memory_core.text import shorten

ROWS = " ".join(f"The importer reads the file number {n} and writes row {n}." for n in range(40))
SAID = "For money use integer cents instead of floats."


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "about"),
    [
        (f"{ROWS} {SAID}", "Use integer cents instead of floats for money"),
        (f"{ROWS}\n\n- first\n- {SAID}\n\n{ROWS}", SAID),
        (f"{ROWS}\r\n{SAID}", SAID),
        (ROWS.replace(".", ",") + " " + SAID, SAID),
        (
            "取り込みは番号順に進む。" * 60 + "金額は必ず整数のセントで保存する。" + "次へ進む。" * 40,
            "金額は整数のセントで保存する",
        ),
        ("导入程序按编号读取文件。" * 60 + "金额一律用整数分存储。", "金额用整数分存储"),
        ("가져오기는 번호 순서로 파일을 읽는다. " * 60 + "금액은 항상 정수로 저장하기.", "금액은 항상 정수로 저장"),
    ],
)
def test_an_excerpt_shows_the_sentence_that_the_candidate_rests_on(text: str, about: str) -> None:
    found = excerpt(text, about)
    key = next(word for word in ("integer cents", "整数のセント", "整数分", "정수로") if word in text)
    assert key in found[:160]
    assert len(found) <= EXCERPT_LIMIT
    assert flat(found.removesuffix("…")) in flat(text)


@pytest.mark.parametrize("about", ["", SAID, "quite another thing", "..."])
def test_what_is_said_at_the_beginning_is_quoted_from_there(about: str) -> None:
    text = f"Before you start: {SAID} {ROWS}"
    assert excerpt(text, about) == shorten(text, EXCERPT_LIMIT)
    assert excerpt("yes", about) == "yes"
    assert excerpt("", about) == ""


def test_a_last_short_sentence_is_quoted_with_what_stands_before_it() -> None:
    """A few words stand in every session: alone they would not be found again."""
    found = excerpt(f"{ROWS} No ORM.", "No ORM")
    assert found.endswith("writes row 39. No ORM.")


def test_what_stands_further_behind_than_a_linter_reads_is_not_quoted() -> None:
    text = f"{ROWS * 30} {SAID}"
    assert excerpt(text, SAID) == shorten(text, EXCERPT_LIMIT)


def test_an_anchor_of_the_middle_of_a_message_is_found_again() -> None:
    session = session_of(("human", "other words"), ("human", f"{ROWS} {SAID} {ROWS}"))
    anchor = anchor_for(collect(session, 1, 1)[0], SAID).plain()
    assert resolve(session.entries, anchor).by is FoundBy.ID
    moved = [replace(entry, native_id=None, sha256="0" * 64) for entry in session.entries]
    found = resolve(moved, anchor)
    assert (found.by, found.entry and found.entry.speaker) == (FoundBy.EXCERPT, Speaker.HUMAN)
    assert found.entry is moved[1]


def test_an_excerpt_of_the_middle_holds_no_secret() -> None:
    key = "sk-proj-" + "a1B2" * 8
    session = session_of(("human", f"{ROWS} For money use integer cents, the key is {key}. {ROWS}"))
    found = anchor_for(collect(session, 0, 0)[0], SAID).excerpt
    assert "integer cents" in found
    assert "a1B2" not in found
