"""The bundled demo sessions: believable logs in the current format that give a small, good set of candidates."""

from __future__ import annotations

import io
import json
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

from memory_core.extract.task import Slice
from memory_core.extract.tools import ExtractToolbox
from memory_core.providers.builtin.extract import find, payload_of
from memory_core.redact import redact
from memory_core.sessions.export import exported
from memory_core.sessions.model import Session
from memory_core.sessions.read import read_stream

FOLDER = files("memory_core") / "demo_data"
NAMES = sorted(item.name for item in FOLDER.iterdir() if item.name.endswith(".jsonl"))
PLACEHOLDER = "/workspace/shortener"


@cache
def _session(name: str) -> Session:
    with (FOLDER / name).open("rb") as stream:
        return read_stream(stream, name.removesuffix(".jsonl"), name)


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def _candidates(name: str) -> dict[str, Any]:
    return _found(_session(name))


def _words(found: dict[str, Any]) -> dict[str, Any]:
    """Without the places in the log: a copy leaves out what its own agent alone could read."""
    return {array: [candidate.model_dump(exclude={"evidence"}) for candidate in some] for array, some in found.items()}


def _found(session: Session) -> dict[str, Any]:
    view = Slice(session, 0, len(session.entries) - 1, "en")
    toolbox = ExtractToolbox(view)
    answer = toolbox.call("write_extracted", payload_of(find(view)))
    assert not answer.is_error, answer.text
    assert toolbox.result is not None
    return dict(toolbox.result)


def test_there_are_two_sessions_of_one_project() -> None:
    assert len(NAMES) == 2
    assert all(_session(name).cwds == (PLACEHOLDER,) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_log_is_read_without_a_gap(name: str) -> None:
    session = _session(name)
    assert session.session_id == name.removesuffix(".jsonl")
    assert session.gaps == ()
    assert not [skipped for skipped in session.skipped if skipped.startswith("unknown")]


@pytest.mark.parametrize("name", NAMES)
def test_lines_form_one_chain_and_every_call_has_its_result(name: str) -> None:
    chained = [line for line in _lines(name) if "parentUuid" in line]
    assert [line["parentUuid"] for line in chained[1:]] == [line["uuid"] for line in chained[:-1]]
    blocks = [b for line in chained for b in line.get("message", {}).get("content", []) if isinstance(b, dict)]
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    assert calls == [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    stamps = [line["timestamp"] for line in chained]
    assert stamps == sorted(stamps)


def test_log_shows_the_odd_lines_a_reader_must_know() -> None:
    types = {line["type"] for name in NAMES for line in _lines(name)}
    raw = "".join((FOLDER / name).read_text(encoding="utf-8") for name in NAMES)
    assert {"summary", "file-history-snapshot", "queue-operation", "system"} <= types
    assert "<system-reminder>" in raw
    assert "AskUserQuestion" in raw


@pytest.mark.parametrize("name", NAMES)
def test_log_holds_no_secret_and_no_real_path(name: str) -> None:
    raw = (FOLDER / name).read_text(encoding="utf-8")
    texts = [text for entry in _session(name).entries for text in (entry.text, entry.content or "")]
    assert [text for text in texts if redact(text) != text] == []
    assert "/home/" not in raw
    assert "/Users/" not in raw


def test_both_sessions_give_a_small_set_of_candidates() -> None:
    counts: Counter[str] = Counter()
    for name in NAMES:
        counts.update({array: len(found) for array, found in _candidates(name).items()})
    assert counts == {"decisions": 4, "requests": 3, "attempts": 2, "discussions": 0}


def test_candidates_are_the_points_a_reader_would_name() -> None:
    first = _candidates(NAMES[0])
    assert [decision.chosen for decision in first["decisions"]] == [
        "Let's use SQLite in WAL mode instead of Postgres for the job queue",
        "How should a finished export reach the user? Signed link by mail",
        "Never log request bodies",
    ]
    assert first["decisions"][0].options == ("SQLite in WAL mode", "Postgres")
    assert "one small machine" in first["decisions"][0].rationale
    assert [attempt.succeeded for attempt in first["attempts"]] == [True]
    assert "database is locked" in first["attempts"][0].result
    assert "busy_timeout" in first["attempts"][0].result
    assert first["requests"][1].summary.startswith("エクスポートのファイルは7日後に")


@pytest.mark.parametrize("name", NAMES)
def test_a_session_brought_over_from_elsewhere_gives_the_same_candidates(name: str) -> None:
    copy = read_stream(io.BytesIO(exported(_session(name), "omoide").encode()), "copy", "copy.jsonl")
    assert _words(_found(copy)) == _words(_candidates(name))


def test_one_point_recurs_in_the_later_session() -> None:
    """Consolidation makes knowledge of a point that recurs across sessions."""
    rules = [{decision.chosen for decision in _candidates(name)["decisions"]} for name in NAMES]
    assert rules[0] & rules[1] == {"Never log request bodies"}
