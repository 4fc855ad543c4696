"""A choice that is taken back in favour of what was before decides; a question that is put off stays open. A13."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.providers.builtin.extract import find
from tests.builtin.dialogue import view_of


def _found(said: str, array: str) -> list[dict[str, Any]]:
    dialogue = (
        f"A: There are two ways to do the storage here, I can go either way.\nH: {said}\nA: Noted.\n"
        "$ pytest => 12 passed\nA: All checks pass.\nH: thanks, now the tests"
    )
    return [dict(found.fields) for found in find(view_of(dialogue)) if found.array == array]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("we go back to sqlite instead of postgres", "sqlite"),
        ("back to plain css, tailwind was a mistake", "plain css"),
        ("let's return to REST, graphql is too much for us", "REST"),
        ("revert to yarn, pnpm breaks the CI cache", "yarn"),
        ("going back to the old parser because the new one is three times slower", "old parser"),
        ("scrap redis, use the in-process cache again", "in-process cache"),
        ("changed my mind about the monorepo, we split the repos again", "split the repos"),
        ("kill the feature flag service, we go with env vars as before", "env vars"),
        ("drop kafka again, we stay on rabbitmq", "rabbitmq"),
        ("we switch back from vite to webpack since the plugins don't work", "webpack"),
        ("ok, we're going back to manual releases", "manual releases"),
        ("I want to go back to cookies, tokens in local storage were a bad idea", "cookies"),
        ("ditch celery and go back to cron jobs", "cron jobs"),
        ("やっぱりpostgresに戻そう", "postgres"),
        ("Reduxはやめて、Contextに戻すことにします", "Context"),
        ("还是换回 MySQL 吧，ClickHouse 太重了", "MySQL"),
        ("我们改回 REST 接口", "REST"),
        ("다시 MySQL로 돌아가자, 운영이 너무 힘들어", "MySQL"),
    ],
)
def test_going_back_to_what_was_before_is_a_decision(said: str, named: str) -> None:
    (decision,) = _found(said, "decisions")
    assert named in decision["chosen"]


@pytest.mark.parametrize(
    "said",
    [
        "go back to the previous commit",
        "go back to the failing test and print the query",
        "revert to HEAD",
        "back to work",
        "back to the first question: what does the lock guard?",
        "let's go back to the first question",
        "switch back to main",
        "switch back to the feature branch",
        "can you go back to what you had before?",
        "we went back to postgres last year and nobody noticed",
        "should we go back to sqlite?",
        "maybe we go back to sqlite",
        "let's go back to that later",
        "the page goes back to the login when the token expires",
        "元に戻して",
        "前のコミットに戻して",
        "改回来",
        "원래대로 돌아가자",
    ],
)
def test_going_back_in_the_work_of_the_moment_decides_nothing(said: str) -> None:
    assert _found(said, "decisions") == []


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("let's decide on the cache backend later", "cache backend"),
        ("the naming of the plugin can wait until after the release", "naming of the plugin"),
        ("we'll figure out the retention period with legal first", "retention period"),
        ("no decision on the queue yet, i want to see the load numbers first", "queue"),
        ("whether we ship arm builds is still open", "arm builds"),
        ("not now on the database question, we revisit that in january", "database question"),
        ("park the pagination discussion", "pagination"),
        ("i don't want to settle the license today", "license"),
        ("we haven't settled on a name for the CLI", "name for the CLI"),
        ("leave the auth question for the next sprint", "auth question"),
        ("we'll see about kubernetes next quarter", "kubernetes"),
        ("hold off on choosing a message broker until the benchmark is done", "message broker"),
        ("the choice between redis and memcached is still undecided", "redis and memcached"),
        ("let's not commit to a schema format yet", "schema format"),
        ("we should talk about the retry policy with the ops team before deciding", "retry policy"),
        ("I'm torn between sqlite and duckdb, let me sleep on it", "sqlite and duckdb"),
        ("which log format we use is not decided yet", "log format"),
        ("postpone the decision on the billing provider", "billing provider"),
    ],
)
def test_question_that_is_put_off_stays_open_under_its_own_name(said: str, named: str) -> None:
    (discussion,) = _found(said, "discussions")
    assert named in discussion["topic"]
    assert _found(said, "decisions") == []


@pytest.mark.parametrize(
    "said",
    [
        "I'll test it later",
        "run the tests later",
        "decide for me",
        "no decision needed here, just fix it",
        "let's talk later",
        "leave the tests for now and fix the build",
        "the migration can't wait, do it now",
        "wait until the build is done",
        "the job waits until the queue is empty",
        "we haven't seen the logs yet",
        "don't commit to main yet",
        "is the file still open?",
        "the connection is still open after the test",
        "we decided on the cache backend yesterday: redis",
    ],
)
def test_what_only_waits_or_was_settled_is_no_open_question(said: str) -> None:
    assert _found(said, "discussions") == []
