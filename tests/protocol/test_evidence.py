"""From a record to what was said: definition on sources, implementation, `omoide.openTranscript`, over the wire."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from memory_core.store.session_files import read_log
from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import RawClient

pytestmark = pytest.mark.protocol

TEXTS = ["Which store?", "SQLite, since it is one file.", "Agreed: SQLite.", "Noted."]


def write_log(workspace: Path, texts: list[str], session_id: str = "talk-1") -> Path:
    entries: list[dict[str, Any]] = [
        {"kind": "session_start", "session_id": session_id, "agent": "omoide", "cwd": str(workspace)},
        *({"kind": ("assistant_message", "user_message")[n % 2 == 0], "text": text} for n, text in enumerate(texts)),
    ]
    path = workspace / ".omoide/sessions" / f"{session_id}.jsonl"
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        for n, entry in enumerate(entries):
            head = {"id": f"0190f000-0000-7000-8000-{n:012d}", "ts": "2026-06-12T09:00:00Z"}
            stream.write(json.dumps({**head, **entry}) + "\n")
    return path


DECISION = """\
---
created_at: 2026-06-01T00:00:00Z
updated_at: 2026-06-10T00:00:00Z
status: open
sources:
  - session_id: talk-1
    range: [1, 4]
    agent: omoide
    anchors:
      - evidence_id: E0001
        entry_range: [3, 3]
        kind: message
        speaker: human
        native_id: {native}
        sha256: {sha256}
        excerpt: "Agreed: SQLite."
  - session_id: lost
    range: [7, 9]
    anchors:
      - evidence_id: E0002
        entry_range: [8, 8]
        kind: message
        speaker: human
        sha256: ffff
        excerpt: "Words of a log that is gone"
---

# 😀 SQLite, see #api-keys
"""


@pytest.fixture
def talked(workspace: Path) -> Path:
    """A workspace with a session, and a decision that comes from it and from one whose log is gone."""
    entry = read_log(write_log(workspace, TEXTS)).entries[3]
    text = DECISION.format(native=entry.native_id, sha256=entry.sha256)
    return make_root(workspace, {"memory/decisions/store.md": text})


def met(new_client: NewClient, workspace: Path, **capabilities: Any) -> tuple[RawClient, str]:
    client = new_client(workspace)
    client.initialize(workspace, capabilities=capabilities)
    path = workspace / ".omoide/memory/decisions/store.md"
    client.open(path.as_uri(), path.read_text(encoding="utf-8"))
    return client, path.as_uri()


def line_at(location: dict[str, Any]) -> str:
    path = Path(unquote(urlsplit(location["uri"]).path))
    return path.read_text(encoding="utf-8").split("\n")[location["range"]["start"]["line"]]


@pytest.mark.parametrize(
    ("line", "character", "entry"), [(5, 20, 1), (6, 12, 1), (6, 15, 4), (9, 12, 3), (15, 20, 3), (10, 2, 3)]
)
def test_a_source_leads_to_the_entry_in_the_transcript(
    new_client: NewClient, talked: Path, line: int, character: int, entry: int
) -> None:
    client, uri = met(new_client, talked)
    found = client.at("definition", uri, line, character)
    assert found["uri"] == (talked / ".omoide/cache/transcripts/omoide.talk-1.md").as_uri()
    assert line_at(found).startswith(f"## {entry} · ")


def test_definition_links_carry_what_the_cursor_is_on(new_client: NewClient, talked: Path) -> None:
    client, uri = met(new_client, talked, textDocument={"definition": {"linkSupport": True}})
    (link,) = client.at("definition", uri, 15, 20)
    assert link["originSelectionRange"]["start"] == {"line": 9, "character": 8}
    assert link["targetUri"].endswith("/omoide.talk-1.md")
    assert link["targetSelectionRange"]["start"]["line"] > 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_a_slug_behind_wide_characters_still_leads_to_its_record(
    new_client: NewClient, talked: Path, encoding: str
) -> None:
    client, uri = met(new_client, talked, general={"positionEncodings": [encoding]})
    column = {"utf-8": 24, "utf-16": 22, "utf-32": 21}[encoding]
    number = DECISION.split("\n").index("# 😀 SQLite, see #api-keys")
    assert client.at("definition", uri, number, column)["uri"].endswith("/knowledge/api-keys.md")
    assert client.at("definition", uri, number, 0) is None


def test_a_log_that_is_gone_is_said_and_what_the_record_keeps_is_shown(new_client: NewClient, talked: Path) -> None:
    client, uri = met(new_client, talked)
    number = DECISION.split("\n").index('        excerpt: "Words of a log that is gone"')
    found = client.at("definition", uri, number, 20)
    assert line_at(found).startswith("## 8 · human")
    said = client.notification("window/showMessage")
    assert said["type"] == 2
    assert "No log of session lost is found" in said["message"]
    assert "“Words of a log that is gone”" in said["message"]


def test_row_49_a_source_is_followed_in_a_workspace_without_git(new_client: NewClient, talked: Path) -> None:
    """The root is found from the document, whatever folder the client calls its workspace."""
    client = new_client(talked.parent)
    client.initialize(talked.parent)
    path = talked / ".omoide/memory/decisions/store.md"
    client.open(path.as_uri(), path.read_text(encoding="utf-8"))
    assert line_at(client.at("definition", path.as_uri(), 9, 12)).startswith("## 3 · ")


def test_implementation_of_a_record_is_all_its_evidence(new_client: NewClient, talked: Path) -> None:
    client, uri = met(new_client, talked)
    number = DECISION.split("\n").index("# 😀 SQLite, see #api-keys")
    found = client.at("implementation", uri, number, 4)
    assert [line_at(place)[:5] for place in found] == ["## 3 ", "## 8 "]


def test_implementation_of_a_slug_is_the_evidence_of_that_record(new_client: NewClient, talked: Path) -> None:
    text = knowledge("Store", "Text.\n").replace("[]", "[{session_id: talk-1, range: [2, 2]}]")
    make_root(talked, {"knowledge/store.md": text})
    client = new_client(talked)
    client.initialize(talked)
    note = (talked / "prompt.txt").as_uri()
    client.open(note, "Use #store and #api-keys.", "plaintext")
    (place,) = client.at("implementation", note, 0, 6)
    assert line_at(place).startswith("## 2 · ")
    assert client.at("implementation", note, 0, 18) is None
    assert "names no source" in client.notification("window/logMessage")["message"]
    assert client.at("implementation", note, 0, 1) is None


def open_transcript(client: RawClient, **given: Any) -> Any:
    return client.request("workspace/executeCommand", {"command": "omoide.openTranscript", "arguments": [given]})


def test_the_command_asks_the_editor_to_show_the_entry(new_client: NewClient, talked: Path) -> None:
    client, _ = met(new_client, talked, window={"showDocument": {"support": True}})
    client.answers["window/showDocument"] = lambda _: {"success": True}
    found = open_transcript(client, session_id="talk-1", entry=2)
    asked = client.notification("window/showDocument")
    assert asked["uri"] == found["uri"]
    assert asked["selection"]["start"] == {"line": found["line"], "character": 0}
    assert (found["entry"], found["note"]) == (2, None)
    assert line_at({"uri": found["uri"], "range": asked["selection"]}).startswith("## 2 · assistant")


def test_the_command_answers_where_the_editor_cannot_be_asked(new_client: NewClient, talked: Path) -> None:
    client, _ = met(new_client, talked)
    found = open_transcript(client, session_id="talk-1", agent="omoide", quiet=True)
    assert found["entry"] == 0
    assert not [m for m in client.received if m.get("method") == "window/showDocument"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "needs `session_id`"),
        ({"session_id": "talk-1", "entry": -1}, "number of an entry"),
        ({"session_id": "talk-1", "entry": True}, "must be"),
        ({"session_id": "talk-1", "entry": "2"}, "must be a int"),
        ({"session_id": "talk-1", "line": 2}, "takes no `line`"),
        ({"session_id": " "}, "names nothing"),
    ],
)
def test_the_command_refuses_what_it_does_not_understand(
    new_client: NewClient, talked: Path, given: dict[str, Any], words: str
) -> None:
    client, _ = met(new_client, talked)
    params = {"command": "omoide.openTranscript", "arguments": [given]}
    answer = client.answer(client.begin("workspace/executeCommand", params))
    assert answer["error"]["code"] == -32602
    assert words in answer["error"]["message"]


def test_the_command_shows_what_open_records_keep_of_a_lost_session(new_client: NewClient, talked: Path) -> None:
    client, _ = met(new_client, talked)
    found = open_transcript(client, session_id="lost", entry=8, quiet=True)
    assert "Words of a log that is gone" in found["note"]


def test_a_transcript_that_is_open_is_an_ordinary_text(new_client: NewClient, talked: Path) -> None:
    client, _ = met(new_client, talked)
    found = open_transcript(client, session_id="talk-1", quiet=True)
    client.open(found["uri"], Path(unquote(urlsplit(found["uri"]).path)).read_text(encoding="utf-8"))
    assert client.at("definition", found["uri"], found["line"], 3) is None
    assert client.at("hover", found["uri"], found["line"], 3) is None


def test_while_a_large_log_is_read_others_are_answered_and_it_can_be_given_up(
    new_client: NewClient, talked: Path
) -> None:
    write_log(talked, ["word " * 60] * 120_000)
    client, uri = met(new_client, talked)
    assert client.at("hover", uri, DECISION.split("\n").index("# 😀 SQLite, see #api-keys"), 20)
    params = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 20}}
    pending = client.begin("textDocument/definition", params)
    time.sleep(0.3)  # it is under way: what is given up before it began is another matter
    assert client.at("hover", uri, DECISION.split("\n").index("# 😀 SQLite, see #api-keys"), 20)
    assert pending not in [message.get("id") for message in client.received], "others are answered before it"
    client.notify("$/cancelRequest", {"id": pending})
    assert client.answer(pending)["error"]["code"] == -32800
    assert client.shut_down(5) == 0
    assert not list((talked / ".omoide").glob("cache/transcripts/omoide.talk-1*"))


def test_row_21_references_of_a_hub_are_quick_capped_and_honest(new_client: NewClient, tmp_path: Path) -> None:
    records = {f"knowledge/r{n}.md": "See #hub, #hub and #hub.\n" for n in range(2_000)}
    workspace = make_root(tmp_path / "hub", {**records, "knowledge/hub.md": knowledge("The hub")})
    client = new_client(workspace)
    client.initialize(workspace)
    note = (workspace / "note.md").as_uri()
    client.open(note, "see #hub")
    deadline = time.monotonic() + 15
    while client.at("references", note, 0, 6, context={"includeDeclaration": False}) is None:
        assert time.monotonic() < deadline
    took = []
    for _ in range(5):
        started = time.perf_counter()
        found = client.at("references", note, 0, 6, context={"includeDeclaration": True})
        took.append(time.perf_counter() - started)
    assert len(found) == 1_000 + 2
    assert [place["uri"].rpartition("/")[2] for place in found[-2:]] == ["note.md", "hub.md"]
    assert min(took) < 0.1
    assert "1,000 places are shown; 2,000 records name it." in client.notification("window/logMessage")["message"]


def test_the_record_itself_is_a_reference_where_it_is_asked_for(new_client: NewClient, talked: Path) -> None:
    client, uri = met(new_client, talked)
    number = DECISION.split("\n").index("# 😀 SQLite, see #api-keys")

    def named(**context: bool) -> list[str]:
        found = client.at("references", uri, number, 20, context=context)
        return [place["uri"].rpartition("/")[2] for place in found]

    assert named(includeDeclaration=False) == ["store.md", "release.md"]
    assert named(includeDeclaration=True) == ["store.md", "release.md", "api-keys.md"]


def test_open_texts_that_are_no_records_are_searched_too(new_client: NewClient, talked: Path, tmp_path: Path) -> None:
    client, uri = met(new_client, talked)
    prompt, elsewhere = (talked / "prompt.txt").as_uri(), (tmp_path / "elsewhere.md").as_uri()
    client.open(prompt, "😀 #api-keys\nand #api-keys-old, api-keys", "plaintext")
    client.open(elsewhere, "see #api-keys")
    number = DECISION.split("\n").index("# 😀 SQLite, see #api-keys")
    found = client.at("references", uri, number, 20, context={"includeDeclaration": False})
    assert [place["range"] for place in found if place["uri"] == prompt] == [
        {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 12}}
    ]
    assert elsewhere not in [place["uri"] for place in found]
