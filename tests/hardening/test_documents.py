"""What docs/security.md and docs/reliability.md name exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["security", "reliability"])
def test_every_test_that_a_page_names_exists(page: str) -> None:
    named = set(re.findall(r"`(test_[a-z0-9_]+)`", (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")))
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    there = set(re.findall(r"def (test_\w+)", sources))
    assert named
    assert sorted(named - there) == []
