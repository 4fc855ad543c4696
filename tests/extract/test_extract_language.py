"""Which language people write in."""

from __future__ import annotations

import pytest

from memory_core.extract.language import detect, is_written_in


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Please use the new parser and do not touch the old one.", "en"),
        ("キャッシュは使わないでください。", "ja"),
        ("请不要使用缓存，改用数据库。", "zh"),
        ("캐시를 사용하지 마세요.", "ko"),
        ("Пожалуйста, не используйте кэш.", "ru"),
        ("Bitte nicht den Cache benutzen, sondern die Datenbank.", "de"),
        ("Merci de ne pas utiliser le cache dans les tests.", "fr"),
    ],
)
def test_the_language_of_one_message(text: str, language: str) -> None:
    assert detect([text]) == language


def test_a_short_word_that_several_languages_have_proves_nothing() -> None:
    """T20 T21: an English session is not to be written in Spanish because somebody said no."""
    assert detect(["Sort by date.", "Newest first.", "No: oldest first."]) in ("en", None)
    assert detect(["Come back later, die gracefully"]) in ("en", None)
    assert detect(["Do example dot com first"]) in ("en", None)


def test_messages_vote_so_that_a_pasted_log_does_not() -> None:
    """T20"""
    pasted = "これを直して\n" + "Traceback (most recent call last): the file is not there\n" * 50
    assert detect([pasted, "テストも追加して", "ok"]) == "ja"


def test_a_short_answer_in_han_within_a_japanese_session_is_japanese() -> None:
    assert detect(["承認", "それで進めて", "了解"]) == "ja"


def test_code_and_paths_prove_nothing() -> None:
    assert detect(["```\nthe and is to of\n```", "`the is`"]) is None


def test_a_text_in_another_script_than_the_session_is_noticed() -> None:
    """T20 T21"""
    assert not is_written_in("ja", ["Use the new parser and keep the old one for now."])
    assert not is_written_in("en", ["新しいパーサーを使い、古いものは残しておくこと。"])
    assert is_written_in("ja", ["新しい `parser` を使う。src/parser.py は残す。"])


def test_a_quotation_keeps_its_language() -> None:
    quotation = "新しいパーサーを使い、古いものは残しておくこと。"
    assert is_written_in("en", [quotation], [quotation])


GERMAN = "Wir nehmen uv und nicht pip, weil die Versionen mit der Sperrdatei für alle gleich sind."
ENGLISH = "We use uv and not pip because the versions in the lock file are the same for all of us."


def test_languages_of_one_script_are_told_apart_by_their_short_words() -> None:
    """T20: German talk stored in English is as wrong as Chinese talk is."""
    assert is_written_in("de", [GERMAN])
    assert not is_written_in("de", [ENGLISH])
    assert not is_written_in("en", [GERMAN])
    assert is_written_in("en", [GERMAN], [GERMAN]), "a quotation keeps its language"
    assert is_written_in("de", ["uv sync --frozen, ruff check, pytest -x"]), "identifiers have none"
