"""Sessions written for others: our format, Markdown, ATIF; and another program's log brought into our format."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from memory_core.sessions.export import exported
from memory_core.sessions.model import Entry, Session
from memory_core.sessions.read import read_stream
from memory_core.store.session_files import read_log

ID = "11111111-1111-4111-8111-111111111111"
BASE = {"sessionId": ID, "cwd": "/w/app", "timestamp": "2026-04-01T09:00:00Z"}


def user(uuid: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "uuid": uuid, **BASE, "message": {"role": "user", "content": content}, **more}


def assistant(uuid: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    return {"type": "assistant", "uuid": uuid, **BASE, "message": {"role": "assistant", "content": list(blocks)}}


LOG = [
    user("u1", "日付はUTCで。``` api_key=abcd1234efgh5678ijkl"),
    assistant(
        "u2",
        {"type": "thinking", "thinking": "Where are dates made?"},
        {"type": "text", "text": "I will look."},
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "export TOKEN_SECRET=abcd1234efgh5678"}},
    ),
    user("u3", [{"type": "tool_result", "tool_use_id": "t1", "content": "password=hunter2hunter2", "is_error": True}]),
    assistant("u4", {"type": "text", "text": "Done."}),
]
ASKED = {"questions": [{"question": "Which store?", "options": [{"label": "SQLite"}, {"label": "Postgres"}]}]}
ANSWERED = [
    assistant("q1", {"type": "tool_use", "id": "ask", "name": "AskUserQuestion", "input": ASKED}),
    user(
        "q2",
        [{"type": "tool_result", "tool_use_id": "ask", "content": "Answered."}],
        toolUseResult={**ASKED, "answers": {"Which store?": "SQLite"}},
    ),
]


def said(entry: Entry) -> tuple[Any, ...]:
    tool = entry.tool if entry.kind == "tool_call" else None  # our results name their call, not its tool
    return entry.kind, entry.speaker, entry.text, entry.call_id, tool, entry.output, entry.is_error, entry.ts


def again(text: str) -> Session:
    return read_stream(io.BytesIO(text.encode()), "again", "again")


def test_our_own_format_says_the_same_as_the_log_it_is_made_from(read: Any) -> None:
    session = read(*LOG)
    copy = again(exported(session, "omoide", with_secrets=True))
    assert (copy.session_id, copy.agent, copy.cwds) == (ID, "claude-code", ("/w/app",))
    assert [said(e) for e in copy.entries[1:]] == [said(e) for e in session.entries]
    assert exported(copy, "omoide", with_secrets=True).count("\n") == len(copy.entries), "and again"


def test_an_answer_names_the_call_that_it_answers_in_the_copy_too(read: Any) -> None:
    """Else the copy tells what was said, and not to which of several questions."""
    session = read(*LOG, *ANSWERED)
    answers = [entry for entry in again(exported(session, "omoide")).entries if entry.subtype == "question_answer"]
    assert [(answer.call_id, answer.text.partition(" (")[0]) for answer in answers] == [("ask", "SQLite")]


@pytest.mark.parametrize("form", ["omoide", "markdown", "atif"])
def test_no_secret_leaves_unless_asked(read: Any, form: str) -> None:
    """T37: redacted on every way out."""
    session = read(*LOG)
    secrets = ("abcd1234efgh5678", "hunter2hunter2")
    assert not any(secret in exported(session, form) for secret in secrets)
    assert secrets[0] in exported(session, form, with_secrets=True)


def test_markdown_holds_each_entry_inside_a_fence_that_it_cannot_end(read: Any) -> None:
    page = exported(read(*LOG, user("u5", "````\n# not a heading\n![x](http://e/x.png)")), "markdown")
    assert "## 0 · human · user message" in page
    inside, fence = False, ""
    for line in page.split("\n"):
        if not inside and line.startswith("```"):
            inside, fence = True, line.removesuffix("text")
        elif inside and line == fence:
            inside = False
        else:
            assert inside or not line.startswith(("# not", "![")), "what was said never becomes part of the page"


def test_atif_steps_count_from_one_and_results_are_observations_of_their_calls(read: Any) -> None:
    data = json.loads(exported(read(*LOG), "atif"))
    assert data["schema_version"] == "ATIF-v1.4"
    assert [step["step_id"] for step in data["steps"]] == list(range(1, len(data["steps"]) + 1))
    assert [step["source"] for step in data["steps"]] == ["user", "agent", "agent", "agent", "agent"]
    call = next(step for step in data["steps"] if "tool_calls" in step)
    assert call["tool_calls"][0]["function_name"] == "Bash"
    assert call["observation"]["results"][0]["source_call_id"] == "t1"


def test_atif_names_the_version_of_the_agent_where_the_log_does(read: Any) -> None:
    """The format requires one; an import keeps what the log said, and of a resumed session the latest counts."""

    def version(session: Any) -> str:
        return json.loads(exported(session, "atif"))["agent"]["version"]

    assert version(read(*LOG)) == "unknown"
    named = read(*LOG, user("u5", "Go on.", version="2.1.0"), user("u6", "And on.", version="2.2.1"))
    assert version(named) == "2.2.1"
    assert version(again(exported(named, "omoide"))) == "2.2.1"


@pytest.mark.parametrize(
    ("log", "version"),
    [
        (
            "codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-01990000-0000-7000-8000-000000000001.jsonl",
            "cli_version",
        ),
        ("copilot-cli/session-state/cli-1/events.jsonl", "copilotVersion"),
        ("opencode/storage/session/p1/ses_1.json", "version"),
        ("claude-code/projects/-w-app/11111111-0000-4000-8000-000000000001.jsonl", "version"),
    ],
)
def test_each_agents_version_is_read_from_its_log(log: str, version: str) -> None:
    (path,) = (Path(__file__).parents[1] / "data/sessions").glob(log)
    (said, *_) = re.findall(rf'"{version}": ?"([^"]+)"', path.read_text(encoding="utf-8"))
    assert read_log(path).agent_version == said


def test_a_prompt_of_one_agent_to_another_does_not_become_a_persons_words(read: Any) -> None:
    session = read(user("u1", "Count the files.", isSidechain=True, agentId="a1"))
    copy = again(exported(session, "omoide"))
    assert [str(e.speaker) for e in copy.entries[1:]] == ["assistant"]


def test_an_unknown_format_is_refused(read: Any) -> None:
    with pytest.raises(ValueError, match="no format to export to"):
        exported(read(*LOG), "pdf")


@pytest.mark.parametrize("form", ["omoide", "atif"])
def test_a_password_below_its_key_is_known_by_it(read: Any, form: str) -> None:
    """T36: each text by itself says nothing."""
    word, said = "u8jzPde0" + "IgxLd6GncfBA", "Tr0ub4dor" + "&3!x"
    given = {
        "username": "bob",
        "password": said,
        "env": {"DB_PASSWORD": word, "MODE": "fast"},
        "headers": {"Authorization": "Basic Ym9iOnMzY3JldHB3ZA==", "Cookie": f"sid={word}"},
        "fields": [{"name": "password", "value": word}, {"name": "note", "value": "a b"}],
        "count": 3,
    }
    session = read(assistant("u2", {"type": "tool_use", "id": "t", "name": "login", "input": given}))
    text = exported(session, form)
    assert not any(secret in text for secret in (word, said, "Ym9iOnMzY3JldHB3ZA"))
    assert all(f'"{kept}"' in text for kept in ("bob", "fast", "a b", "DB_PASSWORD"))
    assert all(secret in exported(session, form, with_secrets=True) for secret in (word, said))


@pytest.mark.parametrize("form", ["omoide", "atif", "markdown"])
def test_arguments_nested_deeper_than_can_be_written_are_left_out_and_it_is_said(read: Any, form: str) -> None:
    given: dict[str, Any] = {}
    for _ in range(800):
        given = {"a": given}
    session = read(user("u1", "Go."), assistant("u2", {"type": "tool_use", "id": "t", "name": "X", "input": given}))
    text = exported(session, form)
    assert "Go." in text
    assert form == "markdown" or "nested too deeply" in text
