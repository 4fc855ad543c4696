"""What a log file says of its sessions without being read whole: whose they are, where they ran, when they began.

A look answers the sessions that belong to a workspace. Nothing is decided about copies of one session.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core.sessions.document import file_of_uri
from memory_core.sessions.fields import at as _at
from memory_core.sessions.fields import instant, map_at, text_at
from memory_core.sessions.formats import aider, cline, codex, specstory, yoi
from memory_core.sessions.frames import Repairs, decode_document
from memory_core.sessions.lines import lines_within, read_lines
from memory_core.sessions.source import Source
from memory_core.store.ordinary import open_binary, read_bytes
from memory_core.store.session_database import open_tables
from memory_core.store.session_files import FilesBeside, database_format, log_name, open_log, place_of, read_log
from memory_core.store.session_places import Belonging, Head, read_head
from memory_core.store.session_ref import SessionRef, ref

log = logging.getLogger(__name__)

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_BEGINNING = 1 << 18
# Of a line that is looked at for a name: the largest of real logs are a quarter of it, and a file may have no line end.
_LINE = 64 * 1024 * 1024
_PIECE = 1 << 20
_REQUEST = b'"requestId"'
_TURN = re.compile(rb'"type"\s*:\s*"(?:user|gemini)"')
_TASK_CWD = re.compile(rb"# Current (?:Working|Workspace) Directory \(((?:[^\"\\()]|\\.)+)\)")


@dataclass(frozen=True)
class Looking:
    """For whom a look is: the agent, the workspace, and what belongs to it."""

    agent: str
    workspace: Path
    belonging: Belonging

    def holds(self, cwd: str | None) -> str | None:
        return cwd if cwd and self.belonging.holds(cwd) else None


Look = Callable[[Looking, Path], Iterable[SessionRef]]


def look_at_lines(looking: Looking, path: Path) -> Iterator[SessionRef]:
    """A log of lines: by the first cwd that it names, or by a later one of the workspace."""
    if path.suffix == ".json":  # the first generation of Codex: one document, small
        yield from look_at_document(looking, path)
        return
    with open_log(path) as stream:
        head = read_head(stream)
    if head.sub_agent or path.name.endswith(".trace.jsonl"):
        return
    cwd = looking.holds(head.cwd) or _later_cwd(path, looking.belonging)
    if cwd is None and (head.cwd is not None or looking.workspace not in path.parents):
        return
    yield ref(path, _line_id(path, looking.agent, head), looking.agent, cwd, head.started_at)


def _later_cwd(path: Path, belonging: Belonging) -> str | None:
    """A cwd of the workspace further down in a log that began elsewhere. Bytes are compared first: most logs of other
    projects never name this folder, and then no line is parsed."""
    with open_log(path) as stream:
        for line in lines_within(stream, _LINE):
            if b'"cwd"' not in line or not belonging.named_in(line):
                continue
            value = _parsed(line)
            cwd = text_at(value, "cwd") or text_at(value, "payload", "cwd") or text_at(value, "data", "context", "cwd")
            if cwd and belonging.holds(cwd):
                return cwd
    return None


def _line_id(path: Path, agent: str, head: Head) -> str:
    """The id that the reader will give the session, from the head alone where possible."""
    name = log_name(path)
    if agent == yoi.FORMAT:
        return name
    if agent == codex.FORMAT:
        return head.ids[0] if head.ids else codex.id_of_name(name)
    if name == "events":
        return head.ids[0] if head.ids else path.parent.name
    if not head.ids or name in head.ids:
        return name
    if _UUID.fullmatch(name):  # a copied history may stand before the file's own lines
        with open_log(path) as stream:
            lines = lines_within(stream, _LINE)
            if any(name.encode() in line and text_at(_parsed(line), "sessionId") == name for line in lines):
                return name
    return head.ids[0]


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def look_at_prompts(looking: Looking, path: Path) -> Iterator[SessionRef]:
    """Claude Code's list of prompts: the sessions of this workspace that it knows of, with or without a transcript."""
    begun: dict[str, tuple[str, str | None, str | None]] = {}
    with open_binary(path) as stream:
        for line in lines_within(stream, _LINE):
            if not looking.belonging.named_in(line):
                continue
            value = _parsed(line)
            name, cwd, ts = text_at(value, "sessionId"), text_at(value, "project"), instant(_at(value, "timestamp"))
            if name and looking.holds(cwd):
                begun[name] = cwd, begun[name][1] if name in begun else ts, ts
    for name, (cwd, first, last) in begun.items():
        if place := _placed(path, name):
            yield ref(place, name, looking.agent, cwd, first, file=path, updated_at=last)


def _placed(file: Path, name: str) -> Path | None:
    """The place of a session in a file of several; one whose name leads elsewhere is left out, and said in the log."""
    place = place_of(file, name)
    if place is None:
        log.warning("%s: the session %r is left out, its id is no name.", file, name[:100])
    return place


def look_at_document(looking: Looking, path: Path) -> Iterator[SessionRef]:
    """A document that is small enough to be read: by the folders it names."""
    session = read_log(path)
    cwd = next((cwd for cwd in session.cwds if looking.belonging.holds(cwd)), None)
    if session.session_kind != "subagent" and (cwd or (not session.cwds and looking.workspace in path.parents)):
        yield ref(path, session.session_id, looking.agent, cwd, session.started_at)


def look_at_chat(looking: Looking, path: Path) -> Iterator[SessionRef]:
    """A chat of an editor: by the folder beside it, for which the editor keeps it. The file name is the id."""
    storage = next((parent for parent in path.parents if (parent / "workspace.json").is_file()), None)
    if storage is None:
        return
    about = decode_document(read_bytes(storage / "workspace.json"))
    cwd = looking.holds(file_of_uri(map_at({"about": about}, "about").get("folder"))) or _root_of(about, looking)
    if not cwd:
        return
    transcript = path.parent.name == "transcripts"
    if transcript and any(_has_requests(storage / "chatSessions" / f"{path.stem}{e}") for e in (".jsonl", ".json")):
        return  # the chat itself is there; this is the same as events
    if not transcript and path.suffix == ".json" and path.with_suffix(".jsonl").exists():
        return
    events = storage / "GitHub.copilot-chat/transcripts" / f"{path.stem}.jsonl"
    if not transcript and events.exists() and not _has_requests(path):
        return
    yield ref(path, path.stem, looking.agent, cwd, None)


def _root_of(about: Any, looking: Looking) -> str | None:
    """The workspace among the roots of an editor's workspace of several folders."""
    listing = file_of_uri(text_at(about, "workspace") or text_at(about, "configuration"))
    try:
        roots = decode_document(read_bytes(Path(listing))) if listing else None
    except OSError:
        return None
    for root in map_at({"roots": roots}, "roots").get("folders") or []:
        named = text_at(root, "path") or file_of_uri(text_at(root, "uri"))
        if named and (cwd := looking.holds(str(Path(listing).parent / named))):
            return cwd
    return None


def _has_requests(path: Path) -> bool:
    """Whether a chat's file holds more than an empty chat. An index that calls it empty is not believed."""
    try:
        with open_binary(path) as stream:
            before = b""
            while piece := stream.read(_PIECE):
                if _REQUEST in before + piece:
                    return True
                before = piece[-len(_REQUEST) :]
    except OSError:
        pass
    return False


def look_at_gemini(looking: Looking, path: Path) -> Iterator[SessionRef]:
    """A chat of Gemini CLI: by the project of its folder, which is named in a file, in a list, or by a hash."""
    with open_binary(path) as stream:
        beginning = stream.read(_BEGINNING)
    if not _TURN.search(beginning):  # a stub; it says nothing, and what it said once is not gone because of it
        return
    chats = next((parent for parent in path.parents if parent.name == "chats"), path.parent)
    if path.parent != chats:
        return  # a sub-agent's, in the folder of its parent
    cwd = _gemini_cwd(looking, chats.parent)
    if cwd:
        yield ref(path, _gemini_id(beginning) or log_name(path), looking.agent, cwd, None)


def _gemini_id(beginning: bytes) -> str:
    match = re.search(rb'"sessionId"\s*:\s*"([^"\\]+)"', beginning)
    return match[1].decode("utf-8", "replace") if match else ""


def _gemini_cwd(looking: Looking, project: Path) -> str | None:
    beside = FilesBeside(project)
    named = (beside.read(".project_root") or b"").decode("utf-8", "replace").strip()
    if named:
        return looking.holds(named)
    listed = decode_document(beside.read("..", "..", "projects.json") or b"")
    for cwd, slug in map_at(listed, "projects").items():
        if slug == project.name and looking.belonging.holds(cwd):
            return str(cwd)
    for root in looking.belonging.roots:
        if hashlib.sha256(str(root).encode()).hexdigest() == project.name:
            return str(root)
    return None


def look_at_tree(looking: Looking, path: Path) -> Iterator[SessionRef]:
    """A head in OpenCode's tree of files."""
    value = decode_document(read_bytes(path))
    cwd = looking.holds(text_at(value, "directory"))
    if cwd and not text_at(value, "parentID"):
        started = instant(map_at(value, "time").get("created"))
        updated = instant(map_at(value, "time").get("updated"))
        yield ref(path, text_at(value, "id") or path.stem, looking.agent, cwd, started, updated_at=updated)


def look_at_database(looking: Looking, path: Path) -> Iterator[SessionRef]:
    """A database of sessions: by the folder of each."""
    database = database_format(path)
    with open_tables(path, database.tables) as tables:
        listed = [s for s in database.sessions(tables) if not s.parent and looking.holds(s.cwd)]
        for problem in tables.problems:
            log.warning("%s: %s.", path, problem)
    for session in listed:
        name, times = session.session_id, (session.started_at, session.updated_at)
        if place := _placed(path, name):
            yield ref(place, name, looking.agent, session.cwd, times[0], file=path, updated_at=times[1])


def look_at_aider(looking: Looking, path: Path) -> Iterator[SessionRef]:
    """A history of Aider: it lies in the workspace, and holds a session for each of its headings."""
    with open_binary(path) as stream:
        sections = list(aider.parts(read_lines(stream, Repairs())))
    for part in sections:
        name, last = part.name, part is sections[-1]  # the file changed when its last session did
        times = part.started, None if last else part.started
        yield ref(path / name, name, looking.agent, str(looking.workspace), times[0], file=path, updated_at=times[1])


def look_at_specstory(looking: Looking, path: Path) -> Iterator[SessionRef]:
    with open_binary(path) as stream:
        head = stream.read(_BEGINNING).decode("utf-8", "replace")
    if specstory.recognizes(head):
        name = specstory.session_id(head.split("\n")) or log_name(path)
        yield ref(path, name, looking.agent, str(looking.workspace), None)


def look_at_task(looking: Looking, path: Path) -> Iterator[SessionRef]:
    """A task of Cline and its kin: by the folder that the details of its environment name."""
    if path.name == "ui_messages.json" and path.with_name("api_conversation_history.json").exists():
        return
    about = decode_document(FilesBeside(path.parent).read("history_item.json") or b"")
    cwd = text_at(about, "workspace") or text_at(about, "cwdOnTaskInitialization")
    if not cwd:
        with open_binary(path) as stream:
            beginning = stream.read(_BEGINNING)
            # A task may name any folder; the program names its own in the details that it puts behind the task.
            match = _TASK_CWD.search(beginning, max(0, beginning.find(b"<environment_details>")))
        cwd = str(decode_document(b'"' + match[1] + b'"') or "") if match else ""
    if looking.holds(cwd):
        whole = path.name.endswith(".messages.json")
        name = log_name(path).removesuffix(".messages") if whole else path.parent.name
        folders = tuple(parent.name for parent in path.parents)
        yield ref(path, name, cline.agent_of(Source("", folders=folders)), cwd, None)
