"""A consolidation while its records are open: the editor changes them, and nothing is lost where it does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient
from tests.protocol.raw_client import Message, RawClient
from tests.protocol.test_commands import run, write_session

pytestmark = pytest.mark.protocol
EDITS = {"window": {}, "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}}


def said_again(new_client: NewClient, workspace: Path, answer: Any) -> tuple[RawClient, Path, str]:
    """A record that is open and saved, and a second session that says the same. `answer`: the editor's, to an edit."""
    write_session(workspace)
    client = new_client(workspace)
    client.answers["workspace/applyEdit"] = lambda _: answer
    client.initialize(workspace, capabilities=EDITS)
    run(client, "omoide.extract")
    made = run(client, "omoide.consolidate")["changes"]
    slug = next(change["slug"] for change in made if change["kind"] == "decision")
    path = workspace / f".omoide/memory/decisions/{slug}.md"
    write_session(workspace, "talk-2")
    run(client, "omoide.extract", {"session": "talk-2"})
    text = path.read_text(encoding="utf-8")
    client.open(path.as_uri(), text)
    return client, path, text


def edits_of(client: RawClient) -> Message:
    return client.wait(lambda m: m.get("method") == "workspace/applyEdit")["params"]["edit"]  # type: ignore[no-any-return]


def applied(text: str, edits: list[Message]) -> str:
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines) + 1)]

    def offset(place: Message) -> int:
        return starts[place["line"]] + int(place["character"])

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text


def staged(workspace: Path) -> list[Path]:
    return list((workspace / ".omoide/memory/_staging").glob("*.json"))


def test_an_open_record_is_changed_in_the_editor_and_its_candidates_wait_for_the_save(
    new_client: NewClient, workspace: Path
) -> None:
    """T39: one owner of an open text; what rests on it is closed when it is on disk, not before."""
    client, path, text = said_again(new_client, workspace, {"applied": True})
    done = run(client, "omoide.consolidate")
    (change,) = [c for c in edits_of(client)["documentChanges"] if c["textDocument"]["uri"] == path.as_uri()]
    assert change["textDocument"]["version"] == 1
    assert path.read_text(encoding="utf-8") == text
    assert done["status"] == "committed"
    assert f"{path.name} changed in your editor: save" in done["reason"]
    assert done["left"]
    assert staged(workspace)
    new = applied(text, change["edits"])
    assert "talk-2" in new
    client.change(path.as_uri(), 2, {"text": new})
    path.write_text(new, encoding="utf-8")
    client.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
    again = run(client, "omoide.consolidate")
    assert again["left"] == []
    assert "already_covered" in {r["action"] for r in again["closed"]}
    assert path.read_text(encoding="utf-8") == new
    assert staged(workspace) == []


def test_an_edit_thrown_away_is_decided_again(new_client: NewClient, workspace: Path) -> None:
    client, path, _ = said_again(new_client, workspace, {"applied": True})
    run(client, "omoide.consolidate")
    client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    again = run(client, "omoide.consolidate")
    assert again["left"] == []
    assert "talk-2" in path.read_text(encoding="utf-8")
    assert staged(workspace) == []


@pytest.mark.parametrize("answer", [{"applied": False, "failureReason": "busy typing"}, RuntimeError("no such method")])
def test_an_editor_that_refuses_is_a_conflict(new_client: NewClient, workspace: Path, answer: Any) -> None:
    """T40: a lost race has a name of its own; the record and the candidates stay."""
    client, path, text = said_again(new_client, workspace, answer)
    done = run(client, "omoide.consolidate")
    assert done["status"] == "conflict"
    assert f"memory/decisions/{path.name}" in done["conflicts"]
    assert "refused the change" in done["reason"]
    assert path.read_text(encoding="utf-8") == text
    assert staged(workspace)


def test_unsaved_edits_are_a_conflict_that_keeps_both_texts(new_client: NewClient, workspace: Path) -> None:
    """T39"""
    client, path, text = said_again(new_client, workspace, {"applied": True})
    client.change(path.as_uri(), 2, {"text": text + "\nTyped, not saved.\n"})
    done = run(client, "omoide.consolidate")
    assert done["status"] == "conflict"
    assert "is open with unsaved edits: save or close it, then run again" in done["reason"]
    assert path.read_text(encoding="utf-8") == text
    assert not any(m.get("method") == "workspace/applyEdit" for m in client.received)
    candidates = {c["id"] for c in run(client, "omoide.staging")["candidates"]}
    assert candidates & set(done["left"])
    assert json.dumps(done["closed"]).count("applied") < 3


def test_an_editor_without_edits_leaves_the_record_to_the_store(new_client: NewClient, workspace: Path) -> None:
    write_session(workspace)
    client = new_client(workspace)
    client.initialize(workspace)
    run(client, "omoide.extract")
    made = run(client, "omoide.consolidate")["changes"]
    slug = next(change["slug"] for change in made if change["kind"] == "decision")
    path = workspace / f".omoide/memory/decisions/{slug}.md"
    write_session(workspace, "talk-2")
    run(client, "omoide.extract", {"session": "talk-2"})
    client.open(path.as_uri(), path.read_text(encoding="utf-8"))
    assert run(client, "omoide.consolidate")["left"] == []
    assert "talk-2" in path.read_text(encoding="utf-8")


def test_accepting_a_held_run_changes_an_open_record_in_the_editor(new_client: NewClient, workspace: Path) -> None:
    """An accepted run writes an open text no other way than any run does; what rests on it waits for the save."""
    client, path, text = said_again(new_client, workspace, {"applied": True})
    shown = run(client, "omoide.preview")
    assert f"memory/decisions/{path.name}" in [file["path"] for file in shown["files"]]
    done = run(client, "omoide.consolidate", {"accept": shown["run_id"]})
    (change,) = [c for c in edits_of(client)["documentChanges"] if c["textDocument"]["uri"] == path.as_uri()]
    assert done["status"] == "committed"
    assert f"{path.name} changed in your editor: save" in done["reason"]
    assert path.read_text(encoding="utf-8") == text
    assert done["left"]
    assert staged(workspace)
    new = applied(text, change["edits"])
    client.change(path.as_uri(), 2, {"text": new})
    path.write_text(new, encoding="utf-8")
    client.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
    again = run(client, "omoide.consolidate")
    assert again["left"] == []
    assert path.read_text(encoding="utf-8") == new


def test_an_editor_that_refuses_an_accepted_run_leaves_it_waiting(new_client: NewClient, workspace: Path) -> None:
    """T40"""
    client, path, text = said_again(new_client, workspace, {"applied": False, "failureReason": "busy typing"})
    shown = run(client, "omoide.preview")
    done = run(client, "omoide.consolidate", {"accept": shown["run_id"]})
    assert (done["status"], "refused the change (busy typing)" in done["reason"]) == ("conflict", True)
    assert path.read_text(encoding="utf-8") == text
    assert run(client, "omoide.consolidate", {"review": shown["run_id"]})["held"]


def test_a_file_that_changed_below_an_open_record_is_not_edited_at_the_old_places(
    new_client: NewClient, workspace: Path
) -> None:
    """A pull writes the file, and neither the editor nor the server has looked yet: an edit of the new text would land
    in the old one."""
    client, path, text = said_again(new_client, workspace, {"applied": True})
    path.write_text(text.replace("---\n", "---\n# Pulled.\n", 1), encoding="utf-8")
    done = run(client, "omoide.consolidate")
    assert not [m for m in client.received if m.get("method") == "workspace/applyEdit"]
    assert "talk-2" not in path.read_text(encoding="utf-8")
    assert done["conflicts"] == [path.relative_to(workspace / ".omoide").as_posix()]
    assert staged(workspace)
