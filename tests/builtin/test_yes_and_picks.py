"""A yes that was none, an option that is named to turn it down, an answer that answers nothing; each beside the real
one."""

from __future__ import annotations

import pytest

from memory_core.extract.task import Slice
from memory_core.providers.builtin.extract import find
from memory_core.providers.builtin.passing import turned_down, unanswered, withheld
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from tests.builtin.test_builtin_real_talk import _found

_ASKED = "A: Sessions are slow on disk. Should I move the user sessions to a Redis cluster?\n"
_OPTIONS = (
    "A: Options:\n1. Postgres full text search\n2. LIKE queries with a trigram index\n3. Elasticsearch\nWhich one?\n"
)
_PLAN = "A: Plan:\n1. Add a `deleted_at` column\n2. Hard-delete rows after 30 days\n3. Anonymize the audit log\nOK?\n"
_INLINE = "A: We could 1. add an index on orders 2. cache the query 3. denormalize the table. Which one?\n"


def _decisions(text: str) -> list[str]:
    return [str(finding.fields["chosen"]) for finding in _found(text) if finding.array == "decisions"]


@pytest.mark.parametrize(
    "said",
    [
        "ok, I'll think about it",
        "sure, but let me ask Dana first",
        "yes I saw that too, hold on",
        "makes sense, I didn't know that. don't change anything though, I just wanted to know",
        "ok so that would be the clean way, but the mobile app needs JWTs so no",
        "ok good to know. commit what we have",
        "yes that's what hangs",
        "sure, if finance signs off",
        "looks good, merging the PR. the runner thing is another story",
        "perfect! that was the last blocker. I'm off",
        "yes I tried that yesterday, didn't help",
        "sure, one day. for now just fix the broken link",
        "yeah no, there are duplicates",
        "Sure that's safe? there are duplicates",
        "yes. wait no, the iOS app still uses them",
        "sure... if you want to get me fired. they stay",
        "yes, eventually. not in this release",
        "ok so that's why. I was confused",
        "ok interesting, saving this for later",
        "yes haha I wish",
    ],
)
def test_yes_that_was_none_decides_nothing(said: str) -> None:
    assert _decisions(f"{_ASKED}H: {said}\nA: OK.") == []


@pytest.mark.parametrize(
    "said",
    [
        "yes",
        "yes please :)",
        "yes, that's what the ops people use anyway",
        "yes, I was going to suggest that",
        "ok, let me know when it's done",
        "yes but no TTL above a day",
        "ok, let me see the result then",
        "yes, wait for the release first if you can",
        "sure, one day retention is enough",
        "yes, thanks",
        "go ahead, it is slow because of the disk",
    ],
)
def test_yes_with_more_behind_it_still_decides(said: str) -> None:
    assert any("Redis" in chosen for chosen in _decisions(f"{_ASKED}H: {said}\nEDIT: a.py\nA: Done.")), said


@pytest.mark.parametrize(
    ("rest", "none"),
    [
        ("ちょっと考えます", True),
        ("ただ田中さんに確認してからで", True),
        ("件数は100件で", False),
        ("我考虑一下", True),
        ("不过我先问问组长", True),
        ("以后都这样", False),
        ("保留原来的接口", False),
        ("생각해 볼게요", True),
        ("근데 팀장님께 먼저 물어볼게요", True),
        ("안 되면 롤백해 주세요", False),
        ("eventually consistent is fine", False),
        ("they stay in the old table", False),
    ],
)
def test_words_behind_a_yes_tell_whether_it_was_one(rest: str, none: bool) -> None:
    assert withheld(rest) is none


@pytest.mark.parametrize(
    "said",
    [
        "option 2 is too slow, we had that before",
        "3 is not possible",
        "1 is what we already have",
        "2 is nice but doesn't work through pgbouncer",
        "first, show me where the client is created",
        "Option 1 for me would mean changing the log shipper, so no idea yet",
        "2 and 1 both look unmaintained to me",
        "2 is overkill for one customer",
    ],
)
def test_option_that_is_named_to_turn_it_down_is_not_taken(said: str) -> None:
    assert _decisions(f"{_OPTIONS}H: {said}\nA: OK.") == []


@pytest.mark.parametrize(
    "said",
    [
        "2",
        "2 is fine",
        "2 is fine but don't touch the importer",
        "option 2 is the least work",
        "2 sounds good",
        "2 is what we want",
        "2 it is",
        "the second one, it's simpler",
    ],
)
def test_option_that_is_praised_is_taken(said: str) -> None:
    assert any("trigram" in chosen for chosen in _decisions(f"{_OPTIONS}H: {said}\nEDIT: a.py\nA: Done.")), said


@pytest.mark.parametrize(
    ("rest", "language", "down"),
    [
        ("은 너무 느려, 전에 해 봤어", "ko", True),
        ("이 좋아요", "ko", False),
        ("は遅すぎる", "ja", True),
        ("がいいです", "ja", False),
        ("太慢了", "zh", True),
        ("吧", "zh", False),
    ],
)
def test_words_behind_a_label_tell_whether_it_is_taken(rest: str, language: str, down: bool) -> None:
    assert turned_down(rest, language) is down


@pytest.mark.parametrize(
    ("asked", "said", "chosen"),
    [
        (_PLAN, "yes but not 2, legal wants to keep the rows", "Add a `deleted_at` column; Anonymize the audit log"),
        (_INLINE, "1 and 3 yes. leave the query alone", "add an index on orders; denormalize the table"),
        (_INLINE, "1 and 3.", "add an index on orders; denormalize the table"),
        (_INLINE, "1, we measured it", "add an index on orders"),
        (
            "A: 計画です。1. 列を追加 2. 30日後に物理削除 3. 監査ログを匿名化。これで進めてよいですか？\n",
            "はい、ただし2はなしで",
            "列を追加; 監査ログを匿名化",
        ),
    ],
)
def test_plan_that_is_taken_in_part_names_what_was_taken(asked: str, said: str, chosen: str) -> None:
    assert _decisions(f"{asked}H: {said}\nEDIT: a.sql\nA: Done.") == [chosen]


def _to_the_tool(answer: str) -> list[str]:
    asked = "Which database should we use?"
    options = [{"label": "Postgres", "description": ""}, {"label": "SQLite", "description": ""}]
    questions = {"questions": [{"question": asked, "options": options}]}
    entries = (
        Entry(
            0, EntryKind.TOOL_CALL, Speaker.ASSISTANT, asked, call_id="c", tool="AskUserQuestion", arguments=questions
        ),
        Entry(
            1,
            EntryKind.USER_MESSAGE,
            Speaker.HUMAN,
            f"{answer} (asked: {asked})",
            call_id="c",
            subtype="question_answer",
        ),
    )
    view = Slice(Session("s", "test", None, entries=entries), 0, 1, "en")
    return [str(finding.fields["chosen"]) for finding in find(view)]


@pytest.mark.parametrize("answer", ["Postgres", "Postgres, we know it", "MySQL 8, we run it already"])
def test_answer_to_the_question_tool_decides(answer: str) -> None:
    assert [answer in chosen for chosen in _to_the_tool(answer)] == [True]


@pytest.mark.parametrize(
    "answer", ["You decide", "not Postgres, it was a pain", "what would you take?", "maybe SQLite"]
)
def test_answer_to_the_question_tool_that_answers_nothing_decides_nothing(answer: str) -> None:
    assert _to_the_tool(answer) == []


@pytest.mark.parametrize(
    ("answer", "nothing"),
    [
        ("I don't know yet, what would you recommend?", True),
        ("neither, I have to ask ops", True),
        ("You decide", True),
        ("skip this for now", True),
        ("What is the difference?", True),
        ("not Postgres, it was a pain", True),
        ("Chat about this", True),
        ("分からない", True),
        ("後で決めます", True),
        ("随便", True),
        ("알아서 해 주세요", True),
        ("MySQL 8, we run it already", False),
        ("Pass the id as a header", False),
        ("Choose at runtime from an env variable", False),
        ("No rows at all for guests", False),
        ("MariaDB を使う", False),
    ],
)
def test_free_answer_that_leaves_a_question_open_is_told(answer: str, nothing: bool) -> None:
    assert unanswered(answer) is nothing
