"""The pages of the rules and the registry stay in step."""

import re
from pathlib import Path

import pytest

from memory_core.lint.pages import page
from memory_core.lint.registry import CODES, EXPLAINED, GUESSES, RULES

FOLDER = Path(__file__).parent.parent / "docs" / "rules"
SECTIONS = ["What it finds", "Why", "How to fix it", "How to turn it off"]


def test_every_code_has_a_page_and_every_page_a_code():
    assert {path.stem for path in FOLDER.glob("*.md")} == set(EXPLAINED)


@pytest.mark.parametrize("code", sorted(EXPLAINED))
def test_a_page_says_what_why_and_how(code):
    text = page(code)
    known = EXPLAINED[code]
    assert text.startswith(f"# {code}\n\n{known.summary} Usually a")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == SECTIONS
    assert f" {known.severity.value}.\n" in text.split("##")[0]
    assert (f'{code} = "off"' in text) == (code in CODES)
    assert ("`omoide lint --fix` does not choose" in text) == (code in GUESSES)


def test_every_rule_is_one_file_with_its_code_in_its_docstring():
    rules = Path(__file__).parent.parent / "memory_core" / "lint" / "rules"
    files = {path.stem: path.read_text(encoding="utf-8") for path in rules.glob("*.py") if path.stem != "__init__"}
    assert {rule.code.replace("-", "_") for rule in RULES} == set(files)
    for name, text in files.items():
        assert text.startswith(f'"""`{name.replace("_", "-")}`: ')
