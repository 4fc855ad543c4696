"""The sessions of a workspace: logs found where agents leave them, and told by their content to be of this folder.

Formats are read in `sessions`; the places are in `agents`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from memory_core.errors import SessionError
from memory_core.sessions import own_log
from memory_core.sessions.fields import map_at, text_at
from memory_core.sessions.formats.cline import EXTENSIONS
from memory_core.sessions.frames import Frame, Repairs, read_frames
from memory_core.sessions.model import EntryKind, Session
from memory_core.store.agent_looks import Look, Looking
from memory_core.store.agents import AGENTS
from memory_core.store.file_search import found
from memory_core.store.one_history import family_of
from memory_core.store.one_id import with_ids_of_their_own
from memory_core.store.ordinary import open_binary
from memory_core.store.session_cache import SessionCache
from memory_core.store.session_places import Belonging, home_of
from memory_core.store.session_ref import SessionRef, are_plain, from_plain, plain, ref, stands_in

log = logging.getLogger(__name__)

OWN_TITLE = "Omoide's own logs, and imported ones"
# Agents as sessions name them, whose sidecars stand beside our own logs.
_SIDECARS = (*(agent.name for agent in AGENTS), *EXTENSIONS.values())
_SIDECAR_KINDS = frozenset({EntryKind.SESSION_START, EntryKind.EXTENSION})


def discover(
    workspace: Path,
    sessions_dir: Path,
    environment: Mapping[str, str],
    sources: Sequence[str],
    cache: SessionCache | None = None,
) -> list[SessionRef]:
    """The sessions of a workspace, newest first. `sources`: the agents to look for; `cache`: what was learned of them
    the last time.

    A foreign log belongs here when a cwd inside it is the workspace, lies below it, or lies in a linked worktree of it.
    A log that cannot be read is logged and left out.
    """
    refs: list[SessionRef] = []
    belonging = Belonging(workspace)
    cache = cache or SessionCache(None, "")
    brought = _brought(workspace, environment)
    if own_log.FORMAT in sources:
        files = ((path, _own_refs) for path in found(sessions_dir, "*.jsonl"))
        refs += _each(files, Looking(own_log.FORMAT, workspace, belonging), cache, sessions_dir.parent)
    for agent in AGENTS:
        if agent.name in sources:
            looking = Looking(agent.name, workspace, belonging)
            refs += _each(agent.files(workspace, environment), looking, cache, brought)
    return each_once(with_ids_of_their_own(refs, cache, sessions_dir))


def each_once(refs: Iterable[SessionRef]) -> list[SessionRef]:
    """Sessions that were found, newest first, each of them once."""
    refs = list(refs)
    logged = {ref.session_id for ref in refs if not stands_in(ref)}
    refs = [ref for ref in refs if not stands_in(ref) or ref.session_id not in logged]
    refs.sort(key=lambda ref: (ref.updated_at, ref.session_id), reverse=True)
    # Two of them that hold the same are one session whose project was moved: the newest file is it.
    return list({(ref.agent, ref.session_id): ref for ref in reversed(refs)}.values())[::-1]


def sessions_in(
    file: Path, workspace: Path, environment: Mapping[str, str], sources: Sequence[str]
) -> list[SessionRef] | None:
    """The sessions of a workspace in one file that holds several; None for a file that is none of those which
    `discover` finds. OSError or SessionError when it cannot be read, SessionBusy when it may be in a moment."""
    for agent in AGENTS:
        look = agent.look_at_several(file, workspace, environment) if agent.name in sources else None
        if look is None:
            continue
        brought = _brought(workspace, environment)
        if not file.is_file() or (brought is not None and _leads_out(file, brought)):
            return []
        looking = Looking(agent.name, workspace, Belonging(workspace))
        return list(map(from_plain, _looked(look, looking, file)))
    return None


def may_hold_several(file: Path, workspace: Path, environment: Mapping[str, str], sources: Sequence[str]) -> bool:
    """Whether an agent keeps several sessions in a file of this name there. Looks at no disk."""
    return any(a.look_at_several(file, workspace, environment) for a in AGENTS if a.name in sources)


def _brought(workspace: Path, environment: Mapping[str, str]) -> Path | None:
    """The folder that others may have put links into: the workspace, unless it is the person's home."""
    home = home_of(environment)
    return None if home is not None and home.is_relative_to(workspace) else workspace


def session_folders(
    workspace: Path, sessions_dir: Path, environment: Mapping[str, str], sources: Sequence[str]
) -> list[Path]:
    """The folders that `discover` looks into, existing or not."""
    return [place.folder for place in log_places(workspace, sessions_dir, environment, sources)]


class LogPlace(NamedTuple):
    """A folder in which an agent's logs are looked for. `agent`: as in `[sessions] sources`; `title`: what people call
    it."""

    agent: str
    title: str
    folder: Path


def log_places(
    workspace: Path, sessions_dir: Path | None, environment: Mapping[str, str], sources: Sequence[str]
) -> list[LogPlace]:
    """The folders that `discover` looks into, existing or not, those of our own logs and imports first. `sessions_dir`:
    None where there is no memory."""
    own = [LogPlace(own_log.FORMAT, OWN_TITLE, sessions_dir)] if sessions_dir and own_log.FORMAT in sources else []
    return own + [
        LogPlace(agent.name, agent.title, folder)
        for agent in AGENTS
        if agent.name in sources
        for folder in agent.folders(workspace, environment)
    ]


def _each(
    files: Iterable[tuple[Path, Look]], looking: Looking, cache: SessionCache, brought: Path | None
) -> Iterator[SessionRef]:
    """`brought`: the folder that others may have put links into."""
    unreadable = 0
    for path, look in files:
        if brought is not None and _leads_out(path, brought):
            log.warning("%s is left out of the sessions: it is a link out of this project.", path)
            continue
        try:
            kept = cache.answer(
                f"look:{looking.agent}", [path], partial(_looked, look, looking, path), partial(_are_of, path)
            )
            yield from map(from_plain, kept)
        except (OSError, SessionError) as error:
            unreadable += 1
            log.warning("%s is left out of the sessions: %s", path, error)
    if unreadable:
        log.warning("%d session logs could not be read.", unreadable)


def _are_of(path: Path, kept: Any) -> bool:
    """Whether kept references are of sessions in this file: the cache may have come with the repository."""
    return are_plain(kept) and all(path in (at := Path(item["path"]), *at.parents) for item in kept)


def _leads_out(path: Path, workspace: Path) -> bool:
    """Whether a log that lies in the workspace really lies elsewhere: a repository may bring a link to the log of
    another project, which would be taken for one of this."""
    return os.path.normpath(path).startswith(f"{workspace}{os.sep}") and not _lies_in(path, workspace)


def _lies_in(path: Path, workspace: Path) -> bool:
    return os.path.realpath(path).startswith(os.path.realpath(workspace) + os.sep)


def is_of(session: Session, workspace: Path) -> bool:
    """Whether a session that was read from a path which a file names is one of a workspace: by a folder that it names,
    or by where its log lies. What names the path may have come with the repository."""
    belonging = Belonging(workspace)
    own = session.path is not None and _lies_in(session.path, workspace)
    return own or any(belonging.holds(cwd) for cwd in session.cwds)


def _looked(look: Look, looking: Looking, path: Path) -> list[dict[str, Any]]:
    """What a look says of a file, as plain data."""
    refs = list(look(looking, path))
    family = family_of(path) if refs else ()
    return [plain(ref, family) for ref in refs]


def _own_refs(_looking: Looking, path: Path) -> list[SessionRef]:
    found_here = _own_ref(path)
    return [found_here] if found_here else []


def _own_ref(path: Path) -> SessionRef | None:
    """Our own log; None for a sidecar, which only carries what we keep about another program's session."""
    session_id, agent, cwd, started, speaks, imported = "", own_log.FORMAT, None, None, False, False
    with open_binary(path) as stream:
        for item in read_frames(stream, Repairs()):
            if not isinstance(item, Frame) or not item.terminated:
                continue
            kind = text_at(item.value, "kind")
            started = started or text_at(item.value, "ts") or None
            if kind == EntryKind.SESSION_START and not session_id:
                session_id = text_at(item.value, "session_id")
                agent = text_at(item.value, "agent") or agent
                cwd = text_at(item.value, "cwd") or None
                imported = bool(map_at(item.value, "origin"))
            if kind not in _SIDECAR_KINDS:
                speaks = True
                break
    if not speaks and path.name.startswith(tuple(f"{name}." for name in _SIDECARS)):
        return None
    return replace(ref(path, session_id or path.stem, agent, cwd, started), imported=imported)
