"""Bugs that readers of agents' logs have had, by their number in our list: doubles, origins and order, in a home as
agents leave it. Those of reading alone are in `test_session_bugs_reading`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from memory_core.sessions.activity import activity_tokens
from memory_core.sessions.copies import COPIED
from memory_core.sessions.model import EntryKind, Session, Speaker
from memory_core.store.session_places import Belonging
from memory_core.workspace import Workspace
from tests.sessions.agents import DATA, made_database


def line(uuid: str, text: Any, session: str, cwd: Path | str, **more: Any) -> dict[str, Any]:
    kind = more.pop("type", "user")
    record = {"type": kind, "uuid": uuid, "sessionId": session, "cwd": str(cwd), "timestamp": "2026-04-01T09:00:00Z"}
    return {**record, "message": {"role": kind, "content": text}, **more}


def write(folder: Path, name: str, *records: Any) -> Path:
    path = folder.parent / ".claude/projects" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def said(session: Session, speaker: Speaker = Speaker.HUMAN) -> list[str]:
    """What somebody said, without what another session has too."""
    return [entry.text for entry in session.entries if entry.speaker is speaker and entry.subtype != COPIED]


def found(workspace: Workspace) -> list[str]:
    return sorted(ref.session_id for ref in workspace.sessions())


def test_session_bug_01_a_history_written_again_with_every_turn_is_read_once(
    folder: Path, workspace: Workspace
) -> None:
    turns = [line(f"u{n}", f"Turn {n}.", "s", folder) for n in range(4)]
    write(folder, "p/s", *(turn for end in range(1, 5) for turn in turns[:end]))
    session = workspace.session("s")
    assert said(session) == ["Turn 0.", "Turn 1.", "Turn 2.", "Turn 3."]
    assert session.skipped["duplicate:uuid"] == 6


def test_session_bug_03_entries_appended_again_under_another_folder_keep_their_first_copy(
    folder: Path, workspace: Workspace
) -> None:
    """The first copy is the entry, where it stood; what the last one says of the folder is kept too."""
    once = [line("u1", "Keep it.", "s", folder), line("u2", "I will.", "s", folder, type="assistant")]
    again = [{**record, "cwd": str(folder / "sub")} for record in once]
    write(folder, "p/s", *once, *again, line("u3", "Next.", "s", folder / "sub"))
    session = workspace.session("s")
    assert [(entry.text, entry.line) for entry in session.entries] == [("Keep it.", 0), ("I will.", 1), ("Next.", 4)]
    assert session.cwds == (str(folder), str(folder / "sub"))


def test_session_bug_05_the_session_on_the_lines_counts_and_not_the_files_name(
    folder: Path, workspace: Workspace
) -> None:
    write(folder, "p/named-a", line("u1", "Resumed here.", "b", folder))
    assert found(workspace) == ["b"]
    assert said(workspace.session("b")) == ["Resumed here."]


def test_session_bug_05_a_session_resumed_in_the_file_of_another_is_not_found_twice(
    folder: Path, workspace: Workspace
) -> None:
    own = [line(f"b{n}", f"Of b, {n}.", "b", folder) for n in range(2)]
    write(folder, "p/a", *(line(f"a{n}", f"Of a, {n}.", "a", folder) for n in range(100)), *own)
    write(folder, "p/b", *own, line("b2", "Of b, later.", "b", folder))
    a, b = workspace.session("a"), workspace.session("b")
    assert sorted(said(a) + said(b)) == sorted({*said(a), *said(b)})
    assert {"Of a, 99.", "Of b, 0.", "Of b, 1.", "Of b, later."} <= {*said(a), *said(b)}


def test_session_bug_07_one_message_on_several_lines_counts_as_much_as_on_one(
    folder: Path, workspace: Workspace
) -> None:
    blocks = [
        {"type": "text", "text": "I will look."},
        {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a.py"}},
        {"type": "tool_use", "id": "t2", "name": "Read", "input": {"file_path": "b.py"}},
    ]

    def message(uuid: str, session: str, content: list[Any]) -> dict[str, Any]:
        record = line(uuid, content, session, folder, type="assistant", requestId="r1")
        return {**record, "message": {**record["message"], "id": "m1", "usage": {"output_tokens": 90}}}

    write(folder, "p/one", message("u1", "one", blocks))
    # Every line repeats what came before it: so did one version of the program.
    write(folder, "p/split", *(message(f"s{n}", "split", blocks[: n + 1]) for n in range(3)))
    one, split = workspace.session("one"), workspace.session("split")
    assert [entry.text for entry in split.entries] == [entry.text for entry in one.entries]
    assert activity_tokens(split.entries) == activity_tokens(one.entries) > 0


def test_session_bug_08_a_first_message_recorded_twice_is_said_once(folder: Path, workspace: Workspace) -> None:
    first = line("u1", "Build the parser.", "s", folder)
    write(folder, "p/s", first, first, line("u2", "Yes.", "s", folder, type="assistant"))
    assert said(workspace.session("s")) == ["Build the parser."]


def test_session_bug_09_a_summary_repeated_by_an_idle_agent_is_no_entry_each_time(
    folder: Path, workspace: Workspace
) -> None:
    summary = {"type": "summary", "summary": "Parser work", "leafUuid": "u1"}
    write(folder, "p/s", line("u1", "Build it.", "s", folder), *[summary] * 50)
    session = workspace.session("s")
    assert [entry.subtype for entry in session.entries] == [None, "summary"]
    assert session.title == "Parser work"


@pytest.mark.parametrize("workspace_is", ["C:\\Users\\Ann\\app", "c:\\users\\ann\\app", "/mnt/c/Users/Ann/app"])
@pytest.mark.parametrize(
    "cwd",
    [
        "c:\\Users\\Ann\\app",
        "C:\\Users\\Ann\\app\\src",
        "C:/Users/ann/app",
        "/mnt/c/users/Ann/app",
        "/mnt/c/Users/Ann/app/",
    ],
)
def test_session_bug_20_a_drive_is_the_same_however_it_is_spelled(workspace_is: str, cwd: str) -> None:
    """T54: on Windows, and seen from the Linux beside it."""
    belonging = Belonging(Path(workspace_is))
    assert belonging.holds(cwd)
    assert belonging.named_in(json.dumps({"cwd": cwd}).encode())


@pytest.mark.parametrize(
    "cwd", ["D:\\Users\\Ann\\app", "C:\\Users\\Ann\\app2", "/mnt/d/Users/Ann/app", "app", ".", "C:"]
)
def test_session_bug_20_another_drive_or_folder_stays_another(cwd: str) -> None:
    assert not Belonging(Path("C:\\Users\\Ann\\app")).holds(cwd)


def test_session_bug_20_elsewhere_names_that_differ_in_case_are_two_folders(tmp_path: Path) -> None:
    assert not Belonging(tmp_path / "app").holds(str(tmp_path / "APP")) or os.name == "nt"


def test_a_folder_that_is_not_named_from_its_root_belongs_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be looked for below wherever this process happens to run."""
    monkeypatch.chdir(tmp_path)
    assert not Belonging(tmp_path).holds("src")
    assert not Belonging(tmp_path).holds(".")


@pytest.mark.parametrize("escaped", [True, False])
def test_a_later_folder_in_another_script_is_found_however_the_log_spells_it(tmp_path: Path, escaped: bool) -> None:
    record = json.dumps({"cwd": str(tmp_path / "日本")}, ensure_ascii=escaped)
    assert Belonging(tmp_path / "日本").named_in(record.encode())


@pytest.mark.parametrize("order", ["into a worktree", "out of a worktree"])
def test_session_bug_21_a_session_that_changed_its_folder_belongs_to_both(
    folder: Path, tmp_path: Path, workspace: Workspace, order: str
) -> None:
    tree = tmp_path / "app-fix"
    (folder / ".git/worktrees/fix").mkdir(parents=True)
    (folder / ".git/worktrees/fix/gitdir").write_text(str(tree / ".git"))
    folders = [tree, tmp_path / "elsewhere"] if order == "into a worktree" else [tmp_path / "elsewhere", tree]
    write(folder, "p/s", *(line(f"u{n}", f"In {n}.", "s", cwd) for n, cwd in enumerate(folders)))
    assert found(workspace) == ["s"]
    session = workspace.session("s")
    assert said(session) == ["In 0.", "In 1."]
    assert session.cwds == tuple(map(str, folders))


def test_session_bug_22_lines_whose_parents_were_never_written_stay_in_file_order(
    folder: Path, workspace: Workspace
) -> None:
    lines = [line(f"u{n}", f"Turn {n}.", "s", folder, parentUuid=f"lost-{n}") for n in range(5)]
    write(folder, "p/s", *lines)
    assert said(workspace.session("s")) == [f"Turn {n}." for n in range(5)]


def boundary(uuid: str, folder: Path, leads_to: str) -> dict[str, Any]:
    note = line(uuid, "", "s", folder, type="system", subtype="compact_boundary", logicalParentUuid=leads_to)
    return {**note, "content": "Conversation compacted", "parentUuid": None}


def summary(uuid: str, folder: Path, text: str) -> dict[str, Any]:
    return line(uuid, text, "s", folder, isCompactSummary=True)


def test_session_bug_23_a_second_compaction_that_repeats_the_first_half_loses_and_doubles_nothing(
    folder: Path, workspace: Workspace
) -> None:
    """No test of reachability: what no parent leads to is read as well."""
    first = [line("u1", "Use WAL.", "s", folder), line("u2", "Done.", "s", folder, type="assistant", parentUuid="u1")]
    middle = [boundary("c1", folder, "u2"), summary("u3", folder, "So far: WAL."), line("u4", "And UTC.", "s", folder)]
    again = [{**record, "parentUuid": "gone"} for record in (*first, *middle)]
    last = [boundary("c2", folder, "never written"), line("u5", "Ship it.", "s", folder)]
    write(folder, "p/s", *first, *middle, *again, *last)
    session = workspace.session("s")
    assert said(session) == ["Use WAL.", "And UTC.", "Ship it."]
    assert said(session, Speaker.ASSISTANT) == ["Done."]
    assert [entry.text for entry in session.entries if entry.subtype == "compact_summary"] == ["So far: WAL."]


def test_session_bug_24_a_compaction_stands_where_the_file_has_it(folder: Path, workspace: Workspace) -> None:
    """Its time is that of the first message, and its parent is unknown: neither moves it above older ones."""
    early = "2026-04-01T08:00:00Z"
    write(
        folder,
        "p/s",
        line("u1", "One.", "s", folder),
        line("u2", "Two.", "s", folder, parentUuid="lost"),
        {**boundary("c1", folder, "lost"), "timestamp": early},
        {**summary("u3", folder, "Summary."), "timestamp": early},
        line("u4", "Three.", "s", folder),
    )
    texts = [entry.text for entry in workspace.session("s").entries if entry.kind is not EntryKind.EXTENSION]
    assert texts == ["One.", "Two.", "Conversation compacted", "Summary.", "Three."]


def opencode(folder: Path) -> Path:
    """OpenCode's home after it moved to a database: the tree of files is still there."""
    data = folder.parent / ".local/share/opencode"
    shutil.copytree(DATA / "opencode", data)
    return data


def test_session_bug_30_sessions_in_the_database_and_in_the_tree_before_it_are_each_found_once(
    folder: Path, workspace: Workspace
) -> None:
    data = opencode(folder)
    for path in [*data.rglob("*.json"), *data.rglob("*.sql")]:
        path.write_text(path.read_text(encoding="utf-8").replace("/w/app", str(folder)), encoding="utf-8")
    in_tree = found(workspace)
    assert in_tree
    sql = next(data.glob("*.sql"))
    made_database(sql).replace(data / "opencode.db")
    refs = workspace.sessions()
    assert {ref.session_id for ref in refs} >= set(in_tree)
    assert len({ref.session_id for ref in refs}) == len(refs)
    assert any("opencode.db" in str(ref.path) for ref in refs)


def test_every_bug_of_the_list_has_a_test_with_its_number() -> None:
    tests = Path(__file__).parents[1]
    named = {
        int(number)
        for path in tests.rglob("test_*.py")
        for number in re.findall(r"^def test_session_bug_(\d\d)_", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named == set(range(1, 36))
