"""Resumed, forked and moved sessions: a shared history is one history."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from memory_core.extract.evidence import collect
from memory_core.sessions.activity import activity_tokens
from memory_core.sessions.copies import COPIED, with_copies_marked
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker


def session(name: str, *said: str | tuple[str, str], start: int = 0) -> Session:
    """A session whose entries are `id:text` by turns of human and assistant; a text without id has none."""
    entries = []
    for number, item in enumerate(said):
        native, text = item if isinstance(item, tuple) else (None, item)
        human = number % 2 == 0
        kind = EntryKind.USER_MESSAGE if human else EntryKind.ASSISTANT_MESSAGE
        speaker = Speaker.HUMAN if human else Speaker.ASSISTANT
        ts = f"2026-04-01T09:{start + number:02d}:00Z"
        entries.append(Entry(number, kind, speaker, text, ts, native_id=native))
    return Session(name, "claude-code", Path(f"/logs/{name}.jsonl"), tuple(entries))


def own(marked: Session) -> list[str]:
    return [entry.text for entry in marked.entries if entry.subtype != COPIED]


def ids(*names: str) -> list[tuple[str, str]]:
    return [(name, f"text of {name}") for name in names]


def test_session_bug_02_a_resumed_file_embeds_the_whole_history_of_the_old_one() -> None:
    old = session("a", *ids("u1", "u2", "u3"))
    new = session("b", *ids("u1", "u2", "u3", "u4", "u5"))
    assert own(with_copies_marked(new, [old])) == ["text of u4", "text of u5"]
    assert own(with_copies_marked(old, [new])) == ["text of u1", "text of u2", "text of u3"]


def test_session_bug_04_an_id_alone_does_not_make_a_copy() -> None:
    old = session("a", *ids("u1", "u2"))
    new = session("b", ("u1", "quite another text"), ("u9", "more"))
    assert own(with_copies_marked(new, [old])) == ["quite another text", "more"]


def test_session_bug_25_both_branches_of_a_fork_keep_their_own_part_once() -> None:
    """The branch that went its own way first has the shared history; the other one starts at its own first word."""
    trunk = ids("u1", "u2")
    first = session("z", *trunk, *ids("u3", "u4"))
    second = session("a", *trunk, ("u5", "later"), start=10)
    assert own(with_copies_marked(first, [second])) == [text for _, text in [*trunk, *ids("u3", "u4")]]
    assert own(with_copies_marked(second, [first])) == ["later"]


def test_session_bug_26_a_child_without_ids_that_replays_its_parent_starts_at_its_first_own_word() -> None:
    parent = session("p", "Build it.", "Building.", "And the docs?", "Later.")
    child = session("c", "Build it.", "Building.", "Write the tests only.", "Yes.", start=30)
    assert own(with_copies_marked(child, [parent])) == ["Write the tests only.", "Yes."]
    assert len(own(with_copies_marked(parent, [child]))) == 4


def test_session_bug_27_a_child_that_does_not_replay_keeps_its_first_turn() -> None:
    parent = session("p", "Build it.", "Building.")
    child = session("c", "Count the files.", "There are 12.")
    assert own(with_copies_marked(child, [parent])) == ["Count the files.", "There are 12."]


def test_session_bug_35_equal_copies_of_one_session_leave_exactly_one_history() -> None:
    one, other = session("s", *ids("u1", "u2")), session("s", *ids("u1", "u2"))
    other = replace(other, session_id="t", path=Path("/moved/s.jsonl"))
    assert len(own(with_copies_marked(one, [other]))) + len(own(with_copies_marked(other, [one]))) == 2


def test_one_greeting_in_common_makes_no_copy() -> None:
    assert len(own(with_copies_marked(session("b", "Hi", "Hello!"), [session("a", "Hi", "Good day.")]))) == 2


def test_a_session_is_no_copy_of_itself() -> None:
    one = session("a", *ids("u1", "u2"))
    assert with_copies_marked(one, [one]) is one


def test_copies_are_no_evidence_and_no_activity() -> None:
    old = session("a", *ids("u1", "u2"))
    new = with_copies_marked(session("b", *ids("u1", "u2", "u3", "u4")), [old])
    assert [item.entries[0] for item in collect(new, 0, 3)] == [2, 3]
    assert activity_tokens(new.entries) == activity_tokens(new.entries[2:])
    assert [entry.index for entry in new.entries] == [0, 1, 2, 3]


def test_tool_calls_of_the_copied_part_go_with_it() -> None:
    call: dict[str, Any] = {"call_id": "c1", "tool": "Bash", "native_id": "u2"}
    entry = Entry(1, EntryKind.TOOL_CALL, Speaker.ASSISTANT, "Bash ls", "2026-04-01T09:01:00Z", **call)
    old = session("a", *ids("u1", "u2"))
    old = replace(old, entries=(old.entries[0], entry))
    new = session("b", *ids("u1", "u2", "u3"))
    new = replace(new, entries=(new.entries[0], entry, new.entries[2]))
    marked = with_copies_marked(new, [old])
    assert [e.subtype for e in marked.entries] == [COPIED, COPIED, None]
    assert [item.id for item in collect(marked, 0, 2)] == ["M0001"]


def test_of_what_several_sessions_hold_exactly_one_is_the_original() -> None:
    """Each of three was younger than the next one, and what all of them held was a copy in each: extracted nowhere."""
    for seed in range(1_500):
        chance = random.Random(seed)
        starts = [chance.randint(0, 40) for _ in range(12)]
        family = []
        for number in range(chance.choice([2, 3, 3, 4])):
            names = [0, *sorted(chance.sample(range(1, 12), chance.randint(1, 5)))]
            entries = session(f"s{number}", *ids(*map(str, names))).entries
            stamped = (replace(e, ts=f"2026-04-01T09:{starts[n]:02d}:00Z") for e, n in zip(entries, names, strict=True))
            family.append(replace(session(f"s{number}"), entries=tuple(stamped)))
        marked = [with_copies_marked(one, [other for other in family if other is not one]) for one in family]
        kept = [entry.native_id for one in marked for entry in one.entries if entry.subtype != COPIED]
        assert {entry.native_id for one in family for entry in one.entries} <= set(kept), seed
