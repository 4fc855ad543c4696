"""Start, order of messages, and the end of the process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import RawClient

pytestmark = pytest.mark.protocol

HEAVY = ["openai", "tiktoken", "pydantic", "yaml", "frontmatter", "rapidfuzz", "watchfiles", "detect_secrets", "rich"]


def test_nothing_heavy_is_imported_to_answer_initialize() -> None:
    code = "import json, sys, server.app; server.app.create_server(); print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True)
    loaded = json.loads(done.stdout)
    assert [name for name in HEAVY if name in loaded] == []
    assert [name for name in loaded if name.startswith("memory_core.ide.")] == []


def test_capabilities(new_client: NewClient, workspace: Path) -> None:
    """F1. One diagnostic channel only (neovim#37936): pushed, never offered to be pulled."""
    result = new_client(workspace).initialize(workspace)
    capabilities = result["capabilities"]
    assert capabilities["completionProvider"]["triggerCharacters"] == ["#"]
    assert capabilities["hoverProvider"]
    assert capabilities["definitionProvider"]
    assert capabilities["textDocumentSync"]["change"] == 2
    assert set(capabilities["executeCommandProvider"]["commands"]) >= {"omoide.extract", "omoide.consolidate"}
    assert "diagnosticProvider" not in capabilities
    assert result["serverInfo"]["name"] == "omoide"


def test_a_request_before_initialize_is_refused(new_client: NewClient) -> None:
    """Pitfall 6: pygls answers null."""
    client = new_client()
    params = {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}
    assert client.answer(client.begin("textDocument/hover", params))["error"]["code"] == -32002
    client.notify(
        "textDocument/didOpen", {"textDocument": {"uri": "file:///x", "languageId": "", "version": 1, "text": ""}}
    )
    assert client.initialize()["capabilities"]


def test_initialize_comes_once_and_nothing_after_shutdown(client: RawClient) -> None:
    again = client.answer(client.begin("initialize", {"processId": None, "rootUri": None, "capabilities": {}}))
    assert again["error"]["code"] == -32600
    client.request("shutdown", None)
    late = client.answer(client.begin("workspace/executeCommand", {"command": "omoide.status"}))
    assert late["error"]["code"] == -32600


def test_a_nested_key_jsonrpc_does_not_swallow_the_request(client: RawClient) -> None:
    """Pitfall 6: pygls turns every object with that key into a message."""
    params = {"command": "omoide.status", "arguments": [{"jsonrpc": "2.0", "id": 1, "method": "x"}]}
    answer = client.answer(client.begin("workspace/executeCommand", params), timeout=5)
    assert "takes no `jsonrpc`" in answer["error"]["message"]


def test_parameters_that_cannot_be_read_are_answered(client: RawClient) -> None:
    answer = client.answer(client.begin("textDocument/hover", {"textDocument": 5}), timeout=5)
    assert answer["error"]["code"] == -32602
    assert "position" in answer["error"]["message"]


def test_an_unknown_method_is_answered(client: RawClient) -> None:
    assert client.answer(client.begin("textDocument/nonsense", {}))["error"]["code"] == -32601


def test_a_change_of_an_unknown_document_is_logged_not_popped_up(client: RawClient, workspace: Path) -> None:
    """Pitfall 5."""
    client.change((workspace / "never.md").as_uri(), 2, {"text": "x"})
    client.request("workspace/executeCommand", {"command": "omoide.status"})
    assert not [m for m in client.received if m.get("method") == "window/showMessage"]
    client.shut_down()
    assert "never.md was ignored: the document was never opened" in client.stderr


def test_shutdown_and_exit_end_the_process(client: RawClient) -> None:
    started = time.monotonic()
    assert client.shut_down() == 0
    assert time.monotonic() - started < 1


def test_exit_without_shutdown_is_an_error(client: RawClient) -> None:
    client.notify("exit", None)
    assert client.process.wait(5) == 1


def test_a_closed_pipe_ends_the_process(client: RawClient) -> None:
    """pygls#118."""
    assert client.process.stdin
    client.process.stdin.close()
    assert client.process.wait(2) == 1


@pytest.mark.skipif(os.name != "posix", reason="signals and inherited pipes are POSIX's")
def test_bug_45_a_killed_parent_takes_the_server_with_it(new_client: NewClient, workspace: Path) -> None:
    """Pitfall 9: this test holds the other end of the pipe, as a third process would."""
    code = "import subprocess, sys; subprocess.run([sys.executable, '-I', '-m', 'server'])"
    client = new_client(workspace, command=[sys.executable, "-c", code])
    client.initialize(workspace, processId=client.process.pid)
    client.process.send_signal(signal.SIGKILL)
    client.process.wait(2)
    client.wait_for_end(2)


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_the_process_named_by_the_client_is_watched_too(new_client: NewClient, workspace: Path) -> None:
    """An editor that starts the server through a wrapper is not its parent."""
    editor = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    client = new_client(workspace)
    client.initialize(workspace, processId=editor.pid)
    editor.kill()
    editor.wait()
    assert client.process.wait(2) == 1


def test_a_workspace_with_its_own_server_package(new_client: NewClient, workspace: Path) -> None:
    for name in ("server", "memory_core"):
        (workspace / name).mkdir()
        (workspace / name / "__init__.py").write_text("raise SystemExit('the wrong one')\n")
        (workspace / name / "__main__.py").write_text("raise SystemExit('the wrong one')\n")
    client = new_client(workspace)
    assert client.initialize(workspace)["serverInfo"]["name"] == "omoide"
    assert client.shut_down() == 0


def test_stdio_is_accepted_and_a_log_file_written(new_client: NewClient, workspace: Path, tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    command = [sys.executable, "-I", "-m", "server", "--stdio", "--log-file", str(log), "--log-level", "info"]
    client = new_client(workspace, command=command)
    client.initialize(workspace)
    client.change("file:///never.md", 2, {"text": "x"})
    client.shut_down()
    assert "file:///never.md was ignored" in log.read_text(encoding="utf-8")


def test_bad_options_are_told_and_the_defaults_used(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    options = {"completion": "yes", "diagnostics": "sometimes", "colour": 1, "server": {"command": []}}
    client.initialize(workspace, initializationOptions={"omoide": options})
    told = client.notification("window/showMessage")["message"]
    assert "`omoide.completion` must be true or false" in told
    assert "`omoide.diagnostics` must be one of" in told
    assert "no setting `omoide.colour`" in told
    assert "server" not in told
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #ap")
    assert client.at("completion", uri, 0, 7)["items"]


def test_features_can_be_turned_off(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.initialize(workspace, initializationOptions={"completion": False, "hover": False, "navigation": False})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #api-keys")
    for method in ("completion", "hover", "definition"):
        assert client.at(method, uri, 0, 8) is None
    client.notify("workspace/didChangeConfiguration", {"settings": {"omoide": {"completion": True}}})
    assert client.at("completion", uri, 0, 8)["items"]


def test_settings_are_asked_for_where_the_client_answers(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.answers["workspace/configuration"] = lambda params: [{"completion": False} for _ in params["items"]]
    client.initialize(workspace, capabilities={"workspace": {"configuration": True}})
    asked = client.wait(lambda m: m.get("method") == "workspace/configuration")
    assert asked["params"]["items"] == [{"section": "omoide"}]
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #ap")
    assert client.at("completion", uri, 0, 7) is None


def test_bug_15_no_root_one_line_and_silence(new_client: NewClient, tmp_path: Path) -> None:
    """markdown-oxide#44: a server without a root did nothing and said nothing."""
    folder = tmp_path / "plain"
    folder.mkdir()
    client = new_client(folder)
    client.initialize(folder)
    uri = (folder / "a.md").as_uri()
    client.open(uri, "see #ap")
    for method in ("completion", "hover", "definition", "references"):
        assert client.at(method, uri, 0, 7, context={"triggerKind": 1, "includeDeclaration": False}) is None
    refused = client.answer(client.begin("workspace/executeCommand", {"command": "omoide.extract"}))
    assert "run `omoide init`" in refused["error"]["message"]
    logged = [m for m in client.received if m.get("method") == "window/logMessage"]
    assert len(logged) == 1
    assert "No memory root in this workspace" in logged[0]["params"]["message"]
    assert not [m for m in client.received if m.get("method") == "textDocument/publishDiagnostics"]
    assert not (folder / ".omoide").exists()


def test_a_root_made_later_is_found(new_client: NewClient, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    client = new_client(folder)
    client.initialize(folder)
    uri = (folder / "a.md").as_uri()
    client.open(uri, "see #ap")
    assert client.at("completion", uri, 0, 7) is None
    make_root(folder, {"knowledge/api-keys.md": knowledge()})
    assert [item["label"] for item in client.at("completion", uri, 0, 7)["items"]] == ["#api-keys"]


def test_two_roots_answer_for_their_own_files(new_client: NewClient, tmp_path: Path) -> None:
    one = make_root(tmp_path / "one", {"knowledge/api-keys.md": knowledge("Of one")})
    two = make_root(tmp_path / "two", {"knowledge/api-keys.md": knowledge("Of two"), "knowledge/api-b.md": knowledge()})
    client = new_client(one)
    client.initialize(one, two)
    for folder, details in ((one, ["Of one"]), (two, ["Something.", "Of two"])):
        uri = (folder / "README.md").as_uri()
        client.open(uri, "see #api")
        assert [item["detail"] for item in client.at("completion", uri, 0, 8)["items"]] == details
    answer = client.answer(client.begin("workspace/executeCommand", {"command": "omoide.reindex"}))
    assert "Several workspaces are open" in answer["error"]["message"]
    params = {"command": "omoide.reindex", "arguments": [{"uri": two.as_uri()}]}
    assert client.request("workspace/executeCommand", params)["records"] == {"knowledge": 2}


def test_bug_49_the_root_is_found_from_the_document(new_client: NewClient, workspace: Path) -> None:
    """helix#9597: the client's idea of the root may be anything."""
    client = new_client(workspace)
    client.initialize()
    (workspace / "deep/er").mkdir(parents=True)
    uri = (workspace / "deep/er/notes.md").as_uri()
    client.open(uri, "see #ap")
    assert client.at("completion", uri, 0, 7)["items"]
