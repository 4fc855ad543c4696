"""What `omoide install` puts into each agent's files, and how it is taken out again: one table, pure text to text.

Formats checked against what the agents publish: Claude Code (settings.json hooks, .mcp.json), Codex (hooks.json,
config.toml), Gemini CLI (settings.json), Copilot CLI and VS Code (.github/hooks, .vscode/mcp.json), OpenCode
(opencode.json, plugins). Writing, and asking the person, is the command's business.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory_core.agents.call import PRE_COMPACT, PROMPT_SUBMIT, SESSION_END, SESSION_START
from memory_core.agents.json_edit import Node, at_path, parse, plain, with_element, with_member, without
from memory_core.agents.opencode_plugin import plugin
from memory_core.agents.text_edit import AGENTS_BLOCK, with_block, with_table, without_block, without_table

SERVER = "omoide"
_OURS = re.compile(r"(?:omoide|memory_core)\b.* hook (?:session-start|prompt-submit|pre-compact|session-end)\b")
Edit = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class FilePlan:
    """A file of an agent, relative to the workspace: how ours is put in, and taken out. `whole`: nothing but ours is
    ever in it."""

    path: str
    put: Edit
    take: Edit
    whole: bool = False


def plans(agent: str, program: Sequence[str], *, resident: bool) -> tuple[FilePlan, ...]:
    """The files of an agent. `program`: the words that start Omoide; `resident`: the person wants the session start to
    give the resident context."""
    return AGENTS[agent](agent, program, resident)


def is_resident(texts: Mapping[str, str]) -> bool:
    """Whether an agent's files, by path, hold a session start that gives the resident context."""
    return any(re.search(r"hook session-start\b[^\n]*--resident|RESIDENT = true", t) for t in texts.values())


def _command(program: Sequence[str], event: str, agent: str, *, resident: bool) -> str:
    more = ["--resident"] if resident and event == SESSION_START else []
    return shlex.join([*program, "hook", event, "--agent", agent, *more])


def _hooks(
    names: Mapping[str, str], agent: str, program: Sequence[str], resident: bool, timeout: int
) -> tuple[Edit, Edit]:
    """Hooks as Claude Code has them, and Codex and Gemini after it: `hooks.<event>[].hooks[].command`."""

    def put(text: str) -> str:
        for event, native in names.items():
            command = _command(program, event, agent, resident=resident)
            entry = {"type": "command", "command": command, "timeout": timeout}
            known = _ours(text, native)
            if known is None:
                text = with_element(text, ("hooks", native), {"hooks": [entry]})
            elif plain(text, known[1]).get("command") != command:
                old = known[1].get("command")
                if old:
                    text = text[: old.start] + json.dumps(command, ensure_ascii=False) + text[old.end :]
        return text

    def take(text: str) -> str:
        before = text
        for native in names.values():
            there = text
            while (known := _ours(text, native)) is not None:
                group, entry = known
                entries = group.get("hooks")
                events = at_path(text, ("hooks", native))
                if events and entries and len(entries.items) == 1:
                    text = without(text, events, group)
                elif entries:
                    text = without(text, entries, entry)
            # An empty place in which nothing of ours stood is the person's.
            text = _pruned(text, ("hooks", native)) if text != there else text
        return _pruned(text, ("hooks",)) if text != before else text

    return put, take


def _ours(text: str, native: str) -> tuple[Node, Node] | None:
    """The group and the entry of ours in an event's hooks."""
    events = at_path(text, ("hooks", native))
    for _, group in events.items if events and events.kind == "array" else ():
        entries = group.get("hooks") if group.kind == "object" else None
        for _, entry in entries.items if entries and entries.kind == "array" else ():
            value = plain(text, entry)
            if isinstance(value, dict) and _OURS.search(str(value.get("command", ""))):
                return group, entry
    return None


def _member(path: Sequence[str], value: Any) -> tuple[Edit, Edit]:
    """One member of a JSON file, ours as a whole."""

    def put(text: str) -> str:
        node = at_path(text, path)
        return text if node and plain(text, node) == value else with_member(text, path, value)

    def take(text: str) -> str:
        parent, node = at_path(text, path[:-1]), at_path(text, path)
        return _pruned(without(text, parent, node), path[:-1]) if parent and node else text

    return put, take


def _pruned(text: str, path: Sequence[str]) -> str:
    """The text without what is empty at a path, and above it, now that ours is gone."""
    for depth in range(len(path), 0, -1):
        node, parent = at_path(text, path[:depth]), at_path(text, path[: depth - 1])
        if node is None or parent is None or node.items or node.kind == "atom":
            break
        text = without(text, parent, node)
    return "" if text.strip() and not parse(text).items and parse(text).kind == "object" else text


def _both(*edits: tuple[Edit, Edit]) -> tuple[Edit, Edit]:
    def put(text: str) -> str:
        for one, _ in edits:
            text = one(text)
        return text

    def take(text: str) -> str:
        for _, other in edits:
            text = other(text) if text.strip() else text
        return text

    return put, take


def _claude_code(agent: str, program: Sequence[str], resident: bool) -> tuple[FilePlan, ...]:
    names = {
        SESSION_START: "SessionStart",
        PROMPT_SUBMIT: "UserPromptSubmit",
        PRE_COMPACT: "PreCompact",
        SESSION_END: "SessionEnd",
    }
    server = {"command": program[0], "args": [*program[1:], "mcp"]}
    return (
        FilePlan(".claude/settings.json", *_hooks(names, agent, program, resident, 10)),
        FilePlan(".mcp.json", *_member(("mcpServers", SERVER), server)),
    )


def _codex(agent: str, program: Sequence[str], resident: bool) -> tuple[FilePlan, ...]:
    # Codex tells of the end of a run, not of a session.
    names = {
        SESSION_START: "SessionStart",
        PROMPT_SUBMIT: "UserPromptSubmit",
        PRE_COMPACT: "PreCompact",
        SESSION_END: "Stop",
    }
    lines = f"command = {json.dumps(program[0])}\nargs = {json.dumps([*program[1:], 'mcp'])}\n"
    header = f"mcp_servers.{SERVER}"
    return (
        FilePlan(".codex/hooks.json", *_hooks(names, agent, program, resident, 10)),
        FilePlan(".codex/config.toml", lambda t: with_table(t, header, lines), lambda t: without_table(t, header)),
    )


def _gemini(agent: str, program: Sequence[str], resident: bool) -> tuple[FilePlan, ...]:
    names = {
        SESSION_START: "SessionStart",
        PROMPT_SUBMIT: "BeforeAgent",
        PRE_COMPACT: "PreCompress",
        SESSION_END: "SessionEnd",
    }
    hooks = _hooks(names, agent, program, resident, 10_000)  # milliseconds here
    server = _member(("mcpServers", SERVER), {"command": program[0], "args": [*program[1:], "mcp"]})
    return (FilePlan(".gemini/settings.json", *_both(hooks, server)),)


def _copilot(agent: str, program: Sequence[str], resident: bool) -> tuple[FilePlan, ...]:
    names = {
        SESSION_START: "sessionStart",
        PROMPT_SUBMIT: "userPromptSubmitted",
        PRE_COMPACT: "preCompact",
        SESSION_END: "sessionEnd",
    }
    hooks: dict[str, Any] = {}
    for event, native in names.items():
        command = _command(program, event, agent, resident=resident)
        shell = command if shlex.quote(program[0]) == program[0] else f"& {command}"
        hooks[native] = [{"type": "command", "bash": command, "powershell": shell, "timeoutSec": 10}]
    text = json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"
    server = {"type": "stdio", "command": program[0], "args": [*program[1:], "mcp"]}
    return (
        FilePlan(".github/hooks/omoide.json", lambda _: text, lambda _: "", whole=True),
        FilePlan(".vscode/mcp.json", *_member(("servers", SERVER), server)),
    )


def _opencode(agent: str, program: Sequence[str], resident: bool) -> tuple[FilePlan, ...]:
    server = {"type": "local", "command": [*program, "mcp"], "enabled": True}
    text = plugin([*program, "hook"], agent, resident=resident)
    return (
        FilePlan("opencode.json", *_member(("mcp", SERVER), server)),
        FilePlan(".opencode/plugins/omoide.js", lambda _: text, lambda _: "", whole=True),
    )


def _agents_md(_agent: str, _program: Sequence[str], _resident: bool) -> tuple[FilePlan, ...]:
    return (FilePlan("AGENTS.md", lambda t: with_block(t, AGENTS_BLOCK), without_block),)


AGENTS: Mapping[str, Callable[[str, Sequence[str], bool], tuple[FilePlan, ...]]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "copilot": _copilot,
    "opencode": _opencode,
    "gemini": _gemini,
    "agents-md": _agents_md,
}
