"""Documents that can rot are compared with the code."""

from __future__ import annotations

import re
from pathlib import Path

from memory_core.cli.main import COMMANDS, cli
from memory_core.records.schema import FIELDS, KNOWLEDGE_KINDS, SCOPE_KEYS, Kind, Status
from scripts.settings_table import with_table

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_settings_table_is_current() -> None:
    assert with_table(README) == README, "run: python scripts/settings_table.py"


def test_every_command_of_the_readme_exists() -> None:
    named = set(re.findall(r"^omoide ([a-z]+)", README, re.MULTILINE))
    assert named
    assert named <= set(COMMANDS)


def test_every_command_of_the_table_loads_and_has_help() -> None:
    for name in COMMANDS:
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        assert command.help, name


def test_every_module_of_the_map_exists() -> None:
    """ARCHITECTURE.md names folders and files that are there."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    block = text.split("```")[1]
    for line in block.splitlines():
        match = re.match(r"^  ((?:[a-z_]+(?:\.py|/)?(?:  ?|$))+)", line)
        for name in match[1].split() if match else ():
            found = [ROOT / "memory_core" / name, ROOT / "memory_core" / f"{name}.py", ROOT / "server" / name]
            assert any(path.exists() for path in found), name


def test_no_document_names_a_missing_file() -> None:
    for page in ("README.md", "ARCHITECTURE.md", "editors/vscode/README.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert ((ROOT / page).parent / target).exists(), f"{page}: {target}"


def test_every_field_of_a_record_is_on_its_page() -> None:
    text = (ROOT / "docs/records.md").read_text(encoding="utf-8")
    for kind, fields in FIELDS.items():
        section = text.split(f"## {kind.value.capitalize()}\n")[1].split("\n## ")[0]
        rows = re.findall(r"^\| `(\w+)` \| (required|optional) \|.*\| (.*) \|$", section, re.MULTILINE)
        assert rows == [(field.name, "required" if field.required else "optional", field.doc) for field in fields], kind
    for value in (*KNOWLEDGE_KINDS, *SCOPE_KEYS, *Status):
        assert f"`{value}`" in text, value


def test_every_variable_of_the_environment_is_on_the_page_of_the_command_line() -> None:
    """What a person may set; what processes of ours tell each other is none of it."""
    between_ours = {"OMOIDE_NICE", "OMOIDE_NO_BACKGROUND", "OMOIDE_WORKSPACE"}
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "memory_core").rglob("*.py"))
    page = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
    read = set(re.findall(r"\"(OMOIDE_[A-Z_]*[A-Z])\"", code)) - between_ours
    assert len(read) > 8
    assert read == set(re.findall(r"`(OMOIDE_[A-Z_]+)`", page))


def test_pages_for_newcomers_name_no_missing_file() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_words_of_states_kinds_and_providers_are_explained() -> None:
    page = (ROOT / "docs/words.md").read_text(encoding="utf-8").lower()
    words = (*Status, *Kind, "builtin", "openai", "editor", "held", "staged", "slice", "anchor", "resident", "overlay")
    for word in (*words, "superseded", "activity tokens", "provider"):
        assert word.lower() in page, word
