"""Staging as values: ids, older files, and JSON that comes back as it went."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from memory_core.staging import (
    Anchor,
    Attempt,
    Decision,
    Discussion,
    Request,
    Resolution,
    StagingFile,
    StagingSource,
)

ANCHOR: dict[str, Any] = {
    "evidence_id": "M0001",
    "entry_range": [3, 4],
    "kind": "message",
    "speaker": "human",
    "sha256": "00",
    "excerpt": "決めた",
}


def test_a_candidate_id_is_file_array_and_index() -> None:
    file = StagingFile(
        id="x",
        source=StagingSource(session_id="s", range=(0, 1)),
        decisions=(Decision(chosen="a"), Decision(chosen="b")),
        requests=(Request(intent="i", summary="s"),),
    )
    assert [ref.id for ref in file.candidates()] == ["x/decisions/0", "x/decisions/1", "x/requests/0"]
    assert file.counts() == {"decisions": 2, "discussions": 0, "attempts": 0, "requests": 1}


def test_json_comes_back_as_it_went() -> None:
    decision = Decision(options=("a", "b"), chosen="決定", evidence=(Anchor.model_validate(ANCHOR),))
    file = StagingFile(id="x", source=StagingSource(session_id="s", range=(0, 9), agent="codex"), decisions=(decision,))
    text = file.to_json()
    assert "決定" in text
    assert text.endswith("}\n")
    assert StagingFile.model_validate_json(text) == file
    assert json.loads(text)["schema_version"] == 1


def test_the_keys_of_a_file_come_in_the_order_of_its_format() -> None:
    """B4, B7: what a candidate says stands before the evidence for it."""
    evidence = (
        Anchor.model_validate({**ANCHOR, "native_id": "n", "call_id": "c", "tool": "t", "path": "p", "ref": "#1"}),
    )
    file = StagingFile(
        id="x",
        run_id="r",
        created_at="2026-06-01T09:00:00Z",
        source=StagingSource(session_id="s", range=(0, 9), agent="codex", log="l"),
        language="en",
        decisions=(Decision(chosen="c", evidence=evidence),),
        discussions=(Discussion(topic="t", evidence=evidence),),
        attempts=(Attempt(action="a", result="r", succeeded=True, evidence=evidence),),
        requests=(Request(intent="i", target="t", summary="s", evidence=evidence),),
    )
    data = json.loads(file.to_json())
    arrays = ["decisions", "discussions", "attempts", "requests"]
    assert list(data) == ["schema_version", "id", "run_id", "created_at", "source", "language", *arrays]
    assert list(data["source"]) == ["session_id", "range", "agent", "log"]
    assert list(data["decisions"][0]) == ["options", "chosen", "rationale", "evidence"]
    assert list(data["discussions"][0]) == ["topic", "points", "evidence"]
    assert list(data["attempts"][0]) == ["action", "result", "succeeded", "evidence"]
    assert list(data["requests"][0]) == ["intent", "target", "summary", "evidence"]
    where = ["evidence_id", "entry_range", "kind", "speaker", "native_id", "call_id", "tool", "path", "ref"]
    assert list(data["requests"][0]["evidence"][0]) == [*where, "sha256", "excerpt"]


def test_an_empty_file_has_all_four_arrays() -> None:
    """B4"""
    data = json.loads(StagingFile(id="x", source=StagingSource(session_id="s", range=(0, 9))).to_json())
    assert [data[array] for array in ("decisions", "discussions", "attempts", "requests")] == [[], [], [], []]


def test_a_newer_file_is_refused_and_not_read_as_if_it_were_known() -> None:
    """Else what is new in it would be lost when its candidates are closed."""
    data = {"schema_version": 2, "source": {"session_id": "s", "range": [1, 2]}, "later": [{}]}
    with pytest.raises(ValidationError, match="a newer Omoide wrote this"):
        StagingFile.model_validate(data)


def test_an_older_file_loads() -> None:
    """A10: `segment_id`, no schema version, no evidence, unknown keys."""
    data = {
        "source": {"segment_id": "old", "range": [1, 2]},
        "decisions": [{"options": [], "chosen": "c", "rationale": "r", "extra": 1}],
        "later": [],
    }
    file = StagingFile.model_validate(data)
    (ref,) = file.candidates()
    assert ref.source.session_id == "old"
    assert ref.candidate.evidence == ()


@pytest.mark.parametrize(
    ("key", "value"),
    [("entry_range", [1]), ("entry_range", "1-2"), ("speaker", "user"), ("kind", "guess"), ("sha256", None)],
)
def test_a_bad_anchor_is_refused(key: str, value: Any) -> None:
    with pytest.raises(ValidationError):
        Anchor.model_validate({**ANCHOR, key: value})


def test_an_anchor_stores_no_empty_keys() -> None:
    assert Anchor.model_validate(ANCHOR).plain() == ANCHOR


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(ValidationError):
        Resolution.model_validate({"candidate": "x", "action": "invalid", "reason": "r", "recorded_at": "t"})
