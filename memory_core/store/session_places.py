"""Where agents keep their logs, and which logs belong to a workspace: by the folder named inside them, never by a name.

Lists and looks; whole logs are read in `session_files`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from memory_core.sessions.fields import list_at, map_at, text_at
from memory_core.sessions.formats import codex
from memory_core.sessions.formats.codex_items import cwds_in
from memory_core.sessions.frames import Frame, Repairs, read_frames
from memory_core.sessions.tools import block_text
from memory_core.store.file_search import found
from memory_core.store.known_places import known_places
from memory_core.store.ordinary import on_another_machine

# Records looked at for a first cwd. Metadata and snapshots may stand first, but never this many.
_HEAD_RECORDS = 60
_DESKTOP = "local-agent-mode-sessions"


@dataclass(frozen=True)
class Head:
    """What the beginning of a log says. `cwd`: the first one named; `ids`: session ids in order of appearance;
    `sub_agent`: whether the log is that of an agent's own helper."""

    cwd: str | None = None
    ids: tuple[str, ...] = ()
    started_at: str | None = None
    sub_agent: bool = False


def home_of(environment: Mapping[str, str]) -> Path | None:
    """The home folder that an environment names; None where it names none."""
    named = environment.get("HOME") or environment.get("USERPROFILE")
    return Path(named) if named else None


def claude_folders(workspace: Path, environment: Mapping[str, str]) -> list[Path]:
    """Where Claude Code keeps transcripts: its own place, and the workspace for who set it there."""
    home, own = home_of(environment), environment.get("CLAUDE_CONFIG_DIR")
    folders = [Path(own) if own else home / ".claude" if home else None, workspace / ".claude"]
    found = [folder / "projects" for folder in _distinct(folders)]
    return searched(found, workspace, environment) + _desktop_folders(environment)


def _desktop_folders(environment: Mapping[str, str]) -> list[Path]:
    """Where the desktop program keeps what its agents did; each run has a configuration folder of its own there."""
    home, roaming = home_of(environment), environment.get("APPDATA")
    config = environment.get("XDG_CONFIG_HOME")
    roots = [home / "Library" / "Application Support" if home else None, Path(roaming) if roaming else None]
    roots.append(Path(config) if config else home / ".config" if home else None)
    return [root / "Claude" / _DESKTOP for root in _distinct(roots)]


def codex_folders(workspace: Path, environment: Mapping[str, str]) -> list[Path]:
    """Where Codex keeps rollouts, in the same way."""
    home, own = home_of(environment), environment.get("CODEX_HOME")
    folders = [Path(own) if own else home / ".codex" if home else None, workspace / ".codex"]
    found = [folder / place for folder in _distinct(folders) for place in ("sessions", "archived_sessions")]
    return searched(found, workspace, environment)


def searched(folders: list[Path], workspace: Path, environment: Mapping[str, str]) -> list[Path]:
    """Those that are no links of the workspace out of it: a repository may bring one to the whole disk, which would be
    searched again and again. What such a log holds is not taken either (`session_discovery`)."""
    home, inside = home_of(environment), os.path.realpath(workspace)
    if home is not None and home.is_relative_to(workspace):
        return folders
    return [
        folder
        for folder in folders
        if not folder.is_relative_to(workspace) or Path(os.path.realpath(folder)).is_relative_to(inside)
    ]


def claude_files(workspace: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """Claude Code's transcripts, without those of sub-agents and of runs that repeat a whole history."""
    for folder in claude_folders(workspace, environment):
        for path in found(folder, "**/projects/**/*.jsonl" if folder.name == _DESKTOP else "**/*.jsonl"):
            if not path.name.startswith("agent-") and "subagents" not in path.parts:
                yield path


def codex_files(workspace: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """Codex's rollouts, all generations; of a plain file and its packed copy the plain one."""
    for folder in codex_folders(workspace, environment):
        logs = {path for pattern in ("*.jsonl", "*.json", "*.jsonl.zst") for path in found(folder, f"**/{pattern}")}
        for path in sorted(logs):
            if path.suffix != ".zst" or path.with_suffix("") not in logs:
                yield path


def _distinct(folders: list[Path | None]) -> list[Path]:
    return list(dict.fromkeys(folder for folder in folders if folder is not None))


def read_head(stream: BinaryIO) -> Head:
    """The beginning of a foreign log, read only as far as its first cwd."""
    ids: dict[str, None] = {}
    started: str | None = None
    for item in islice(read_frames(stream, Repairs()), _HEAD_RECORDS):
        if not isinstance(item, Frame):
            continue
        value = item.value
        payload = map_at(value, "payload")
        meta = text_at(value, "type") == "session_meta"
        found = text_at(value, "sessionId") or (text_at(payload, "id") if meta else "")
        found = found or text_at(value, "data", "sessionId") or (text_at(value, "id") if _is_head(value) else "")
        if not ids and not found and codex.recognizes(value):
            found = text_at(value, "id") if "type" not in value else ""
        if found:
            ids.setdefault(found)
        started = started or text_at(value, "timestamp") or None
        cwd = text_at(value, "cwd") or text_at(payload, "cwd") or _cwd_elsewhere(value) or _cwd_in_text(value)
        if cwd:
            return Head(cwd, tuple(ids), started, meta and codex.is_sub_agent(payload))
    return Head(None, tuple(ids), started)


def _is_head(value: dict[str, Any]) -> bool:
    """Whether a record is the head of a session of pi."""
    return text_at(value, "type") == "session" and "timestamp" in value


def _cwd_elsewhere(value: dict[str, Any]) -> str:
    """The cwd under the names that other agents give it."""
    return (
        text_at(value, "data", "context", "cwd")
        or text_at(value, "data", "cwd")
        or text_at(value, "working_dir")
        or text_at(value, "config", "cwd")
        or text_at(value, "config", "working_dir")
    )


def _cwd_in_text(value: dict[str, Any]) -> str:
    """The cwd that the oldest rollouts name only inside a message's text."""
    item = map_at(value, "payload") or value
    if text_at(item, "type") != "message":
        return ""
    return next((cwd for block in list_at(item, "content") for cwd in cwds_in(block_text(block))), "")


class Belonging:
    """Whether a folder that a log names belongs to a workspace: it is the workspace, lies below it, or does so in a
    linked git worktree of the same repository, or where one of these was once. Links are resolved; what was resolved
    once is remembered. A Windows drive is the same however it is spelled: `C:\\app`, `c:\\App`, and `/mnt/c/app` as the
    Linux beside it sees it."""

    def __init__(self, workspace: Path) -> None:
        self.roots = [_resolved(root) for root in known_places(workspace)]
        self._known: dict[str, bool] = {}
        spelled = {str(workspace), str(workspace.absolute()), *map(str, self.roots)}
        drives = {name for path in spelled if (drive := _on_drive(path)) for name in _spellings(drive)}
        self._needles = _as_in_json(spelled)
        self._folded = _as_in_json(drives)

    def holds(self, cwd: str) -> bool:
        if cwd not in self._known:
            absolute = _on_drive(cwd) or os.path.isabs(cwd)  # noqa: PTH117 - of a text
            near = absolute and not all(on_another_machine(cwd, root) for root in self.roots)
            folder = _resolved(Path(cwd)) if near else None
            self._known[cwd] = any(folder == root or root in folder.parents for root in self.roots) if folder else False
        return self._known[cwd]

    def named_in(self, line: bytes) -> bool:
        """Whether a line of JSON may name a folder of the workspace: a cheap look before it is parsed."""
        if any(needle in line for needle in self._needles):
            return True
        return bool(self._folded) and any(needle in line.lower() for needle in self._folded)


def _as_in_json(paths: Iterable[str]) -> tuple[bytes, ...]:
    """Paths as they stand inside strings of JSON: most programs write other scripts as they are, some escape them."""
    both = {json.dumps(path, ensure_ascii=escaped)[1:-1] for path in paths for escaped in (True, False)}
    return tuple(spelling.encode("utf-8", "surrogateescape") for spelling in sorted(both))


_DRIVE = re.compile(r"(?:([A-Za-z]):|/mnt/([A-Za-z]))(?=[\\/]|\Z)")


def _on_drive(path: str) -> str:
    """A path on a Windows drive in one spelling, as Linux beside Windows names it; empty for any other path. Names of
    folders on a drive differ in more than case."""
    match = _DRIVE.match(path)
    if not match or path[match.end() :] in ("", "\\", "/"):
        return ""
    rest = path[match.end() :].replace("\\", "/").casefold().rstrip("/")
    return f"/mnt/{(match[1] or match[2]).lower()}{rest}"


def _spellings(drive: str) -> tuple[str, ...]:
    letter, rest = drive[5], drive[6:]
    return drive, f"{letter}:{rest}", f"{letter}:{rest}".replace("/", "\\")


def _resolved(path: Path) -> Path:
    try:
        if os.name != "nt" and (drive := _on_drive(str(path))):
            return Path(drive)
        return Path(os.path.normcase(path.resolve()))
    except (OSError, RuntimeError, ValueError):
        return path
