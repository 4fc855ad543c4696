"""Whatever is done to a log, reading it never fails and reads the rest: mutations of every synthetic log, bounded.

SessionError is an answer too (the bytes are no log any more); anything else that is raised is a defect.
"""

from __future__ import annotations

import io
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_core.errors import SessionError
from memory_core.sessions.model import Session
from memory_core.sessions.read import read_stream
from memory_core.store.session_files import read_log
from tests.sessions.agents import DATA, fixtures, parts_of, placed

FILES = [fixture for fixture in fixtures() if fixture.suffix != ".sql"]
ODD = [None, True, -1, 1e999, 7, "", "x", [], {}, [[]], [None], {"type": 3}, "\ud800", "\x00", "a" * 5000]


def one_line(error: SessionError) -> None:
    assert "\n" not in str(error)


def readable(data: bytes, name: str = "log") -> Session | None:
    try:
        session = read_stream(io.BytesIO(data), name, name)
    except SessionError as error:
        one_line(error)
        return None
    assert [entry.index for entry in session.entries] == list(range(len(session.entries)))
    for entry in session.entries:
        entry.text.encode()
    for gap in session.gaps:
        assert gap.reason
    return session


def damaged(data: bytes, seed: int) -> bytes:
    """Bytes cut, doubled, overwritten, or joined in the ways that crashes and editors do it."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 3)):
        a, b = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        match chance.randint(0, 7):
            case 0:
                data = data[:a]
            case 1:
                data = data[:a] + data[b:]
            case 2:
                data = data[:b] + data[a:]
            case 3:
                data = data[:a] + bytes(chance.choices(range(256), k=8)) + data[a:]
            case 4:
                data = data.replace(b"\n", b"", chance.randint(1, 5))
            case 5:
                data = data[:a] + b"\0" * 64 + data[a:]
            case 6:
                data = b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")
            case _:
                data = data[:a] + b'\\udcb2"' + data[a:]
    return data


@pytest.mark.parametrize("fixture", FILES, ids=str)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_damaged_bytes_never_stop_the_reader(fixture: Path, seed: int) -> None:
    readable(damaged((DATA / fixture).read_bytes(), seed), fixture.name)


def odd_places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in odd_places(item, (*path, key)))]


def with_odd(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copied = dict(value) if isinstance(value, dict) else list(value)
    copied[path[0]] = with_odd(copied[path[0]], path[1:], odd)
    return copied


def records_of(fixture: Path) -> tuple[list[Any], bool]:
    """The records of a log of JSON, and whether they are lines."""
    text = (DATA / fixture).read_text(encoding="utf-8")
    if fixture.suffix == ".json":
        return [json.loads(text)], False
    found = []
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found, True


def encoded(records: list[Any], lines: bool) -> bytes:
    texts = [json.dumps(record) for record in records]
    return ("\n".join(texts) + "\n" if lines else texts[0]).encode()


@pytest.mark.parametrize("fixture", [f for f in FILES if f.suffix in (".json", ".jsonl")], ids=str)
def test_a_wrong_type_in_any_single_field_never_stops_the_reader(fixture: Path) -> None:
    """Bug 18 for every field of every record: decoded on its own, so that one odd value loses little."""
    records, lines = records_of(fixture)
    chance = random.Random(18)
    for number, record in enumerate(records):
        for path in odd_places(record):
            odd = chance.choice(ODD)
            readable(encoded([*records[:number], with_odd(record, path, odd), *records[number + 1 :]], lines))


@pytest.mark.parametrize("fixture", [f for f in FILES if f.suffix in (".json", ".jsonl")], ids=str)
@pytest.mark.parametrize("depth", [300, 700, 950, 10_000])
def test_deep_nesting_is_a_gap_or_read_and_never_an_error(fixture: Path, depth: int) -> None:
    records, lines = records_of(fixture)
    mark = '"DEEP"'
    for number, record in enumerate(records[:3]):
        places = [path for path in odd_places(record) if path]
        for path in places[:: max(1, len(places) // 8)]:
            changed = encoded(
                [*records[:number], with_odd(record, path, "DEEP"), *records[number + 1 :]], lines
            ).decode()
            for deep in ("[" * depth + '"\\udcb2"' + "]" * depth, '{"content":' * depth + "1" + "}" * depth):
                readable(changed.replace(mark, deep).encode())


@pytest.mark.parametrize("fixture", FILES, ids=str)
def test_a_log_that_grows_keeps_the_entries_it_had(fixture: Path) -> None:
    """Lines of JSON only: whatever prefix of lines is read, the entries so far are the same and in the same place."""
    if fixture.suffix != ".jsonl" or fixture.parts[0] in ("copilot-chat", "gemini-cli"):  # those rewrite by design
        return
    lines = (DATA / fixture).read_bytes().splitlines(keepends=True)
    whole = readable(b"".join(lines), fixture.stem)
    assert whole is not None
    for end in range(1, len(lines)):
        part = readable(b"".join(lines[:end]), fixture.stem)
        assert part is not None
        assert [e.text for e in part.entries] == [e.text for e in whole.entries][: len(part.entries)]


@pytest.mark.parametrize("fixture", [f for f in fixtures() if f.suffix == ".sql"], ids=str)
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_a_damaged_database_is_an_answer_and_never_an_error(
    fixture: Path, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    path = placed(fixture, tmp_path_factory.mktemp("db"))
    names = parts_of(path)
    chance = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 40)):
        data[chance.randrange(16, len(data))] = chance.randrange(256)
    path.write_bytes(bytes(data[: chance.choice([len(data), len(data) // 2])]))
    for name in names:
        try:
            read_log(name)
        except SessionError as error:
            one_line(error)


def test_files_beside_a_log_may_be_damaged_or_missing(tmp_path: Path) -> None:
    path = placed(Path("opencode/storage/session/p1/ses_1.json"), tmp_path)
    parts = tmp_path / "opencode/storage/part/msg_2"
    (parts / "prt_6.json").write_bytes(b"\xff\0{")
    (parts / "prt_5.json").unlink()
    (parts / "prt_7.json").write_text("[1]")
    (tmp_path / "opencode/storage/message/ses_1/msg_1.json").write_text("")
    session = read_log(path)
    assert {gap.reason for gap in session.gaps} >= {
        "part prt_6 is no valid JSON object",
        "part prt_7 is no valid JSON object",
        "message msg_1 is no valid JSON object",
    }  # fmt: skip
    assert "push after the tests" in [entry.text for entry in session.entries]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_document_that_breaks_off_gives_what_was_whole(indent: int | None) -> None:
    messages = [{"id": str(n), "type": "user", "content": f'Turn {n}: {{[ "quoted" '} for n in range(20)]
    head = {"sessionId": "g", "projectHash": "h", "startTime": "2026-03-01T10:00:00Z"}
    data = json.dumps({**head, "messages": messages}, indent=indent).encode()
    end = data.index(b"Turn 12") + 3
    for broken in (data[:end], data[:end] + b"\0" * 100, data[:end] + b"\xff" + data[end + 1 :].replace(b'"', b"")):
        session = readable(broken)
        assert session is not None
        assert [entry.native_id for entry in session.entries] == [str(n) for n in range(12)]
        assert [gap.reason[:23] for gap in session.gaps] == ["the document is damaged"]


def test_a_record_nested_10000_deep_is_a_gap_with_its_place_and_the_rest_is_read() -> None:
    deep = '{"type":"user","uuid":"d","sessionId":"s","message":{"content":' + "[" * 10_000 + "]" * 10_000 + "}}"
    whole = '{"type":"user","uuid":"w","sessionId":"s","message":{"content":"Hi."}}'
    session = readable(f"{whole}\n{deep}\n{whole.replace('Hi', 'Ho')}\n".encode())
    assert session is not None
    assert [entry.text for entry in session.entries] == ["Hi.", "Ho."]
    assert [(gap.line, gap.reason) for gap in session.gaps] == [(1, "no valid JSON (nested too deeply)")]


@pytest.mark.parametrize("nul", [b"\0" * 4096, b"\0" * 4096 + b"\n"])
@pytest.mark.parametrize("place", ["start", "middle", "end"])
def test_a_run_of_nul_bytes_left_by_a_crash_is_a_gap(nul: bytes, place: str) -> None:
    first, second = (
        json.dumps({"type": "user", "uuid": name, "sessionId": "s", "message": {"content": name}}).encode() + b"\n"
        for name in ("one", "two")
    )
    data = {"start": nul + first + second, "middle": first + nul + second, "end": first + second + nul}[place]
    session = readable(data)
    assert session is not None
    assert [entry.text for entry in session.entries] == ["one", "two"]
    assert session.gaps or session.repairs


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has other rights")
@pytest.mark.parametrize("name", ["opencode.db", "log.jsonl", "log.json", "history.md"])
def test_a_file_that_may_not_be_read_is_one_clear_line(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"SQLite format 3\0")
    path.chmod(0)
    own = os.geteuid()
    if own == 0:  # the administrator may read everything, so this test becomes somebody else
        os.seteuid(65534)
    try:
        with pytest.raises(SessionError, match="check its permissions"):
            read_log(path)
    finally:
        os.seteuid(own)


def test_a_folder_with_a_logs_name_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "session.jsonl"
    folder.mkdir()
    with pytest.raises(SessionError, match="is a folder"):
        read_log(folder)
