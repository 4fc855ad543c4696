"""A repository may bring links and pipes: nothing outside the root is read or written through one, nothing waits."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.lint.check import check_all
from memory_core.records.schema import Kind, RecordRef
from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.store.discovery import create_root
from memory_core.store.files import read_or_none
from memory_core.store.filestore import FileStore
from memory_core.store.session_cache import SessionCache
from memory_core.store.session_discovery import discover, session_folders
from memory_core.store.session_places import Belonging
from memory_core.testing import session_of
from memory_core.usage import use_event
from memory_core.workspace import open_root
from tests.store.conftest import unprivileged

NOW = datetime(2026, 1, 31, 9, tzinfo=UTC)
SECRET = b"a line of a person's own file\nand one without an end"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "outside/profile"
    path.parent.mkdir()
    path.write_bytes(SECRET)
    return path


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    (tmp_path / "repository").mkdir()
    return create_root(tmp_path / "repository")[0]


def link(path: Path, target: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def test_a_usage_log_that_leads_out_gets_no_events(
    layout: Layout, victim: Path, caplog: pytest.LogCaptureFixture
) -> None:
    link(layout.usage, victim)
    ref = RecordRef(Kind.KNOWLEDGE, "a")
    event = use_event(ref, "x", source="MemoryRead", actor="human", session_id=None, now=NOW)
    FileStore(layout).append_usage(event)
    assert victim.read_bytes() == SECRET
    assert "leaves the memory root" in caplog.text


def test_a_sidecar_that_leads_out_is_not_appended_to(layout: Layout, victim: Path) -> None:
    """Cutting an uncommitted tail would even have shortened the file."""
    session: Session = session_of(("human", "Hi."))
    link(layout.sessions / "claude-code.s-1.jsonl", victim)
    with pytest.raises(StoreError, match="leaves the memory root"):
        FileStore(layout).advance(session, Pointer(0, None))
    assert victim.read_bytes() == SECRET


@pytest.mark.parametrize("name", ["archive", "staging", "sessions", "cache"])
def test_a_folder_of_machinery_that_leads_out_stops_what_would_write(layout: Layout, victim: Path, name: str) -> None:
    link(getattr(layout, name), victim.parent)
    with pytest.raises(StoreError, match="leaves the memory root"):
        FileStore(layout).extract_lock("s").__enter__()
    assert list(victim.parent.iterdir()) == [victim]


def test_a_prompt_that_leads_out_is_not_sent_to_a_model(layout: Layout, victim: Path) -> None:
    link(layout.prompts / "extract.md", victim)
    with pytest.raises(StoreError, match="leaves the memory root"):
        FileStore(layout).prompt_override("extract")


def test_links_inside_the_root_are_fine(layout: Layout) -> None:
    real = layout.root / "cache/sessions"
    real.mkdir(parents=True)
    layout.sessions.symlink_to(real)
    FileStore(layout).advance(session_of(("human", "Hi.")), Pointer(0, None))
    assert [path.name for path in real.iterdir()] == ["claude-code.s-1.jsonl"]


def test_a_pipe_is_never_waited_for(layout: Layout, tmp_path: Path) -> None:
    os.mkfifo(layout.root / "pipe")
    with pytest.raises(StoreError, match="no ordinary file"):
        read_or_none(layout.root / "pipe")
    layout.sessions.mkdir()
    os.mkfifo(layout.sessions / "s.jsonl")
    assert discover(layout.workspace, layout.sessions, {"HOME": str(tmp_path)}, ("omoide",)) == []
    os.mkfifo(layout.root / "knowledge/pipe.md")
    (document,) = FileStore(layout).load().documents.values()
    assert document.unreadable is not None
    assert "no ordinary file" in document.unreadable


def test_a_link_that_loops_is_a_file_that_cannot_be_read(layout: Layout) -> None:
    """It stopped every command and the server with an internal error."""
    (layout.root / "knowledge/loop.md").symlink_to("loop.md")
    (document,) = FileStore(layout).load().documents.values()
    assert document.unreadable is not None


@pytest.mark.parametrize("target", ["/dev/zero", "/nonexistent/config.toml", "config.toml"])
def test_settings_that_lead_nowhere_or_out_are_refused(layout: Layout, tmp_path: Path, target: str) -> None:
    layout.config.unlink()
    layout.config.symlink_to(target)
    with pytest.raises(StoreError, match=r"config\.toml"):
        open_root(layout, {"OMOIDE_CONFIG": str(tmp_path / "none")})


def test_the_null_device_is_a_configuration_without_settings(layout: Layout) -> None:
    assert open_root(layout, {"OMOIDE_CONFIG": os.devnull}).config.provider.name == "builtin"


def test_a_folder_that_cannot_be_listed_is_one_problem(layout: Layout) -> None:
    """It was also called a file that is no record."""
    folder = layout.root / "memory/decisions"
    folder.chmod(0)
    try:
        with unprivileged(layout.root):
            found = check_all(FileStore(layout).load())
    finally:
        folder.chmod(0o700)
    assert {path: [d.code for d in problems] for path, problems in found.items()} == {
        "memory/decisions": ["unreadable-file"]
    }


@pytest.mark.parametrize("place", [".aider.chat.history.md", ".specstory/history/x.md", ".claude/projects/p/x.jsonl"])
def test_a_log_that_leads_to_another_project_is_no_session_of_this_one(
    tmp_path: Path, layout: Layout, caplog: pytest.LogCaptureFixture, place: str
) -> None:
    """Some logs belong to the folder that they lie in: such a link had another project's words extracted."""
    other = tmp_path / "other"
    other.mkdir()
    text = (
        '{"type": "user", "sessionId": "s", "message": {"role": "user", "content": "Hi."}}\n'
        if place.endswith(".jsonl")
        else "# aider chat started at 2026-01-01 10:00:00\n\n#### The password is on the door.\n\nok\n"
    )
    sources = ("aider", "specstory", "claude-code")
    path = layout.workspace / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    environment = {"HOME": str(tmp_path / "home")}
    here = discover(layout.workspace, layout.sessions, environment, sources)
    path.rename(other / "log")
    link(path, other / "log")
    assert discover(layout.workspace, layout.sessions, environment, sources) == []
    assert ("is a link out of this project" in caplog.text) == bool(path.exists())
    if "specstory" not in place:
        assert len(here) == 1
    # Where the home lies in the workspace, links are the person's own.
    assert discover(layout.workspace, layout.sessions, {"HOME": str(layout.workspace)}, sources) == here


def test_an_own_log_that_leads_to_another_project_is_no_session_of_this_one(tmp_path: Path, layout: Layout) -> None:
    """It would be listed, and extracted here."""
    start = {"kind": "session_start", "session_id": "s", "agent": "omoide", "ts": "2026-01-01T00:00:00Z"}
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps(start) + "\n" + json.dumps({"kind": "message", "role": "user", "text": "Hi."}) + "\n")
    layout.sessions.mkdir(exist_ok=True)
    link(layout.sessions / "s.jsonl", other)
    assert discover(layout.workspace, layout.sessions, {}, ("omoide",)) == []
    (layout.sessions / "s.jsonl").unlink()
    other.rename(layout.sessions / "s.jsonl")
    assert len(discover(layout.workspace, layout.sessions, {}, ("omoide",))) == 1


def test_a_kept_answer_names_no_log_but_the_one_it_is_of(tmp_path: Path, layout: Layout) -> None:
    """A repository may bring `cache/sessions.json`."""
    start = {"kind": "session_start", "session_id": "s", "agent": "omoide", "ts": "2026-01-01T00:00:00Z"}
    layout.sessions.mkdir(exist_ok=True)
    path = layout.sessions / "s.jsonl"
    path.write_text(json.dumps(start) + "\n" + json.dumps({"kind": "message", "role": "user", "text": "Hi."}) + "\n")
    cache = SessionCache(tmp_path / "cache/sessions.json", "x")
    (found,) = discover(layout.workspace, layout.sessions, {}, ("omoide",), cache)
    cache.save()
    kept = (tmp_path / "cache/sessions.json").read_text()
    assert kept.count(json.dumps(str(path))) == 1
    (tmp_path / "cache/sessions.json").write_text(kept.replace(json.dumps(str(path)), json.dumps("/other/log.jsonl")))
    brought = SessionCache(tmp_path / "cache/sessions.json", "x")
    assert discover(layout.workspace, layout.sessions, {}, ("omoide",), brought) == [found]
    assert brought.damaged == 1


def test_a_folder_on_another_machine_is_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log may name one; on Windows, to look at it is to log in there."""
    looked: list[str] = []
    whole = Path.resolve
    monkeypatch.setattr(Path, "resolve", lambda path, strict=False: looked.append(str(path)) or whole(path, strict))
    belonging = Belonging(tmp_path)
    assert belonging.holds(str(tmp_path / "below"))
    assert not belonging.holds("//server.example/share")
    assert not [path for path in looked if "server.example" in path]


PLACES_OF_LOGS = {
    ".claude/projects": "claude-code",
    ".codex/sessions": "codex",
    ".pi/agent/sessions": "pi",
    ".specstory/history": "specstory",
    ".yoi/sessions": "yoi",
}


@pytest.mark.parametrize("place", PLACES_OF_LOGS)
def test_a_folder_of_logs_that_leads_to_the_whole_disk_is_not_searched(
    tmp_path: Path, layout: Layout, place: str
) -> None:
    """A repository may bring it, and it would be searched at every look."""
    path = layout.workspace / place
    path.parent.mkdir(parents=True, exist_ok=True)
    link(path, tmp_path.parent)
    agents = tuple(PLACES_OF_LOGS.values())
    folders = session_folders(layout.workspace, layout.sessions, {"HOME": str(tmp_path / "home")}, agents)
    assert path not in folders
    # Where the home lies in the workspace, links are the person's own.
    assert path in session_folders(layout.workspace, layout.sessions, {"HOME": str(layout.workspace)}, agents)
