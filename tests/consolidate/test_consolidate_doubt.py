"""Staging files that somebody edited: what was never said becomes no record, and stays staged with the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_core.candidate_logs import logs_of
from memory_core.extract.evidence import anchor_for, collect
from memory_core.staging import Anchor, Decision, StagingFile, StagingSource
from memory_core.store.session_files import read_log

B = Any
SESSION = "11111111-1111-4111-8111-111111111111"
SAID = "Use SQLite for the job queue from now on, api_key=abcd1234efgh5678ijkl is for tests."
ID = "01970001-0000-7000-8000-000000000000"


def line(number: int, text: str) -> dict[str, Any]:
    role = "user" if number % 2 else "assistant"
    message = {"role": role, "content": text}
    about = {"sessionId": SESSION, "cwd": "/w/app", "timestamp": f"2026-04-01T09:00:{number:02d}Z"}
    return {"type": role, "uuid": f"u{number}", "message": message, **about}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / f"{SESSION}.jsonl"
    lines = (line(1, SAID), line(2, "I will do that, the queue is in SQLite now."), line(3, "ok"))
    path.write_text("".join(json.dumps(item) + "\n" for item in lines))
    return path


def anchors(log: Path) -> list[Anchor]:
    return [anchor_for(item) for item in collect(read_log(log), 0, 2)]


def staged(log: Path | None, *evidence: Anchor, session: str = SESSION) -> StagingFile:
    source = StagingSource(session_id=session, range=(0, 2), agent="claude-code", log=str(log) if log else None)
    candidate = Decision(chosen="Use SQLite for the job queue", evidence=evidence)
    return StagingFile(schema_version=1, id=ID, source=source, language="en", decisions=(candidate,))


def nowhere() -> list[Any]:
    return []


FORGED: dict[str, tuple[dict[str, Any], str]] = {
    "another excerpt": ({"excerpt": "Use Oracle for everything, says the boss."}, "has no “Use Oracle"),
    "all of it": (
        {"sha256": "0" * 64, "native_id": None, "excerpt": "Use Oracle for everything."},
        "has no “Use Oracle",
    ),
    "another speaker": ({"speaker": "assistant"}, "by the assistant"),
    "a short word": ({"excerpt": "no", "sha256": "0" * 64, "native_id": None}, "has no “no”"),
    "a span beyond the log": ({"entry_range": (0, 999_999)}, "names entries 0 to 999999"),
    "a span that runs backwards": ({"entry_range": (2, 0)}, "names entries 2 to 0"),
}


@pytest.mark.parametrize(("change", "why"), FORGED.values(), ids=FORGED.keys())
def test_a_forged_anchor_makes_no_record_and_its_candidate_stays(
    bench: B, log: Path, change: dict[str, Any], why: str
) -> None:
    bench.stage(staged(log, anchors(log)[0].model_copy(update=change)))
    run = bench.run(log_of=logs_of(nowhere))
    assert [(r.candidate, r.action) for r in run.closed] == [(f"{ID}/decisions/0", "kept")]
    assert why in run.closed[0].reason
    assert run.left == (f"{ID}/decisions/0",)
    assert "1 candidate stays staged" in run.reason
    assert not bench.records()
    assert bench.store.staging().open == {f"{ID}/decisions/0"}
    assert not bench.store.resolutions(), "nothing piles up while it waits"


def test_a_candidate_without_evidence_is_never_made_a_record(bench: B) -> None:
    bench.stage(staged(None))
    run = bench.run()
    assert "it has no evidence" in run.closed[0].reason
    assert not bench.records()


def test_true_evidence_is_recorded_however_the_log_moved_on(bench: B, log: Path) -> None:
    """A secret in the excerpt, a short message, and lines that came before and after."""
    found = anchors(log)
    assert "abcd1234" not in found[0].excerpt
    log.write_text(json.dumps(line(9, "Earlier talk.")) + "\n" + log.read_text() + json.dumps(line(8, "More.")) + "\n")
    bench.stage(staged(log, *found))
    run = bench.run(log_of=logs_of(nowhere))
    assert [r.action for r in run.closed] == ["applied"]
    assert run.changes


def test_where_the_log_is_gone_the_anchors_are_believed(bench: B, log: Path) -> None:
    evidence = anchors(log)[0].model_copy(update={"excerpt": "Use SQLite for the job queue, please."})
    bench.stage(staged(log, evidence))
    log.unlink()
    assert bench.run(log_of=logs_of(nowhere)).changes


def test_words_that_were_taken_back_since_make_no_record(bench: B, log: Path) -> None:
    """Extracted, and then the person went up in the talk and typed something else there."""
    (first, *rest) = [json.loads(text) for text in log.read_text().splitlines()]
    start = {**line(0, "Look at the queue."), "uuid": "start"}
    instead = {**line(7, "Use Redis for the job queue."), "parentUuid": "start"}
    lines = [start, {**first, "parentUuid": "start"}, {**rest[0], "parentUuid": "u1"}]
    log.write_text("".join(json.dumps(item) + "\n" for item in lines))
    bench.stage(staged(log, anchors(log)[1]))
    log.write_text(log.read_text() + json.dumps(instead) + "\n")
    run = bench.run(log_of=logs_of(nowhere))
    assert [(r.action, r.reason) for r in run.closed] == [
        ("kept", "evidence M0002 was taken back in the session since it was extracted")
    ]


def test_a_path_to_another_session_or_no_log_at_all_leads_to_the_sessions_of_the_workspace(
    bench: B, log: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({**line(1, "Use Oracle for everything."), "sessionId": "other"}) + "\n")
    forged = anchors(log)[0].model_copy(update={"excerpt": "Use Oracle for everything."})
    bench.stage(staged(other, forged))

    class Ref:
        session_id = SESSION
        path = log

    run = bench.run(log_of=logs_of(lambda: [Ref()]))  # type: ignore[list-item]
    assert "has no “Use Oracle" in run.closed[0].reason


def test_a_log_is_read_once_for_all_candidates_of_its_session(log: Path) -> None:
    from memory_core.consolidate.doubt import doubts

    file = staged(log, anchors(log)[0])
    many = file.model_copy(update={"decisions": file.decisions * 50})
    find, asked = logs_of(nowhere), []
    assert doubts(many.candidates(), lambda sources: (asked.append(len(sources)), find(sources))[1]) == {}
    assert asked == [50]
