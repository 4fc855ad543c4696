"""Conversation history against memory: R1-R16 of the authority rules, each where it can be seen from outside.

One owner per transcript, one authority for records; neither ever writes the other's files.
"""

from __future__ import annotations

import ast
import asyncio
import hashlib
import inspect
import random
import re
import shutil
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_core.cli.main import main
from memory_core.config import Config
from memory_core.consolidate.draft import MAX_CHANGES
from memory_core.consolidate.job import consolidate
from memory_core.consolidate.task import ConsolidateInput
from memory_core.ide.completion import complete
from memory_core.ide.hover import hover
from memory_core.ide.view import View
from memory_core.layout import Layout
from memory_core.ports import Silent, Store
from memory_core.records.record import Record
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.scope import Caller, caller_of
from memory_core.search import search_records
from memory_core.sessions.model import EntryKind
from memory_core.sessions.resume import Said, ToolUse
from memory_core.snapshot import Snapshot
from memory_core.store.cache import Cache
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.store.load import load_outlined
from memory_core.store.session_store import SessionStore
from memory_core.text import Position
from memory_core.using.expansion import expand
from memory_core.using.policy import Origin, ResidentRules
from memory_core.using.resident import resident_context
from memory_core.using.turn import expand_turn, give_resident
from memory_core.worker import Work, WorkerReport
from tests.consolidate.conftest import decided, staged
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


@pytest.mark.parametrize("seed", range(20))
def test_r2_any_history_is_read_as_it_was_written_and_resumed_in_pairs(sessions: SessionStore, seed: int) -> None:
    """Parallel calls, results that come late, twice, or never, reasoning, empty and foreign words."""
    draw = random.Random(seed)
    words = ["", "ok", "日本語とemoji 🙂", "a\u2028b\nc", '\\ "quoted"']
    session_id = sessions.create("mine")
    written: list[tuple[str, dict[str, Any]]] = []
    for number in range(40):
        call, text = f"c{draw.randrange(12)}", draw.choice(words)
        kind, fields = draw.choice(
            [
                ("user_message", {"text": text}),
                ("assistant_message", {"text": text}),
                ("reasoning", {"text": f"because {number}"}),
                ("tool_call", {"call_id": call, "name": "run", "arguments": {"command": text, "n": number}}),
                ("tool_result", {"call_id": call, "summary": text, "is_error": bool(number % 2)}),
            ]
        )
        sessions.append(session_id, kind, **fields)
        written.append((kind, fields))
    read = sessions.read(session_id).entries[1:]
    assert [(e.kind, e.call_id, dict(e.arguments)) for e in read] == [
        (kind, fields.get("call_id"), fields.get("arguments", {})) for kind, fields in written
    ]
    said = [(e.kind, e.text) for e in read if e.kind in (EntryKind.USER_MESSAGE, EntryKind.ASSISTANT_MESSAGE)]
    assert said == [(kind, fields["text"]) for kind, fields in written if "message" in kind]
    for budget in (None, 2_000, 300, 40, 1):
        view = sessions.resume(session_id, budget)
        uses = [item for item in view.items if isinstance(item, ToolUse)]
        results = [use.result for use in uses if use.result]
        assert all(use.result.call_id == use.call.call_id for use in uses if use.result)
        assert len({result.index for result in results}) == len(results)
        assert not any("because" in item.text for item in view.items if isinstance(item, Said))
        if budget is None:
            calls = sum(kind == "tool_call" for kind, _ in written)
            assert (len(uses), view.trimmed) == (calls, 0)
            assert len(results) + view.unpaired == sum(kind == "tool_result" for kind, _ in written)


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


def test_r7_the_users_words_come_first_and_stay_as_they_are(store: FileStore, sessions: SessionStore) -> None:
    turn = "The port is 9090 now, whatever #port says."
    session_id = sessions.create("mine")
    append = lambda kind, fields: sessions.append(session_id, kind, **fields)  # noqa: E731
    snapshot, rules = store.load(), ResidentRules()
    context = give_resident(store, snapshot, Origin.CHAT, rules, session_id=session_id, now=NOW, append=append).text
    append(EntryKind.USER_MESSAGE, {"text": turn})
    expansion = expand_turn(store, snapshot, turn, actor="human", session_id=session_id, now=NOW, append=append)
    given = expansion.behind(turn)
    assert given.startswith(turn)
    assert given.index("9090") < given.index("port 8080")
    assert '<omoide-memory kind="knowledge" name="#port" updated="2026-01-02">' in given, (
        "dated, and no word of a person"
    )
    order = ("What the user says comes first", "the repository's own instructions", "then these notes", "## Summary")
    assert [context.index(words) for words in order] == sorted(context.index(words) for words in order)
    assert "they may be out of date" in context
    assert "8080" not in context, "a record speaks only where it is named"
    humans = [entry for entry in sessions.read(session_id).entries if entry.kind is EntryKind.USER_MESSAGE]
    assert [entry.text for entry in humans] == [turn]


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
    """An agent's write over MCP is `tool`: see tests/mcp."""
    assert omoide(store.layout.workspace, "new", "decision", "by-hand") == 0
    session_id = sessions.create("mine")
    sessions.append(session_id, EntryKind.USER_MESSAGE, text="We decided to use TOML instead of YAML for settings.")
    sessions.append(session_id, EntryKind.ASSISTANT_MESSAGE, text="Done.")
    assert omoide(store.layout.workspace, "extract", "--session", session_id) == 0
    assert omoide(store.layout.workspace, "consolidate") == 0
    (made,) = set(decisions(store)) - {"by-hand"}
    assert omoide(store.layout.workspace, "promote", "decision", made, "--slug", "promoted") == 0
    assert omoide(store.layout.workspace, "rename", "decision", made, "renamed") == 0
    origins = {slug: origin_of(store, RecordRef(Kind.DECISION, slug)) for slug in decisions(store)}
    assert origins == {"by-hand": "user", "renamed": "policy:consolidate"}
    assert origin_of(store, RecordRef(Kind.KNOWLEDGE, "promoted")) == "user"


def test_r9_what_is_beyond_the_cap_of_a_run_is_left_and_told(store: FileStore) -> None:
    """A candidate too many waits for the next run, a record too many is refused with the reason."""
    file = staged(1, *(decided(f"Use part {number} of the kit", number) for number in range(MAX_CHANGES + 1)))
    store.stage(file)
    told: list[str] = []

    class Eager:
        name, model = "eager", "m-1"

        async def run(self, work: Work, view: ConsolidateInput) -> WorkerReport:
            for number, ref in enumerate([*view.candidates, view.candidates[-1]]):
                body = f"# Use part {number} of the kit"
                args = {"kind": "decision", "slug": f"part-{number}", "body": body, "candidates": [ref.id]}
                result = work.toolbox.call("MemoryWrite", args)
                told.append(result.text if result.is_error else "")
            return WorkerReport()

    run = asyncio.run(
        consolidate("run", store=store, worker=Eager(), config=Config(), progress=Silent(), now=lambda: NOW)
    )
    assert len([change for change in run.changes if change.kind == "decision"]) == MAX_CHANGES
    assert [bool(text) for text in told] == [False] * MAX_CHANGES + [True]
    assert str(MAX_CHANGES) in told[-1]
    assert run.left == (f"{file.id}/decisions/{MAX_CHANGES}",)
    assert store.staging().open == set(run.left)


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


def test_r12_the_store_keeps_the_one_contract_to_the_letter() -> None:
    """Each method takes what the contract says by the same names, in the same order, with the same defaults."""
    wanted = {name: value for name, value in inspect.getmembers(Store, callable) if not name.startswith("_")}
    assert len(wanted) > 30
    for name, contract in wanted.items():
        mine = inspect.signature(getattr(FileStore, name)).parameters
        theirs = inspect.signature(contract).parameters
        for each, parameter in theirs.items():
            assert (mine[each].kind, mine[each].default) == (parameter.kind, parameter.default), (name, each)
        more = [parameter for each, parameter in mine.items() if each not in theirs]
        assert all(parameter.default is not parameter.empty for parameter in more), name
        assert [each for each in mine if each in theirs] == list(theirs), name


def test_r12_another_backend_is_an_error_and_never_a_fallback(
    store: FileStore, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is one: who names another is told, and so is who names a provider that there is not."""
    (store.layout.root / "config.toml").write_text('[memory]\nbackend = "sqlite"\n', encoding="utf-8")
    assert omoide(store.layout.workspace, "lint") == 0
    assert "Unknown setting `memory.backend`" in "".join(capsys.readouterr())
    (store.layout.root / "config.toml").unlink()
    store.stage(staged(1, decided("Use a kit")))
    assert omoide(store.layout.workspace, "consolidate", "--provider", "sqlite") != 0
    assert "sqlite" in "".join(capsys.readouterr())
    assert len(store.staging().open) == 1


def test_r30_there_is_one_store() -> None:
    """The contract is for one store; a second one would be a second authority."""
    folder = Path(__file__).resolve().parent.parent
    stores = [
        f"{path.relative_to(folder)}:{node.name}"
        for top in ("memory_core", "server")
        for path in (folder / top).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and {"load", "commit", "tombstones"} <= {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
    ]
    assert sorted(stores) == ["memory_core/ports.py:Store", "memory_core/store/filestore.py:FileStore"]


def test_r13_the_store_knows_no_policy() -> None:
    folder = Path(__file__).resolve().parent.parent / "memory_core/store"
    for path in folder.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
        for module in named:
            assert module.split(".")[:2][-1] not in ("extract", "consolidate", "using", "providers", "cli"), path.name


def test_r14_nothing_derived_is_an_authority(store: FileStore) -> None:
    cache, later = Cache(store.layout), time.time_ns() + 10**11

    def answers(snapshot: Snapshot) -> list[object]:
        context = resident_context(snapshot, Origin.CHAT, ResidentRules(), now=NOW).text
        shown = complete(snapshot, View("#po"), Position(0, 3)).items
        return [context, expand(snapshot, "#port").text, search_records(snapshot, "port"), shown, store.usage_report()]

    _, outlines = load_outlined(cache, later)
    assert outlines.save(cache)
    assert cache.path.is_file(), "without an index this test would show nothing"
    indexed, outlines = load_outlined(cache, later)
    assert outlines.read == 0, "all of it from the index"
    first = answers(indexed)
    assert first == answers(store.load())
    shutil.rmtree(store.layout.cache)
    rebuilt, outlines = load_outlined(cache, later)
    assert outlines.read == len(rebuilt.documents) > 0
    assert outlines.save(cache)
    assert answers(rebuilt) == answers(load_outlined(cache, later)[0]) == first
    path = store.layout.root / "knowledge/port.md"
    path.write_text(path.read_text(encoding="utf-8").replace("8080", "9090"), encoding="utf-8")
    for snapshot in (load_outlined(cache, later)[0], store.load()):
        assert "port 9090" in expand(snapshot, "#port").text
        assert not search_records(snapshot, "8080")


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
