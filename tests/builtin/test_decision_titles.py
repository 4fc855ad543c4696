"""What a decision's record is called: a sentence, without the reason that hangs on it; and asks that are choices."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.decision_title import title_and_reason
from memory_core.providers.builtin.wording import titled
from memory_core.staging import Anchor, CandidateRef, Decision, StagingSource
from tests.builtin.test_builtin_real_talk import _found


def told(chosen: str, why: str = "", options: tuple[str, ...] = (), excerpt: str = "ok") -> tuple[str, str]:
    anchor = Anchor(
        evidence_id="M0001", entry_range=(0, 0), kind="message", speaker="human", sha256="0" * 64, excerpt=excerpt
    )
    decision = Decision(options=options, chosen=chosen, rationale=why, evidence=(anchor,))
    source = StagingSource(session_id="s1", range=(0, 0), agent="codex")
    return title_and_reason(CandidateRef("f/decisions/0", "decisions", decision, source), decision)


@pytest.mark.parametrize(
    ("chosen", "options", "excerpt", "title"),
    [
        ("pdfplumber", ("pdfplumber", "PyMuPDF"), "ok", "Use pdfplumber instead of PyMuPDF"),
        ("Redis", ("Redis", "memcached", "DB2"), "ok", "Use Redis"),
        ("redis", ("redis", "memcached"), "Should I use redis or memcached?", "Use redis instead of memcached"),
        ("archive", ("archive", "delete"), "Should I archive or delete them?", "Archive"),
        ("Signed link by mail", ("Signed link by mail", "Download page"), "ok", "Signed link by mail"),
        ("CSV", (), "ok", "CSV"),
    ],
)
def test_a_picked_name_becomes_a_sentence(chosen: str, options: tuple[str, ...], excerpt: str, title: str) -> None:
    assert told(chosen, options=options, excerpt=excerpt) == (title, "")


@pytest.mark.parametrize(
    ("chosen", "title", "why"),
    [
        (
            "Let's go with pdfplumber, the license of PyMuPDF is a problem.",
            "Go with pdfplumber",
            "the license of PyMuPDF is a problem.",
        ),
        ("We'll go with Postgres because of the JSON columns", "Go with Postgres", "because of the JSON columns"),
        ("Use Vitest, Jest is too slow", "Use Vitest", "Jest is too slow"),
        # What only looks like a reason is part of what holds.
        (
            "Store amounts as integers, the API returns strings",
            "Store amounts as integers, the API returns strings",
            "",
        ),
        ("Keep functions small, max 40 lines", "Keep functions small, max 40 lines", ""),
        ("ログは英語で書く、翻訳は不要", "ログは英語で書く、翻訳は不要", ""),
    ],
)
def test_a_reason_behind_a_comma_is_no_part_of_the_title(chosen: str, title: str, why: str) -> None:
    assert told(chosen) == (title, why)


def test_a_second_reason_stays_where_it_was_said() -> None:
    assert told("Use Vitest, Jest is too slow", "It reads our config.") == (
        "Use Vitest, Jest is too slow",
        "It reads our config.",
    )


@pytest.mark.parametrize(
    ("said", "array", "title"),
    [
        ("We want to keep Python 3.9 support.", "decisions", "Keep Python 3.9 support"),
        ("we'll have to stay compatible with Node 18", "decisions", "Stay compatible with Node 18"),
        (
            "We have to keep backwards compatibility with v1 of the API",
            "decisions",
            "Keep backwards compatibility with",
        ),
        ("We'll need to support Python 3.9 until the end of the year.", "requests", "Support Python 3.9 until"),
        ("We need to support Windows too.", "requests", "Support Windows too"),
    ],
)
def test_what_is_to_go_on_is_a_decision_and_what_is_to_come_a_request(said: str, array: str, title: str) -> None:
    (found,) = _found(f"H: {said}\nA: Understood.")
    assert found.array == array
    assert titled(str(found.fields["chosen" if array == "decisions" else "intent"])).startswith(title)


@pytest.mark.parametrize(
    "said",
    [
        "We want to keep support in the loop.",
        "do we want to keep Python 3.9 support?",
        "maybe we want to keep Python 3.9 support",
        "We need to support this.",
    ],
)
def test_what_only_sounds_like_it_is_no_decision(said: str) -> None:
    assert [found for found in _found(f"H: {said}\nA: OK.") if found.array == "decisions"] == []


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ("ログは必ずJSONで出してください", "ログは必ずJSONで出す"),
        ("一時ファイルは消しておいて", "一時ファイルは消す"),
        ("全部消してください", "全部消す"),
        ("元の値に戻しましょう", "元の値に戻す"),
        ("設定から読み出してほしい", "設定から読み出す"),
        ("重複を減らしてください", "重複を減らす"),
        ("レベルを落としてください", "レベルを落とす"),
        ("重複をなくしてください", "重複をなくす"),
        ("エラーの表示を直してください", "エラーの表示を直す"),
        ("一覧を表示してください", "一覧を表示する"),
        ("依存を解消してください", "依存を解消する"),
        ("キャッシュ化してください", "キャッシュ化する"),
        ("毎回ビルドしてください", "毎回ビルドする"),
        ("commitしてください", "commitする"),
        ("通知はオフにしてください", "通知はオフにする"),
        ("名前を短くしてください", "名前を短くする"),
        ("空ならnullとしてください", "空ならnullとする"),
        ("確認は必ずしてください", "確認は必ずする"),
        ("テストもしてください", "テストもする"),
    ],
)
def test_a_japanese_verb_keeps_its_own_ending(asked: str, title: str) -> None:
    """`残してください` became `残する`, which is no word."""
    assert titled(asked) == title
