"""Which logs are sessions of a workspace, and how much was said in each since its last extract. Used from threads.

Reads logs as they grow, and files of several sessions (an agent's database, a history) when they changed; starts
nothing and knows no event loop.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memory_core.errors import SessionBusy, SessionError
from memory_core.ids import rfc3339

if TYPE_CHECKING:
    from memory_core.sessions.model import Session
    from memory_core.store.session_database import FileStamp
    from memory_core.store.session_meter import Reading, SessionMeter
    from memory_core.store.session_ref import SessionRef
    from memory_core.workspace import Workspace

log = logging.getLogger(__name__)

_RECENT = timedelta(days=1)  # what was last written to before that is history: `omoide extract --all` takes it
_MOST = 100  # sessions in a file of several that are measured when it changed, the newest ones
_REST = 10  # how many times as long as the last look at a file of several took it is left alone then
_BESIDE = ("-wal", "-shm", "-journal")  # what SQLite puts behind the name of a database for files that belong to it


@dataclass(slots=True)
class _Several:
    """A file of several sessions. `stamp`: as it was when it was last looked at, None where a change since might not
    show; `rests_until`: when it may be looked at again."""

    stamp: FileStamp | None = None
    rests_until: float = 0.0

    def worked(self, begun: float, now: float) -> None:
        self.rests_until = max(self.rests_until, now) + _REST * (now - begun)


class Tally:
    """The sessions of a workspace by the path of their log, or by their place below a file of several. `clock`: seconds
    since any moment."""

    def __init__(self, workspace: Workspace, clock: Callable[[], float] = time.monotonic) -> None:
        self._workspace = workspace
        self._clock = clock
        self._every: Sequence[SessionRef] = ()
        self._refs: dict[Path, SessionRef] = {}
        self._several: dict[Path, _Several] = {}
        self._places: dict[Path, Path] = {}  # the file of several in which a session lies
        self._gone: set[Path] = set()  # places that hold no session any more, until somebody is told
        self._strange: dict[Path, int] = {}  # logs that are none of ours, with the size they had
        self._lock = threading.RLock()

    @cached_property
    def _meter(self) -> SessionMeter:
        # Made on the thread that measures first: it loads the readers of every agent's logs.
        from memory_core.store.session_meter import SessionMeter

        return SessionMeter(self.read, self._workspace.store.pointer)

    def recent(self) -> list[Path]:
        """The logs that were written to lately, without those of which only what was typed is left."""
        from memory_core.store.session_ref import is_list_of_prompts

        with self._lock:
            self._discover()
            since = self._since()
            found = (ref for ref in self._refs.values() if ref.updated_at >= since and not is_list_of_prompts(ref))
            return [ref.path for ref in found]

    def ours(self, changed: Iterable[Path]) -> list[Path]:
        """The sessions among files that changed. A file that is none is looked at again when it has doubled: a log's
        first lines need not say where it belongs. Files of several are asked each time whether they changed: no event
        may come of one that is a link, and one that had to rest then is due later."""
        with self._lock:
            alone = [path for path in changed if not self._is_of_several(path)]
            unknown = [path for path in alone if path not in self._refs and self._may_be_ours(path)]
            if unknown:
                self._discover()
                self._strange |= {path: _size(path) for path in unknown if path not in self._refs}
            found = [path for path in alone if path in self._refs]
            for file in list(self._several):
                found += self._changed_in(file)
            gone, self._gone = self._gone, set()
            return [*found, *gone]

    def read(self, path: Path) -> Session:
        """The session in a log. SessionError when it is none of this workspace."""
        with self._lock:
            if path not in self._refs:
                raise SessionError(f"{path} is no session of this workspace.")
            return self._workspace.read_session(self._refs[path], self._every)

    def measure(self, path: Path) -> Reading | None:
        """The reading of a session now, or the last one while its program keeps others from reading; None when its log
        is gone or cannot be read."""
        with self._lock:
            several = self._several.get(self._places.get(path, path))
            begun = self._clock()
            try:
                return self._meter.measure(path)
            except SessionBusy as error:
                log.debug("%s is measured later: %s", path, error)
                if several:
                    several.stamp = None
                return self._meter.last(path)
            except OSError as error:
                log.info("%s is not measured: %s", path, error)
                return None
            finally:
                if several:
                    several.worked(begun, self._clock())

    def extracted(self, path: Path) -> Reading | None:
        """The same after an extract moved the session's pointer."""
        with self._lock:
            self._meter.extracted(path)
            return self.measure(path)

    def _since(self) -> str:
        return rfc3339(self._workspace.now() - _RECENT)

    def _discover(self) -> None:
        self._set(self._workspace.sessions())

    def _set(self, every: Sequence[SessionRef]) -> None:
        from memory_core.store.session_files import split_part

        refs: dict[Path, SessionRef] = {}
        for ref in every:  # the newest first: of several with one path, it is the one that goes on
            refs.setdefault(ref.path, ref)
        known = {path: path for path in self._refs} | self._places
        files = {path: known.get(path) or split_part(path)[0] for path in refs}
        places = {path: file for path, file in files.items() if file != path and self._is_of_several(file)}
        for path in self._places.keys() - places.keys():
            self._meter.extracted(path)
            self._gone.add(path)
        self._every, self._refs, self._places = every, refs, places

    # Files of several sessions

    def _is_of_several(self, changed: Path) -> bool:
        """Whether a file holds several sessions, or belongs to one that does; it is known from then on."""
        ending = next((e for e in _BESIDE if changed.name.endswith(e)), "")
        file = changed.with_name(changed.name.removesuffix(ending)) if changed.name != ending else changed
        if file not in self._several and self._workspace.may_hold_several(file):
            self._several[file] = _Several()
        return file in self._several

    def _changed_in(self, file: Path) -> list[Path]:
        """The sessions of this workspace in a file of several that may have gone on since the last look at it: all that
        were written to lately, since agents do not date a session anew at each word. A file that stands still costs no
        read."""
        from memory_core.store.session_database import is_settled, stamp_of_files
        from memory_core.store.session_discovery import each_once

        several, stamp, begun = self._several[file], stamp_of_files(file), self._clock()
        if stamp is not None and (stamp == several.stamp or begun < several.rests_until):
            return []
        before = {path: self._refs[path] for path, place in self._places.items() if place == file}
        settled = stamp if stamp is not None and is_settled(stamp, time.time_ns()) else None
        try:
            fresh = (self._workspace.sessions_in(file) or []) if stamp is not None else []
        except SessionBusy as error:
            log.debug("%s is looked at later: %s", file, error)
            return []
        except (OSError, SessionError) as error:
            log.info("The sessions in %s are not measured: %s", file, error)
            several.stamp = settled
            return []
        finally:
            several.worked(begun, self._clock())
        several.stamp = settled
        if stamp is None:
            del self._several[file]
        self._set(each_once([*(ref for ref in self._every if ref.path not in before), *fresh]))
        since = self._since()
        lately = (ref for ref in self._refs.values() if self._places.get(ref.path) == file)
        found = [ref.path for ref in lately if ref.updated_at >= since or _goes_on(before.get(ref.path), ref)]
        return found[:_MOST]

    def _may_be_ours(self, path: Path) -> bool:
        size = _size(path)
        return size > 0 and size >= 2 * self._strange.get(path, 0)


def _goes_on(before: SessionRef | None, now: SessionRef) -> bool:
    """Whether a session that was known has another time; its clock may be any."""
    return before is not None and before.updated_at != now.updated_at


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
