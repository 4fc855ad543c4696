"""Rename at a cursor: what is meant there, what is refused and why, and what follows a file that is moved."""

from __future__ import annotations

import time

import pytest

from memory_core.ide.rename import Moved, Prepared, follow, moved_files, prepare, rename_at
from memory_core.ide.view import View
from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef
from memory_core.refactor.referrers import Refusal
from memory_core.refactor.rename import Renaming
from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.text import Position, apply_edits
from tests.ide.ide_questions import asked, decision, knowledge, workflow

KEYS = knowledge("api-keys", body="# Keys\n\nText.\n")


def prepared(source: str) -> tuple[Prepared, str]:
    """What would be renamed at the cursor, and the text of its range."""
    read, view, position = asked(source)
    found = prepare(read.snapshot, view, position)
    assert isinstance(found, Prepared), found
    lines = view.lines
    return found, view.text[lines.offset(found.range.start) : lines.offset(found.range.end)]


@pytest.mark.parametrize(
    ("source", "kind", "slug"),
    [
        (knowledge("here", body="see #api-k$0eys") + KEYS, Kind.KNOWLEDGE, "api-keys"),
        (knowledge("here", body="see $0#api-keys") + KEYS, Kind.KNOWLEDGE, "api-keys"),
        (knowledge("here", body="see #api-keys$0, yes") + KEYS, Kind.KNOWLEDGE, "api-keys"),
        (knowledge("here", body="決定は#api$0-keys") + KEYS, Kind.KNOWLEDGE, "api-keys"),
        (knowledge("here", "see #api-k$0eys") + KEYS, Kind.KNOWLEDGE, "api-keys"),
        (knowledge("here", body="run /rel$0ease now") + workflow("release"), Kind.WORKFLOW, "release"),
        (knowledge("here", body="as `knowledge/api-k$0eys` says") + KEYS, Kind.KNOWLEDGE, "api-keys"),
        (knowledge("here", body="see [it](api-keys$0.md#keys)") + KEYS, Kind.KNOWLEDGE, "api-keys"),
        (decision("old", replaced_by="n$0ew") + decision("new"), Kind.DECISION, "new"),
        (decision("old", replaced_by='"new$0"') + decision("new"), Kind.DECISION, "new"),
        (decision("old", replaced_by="'$0new'") + decision("new"), Kind.DECISION, "new"),
        (workflow("go", requires="[a$0, b]") + knowledge("a"), Kind.KNOWLEDGE, "a"),
        (workflow("go", requires="\n  - b\n  - 'a$0'") + knowledge("a"), Kind.KNOWLEDGE, "a"),
    ],
)
def test_the_slug_alone_is_what_is_typed_over(source: str, kind: Kind, slug: str) -> None:
    """Neither sigil nor quotes are in the range, wherever the name stands."""
    found, text = prepared(source)
    assert (found.ref, found.placeholder, text) == (RecordRef(kind, slug), slug, slug)


def test_a_record_is_renamed_at_its_title() -> None:
    found, text = prepared(knowledge("api-keys", body="\n# Where ke$0ys live\n\nText.\n"))
    assert (found.ref.slug, found.placeholder, text) == ("api-keys", "api-keys", "Where keys live")


@pytest.mark.parametrize(
    "source",
    [
        knowledge("here", body="plain wo$0rds"),
        knowledge("here", body="# Title\n\nplain wo$0rds"),
        knowledge("here", body="# Title\n\n# Second$0\n"),
        knowledge("here", body="## No ti$0tle\n"),
        knowledge("here", body="see `#api-k$0eys`") + KEYS,
        knowledge("here", body="```\n#api-k$0eys\n```\n") + KEYS,
        knowledge("here", body="https://x.org/#api-k$0eys") + KEYS,
        knowledge("here", created_at='"#api-k$0eys"') + KEYS,
    ],
)
def test_elsewhere_it_is_refused_with_what_to_do(source: str) -> None:
    read, view, position = asked(source)
    found = prepare(read.snapshot, view, position)
    assert isinstance(found, Refusal)
    assert "put the cursor on a `#slug`" in found.reason


def test_a_name_of_nothing_is_refused_by_that_name() -> None:
    read, view, position = asked(knowledge("here", body="see #gon$0e"))
    found = prepare(read.snapshot, view, position)
    assert isinstance(found, Refusal)
    assert found.reason == "There is no knowledge/gone."


def test_a_text_outside_the_root_renames_too() -> None:
    snapshot = asked(knowledge("here", body="$0") + KEYS)[0].snapshot
    plan = rename_at(snapshot, View("see #api-keys"), Position(0, 6), "vault")
    assert isinstance(plan, Renaming)
    assert plan.target.slug == "vault"


def renamed(source: str, new: str) -> tuple[Snapshot, Renaming]:
    read, view, position = asked(source)
    plan = rename_at(read.snapshot, view, position, new)
    assert isinstance(plan, Renaming), plan
    return read.snapshot, plan


@pytest.mark.parametrize("typed", ["vault", "#vault", " vault ", "/vault"])
def test_a_new_name_may_be_typed_with_its_sigil(typed: str) -> None:
    _, plan = renamed(knowledge("here", body="see #api-k$0eys") + KEYS, typed)
    assert plan.target == RecordRef(Kind.KNOWLEDGE, "vault")


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ("here", "exists already"),
        ("Bad Name", "must be lower-case"),
        ("nul", "device name"),
        ("", "is empty"),
        ("a" * 65, "at most 64"),
        ("api-keys", "has this name already"),
        ("twin", "in case only"),
    ],
)
def test_a_bad_name_is_refused_with_the_reason(new: str, words: str) -> None:
    source = knowledge("here", body="see #api-k$0eys") + KEYS + knowledge("Twin")
    read, view, position = asked(source)
    plan = rename_at(read.snapshot, view, position, new)
    assert isinstance(plan, Refusal)
    assert words in plan.reason


def test_the_edits_are_the_change_set_and_the_file_moves_with_its_own_edits() -> None:
    source = (
        knowledge("here", "see #api-keys", body="see #api-k$0eys and `#api-keys`\n")
        + knowledge("api-keys", body="I am #api-keys.\n") + workflow("go", requires="[api-keys]")
    )  # fmt: skip
    snapshot, plan = renamed(source, "vault")
    assert [(f.path, len(f.edits), f.moved_to) for f in plan.files] == [
        ("knowledge/api-keys.md", 1, "knowledge/vault.md"), ("knowledge/here.md", 2, None), ("workflow/go.md", 1, None)
    ]  # fmt: skip
    assert plan.references == 4
    for file in plan.files:
        text = snapshot.documents[file.path].text
        assert file.text == text
        assert apply_edits(text, file.edits) == plan.changes.files[file.moved_to or file.path].after
    preview = snapshot.with_changes(plan.changes)
    assert preview.index.backlinks.paths(plan.source) == ()
    assert len(preview.index.backlinks.paths(plan.target)) == 3


def plans(snapshot: Snapshot, *moved: tuple[str, str]) -> tuple[list[Renaming], list[Refusal]]:
    return follow(snapshot, [Moved(*pair) for pair in moved])


def two() -> Snapshot:
    return snapshot_of({
        "knowledge/a.md": "---\ndescription: A\n---\nI am #a.\n",
        "knowledge/b.md": "---\ndescription: B\n---\nSee #a.\n",
        "memory/decisions/a.md": "---\nstatus: open\n---\nSee #b, not #a-b.\n",
    })  # fmt: skip


def test_row_38_what_follows_a_moved_file_is_what_resolves_to_it() -> None:
    (plan,), refusals = plans(two(), ("knowledge/a.md", "knowledge/c.md"))
    assert not refusals
    assert {file.path: [e.new_text for e in file.edits] for file in plan.files} == {
        "knowledge/a.md": ["#c"],
        "knowledge/b.md": ["#c"],
    }
    assert all(file.moved_to is None for file in plan.files)


def test_row_38_a_decision_of_the_same_slug_is_another_record() -> None:
    assert plans(two(), ("memory/decisions/a.md", "memory/decisions/c.md")) == ([], [])


def test_row_24_a_case_only_rename_to_a_slug_has_nothing_to_follow() -> None:
    snapshot = snapshot_of({"knowledge/Foo.md": "text\n", "knowledge/x.md": "See #foo.\n"})
    assert plans(snapshot, ("knowledge/Foo.md", "knowledge/foo.md")) == ([], [])


def test_row_24_a_case_only_rename_away_from_a_slug_is_said() -> None:
    snapshot = snapshot_of({"knowledge/foo.md": "text\n", "knowledge/x.md": "See #foo.\n"})
    found, (refusal,) = plans(snapshot, ("knowledge/foo.md", "knowledge/Foo.md"))
    assert found == []
    assert "must be lower-case" in refusal.reason


def test_row_25_a_folder_that_moves_takes_its_files_and_no_slug_changes() -> None:
    snapshot = two()
    moved = moved_files(snapshot, "knowledge", "knowledge-2")
    assert moved == [
        Moved("knowledge/a.md", "knowledge-2/a.md"),
        Moved("knowledge/b.md", "knowledge-2/b.md"),
    ]
    found, refusals = follow(snapshot, moved)
    assert found == []
    assert len(refusals) == 2
    assert moved_files(snapshot, "knowledge", None) == []
    assert moved_files(snapshot, "prompts", "prompts-2") == []


def test_records_that_change_places_are_both_followed() -> None:
    found, refusals = plans(two(), ("knowledge/a.md", "knowledge/b.md"), ("knowledge/b.md", "knowledge/a.md"))
    assert not refusals
    assert [(plan.source.slug, plan.target.slug) for plan in found] == [("a", "b"), ("b", "a")]


def test_a_move_onto_another_record_and_into_another_kind_is_said() -> None:
    assert "exists already" in plans(two(), ("knowledge/a.md", "knowledge/b.md"))[1][0].reason
    reason = plans(two(), ("knowledge/a.md", "memory/requests/a.md"))[1][0].reason
    assert reason == "What refers to knowledge/a stays as it is: `memory/requests/a.md` is no knowledge."


@pytest.mark.parametrize("others", [1_000, 10_000])
def test_a_rename_costs_what_refers_to_it_not_what_there_is(others: int) -> None:
    """Ten references among a thousand and ten thousand records: 10 and 20 ms; the best of several."""
    texts = {f"knowledge/r{n}.md": f"---\ndescription: R{n}\n---\nSee #r{n + 1}.\n" for n in range(others)}
    texts |= {f"knowledge/x{n}.md": "See #hub.\n" for n in range(10)} | {"knowledge/hub.md": "Hub.\n"}
    snapshot = snapshot_of(texts)
    assert snapshot.index.backlinks.paths(RecordRef(Kind.KNOWLEDGE, "hub"))
    took = []
    for n in range(5):
        started = time.perf_counter()
        plan = rename_at(snapshot, View("#hub"), Position(0, 2), f"hub-{n}")
        took.append(time.perf_counter() - started)
        assert isinstance(plan, Renaming)
        assert len(plan.files) == 11
        assert record_path(plan.target) == f"knowledge/hub-{n}.md"
    assert min(took) < others * 2e-6 + 0.01
