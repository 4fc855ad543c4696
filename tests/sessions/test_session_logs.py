"""Logs on disk: found by the folder inside them, read whatever their packing, appended to only when they are ours."""

from __future__ import annotations

import json
import logging
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import zstandard

from memory_core.config import SESSION_SOURCES
from memory_core.errors import SessionError, StoreError
from memory_core.sessions import own_log
from memory_core.sessions.model import EntryKind
from memory_core.sessions.pointer import Pointer
from memory_core.store.extract_pointers import append_pointer, read_pointer
from memory_core.store.own_logs import append_entries, sidecar_path
from memory_core.store.session_discovery import discover
from memory_core.store.session_files import read_log
from memory_core.store.session_ref import SessionRef

NOW = datetime(2026, 4, 1, 9, tzinfo=UTC)
CODEX_ID = "01990000-0000-7000-8000-00000000000a"


class Machine:
    """A home with agents' logs, and a workspace."""

    def __init__(self, tmp_path: Path) -> None:
        self.home = tmp_path / "home"
        self.workspace = tmp_path / "ws"
        self.sessions = self.workspace / ".omoide/sessions"
        self.sessions.mkdir(parents=True)

    def claude(self, cwd: Path | str, name: str = "s1", folder: str = "-any-name", **extra: Any) -> Path:
        record = {
            "type": "user",
            "sessionId": name,
            "uuid": "u",
            "cwd": str(cwd),
            "message": {"content": "Hi."},
            **extra,
        }
        return self.write(self.home / f".claude/projects/{folder}/{name}.jsonl", record)

    def codex(self, cwd: Path | str, name: str = f"rollout-2026-03-01T10-00-00-{CODEX_ID}.jsonl", **extra: Any) -> Path:
        meta = {"type": "session_meta", "payload": {"id": CODEX_ID, "cwd": str(cwd), **extra}}
        return self.write(self.home / f".codex/sessions/2026/03/01/{name}", meta)

    def write(self, path: Path, *records: Any) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in records))
        return path

    def find(self, **environment: str) -> list[SessionRef]:
        return discover(self.workspace, self.sessions, {"HOME": str(self.home), **environment}, SESSION_SOURCES)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def ids(refs: list[SessionRef]) -> list[tuple[str, str]]:
    return sorted((ref.agent, ref.session_id) for ref in refs)


def test_bug_19_a_log_belongs_by_the_cwd_inside_not_by_its_folder(machine: Machine) -> None:
    machine.claude(machine.workspace, "mine", folder="-somewhere-else")
    machine.claude(machine.workspace / "src/deep", "below")
    machine.claude("/elsewhere", "other", folder=str(machine.workspace).replace("/", "-"))
    machine.claude(f"{machine.workspace}-2", "sibling")
    machine.codex(machine.workspace)
    assert ids(machine.find()) == [("claude-code", "below"), ("claude-code", "mine"), ("codex", CODEX_ID)]


def test_a_source_that_is_turned_off_is_not_looked_for(machine: Machine) -> None:
    machine.claude(machine.workspace)
    machine.codex(machine.workspace)
    environment = {"HOME": str(machine.home)}
    assert ids(discover(machine.workspace, machine.sessions, environment, ["codex"])) == [("codex", CODEX_ID)]
    assert discover(machine.workspace, machine.sessions, {}, SESSION_SOURCES) == []


def test_the_agents_own_variables_name_other_places(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "cc").mkdir()
    machine.claude(machine.workspace)
    (machine.home / ".claude/projects").rename(tmp_path / "cc/projects")
    machine.codex(machine.workspace)
    (machine.home / ".codex").rename(tmp_path / "cx")
    assert machine.find() == []
    found = machine.find(CLAUDE_CONFIG_DIR=str(tmp_path / "cc"), CODEX_HOME=str(tmp_path / "cx"))
    assert len(found) == 2


def test_logs_inside_the_workspace_are_found(machine: Machine) -> None:
    machine.home = machine.workspace
    machine.claude(machine.workspace)
    machine.codex(machine.workspace)
    machine.home = machine.workspace / "nobody"
    assert len(machine.find()) == 2


def test_bug_21_a_cwd_further_down_counts(machine: Machine) -> None:
    records = [
        {"type": "user", "sessionId": "s", "cwd": cwd, "message": {"content": "x" * 5000}} for cwd in ["/else"] * 99
    ]
    records.append({**records[0], "cwd": str(machine.workspace / "src")})
    machine.write(machine.home / ".claude/projects/p/s.jsonl", *records)
    assert machine.find()[0].cwd == str(machine.workspace / "src")


def test_a_path_that_is_only_talked_about_does_not_count(machine: Machine) -> None:
    machine.claude("/else", toolUseResult={"stdout": f'"cwd": "{machine.workspace}"'})
    assert machine.find() == []


def test_links_are_resolved(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(machine.workspace)
    machine.claude(tmp_path / "link" / "src")
    assert len(machine.find()) == 1


def test_a_linked_worktree_belongs(machine: Machine, tmp_path: Path) -> None:
    git = machine.workspace / ".git/worktrees/feature"
    git.mkdir(parents=True)
    (git / "gitdir").write_text(f"{tmp_path / 'feature'}/.git\n")
    machine.claude(tmp_path / "feature/src")
    machine.claude(tmp_path / "unrelated", "s2")
    assert ids(machine.find()) == [("claude-code", "s1")]


def test_runs_of_helpers_are_no_sessions_of_a_person(machine: Machine) -> None:
    machine.claude(machine.workspace, "agent-acompact-1")
    machine.claude(machine.workspace, "agent-a1", folder="p/s1/subagents")
    machine.codex(machine.workspace, source={"subagent": "review"})
    assert machine.find() == []


def test_bug_6_one_id_in_two_folders_is_the_newest_file(machine: Machine) -> None:
    old = machine.claude(machine.workspace, folder="old")
    new = machine.claude(machine.workspace, folder="new")
    os.utime(old, (1, 1))
    assert [ref.path for ref in machine.find()] == [new]


def test_newest_first(machine: Machine) -> None:
    for number, name in enumerate(["b", "a", "c"]):
        os.utime(machine.claude(machine.workspace, name), (number, number))
    assert [ref.session_id for ref in machine.find()] == ["c", "a", "b"]


def test_an_unreadable_log_is_reported_and_left_out(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    machine.claude(machine.workspace)
    machine.write(machine.home / ".codex/sessions/broken.json", {"a": 1})
    with caplog.at_level(logging.WARNING):
        assert len(machine.find()) == 1
    assert "broken.json" in caplog.text


def test_a_packed_rollout_is_found_and_read_and_the_plain_one_wins(machine: Machine) -> None:
    plain = machine.codex(machine.workspace)
    packed = plain.with_name(plain.name + ".zst")
    packed.write_bytes(zstandard.compress(plain.read_bytes()))
    assert [ref.path for ref in machine.find()] == [plain]
    plain.unlink()
    assert [(ref.path, ref.session_id) for ref in machine.find()] == [(packed, CODEX_ID)]
    assert read_log(packed).session_id == CODEX_ID


def test_a_damaged_packed_rollout_is_read_up_to_the_damage(tmp_path: Path) -> None:
    line = json.dumps({"type": "event_msg", "payload": {"type": "user_message", "message": "Hi."}}).encode() + b"\n"
    noise = os.urandom(400_000).hex().encode()
    packed = zstandard.compress(line + b'{"type":"x","n":"' + noise + b'"}\n')
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(packed[:200_000] + b"\xff" * 5000)
    session = read_log(path)
    assert [entry.text for entry in session.entries] == ["Hi."]
    assert session.gaps


def test_old_rollouts_are_found_by_the_folder_their_text_names(machine: Machine) -> None:
    words = f"<environment_context>\n  <cwd>{machine.workspace}</cwd>\n</environment_context>"
    message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": words}]}
    bare = machine.home / ".codex/sessions/bare.jsonl"
    machine.write(bare, {"id": "bare-1", "timestamp": "t", "instructions": None}, message)
    machine.write(machine.home / ".codex/sessions/doc.json", {"session": {"id": "doc-1"}, "items": [message]})
    assert ids(machine.find()) == [("codex", "bare-1"), ("codex", "doc-1")]


def test_own_logs_are_sessions_and_sidecars_are_not(machine: Machine) -> None:
    start = own_log.session_start(NOW, session_id="mine", agent="omoide")
    append_entries(machine.sessions / "mine.jsonl", [start])
    foreign = read_log(machine.claude("/elsewhere"))
    append_pointer(machine.sessions, foreign, Pointer(0, None))
    assert ids(machine.find()) == [("omoide", "mine")]


def test_the_id_found_is_the_id_read(machine: Machine) -> None:
    own = "0199aaaa-0000-7000-8000-00000000000b"
    copied = {"type": "user", "sessionId": "old", "cwd": str(machine.workspace), "message": {"content": "Hi."}}
    machine.write(machine.home / f".claude/projects/p/{own}.jsonl", copied, {**copied, "sessionId": own})
    machine.claude(machine.workspace, "renamed", sessionId="on-the-line")
    refs = machine.find()
    assert ids(refs) == [("claude-code", own), ("claude-code", "on-the-line")]
    assert all(read_log(ref.path).session_id == ref.session_id for ref in refs)


@pytest.mark.parametrize(
    ("make", "words"), [("", "does not exist"), ("folder", "is a folder"), ("text", "no session log")]
)
def test_what_is_no_log_gets_one_clear_line(tmp_path: Path, make: str, words: str) -> None:
    path = tmp_path / "log.jsonl"
    if make == "folder":
        path.mkdir()
    elif make:
        path.write_text("some notes\n")
    with pytest.raises(SessionError, match=words) as caught:
        read_log(path)
    assert str(path) in str(caught.value)


def test_an_empty_file_is_an_empty_session(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.touch()
    assert (read_log(path).entries, read_log(path).path) == ((), path)


def said(text: str) -> dict[str, Any]:
    return own_log.record(EntryKind.USER_MESSAGE, NOW, text=text)


def test_an_unterminated_tail_is_cut_before_the_next_append(tmp_path: Path) -> None:
    path = tmp_path / "new/s.jsonl"
    append_entries(path, [own_log.session_start(NOW, session_id="s", agent="omoide"), said("One.")])
    with path.open("ab") as stream:
        stream.write(b'{"kind":"user_message","text":"torn' + b"x" * 100_000)
    append_entries(path, [said("Two.")])
    session = read_log(path)
    assert [entry.text for entry in session.entries][1:] == ["One.", "Two."]
    assert (session.gaps, session.repairs) == ((), {})


def test_another_programs_log_is_never_written(machine: Machine) -> None:
    path = machine.claude(machine.workspace)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program's log"):
        append_entries(path, [said("x")])
    assert path.read_bytes() == before


def test_a_log_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be appended"):
        append_entries(tmp_path / "file/s.jsonl", [said("x")])


def test_b5_a_foreign_sessions_pointer_lies_in_a_sidecar(machine: Machine) -> None:
    path = machine.claude(machine.workspace)
    path.write_bytes(b"".join(path.read_bytes().replace(b'"u"', b'"u%d"' % n) for n in range(6)))
    before = path.read_bytes()
    session = read_log(path)
    assert read_pointer(machine.sessions, session) == Pointer()
    append_pointer(machine.sessions, session, Pointer(0, "staged"))
    append_pointer(machine.sessions, session, Pointer(4, None))
    assert read_pointer(machine.sessions, session) == Pointer(4, None)
    assert path.read_bytes() == before
    sidecar = read_log(machine.sessions / "claude-code.s1.jsonl")
    assert [str(entry.kind) for entry in sidecar.entries] == ["session_start"] + ["extension"] * 4
    assert (sidecar.entries[-1].domain, sidecar.entries[-1].payload) == ("memory.extract", Pointer(4, None).payload())
    assert (sidecar.session_id, sidecar.agent) == ("s1", "claude-code")


def test_b5_an_own_sessions_pointer_lies_in_its_log(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    append_entries(path, [own_log.session_start(NOW, session_id="s", agent="my-chat"), said("One.")])
    session = read_log(path)
    append_pointer(tmp_path, session, Pointer(1, "staged"))
    assert read_pointer(tmp_path, session) == Pointer(1, "staged")
    assert [str(entry.kind) for entry in read_log(path).entries][-1] == "extension"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("session_id", ["../../evil", "a/b", "..", "x\x00y", "日本", "C:\\x", "a" * 500, ""])
def test_no_session_id_leads_out_of_the_folder(tmp_path: Path, session_id: str) -> None:
    path = sidecar_path(tmp_path, "codex", session_id)
    assert path.parent == tmp_path
    assert path.name.startswith("codex.")
    assert len(path.name) < 200
    path.touch()


def test_ids_that_differ_have_sidecars_that_differ(tmp_path: Path) -> None:
    odd = ["a/b", "a%2Fb", "a_b", "a" * 500, "a" * 501, "", "%"]
    assert len({sidecar_path(tmp_path, "codex", name) for name in odd}) == len(odd)
