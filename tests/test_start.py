"""What must not be loaded before it is used: commands, hooks and the editor's start wait for every import."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memory_core.store.discovery import create_root

HEAVY = ("openai", "tiktoken", "detect_secrets", "rich", "pydantic", "yaml", "rapidfuzz", "watchfiles", "lsprotocol")


def loaded(code: str, folder: Path) -> set[str]:
    """The heavy modules that are there after some code has run in a process of its own."""
    names = (*HEAVY, "asyncio", "sqlite3")
    script = f"import sys, json\n{code}\nprint(json.dumps([name for name in {names!r} if name in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={"PYTHONPATH": str(Path(__file__).parent.parent), "OMOIDE_CONFIG": str(folder / "none.toml")},
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    layout, _ = create_root(tmp_path)
    record = "---\ndescription: What it is\n---\n# A\n\nsee #b and `code`\n"
    (layout.root / "knowledge/a.md").write_text(record, encoding="utf-8")
    return tmp_path


def test_the_table_of_commands_loads_none_of_them(workspace: Path) -> None:
    assert loaded("import memory_core.cli.main", workspace) == set()


def test_a_command_that_opens_the_workspace_loads_nothing_heavy(workspace: Path) -> None:
    code = (
        "from pathlib import Path; from memory_core.cli.app import Context\n"
        "store = Context(Path.cwd()).workspace().store\n"
        "assert store.staging().files == () and len(store.load().documents) == 1"
    )
    assert loaded(code, workspace) == set()


def test_settings_that_say_something_load_no_library_for_it(workspace: Path) -> None:
    text = '[memory]\nlanguage = "ja"\n[lint]\nsimilar-slugs = "off"\n[provider]\ntimeout_s = 3\n'
    (workspace / ".omoide/config.toml").write_text(text, encoding="utf-8")
    code = (
        "from pathlib import Path; from memory_core.workspace import open_workspace\n"
        "opened = open_workspace(Path.cwd())\n"
        "assert (opened.problems, opened.config.memory.language) == ({}, 'ja')"
    )
    assert loaded(code, workspace) == set()


def test_records_are_indexed_without_what_only_odd_heads_need(workspace: Path) -> None:
    code = (
        "from pathlib import Path; from memory_core.layout import Layout\n"
        "from memory_core.store.cache import Cache; from memory_core.store.load import load_outlined\n"
        "snapshot, found = load_outlined(Cache(Layout(Path.cwd() / '.omoide')))\n"
        "assert found.read == 1 and len(snapshot.index.referrers) == 1"
    )
    assert loaded(code, workspace) <= {"sqlite3"}


def test_status_does_not_load_the_rules_that_it_only_names(workspace: Path) -> None:
    """Half a second of patterns, which `extract` needs and `status` does not."""
    code = (
        "import sys; from pathlib import Path; from memory_core.cli.app import Context\n"
        "from memory_core.cli.guide import status_facts\n"
        "facts = status_facts(Context(Path.cwd()))\n"
        "assert (facts['provider'], facts['provider_problem']) == ('builtin', None), facts\n"
        "assert not [name for name in sys.modules if name.startswith('memory_core.providers.builtin.')]"
    )
    loaded(code, workspace)
