"""What a view beside the text asks for: the overview, records in lists, a search, sessions, resident context, trust."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from memory_core.errors import StoreError
from server.commands.trust import _quoted
from tests.protocol.conftest import NewClient
from tests.protocol.raw_client import RawClient
from tests.protocol.test_commands import run, write_session
from tests.protocol.test_record_commands import refused

pytestmark = pytest.mark.protocol


def test_the_overview_tells_what_waits_and_what_happened(client: RawClient, workspace: Path) -> None:
    empty = run(client, "omoide.overview")
    assert empty["records"] == {"knowledge": 2, "workflow": 1}
    assert (empty["open"], empty["runs"], empty["held"], empty["activity"]) == (0, [], [], [])
    write_session(workspace)
    run(client, "omoide.expand", {"text": "#api-keys"})
    run(client, "omoide.extract", {"quiet": True})
    staged = run(client, "omoide.overview")
    assert staged["open"] == len(staged["candidates"]) > 0
    candidate = staged["candidates"][0]
    assert candidate["headline"]
    assert candidate["source"]["session_id"] == "talk-1"
    assert candidate["evidence"][0]["entry_range"]
    assert [item["event"] for item in staged["activity"]] == ["extract", "use"]
    run(client, "omoide.consolidate", {"quiet": True})
    done = run(client, "omoide.overview")
    assert done["open"] == 0
    assert [item["event"] for item in done["activity"][:1]] == ["consolidate"]
    assert {"op", "kind", "slug"} <= done["activity"][0]["records"][0].keys()
    assert [run["files"] for run in done["runs"]] == [len(done["activity"][0]["records"])]
    # A log whose last line is being written, and one that is gone, are no reason to say nothing.
    with (workspace / ".omoide/memory/_logs/audit.jsonl").open("a", encoding="utf-8") as log:
        log.write('{"event": "consol')
    (workspace / ".omoide/memory/_usage/events.jsonl").unlink()
    assert [item["event"] for item in run(client, "omoide.overview")["activity"]] == ["consolidate", "extract"]


def test_records_of_a_kind_come_in_order_and_in_parts(client: RawClient, workspace: Path) -> None:
    run(client, "omoide.expand", {"text": "#api-limits"})
    answer = run(client, "omoide.records", {"kind": "knowledge"})
    assert answer["total"] == 2
    assert [(row["slug"], row["description"], row["use_count"]) for row in answer["records"]] == [
        ("api-keys", "Where keys live", 0),
        ("api-limits", "How much is allowed", 1),
    ]
    row = answer["records"][1]
    assert row["uri"] == (workspace / ".omoide/knowledge/api-limits.md").as_uri()
    assert (row["updated_at"], row["resident"], row["broken"]) == ("2026-06-10T00:00:00Z", False, False)
    part = run(client, "omoide.records", {"kind": "knowledge", "offset": 1, "limit": 1})
    assert [row["slug"] for row in part["records"]] == ["api-limits"]
    assert run(client, "omoide.records", {"kind": "decision"}) == {"records": [], "total": 0}


def test_a_search_finds_records_with_their_place(client: RawClient, workspace: Path) -> None:
    answer = run(client, "omoide.search", {"query": "vault"})
    assert answer["stored"] == 3
    (hit,) = answer["hits"]
    assert (hit["slug"], hit["excerpt"]) == ("api-keys", "In the vault.")
    lines = (workspace / ".omoide/knowledge/api-keys.md").read_text(encoding="utf-8").splitlines()
    assert lines[hit["line"]] == "In the vault."
    assert run(client, "omoide.search", {"query": "vault", "kind": "workflow"}) == {"hits": [], "stored": 1}
    assert not (workspace / ".omoide/memory/_usage").exists()  # A4: a search is no use


def test_sessions_are_listed_with_what_is_not_extracted(client: RawClient, workspace: Path) -> None:
    assert run(client, "omoide.sessions") == {"sessions": [], "unreadable": []}
    write_session(workspace)
    (session,) = run(client, "omoide.sessions")["sessions"]
    assert session["session_id"] == "talk-1"
    assert session["unextracted_tokens"] > 0
    run(client, "omoide.extract", {"quiet": True})
    assert run(client, "omoide.sessions")["sessions"][0]["unextracted_tokens"] == 0


def test_resident_context_is_shown_and_not_counted(client: RawClient, workspace: Path) -> None:
    path = workspace / ".omoide/knowledge/api-keys.md"
    client.open(path.as_uri(), path.read_text(encoding="utf-8").replace("invokation: false", "invokation: true"))
    answer = run(client, "omoide.resident", {"session_kind": "chat"})
    assert "#api-keys" in answer["text"]
    assert [(record["kind"], record["slug"]) for record in answer["records"]] == [("knowledge", "api-keys")]
    refused = run(client, "omoide.resident", {"session_kind": "internal"})
    assert refused["text"] == ""
    assert "Internal" in refused["reason"]
    assert not (workspace / ".omoide/memory/_usage").exists()


def test_trust_is_one_line_in_the_users_own_settings(new_client: NewClient, home: Path, workspace: Path) -> None:
    own = home / "omoide.toml"
    own.write_text('[provider]\nname = "builtin"', encoding="utf-8")
    (workspace / ".omoide/config.toml").write_text('[provider]\nbase_url = "http://127.0.0.1:9/v1"\n', encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace)
    assert run(client, "omoide.trust")["status"] == "trusted"
    line = f'workspaces = ["{workspace}"]'
    assert own.read_text(encoding="utf-8") == f'[provider]\nname = "builtin"\n\n[trust]\n{line}\n'
    assert run(client, "omoide.trust")["status"] == "already"
    own.write_text('[trust]\nworkspaces = ["/elsewhere"]\n', encoding="utf-8")
    answer = run(client, "omoide.trust")
    assert (answer["status"], answer["line"], answer["uri"]) == ("by-hand", line, own.as_uri())
    assert own.read_text(encoding="utf-8") == '[trust]\nworkspaces = ["/elsewhere"]\n'


@pytest.mark.parametrize("name", ["plain", 'quotes " and \\', "a\x7fb", "a\x01b", "\U0001f600"])
def test_a_folder_of_any_name_leaves_a_configuration_that_can_be_read(name: str) -> None:
    """With one wrong character none of a person's settings would count."""
    assert tomllib.loads(f"it = {_quoted(Path(name))}") == {"it": name}


def test_a_folder_whose_name_is_no_text_is_refused_in_a_sentence() -> None:
    with pytest.raises(StoreError, match="give the folder another one"):
        _quoted(Path("a\udcffb"))


def test_a_text_of_which_a_new_server_knows_nothing_overwrites_nothing(new_client: NewClient, workspace: Path) -> None:
    write_session(workspace)
    first, second = new_client(workspace), new_client(workspace)
    for client in (first, second):
        client.initialize(workspace)
    run(first, "omoide.extract", {"quiet": True})
    about = {"candidate": run(first, "omoide.staging")["candidates"][0]["id"]}
    shown = run(first, "omoide.candidateText", about)
    assert "open it again" in refused(second, "omoide.editCandidate", {**about, "text": shown["text"]})["message"]
    saved = run(second, "omoide.editCandidate", {**about, "text": shown["text"], "said": shown["said"]})
    assert saved["said"] == shown["said"]


def test_a_candidate_is_edited_as_a_text_and_accepted_alone(client: RawClient, workspace: Path) -> None:
    write_session(workspace)
    run(client, "omoide.extract", {"quiet": True})
    listed = run(client, "omoide.staging")["candidates"]
    decision = next(it for it in listed if it["kind"] == "decision")
    about = {"candidate": decision["id"]}
    text = run(client, "omoide.candidateText", about)["text"]
    assert f"## Chosen\n\n{decision['chosen']}\n" in text
    new = text.replace(decision["chosen"], "Keep the settings in a TOML file")
    saved = run(client, "omoide.editCandidate", {**about, "text": new})
    assert saved == {**about, "text": new, "said": saved["said"], "headline": "Keep the settings in a TOML file"}
    assert "heading" in refused(client, "omoide.editCandidate", {**about, "text": "Nothing."})["message"]
    (file,) = (workspace / ".omoide/memory/_staging").glob(f"{decision['id'].partition('/')[0]}.json")
    staged = file.read_text(encoding="utf-8")
    file.write_text(staged.replace("in a TOML file", "in an INI file"), encoding="utf-8")  # by hand, or another window
    assert "open it again" in refused(client, "omoide.editCandidate", {**about, "text": new})["message"]
    assert "in an INI file" in file.read_text(encoding="utf-8")
    assert "in an INI file" in run(client, "omoide.candidateText", about)["text"]
    older = {**about, "text": new, "said": saved["said"]}  # a text that was open all the time, in another window
    assert "open it again" in refused(client, "omoide.editCandidate", older)["message"]
    for _ in range(2):
        run(client, "omoide.editCandidate", {**about, "text": new})
    shown = run(client, "omoide.preview", {**about, "quiet": True})
    assert [it["candidate"] for it in shown["closed"]] == [decision["id"]]
    assert "waits for the review" in refused(client, "omoide.editCandidate", {**about, "text": text})["message"]
    run(client, "omoide.consolidate", {"reject": shown["run_id"], "quiet": True})
    done = run(client, "omoide.consolidate", {**about, "quiet": True})
    assert done["status"] == "committed"
    assert any(it["kind"] == "decision" and it["slug"].startswith("keep-settings") for it in done["changes"])
    assert [it["id"] for it in run(client, "omoide.staging")["candidates"]] == [
        it["id"] for it in listed if it["id"] != decision["id"]
    ]


def test_a_preview_is_a_run_that_waits_and_is_accepted_as_it_was_shown(client: RawClient, workspace: Path) -> None:
    assert run(client, "omoide.preview")["status"] == "nothing"
    write_session(workspace)
    run(client, "omoide.extract", {"quiet": True})
    answer = run(client, "omoide.preview")
    assert (answer["status"], len(answer["files"]) > 0) == ("held", True)
    file = next(file for file in answer["files"] if file["path"].startswith("memory/decisions/"))
    path = workspace / ".omoide" / file["path"]
    assert (file["op"], file["before"], file["uri"]) == ("create", None, path.as_uri())
    assert file["because"][0]["evidence"][0]["excerpt"]
    assert not path.exists()
    (held,) = run(client, "omoide.overview")["held"]
    assert (held["run_id"], held["files"]) == (answer["run_id"], len(answer["files"]))
    again = run(client, "omoide.preview", {"run_id": answer["run_id"]})
    assert again["files"] == answer["files"]
    accepted = run(client, "omoide.consolidate", {"accept": answer["run_id"], "quiet": True})
    assert accepted["status"] == "committed"
    assert path.read_text(encoding="utf-8") == file["after"]
