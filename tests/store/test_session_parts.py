"""Files that hold several sessions one after the other: each is read from its own bytes, and none is another's kin."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from memory_core.config import SESSION_SOURCES
from memory_core.errors import SessionError
from memory_core.sessions.model import Session
from memory_core.store.one_history import relatives
from memory_core.store.session_discovery import discover
from memory_core.store.session_files import read_log
from memory_core.store.session_ref import SessionRef

IDS = [f"{number:08d}-0000-4000-8000-000000000000" for number in range(40)]


def found(folder: Path) -> list[SessionRef]:
    return discover(folder / "app", folder / "none", {"HOME": str(folder / "home")}, SESSION_SOURCES)


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    """A list of prompts whose sessions take turns, with a torn line among them."""
    path = tmp_path / "home/.claude/history.jsonl"
    path.parent.mkdir(parents=True)
    about = {"project": str(tmp_path / "app"), "pastedContents": {}}
    lines = [
        json.dumps(
            {"display": f"Prompt {turn} of {name}.", "timestamp": 1_772_359_200_000 + turn, "sessionId": name} | about
        )
        for turn in range(3)
        for name in IDS
    ]
    path.write_text("\n".join([*lines[:5], '{"display": "torn', *lines[5:]]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "app/.aider.chat.history.md"
    path.parent.mkdir(parents=True)
    text = "\n# aider chat started at 2026-03-01 10:00:00\n\n#### Prompt {}.  \n\nAnswer {}.\n"
    path.write_text("".join(text.format(number, number) for number in range(40)), encoding="utf-8")
    return path


def bytes_at(path: Path, session: Session) -> list[bytes]:
    data = path.read_bytes()
    return [
        data[e.offset : e.offset + e.length] for e in session.entries if e.offset is not None and e.length is not None
    ]


def test_the_sessions_of_a_list_of_prompts_are_no_relatives(prompts: Path, tmp_path: Path) -> None:
    """Each was the other's relative once, and a list of them took the cube of their number."""
    live = tmp_path / "home/.claude/projects/p" / f"{IDS[-1]}.jsonl"
    live.parent.mkdir(parents=True)
    record = {
        "type": "user",
        "uuid": "u",
        "sessionId": IDS[-1],
        "cwd": str(tmp_path / "app"),
        "message": {"content": "x"},
    }
    live.write_text(json.dumps(record) + "\n", encoding="utf-8")
    refs = found(tmp_path)
    assert sorted(ref.session_id for ref in refs) == IDS
    assert [relatives(ref, refs) for ref in refs] == [[]] * len(refs)


def test_a_prompt_is_told_with_its_place_in_the_whole_list(prompts: Path, tmp_path: Path) -> None:
    lines = prompts.read_bytes().splitlines(keepends=True)
    for name in (IDS[0], IDS[4], IDS[5], IDS[-1]):
        session = read_log(prompts / name)
        assert [entry.text for entry in session.entries] == [f"Prompt {turn} of {name}." for turn in range(3)]
        assert [lines[entry.line or 0].strip() for entry in session.entries] == bytes_at(prompts, session)
        assert all(name.encode() in line for line in bytes_at(prompts, session))
        assert [gap.line for gap in session.gaps] == [5]


def test_a_session_of_a_history_is_told_with_its_place_in_the_whole_file(history: Path, tmp_path: Path) -> None:
    refs = found(tmp_path)
    assert len(refs) == 40
    whole = read_log(history)
    for number, name in enumerate(("2026-03-01T10-00-00", "2026-03-01T10-00-00-2", "2026-03-01T10-00-00-3")):
        session = read_log(history / name)
        assert session.session_id == name
        assert [entry.text for entry in session.entries] == [f"Prompt {number}.", f"Answer {number}."]
        same = whole.entries[2 * number : 2 * number + 2]
        assert [(e.line, e.offset, e.length, e.sha256) for e in session.entries] == [
            (e.line, e.offset, e.length, e.sha256) for e in same
        ]


def test_a_session_among_others_is_read_from_its_own_bytes(prompts: Path, history: Path) -> None:
    """Reading all of them takes one pass, and not one for each."""
    for place in (prompts / IDS[7], history / "2026-03-01T10-00-00-8"):
        given: list[bytes] = []

        def told(stream: BinaryIO, given: list[bytes] = given) -> BinaryIO:
            given.append(stream.read())
            return cast("BinaryIO", io.BytesIO(given[0]))

        session = read_log(place, told)
        assert session.entries
        assert len(given[0]) < place.parent.stat().st_size / 10


def test_a_session_that_is_not_in_a_history_is_an_error(prompts: Path, history: Path) -> None:
    for file in (prompts, history):
        with pytest.raises(SessionError, match="holds no session 'other'"):
            read_log(file / "other")


def test_what_was_appended_to_a_history_is_found(history: Path) -> None:
    assert len(read_log(history / "2026-03-01T10-00-00-40").entries) == 2
    with history.open("a", encoding="utf-8") as stream:
        stream.write("\n#### One more.  \n\n# aider chat started at 2026-03-02 10:00:00\n\n#### New.  \n")
    assert [entry.text for entry in read_log(history / "2026-03-01T10-00-00-40").entries][2:] == ["One more."]
    assert [entry.text for entry in read_log(history / "2026-03-02T10-00-00").entries] == ["New."]
