"""The pages of the rules and the registry stay in step."""

import re
import tomllib
from pathlib import Path

import click
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


@pytest.mark.parametrize("code", sorted(EXPLAINED))
def test_each_section_of_a_page_says_something_about_its_rule(code):
    """The trigger with an example, a reason, a remedy, and the two ways to turn it off, word for word."""
    parts = re.split(r"^## .*$", page(code), flags=re.MULTILINE)[1:]
    finds, why, fix, off = (part.strip() for part in parts)
    assert len(finds) > 40
    assert len(why) > 40
    assert why not in (finds, fix)
    assert len(fix) > 20
    if code not in CODES:
        assert "```toml" not in off
        return
    # A comment in a file that cannot be read is not read either.
    assert (f"`<!-- omoide-disable {code} -->`" in off) == (code != "unreadable-file")
    assert tomllib.loads(off.partition("```toml\n")[2].partition("```")[0]) == {"lint": {code: "off"}}


def test_a_page_names_no_code_setting_or_command_that_is_not_there():
    from memory_core.cli.main import cli

    context = click.Context(cli)
    for code in EXPLAINED:
        text = page(code)
        for named in re.findall(r"\(([a-z-]+)\.md\)", text):
            assert named in EXPLAINED, (code, named)
        for verb in re.findall(r"`omoide ([a-z]+)", text):
            assert cli.get_command(context, verb), (code, verb)


def test_every_rule_is_one_file_with_its_code_in_its_docstring():
    rules = Path(__file__).parent.parent / "memory_core" / "lint" / "rules"
    files = {path.stem: path.read_text(encoding="utf-8") for path in rules.glob("*.py") if path.stem != "__init__"}
    assert {rule.code.replace("-", "_") for rule in RULES} == set(files)
    for name, text in files.items():
        assert text.startswith(f'"""`{name.replace("_", "-")}`: ')
