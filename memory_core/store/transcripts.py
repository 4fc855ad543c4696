"""Rendered transcripts under `cache/transcripts`: made when somebody looks at evidence, kept while the log is the same.

Nobody's authority: what is damaged, old or of another version is made anew. Never touches a log.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from memory_core.errors import Cancelled, StoreError
from memory_core.layout import MARKER, Layout
from memory_core.sessions.anchors import resolve
from memory_core.sessions.model import Session
from memory_core.sessions.rendered import FORMAT, STEERING, Rendered, entry_of, render, render_lost
from memory_core.store.files import ignored_by_git, make_folder, remove, require_inside, write_whole
from memory_core.store.ordinary import on_another_machine, open_binary
from memory_core.store.own_logs import sidecar_path
from memory_core.store.session_files import read_log, split_part
from memory_core.text import counted, shorten

if TYPE_CHECKING:
    from memory_core.store.session_ref import SessionRef

FOLDER = "transcripts"
MOST_FILES = 60
MOST_BYTES = 60_000_000
_TAIL = 400_000  # bytes at the end of a file in which its last line is looked for
_BEGINS, _ENDS = "<!-- omoide ", " -->"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A place in a session. `anchor`: as a record holds it, which finds the entry again in a log that has moved on;
    `kept`: all anchors that records hold of the session, for when its log is gone."""

    session_id: str
    entry: int = 0
    agent: str | None = None
    anchor: Mapping[str, Any] | None = None
    kept: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """Where the place can be read: the file, the 0-based line of the entry's heading, the entry that stands there (None
    in an empty session). `note`: what a person should know of it, where it is not simply the entry asked for."""

    path: Path
    line: int
    entry: int | None
    note: str | None = None


@dataclass
class Transcripts:
    """The transcripts of one root, for one question. `discover` lists the sessions of the workspace; it is asked only
    when no kept transcript answers. `stopped` is asked between the steps, and ends them with Cancelled."""

    layout: Layout
    discover: Callable[[], Sequence[SessionRef]]
    stopped: Callable[[], bool] = lambda: False
    _refs: Sequence[SessionRef] | None = field(default=None, init=False)
    _last: tuple[Path, Session] | None = field(default=None, init=False)

    @property
    def folder(self) -> Path:
        return self.layout.cache / FOLDER

    def show(self, wanted: Wanted) -> Shown:
        """The place, rendered. StoreError where the cache cannot be written, SessionError where the log cannot be read,
        Cancelled."""
        if kept := self._kept(wanted):
            return kept
        self._check()
        ref = self._find(wanted)
        if ref is None:
            return self._show_lost(wanted)
        stamp = _stamp(ref.path)
        session = self._read(ref)
        self._check()
        entry, note = _placed(session, wanted)
        rendered = render(session, entry)
        self._check()
        path = self._write(ref.agent, ref.session_id, rendered, ref.path, stamp)
        if entry not in rendered.headings:
            return Shown(path, 0, None, f"The log of session {wanted.session_id} is empty.")
        return Shown(path, rendered.headings[entry][0], entry, note)

    def _check(self) -> None:
        if self.stopped():
            raise Cancelled("Cancelled.")

    def _find(self, wanted: Wanted) -> SessionRef | None:
        if self._refs is None:
            self._refs = self.discover()
        found = [ref for ref in self._refs if ref.session_id == wanted.session_id]
        same = [ref for ref in found if wanted.agent is None or ref.agent == wanted.agent]
        return next(iter(same or found), None)

    def _read(self, ref: SessionRef) -> Session:
        if self._last and self._last[0] == ref.path:
            return self._last[1]
        session = read_log(ref.path, lambda stream: cast("BinaryIO", _Stoppable(stream, self._check)))
        self._last = ref.path, session
        return session

    # What was rendered before

    def _kept(self, wanted: Wanted) -> Shown | None:
        for path in self._named(wanted):
            about = _about(path)
            at = about.get("at")
            log = about.get("log")
            if about.get("session") != wanted.session_id or not isinstance(at, dict) or not isinstance(log, str):
                continue
            if on_another_machine(log, self.layout.workspace):
                continue
            # A page without a log behind it may have come with the repository.
            stamp = _stamp(Path(log))
            if wanted.agent not in (None, about.get("agent")) or stamp is None or about.get("stamp") != stamp:
                continue
            place = at.get(str(_wanted_entry(wanted)))
            if place and _is_the_one(wanted, place[1]):
                with contextlib.suppress(OSError):
                    os.utime(path)  # it is in use, so others are pruned first
                return Shown(path, place[0], _wanted_entry(wanted))
        return None

    def _named(self, wanted: Wanted) -> Iterator[Path]:
        """The files that may hold a session; by name, since there may be as many as are kept."""
        if wanted.agent:
            stem = _stem(wanted.agent, wanted.session_id)
            patterns = [f"{stem}.md", f"{stem}.from-*.md"]
        else:
            ending = _stem("", wanted.session_id)
            patterns = [f"*{ending}.md", f"*{ending}.from-*.md"]
        for pattern in patterns:
            yield from sorted(self.folder.glob(pattern.replace("[", "[[]")))

    # Writing

    def _show_lost(self, wanted: Wanted) -> Shown:
        rendered = render_lost(wanted.session_id, wanted.agent, wanted.kept)
        path = self._write(wanted.agent or "unknown", wanted.session_id, rendered, None, None)
        entry = _wanted_entry(wanted)
        note = f"No log of session {wanted.session_id} is found: it is gone, or `omoide sessions` does not list it."
        return Shown(path, rendered.headings.get(entry, (0, ""))[0], entry, note + _excerpt(wanted))

    def _write(
        self, agent: str, session_id: str, rendered: Rendered, log: Path | None, stamp: list[int] | None
    ) -> Path:
        start = "" if rendered.start is None else f".from-{rendered.start}"
        path = self.folder / f"{_stem(agent, session_id)}{start}.md"
        about = {"format": FORMAT, "session": session_id, "agent": agent, "log": str(log) if log else None}
        at = {str(entry): list(place) for entry, place in rendered.headings.items()}
        last = json.dumps({**about, "stamp": stamp, "at": at}).replace("--", "-\\u002d")
        # In JSON a letter may be its number: what an editor would obey, in an id say, is no word any more.
        last = STEERING.sub(lambda found: f"\\u{ord(found[0][0]):04x}{found[0][1:]}", last)
        try:
            self._make_folder()
            require_inside(self.layout.root, path)
            with contextlib.suppress(OSError):
                path.chmod(0o600)  # or Windows would not have it replaced
            write_whole(path, f"{rendered.text}\n{_BEGINS}{last}{_ENDS}\n".encode("utf-8", "replace"))
            path.chmod(0o400)
        except OSError as error:
            raise StoreError(
                f"{path}: the transcript cannot be written ({error.strerror}): check space and permissions."
            ) from error
        self._prune(path)
        return path

    def _make_folder(self) -> None:
        """Private: a log may hold what other users of the machine should not read. Never where there is no root."""
        if not (self.layout.root / MARKER).is_dir():
            raise StoreError(f"{self.layout.root} is no memory root (any more): run `omoide init` first.")
        require_inside(self.layout.root, self.folder)
        make_folder(self.folder)
        self.folder.chmod(0o700)
        ignored_by_git(self.layout.cache)

    def _prune(self, written: Path) -> None:
        """Remove the oldest transcripts, never the one just written."""
        found: list[tuple[float, int, Path]] = []
        with contextlib.suppress(OSError):
            for path in self.folder.glob("*.md"):
                status = path.lstat()
                if stat.S_ISREG(status.st_mode) and path != written:
                    found.append((status.st_mtime, status.st_size, path))
        room = MOST_BYTES - (written.stat().st_size if written.exists() else 0)
        for number, (_, size, path) in enumerate(sorted(found, reverse=True), start=1):
            room -= size
            if number >= MOST_FILES or room < 0:
                with contextlib.suppress(OSError):
                    path.chmod(0o600)  # or Windows would not have it removed
                    remove(path)


class _Stoppable:
    """A log's bytes, read until somebody says to stop."""

    def __init__(self, stream: BinaryIO, check: Callable[[], None]) -> None:
        self._stream = stream
        self._check = check

    def readline(self, size: int = -1) -> bytes:
        self._check()
        return self._stream.readline(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _placed(session: Session, wanted: Wanted) -> tuple[int, str | None]:
    """The entry to show, and what is to be said of it."""
    last = len(session.entries) - 1
    asked = _wanted_entry(wanted)
    entry = max(0, min(asked, last))
    if wanted.anchor is not None:
        found = resolve(session.entries, wanted.anchor)
        if found.entry is not None:
            said = f"Entry {asked} was changed since it was remembered." if found.changed else None
            return found.entry.index, said
        return entry, f"What was remembered from entry {asked} is not in this log any more." + _excerpt(wanted)
    if asked > last:
        return entry, f"The log has {counted(last + 1, 'entry')}: there is no entry {asked} in it." + _excerpt(wanted)
    return entry, None


def _wanted_entry(wanted: Wanted) -> int:
    return wanted.entry if wanted.anchor is None else entry_of(wanted.anchor)


def _is_the_one(wanted: Wanted, mark: str) -> bool:
    """Whether the entry at an anchor's place is the one that was anchored; else the whole log has to be looked at."""
    sha256 = wanted.anchor.get("sha256") if wanted.anchor else None
    return not sha256 or (bool(mark) and str(sha256).startswith(mark))


def _excerpt(wanted: Wanted) -> str:
    """What a record keeps of the place, as the end of a message."""
    entry = _wanted_entry(wanted)
    anchors = [wanted.anchor] if wanted.anchor else [a for a in wanted.kept if entry_of(a) == entry] or wanted.kept[:1]
    text = next((str(anchor["excerpt"]) for anchor in anchors if anchor and anchor.get("excerpt")), "")
    return f" The record keeps: “{shorten(text, 200)}”" if text else ""


def _stem(agent: str, session_id: str) -> str:
    """Safe as a file name, whatever ids are made of: the rule that sidecars are named by."""
    name = sidecar_path(Path(), agent or "x", session_id).name.removesuffix(".jsonl")
    return name if agent else name[1:]


def _stamp(log: Path) -> list[int] | None:
    """What tells a log from what it is after a change; None where there is none. Of a database also the file beside it
    that holds what was written last."""
    file, _ = split_part(log)
    found: list[int] = []
    try:
        for path in (file, file.with_name(f"{file.name}-wal")):
            status = path.stat() if path == file or path.exists() else None
            found += [status.st_size, status.st_mtime_ns] if status else []
    except OSError:
        return None
    return found


def _about(path: Path) -> dict[str, Any]:
    """What a kept transcript says of itself in its last line; empty where that is not of this version."""
    try:
        with open_binary(path) as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - _TAIL))
            line = stream.read().rstrip(b"\n").rpartition(b"\n")[2].decode("utf-8")
        about = json.loads(line.removeprefix(_BEGINS).removesuffix(_ENDS)) if line.startswith(_BEGINS) else {}
    except (OSError, ValueError):
        return {}
    return about if isinstance(about, dict) and about.get("format") == FORMAT else {}
