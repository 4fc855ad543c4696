"""An import and the log that it was made from are one witness, in whatever order they come and are extracted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memory_core.cli.main import cli
from memory_core.sessions.copies import COPIED
from memory_core.sessions.model import EntryKind
from memory_core.sessions.pointer import Pointer
from memory_core.workspace import Workspace

SECRET = "password: hunter2-Xk9"  # an import has it not


def log(path: Path, folder: Path, name: str, *numbers: int) -> Path:
    """A log of Claude Code: the same number is the same message wherever it stands, number 2 with a secret."""
    path.parent.mkdir(parents=True, exist_ok=True)
    records = [
        {"type": "user" if n % 2 else "assistant", "uuid": f"u{n}", "sessionId": name, "cwd": str(folder),
         "timestamp": f"2026-04-01T09:{n:02d}:00.031Z",
         "message": {"content": f"words {n}" + (f" {SECRET}" if n == 2 else "")}}
        for n in numbers
    ]  # fmt: skip
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def here(workspace: Workspace, name: str, *numbers: int) -> Path:
    path = Path(workspace.environment["HOME"]) / f".claude/projects/p/{name}.jsonl"
    return log(path, workspace.layout.workspace, name, *numbers)


def run(workspace: Workspace, *arguments: str) -> Result:
    start = ["--workspace", str(workspace.layout.workspace)]
    done = CliRunner().invoke(cli, [*start, *arguments], env=dict(workspace.environment))
    assert done.exit_code == 0, done.output
    return done


def brought(workspace: Workspace, name: str, *numbers: int) -> Result:
    """A log from elsewhere, imported."""
    away = Path(workspace.environment["HOME"]) / f"elsewhere/{name}.jsonl"
    return run(workspace, "sessions", "import", str(log(away, workspace.layout.workspace, name, *numbers)))


def extract(workspace: Workspace) -> list[str]:
    """What an extract of all sessions asks for, without what was said to be a secret."""
    asked: list[str] = []
    every = workspace.sessions()
    for ref in every:
        session = workspace.read_session(ref, every)
        fresh = session.entries[workspace.store.pointer(session).processed_through_entry + 1 :]
        said = (EntryKind.USER_MESSAGE, EntryKind.ASSISTANT_MESSAGE)
        asked += [entry.text[:7] for entry in fresh if entry.kind in said and entry.subtype != COPIED]
        workspace.store.advance(session, Pointer(len(session.entries) - 1))
    return sorted(asked)


def rows(workspace: Workspace) -> dict[str, dict[str, Any]]:
    return {row["session_id"]: row for row in json.loads(run(workspace, "--json", "sessions").stdout)["sessions"]}


def words(*numbers: int) -> list[str]:
    return [f"words {n}" for n in numbers]


def test_an_imported_fork_repeats_its_original(workspace: Workspace) -> None:
    here(workspace, "s1", 1, 2, 3)
    told = brought(workspace, "s2", 1, 2, 5)
    assert "2 entries repeated from s1, and read there" in told.stderr
    assert rows(workspace)["s2"]["copy_of"] == ["s1"]
    assert rows(workspace)["s2"]["imported"] is True
    assert not {"copy_of", "imported", "imports"} & rows(workspace)["s1"].keys()
    assert "imported; repeats s1: what both say is read there" in run(workspace, "sessions").stdout
    assert "2 entries repeated from s1, and read there" in run(workspace, "sessions", "show", "s2").stderr
    assert extract(workspace) == words(1, 2, 3, 5)
    assert extract(workspace) == []


def test_of_two_imports_one_repeats_the_other(workspace: Workspace) -> None:
    brought(workspace, "s1", 1, 2, 3)
    brought(workspace, "s2", 1, 2, 5)
    assert {name: row.get("copy_of") for name, row in rows(workspace).items()} == {"s1": None, "s2": ["s1"]}
    assert extract(workspace) == words(1, 2, 3, 5)


def test_a_fork_found_here_repeats_its_imported_original(workspace: Workspace) -> None:
    brought(workspace, "s1", 1, 2, 3)
    here(workspace, "s2", 1, 2, 5)
    assert rows(workspace)["s2"]["copy_of"] == ["s1"]
    assert extract(workspace) == words(1, 2, 3, 5)


def test_an_import_of_before_is_told_by_the_id_of_its_first_message(workspace: Workspace) -> None:
    """Imports did not name their family then."""
    here(workspace, "s1", 1, 2, 3)
    brought(workspace, "s2", 1, 2, 5)
    (path,) = workspace.layout.sessions.glob("s2.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines()
    start = json.loads(lines[0])
    assert start["origin"].pop("family")
    path.write_text("\n".join([json.dumps(start), *lines[1:]]) + "\n", encoding="utf-8")
    assert rows(workspace)["s2"]["copy_of"] == ["s1"]


@pytest.mark.parametrize("read_first", [True, False])
def test_a_log_that_comes_back_beside_its_import_is_read_instead_of_it(workspace: Workspace, read_first: bool) -> None:
    brought(workspace, "s1", 1, 2, 3)
    if read_first:
        assert extract(workspace) == words(1, 2, 3)
    path = here(workspace, "s1", 1, 2, 3)
    row = rows(workspace)["s1"]
    assert (row["path"], row["imports"]) == (str(path), [str(workspace.layout.sessions / "s1.jsonl")])
    assert "s1.jsonl says nothing more and is not read" in run(workspace, "sessions").stdout
    assert extract(workspace) == ([] if read_first else words(1, 2, 3))
    here(workspace, "s1", 1, 2, 3, 5)
    assert extract(workspace) == words(5)
    path.unlink()
    assert extract(workspace) == [], "the import is what is left"


def test_an_import_of_a_log_that_was_extracted_and_is_gone_is_not_extracted_again(workspace: Workspace) -> None:
    path = here(workspace, "s1", 1, 2, 3)
    assert extract(workspace) == words(1, 2, 3)
    path.unlink()
    brought(workspace, "s1", 1, 2, 3, 5)
    assert extract(workspace) == words(5)
    assert extract(workspace) == []


def test_an_import_and_an_original_with_words_of_their_own_are_both_read_and_the_rest_once(
    workspace: Workspace,
) -> None:
    """The original was cut, or went on elsewhere."""
    brought(workspace, "s1", 1, 2, 3)
    here(workspace, "s1", 1, 2, 5)
    assert extract(workspace) == words(1, 2, 3, 5)
    copies = [row.get("copy_of") for row in rows(workspace).values()]
    assert len(copies) == 2
    assert ["s1"] in copies


def test_the_export_of_an_import_still_names_the_log_that_it_was_made_from(workspace: Workspace) -> None:
    brought(workspace, "s2", 1, 2, 5)
    again = Path(workspace.environment["HOME"]) / "again.jsonl"
    run(workspace, "sessions", "export", "s2", "--format", "omoide", "--out", str(again))
    (workspace.layout.sessions / "s2.jsonl").unlink()
    run(workspace, "sessions", "import", str(again))
    here(workspace, "s1", 1, 2, 3)
    assert rows(workspace)["s2"]["copy_of"] == ["s1"]
    assert extract(workspace) == words(1, 2, 3, 5)


def test_a_session_of_a_file_of_several_that_comes_back_is_read_instead_of_its_import(workspace: Workspace) -> None:
    """Its messages have no ids, and its place is no file."""
    home = Path(workspace.environment["HOME"])
    said = "# aider chat started at 2026-04-01 10:00:00\n\n#### Say words.  \n\nOk.\n\n#### Say more.  \n\nSaid.\n"
    away = home / "elsewhere" / ".aider.chat.history.md"
    away.parent.mkdir()
    away.write_text(said, encoding="utf-8")
    run(workspace, "sessions", "import", str(away / "2026-04-01T10-00-00"))
    assert len(extract(workspace)) == 4
    (imported,) = rows(workspace).values()
    history = workspace.layout.workspace / ".aider.chat.history.md"
    history.write_text(said, encoding="utf-8")
    (row,) = rows(workspace).values()
    assert (row["session_id"], row["imports"]) == (imported["session_id"], [imported["path"]])
    assert extract(workspace) == []
    history.write_text(said + "\n#### words 5  \n\nOk.\n", encoding="utf-8")
    assert "words 5" in extract(workspace)
    assert extract(workspace) == []
