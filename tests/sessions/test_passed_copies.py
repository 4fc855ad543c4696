"""Of a history that several sessions hold each word is extracted somewhere, also where its original changes."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from memory_core.cli.main import cli
from memory_core.sessions.copies import COPIED, with_copies_marked
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.sessions.pointer import Pointer
from memory_core.store.discovery import create_root
from memory_core.store.session_store import SessionStore
from memory_core.testing import session_of
from memory_core.workspace import Workspace, open_workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    create_root(tmp_path)
    return open_workspace(tmp_path, {"HOME": str(tmp_path), "OMOIDE_CONFIG": str(tmp_path / "none.toml")})


def extract(workspace: Workspace, session_id: str) -> list[str]:
    """What an extract reads of a session, and goes by."""
    session = workspace.session(session_id)
    fresh = session.entries[workspace.store.pointer(session).processed_through_entry + 1 :]
    workspace.store.advance(session, Pointer(len(session.entries) - 1))
    asked = (entry for entry in fresh if entry.subtype not in (COPIED, "rolled_back"))
    return [entry.text for entry in asked if entry.kind is EntryKind.USER_MESSAGE]


def says(path: Path, session: str, *numbers: int) -> None:
    """Lines of another program: the same number is the same message wherever it stands."""
    with path.open("a", encoding="utf-8") as log:
        for n in numbers:
            message = {"role": "user", "content": f"words {n}"}
            about = {"uuid": f"u{n}", "sessionId": session, "timestamp": f"2026-04-01T09:{n:02d}:00Z"}
            log.write(json.dumps({"type": "user", "cwd": str(path.parents[3]), "message": message, **about}) + "\n")


def test_a_session_that_goes_on_after_its_fork_was_extracted_is_still_asked_for_what_both_hold(
    workspace: Workspace,
) -> None:
    """The fork was extracted alone and went by the shared words, since the session had them first. Then the session
    goes on, later than the fork did, and is the younger one of the two."""
    folder = Path(workspace.environment["HOME"]) / ".claude/projects/p"
    folder.mkdir(parents=True)
    says(folder / "a.jsonl", "a", 1, 2)
    says(folder / "b.jsonl", "b", 1, 2, 3)
    assert extract(workspace, "b") == ["words 3"]
    says(folder / "a.jsonl", "a", 4)
    assert extract(workspace, "a") == ["words 1", "words 2", "words 4"]
    says(folder / "c.jsonl", "c", 1, 2, 5)
    assert extract(workspace, "c") == ["words 5"]


@pytest.mark.parametrize("extracted", [False, True])
def test_the_words_of_a_fork_are_asked_for_there_once_its_original_is_gone_unread(
    workspace: Workspace, extracted: bool
) -> None:
    """Claude Code deletes logs after a month. What was extracted of one before is not asked for again."""
    folder = Path(workspace.environment["HOME"]) / ".claude/projects/p"
    folder.mkdir(parents=True)
    says(folder / "a.jsonl", "a", 1, 2)
    says(folder / "b.jsonl", "b", 1, 2, 3)
    assert extract(workspace, "b") == ["words 3"]
    if extracted:
        assert extract(workspace, "a") == ["words 1", "words 2"]
    assert extract(workspace, "b") == []
    (folder / "a.jsonl").unlink()
    assert extract(workspace, "b") == ([] if extracted else ["words 1", "words 2", "words 3"])
    assert extract(workspace, "b") == []


def test_what_was_taken_back_in_the_original_is_asked_for_in_the_fork_that_kept_it(workspace: Workspace) -> None:
    store = SessionStore(workspace.layout.sessions)
    old = store.create("agent", cwd=str(workspace.layout.workspace))
    for text in ("words 1", "words 2"):
        store.append(old, "user_message", text=text)
    fork = store.fork(old, 2)
    store.append(fork, "user_message", text="words 3")
    store.rewind(old, 1)
    assert extract(workspace, old) == ["words 1"]
    assert extract(workspace, fork) == ["words 2", "words 3"]


def test_going_back_leads_to_the_same_entry_in_a_fork(workspace: Workspace) -> None:
    """Extensions do not go along, so that every entry behind one has another index there."""
    store = SessionStore(workspace.layout.sessions)
    old = store.create("agent")
    for number in range(4):
        store.append(old, "user_message", text=f"words {number}")
        store.extend(old, "some.domain", {})
    store.rewind(old, 3)
    fork = store.read(store.fork(old, 9))
    assert [e.text for e in fork.entries if e.subtype == "rolled_back"] == ["words 2", "words 3"]


def test_a_session_that_is_brought_into_another_store_is_extracted_there(workspace: Workspace, tmp_path: Path) -> None:
    """Its pointer and the labels of its copies went along, and nothing of it was ever asked for."""
    store = SessionStore(workspace.layout.sessions)
    old = store.create("agent", cwd=str(tmp_path))
    store.append(old, "user_message", text="words 1")
    fork = store.fork(old, 1)
    store.append(fork, "user_message", text="words 2")
    store.extend(fork, "some.domain", {"kept": True})
    assert extract(workspace, fork) == ["words 2"]
    there = tmp_path / "there"
    there.mkdir()
    create_root(there)
    file = str(tmp_path / "fork.jsonl")
    run = CliRunner()
    for arguments in (["export", fork, "--format", "omoide", "--out", file], ["import", file]):
        place = tmp_path if arguments[0] == "export" else there
        done = run.invoke(cli, ["--workspace", str(place), "sessions", *arguments], env=dict(workspace.environment))
        assert done.exit_code == 0, done.output
    other = open_workspace(there, workspace.environment)
    assert extract(other, fork) == ["words 1", "words 2"]
    assert SessionStore(other.layout.sessions).extensions(fork, "some.domain") == [{"kept": True}]
    exported = Path(file).read_text(encoding="utf-8")
    before = exported.replace('"text":"words 1"', '"text":"words 1","subtype":"copied"')
    assert before != exported
    other.session(fork).path.write_text(before, encoding="utf-8")  # type: ignore[union-attr]
    assert extract(other, fork) == ["words 1", "words 2"]


def entry(number: int, at: int) -> Entry:
    return Entry(at, EntryKind.USER_MESSAGE, Speaker.HUMAN, f"words {number}", f"{number:06d}", native_id=f"n{number}")


@pytest.mark.parametrize("seed", range(300))
def test_whenever_sessions_fork_grow_and_are_extracted_each_word_is_extracted(seed: int) -> None:
    """And of a family that nobody extracts in between, once."""
    dice = random.Random(seed)
    words: dict[str, list[int]] = {"s0": []}
    through: dict[str, int] = {"s0": -1}
    passed: dict[str, set[int]] = {"s0": set()}
    done: set[int] = set()

    def read(name: str) -> Session:
        entries = tuple(entry(number, at) for at, number in enumerate(words[name]))
        return Session(name, "x", Path(f"/{name}"), entries)

    def ask(name: str) -> None:
        others = [read(other) for other in words if other != name]
        marked = with_copies_marked(read(name), others, lambda other: passed[other.session_id])
        for at in range(through[name] + 1, len(words[name])):
            if marked.entries[at].subtype == COPIED:
                passed[name].add(at)
            else:
                done.add(words[name][at])
        through[name] = len(words[name]) - 1

    for clock in range(1, dice.randint(4, 15)):
        name = dice.choice(sorted(words))
        match dice.randint(0, 3):
            case 0 if len(words) < 5:
                new = f"s{dice.choice('abc')}{clock}"
                words[new], through[new], passed[new] = words[name][: dice.randint(0, len(words[name]))], -1, set()
            case 1:
                ask(name)
            case _:
                words[name].append(clock)
    for name in sorted(words, key=lambda _: dice.random()):
        ask(name)
    assert done == {number for said in words.values() for number in said}


def test_messages_without_ids_are_asked_for_by_their_order() -> None:
    old = Session("a", "x", Path("/a"), tuple(replace(entry(n, n), native_id=None) for n in (0, 1, 2)))
    fork = [replace(entry(n, at), native_id=None) for at, n in enumerate((0, 1))]
    young = Session("b", "x", Path("/b"), (*fork, replace(entry(9, 2), native_id=None, ts="000000")))
    alone = with_copies_marked(old, [young])
    assert [e.subtype for e in alone.entries] == [COPIED, COPIED, None]
    marked = with_copies_marked(old, [young], lambda _: {0, 1})
    assert [e.subtype for e in marked.entries] == [None, None, None]


def test_what_was_taken_back_while_it_was_extracted_and_counts_again_is_asked_for_once(workspace: Workspace) -> None:
    """Gemini's `/rewind` and a chat's undo can be taken back themselves."""
    session = session_of(*[("human", f"words {number}") for number in range(4)])

    def with_back(*numbers: int) -> Session:
        entries = (replace(e, subtype="rolled_back") if e.index in numbers else e for e in session.entries)
        return replace(session, entries=tuple(entries))

    store = workspace.store
    store.advance(with_back(1, 2), Pointer(3))
    assert store.pointer(with_back(1, 2)) == Pointer(3)
    assert store.pointer(with_back(2)) == Pointer(0)
    store.advance(with_back(2), Pointer(3))
    assert store.pointer(with_back(2)) == Pointer(3), "read now, and no more to be asked for"
    assert store.pointer(with_back()) == Pointer(1), "the other one still is"
    store.advance(with_back(), Pointer(3))
    assert store.pointer(with_back()) == Pointer(3)
    store.advance(with_back(0), Pointer(3))
    assert store.pointer(with_back()) == Pointer(3), "extracted before it was taken back"
