"""Conversation history against memory: R1-R16 of the authority rules, each where it can be seen from outside.

One owner per transcript, one authority for records; neither ever writes the other's files.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
import shutil
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.cli.main import main
from memory_core.ide.completion import complete
from memory_core.ide.hover import hover
from memory_core.ide.view import View
from memory_core.layout import Layout
from memory_core.ports import Store
from memory_core.records.record import Record
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.scope import Caller, caller_of
from memory_core.search import search_records
from memory_core.sessions.model import EntryKind
from memory_core.sessions.resume import Said, ToolUse
from memory_core.snapshot import Snapshot
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.store.session_store import SessionStore
from memory_core.text import Position
from memory_core.using.expansion import expand
from memory_core.using.policy import Origin, ResidentRules
from memory_core.using.resident import resident_context
from memory_core.using.turn import expand_turn, give_resident
from tests.using.test_expansion import knowledge, workflow
from tests.using.test_resident import summary

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
TOKEN = "zanzibar-7431"
RECORDS = ("memory/summary.md", "memory/decisions", "memory/requests", "knowledge", "workflow")


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OMOIDE_CONFIG", str(tmp_path / "config.toml"))
    folder = tmp_path / "project"
    folder.mkdir()
    layout, _ = create_root(folder)
    for path, text in {
        "knowledge/port.md": knowledge("port 8080", model_invokation="true"),
        "knowledge/other.md": knowledge("Other."),
        "workflow/go.md": workflow(requires="[other]"),
        "memory/summary.md": summary(),
    }.items():
        (layout.root / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def store(workspace: Path) -> FileStore:
    return FileStore(Layout(workspace / ".omoide"), lambda: NOW)


@pytest.fixture
def sessions(store: FileStore) -> SessionStore:
    return SessionStore(store.layout.sessions)


def hashes(root: Path, below: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in below:
        path = root / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                found[file.relative_to(root).as_posix()] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def omoide(workspace: Path, *arguments: str) -> int:
    try:
        main(["--workspace", str(workspace), *arguments])
    except SystemExit as error:
        return int(error.code or 0)
    return 0


def converse(sessions: SessionStore, session_id: str, turns: int, word: str = "tabs") -> None:
    for number in range(turns):
        sessions.append(session_id, EntryKind.USER_MESSAGE, text=f"{number}: from now on, always use {word}.")
        sessions.append(session_id, EntryKind.TOOL_CALL, call_id=f"c{number}", name="run", arguments={"command": "ls"})
        sessions.append(session_id, EntryKind.TOOL_RESULT, call_id=f"c{number}", summary=f"listed {word}")
        sessions.append(session_id, EntryKind.ASSISTANT_MESSAGE, text=f"Understood, {word} it is.")


def test_r1_transcripts_are_written_to_the_session_store_only(store: FileStore, sessions: SessionStore) -> None:
    before = hashes(store.layout.root, RECORDS)
    session_id = sessions.create("mine")
    append = lambda kind, fields: sessions.append(session_id, kind, **fields)  # noqa: E731
    snapshot = store.load()
    give_resident(store, snapshot, Origin.CHAT, ResidentRules(), session_id=session_id, now=NOW, append=append)
    converse(sessions, session_id, 50)
    expand_turn(store, snapshot, "#port /go #nope", actor="human", session_id=session_id, now=NOW, append=append)
    assert omoide(store.layout.workspace, "extract", "--session", session_id) == 0
    assert hashes(store.layout.root, RECORDS) == before


def test_r2_a_resumed_session_has_no_orphan_call_or_result(sessions: SessionStore) -> None:
    session_id = sessions.create("mine")
    converse(sessions, session_id, 5)
    sessions.append(session_id, EntryKind.TOOL_RESULT, call_id="never-called", summary="?")
    sessions.append(session_id, EntryKind.TOOL_CALL, call_id="cut", name="run", arguments={})
    for budget in (None, 400, 100, 1):
        view = sessions.resume(session_id, budget)
        for item in view.items:
            if isinstance(item, ToolUse):
                assert item.call.call_id != "never-called"
                assert item.result is None or item.result.call_id == item.call.call_id
        assert view.unpaired == 1


def test_r3_what_one_may_not_see_is_not_listed_read_or_found(store: FileStore, sessions: SessionStore) -> None:
    identities = [{}, {"agent": "a"}, {"agent": "b"}, {"agent": "a", "tenant": "t"}, {"principal": "p"}]
    for number, scope in enumerate(identities):
        sessions.create("mine", scope=scope, session_id=f"s-{number}")
        inner = ", ".join(f"{key}: {value}" for key, value in scope.items())
        text = knowledge(**({"scope": f"{{{inner}}}"} if scope else {}))
        (store.layout.root / f"knowledge/k-{number}.md").write_text(text, encoding="utf-8")
    snapshot = store.load()
    names = " ".join(f"#k-{number}" for number in range(len(identities)))
    for number, scope in enumerate(identities):
        assert [info.session_id for info in sessions.sessions(scope)] == [f"s-{number}"]
        seen = {item.ref.slug for item in expand(snapshot, names, caller=caller_of(scope)).records}
        allowed = {f"k-{n}" for n, other in enumerate(identities) if other.items() <= scope.items()}
        assert seen == allowed
    assert [info.session_id for info in sessions.sessions()] == ["s-0"]  # no identity is nobody, not everybody


def test_r4_history_is_not_knowledge_of_another_session(store: FileStore, sessions: SessionStore) -> None:
    first = sessions.create("mine")
    converse(sessions, first, 3, TOKEN)
    assert omoide(store.layout.workspace, "extract", "--session", first) == 0  # staged is not known either
    snapshot = store.load()
    assert TOKEN not in resident_context(snapshot, Origin.CHAT, ResidentRules(), now=NOW).text
    assert search_records(snapshot, TOKEN) == []
    assert not complete(snapshot, View("#zan"), Position(0, 4)).items
    assert "always use" not in repr(hover(snapshot, View(f"#{TOKEN}"), Position(0, 3), now=NOW))
    found = expand(snapshot, f"#{TOKEN} and #port")
    assert [item.ref.slug for item in found.records] == ["port"]
    assert "always use" not in found.text


def test_r5_trimming_alters_the_view_and_never_the_log(store: FileStore, sessions: SessionStore) -> None:
    session_id = sessions.create("mine")
    converse(sessions, session_id, 50)
    log, records = sessions.path(session_id).read_bytes(), hashes(store.layout.root, RECORDS)
    view = sessions.resume(session_id, 200)
    assert sessions.path(session_id).read_bytes() == log
    assert hashes(store.layout.root, RECORDS) == records
    assert view.trimmed > 0
    assert view.trim_marker is not None
    assert str(view.trimmed) in view.trim_marker.replace(",", "")
    assert isinstance(view.items[0], Said)
    assert view.items[0].role == "user"  # whole turns


def test_r6_deleting_one_side_leaves_the_other(store: FileStore, sessions: SessionStore) -> None:
    session_id = sessions.create("mine")
    sessions.append(session_id, EntryKind.USER_MESSAGE, text="We decided to use TOML instead of YAML for settings.")
    sessions.append(session_id, EntryKind.ASSISTANT_MESSAGE, text="Done.")
    assert omoide(store.layout.workspace, "extract", "--session", session_id) == 0
    assert omoide(store.layout.workspace, "consolidate") == 0
    log = sessions.path(session_id).read_bytes()
    (decision,) = (store.layout.root / "memory/decisions").glob("*.md")
    made = hashes(store.layout.root, RECORDS)
    deleted = sessions.delete(session_id)
    assert hashes(store.layout.root, RECORDS) == made
    assert "1 record made from it" in deleted.kept
    sessions.path(session_id).write_bytes(log)
    assert omoide(store.layout.workspace, "archive", "decision", decision.stem) == 0
    assert not decision.exists()
    assert sessions.path(session_id).read_bytes() == log


def test_r7_the_users_words_come_first_and_stay_as_they_are(store: FileStore) -> None:
    turn = "The port is 9090 now, whatever #port says."
    expansion = expand(store.load(), turn)
    assert expansion.behind(turn).startswith(turn)
    assert "port 8080" in expansion.text
    context = resident_context(store.load(), Origin.CHAT, ResidentRules(), now=NOW).text
    assert context.index("What the user says comes first") < context.index("## Summary")


def test_r8_no_command_on_memory_touches_a_log(store: FileStore, sessions: SessionStore) -> None:
    session_id = sessions.create("mine")
    converse(sessions, session_id, 4)
    log = sessions.path(session_id)
    before = log.read_bytes()
    for command in (
        ("lint",),
        ("read", "knowledge", "port"),
        ("search", "port"),
        ("expand", "#port"),
        ("context", "--record"),
        ("new", "knowledge", "fresh"),
        ("rename", "knowledge", "other", "another"),
        ("archive", "knowledge", "fresh"),
        ("usage", "report"),
        ("status",),
        ("sessions",),
        ("staging",),
        ("consolidate",),
    ):
        assert omoide(store.layout.workspace, *command) in (0, 1), command
        assert log.read_bytes() == before, command
    assert omoide(store.layout.workspace, "extract", "--session", session_id) == 0
    assert log.read_bytes().startswith(before)  # the pointer is appended, by the session layer, and nothing else
    added = log.read_text(encoding="utf-8")[len(before.decode()) :]
    assert all('"kind":"extension"' in line for line in added.splitlines())


def test_r9_every_write_says_by_whose_will(store: FileStore, sessions: SessionStore) -> None:
    assert omoide(store.layout.workspace, "new", "decision", "by-hand") == 0
    session_id = sessions.create("mine")
    sessions.append(session_id, EntryKind.USER_MESSAGE, text="We decided to use TOML instead of YAML for settings.")
    sessions.append(session_id, EntryKind.ASSISTANT_MESSAGE, text="Done.")
    assert omoide(store.layout.workspace, "extract", "--session", session_id) == 0
    assert omoide(store.layout.workspace, "consolidate") == 0
    origins = {slug: origin_of(store, RecordRef(Kind.DECISION, slug)) for slug in decisions(store)}
    assert origins.pop("by-hand") == "user"
    assert set(origins.values()) == {"policy:consolidate"}  # an agent's write over MCP is `tool`: see tests/mcp


def test_r10_a_record_that_a_policy_wrote_says_where_it_comes_from(store: FileStore, sessions: SessionStore) -> None:
    session_id = sessions.create("mine")
    sessions.append(session_id, EntryKind.USER_MESSAGE, text="We decided to use TOML instead of YAML for settings.")
    sessions.append(session_id, EntryKind.ASSISTANT_MESSAGE, text="Done.")
    assert omoide(store.layout.workspace, "extract", "--session", session_id) == 0
    assert omoide(store.layout.workspace, "consolidate") == 0
    (slug,) = decisions(store)
    record = store.load().record(RecordRef(Kind.DECISION, slug))
    assert record is not None
    (source,) = record.sources
    assert source.session_id == session_id
    entry = sessions.read(session_id).entries[source.start]
    assert source.anchors[0]["sha256"] == entry.sha256


def test_r11_a_scope_survives_a_rename_and_an_edit(store: FileStore) -> None:
    path = store.layout.root / "knowledge/mine.md"
    path.write_text(knowledge(scope="{agent: codex}"), encoding="utf-8")
    assert omoide(store.layout.workspace, "rename", "knowledge", "mine", "ours") == 0
    snapshot = store.load()
    assert expand(snapshot, "#ours").records == ()
    assert len(expand(snapshot, "#ours", caller=Caller(agent="codex")).records) == 1


def test_r12_the_store_has_every_method_of_the_one_contract() -> None:
    wanted = {name for name, value in inspect.getmembers(Store) if not name.startswith("_") and callable(value)}
    assert wanted <= {name for name, _ in inspect.getmembers(FileStore)}


def test_r13_the_store_knows_no_policy() -> None:
    folder = Path(__file__).resolve().parent.parent / "memory_core/store"
    for path in folder.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
        for module in named:
            assert module.split(".")[:2][-1] not in ("extract", "consolidate", "using", "providers", "cli"), path.name


def test_r14_nothing_derived_is_an_authority(store: FileStore) -> None:
    def answers() -> list[object]:
        snapshot = store.load()
        context = resident_context(snapshot, Origin.CHAT, ResidentRules(), now=NOW).text
        return [context, expand(snapshot, "#port").text, search_records(snapshot, "port"), store.usage_report()]

    omoide(store.layout.workspace, "lint")
    first = answers()
    shutil.rmtree(store.layout.cache, ignore_errors=True)
    assert answers() == first
    path = store.layout.root / "knowledge/port.md"
    path.write_text(path.read_text(encoding="utf-8").replace("8080", "9090"), encoding="utf-8")
    assert "port 9090" in expand(store.load(), "#port").text


def test_r15_a_code_session_is_given_nothing_unasked_and_a_chat_is(store: FileStore) -> None:
    """The hook and the MCP resource have tests of their own; all of them go through this one function."""
    snapshot = store.load()
    assert "We build an importer." in resident_context(snapshot, Origin.CHAT, ResidentRules(), now=NOW).text
    assert resident_context(snapshot, Origin.CODE, ResidentRules(), now=NOW).text == ""


def test_r15_there_is_one_place_where_memory_is_put_in_unasked() -> None:
    root = Path(__file__).resolve().parent.parent
    sources = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for folder in ("memory_core", "server")
        for path in (root / folder).rglob("*.py")
    }
    callers = {name for name, text in sources.items() if re.search(r"\bresident_context\(", text)}
    assert callers == {
        "memory_core/using/resident.py",
        "memory_core/using/turn.py",
        "memory_core/cli/context.py",
        "memory_core/agents/hook.py",
        "server/commands/resident.py",  # shows a person what a session would be given
    }
    for name, text in sources.items():  # workers of ours see records as data, never as context
        if name.startswith(("memory_core/extract", "memory_core/consolidate", "memory_core/providers")):
            assert "memory_core.using" not in text, name


def test_r16_a_name_in_a_code_session_opens_that_record_and_no_other(store: FileStore) -> None:
    found = expand(store.load(), "use #port")
    assert [str(item.ref) for item in found.records] == ["#port"]
    assert "We build an importer." not in found.text
    assert "Other." not in found.text


def decisions(store: FileStore) -> list[str]:
    return list(store.load().index.names[Kind.DECISION])


def origin_of(store: FileStore, ref: RecordRef) -> object:
    snapshot: Snapshot = store.load()
    record: Record | None = snapshot.record(ref)
    return record.value("origin") if record else None
