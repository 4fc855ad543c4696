"""One file open in two buffers, by a link and without, and links that lead elsewhere meanwhile: each buffer has a text
and a count of versions of its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.protocol.conftest import NewClient, knowledge
from tests.protocol.raw_client import Message, RawClient
from tests.protocol.test_rename import FULL

pytestmark = [
    pytest.mark.protocol,
    pytest.mark.skipif(os.name != "posix", reason="making links needs rights elsewhere"),
]

START = len(knowledge("", "").splitlines())  # the first line of a record's text
TEXT = knowledge("How much", "See #api-keys and more.\n")


def inserted(line: int, text: str) -> Message:
    place = {"line": line, "character": 0}
    return {"range": {"start": place, "end": place}, "text": text}


@pytest.fixture
def two(new_client: NewClient, workspace: Path) -> tuple[RawClient, str, str]:
    """A record open under its own name and through a link."""
    (workspace / "link").symlink_to(workspace / ".omoide/knowledge")
    client = new_client(workspace)
    client.initialize(workspace, capabilities=FULL)
    own, linked = workspace / ".omoide/knowledge/api-limits.md", workspace / "link/api-limits.md"
    for path in (linked, own):
        client.open(path.as_uri(), TEXT)
    assert client.at("hover", own.as_uri(), START, 6)
    return client, own.as_uri(), linked.as_uri()


def test_an_edit_is_of_the_very_buffer_it_is_sent_to(two: tuple[RawClient, str, str], workspace: Path) -> None:
    """The changes of both went into one text: a rename hit the wrong place of a buffer, at its right version."""
    client, own, linked = two
    client.change(linked, 2, inserted(START, "One line more.\n"))
    client.change(own, 2, inserted(START, "So: "))
    keys = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(keys, knowledge("Where keys live", "# Keys\n"))
    for asked, version, line, column in ((own, 2, START, 8), (linked, 2, START + 1, 4)):
        found = client.at("rename", asked, line, column + 2, newName="other-keys")
        edit = next(
            change for change in found["documentChanges"] if change.get("textDocument", {}).get("uri") in (own, linked)
        )
        assert edit["textDocument"] == {"uri": asked, "version": version}
        assert edit["edits"][0]["range"]["start"] == {"line": line, "character": column}


def test_a_buffer_lives_on_when_the_other_one_is_closed(two: tuple[RawClient, str, str]) -> None:
    """The file counted as closed, and the other buffer got no answer any more."""
    client, own, linked = two
    client.change(own, 2, inserted(START, "So: "))
    client.notify("textDocument/didClose", {"textDocument": {"uri": linked}})
    client.change(own, 3, inserted(START, "And "))
    assert client.at("hover", own, START, len("And So: See #"))["range"]["start"]["character"] == len("And So: See ")


def test_changes_reach_a_buffer_whose_link_leads_elsewhere_meanwhile(
    new_client: NewClient, workspace: Path, tmp_path: Path
) -> None:
    """A document was looked for by where its path leads now: a switched link made the server deaf for it."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "note.md").write_text("x\n", encoding="utf-8")
    link = workspace / "current"
    link.symlink_to(tmp_path / "one")
    client = new_client(workspace)
    client.initialize(workspace)
    note = (link / "note.md").as_uri()
    client.open(note, "see nothing\n")
    link.unlink()
    link.symlink_to(tmp_path / "two")
    client.change(note, 2, {"text": "see #api-keys\n"})
    assert client.at("hover", note, 0, 6)
    client.shut_down()
    assert client.stderr == ""
