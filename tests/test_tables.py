"""The tables below the index: layers over a mapping, slugs in one text, outlines in one line."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from memory_core import layered
from memory_core.document import Document
from memory_core.outline import is_packed, outline_in, pack
from memory_core.parsed import Parsed
from memory_core.records.schema import Kind
from memory_core.slug_words import SlugWords
from memory_core.snapshot import snapshot_of

keys = st.text(alphabet="abcd", min_size=1, max_size=2)
tables = st.dictionaries(keys, st.integers())
changes = st.lists(st.dictionaries(keys, st.none() | st.integers(), max_size=4), max_size=6)


@given(tables, changes)
def test_layers_answer_like_a_plain_table(start: dict[str, int], steps: list[dict[str, int | None]]) -> None:
    base = {**{f"base {n}": n for n in range(layered.MOST_CHANGES + 1)}, **start}
    table, plain = base, dict(base)
    for step in steps:
        table = layered.changed(table, step)  # type: ignore[assignment]
        for key, value in step.items():
            plain.pop(key, None)
            if value is not None:
                plain[key] = value
        assert dict(table) == plain
        assert len(table) == len(plain)
        assert all(key in table for key in plain)
        assert not any(key in table for key, value in step.items() if value is None)
    assert len(base) >= layered.MOST_CHANGES  # what it was made from is as it was


slugs = st.lists(st.from_regex(r"[abc]{1,3}(-[abc1]{1,3}){0,2}", fullmatch=True), unique=True, max_size=30)


@given(slugs, st.text(alphabet="abc1-", min_size=1, max_size=4))
def test_slugs_in_one_text_are_found_as_one_by_one(names: list[str], typed: str) -> None:
    words = SlugWords(tuple(sorted(names)))
    assert list(words.beginning_with(typed)) == [name for name in words.names if name.startswith(typed)]
    assert list(words.holding(typed)) == [name for name in words.names if typed in name]
    assert set(words.scattered(typed)) == {name for name in names if _scattered(typed, name)}
    assert all((name in words) == (name in names) for name in ["a", "zz", *names])


def _scattered(letters: str, name: str) -> bool:
    rest = iter(name)
    return all(letter in rest for letter in letters)


def test_letters_that_stand_closest_come_first() -> None:
    words = SlugWords(("a-long-way-to-b", "a-xb", "xa-b"))
    assert words.scattered("ab") == ["xa-b", "a-xb", "a-long-way-to-b"]


@given(st.text(alphabet=st.sampled_from('#/ab-` ;"\\\n\r語👩\u2028|'), max_size=80))
def test_an_outline_survives_being_packed_and_places_are_exact(body: str) -> None:
    text = f"---\ndescription: '{body[:20].replace(chr(39), '')}'\nrequires: [a-b, b]\n---\n{body}"
    document = Document("workflow/w.md", text)
    assert is_packed(document.packed_outline)
    document.packed_outline.encode("utf-8")
    assert outline_in(document.packed_outline) == document.outline
    lines = document.lines
    for link in document.links:
        start, end = lines.offset(link.range.start), lines.offset(link.range.end)
        assert text[start:end].strip("#/'\"") == link.target.slug
        assert (link.range.start, link.range.end) == (lines.position(start), lines.position(end))
        before = lines.line(link.range.end.line)[: link.range.end.character]
        assert ord(max(before)) <= max(link.widest, 0x7F)


def test_a_lone_surrogate_from_yaml_can_be_stored() -> None:
    packed = pack(Parsed("knowledge/a.md", '---\ndescription: "\\ud83d"\n---\n'))
    packed.encode("utf-8")
    assert json.loads(packed.partition("\n")[2])[1] in ("\ud83d", None)


def test_the_summary_answers_to_its_own_name_only() -> None:
    table = snapshot_of({"memory/summary.md": "x"}).index.slugs[Kind.SUMMARY]
    assert list(table) == ["summary"]
    assert "summary" in table
    assert "other" not in table


def test_more_letters_than_any_slug_has_are_found_nowhere_at_once() -> None:
    """Somebody pasted a file into the search for symbols: a pattern of as many parts held up the server."""
    words = SlugWords(("api-keys", "retry-policy"))
    assert words.scattered("apkeys") == ["api-keys"]
    assert words.scattered("ap" * 500_000) == []
