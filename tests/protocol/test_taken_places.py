"""A record that came to lie where a plan would make or move one, and of which no watcher told: a pull, an agent,
another machine on a shared disk. Neovim and Helix emptied it; after a rename every reference named the stranger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from memory_core.changes import ChangeSet
from server.convert.edits import of_changes
from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import RawClient
from tests.protocol.test_actions import FILES, LITERALS, RESOLVES, ask, span
from tests.protocol.test_convert_edits import to

pytestmark = pytest.mark.protocol

NOTES = "See #api-keys and #new-thing: keys live in the vault.\n"


def met(new_client: NewClient, workspace: Path, actions: Any) -> tuple[RawClient, str]:
    """A client that says it watches the disk, and tells nothing; with notes of its own open."""
    client = new_client(workspace)
    client.initialize(
        workspace,
        capabilities={
            "textDocument": {"codeAction": actions, "rename": {"prepareSupport": True}},
            "workspace": {
                "workspaceEdit": FILES,
                "didChangeWatchedFiles": {"dynamicRegistration": True},
                "fileOperations": {"willRename": True},
            },
        },
    )
    uri = (workspace / "notes.md").as_uri()
    client.open(uri, NOTES)
    assert client.at("definition", uri, 0, 6)  # the records are read
    return client, uri


def brought(workspace: Path, slug: str) -> None:
    (workspace / f".omoide/knowledge/{slug}.md").write_text(
        knowledge("Precious", "By a colleague.\n"), encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("place", "title", "slug"),
    [
        (span(0, 20), "Create the knowledge record `#new-thing`", "new-thing"),
        (span(0, 30, 0, 52), "Extract the selection to knowledge `#keys-live-in-the-vault`", "keys-live-in-the-vault"),
    ],
    ids=["create", "extract"],
)
def test_a_chosen_action_makes_no_record_where_one_came_to_lie(
    new_client: NewClient, workspace: Path, place: Any, title: str, slug: str
) -> None:
    client, uri = met(new_client, workspace, RESOLVES)
    (action,) = [action for action in ask(client, uri, place) if action["title"] == title]
    brought(workspace, slug)
    answer = client.answer(client.begin("codeAction/resolve", action))
    assert "exists already" in answer["error"]["message"]


def test_a_client_that_resolves_nothing_is_offered_no_record_where_one_came_to_lie(
    new_client: NewClient, workspace: Path
) -> None:
    client, uri = met(new_client, workspace, LITERALS)
    title = "Create the knowledge record `#new-thing`"
    assert title in [action["title"] for action in ask(client, uri, span(0, 20))]
    brought(workspace, "new-thing")
    assert title not in [action["title"] for action in ask(client, uri, span(0, 20))]


def test_a_rename_to_a_name_that_came_to_be_taken_is_refused(new_client: NewClient, workspace: Path) -> None:
    client, uri = met(new_client, workspace, RESOLVES)
    brought(workspace, "new-name")
    params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 6}, "newName": "new-name"}
    answer = client.answer(client.begin("textDocument/rename", params))
    assert "exists already" in answer["error"]["message"]


def test_what_refers_to_a_file_does_not_follow_it_onto_another_record(new_client: NewClient, workspace: Path) -> None:
    make_root(workspace, {"knowledge/other.md": knowledge("Other", "See #api-keys.\n")})
    client, _ = met(new_client, workspace, RESOLVES)
    brought(workspace, "new-name")
    folder = (workspace / ".omoide/knowledge").as_uri()
    files = [{"oldUri": f"{folder}/api-keys.md", "newUri": f"{folder}/new-name.md"}]
    assert client.request("workspace/willRenameFiles", {"files": files}) is None
    assert "exists already" in client.notification("window/showMessage")["message"]


def test_two_records_that_take_each_others_places_take_their_references_along(
    new_client: NewClient, workspace: Path
) -> None:
    """A place that is left in the same move counts as empty, though a file lies there."""
    make_root(workspace, {"knowledge/other.md": knowledge("Other", "See #api-keys and #api-limits.\n")})
    client, _ = met(new_client, workspace, RESOLVES)
    folder = (workspace / ".omoide/knowledge").as_uri()
    keys, limits = f"{folder}/api-keys.md", f"{folder}/api-limits.md"
    files = [{"oldUri": keys, "newUri": limits}, {"oldUri": limits, "newUri": keys}]
    edit = client.request("workspace/willRenameFiles", {"files": files})
    (other,) = [c for c in edit["documentChanges"] if c["textDocument"]["uri"] == f"{folder}/other.md"]
    assert [each["newText"] for each in other["edits"]] == ["#api-limits", "#api-keys"]


def test_an_editor_that_makes_a_file_too_late_keeps_what_lies_there() -> None:
    """A menu may stand open for minutes, and between two programs there is no lock."""
    edit = of_changes(ChangeSet().with_file("a.md", None, "new\n"), to())
    assert edit
    assert edit.document_changes
    made = [change for change in edit.document_changes if isinstance(change, types.CreateFile)]
    assert [change.options and change.options.ignore_if_exists for change in made] == [True]
