"""Counting tokens offline."""

from __future__ import annotations

import socket

import pytest

from memory_core import tokens

SAMPLES = [
    "The quick brown fox jumps over the lazy dog. " * 20,
    "def parse(line: str) -> Event | None:\n    return Event.model_validate_json(line)\n" * 10,
    "キャッシュは使わないでください。ロックファイルは必ず再現可能にすること。" * 10,
    "请不要使用缓存，改用数据库。锁文件必须可以重现。" * 10,
    "캐시를 사용하지 마세요. 데이터베이스를 사용하세요." * 10,
    "Пожалуйста, не используйте кэш, используйте базу данных." * 10,
    '{"a": [1, 2, 3], "b": {"c": "d"}}\n' * 20,
    "",
]


@pytest.mark.parametrize("text", SAMPLES)
def test_the_estimate_is_never_below_the_tokenizers_count(text: str) -> None:
    """T63"""
    assert tokens.estimate(text) >= tokens.count(text)


@pytest.mark.parametrize("text", SAMPLES[:-1])
def test_the_estimate_is_not_wildly_above_it(text: str) -> None:
    assert tokens.estimate(text) <= 3 * tokens.count(text)


def test_counting_opens_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """T38: tiktoken by itself would download its ranks."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    tokens._encoder.cache_clear()
    assert tokens.count("hello world") == 2


def test_a_missing_tokenizer_is_said_once_and_estimated(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(name: str) -> None:
        raise ImportError(f"no ranks for {name}")

    monkeypatch.setattr(tokens, "_load", broken)
    tokens._encoder.cache_clear()
    try:
        assert tokens.count("hello world") == tokens.estimate("hello world")
        tokens.count("again")
    finally:
        tokens._encoder.cache_clear()
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_special_tokens_in_a_text_are_ordinary_text() -> None:
    assert tokens.count("<|endoftext|>") > 1


def test_half_a_surrogate_pair_is_counted_not_raised() -> None:
    """T15"""
    assert tokens.count("a\ud800b") > 0
    assert tokens.estimate("a\ud800b") > 0
