"""A problem of the settings stands at the key or value it is about, not at the whole line."""

from __future__ import annotations

import time
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.config import parse
from memory_core.lint.registry import CODES
from memory_core.text import LineIndex, Range
from memory_core.toml_places import Places


def at(text: str, place: Range) -> str:
    lines = LineIndex(text)
    return text[lines.offset(place.start) : lines.offset(place.end)]


def marked(text: str, *, trusted: bool = True) -> list[str]:
    return [at(text, d.range) for d in parse(text, trusted=trusted, known_rules=CODES)[1]]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[memory]\nextract_treshold = 1  # c\n", "extract_treshold"),
        ("  [ memry ]\n", "memry"),
        ('[memory]\n"extract_treshold" = 1\n', '"extract_treshold"'),
        ("[memory]\n'extract_treshold' = 1\n", "'extract_treshold'"),
        ('[memory]\n"extract\\u005ftreshold" = 1\n', '"extract\\u005ftreshold"'),
        ("memory.extract_treshold = 1\n", "extract_treshold"),
        ('memory . "extract_treshold" = 1\n', '"extract_treshold"'),
        ("memry.x = 1\n", "memry"),
        ("memory = { extract_threshold = 1, extract_treshold = 2 }\n", "extract_treshold"),
        ('[lint]\nno-such-rule = "off"\n', "no-such-rule"),
        ('lint = { similar-slugs = "off", no-such-rule = "off" }\n', "no-such-rule"),
        ("é語 = 1\n".replace("é語", '"é語😀"'), '"é語😀"'),
        ("[zzz.memory]\n[memory]\n", "zzz"),
        ("[[memory]]\n[[memory]]\n", "memory"),
    ],
)
def test_an_unknown_setting_is_marked_at_its_key(text: str, place: str) -> None:
    assert marked(text) == [place]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[memory]\nquery_result_limit = 0  # too few\n", "0"),
        ('[memory]\nquery_result_limit = "many"\n', '"many"'),
        ('[memory]\nquery_result_limit = "a # b \\" ] }"\n', '"a # b \\" ] }"'),
        ("[memory]\nquery_result_limit = 'a\\'\nextract_threshold = 1\n", "'a\\'"),
        ('[memory]\nquery_result_limit = """\nmany"" "\n"""\n', '"""\nmany"" "\n"""'),
        ("[memory]\r\nquery_result_limit = '''\r\nmany\r\n'''\r\n", "'''\r\nmany\r\n'''"),
        ("[memory]\nquery_result_limit = 2026-01-01 10:00:00 # when\n", "2026-01-01 10:00:00"),
        ("memory = 3\n", "3"),
        ("memory = { query_result_limit = 0 }\n", "0"),
        ("memory = { query_result_limit = { a = 1 } }\n", "{ a = 1 }"),
        ("memory.query_result_limit = -1\n", "-1"),
        ('[lint]\nsimilar-slugs = "loud"\n', '"loud"'),
        ('lint = { similar-slugs = "loud", unknown-key = "off" }\n', '"loud"'),
        ("enricher.x = 1\n", "1"),
        ('[sessions]\nsources = "codex"\n', '"codex"'),
        ("[memory.query_result_limit]\na = 1\n", "query_result_limit"),
        ("[memory]\nquery_result_limit = 0", "0"),
    ],
)
def test_a_wrong_value_is_marked_alone(text: str, place: str) -> None:
    assert marked(text) == [place]


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ('["codex", "claude-cod", "pi"]', '"claude-cod"'),
        ('[ # those\n  "codex", # one, two ]\n  "claude-cod",\n]', '"claude-cod"'),
        ("['codex', 1]", "1"),
        ('[["codex"], "pi"]', '["codex"]'),
        ("[{ a = [1, 2] }]", "{ a = [1, 2] }"),
    ],
)
def test_of_a_list_the_wrong_entry_is_marked(written: str, place: str) -> None:
    assert marked(f"[sessions]\nsources = {written}\n[memory]\nlanguage = 'ja'\n") == [place]


def test_what_a_repository_could_abuse_is_marked_at_its_key() -> None:
    assert marked('provider = { name = "openai", base_url = "http://x" }\n', trusted=False) == ["base_url"]
    assert marked('[enricher."x.y"]\ncommand = ["sh"]\n', trusted=False) == ["command"]


def test_a_syntax_error_is_marked_from_where_the_parser_stopped() -> None:
    (place,) = marked("[memory]\nlanguage = ja  # no quotes\n")
    assert "language = ja  # no quotes".endswith(place)


def test_very_deep_values_are_passed_over() -> None:
    text = f'a = {"[" * 60}"]"{"]" * 60}\nb = {"{ a = " * 60}"}}"{" }" * 60}\nquery = 1\n'
    tomllib.loads(text)
    assert at(text, Places(text).key(("query",))) == "query"
    assert at(text, Places(text).value(("a",))) == text.partition("\n")[0][4:]


SCALARS = st.one_of(
    st.integers(),
    st.booleans(),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab.-# \"'é", max_size=3), inner, max_size=3),
    max_leaves=8,
)


def written(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case list():
            return "[" + "".join(f" {written(item)} ,# ]\n" for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{written(key)} = {written(item)}" for key, item in value.items()) + "}"
    raise AssertionError(value)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.text("ab-.\"' é", max_size=4), VALUES, max_size=4))
def test_every_key_and_value_is_where_it_is_said_to_be(data: dict[str, object]) -> None:
    text = "".join(f"{written(key)}\t= {written(value)} # {{[\n" for key, value in data.items())
    assert tomllib.loads(text) == data
    places = Places(text)
    for key, value in data.items():
        assert at(text, places.key((key,))) == written(key)
        assert at(text, places.value((key,))) == written(value)
        if isinstance(value, list):
            assert [at(text, places.item((key,), n)) for n in range(len(value))] == [written(item) for item in value]


@settings(max_examples=300, deadline=None)
@given(st.text("[]{}=.,\"'#\\\n\r ab1", max_size=40))
def test_a_text_that_is_no_toml_is_read_to_its_end(text: str) -> None:
    places = Places(text)
    assert places.key(("a",)).start <= places.lines.position(len(text))


@pytest.mark.parametrize(
    "piece", ["[", "{", "a=[", '"', '"""', "'", "'''", "a.", "a=1\n", "a={b=", "#", " ", "=", '""']
)
def test_time_grows_with_the_length(piece: str) -> None:
    text = "a = " + piece * (100_000 // len(piece))
    started = time.process_time()
    Places(text).key(("b",))
    assert time.process_time() - started < 2
