"""What an opponent found: exits by which a secret left, although every text of a log was looked at (T36, T37)."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memory_core.errors import MemoryCoreError, ProviderError
from memory_core.extract.evidence import collect
from memory_core.extract.look import search_text
from memory_core.llm import Message, ModelReply, ModelRequest
from memory_core.providers.openai_compatible import OpenAIModel
from memory_core.store.session_files import read_log
from memory_core.testing import HttpReply, ScriptedOpenAI, completion, http_error
from memory_core.using import for_agents
from memory_core.workspace import open_workspace
from server.mcp import resources, tools
from server.mcp.memory import Memory
from tests.cli.conftest import Run
from tests.enrich.doubles import knowledge
from tests.hardening.keys import keys
from tests.hardening.stores import SESSION, project, talk

KEY = keys()["github classic"]
HALF = KEY[:12]
ASKED = ModelRequest("m", (Message("user", "hello"),), (), {"requests_left": "1"})


def _answer(model: OpenAIModel) -> ModelReply:
    async def ask() -> ModelReply:
        try:
            return await model.complete(ASKED)
        finally:
            await model.aclose()

    return asyncio.run(ask())


def _model(url: str, key: str = "test", key_name: str = "OMOIDE_API_KEY") -> OpenAIModel:
    async def at_once(_seconds: float) -> None:
        return None

    return OpenAIModel(base_url=url, api_key=key, key_name=key_name, timeout_s=5, sleep=at_once)


def test_a_key_with_the_line_end_of_its_file_works() -> None:
    """The HTTP library showed the whole key in its complaint."""
    with ScriptedOpenAI([completion("fine")]) as server:
        assert _answer(_model(server.url, KEY + "\r\n")).text == "fine"


@pytest.mark.parametrize("odd", [KEY[:20] + "\n" + KEY[20:], KEY + "é", KEY + "\x7f"])
def test_a_key_that_cannot_be_sent_is_refused_without_being_shown(odd: str) -> None:
    with pytest.raises(ProviderError) as refused:
        _model("http://127.0.0.1:9/v1", odd)
    assert "OMOIDE_API_KEY" in str(refused.value)
    assert HALF not in str(refused.value)


def test_a_key_in_place_of_its_variables_name_is_not_shown() -> None:
    for reply in (http_error(401, "no"), http_error(403, "no")):
        with ScriptedOpenAI([reply]) as server, pytest.raises(ProviderError) as refused:
            _answer(_model(server.url, "test", KEY))
        assert "api_key_env" in str(refused.value)
        assert HALF not in str(refused.value)
    with pytest.raises(ProviderError) as refused:
        OpenAIModel(base_url=None, api_key=None, key_name=KEY)
    assert HALF not in str(refused.value)


@pytest.mark.parametrize("before", [0, 100, 135, 145, 150])
def test_what_a_server_quotes_is_looked_at_before_it_is_cut(before: int) -> None:
    for reply in (http_error(400, "x" * before + " " + KEY), HttpReply("x " * before + KEY + " no json")):
        with ScriptedOpenAI([reply]) as server, pytest.raises(MemoryCoreError) as refused:
            _answer(_model(server.url))
        assert HALF not in str(refused.value) + str(getattr(refused.value, "raw", ""))


@pytest.mark.parametrize("address", [f"http://me:{KEY}@[bad/v1", "http://[::1", f"ftp://me:{KEY}@x/", "http://a:b/"])
def test_an_address_that_is_none_is_refused_without_being_shown(address: str) -> None:
    with pytest.raises(ProviderError) as refused:
        _model(address)
    assert "base_url" in str(refused.value)
    assert HALF not in str(refused.value)


def test_no_log_line_of_the_http_library_holds_an_address(caplog: pytest.LogCaptureFixture) -> None:
    """`-v` and `--log-level info` showed the password and the key of an address with every request."""
    secret = "k" + keys()["drawn"][:20]
    with caplog.at_level(logging.DEBUG), ScriptedOpenAI([completion("fine")]) as server:
        _answer(_model(server.url.replace("//", f"//me:{secret}@") + f"?key={secret}"))
    assert secret not in caplog.text


def test_no_traceback_of_the_command_line_holds_a_key(workspace: Path) -> None:
    """`-v` shows the whole chain of errors, and the first of them quotes."""
    (workspace / ".omoide/config.toml").write_text("", encoding="utf-8")
    program = (
        "from memory_core.cli.main import main; import memory_core.cli.app as app\n"
        f"def fail(*_): raise ValueError('\\x1b[2J sent {KEY} to it')\n"
        "app.Context.workspace = fail; main(['-v', 'status'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=workspace, check=False)
    assert done.returncode == 1
    assert "ValueError" in done.stderr
    assert HALF not in done.stderr
    assert "\x1b" not in done.stderr


def test_the_log_of_the_server_holds_no_key(tmp_path: Path) -> None:
    from server.__main__ import _Clean

    try:
        raise ValueError(f"refused {KEY}")
    except ValueError:
        record = logging.LogRecord("server", logging.ERROR, "x", 1, "with %s", (KEY,), sys.exc_info())
    assert HALF not in _Clean("%(message)s").format(record)


def _log(workspace: Path, home: Path) -> Path:
    """A log with keys where no text stands: in titles, in the names of tools, arguments and kinds of entries."""
    log = talk(workspace, (("user", "Look at it."), ("assistant", "Yes."), ("user", f"We keep {KEY} for now.")))
    rows: list[dict[str, Any]] = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    call = {"type": "tool_use", "id": "t1", "name": f"Run_{KEY}", "input": {KEY: 1, "command": f"grep \x1b[1m{KEY}"}}
    rows[1]["message"]["content"] = [call]
    rows[2]["message"]["content"] = [
        {"type": "tool_result", "tool_use_id": "t1", "content": f"{KEY[:15]}\x1b[m\x1b[K{KEY[15:]}"}
    ]
    rows.append({"type": "ai-title", "aiTitle": "About " + "x " * 30 + KEY, "sessionId": SESSION})
    rows.append({"type": f"odd-{KEY}", "sessionId": SESSION, "uuid": "u9", "timestamp": rows[2]["timestamp"]})
    target = home / ".claude/projects/p" / f"{SESSION}.jsonl"
    target.parent.mkdir(parents=True)
    target.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    log.unlink()
    return target


def test_no_name_in_a_log_lets_a_key_out(omoide: Run, workspace: Path, home: Path) -> None:
    log = _log(workspace, home)
    for arguments in (
        ("sessions",), ("sessions", "show", SESSION), ("sessions", "export", SESSION),
        ("sessions", "export", SESSION, "--format", "atif"), ("sessions", "export", SESSION, "--format", "markdown"),
        ("extract", "--all", "--dry-run"), ("extract", "--all"), ("staging",), ("status",),
    ):  # fmt: skip
        for form in ((), ("--json",)):
            outcome = omoide(*form, *arguments)
            assert outcome.code == 0, arguments
            assert HALF not in outcome.out + outcome.err, arguments
            assert KEY[15:30] not in outcome.out + outcome.err, arguments
    kept = [path for path in (workspace / ".omoide").rglob("*") if path.is_file()]
    assert any("sessions.json" in path.name for path in kept)
    assert not [path for path in kept if HALF.encode() in path.read_bytes()]
    items = collect(read_log(log), 0, 5)
    assert not any(HALF in (item.tool or "") for item in items)


def test_a_search_over_evidence_does_not_tell_how_a_key_begins(workspace: Path, home: Path) -> None:
    items = collect(read_log(_log(workspace, home)), 0, 5)
    assert "No evidence" not in search_text(items, "grep", None, 5)
    for length in (12, 20, len(KEY)):
        assert "No evidence" in search_text(items, KEY[:length], None, 5)


def test_no_reason_that_somebody_gives_is_kept_with_a_key(omoide: Run, workspace: Path, home: Path) -> None:
    root = workspace / ".omoide"
    shutil.rmtree(root)
    shutil.copytree(project(home, "staged") / ".omoide", root)
    first = omoide("--json", "staging").json["candidates"][0]["id"]
    assert omoide("staging", "close", first, "--action", "discarded", "--reason", f"it holds {KEY} still").code == 0
    assert omoide("archive", "request", "delete-old-exports", "--reason", KEY).code == 0
    assert omoide("hook", KEY, "--agent", "claude-code").code == 0
    assert not [path for path in root.rglob("*") if path.is_file() and HALF.encode() in path.read_bytes()]
    assert "it holds [redacted" in (root / "memory/_resolutions.jsonl").read_text(encoding="utf-8")


def test_no_record_that_a_consolidating_model_reads_hands_it_a_key(
    omoide: Run, workspace: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a person wrote into a record by hand went to the model's server as it was."""
    root = workspace / ".omoide"
    shutil.rmtree(root)
    shutil.copytree(project(home, "staged") / ".omoide", root)
    (root / "knowledge/keys.md").write_text(knowledge(f"The key is {KEY}.", description=f"{KEY} too"), encoding="utf-8")
    edit = {"kind": "knowledge", "slug": "keys", "old_text": "no such words", "new_text": "x", "candidates": []}
    calls = [("MemoryRead", {"kind": "knowledge", "slug": "keys"}), ("KnowledgeQuery", {"query": "key"})]
    script = [completion(calls=[*calls, ("MemoryEdit", {**edit, "reason": "it is so"})])] + [completion("Done.")] * 9
    with ScriptedOpenAI(script) as server:
        for name, value in (("BASE_URL", server.url), ("API_KEY", "t"), ("MODEL", "m"), ("PROVIDER", "openai")):
            monkeypatch.setenv(f"OMOIDE_{name}", value)
        omoide("consolidate")
    sent = json.dumps(server.requests, ensure_ascii=False)
    assert "The key is [redacted" in sent
    assert HALF not in sent


def test_no_legacy_row_is_listed_with_its_key(omoide: Run, workspace: Path) -> None:
    folder = workspace / ".omoide/memory/_legacy"
    folder.mkdir(parents=True)
    row = {"id": "1", "key": f"k {KEY}", "content": "y " * 30 + KEY, "category": "core"}
    (folder / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    for command in (("legacy", "scan"), ("legacy", "list"), ("legacy", "list", "--rows")):
        for form in ((), ("--json",)):
            outcome = omoide(*form, *command)
            assert HALF not in outcome.out + outcome.err, command


@pytest.mark.parametrize("before", range(100, 420, 7))
def test_no_summary_of_a_call_or_result_ends_in_half_a_key(before: int) -> None:
    """A summary is cut when a log is read, long before secrets are taken out of it."""
    from memory_core.redact import redact
    from memory_core.sessions.tools import call_summary, on_a_line, result_summary

    address = "postgres://app:Tr0ub4dor-" + "n8Xk2qZ@db/x"
    for secret, shape in ((KEY, '{{"a":"{}","token":"{}","b":"{}"}}'), (address, "{}\nURL={}\n{}"), (KEY, "{} {} {}")):
        text = shape.format("x" * before if before % 2 else "x " * (before // 2), secret, "y " * 300)
        for shown in (result_summary(text), result_summary(text[::-1].replace(secret[::-1], secret)),
                      call_summary("Bash", {"command": text}), on_a_line(text, 100)):  # fmt: skip
            assert len(shown) <= 210
            assert KEY[4:10] not in redact(shown)
            assert "Tr0ub4dor" not in redact(shown)


@pytest.mark.parametrize(
    "told",
    [
        "Key         Value\n---         -----\npassword    Zx9kfw02Qm7pL\nusername    bob",
        "env:\n  - name: DB_PASSWORD\n    value: Zx9kfw02Qm7pL",
        "DB_PASSWORD=Zx9k(fw02)Qm7pL\nDB_USER=bob",
        'DB_PASSWORD="Zx9k and fw02 and Qm7pL" ./start',
        "smtp_password: |\n  Zx9kfw02Qm7pL",
    ],
)
def test_lines_that_tell_a_secret_are_looked_at_before_they_become_one_and_are_cut(told: str) -> None:
    """A table of vault's in one line is none any more, and the last line of a long answer stands without its name."""
    from memory_core.redact import redact
    from memory_core.sessions.tools import call_summary, result_summary

    for before in ("", "ok\n", "x " * 40 + "\n", "x " * 60 + "\n", "x y\n" * 500):
        for behind in ("", "\n" + "x " * 300):
            shown = redact(result_summary(f"{before}{told}{behind}"))
            said = redact(call_summary("Bash", {"command": f"{before}{told}{behind}"}))
            assert not [part for part in ("Zx9k", "fw02", "Qm7pL") if part in shown + said]


def test_a_cut_goes_between_the_words_of_every_script() -> None:
    from memory_core.sessions.tools import on_a_line

    assert on_a_line("テストを直した" * 40, 100) == ("テストを直した" * 40)[:99] + "…"
    assert on_a_line("one two three", 9) == "one two…"
    assert on_a_line('{"a":"b","c":"d"}', 12) == '{"a":"b",…'


def test_no_list_and_no_cut_line_that_an_agent_is_given_holds_a_key(omoide: Run, workspace: Path) -> None:
    lines = [keys()["drawn"], keys()["drawn"][::-1], "needle", "Zq3xW8vB1nM5"]
    pem = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"])
    texts = {
        "knowledge/described.md": knowledge("x", description=f"key {KEY}"),
        "knowledge/cut.md": knowledge("y", description="x " * 144 + KEY + " tail"),
        "knowledge/pem.md": knowledge(pem),
        "workflow/flow.md": knowledge("z", description=f"key {KEY}").replace("kind: fact\n", ""),
    }
    for path, text in texts.items():
        (workspace / ".omoide" / path).write_text(text, encoding="utf-8")
    memory = Memory(workspace)
    snapshot = open_workspace(workspace).store.load()
    said = [
        *(item.about for item in (*resources.resources(memory, None).items, *resources.workflows(memory, None).items)),
        *(for_agents.find(snapshot, word) for word in ("tail", "key", "needle")),
        *(tools.call(memory, "KnowledgeQuery", {"query": word}).text for word in ("tail", "key", "needle")),
        *(str(tools.call(memory, "KnowledgeQuery", {"query": word}).facts) for word in ("tail", "key", "needle")),
        omoide("search", "needle").out,
        omoide("--json", "search", "needle").out,
    ]
    assert "needle" not in said[-1], "a line of a private key is no excerpt"
    for text in said:
        assert not [part for part in (HALF, "Zq3xW8vB1nM5", lines[0][:12]) if part in text], text


@pytest.mark.parametrize("name", [KEY, "A" * 1_000_000])
def test_what_a_client_names_itself_is_neither_shown_whole_nor_with_its_key(workspace: Path, name: str) -> None:
    memory = Memory(workspace)
    answers = [
        tools.call(memory, name, {}),
        tools.call(memory, "MemoryRead", {"kind": "knowledge", "slug": "a", name: 1}),
        tools.call(memory, "MemoryRead", {"kind": name}),
        tools.call(memory, "MemoryRead", {"kind": "knowledge", "slug": name}),
        resources.read(memory, f"omoide://{name}"),
        resources.read(memory, name),
        resources.workflow(memory, f"{name} {name}"),
        resources.workflow(memory, name),
    ]
    for answer in answers:
        assert answer.is_error
        assert len(answer.text) < 2_000
        assert HALF not in answer.text
    assert resources.resources(memory, "9" * 5_000).items
