"""The folders in which agents keep their logs, on every platform, with the variables that move them.

Lists places, existing or not; looks at no log. All platforms' places are tried everywhere: a home may be shared, and a
folder that is not there costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from memory_core.sessions.formats.cline import EXTENSIONS
from memory_core.sessions.formats.pi import OPENCLAW_HOMES
from memory_core.store.file_search import found
from memory_core.store.session_places import claude_folders, home_of, searched

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
Environment = Mapping[str, str]


def _named(environment: Environment, *keys: str) -> list[Path]:
    return [Path(environment[key]) for key in keys if environment.get(key)]


def _home(environment: Environment, *parts: str) -> list[Path]:
    home = home_of(environment)
    return [home.joinpath(*parts)] if home else []


def _data(environment: Environment, *parts: str) -> list[Path]:
    """A program's folder for data: where the variable says, else the platforms' defaults."""
    named = _named(environment, "XDG_DATA_HOME") or _home(environment, ".local", "share")
    return [folder.joinpath(*parts) for folder in named + _named(environment, "LOCALAPPDATA")]


def workspace(folder: Path, _environment: Environment) -> list[Path]:
    return [folder]


def specstory(folder: Path, environment: Environment) -> list[Path]:
    return searched([folder / ".specstory" / "history"], folder, environment)


def editor_users(environment: Environment) -> list[Path]:
    """The `User` folders of VS Code and the editors built on it."""
    roots = _named(environment, "XDG_CONFIG_HOME") or _home(environment, ".config")
    roots += _home(environment, "Library", "Application Support") + _named(environment, "APPDATA")
    desktop = [root / editor / "User" for root in roots for editor in _EDITORS]
    servers = [f".vscode-server{edition}" for edition in ("", "-insiders")]
    remote = [folder for name in servers for folder in _home(environment, name, "data", "User")]
    portable = [folder / "user-data" / "User" for folder in _named(environment, "VSCODE_PORTABLE")]
    return desktop + remote + portable


def editor_workspaces(_workspace: Path, environment: Environment) -> list[Path]:
    return [user / "workspaceStorage" for user in editor_users(environment)]


def cline_tasks(_workspace: Path, environment: Environment) -> list[Path]:
    users = editor_users(environment)
    return [user / "globalStorage" / extension / "tasks" for user in users for extension in EXTENSIONS]


def cline_cli(_workspace: Path, environment: Environment) -> list[Path]:
    if own := _named(environment, "CLINE_SESSION_DATA_DIR"):
        return own
    data = _named(environment, "CLINE_DATA_DIR")
    data = data or [folder / "data" for folder in _named(environment, "CLINE_DIR") or _home(environment, ".cline")]
    return [folder / "sessions" for folder in data]


def claude_homes(folder: Path, environment: Environment) -> list[Path]:
    return list(
        dict.fromkeys(place.parent for place in claude_folders(folder, environment) if place.name == "projects")
    )


def copilot_sessions(_workspace: Path, environment: Environment) -> list[Path]:
    homes = _named(environment, "COPILOT_HOME") or _home(environment, ".copilot")
    return [home / "session-state" for home in homes]


def copilot_history(_workspace: Path, environment: Environment) -> list[Path]:
    homes = _named(environment, "COPILOT_HOME") or _home(environment, ".copilot")
    return [home / "history-session-state" for home in homes]


def opencode(_workspace: Path, environment: Environment) -> list[Path]:
    return _data(environment, "opencode")


def gemini(_workspace: Path, environment: Environment) -> list[Path]:
    homes = _named(environment, "GEMINI_CLI_HOME") or _home(environment)
    return [home / ".gemini" / "tmp" for home in homes]


def pi(folder: Path, environment: Environment) -> list[Path]:
    homes = _named(environment, "PI_CODING_AGENT_DIR") or _home(environment, ".pi", "agent")
    return searched([home / "sessions" for home in [*homes, folder / ".pi" / "agent"]], folder, environment)


def openclaw(_workspace: Path, environment: Environment) -> list[Path]:
    homes = [folder for name in OPENCLAW_HOMES for folder in _home(environment, name)]
    return [home / "agents" for home in _named(environment, "OPENCLAW_STATE_DIR") + homes]


def openclaw_files(folder: Path, environment: Environment) -> Iterator[Path]:
    """OpenClaw's logs, with those that were reset or deleted; a `.bak` only repeats another file."""
    for place in openclaw(folder, environment):
        for path in found(place, "*/sessions/*.jsonl*"):
            _, _, ending = path.name.partition(".jsonl")
            if not ending or ending.startswith((".reset.", ".deleted.")):
                yield path


def goose(_workspace: Path, environment: Environment) -> list[Path]:
    if own := _named(environment, "GOOSE_PATH_ROOT"):
        return [folder / "data" / "sessions" for folder in own]
    windows = [folder / "Block" / "goose" / "data" / "sessions" for folder in _named(environment, "APPDATA")]
    return _data(environment, "goose", "sessions") + _home(environment, ".goose", "sessions") + windows


def yoi(folder: Path, environment: Environment) -> list[Path]:
    found = [*(data / "sessions" for data in _data(environment, "yoi")), folder / ".yoi" / "sessions"]
    return searched(found, folder, environment)
