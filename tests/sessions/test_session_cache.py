"""What is kept of unchanged logs, and histories that several logs share, as a workspace sees them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_core.errors import SessionError
from memory_core.sessions.copies import COPIED
from memory_core.store import one_history, session_discovery
from memory_core.store.session_cache import SessionCache
from memory_core.store.session_ref import SessionRef
from memory_core.workspace import Workspace


def write(folder: Path, session: str, *said: tuple[str, str], cwd: str | None = None, file: str | None = None) -> Path:
    path = folder.parent / ".claude/projects/p" / f"{file or session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, (uuid, text) in enumerate(said):
        kind = "assistant" if number % 2 else "user"
        stamp = f"2026-04-01T09:{len(lines):02d}:00Z"
        record = {"type": kind, "uuid": uuid, "sessionId": session, "cwd": cwd or str(folder), "timestamp": stamp}
        lines.append(json.dumps({**record, "message": {"role": kind, "content": text}}) + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


OLD = (("u1", "Keep all dates in UTC."), ("u2", "I will."))
NEW = (*OLD, ("u3", "And print them with a zone."), ("u4", "Done."))


def rows(workspace: Workspace) -> list[Any]:
    return [row for row in workspace.listed_sessions() if not isinstance(row, SessionError)]


def test_an_unchanged_log_is_not_opened_again(
    folder: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, "a", *OLD)
    first = rows(workspace)

    def refuse(*_: Any) -> Any:
        raise AssertionError("a log was opened")

    monkeypatch.setattr(one_history, "read_listed", refuse)
    monkeypatch.setattr(session_discovery, "_looked", refuse)
    assert rows(workspace) == first


def test_a_changed_log_a_moved_pointer_and_a_lost_cache_give_the_present_answer(
    folder: Path, workspace: Workspace
) -> None:
    write(folder, "a", *OLD)
    (before,) = rows(workspace)
    write(folder, "a", *NEW)
    (grown,) = rows(workspace)
    assert (before.entries, grown.entries) == (2, 4)
    session = workspace.session("a")
    from memory_core.sessions.pointer import Pointer

    workspace.store.advance(session, Pointer(3))
    (extracted,) = rows(workspace)
    assert grown.unextracted_tokens > extracted.unextracted_tokens == 0
    (workspace.layout.cache / "sessions.json").unlink()
    assert rows(workspace) == [extracted]


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"name": 1}', '{"name": "x", "answers": {"look": [1, 2]}}'])
def test_a_damaged_cache_is_no_cache(folder: Path, workspace: Workspace, kept: str) -> None:
    write(folder, "a", *OLD)
    first = rows(workspace)
    (workspace.layout.cache / "sessions.json").write_text(kept, encoding="utf-8")
    assert rows(workspace) == first


def test_a_log_of_another_project_is_remembered_as_such_and_noticed_when_it_changes(
    folder: Path, workspace: Workspace
) -> None:
    write(folder, "a", *OLD, cwd="/elsewhere")
    assert rows(workspace) == []
    assert rows(workspace) == []
    write(folder, "a", *NEW)
    assert [row.session_id for row in rows(workspace)] == ["a"]


def test_answers_for_files_that_are_gone_are_dropped(tmp_path: Path) -> None:
    file, kept = tmp_path / "a.jsonl", tmp_path / "cache/sessions.json"
    file.write_text("x")
    cache = SessionCache(kept, "w")
    assert cache.answer("q", [file], lambda: 1) == 1
    cache.save()
    assert SessionCache(kept, "w").answer("q", [file], lambda: 2) == 1
    assert SessionCache(kept, "another workspace").answer("q", [file], lambda: 2) == 2
    file.unlink()
    later = SessionCache(kept, "w")
    later.answer("q", [tmp_path / "b"], lambda: 3)
    later.save()
    assert "a.jsonl" not in kept.read_text()


def test_session_bug_02_a_resumed_session_is_extracted_and_counted_without_its_old_part(
    folder: Path, workspace: Workspace
) -> None:
    write(folder, "a", *OLD)
    write(folder, "b", *NEW)
    old, new = workspace.session("a"), workspace.session("b")
    assert [entry.subtype for entry in old.entries] == [None, None]
    assert [entry.subtype for entry in new.entries] == [COPIED, COPIED, None, None]
    tokens = {row.session_id: row.unextracted_tokens for row in rows(workspace)}
    alone = write(folder, "c", *((f"x{uuid}", text) for uuid, text in NEW))
    assert tokens["a"] + tokens["b"] == {row.session_id: row.unextracted_tokens for row in rows(workspace)}["c"]
    alone.unlink()


def test_session_bug_06_the_same_session_in_two_folders_is_listed_once(folder: Path, workspace: Workspace) -> None:
    write(folder, "a", *OLD)
    copy = write(folder, "a", *NEW)
    moved = copy.parent.parent / "q/a.jsonl"
    moved.parent.mkdir()
    moved.write_bytes(copy.read_bytes())
    assert [row.session_id for row in rows(workspace)] == ["a"]


def test_sessions_without_a_common_history_are_not_read_for_each_other(folder: Path, workspace: Workspace) -> None:
    write(folder, "a", ("u1", "One."))
    write(folder, "b", ("u2", "One."))
    every = workspace.sessions()
    assert all(one_history.relatives(ref, every) == [] for ref in every)


def test_all_sessions_are_looked_through_once_and_not_for_each_of_them(folder: Path, workspace: Workspace) -> None:
    """Eight thousand took more than five minutes."""

    class Counted(list[SessionRef]):
        looked = 0

        def __iter__(self) -> Iterator[SessionRef]:
            self.looked += 1
            return super().__iter__()

    write(folder, "a", ("u1", "One."))
    write(folder, "b", ("u1", "One."))
    every = Counted(workspace.sessions())
    assert [one_history.relatives(ref, every) for ref in (every[0], every[1])] == [[every[1]], [every[0]]]
    assert every.looked == 1


@pytest.mark.parametrize(
    "damage",
    [
        {"session_id": ["x"]}, {"session_id": None}, {"path": 3}, {"family": "abc"}, {"family": [1]}, {"size": "9"},
        {"entries": []}, {"gaps": None}, {"more": 1}, {"updated_at": 5},
    ],
    ids=str,
)  # fmt: skip
def test_damaged_answers_are_dropped_counted_and_made_anew(
    folder: Path, workspace: Workspace, damage: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    write(folder, "a", *OLD)
    first = rows(workspace)
    kept = folder / ".omoide/cache/sessions.json"
    whole = kept.read_bytes()
    data = json.loads(whole)
    for key, (_, answer) in data["answers"].items():
        for item in answer if isinstance(answer, list) else [answer]:
            item.update({name: value for name, value in damage.items() if name in item or name == "more"})
        assert key
    kept.write_text(json.dumps(data), encoding="utf-8")
    assert rows(workspace) == first
    assert "damaged" in caplog.text
    assert json.loads(kept.read_bytes()) == json.loads(whole)


@pytest.mark.parametrize("answer", [5, "x", None, [5], [[]], {"a": 1}, [None]], ids=str)
def test_an_answer_of_any_shape_in_the_kept_file_ends_no_listing(
    folder: Path, workspace: Workspace, answer: object
) -> None:
    write(folder, "a", *OLD)
    first = rows(workspace)
    kept = folder / ".omoide/cache/sessions.json"
    data = json.loads(kept.read_bytes())
    data["answers"] = {key: [stamp, answer] for key, (stamp, _) in data["answers"].items()}
    kept.write_text(json.dumps(data), encoding="utf-8")
    assert rows(workspace) == first


def test_a_file_from_beyond_all_calendars_is_listed(folder: Path, workspace: Workspace) -> None:
    path = write(folder, "a", *OLD)
    os.utime(path, (0, 400_000_000_000))
    assert [row.session_id for row in rows(workspace)] == ["a"]
