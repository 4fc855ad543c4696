"""docs/authority.md names tests that exist, for every rule."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/authority.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
    assert len(named) > 40
    for path, name in named:
        text = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"^(?:async )?def {name}\(", text, re.MULTILINE), f"{path}::{name}"


def test_every_rule_has_a_row() -> None:
    rows = re.findall(r"^\| (R\d+) \|", PAGE, re.MULTILINE)
    assert rows == [f"R{number}" for number in range(1, 36)]


def test_the_gates_are_there() -> None:
    text = (ROOT / "tests/enrich/test_gates.py").read_text(encoding="utf-8")
    assert sorted(set(re.findall(r"^def test_adr010_gate_(\d)_", text, re.MULTILINE))) == list("12345")


def test_the_example_enricher_is_thirty_lines() -> None:
    assert len((ROOT / "docs/examples/enricher.py").read_text(encoding="utf-8").splitlines()) <= 30
