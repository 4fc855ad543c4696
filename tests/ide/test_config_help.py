"""`config.toml`: tables, keys and values complete, keys explain themselves."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.ide.config_help import complete_config, hover_config
from memory_core.testing import CURSOR
from memory_core.text import LineIndex, TextEdit, apply_edits


def ask(text: str) -> tuple[str, LineIndex, int]:
    at = text.index(CURSOR)
    plain = text.replace(CURSOR, "")
    return plain, LineIndex(plain), at


def offered(text: str) -> list[str]:
    _, lines, at = ask(text)
    result = complete_config(lines, lines.position(at))
    return [item.label for item in result.items] if result else []


def after(text: str, label: str) -> str:
    plain, lines, at = ask(text)
    result = complete_config(lines, lines.position(at))
    assert result
    item = next(item for item in result.items if item.label == label)
    return apply_edits(plain, [TextEdit(result.range, item.new_text)])


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("[$0", ["[memory]", "[provider]", "[sessions]", "[lint]"]),
        ("[mem$0]", ["[memory]"]),
        ("[memory]\n[$0", ["[provider]", "[sessions]", "[lint]"]),
        ("[memory]\nlang$0", ["language"]),
        ("[memory]\nlanguage = 'en'\nlang$0", []),
        ("[memory]\ninject_summary = $0", ["true", "false"]),
        ("[memory]\ninject_summary = f$0", ["false"]),
        ("[memory]\nlanguage = $0", []),
        ("[sessions]\nlang$0", []),
        ("[other]\nlang$0", []),
        ("lang$0", []),
        ("[memory] # why\nrecord_h$0", ["record_hover"]),
    ],
)
def test_what_fits_in_the_settings(text: str, labels: list[str]) -> None:
    assert offered(text) == labels


def test_a_key_comes_with_its_default() -> None:
    assert after("[memory]\nresident_token$0", "resident_token_budget") == "[memory]\nresident_token_budget = 5000"
    assert after("[memory]\nlang$0uage = 'de'", "language") == "[memory]\nlanguage = 'de'"
    assert after("[mem$0]", "[memory]") == "[memory]"
    assert tomllib.loads(after("[memory]\nrecord_h$0", "record_hover")) == {"memory": {"record_hover": True}}


def test_a_key_explains_itself() -> None:
    _, lines, at = ask("[memory]\nresident_tok$0en_budget = 1")
    found = hover_config(lines, lines.position(at))
    assert found
    assert found.markdown.startswith("**`resident_token_budget`**\n\n")
    assert found.markdown.endswith("Not set, it is `5000`.")
    _, lines, at = ask("[memory]\nresident_token_budget = $01")
    assert hover_config(lines, lines.position(at)) is None
    _, lines, at = ask("[provider]\nresident_tok$0en_budget = 1")
    assert hover_config(lines, lines.position(at)) is None


@given(st.text(alphabet=st.sampled_from("[]=\n\r mlan_#\"'{}tf\u2028"), max_size=30))
def test_no_half_written_file_fails(text: str) -> None:
    lines = LineIndex(f"[memory]\n{text}")
    for offset in range(len(lines.text) + 1):
        position = lines.position(offset)
        if position.character > len(lines.line(position.line)):
            continue  # between the two characters of a line end
        result = complete_config(lines, position)
        hover_config(lines, position)
        if result:
            assert result.range.contains(position)
