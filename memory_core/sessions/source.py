"""What a format is told about the log it reads: its name, the files beside it, and where repairs are counted.

Opens nothing itself; whoever opened the log answers for what lies beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from memory_core.sessions.frames import Repairs


class Beside(Protocol):
    """The files around a log, by path from the log's folder. What cannot be read is as if it were not there."""

    def read(self, *parts: str) -> bytes | None: ...

    def names(self, *parts: str) -> list[str]: ...


class Nothing:
    """No files: a log that came as a stream of bytes."""

    def read(self, *_parts: str) -> bytes | None:
        return None

    def names(self, *_parts: str) -> list[str]:
        return []


@dataclass(frozen=True)
class Source:
    """A log to be read. `name`: its file name without endings; `folders`: the names of the folders it lies in, the
    nearest first; `part`: the session wanted of a file that holds several, None for the whole file."""

    name: str
    repairs: Repairs = field(default_factory=Repairs)
    beside: Beside = field(default_factory=Nothing)
    folders: tuple[str, ...] = ()
    part: str | None = None

    @property
    def folder(self) -> str:
        return self.folders[0] if self.folders else ""
