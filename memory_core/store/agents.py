"""The agents whose logs are looked for: where each keeps them, and how a log is looked at without reading it whole.

One table, AGENTS. Which formats there are is in `sessions.catalog`; reading is in `session_files`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from memory_core.sessions.formats.aider import HISTORY as AIDER_HISTORY
from memory_core.sessions.formats.claude_history import HISTORY
from memory_core.store import agent_places as places
from memory_core.store.agent_looks import (
    Look,
    look_at_aider,
    look_at_chat,
    look_at_database,
    look_at_document,
    look_at_gemini,
    look_at_lines,
    look_at_prompts,
    look_at_specstory,
    look_at_task,
    look_at_tree,
)
from memory_core.store.file_search import found
from memory_core.store.session_places import claude_files, claude_folders, codex_files, codex_folders

Folders = Callable[[Path, Mapping[str, str]], list[Path]]


@dataclass(frozen=True)
class Place:
    """Where an agent keeps logs of one shape. `files`: names of its log files below the folders, as patterns; `look`:
    what a file says of its sessions."""

    folders: Folders
    files: tuple[str, ...]
    look: Look


@dataclass(frozen=True)
class Agent:
    """An agent: its name in `[sessions] sources` and in every list, what people call it, and its places."""

    name: str
    title: str
    places: tuple[Place, ...]

    def folders(self, workspace: Path, environment: Mapping[str, str]) -> list[Path]:
        """The folders that are looked into, existing or not."""
        return list(dict.fromkeys(f for place in self.places for f in place.folders(workspace, environment)))

    def files(self, workspace: Path, environment: Mapping[str, str]) -> Iterable[tuple[Path, Look]]:
        """Its log files, each with how to look at it."""
        for place in self.places:
            if listing := _LISTINGS.get(place.folders):
                yield from ((path, place.look) for path in listing(workspace, environment))
                continue
            for folder in place.folders(workspace, environment):
                for pattern in place.files:
                    yield from ((path, place.look) for path in found(folder, pattern))

    def look_at_several(self, file: Path, workspace: Path, environment: Mapping[str, str]) -> Look | None:
        """How to look at a file that holds several of its sessions which go on; None for any other file. Looks at no
        disk."""
        for place in self.places:
            named = place.look in _OF_SEVERAL and any(fnmatchcase(file.name, pattern) for pattern in place.files)
            if named and file.parent in place.folders(workspace, environment):
                return place.look
        return None


# What is only a list of prompts is none of them: a session in it goes on in a log of its own.
_OF_SEVERAL = frozenset({look_at_database, look_at_aider})

# Agents whose files need more than a pattern: copies and packed twins are left out.
_LISTINGS: dict[Folders, Callable[[Path, Mapping[str, str]], Iterable[Path]]] = {
    claude_folders: claude_files,
    codex_folders: codex_files,
    places.openclaw: places.openclaw_files,
}

AGENTS = (
    Agent(
        "claude-code",
        "Claude Code",
        (
            Place(claude_folders, ("**/*.jsonl",), look_at_lines),
            Place(places.claude_homes, (HISTORY,), look_at_prompts),
        ),
    ),
    Agent("codex", "Codex", (Place(codex_folders, ("**/*.jsonl", "**/*.json", "**/*.jsonl.zst"), look_at_lines),)),
    Agent(
        "copilot-chat",
        "VS Code Copilot Chat",
        (
            Place(places.editor_workspaces, ("*/chatSessions/*.jsonl", "*/chatSessions/*.json"), look_at_chat),
            Place(places.editor_workspaces, ("*/GitHub.copilot-chat/transcripts/*.jsonl",), look_at_chat),
        ),
    ),
    Agent(
        "copilot-cli",
        "Copilot CLI",
        (
            Place(places.copilot_sessions, ("*/events.jsonl", "*.jsonl"), look_at_lines),
            Place(places.copilot_history, ("*.json",), look_at_document),
        ),
    ),
    Agent(
        "opencode",
        "OpenCode",
        (
            Place(places.opencode, ("opencode*.db",), look_at_database),
            Place(places.opencode, ("storage/session/*/*.json",), look_at_tree),
        ),
    ),
    Agent(
        "gemini-cli",
        "Gemini CLI",
        (Place(places.gemini, ("*/chats/**/*.json", "*/chats/**/*.jsonl"), look_at_gemini),),
    ),
    Agent("pi", "pi", (Place(places.pi, ("**/*.jsonl",), look_at_lines),)),
    Agent("openclaw", "OpenClaw", (Place(places.openclaw, ("*/sessions/*.jsonl*",), look_at_lines),)),
    Agent(
        "goose",
        "Goose",
        (Place(places.goose, ("sessions.db",), look_at_database), Place(places.goose, ("*.jsonl",), look_at_lines)),
    ),
    Agent("aider", "Aider", (Place(places.workspace, (AIDER_HISTORY,), look_at_aider),)),
    Agent(
        "cline",
        "Cline, Roo Code, Kilo Code",
        (
            Place(places.cline_tasks, ("*/api_conversation_history.json", "*/ui_messages.json"), look_at_task),
            Place(places.cline_cli, ("*/*.messages.json",), look_at_task),
        ),
    ),
    Agent("specstory", "SpecStory", (Place(places.specstory, ("*.md",), look_at_specstory),)),
    Agent("yoi", "Yoi", (Place(places.yoi, ("**/*.jsonl",), look_at_lines),)),
)
