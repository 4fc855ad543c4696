"""A hook's call as agents make it: which of our four moments it is, and what its JSON says. Reads no file.

Formats: Claude Code (code.claude.com/docs/en/hooks), Codex (developers.openai.com/codex/hooks and its generated
schemas), Gemini CLI (docs/hooks/reference.md), Copilot CLI and VS Code (docs.github.com, cli-hooks-reference). They
name the same facts differently; here they have one name each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SESSION_START, PROMPT_SUBMIT, PRE_COMPACT, SESSION_END = EVENTS = (
    "session-start",
    "prompt-submit",
    "pre-compact",
    "session-end",
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAMES = {
    "sessionstart": SESSION_START,
    "promptsubmit": PROMPT_SUBMIT,
    "userpromptsubmit": PROMPT_SUBMIT,
    "userpromptsubmitted": PROMPT_SUBMIT,
    "beforeagent": PROMPT_SUBMIT,
    "precompact": PRE_COMPACT,
    "precompress": PRE_COMPACT,
    "sessionend": SESSION_END,
    "stop": SESSION_END,
    "agentstop": SESSION_END,
}


@dataclass(frozen=True, slots=True)
class Call:
    """`event`: one of ours; `native`: what the agent calls it, for the answer; `subagent`: no person's turn."""

    event: str
    native: str
    session_id: str | None = None
    cwd: str | None = None
    transcript: str | None = None
    prompt: str = ""
    source: str | None = None
    subagent: bool = False


def event_named(name: str) -> str | None:
    """Our name of an event, whatever the agent calls it."""
    return _NAMES.get(name.replace("-", "").replace("_", "").lower())


def call_of(event: str, data: bytes) -> Call:
    """The call behind an event's JSON. ValueError for what is no JSON object."""
    value = json.loads(data.decode("utf-8-sig")) if data.strip() else {}
    if not isinstance(value, Mapping):
        raise ValueError("not an object")
    return Call(
        event,
        _text(value, "hook_event_name", "hookEventName") or event,
        _writable(_text(value, "session_id", "sessionId", "conversation_id")),
        _text(value, "cwd", "workspace", "directory"),
        _text(value, "transcript_path", "transcriptPath", "rollout_path"),
        _writable(_text(value, "prompt", "initialPrompt", "user_prompt")) or "",
        _text(value, "source", "trigger"),
        bool(value.get("agent_id") or value.get("parent_session_id") or value.get("is_subagent")),
    )


def answer(agent: str, call: Call, context: str) -> str:
    """What an agent reads on standard output: context to add, and never a decision."""
    if not context:
        return ""
    if agent == "opencode":  # our own plugin reads it
        return json.dumps({"additionalContext": context}, ensure_ascii=True)
    value: dict[str, Any] = {"hookSpecificOutput": {"hookEventName": call.native, "additionalContext": context}}
    if agent == "copilot":  # the command line wants it bare, the editor wrapped
        value["additionalContext"] = context
    return json.dumps(value, ensure_ascii=True)  # ASCII: no console code page can spoil it


def _writable(text: str | None) -> str | None:
    """Without halves of surrogate pairs, which no log can hold. Paths keep theirs: they stand for odd bytes there."""
    return text if text is None or text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _text(value: Mapping[str, Any], *names: str) -> str | None:
    for name in names:
        found = value.get(name)
        if isinstance(found, str) and found:
            return found
    return None
