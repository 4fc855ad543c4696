"""Likeness: the same statement in other words is found, another subject in the same words is not."""

from __future__ import annotations

import pytest

from memory_core.consolidate.similar import denials, same_figures, same_sense, score

ALIKE = 88


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Use SQLite for the job queue", "For the job queue, use SQLite"),
        ("Use SQLite for the job queue", "We use SQLite for our job queue."),
        ("Never retry a payment without its idempotency key", "never retry payments without an idempotency key"),
        ("Wait 30 seconds before a retry", "wait 45 seconds before a retry"),
        ("ログは JSON Lines で保存する", "ログはJSON Linesで保存すること"),
        ("数据库迁移必须先在测试环境执行", "数据库迁移必须先在测试环境中执行"),
        ("ＡＰＩ は v2 を使う", "API は v2 を使う"),
    ],
)
def test_the_same_statement_is_alike(first: str, second: str) -> None:
    """T24, T30"""
    assert score(first, second) >= ALIKE
    assert score(second, first) == score(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Use SQLite for the job queue", "Use Redis for the job queue"),
        (
            "Rewrite the alpha parser in Rust because of alpha parser latency",
            "Rewrite the bravo printer in Rust because of bravo printer latency",
        ),
        (
            "Keep the session data of all signed-in users in the Redis cache cluster of the region",
            "Keep the session data of all signed-in users in the Memcached cache cluster of the region",
        ),
        ("Use sync workers for the whole import pipeline", "Use async workers for the whole import pipeline"),
        ("ジョブキューは Redis を使う", "ジョブキューは SQLite を使う"),
        ("ログを保存する", "キーを保存する"),
        ("任务队列使用 Redis", "任务队列使用 SQLite"),
        ("SQLite", "Use SQLite for the job queue of the importer"),
        ("", "Use SQLite"),
    ],
)
def test_another_subject_is_not_alike(first: str, second: str) -> None:
    """T57: merging these would lose one of them."""
    assert score(first, second) < ALIKE


def test_figures_and_denial_are_told_apart() -> None:
    assert not same_figures("port 8080", "port 9090")
    assert same_figures("port 8080", "the port is 8080")
    assert not same_sense("Use Redis", "Do not use Redis")
    assert not same_sense("Redis を使う", "Redis は使わない")
    assert not same_sense("使用 Redis", "不使用 Redis")
    assert same_sense("Never use Redis", "Do not use Redis")


@pytest.mark.parametrize(
    "text",
    [
        "错误级别必须记录到日志",
        "按类别分组",
        "图片识别在后台处理",
        "特别大的文件",
        "给命令起别名",
        "不仅要记录日志",
        "エラーが少ない",
        "Not only admins must see the log",
    ],
)
def test_a_syllable_and_a_turn_of_speech_are_no_denial(text: str) -> None:
    assert denials(text) == 0


@pytest.mark.parametrize(
    "text", ["别用缓存", "时区别写死", "这个别提交", "所有接口别返回空值", "リトライしない", "Not for admins"]
)
def test_a_denial_is_one(text: str) -> None:
    assert denials(text) == 1
