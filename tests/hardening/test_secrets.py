"""No secret of a log leaves by any exit: requests to a model, files, answers, messages, reports (T36, T37)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memory_core.redact import find, locate, redact
from memory_core.testing import ScriptedOpenAI, completion
from tests.cli.conftest import Run
from tests.hardening.keys import harmless, keys, value
from tests.hardening.stores import SESSION, talk

KEYS = keys()


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize(
    "around", ["{}", "the key is {} now", '"{}",', "`{}`", "KEY={}\n", "鍵は{}です", "\x1b[32m{}\x1b[0m", '"a\\n{}\\n"']
)
def test_a_key_of_each_issuer_is_found_and_taken_out(name: str, around: str) -> None:
    text = around.format(KEYS[name])
    secret = value(name, KEYS[name])
    assert secret not in redact(text)
    assert find(text)
    assert any(
        text[found.start : found.end] in secret or secret in text[found.start : found.end] for found in locate(text)
    )


@pytest.mark.parametrize("name", harmless())
@pytest.mark.parametrize("around", ["{}", "see {} there", "- `{}`\n"])
def test_ids_hashes_pictures_and_lock_files_stay_as_they_are(name: str, around: str) -> None:
    text = around.format(harmless()[name])
    assert redact(text) == text
    assert not find(text)
    assert not locate(text)


def _conversation() -> tuple[tuple[str, str], ...]:
    listed = "\n".join(f"- {name}: {key}" for name, key in KEYS.items())
    lines = [
        ("user", f"We decided to keep exports for ninety days, because of these keys:\n{listed}\nDo not lose them.")
    ]
    for name, key in KEYS.items():
        lines.append(("assistant", f"Noted, the export for {name} uses {key} from now on."))
        lines.append(("user", f"Please rotate the key {key} of {name} before the export runs."))
    return tuple(lines)


def _leaks(text: str) -> list[str]:
    return [name for name, key in KEYS.items() if value(name, key) in text]


def test_no_command_says_or_stores_a_secret_of_a_log(omoide: Run, workspace: Path, home: Path) -> None:
    """Answers, messages, exports, transcripts, staging, records, audit, usage: whatever the commands print or write."""
    log = home / ".claude/projects/p" / f"{SESSION}.jsonl"
    log.parent.mkdir(parents=True)
    talk(workspace, _conversation()).rename(log)
    own = "sk-" + "proj-" + "a1B2" * 12
    for arguments in (
        ("sessions",), ("sessions", "show", SESSION), ("sessions", "export", SESSION),
        ("sessions", "export", SESSION, "--format", "atif"), ("extract", "--all", "--dry-run"), ("extract", "--all"),
        ("staging",), ("consolidate", "--dry-run"), ("consolidate",), ("lint",), ("search", "export"), ("status",),
        ("audit",), ("context",), ("usage", "report"), ("usage", "report", "--html", "report.html"),
        ("expand", "See #export."), ("extract", "--log", own), ("read", "decision", "x"), ("undo", "x"),
    ):  # fmt: skip
        for form in ((), ("--json",)):
            if "report.html" in arguments and form:
                continue
            outcome = omoide(*form, *arguments)
            assert not _leaks(outcome.out), arguments
            assert not _leaks(outcome.err), arguments
    for path in workspace.rglob("*"):
        if path.is_file():
            assert not _leaks(path.read_bytes().decode("utf-8", "replace")), path
    assert omoide("status", "--json").json["records"], "something was extracted at all"


def test_no_request_to_a_model_holds_a_secret(omoide: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = talk(workspace, _conversation())
    script = [completion(calls=[("search_evidence", {"query": "key"}), ("read_evidence", {"entry_range": [0, 40]})])]
    script += [completion("Done.")] * 12
    with ScriptedOpenAI(script) as server:
        monkeypatch.setenv("OMOIDE_BASE_URL", server.url)
        monkeypatch.setenv("OMOIDE_API_KEY", "test")
        monkeypatch.setenv("OMOIDE_MODEL", "m")
        monkeypatch.setenv("OMOIDE_PROVIDER", "openai")
        outcome = omoide("extract", "--log", str(log))
    assert server.requests
    assert not _leaks(json.dumps(server.requests, ensure_ascii=False))
    assert not _leaks(outcome.out + outcome.err)


def test_mcp_answers_hold_no_secret_of_a_log(omoide: Run, workspace: Path) -> None:
    from server.mcp import tools
    from server.mcp.memory import Memory

    log = talk(workspace, _conversation())
    assert omoide("extract", "--log", str(log)).code == 0
    assert omoide("consolidate").code == 0
    for name, arguments in (("MemoryQuery", {"query": "export"}), ("KnowledgeQuery", {"query": "export"})):
        assert not _leaks(tools.call(Memory(workspace), name, arguments).text)


def _records_with_keys(workspace: Path) -> None:
    """Records that somebody wrote by hand, keys and all, before anybody looked."""
    listed = "\n".join(f"- {name}: {key}" for name, key in KEYS.items())
    head = "created_at: 2026-03-01T10:00:00Z\nupdated_at: 2026-03-01T10:00:00Z\n"
    root = workspace / ".omoide"
    (root / "knowledge/keys.md").write_text(
        f"---\n{head}kind: rule\ndescription: The keys.\nmodel_invokation: true\nuser_invocable: true\n---\n{listed}\n",
        encoding="utf-8",
    )
    (root / "memory/summary.md").write_text(f"---\n{head}---\n{listed}\n", encoding="utf-8")
    (root / "config.toml").write_text("[memory]\nresident_for_code_sessions = true\n", encoding="utf-8")


def _hook(workspace: Path, event: str, call: dict[str, str], *options: str) -> str:
    command = [sys.executable, "-m", "memory_core", "hook", event, "--agent", "claude-code", *options]
    done = subprocess.run(command, input=json.dumps(call), capture_output=True, text=True, cwd=workspace, check=True)
    return done.stdout + done.stderr


def test_no_answer_to_an_agents_hook_holds_a_secret(
    omoide: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    _records_with_keys(workspace)
    session = {"session_id": SESSION, "cwd": str(workspace)}
    expanded = _hook(workspace, "prompt-submit", {**session, "prompt": "See #keys, please."})
    assert "redacted" in expanded, "the record is given, without what is secret in it"
    assert not _leaks(expanded)
    resident = _hook(workspace, "session-start", {**session, "source": "startup"}, "--resident")
    assert "redacted" in resident
    assert not _leaks(resident)
    for arguments in (("context",), ("expand", "See #keys."), ("status",), ("audit",), ("lint",), ("search", "keys")):
        for form in ((), ("--json",)):
            outcome = omoide(*form, *arguments)
            assert not _leaks(outcome.out + outcome.err), arguments
