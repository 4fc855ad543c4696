"""What a session is, whatever program wrote its log: entries with a speaker and a place, and the gaps between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

UNKNOWN = "unknown:"  # before the type of a record, where one that is skipped is counted
TIMED_BY_SESSION = frozenset({"aider"})  # agents whose logs give every entry the time at which its session began


class EntryKind(StrEnum):
    SESSION_START = "session_start"
    USER_MESSAGE = "user_message"
    ASSISTANT_MESSAGE = "assistant_message"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    REASONING = "reasoning"
    SYSTEM = "system"
    USAGE = "usage"
    EXTENSION = "extension"


class Speaker(StrEnum):
    """Who is speaking, as the host decides it. A role `user` in a log is a human in the minority of cases."""

    HUMAN = "human"
    ASSISTANT = "assistant"  # also one agent prompting another
    TOOL = "tool"
    SYSTEM = "system"


_NO_ARGUMENTS: Mapping[str, Any] = MappingProxyType({})  # one for the thousands of entries that have none


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an imported entry stood in the log that it was copied from: its index there, the id that its program gave,
    and the hash of its record in hex."""

    entry: int
    native_id: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a session.

    `index`: its number in the session, from 0, stable while the log only grows. `text`: what was said; for a tool call
    a one-line summary of it, for a tool result its summary. `content`: the full tool result, for evidence reads only;
    of a long log it is kept compressed in `packed`, and `output` gives it in either case. `line`: 0-based physical line
    of the log, None where a file is not line-based. `offset`/`length`: bytes of the raw record, `sha256` its hash in
    hex. `subtype`: a finer word where one helps (`compact_summary`, `command`, `interruption`, `subagent_prompt`,
    `queued`, `question_answer`, `plan_approval`, `injected`, `copied` ...). `origin`: of an imported entry alone.
    """

    index: int
    kind: EntryKind
    speaker: Speaker
    text: str
    ts: str | None = None
    native_id: str | None = None
    line: int | None = None
    offset: int | None = None
    length: int | None = None
    sha256: str | None = None
    call_id: str | None = None
    tool: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=lambda: _NO_ARGUMENTS)
    content: str | None = None
    packed: bytes | None = None
    is_error: bool = False
    paths: tuple[str, ...] = ()
    subtype: str | None = None
    domain: str | None = None
    payload: Any = None
    origin: Origin | None = None

    @property
    def output(self) -> str | None:
        """The full tool result, however it is kept."""
        return unpack(self.packed) if self.packed is not None else self.content


class Packer:
    """Compresses texts, fast rather than small: tool output of a long log would fill the memory. For one thread."""

    def __init__(self) -> None:
        import zstandard

        self._compress = zstandard.ZstdCompressor(level=1).compress  # one for all: each takes megabytes

    def pack(self, text: str) -> bytes:
        packed = self._compress(text.encode("utf-8", "surrogatepass"))
        return bytes(memoryview(packed))  # a copy: the original sits in a buffer as large as the text was


def unpack(packed: bytes) -> str:
    """The text that was packed."""
    import zstandard

    return zstandard.ZstdDecompressor().decompress(packed).decode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of the log that gave no entry: where, and why in words."""

    line: int | None
    offset: int | None
    reason: str


@dataclass(frozen=True)
class Session:
    """A session as read. `session_kind`: chat, code, scheduled, subagent. `cwds`: in order of appearance, no doubles.
    `skipped`: records known to carry nothing said (counted by type), as opposed to `gaps`, which are damage; those of
    types that are not known are among them (`unknown:...`), and in `unknown`.
    `agent_version`: of the agent's program, the latest that the log names.
    `log_format`: whose format the log is in (`omoide` for our own, which alone may be appended to). `repairs`: what was
    mended on the way (`frames.Repairs`), counted.
    `originals`: ids of the sessions that entries labelled `copied` were taken from.
    `entries[i].index == i` holds for every session of every agent."""

    session_id: str
    agent: str
    path: Path | None
    entries: tuple[Entry, ...] = ()
    gaps: tuple[Gap, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    cwds: tuple[str, ...] = ()
    started_at: str | None = None
    updated_at: str | None = None
    session_kind: str = "code"
    title: str | None = None
    scope: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    log_format: str = ""
    repairs: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    agent_version: str | None = None
    originals: tuple[str, ...] = ()

    @property
    def is_import(self) -> bool:
        """Whether the log is a copy of another program's, with texts from which secrets may have been taken."""
        return any(entry.origin for entry in self.entries)

    @property
    def unknown(self) -> Mapping[str, int]:
        """Records of types that no reader here knows, counted by type. A program's newer version may say words so."""
        return {name.removeprefix(UNKNOWN): n for name, n in self.skipped.items() if name.startswith(UNKNOWN)}

    @property
    def extensions(self) -> tuple[tuple[str, Any], ...]:
        """Extension entries as (domain, payload), in order."""
        return tuple((e.domain, e.payload) for e in self.entries if e.kind is EntryKind.EXTENSION and e.domain)
