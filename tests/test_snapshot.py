"""Snapshots, change sets and the tables derived from them."""

from memory_core.changes import ChangeSet
from memory_core.records.schema import SUMMARY, Kind, RecordRef
from memory_core.snapshot import Document, Snapshot, snapshot_of

A, B = "knowledge/a.md", "memory/decisions/b.md"
REF_A = RecordRef(Kind.KNOWLEDGE, "a")


def test_a_change_makes_a_new_snapshot_and_leaves_the_old_one():
    old = snapshot_of({A: "one", B: "two"})
    new = old.with_texts({A: "three"})
    assert (old.documents[A].text, new.documents[A].text) == ("one", "three")
    assert new.documents[B] is old.documents[B]
    assert new.revision == old.revision + 1


def test_unsaved_text_lies_over_the_stored_one_and_over_a_file_that_cannot_be_read():
    stored = Snapshot().with_documents({A: Document(A, "�", "not UTF-8")})
    assert stored.with_texts({A: "text"}).documents[A] == Document(A, "text")


def test_files_of_machinery_and_settings_never_enter():
    texts = {"config.toml": "", "memory/_staging/x.json": "{}", "memory/_resolutions.jsonl": "", "sessions/s.jsonl": ""}
    assert dict(snapshot_of(texts).documents) == {}


def test_a_preview_creates_changes_and_deletes():
    old = snapshot_of({A: "one", B: "two"})
    changes = ChangeSet().with_file(A, "one", None).with_file(B, "two", "2").with_file("workflow/c.md", None, "three")
    preview = old.with_changes(changes)
    assert {path: document.text for path, document in preview.documents.items()} == {B: "2", "workflow/c.md": "three"}
    assert preview.record(REF_A) is None
    assert old.record(REF_A) is not None


def test_a_change_set_keeps_the_first_before_and_drops_what_ends_as_it_began():
    changes = ChangeSet().with_file(A, "one", "two").with_file(A, "two", "three")
    assert [(c.path, c.before, c.after, c.op) for c in changes] == [(A, "one", "three", "update")]
    assert not changes.with_file(A, "three", "one")
    assert not ChangeSet().with_file(A, None, "new").with_file(A, "new", None)
    assert bool(changes)


def test_a_change_set_is_written_in_path_order_and_knows_its_operations():
    changes = ChangeSet().with_file(B, "x", None).with_file(A, None, "y").with_file("workflow/c.md", "1", "2")
    assert [(c.path, c.op) for c in changes] == [(A, "create"), (B, "delete"), ("workflow/c.md", "update")]


def test_slugs_are_by_kind_and_sorted_broken_records_are_in_and_misplaced_files_are_not():
    snapshot = snapshot_of(
        {"knowledge/b.md": "broken", A: "", "memory/decisions/a.md": "", "knowledge/Bad.md": "", "knowledge/x/a.md": "",
         "memory/summary.md": ""}
    )  # fmt: skip
    assert list(snapshot.index.slugs[Kind.KNOWLEDGE]) == ["a", "b"]
    assert list(snapshot.index.slugs[Kind.DECISION]) == ["a"]
    assert list(snapshot.index.slugs[Kind.SUMMARY]) == ["summary"]
    assert snapshot.index.exists(REF_A)
    assert snapshot.index.exists(SUMMARY)
    assert not snapshot.index.exists(RecordRef(Kind.REQUEST, "a"))


def test_backlinks_come_from_bodies_descriptions_requires_and_replaced_by():
    snapshot = snapshot_of(
        {
            "memory/decisions/d.md": "---\nreplaced_by: e\ndescription: See '#a'.\n---\n#a and `#a` and #gone\n",
            "memory/summary.md": "---\nupdated_at: x\n---\nRun /w.\n",
            "workflow/w.md": "---\nrequires: [a, 'No Slug']\n---\n",
            "knowledge/Bad.md": "#a",
        }
    )
    links = snapshot.index.backlinks
    assert [(link.path, link.via, link.range.start.line) for link in links[REF_A]] == [
        ("knowledge/Bad.md", "body", 0),
        ("memory/decisions/d.md", "description", 2),
        ("memory/decisions/d.md", "body", 4),
        ("workflow/w.md", "requires", 1),
    ]
    assert [link.via for link in links[RecordRef(Kind.DECISION, "e")]] == ["replaced_by"]
    assert [link.path for link in links[RecordRef(Kind.WORKFLOW, "w")]] == ["memory/summary.md"]
    assert RecordRef(Kind.KNOWLEDGE, "gone") in links


def test_a_reference_in_a_quoted_description_has_its_exact_place():
    text = "---\ndescription: \"語 '#a'\"\n---\n"
    document = snapshot_of({"memory/decisions/d.md": text}).documents["memory/decisions/d.md"]
    reference = document.description_references[0]
    assert text[reference.start : reference.end] == "#a"


def test_tables_follow_the_unsaved_text():
    snapshot = snapshot_of({A: "---\n---\n#b"})
    assert RecordRef(Kind.KNOWLEDGE, "b") in snapshot.index.backlinks
    assert RecordRef(Kind.KNOWLEDGE, "b") not in snapshot.with_texts({A: "---\n---\n#c"}).index.backlinks
