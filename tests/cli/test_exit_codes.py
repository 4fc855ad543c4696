"""Every command ends as docs/command-line.md says, whatever goes wrong with it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from memory_core.cli.main import cli
from memory_core.ids import utc_now
from memory_core.store.lock import hold
from memory_core.store.session_store import SessionStore
from memory_core.workspace import open_workspace
from tests.cli.conftest import Run

PAGE = Path(__file__).resolve().parents[2] / "docs/command-line.md"
FINE = "nothing was found"
FOUND = "a check found something"
NONE = "no record, session"
REFUSED = "what is here does not allow it"
SILENT = "a model did not answer"
MISUSE = "a word, option or value"
FILE = "a file named on the command line"
SETTINGS = "settings name what there is not"
NO_MEMORY = "no memory here or above"

RUN = "01890000-0000-7000-8000-000000000000"

# What is run in a workspace with two records, one of which names the other, and one session that is extracted and has
# a copy beside it; and what happens to it then, as the page words it.
CASES: list[tuple[str, str]] = [
    (FINE, "init"),
    (MISUSE, "init --force"),
    (FINE, "status"),
    (MISUSE, "status now"),
    (FILE, "--workspace missing status"),
    (FOUND, "lint"),
    (FILE, "lint missing.md"),
    (MISUSE, "lint --diff --fix"),
    (FOUND, "audit"),
    (MISUSE, "audit --nothing"),
    (MISUSE, "doctor now"),
    (MISUSE, "explain no-such-code"),
    (REFUSED, "new knowledge limits --description Limits."),
    (MISUSE, "new knowledge Not_A_Slug"),
    (MISUSE, "new decision con"),
    (NONE, "read knowledge nobody"),
    (MISUSE, "read knowledge"),
    (MISUSE, "read summary limits"),
    (FINE, "search nowhere"),
    (MISUSE, "search --kind poem limits"),
    (NONE, "rename knowledge nobody somebody"),
    (REFUSED, "rename knowledge limits tokens"),
    (MISUSE, "rename knowledge limits Not_A_Slug"),
    (NONE, "promote decision nobody"),
    (MISUSE, "promote poem nobody"),
    (NONE, "archive knowledge nobody"),
    (REFUSED, "archive knowledge limits"),
    (MISUSE, "archive knowledge"),
    (FINE, "sessions"),
    (MISUSE, "sessions --limit 0"),
    (NONE, "sessions show nobody"),
    (MISUSE, "sessions show s"),
    (MISUSE, "sessions show"),
    (FILE, "sessions show --log missing.jsonl"),
    (FILE, "sessions show --log notes.txt"),
    (FINE, "sessions search nowhere"),
    (FILE, "sessions search words --log missing.jsonl"),
    (FINE, "sessions places"),
    (FILE, "sessions places --former ."),
    (NONE, "sessions export nobody"),
    (FILE, "sessions export s1 --out notes.txt"),
    (MISUSE, "sessions export s1 --format pdf"),
    (REFUSED, "sessions import s1.jsonl"),
    (FILE, "sessions import missing.jsonl"),
    (FILE, "sessions import notes.txt"),
    (FINE, "extract --all"),
    (NONE, "extract --session nobody"),
    (FILE, "extract --log missing.jsonl"),
    (MISUSE, "extract --all --session s1"),
    (SETTINGS, "extract --all --provider nobody"),
    (SETTINGS, "extract --session s2 --provider openai"),
    (FINE, "staging"),
    (FINE, "staging list"),
    (NONE, "staging show nobody"),
    (NONE, "staging close nobody --action discarded --reason why"),
    (MISUSE, "staging close nobody --action applied --reason why"),
    (FINE, "staging offers"),
    (NONE, "staging offers --create nobody"),
    (NONE, "staging offers --never nobody"),
    (MISUSE, "staging offers --never a --later a"),
    (FINE, "consolidate"),
    (NONE, "consolidate --accept nobody"),
    (NONE, "consolidate --reject nobody"),
    (NONE, "consolidate --review nobody"),
    (MISUSE, "consolidate --accept a --reject a"),
    (SETTINGS, "consolidate --provider nobody"),
    (FINE, "undo"),
    (NONE, "undo nobody"),
    (NONE, f"undo {RUN}"),
    (MISUSE, "undo a b"),
    (FINE, "expand #nobody"),
    (FILE, "expand #limits --log missing.jsonl"),
    (FILE, "expand #limits --log foreign.jsonl"),
    (FINE, "context"),
    (MISUSE, "context --session-kind poem"),
    (FINE, "usage"),
    (FINE, "usage report"),
    (FILE, "usage report --html notes.txt"),
    (MISUSE, "usage report --csv --html new.html"),
    (FINE, "enricher status"),
    (FINE, "enricher sync"),
    (MISUSE, "enricher rebuild nobody"),
    (MISUSE, "enricher cleanup nobody"),
    (FINE, "legacy list"),
    (FINE, "legacy scan"),
    (FILE, "legacy scan missing.db"),
    (FILE, "legacy plan missing.db --out plan.json"),
    (NONE, "legacy plan --out plan.json --promote nobody"),
    (MISUSE, "legacy plan --out plan.json --expire nothing"),
    (FILE, "legacy apply --plan missing.json"),
    (FILE, "legacy apply --plan notes.txt"),
    (NONE, "legacy rollback --receipt nobody"),
    (NONE, "legacy purge --receipt nobody"),
    (FILE, "export --out notes.txt"),
    (MISUSE, "export --sessions"),
    (FILE, "import missing.json"),
    (FILE, "import notes.txt"),
    (MISUSE, "install emacs"),
    (REFUSED, "install claude-code --yes"),
    (MISUSE, "help nobody"),
    (FINE, "help read"),
    (MISUSE, "demo --keep a --example b"),
    (FILE, "demo --example ."),
    (FINE, "hook nothing"),
]  # fmt: skip
# Where nobody made a memory; the rest needs none.
WITHOUT = [
    "status", "audit", "lint", "new knowledge a", "read summary", "search words", "rename knowledge a b",
    "promote decision a", "archive knowledge a", "sessions", "sessions show s1", "sessions search words",
    "sessions export s1", "sessions import s1.jsonl", "extract", "staging", "staging list", "staging show a",
    "staging close a --action discarded --reason why", "staging offers", "consolidate", "undo", "expand #a", "context",
    "usage", "usage report", "enricher status", "enricher sync", "enricher rebuild", "enricher cleanup a",
    "legacy list", "legacy scan", "legacy plan --out plan.json", "legacy apply --plan notes.txt",
    "legacy rollback --receipt a", "legacy purge --receipt a", "export", "import notes.txt",
    "install claude-code --yes",
]  # fmt: skip
NEEDS_NONE = {"init", "demo", "doctor", "explain", "sessions places", "hook", "help", "lsp", "mcp"}


def codes() -> dict[str, int]:
    """What happened, and the code for it, as the page has them."""
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if "|" in line]
    start = rows.index(["what happened", "code"]) + 2
    return {row[0]: int(row[1]) for row in rows[start:] if len(row) == 2 and row[1].isdigit()}


def code_of(happened: str) -> int:
    (code,) = [code for words, code in codes().items() if words.startswith(happened)]
    return code


def commands(group: click.Group, before: str = "") -> Iterator[str]:
    """Every command that does something, by its words."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield f"{before}{name}"


@pytest.fixture
def filled(workspace: Path, home: Path) -> Path:
    root = workspace / ".omoide"
    head = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\nkind: fact\nmodel_invokation: false\n"
    for slug, body in (("limits", "At most five."), ("tokens", "As #limits says, and #nobody.")):
        text = f"---\n{head}user_invocable: true\ndescription: Of {slug}; read it first.\n---\n\n{body}\n"
        (root / f"knowledge/{slug}.md").write_text(text, encoding="utf-8")
    log = home / ".claude/projects/p/s1.jsonl"
    log.parent.mkdir(parents=True)
    for name in ("s1", "s2"):
        said = {"type": "user", "sessionId": name, "uuid": name, "cwd": str(workspace), "message": {"content": "Hi."}}
        log.with_stem(name).write_text(json.dumps(said) + "\n", encoding="utf-8")
    (workspace / "s1.jsonl").write_text(log.read_text(encoding="utf-8"), encoding="utf-8")
    foreign = {"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "x", "cwd": "/"}}
    (workspace / "foreign.jsonl").write_text(json.dumps(foreign) + "\n", encoding="utf-8")
    (workspace / "notes.txt").write_text("mine", encoding="utf-8")
    (workspace / ".claude").mkdir()
    (workspace / ".claude/settings.json").write_text("{broken", encoding="utf-8")  # it is the agent's, and stays so
    return workspace


def test_every_command_and_every_line_of_the_page_is_driven() -> None:
    driven = {" ".join(words.split()) for _, words in CASES}
    for command in commands(cli):
        if command in ("mcp", "lsp"):  # they become another process, see below
            continue
        assert any(f"{words} ".startswith(f"{command} ") for words in driven), command
        without = any(f"{words} ".startswith(f"{command} ") for words in WITHOUT)
        assert without == (command not in NEEDS_NONE), command
    happened = [words for words, _ in CASES] + [NO_MEMORY, SILENT]
    for row in codes():
        assert any(row.startswith(words) for words in happened), row


@pytest.mark.parametrize(("happened", "words"), CASES, ids=[words for _, words in CASES])
def test_a_command_ends_as_the_page_says(omoide: Run, filled: Path, happened: str, words: str) -> None:
    outcome = omoide(*words.split())
    assert outcome.code == code_of(happened), outcome.err
    assert "internal error" not in outcome.err
    assert outcome.code != 2 or outcome.err.strip()


@pytest.mark.parametrize("words", WITHOUT)
def test_without_a_memory_every_command_that_needs_one_ends_with_its_code(
    omoide: Run, folder: Path, words: str
) -> None:
    for name in ("notes.txt", "s1.jsonl"):
        (folder / name).write_text("mine", encoding="utf-8")
    outcome = omoide(*words.split())
    assert outcome.code == code_of(NO_MEMORY), outcome.err
    assert "omoide init" in outcome.err


def test_a_lock_that_is_held_is_a_refusal(omoide: Run, filled: Path) -> None:
    sessions = SessionStore.of_workspace(filled)
    made = sessions.create("my-agent", cwd=str(filled))
    sessions.append(made, "user_message", text="From now on, always run the linter before you commit.")
    assert omoide("extract", "--session", made).code == 0
    with hold(open_workspace(filled).layout.lock, "A consolidation", utc_now):
        for words in (["consolidate"], ["undo", RUN]):
            assert omoide(*words).code == code_of(REFUSED), words


def test_a_model_server_that_is_not_there_is_no_misuse(
    omoide: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMOIDE_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OMOIDE_MODEL", "m")
    monkeypatch.setenv("OMOIDE_API_KEY", "k")
    outcome = omoide("extract", "--session", "s2", "--provider", "openai")
    assert outcome.code == code_of(SILENT), outcome.err


@pytest.mark.parametrize("words", [["mcp", "--nothing"], ["mcp"], ["lsp", "--nothing"]])
def test_servers_end_as_the_page_says(folder: Path, words: list[str]) -> None:
    command = [sys.executable, "-c", "from memory_core.cli import main; main()", *words]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == code_of(NO_MEMORY if words == ["mcp"] else MISUSE), done.stderr
