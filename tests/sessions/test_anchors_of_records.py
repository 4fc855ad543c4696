"""What becomes of a record's anchors when its log grows, is rewritten, cut or deleted: as `omoide lint --evidence` says
it, and where "go to definition" leads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.extract.evidence import anchor_for, collect
from memory_core.lint.check import check_all
from memory_core.log_facts import log_facts
from memory_core.store.session_files import read_log
from memory_core.store.transcripts import Shown, Transcripts, Wanted
from memory_core.workspace import Workspace

SAID = (
    "Keep the dates in UTC, always.",
    "I will store them in UTC from now on.",
    "And print them with their zone, please.",
    "Every date is printed with its zone now.",
)
QUOTED = 2  # the entry that the record comes from
CHANGED = "The log's entry was changed since it was quoted: check the record against it."
GONE = "What was quoted is not in the log any more: the record's own excerpt is all that is left of it."


def record(number: int, text: str, **more: Any) -> str:
    role = "assistant" if number % 2 else "user"
    envelope = {"type": role, "uuid": f"u{number}", "sessionId": "s-1", "timestamp": f"2026-04-01T09:00:{number:02d}Z"}
    return json.dumps({**envelope, "message": {"role": role, "content": text}, **more}) + "\n"


@pytest.fixture
def log(tmp_path: Path, workspace: Workspace) -> Path:
    """A log of Claude Code, and a decision that an entry of it is the evidence of."""
    path = tmp_path / ".claude/projects/p/s-1.jsonl"
    path.parent.mkdir(parents=True)
    cwd = str(workspace.layout.workspace)
    path.write_text("".join(record(n, text, cwd=cwd) for n, text in enumerate(SAID)), encoding="utf-8")
    session = read_log(path)
    anchor = anchor_for(collect(session, QUOTED, QUOTED)[0]).plain()
    source = {"session_id": "s-1", "range": [0, 3], "agent": "claude-code", "anchors": [anchor]}
    (workspace.layout.root / "memory/decisions/dates.md").write_text(
        "---\ncreated_at: 2026-05-01T00:00:00Z\nupdated_at: 2026-05-01T00:00:00Z\nstatus: open\n"
        f"sources: {json.dumps([source])}\n---\n\nDates are printed with their zone.\n",
        encoding="utf-8",
    )
    return path


def lint(workspace: Workspace) -> list[str]:
    snapshot = workspace.store.load()
    facts, problems = log_facts(workspace, snapshot, list(snapshot.documents))
    assert problems == []
    found = check_all(snapshot, facts=facts)
    told = found.get("memory/decisions/dates.md", [])
    return [d.message for d in told if d.code in ("source-changed", "source-gone")]


def definition(workspace: Workspace) -> tuple[Shown, str]:
    """Where the anchor leads, and the text from there on."""
    (source,) = workspace.store.load().documents["memory/decisions/dates.md"].record.sources
    wanted = Wanted("s-1", agent="claude-code", anchor=source.anchors[0], kept=source.anchors)
    shown = Transcripts(workspace.layout, workspace.sessions).show(wanted)
    return shown, "\n".join(shown.path.read_text(encoding="utf-8").split("\n")[shown.line :])


def rewritten(log: Path, change: Callable[[list[str]], list[str]]) -> None:
    log.write_text("".join(change(log.read_text(encoding="utf-8").splitlines(keepends=True))), encoding="utf-8")


def test_after_an_append_everything_is_where_it_was(workspace: Workspace, log: Path) -> None:
    rewritten(log, lambda lines: [*lines, record(4, "And the tests?")])
    assert lint(workspace) == []
    shown, text = definition(workspace)
    assert (shown.entry, shown.note) == (QUOTED, None)
    assert SAID[QUOTED] in text


def test_lines_put_in_before_it_move_the_entry_and_both_know_where_to(workspace: Workspace, log: Path) -> None:
    cwd = str(workspace.layout.workspace)
    rewritten(log, lambda lines: [record(90, "Hello.", cwd=cwd), record(91, "Hello!"), *lines])
    (problem,) = lint(workspace)
    assert "what was quoted is entry 4 now, so correct `entry_range`" in problem
    shown, text = definition(workspace)
    assert (shown.entry, shown.note) == (4, None)
    assert text.count(SAID[QUOTED]) == 1


def test_a_log_rewritten_in_place_is_found_by_id_and_told(workspace: Workspace, log: Path) -> None:
    """A search-and-replace over the workspace reached the log."""
    rewritten(log, lambda lines: [line.replace("zone", "area") for line in lines])
    assert lint(workspace) == [CHANGED]
    shown, text = definition(workspace)
    assert shown.entry == QUOTED
    assert shown.note == "Entry 2 was changed since it was remembered."
    assert "with their area" in text


def test_a_rewritten_record_that_also_moved_says_both(workspace: Workspace, log: Path) -> None:
    rewritten(log, lambda lines: [lines[0], *(line.replace("zone", "area") for line in lines[2:])])
    problems = lint(workspace)
    assert any("entry 1 now and was changed since" in problem for problem in problems)
    assert definition(workspace)[0].entry == 1


def test_other_ids_and_other_envelopes_leave_the_words_to_find_it_by(workspace: Workspace, log: Path) -> None:
    rewritten(log, lambda lines: [line.replace('"uuid": "u', '"uuid": "copy-') for line in lines[1:]])
    (moved,) = (problem for problem in lint(workspace) if "quoted" in problem)
    assert "entry 1 now and was changed since" in moved
    assert definition(workspace)[0].entry == 1


def test_a_truncated_log_leaves_the_excerpt(workspace: Workspace, log: Path) -> None:
    rewritten(log, lambda lines: lines[:2])
    problems = lint(workspace)
    assert GONE in problems
    assert "The log of this session has 2 entries: entry 3 is not there. Correct the range or the session." in problems
    shown, _ = definition(workspace)
    assert shown.note is not None
    assert "is not in this log any more" in shown.note
    assert SAID[QUOTED] in shown.note


def test_a_deleted_log_leaves_the_excerpt_and_the_hash(workspace: Workspace, log: Path) -> None:
    anchor = workspace.store.load().documents["memory/decisions/dates.md"].record.sources[0].anchors[0]
    log.unlink()
    (problem,) = lint(workspace)
    assert "s-1" in problem or "log" in problem
    shown, text = definition(workspace)
    assert shown.note is not None
    assert SAID[QUOTED] in shown.note
    assert SAID[QUOTED] in text
    assert len(anchor["sha256"]) == 64
    assert anchor["excerpt"] == SAID[QUOTED]


def test_what_is_wanted_of_logs_is_the_same_while_records_are(workspace: Workspace, log: Path) -> None:
    """The editor asks logs again only when this differs."""
    from memory_core.log_facts import wanted_of

    snapshot = workspace.store.load()
    paths = list(snapshot.documents)
    assert wanted_of(workspace, snapshot, paths) == wanted_of(workspace, workspace.store.load(), paths)
