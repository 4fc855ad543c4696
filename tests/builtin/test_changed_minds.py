"""What everyday words decide: a choice that is given up is gone, talk decides nothing, and a plain yes is a yes."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.providers.builtin.extract import find
from tests.builtin.changed_minds import DECIDES, SILENT
from tests.builtin.dialogue import view_of


def _decisions(dialogue: str) -> list[dict[str, Any]]:
    return [dict(found.fields) for found in find(view_of(dialogue)) if found.array == "decisions"]


@pytest.mark.parametrize("dialogue", SILENT.values(), ids=SILENT)
def test_nothing_is_decided(dialogue: str) -> None:
    assert _decisions(dialogue) == []


@pytest.mark.parametrize(("dialogue", "named", "gone"), DECIDES.values(), ids=DECIDES)
def test_one_thing_is_decided(dialogue: str, named: str, gone: str) -> None:
    chosen = [str(decision["chosen"]) for decision in _decisions(dialogue)]
    assert sum(named.casefold() in text.casefold() for text in chosen) == 1
    assert not any(text.startswith(gone) for text in chosen)
