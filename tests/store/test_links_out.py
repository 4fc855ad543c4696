"""A repository may bring links and pipes: nothing outside the root is read or written through one, nothing waits."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.lint.check import check_all
from memory_core.records.schema import Kind, RecordRef
from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.staging import Request, StagingFile, StagingSource
from memory_core.store import opened_folder
from memory_core.store.cache import Cache
from memory_core.store.discovery import create_root
from memory_core.store.files import append_lines, make_folder, read_or_none, remove, write_whole
from memory_core.store.filestore import FileStore
from memory_core.store.opened_folder import opened
from memory_core.store.own_logs import append_entries
from memory_core.store.session_cache import SessionCache
from memory_core.store.session_discovery import discover, session_folders
from memory_core.store.session_places import Belonging
from memory_core.store.transcripts import MOST_FILES, Transcripts, Wanted
from memory_core.testing import session_of
from memory_core.usage import use_event
from memory_core.workspace import open_root
from tests.store.conftest import unprivileged

NOW = datetime(2026, 1, 31, 9, tzinfo=UTC)
SECRET = b"a line of a person's own file\nand one without an end"
SOURCE = StagingSource(session_id="s", range=(0, 2), agent="claude-code", log=None)
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


@pytest.mark.parametrize("way", [["cache/a"], ["cache/a", "cache/in/a"]])
def test_nothing_below_a_root_is_written_through_a_folder_that_leads_out(
    layout: Layout, victim: Path, way: list[str]
) -> None:
    """Wherever the link is: a folder may be named after what a repository brought. Also behind a link that stays."""
    first, *rest = way
    (layout.cache / "in").mkdir(parents=True)
    link(layout.root / first, layout.cache / "in" if rest else victim.parent)
    for other in rest:
        link(layout.root / other, victim.parent)
    place = layout.root / (f"{first}/a" if rest else first) / "profile"
    for write in (lambda: write_whole(place, b"x"), lambda: append_lines(place, "x\n"), lambda: remove(place)):
        with pytest.raises(OSError, match="nothing in a memory is written through one"):
            write()
    with pytest.raises(OSError, match="nothing in a memory is written through one"):
        make_folder(place.parent / "more")
    assert [path.name for path in victim.parent.iterdir()] == ["profile"]
    assert victim.read_bytes() == SECRET


@pytest.mark.parametrize("place", ["memory/_staging", "memory/_staging/x.json"])
def test_what_is_staged_elsewhere_is_not_read_through_a_link(layout: Layout, tmp_path: Path, place: str) -> None:
    """Its candidates were listed as this project's, and sent to a model by a dry run."""
    (tmp_path / "other").mkdir()
    other = create_root(tmp_path / "other")[0]
    said = Request(intent="Private", summary="Of another project.")
    staged = StagingFile(id="x", run_id="r", created_at="2026-01-01T00:00:00Z", source=SOURCE, requests=(said,))
    FileStore(other).stage(staged)
    assert FileStore(other).staging().open
    if (layout.root / place).is_dir():
        (layout.root / place).rmdir()
    link(layout.root / place, other.root / place)
    area = FileStore(layout).staging()
    assert not area.files
    assert "leaves the memory root" in area.invalid[0][1]


@pytest.mark.parametrize("place", ["cache/transcripts", "cache", "memory/_logs", "memory/_staging", "sessions"])
def test_no_folder_of_machinery_is_one_of_records(layout: Layout, place: str) -> None:
    """What is pruned in `cache/transcripts` would be records, and a folder of records would be ignored by git."""
    knowledge = layout.root / "knowledge"
    for number in range(MOST_FILES + 2):
        (knowledge / f"a-{number}.md").write_text("A record.")
    mode = knowledge.stat().st_mode
    folder = layout.root / place
    if folder.is_dir():
        folder.rmdir()
    link(folder, knowledge)
    store = FileStore(layout)
    with pytest.raises(StoreError, match="no file of machinery is reached through one"):
        read_or_none(folder / "a-1.md")
    with suppress(StoreError):
        Transcripts(layout, lambda: ()).show(Wanted("s"))
    with suppress(StoreError):
        store.stage(StagingFile(id="x", run_id="r", created_at="2026-01-01T00:00:00Z", source=SOURCE))
    with suppress(StoreError):
        append_entries(folder / "s.jsonl", [{"kind": "system"}])
    store.append_audit("x", {})
    Cache(layout).keep_answer(b"key", "answer")
    assert sorted(path.name for path in knowledge.iterdir()) == sorted(f"a-{n}.md" for n in range(MOST_FILES + 2))
    assert knowledge.stat().st_mode == mode


def test_a_folder_that_is_exchanged_for_a_link_after_it_was_looked_at_stays_the_one_it_was(
    layout: Layout, victim: Path
) -> None:
    """Who shares a folder can do so at any moment: here, when all but the last step is done."""
    folder = layout.cache / "a"
    folder.mkdir(parents=True)

    def exchange() -> None:
        folder.rename(layout.cache / "b")
        folder.symlink_to(victim.parent)

    write_whole(folder / "profile", b"new", look=exchange)
    assert victim.read_bytes() == SECRET
    assert [path.name for path in victim.parent.iterdir()] == ["profile"]
    assert (layout.cache / "b/profile").read_bytes() == b"new"


def test_a_folder_that_is_opened_is_where_all_in_it_is_done(layout: Layout, victim: Path) -> None:
    folder = layout.cache / "a"
    with opened(folder, make=True) as at:
        folder.rename(layout.cache / "b")
        folder.symlink_to(victim.parent)
        os.close(at.open("one", os.O_WRONLY | os.O_CREAT))
        at.link("two", "one")
        at.replace("three", "two")
        assert at.status("three").st_nlink == 2
        at.unlink("one")
        at.sync()
    assert [path.name for path in victim.parent.iterdir()] == ["profile"]
    assert [path.name for path in (layout.cache / "b").iterdir()] == ["three"]


def test_where_a_system_has_no_handles_of_folders_names_are_looked_at(
    layout: Layout, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened_folder, "_BY_HANDLE", False)
    write_whole(layout.cache / "in/x", b"1")
    write_whole(layout.cache / "in/x", b"2")
    with pytest.raises(FileExistsError):
        write_whole(layout.cache / "in/x", b"3", exclusive=True)
    append_lines(layout.audit, "{}\n")
    assert (layout.cache / "in/x").read_bytes() == b"2"
    remove(layout.cache / "in/x")
    link(layout.cache / "a", victim.parent)
    for write in (lambda: write_whole(layout.cache / "a/b", b"x"), lambda: remove(layout.cache / "a/profile")):
        with pytest.raises(OSError, match="nothing in a memory is written through one"):
            write()
    assert [path.name for path in victim.parent.iterdir()] == ["profile"]


def test_what_has_a_second_name_elsewhere_is_not_appended_to(layout: Layout, victim: Path) -> None:
    """An archive can bring a hard link, and so can another member of a folder that is shared."""
    for path in (layout.audit, layout.usage, layout.resolutions, layout.sessions / "s.jsonl"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.hardlink_to(victim)
    FileStore(layout).append_audit("x", {"session_id": "$(touch pwned)"})
    append_lines(layout.usage, "{}\n")
    append_lines(layout.resolutions, "{}\n")
    append_entries(layout.sessions / "s.jsonl", [{"kind": "system"}])
    assert victim.read_bytes() == SECRET
    assert layout.audit.read_bytes().startswith(SECRET + b"\n{")


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


@pytest.mark.parametrize("place", ["memory/_usage", "memory/_usage/events.jsonl"])
def test_what_another_project_used_is_not_counted_here(layout: Layout, tmp_path: Path, place: str) -> None:
    (tmp_path / "other").mkdir()
    other = create_root(tmp_path / "other")[0]
    event = use_event(RecordRef(Kind.KNOWLEDGE, "a"), "x", source="MemoryRead", actor="human", session_id=None, now=NOW)
    FileStore(other, lambda: NOW).append_usage(event)
    assert FileStore(other, lambda: NOW).usage_report().rows
    link(layout.root / place, other.root / place)
    with pytest.raises(StoreError, match="no file of machinery is reached through one"):
        FileStore(layout, lambda: NOW).usage_report()


def test_what_a_person_keeps_in_one_place_and_links_to_inside_the_root_is_read(layout: Layout) -> None:
    link(layout.prompts / "extract.md", layout.root / "knowledge/our-prompt.md")
    (layout.root / "knowledge/our-prompt.md").write_text("Look for decisions.")
    assert FileStore(layout).prompt_override("extract") == "Look for decisions."


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
