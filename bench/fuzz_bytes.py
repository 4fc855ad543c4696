"""Readers of foreign bytes under fuzzing: session logs and databases of agents, legacy rows and plans, calls of hooks,
evidence tools, usage events. Each target takes bytes, lets no exception through but those that say what is wrong, and
checks what came out.

`bench/fuzz.py` mutates the samples of `tests/data/sessions` for them. With coverage as the guide, by hand:

    pip install atheris
    python bench/fuzz_bytes.py sessions -max_total_time=600
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import fuzz_databases
from memory_core.agents.call import EVENTS, call_of
from memory_core.errors import MemoryCoreError
from memory_core.extract.task import Slice
from memory_core.extract.tools import ExtractToolbox
from memory_core.legacy.plan import read_plan
from memory_core.legacy.texts import rows_of
from memory_core.sessions.export import FORMATS, exported
from memory_core.sessions.frames import Frame, Repairs, decode_document, read_frames
from memory_core.sessions.read import read_stream
from memory_core.usage.event import parse_line

ROOT = Path(__file__).resolve().parents[1]
NASTY = (
    b"\0", b"\n", b"\r\n", b"{", b"}", b"[", b"]", b'"', b"\\", b"\\ud800", b"\xff\xfe", b"\xef\xbb\xbf", b"null",
    b"1e999", b"-1", b"99999999999999999999", b"{}", b"[]", b'""', b"true", b'{"type":"user"}', b"\x1b[2J", b"[" * 300,
    b"NaN", b'"message":', b'"content":', b'"timestamp":', b"2026-13-45T99:99:99Z", b"\xe2\x80\xae", b"sk-",
)  # fmt: skip


def sessions(data: bytes) -> None:
    """A log of any agent: read, exported and encoded, or refused in one sentence."""
    try:
        session = read_stream(io.BytesIO(data), "name", "place")
    except MemoryCoreError as error:
        if "\n" in str(error):
            raise AssertionError(f"not one sentence: {error}") from error
        return
    assert [entry.index for entry in session.entries] == list(range(len(session.entries)))
    for entry in session.entries:
        entry.text.encode("utf-8")
    for form in FORMATS:
        exported(session, form)


def frames(data: bytes) -> None:
    """Records lie in the file, in order, none overlaps another, and each is the bytes that its hash is of."""
    at = 0
    for item in read_frames(io.BytesIO(data), Repairs()):
        if isinstance(item, Frame):
            assert at <= item.offset
            at = item.offset + item.length
            assert hashlib.sha256(data[item.offset : at]).hexdigest() == item.sha256
        else:
            assert item.offset is not None
            assert 0 <= item.offset <= len(data)
    assert at <= len(data)
    decode_document(data)


def evidence(data: bytes) -> None:
    """The tools of an extract, called with whatever a model may answer: a text each time."""
    toolbox = ExtractToolbox(_slice())
    value = decode_document(data)
    for spec in toolbox.specs:
        for arguments in (
            value,
            {"query": value},
            {"evidence_id": value},
            {"entry_range": value},
            {"decisions": value},
        ):
            assert isinstance(toolbox.call(spec.name, arguments).text, str)
    text = data.decode("utf-8", "replace")
    toolbox.call(text, value)
    toolbox.call("search_evidence", {"query": text, "limit": value})


@cache
def _slice() -> Slice:
    [log] = (ROOT / "tests/data/sessions/claude-code/projects/-w-app").glob("*.jsonl")
    session = read_stream(io.BytesIO(log.read_bytes()), log.stem, str(log))
    return Slice(session, 0, len(session.entries) - 1, "en")


def legacy(data: bytes) -> None:
    """Rows of an older memory, and a plan that somebody edited."""
    for name in ("rows.jsonl", "rows.json", "rows.md"):
        for row in rows_of(name, data):
            row.id.encode("utf-8")
    with suppress(MemoryCoreError):
        read_plan(data.decode("utf-8", "replace"))


def hooks(data: bytes) -> None:
    """What an agent gives a hook: a call, or a ValueError, after which the hook lets the agent go on."""
    for event in EVENTS:
        try:
            call = call_of(event, data)
        except (ValueError, RecursionError):
            continue
        assert isinstance(call.prompt, str)


def events(data: bytes) -> None:
    """Lines of the usage log."""
    for line in data.split(b"\n"):
        event = parse_line(line)
        assert event is None or event.to_line()


TARGETS: dict[str, Callable[[bytes], None]] = {
    "sessions": sessions, "frames": frames, "evidence": evidence, "legacy": legacy, "hooks": hooks, "events": events,
    "databases": fuzz_databases.database,
}  # fmt: skip


@cache
def samples() -> tuple[bytes, ...]:
    """Every sample log, and rows, calls and events of ours."""
    files = sorted((ROOT / "tests/data/sessions").rglob("*"))
    logs = [path.read_bytes() for path in files if path.is_file() and not path.name.endswith(".golden.md")]
    rows = [
        {
            "id": "1",
            "key": "k",
            "content": "c",
            "category": "core",
            "created_at": "2026-01-01T00:00:00Z",
            "role": "user",
        }
    ]
    call = {
        "hook_event_name": "UserPromptSubmit",
        "prompt": "see #x",
        "cwd": "/w",
        "session_id": "s",
        "source": "resume",
    }
    used = [{"kind": "knowledge", "slug": "x", "file_bytes": 1, "file_tokens_estimate": 1}]
    event = {"id": "1", "occurred_at": "2026-01-01T00:00:00Z", "session_id": "s", "event": "use", "actor": "agent"}
    event |= {"source": "MemoryRead", "records": used}
    tool = {
        "query": "x",
        "entry_range": [0, 3],
        "decisions": [{"chosen": "x", "evidence": ["E0001"], "options": ["x"]}],
    }
    return (*logs, *fuzz_databases.seeds(), *(json.dumps(value).encode() for value in (rows, call, event, tool)))


def mutated(source: random.Random) -> bytes:
    """A sample with a few places cut, repeated, swapped or replaced, at most 200,000 bytes of it."""
    data = bytearray(source.choice(samples())[:200_000])
    for _ in range(source.randrange(1, 8)):
        at, end = sorted(source.randrange(len(data) + 1) for _ in range(2))
        end = min(end, at + source.choice((1, 8, 64, 4096)))
        match source.randrange(5):
            case 0:
                del data[at:end]
            case 1:
                data[at:at] = data[at:end]
            case 2:
                data[at:end] = source.choice(NASTY)
            case 3:
                data[at:at] = source.choice(NASTY)
            case _:
                data[at:end] = bytes(source.randrange(256) for _ in range(min(end - at, 16)))
    return bytes(data)


def main() -> None:
    import atheris  # a fuzzer by hand: no dependency of the project

    target = TARGETS[sys.argv.pop(1)]
    atheris.instrument_all()
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
