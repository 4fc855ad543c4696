"""Texts that are made to take for ever: each judge of foreign text ends in time that grows with the text alone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest

from memory_core.extract.language import detect
from memory_core.ide.actions import Asked, Told, offers
from memory_core.ide.completion import complete
from memory_core.ide.symbols import sections
from memory_core.ide.view import view_of
from memory_core.lint.check import check, check_all
from memory_core.providers.builtin import cues_ja, cues_zh, explanations
from memory_core.providers.json_tools import calls_in
from memory_core.redact import find, locate, redact
from memory_core.snapshot import snapshot_of
from memory_core.tool_loop import parse_call
from tests.hardening.growth import grows_with_the_text_alone

UNITS = [
    "a", " ", "\n", "-", "_", "=", ":", "/", "#", "`", "[", "あ", "sk-a-", "eyJ", "password=", "://" + "a" * 64, "a:a@",
    "bearer ", "-----BEGIN PRIVATE KEY-----", "```\n", "<!--", "[a](", "- a\n", "> ", "\\#", "Aa1", "<think>",
    " \n", "{\"tool\": ",
]  # fmt: skip


def lint(text: str) -> object:
    return check_all(snapshot_of({"knowledge/a.md": text, "knowledge/b.md": f"---\n{text}\n---\n"}), {})


def in_lists(text: str) -> object:
    """The text as the items of each list that a head may hold, in records of every kind, and what is kept of them."""
    items = "".join(f"  - name-{n}\n" for n in range(len(text) // 12))
    lists = "".join(f"{key}:\n{items}" for key in ("requires", "sources", "last_sources", "tags"))
    texts = {f"{folder}/a.md": f"---\n{lists}---\nx\n" for folder in ("knowledge", "workflow", "memory/decisions")}
    snapshot = snapshot_of(texts)
    return [document.packed_outline for document in snapshot.documents.values()], check_all(snapshot, {})


def in_an_editor(text: str) -> object:
    """The text as a heading, as a value, and as a line of a list that is being typed: what editors ask unasked."""
    for path, written, line in (
        ("knowledge/a.md", f"---\nkind: fact\n---\n# a{text}\n", 3),
        ("knowledge/a.md", f"---\nkind: fact\n---\n# {text}\n", 3),
        ("knowledge/a.md", f"---\ndescription: a: {text}\n---\nx\n", 1),
        ("workflow/a.md", f"---\nrequires: [a,\n  {text}\n]\n---\nx\n", 2),
    ):
        snapshot = snapshot_of({path: written})
        view = view_of(snapshot.documents[path])
        sections(view)
        told = [Told(d.code, d.message, d.range) for d in check(snapshot, path)]
        place = view.lines.line_range(line)
        offers(snapshot, view, Asked(place, told), "2026-01-01T00:00:00Z")
        complete(snapshot, view, place.end)
    return None


def said_in(text: str) -> object:
    return detect([text])


def answered(text: str) -> object:
    """The text as a model's answer, and as the arguments of a call, in a fence that is not closed and without one."""
    return [(calls_in(begun + text, 1), parse_call(begun + text)) for begun in ("", "```json ", '{"tool": "a')]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "work", [redact, find, locate, lint, in_an_editor, said_in, answered], ids=lambda work: work.__name__
)
def test_no_text_makes_a_judge_take_the_square_of_its_time(work: Callable[[str], object], unit: str) -> None:
    assert grows_with_the_text_alone(work, unit, 8_000)


def test_no_list_in_a_head_takes_the_square_of_its_time() -> None:
    """Of six thousand slugs in `requires` each was compared with all: `omoide lint` and the server did not end."""
    assert grows_with_the_text_alone(in_lists, "name-12345, ", 24_000)


@pytest.mark.parametrize(
    "head",
    [
        "a: &a [x,x]\n"
        + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(20)),
        "x: " + "[" * 50_000,
        "x: " + "{a: " * 20_000,
        "x: !!python/object/apply:os.system ['touch owned']\n",
        "".join(f"k{n}: {n}\n" for n in range(20_000)),
    ],
    ids=["aliases", "lists", "maps", "a program", "keys"],
)
def test_a_yaml_bomb_is_a_problem_and_not_an_end(head: str) -> None:
    start = time.perf_counter()
    found = check_all(snapshot_of({"knowledge/a.md": f"---\n{head}\n---\nx\n"}), {})
    assert found["knowledge/a.md"]
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize("unit", ["-", "_", "=", "/"])
def test_a_megabyte_of_one_sign_is_searched_for_secrets_in_seconds(unit: str) -> None:
    """It took fifteen: the beginning of a name was looked for at each of them. The bound is a tenth of that, for a
    machine that has other work, thrice."""
    start = time.process_time()
    assert redact(unit * 1_000_000) == unit * 1_000_000
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("cue", "sentence"),
    [
        (cues_ja.JA.onward, "はい" + "ok" * 24 + "不が要"),  # half a minute, and each further `ok` doubled that
        (cues_zh.ZH.onward, "好" + "ok" * 24 + "不"),
        (explanations.WHY, "a" * 990),  # as long as a sentence may be; a hash or base64 is such a word
    ],
    ids=["ja", "zh", "why"],
)
def test_no_sentence_keeps_the_built_in_rules_for_long(cue: re.Pattern[str], sentence: str) -> None:
    start = time.process_time()
    assert not cue.search(sentence)
    assert time.process_time() - start < 0.5
