"""The rules in the languages they know: rules of several parts, names, descriptions, the headings of the summary."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.consolidate.clauses import clash, clauses, part_says
from memory_core.consolidate.similar import Opposition, same_sense, score
from memory_core.lint.check import check_all
from memory_core.providers.builtin.naming import description_for, slug_for
from memory_core.providers.builtin.wording import titled
from memory_core.records.schema import SUMMARY, Kind, Status
from memory_core.staging import Discussion
from tests.consolidate.test_consolidate_builtin import actions, record, slugs, summary

B = Any


@pytest.mark.parametrize(
    ("rule", "again"),
    [
        (
            "From now on, never commit directly to main, always open a pull request",
            ("Don't commit to main directly", "Always open a pull request"),
        ),
        (
            "これからは main に直接コミットしないで、必ずプルリクエストを作って",
            ("main に直接コミットしないで", "必ずプルリクエストを作ること"),
        ),
        ("以后不要直接提交到 main，必须先开合并请求", ("不要直接提交到 main", "必须先开合并请求")),
        (
            "앞으로 main에 직접 커밋하지 말고 항상 풀 리퀘스트를 만들어 줘",
            ("main에 직접 커밋하지 마", "항상 풀 리퀘스트를 만들어"),
        ),
    ],
)
def test_two_sessions_that_settle_one_rule_end_with_one_knowledge_record(
    bench: B, make: B, rule: str, again: tuple[str, ...]
) -> None:
    """Issue 7, done when: said again part by part, it is no second record and no contradiction; never resident."""
    bench.stage(make.staged(1, make.decided(rule, 3)))
    bench.run(run_id="one")
    words = "。".join(again)
    bench.stage(make.staged(2, *(make.decided(text, 9, words) for text in again)))
    run = bench.run(run_id="two")
    assert set(actions(run).values()) <= {"applied", "already_covered"}
    (slug,) = slugs(bench, Kind.KNOWLEDGE)
    assert slugs(bench, Kind.DECISION) == []
    found = record(bench, Kind.KNOWLEDGE, slug)
    assert [s.session_id for s in found.sources] == ["session-1", "session-2"]
    assert found.value("model_invokation") is False
    assert check_all(bench.store.load()) == {}


def test_a_condition_binds_the_parts_of_a_sentence() -> None:
    """`Run make lint` is not what `when the tests fail, run make lint` says."""
    assert len(clauses("Never log tokens, always mask them")) == 2
    assert len(clauses("When the tests fail, run make lint twice")) == 1
    assert len(clauses("Use 1,000 rows")) == 1
    assert not part_says("When the tests fail, run make lint twice", "Run make lint twice")
    assert part_says("Never log tokens, always mask them", "Do not log tokens")
    assert not part_says("Keep 3 backups, delete the rest", "Keep 5 backups")


def test_who_denies_one_part_takes_back_no_more_than_that() -> None:
    rule = "Never commit to main, always open a pull request"
    assert clash("Always open a pull request", rule) is Opposition.NONE
    assert clash("Do not open a pull request", rule) is Opposition.PARTLY
    assert clash("Do not open a pull request", "Open a pull request") is Opposition.EQUAL


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ログにメールアドレスを残さないこと", "ログにメールアドレスを残さないでください"),
        ("ログは JSON Lines で保存する", "ログは JSON Lines で保存してください"),
        ("로그에 이메일 주소를 남기지 말 것", "로그에 이메일 주소를 남기지 마세요"),
        ("반드시 테스트를 먼저 실행해 주세요", "테스트를 먼저 실행할 것"),
    ],
)
def test_who_asks_whom_is_not_what_is_said(one: str, other: str) -> None:
    assert score(one, other) >= 88
    assert same_sense(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("ログを残す", "ログを残さない"), ("Redis를 쓰자", "Redis를 쓰지 말자"), ("记录日志", "不要记录日志")],
)
def test_a_denial_is_another_sense(one: str, other: str) -> None:
    assert not same_sense(one, other)


@pytest.mark.parametrize(
    ("said", "slug", "when"),
    [
        ("Rename the module billing to invoicing", "rename-module-billing-to-invoicing", "on the module billing."),
        (
            "The nightly export is too slow, it blocks the workers",
            "nightly-export-is-too-slow",
            "on the nightly export.",
        ),
        ("Always run `make lint` before you commit", "always-run-make-lint-before-commit", "Read before you commit."),
        ("Never log request bodies", "never-log-request-bodies", "Read before you log request bodies."),
        ("Money is always Decimal, never float", "money-is-always-decimal", "working on money."),
        ("Use Redis after all instead of SQLite", "use-redis", "working on Redis."),
        ("How should exports reach the user? Signed link by mail", "signed-link-by-mail", "working on exports."),
        ("How should a finished export reach the user? By mail", "finished-export-by-mail", "on the finished export."),
        ("Where should session tokens live? In Redis", "session-tokens-in-redis", "working on session tokens."),
        ("What should the request timeout be? 30 s", "request-timeout-30-s", "working on the request timeout."),
        ("Which database should the service use? Postgres", "database-postgres", "working on the database."),
        ("Which auth method should we use? OAuth", "auth-method-oauth", "working on the auth method."),
        ("How should I handle errors in the importer? Skip and log", "skip-and-log", "working on the importer."),
        ("Keep it", "keep", "Read before proposing another way."),
        (
            "あとで Webhook 送信にリトライを追加してほしい",
            "add-webhook-send-retry",
            "Webhook 送信に手を入れる前に読む。",
        ),
        ("1 の SQLite でいこう", "sqlite-decision", "SQLite に手を入れる前に読む。"),
        ("コンプライアンスの資料を直す", "konpuraiansu-decision", "コンプライアンスの資料に手を入れる前に読む。"),
        ("还是改用 Redis 做导出队列吧", "redis-export-queue", "改动 Redis 之前先读。"),
        ("日志里不要记录用户的邮箱地址", "no-record-log-user-email-address", "改动日志之前先读。"),
        ("로그에 이메일 주소를 남기지 말 것", "no-log-email-address", "로그를 손보기 전에 읽는다."),
    ],
)
def test_names_and_descriptions_read_well(said: str, slug: str, when: str) -> None:
    """Issue 7.5 and 7.11: a name of whole words in English; what it is and when to read it."""
    title = titled(said)
    assert slug_for(Kind.DECISION, title, "2026-06-01", ()) == slug
    description = description_for(title, Kind.DECISION)
    assert description.startswith(title[:20])
    assert description.endswith(when)


def test_a_taken_name_says_more_before_it_takes_figures() -> None:
    text = "Use Redis for the export queue instead of SQLite"
    first = slug_for(Kind.DECISION, text, "2026-06-01", ())
    second = slug_for(Kind.DECISION, text, "2026-06-01", {first})
    third = slug_for(Kind.DECISION, text, "2026-06-01", {first, second})
    assert (first, second) == ("use-redis-for-export-queue", "use-redis-for-export-queue-instead-of-sqlite")
    assert third == "use-redis-for-export-queue-2026-06-01"


def test_the_summary_is_korean_for_korean_sessions(bench: B, make: B) -> None:
    topic = "주문 테이블을 나눌지는 나중에 정하자."
    question = Discussion(topic=topic, points=(topic,), evidence=(make.said(1, topic),))
    bench.stage(make.staged(1, question, make.decided("로그에 이메일 주소를 남기지 말 것", 3), language="ko"))
    assert set(actions(bench.run()).values()) == {"applied"}
    for part in ("# 요약", "## 유효한 결정", "## 미정"):
        assert part in summary(bench)


def test_the_summary_keeps_its_language(bench: B, make: B) -> None:
    """An English session in a Japanese project rewrites no heading, and tidying with nothing staged neither."""
    bench.stage(make.staged(1, make.decided("ログは JSON Lines で保存する", 3), language="ja"))
    bench.run(run_id="one")
    bench.stage(make.staged(2, make.decided("Use SQLite for the queue", 3), language="en"))
    bench.run(run_id="two")
    assert "## 有効な決定" in summary(bench)
    assert "## Decisions" not in summary(bench)
    before = bench.store.load().record(SUMMARY).text
    bench.run(run_id="three")
    assert bench.store.load().record(SUMMARY).text == before


def test_what_was_turned_down_and_is_taken_now_replaces_the_choice(bench: B, make: B) -> None:
    old = make.decided("用 SQLite 做后台队列", 3, options=("用 SQLite 做后台队列", "用 Redis 队列"))
    bench.stage(make.staged(1, old))
    bench.run(run_id="one")
    bench.stage(make.staged(2, make.decided("还是改用 Redis 做导出队列吧", 4)))
    bench.run(run_id="two")
    replaced = record(bench, Kind.DECISION, "sqlite-background-queue")
    assert replaced.status is Status.REPLACED
    assert replaced.replaced_by == "redis-export-queue"
    assert "取代 `decisions/sqlite-background-queue`" in record(bench, Kind.DECISION, "redis-export-queue").body


def test_a_decision_is_found_by_its_terms_where_the_words_between_them_are_others(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided("SQLite でバックグラウンドキューを作る", 3)))
    bench.run(run_id="one")
    bench.stage(make.staged(2, make.decided("やっぱりエクスポートのキューは SQLite をやめて Redis にしよう", 4)))
    bench.run(run_id="two")
    replaced = record(bench, Kind.DECISION, "sqlite-background-queue")
    assert replaced.replaced_by == "export-queue-sqlite-redis"


def test_a_reason_in_the_words_of_the_choice_is_none(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided("Background queue with SQLite", 3, rationale="the SQLite queue")))
    bench.run()
    assert "Why" not in record(bench, Kind.DECISION, "background-queue-with-sqlite").body


def test_what_a_person_promoted_from_an_older_memory_becomes_knowledge(bench: B, make: B) -> None:
    """Asked for by its id: it is not dropped as talk without an outcome."""
    text = "The tax tables come from the ministry every January. They are loaded by hand."
    talk = Discussion(topic="taxes", points=(text,), evidence=(make.said(4, text),))
    file = make.staged(1, talk, session="legacy-0123abcd")
    bench.stage(file.model_copy(update={"source": file.source.model_copy(update={"log": "old/memory.jsonl"})}))
    assert actions(bench.run()) == {"discussions/0": "applied"}
    (slug,) = slugs(bench, Kind.KNOWLEDGE)
    found = record(bench, Kind.KNOWLEDGE, slug)
    assert found.body.strip().startswith("# The tax tables come from the ministry every January")
    assert "loaded by hand" in found.body
    assert found.value("model_invokation") is False
    bench.stage(make.staged(2, talk))
    assert actions(bench.run(run_id="two")) == {"discussions/0": "discarded"}


def test_what_gives_up_one_part_of_a_decision_leaves_the_other_standing(bench: B, make: B) -> None:
    """T26: nothing that nobody took back stops holding."""
    bench.stage(make.staged(1, make.decided("Keep the cache in Redis, put the job queue into SQLite", 3)))
    bench.run(run_id="one")
    words = "let's put the job queue into Postgres instead of SQLite"
    bench.stage(make.staged(2, make.decided("Put the job queue into Postgres instead of SQLite", 4, words)))
    bench.run(run_id="two")
    older, newer = (record(bench, Kind.DECISION, slug) for slug in slugs(bench, Kind.DECISION))
    assert Status.REPLACED not in (older.status, newer.status)
    assert "Conflicts with" in older.body
    assert "Conflicts with" in newer.body
