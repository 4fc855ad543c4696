"""`omoide hook`: what each agent is answered, that it is never in anybody's way, and a whole scripted conversation."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from memory_core.agents.call import EVENTS, answer, call_of, event_named
from memory_core.agents.hook import run
from memory_core.agents.settings import HookSettings, _user_file, hook_settings
from memory_core.config import MemorySettings
from memory_core.layout import Layout
from memory_core.sessions.speaker import MEMORY_TAG, human_text
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.store.settings_files import user_config_path
from memory_core.using import fence
from tests.using.test_expansion import knowledge, workflow
from tests.using.test_resident import summary

ROOT = Path(__file__).resolve().parents[2]
RESIDENT = "[memory]\nresident_for_code_sessions = true\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    layout, _ = create_root(folder)
    for path, text in {
        "knowledge/api-keys.md": knowledge(model_invokation="true"),
        "knowledge/hidden.md": knowledge(user_invocable="false"),
        "workflow/release.md": workflow(requires="[hidden]"),
        "memory/summary.md": summary(),
    }.items():
        (layout.root / path).write_text(text, encoding="utf-8")
    return folder


def hook(workspace: Path, event: str, data: Any, *options: str, agent: str = "claude-code") -> str:
    """The command in a process of its own, as an agent runs it. It must end well and say nothing on stderr."""
    home = workspace.parent
    done = subprocess.run(
        [sys.executable, "-m", "memory_core", "hook", event, "--agent", agent, *options],
        input=data if isinstance(data, bytes) else json.dumps(data).encode(),
        env={
            "PYTHONPATH": str(ROOT),
            "HOME": str(home),
            "OMOIDE_CONFIG": str(home / "config.toml"),
            "PATH": os.defpath,
        },
        cwd=workspace,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    return done.stdout.decode()


def context_of(out: str) -> str:
    return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""


def call(workspace: Path, name: str, **more: Any) -> dict[str, Any]:
    """A call as Claude Code makes it."""
    return {"session_id": "c-1", "cwd": str(workspace), "hook_event_name": name, "transcript_path": "", **more}


def events(workspace: Path) -> list[tuple[str, str, str | None, list[str]]]:
    path = workspace / ".omoide/memory/_usage/events.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [
        (e["source"], e["actor"], e["session_id"], [r["slug"] for r in e["records"]]) for e in map(json.loads, lines)
    ]


def failures(workspace: Path) -> list[str]:
    path = workspace / ".omoide/memory/_logs/audit.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [e["reason"] for e in map(json.loads, lines) if e["event"] == "hook_failed"]


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("SessionStart", "session-start"),
        ("sessionStart", "session-start"),
        ("UserPromptSubmit", "prompt-submit"),
        ("userPromptSubmitted", "prompt-submit"),
        ("BeforeAgent", "prompt-submit"),
        ("PreCompact", "pre-compact"),
        ("PreCompress", "pre-compact"),
        ("SessionEnd", "session-end"),
        ("Stop", "session-end"),
        ("PreToolUse", None),
        ("", None),
    ],
)
def test_each_agents_names_are_known(name: str, event: str | None) -> None:
    assert event_named(name) == event
    assert all(event_named(ours) == ours for ours in EVENTS)


def test_each_agents_facts_have_one_name() -> None:
    claude = {
        "session_id": "s",
        "cwd": "/w",
        "transcript_path": "/t",
        "prompt": "p",
        "hook_event_name": "UserPromptSubmit",
    }
    copilot = {"sessionId": "s", "cwd": "/w", "transcriptPath": "/t", "prompt": "p", "timestamp": 1}
    for value in (claude, copilot):
        found = call_of("prompt-submit", json.dumps(value).encode())
        assert (found.session_id, found.cwd, found.transcript, found.prompt) == ("s", "/w", "/t", "p")
    assert call_of("prompt-submit", b"\xef\xbb\xbf{}").prompt == ""
    assert call_of("prompt-submit", b'{"prompt": 5, "session_id": null}').prompt == ""


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "copilot", "opencode"])
def test_an_answer_adds_context_and_decides_nothing(agent: str) -> None:
    """T61: nothing an agent could take for a permission."""
    given = json.loads(answer(agent, call_of("prompt-submit", b'{"hook_event_name": "BeforeAgent"}'), "some context"))
    text = json.dumps(given)
    assert "some context" in text
    for word in ("decision", "permission", "continue", "allow", "block", "approve", "stopReason", "systemMessage"):
        assert word not in text
    assert answer(agent, call_of("prompt-submit", b"{}"), "") == ""
    if agent == "claude-code":
        assert given == {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "some context"}}


def test_a_prompt_is_answered_with_the_records_it_names(workspace: Path) -> None:
    """C4, for an agent whose log is not ours"""
    out = hook(workspace, "UserPromptSubmit", call(workspace, "UserPromptSubmit", prompt="use #api-keys, #api-kees"))
    assert json.loads(out)["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    text = context_of(out)
    assert "In the vault." in text
    assert "Did you mean #api-keys?" in text
    assert events(workspace) == [("KnowledgeRef", "human", "c-1", ["api-keys"])]
    assert human_text(f"use #api-keys\n\n{text}") == "use #api-keys"  # never taken for a person's words


def test_a_prompt_without_names_is_answered_with_nothing(workspace: Path) -> None:
    for prompt in ("fix the tests", "", "look in /tmp or at C# and issue #12"):
        assert hook(workspace, "prompt-submit", call(workspace, "UserPromptSubmit", prompt=prompt)) == ""
    assert events(workspace) == []


def test_global_options_may_stand_before_the_hook(workspace: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memory_core", "--workspace", str(workspace), "hook", "prompt-submit"],
        input=json.dumps({"prompt": "see #api-keys"}).encode(),
        env={"PYTHONPATH": str(ROOT), "OMOIDE_CONFIG": str(tmp_path / "none.toml")},
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert "In the vault." in context_of(done.stdout.decode())


def test_a_workflow_comes_behind_what_it_requires(workspace: Path) -> None:
    text = context_of(hook(workspace, "prompt-submit", call(workspace, "UserPromptSubmit", prompt="/release now")))
    assert text.index('name="#hidden"') < text.index('name="/release"')
    assert events(workspace) == [("WorkflowInvoke", "human", "c-1", ["release"])]


def test_a_session_of_code_is_given_nothing_without_both_consents(workspace: Path) -> None:
    """R15"""
    start = call(workspace, "SessionStart", source="startup")
    assert hook(workspace, "session-start", start) == ""
    assert hook(workspace, "session-start", start, "--resident") == ""
    (workspace / ".omoide/config.toml").write_text(RESIDENT, encoding="utf-8")
    assert hook(workspace, "session-start", start) == ""
    assert events(workspace) == []
    assert "We build an importer." in context_of(hook(workspace, "session-start", start, "--resident"))
    assert events(workspace) == [("ResidentInjection", "agent", "c-1", ["summary", "api-keys"])]


@pytest.mark.parametrize("more", [{"source": "resume"}, {"source": "startup", "agent_id": "a-1"}])
def test_a_resumed_session_and_a_subagent_are_given_nothing(workspace: Path, more: dict[str, str]) -> None:
    """R15"""
    (workspace / ".omoide/config.toml").write_text(RESIDENT, encoding="utf-8")
    assert hook(workspace, "session-start", call(workspace, "SessionStart", **more), "--resident") == ""
    assert events(workspace) == []


def test_the_context_that_was_kept_is_the_one_that_would_be_made(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the cache or from the records: the same text, and the same event; a change of a record is seen at once."""
    from memory_core.store import record_files, resident_state

    for module in (record_files, resident_state):  # these files are new: nothing of them would be kept yet
        monkeypatch.setattr(module, "_SETTLED_NS", 0)
    (workspace / ".omoide/config.toml").write_text(RESIDENT, encoding="utf-8")
    start = json.dumps(call(workspace, "SessionStart", source="startup")).encode()
    first, second = (_in_process(workspace, "session-start", start, "--resident") for _ in range(2))
    assert (workspace / ".omoide/cache/resident-answer.json").exists()
    assert first == second != (0, "")
    assert events(workspace)[0] == events(workspace)[1]
    (workspace / ".omoide/memory/summary.md").write_text(summary("We build an exporter."), encoding="utf-8")
    assert "exporter" in _in_process(workspace, "session-start", start, "--resident")[1]
    (workspace / ".omoide/knowledge/more.md").write_text(knowledge(model_invokation="true"), encoding="utf-8")
    assert "- #more:" in _in_process(workspace, "session-start", start, "--resident")[1]
    (workspace / ".omoide/knowledge/more.md").write_text(knowledge(), encoding="utf-8")
    assert "- #more:" not in _in_process(workspace, "session-start", start, "--resident")[1]


def test_an_answer_that_a_repository_brings_is_not_given(workspace: Path) -> None:
    """Where there is no file that has a place in the context, what stands for all of them was known to everybody."""
    from memory_core.layout import Layout
    from memory_core.store.resident_state import resident_state

    for name in ("knowledge", "workflow"):
        shutil.rmtree(workspace / ".omoide" / name, ignore_errors=True)
    (workspace / ".omoide/memory/summary.md").unlink(missing_ok=True)
    assert resident_state(Layout(workspace / ".omoide")) == ""


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_an_agent_that_keeps_the_pipe_open_is_answered_all_the_same(workspace: Path, end: bytes) -> None:
    """It waited for the end of the input, and the agent for it, at every prompt."""
    asked = json.dumps(call(workspace, "UserPromptSubmit", prompt="see #api-keys " + "x" * 200_000)).encode() + end
    process = subprocess.Popen(
        [sys.executable, "-m", "memory_core", "hook", "prompt-submit", "--agent", "claude-code"],
        env={"PYTHONPATH": str(ROOT), "HOME": str(workspace.parent), "PATH": os.defpath},
        cwd=workspace,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    with process:
        process.stdin.write(asked)
        process.stdin.flush()
        assert process.wait(60) == 0
        assert b"api-keys" in process.stdout.read()


def test_what_is_for_one_session_is_never_kept_for_another(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R4"""
    from memory_core.store import record_files, resident_state

    for module in (record_files, resident_state):
        monkeypatch.setattr(module, "_SETTLED_NS", 0)
    (workspace / ".omoide/config.toml").write_text(RESIDENT, encoding="utf-8")
    mine = knowledge(model_invokation="true", scope="{session: c-1}")
    (workspace / ".omoide/knowledge/mine.md").write_text(mine, encoding="utf-8")
    for session_id, seen in (("c-1", True), ("c-2", False), ("c-1", True)):
        start = call(workspace, "SessionStart", source="startup") | {"session_id": session_id}
        out = _in_process(workspace, "session-start", json.dumps(start).encode(), "--resident")[1]
        assert ("- #mine:" in out) is seen


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'{"prompt": "' + b"#a " * 100 + b'"', b"x" * 100_000]
)
@pytest.mark.parametrize("event", ["session-start", "prompt-submit", "pre-compact", "session-end", "nonsense"])
def test_broken_input_is_let_go_silently_with_one_line_in_the_log(workspace: Path, event: str, data: bytes) -> None:
    assert _in_process(workspace, event, data) == (0, "")
    assert len(failures(workspace)) == (0 if not data and event != "nonsense" else 1)


def _in_process(workspace: Path, event: str, data: bytes, *options: str) -> tuple[int, str]:
    stdin, stdout = sys.stdin, sys.stdout
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    sys.stdout = out = io.StringIO()
    try:
        environment = {"OMOIDE_CONFIG": str(workspace / "none.toml")}
        words = [event, "--workspace", str(workspace), "--agent", "claude-code", *options]
        return run(words, environment), out.getvalue()
    finally:
        sys.stdin, sys.stdout = stdin, stdout


def test_where_there_is_no_root_nothing_happens(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for event in EVENTS:
        assert hook(folder, event, {"cwd": str(folder), "prompt": "#a"}) == ""
    assert list(folder.iterdir()) == []


def test_a_store_that_cannot_be_written_still_answers(workspace: Path) -> None:
    (workspace / ".omoide/memory/_usage").write_text("in the way", encoding="utf-8")
    (workspace / ".omoide/memory/_logs").write_text("in the way", encoding="utf-8")
    data = call(workspace, "UserPromptSubmit", prompt="#api-keys")
    assert "In the vault." in context_of(hook(workspace, "prompt-submit", data))


def test_a_bomb_of_names_is_bounded(workspace: Path) -> None:
    prompt = " ".join(f"#unknown-name-{n}x" for n in range(10_000))
    text = context_of(hook(workspace, "prompt-submit", call(workspace, "UserPromptSubmit", prompt=prompt)))
    assert "9,980 more names did not resolve." in text
    assert len(text) < 10_000


def test_the_defaults_are_those_of_the_settings() -> None:
    settings = MemorySettings()
    assert HookSettings()._asdict() == {name: getattr(settings, name) for name in HookSettings._fields}
    assert fence.MEMORY_TAG == MEMORY_TAG


@pytest.mark.parametrize("base", ["", "/somewhere/else"])
def test_the_persons_settings_are_where_the_commands_look_for_them(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", base)
    monkeypatch.delenv("OMOIDE_CONFIG", raising=False)
    assert _user_file(os.environ) == user_config_path(os.environ)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("# only a comment\n", {}),
        (
            "[memory]\nresident_token_budget = 9\ninject_summary = false\n",
            {"resident_token_budget": 9, "inject_summary": False},
        ),
        ("[memory]\nresident_token_budget = -1\nextract_threshold = '5'\nresident_for_code_sessions = 1\n", {}),
        ("[memory\n", {}),
        ("memory = 5\n", {}),
    ],
)
def test_settings_that_are_wrong_count_as_not_set(workspace: Path, text: str, expected: dict[str, Any]) -> None:
    layout = Layout(workspace / ".omoide")
    layout.config.write_text(text, encoding="utf-8")
    environment = {"OMOIDE_CONFIG": str(workspace / "none.toml")}
    assert hook_settings(layout, environment) == HookSettings(**expected)


@pytest.mark.parametrize("event", ["prompt-submit", "session-start"])
def test_what_a_hook_loads_is_little(workspace: Path, event: str) -> None:
    """Start-up is what a person waits for at every prompt."""
    (workspace / ".omoide/config.toml").write_text(RESIDENT, encoding="utf-8")
    code = (
        "import sys; from memory_core.cli import main\n"
        f"try: main(['hook', '{event}', '--resident'])\n"
        "except SystemExit: print(); print(','.join(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(call(workspace, "x", prompt="see #api-keys")).encode(),
        env={"PYTHONPATH": str(ROOT), "OMOIDE_CONFIG": str(workspace / "none.toml")},
        cwd=workspace,
        capture_output=True,
        check=True,
    )
    answered, loaded = done.stdout.decode().strip().split("\n")
    assert "omoide-memory" in answered
    heavy = {"click", "pydantic", "yaml", "openai", "tiktoken", "rapidfuzz", "rich", "detect_secrets", "asyncio"}
    assert not set(loaded.split(",")) & heavy
    assert "memory_core.workspace" not in loaded.split(",")


def entries(*texts: tuple[str, str]) -> list[dict[str, Any]]:
    """Lines of a transcript as Claude Code writes them."""
    lines = []
    for number, (role, text) in enumerate(texts):
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        lines.append(
            {
                "type": role,
                "uuid": f"u-{number}",
                "parentUuid": f"u-{number - 1}" if number else None,
                "sessionId": "c-1",
                "timestamp": f"2026-06-12T09:{number:02d}:00.000Z",
                "message": {"role": role, "content": content},
            }
        )
    return lines


def test_a_scripted_conversation_of_claude_code_runs_the_whole_loop(workspace: Path, tmp_path: Path) -> None:
    """Install, session start, prompts, before compaction (B2), session end; extract in the background, consolidate, and
    the next session sees what was learned."""
    from memory_core.cli.main import main

    environment = {"HOME": str(tmp_path), "OMOIDE_CONFIG": str(tmp_path / "config.toml")}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        main(["--workspace", str(workspace), "install", "claude-code", "--resident", "--yes"])
        with (workspace / ".omoide/config.toml").open("a", encoding="utf-8") as config:
            config.write("extract_threshold = 10\n")
        settings = json.loads((workspace / ".claude/settings.json").read_text(encoding="utf-8"))
        commands = {name: groups[0]["hooks"][0]["command"].split() for name, groups in settings["hooks"].items()}

        def fire(name: str, **more: Any) -> str:
            words = commands[name][commands[name].index("hook") + 1 :]
            return context_of(hook(workspace, words[0], call(workspace, name, **more), *words[1:]))

        transcript = tmp_path / "c-1.jsonl"
        said = [
            ("user", "Please set up the settings file. #api-keys"),
            ("assistant", "YAML or TOML? Both would work here."),
            ("user", "We decided to use TOML instead of YAML for settings, because comments survive a round trip."),
            ("assistant", "Done: the importer now reads settings.toml."),
        ]
        transcript.write_text("".join(json.dumps(line) + "\n" for line in entries(*said)), encoding="utf-8")

        assert "We build an importer." in fire("SessionStart", source="startup")
        assert "In the vault." in fire("UserPromptSubmit", prompt=said[0][1])
        assert fire("PreCompact", trigger="auto", transcript_path=str(transcript)) == ""
        staged = _wait_for(workspace / ".omoide/memory/_staging", "*.json")
        assert json.loads(staged.read_text(encoding="utf-8"))["source"]["session_id"] == "c-1"
        assert fire("SessionEnd", reason="exit", transcript_path=str(transcript)) == ""

        main(["--workspace", str(workspace), "consolidate"])
        decisions = list((workspace / ".omoide/memory/decisions").glob("*.md"))
        assert any("TOML" in path.read_text(encoding="utf-8") for path in decisions)
        new = decisions[0].stem
        with pytest.raises(SystemExit) as ended:
            main(["--workspace", str(workspace), "read", "decision", "no-such-thing"])
        assert ended.value.code == 1
        main(["--workspace", str(workspace), "read", "decision", new, "--actor", "agent"])
    store = FileStore(Layout(workspace / ".omoide"))
    rows = {(row.kind, row.slug): row for row in store.usage_report().rows}
    assert rows["decision", new].use_count == 1
    assert rows["knowledge", "api-keys"].source_breakdown == {"KnowledgeRef": 1}
    assert rows["summary", "summary"].resident_exposure_count == 1
    assert failures(workspace) == []


def _wait_for(folder: Path, pattern: str) -> Path:
    """What a process in the background writes; it is given half a minute."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if folder.is_dir() and (found := list(folder.glob(pattern))):
            return found[0]
        time.sleep(0.05)
    raise AssertionError(f"nothing came into {folder}")


def test_without_a_threshold_no_extract_is_started(workspace: Path, tmp_path: Path) -> None:
    """B8: unset is off, for hooks too."""
    transcript = tmp_path / "c-1.jsonl"
    transcript.write_text("".join(json.dumps(line) + "\n" for line in entries(("user", "Use tabs."))), encoding="utf-8")
    code = "import subprocess; subprocess.Popen = None; from memory_core.agents.hook import run; run(['pre-compact'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(call(workspace, "PreCompact", transcript_path=str(transcript))).encode(),
        env={"PYTHONPATH": str(ROOT), "OMOIDE_CONFIG": str(tmp_path / "none.toml")},
        cwd=workspace,
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert failures(workspace) == []


def test_an_unknown_event_is_told_with_the_known_ones(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _in_process(workspace, "nonsense", b"{}") == (0, "")
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert "`nonsense`" in line
    assert all(event in line for event in EVENTS)


def test_half_a_surrogate_pair_in_a_session_id_loses_no_use(workspace: Path) -> None:
    asked = call(workspace, "UserPromptSubmit", session_id="s-\ud800", prompt="#api-keys \udfff")
    out = hook(workspace, "UserPromptSubmit", asked)
    assert "api-keys" in context_of(out)
    assert events(workspace) == [("KnowledgeRef", "human", "s-\N{REPLACEMENT CHARACTER}", ["api-keys"])]
    assert failures(workspace) == []


def test_a_grant_opens_another_agents_record_by_name_and_puts_nothing_in_unasked(workspace: Path) -> None:
    root = workspace / ".omoide"
    (root / "knowledge/theirs.md").write_text(knowledge("For one.", scope="{agent: codex}", model_invokation="true"))
    asked = call(workspace, "UserPromptSubmit", prompt="see #theirs")
    assert "For one." not in context_of(hook(workspace, "UserPromptSubmit", asked))
    (root / "config.toml").write_text(f'{RESIDENT}[grants]\nclaude-code = ["codex/knowledge"]\n')
    assert "For one." in context_of(hook(workspace, "UserPromptSubmit", asked))
    given = hook(workspace, "SessionStart", call(workspace, "SessionStart", source="startup"), "--resident")
    assert "api-keys" in context_of(given)
    assert "theirs" not in context_of(given)


def test_the_environment_says_of_which_tenant_and_principal(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = knowledge("For acme alone.", scope="{tenant: acme, principal: ann}")
    (workspace / ".omoide/knowledge/theirs.md").write_text(theirs)
    data = json.dumps(call(workspace, "UserPromptSubmit", prompt="see #theirs")).encode()

    def answer_to(**more: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        environment = {"OMOIDE_CONFIG": os.devnull, **more}
        assert run(["user-prompt-submit", "--workspace", str(workspace)], environment) == 0
        return capsys.readouterr().out

    assert "For acme" not in answer_to()
    assert "For acme" not in answer_to(OMOIDE_TENANT="acme")
    assert "For acme" not in answer_to(OMOIDE_TENANT="other", OMOIDE_PRINCIPAL="ann")
    assert "For acme" in answer_to(OMOIDE_TENANT="acme", OMOIDE_PRINCIPAL="ann")
