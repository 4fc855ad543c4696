"""How work grows with the number of records, in counts of work and not in seconds: flat where a person waits."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from memory_core.document import Content, Document
from memory_core.ide.completion import MAX_ITEMS, complete
from memory_core.ide.hover import hover
from memory_core.ide.references import references
from memory_core.ide.view import View
from memory_core.ids import utc_now
from memory_core.layered import MOST_CHANGES, Layered
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Snapshot
from memory_core.text import Position

SIZES = [500, 5_000]


@dataclass
class Shelf:
    """Records that refer to the next one and to a hub; counts how often one is read."""

    size: int
    read_paths: list[str] = field(default_factory=list)

    def read(self, path: str) -> Content:
        self.read_paths.append(path)
        number = int(path.removeprefix("knowledge/r").removesuffix(".md"))
        following = (number + 1) % self.size
        return f"---\ndescription: Record {number}\n---\nsee #{slug(following)} and #r00000\n", None

    def snapshot(self) -> Snapshot:
        paths = [f"knowledge/{slug(number)}.md" for number in range(self.size)]
        return Snapshot({path: Document.stored(path, self) for path in paths})

    def indexed(self) -> Snapshot:
        """A snapshot that knows who names whom."""
        snapshot = self.snapshot()
        assert len(snapshot.index.names[Kind.KNOWLEDGE]) == len(snapshot.index.referrers) == self.size
        assert len(self.read_paths) == self.size
        self.read_paths.clear()
        return snapshot


def slug(number: int) -> str:
    return f"r{number:05d}"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("typed", ["#", "see #r0", "see #00", "see #r7", "see #zzz"])
def test_a_completion_reads_only_what_it_shows(size: int, typed: str) -> None:
    shelf = Shelf(size)
    complete(shelf.snapshot(), View(typed), Position(0, len(typed)), explicit=True)
    assert len(shelf.read_paths) <= MAX_ITEMS


@pytest.mark.parametrize("size", SIZES)
def test_a_card_reads_the_record_it_shows(size: int) -> None:
    shelf = Shelf(size)
    card = hover(shelf.snapshot(), View("#r00003"), Position(0, 3), now=utc_now(), linked=False)
    assert card
    assert shelf.read_paths == ["knowledge/r00003.md"]


@pytest.mark.parametrize("size", SIZES)
def test_an_edit_touches_its_own_rows_and_reads_nothing(size: int) -> None:
    shelf = Shelf(size)
    before = shelf.indexed()
    after = before.with_texts({"knowledge/r00007.md": "---\n---\nsee #r00100\n"})
    named = [link.path for link in after.index.backlinks[RecordRef(Kind.KNOWLEDGE, "r00100")]]
    assert named == ["knowledge/r00007.md", "knowledge/r00099.md"]
    assert "knowledge/r00007.md" not in after.index.backlinks.paths(RecordRef(Kind.KNOWLEDGE, "r00008"))
    assert "knowledge/r00007.md" in before.index.backlinks.paths(RecordRef(Kind.KNOWLEDGE, "r00008"))
    complete(after, View("see #r01"), Position(0, 8))
    assert shelf.read_paths == []
    assert after.index.names is before.index.names
    assert isinstance(after.documents, Layered)
    assert isinstance(after.index.referrers, Layered)
    assert len(after.documents._over) == 1
    assert len(after.index.referrers._over) == 3  # one gained, one lost, and the hub lost one


@pytest.mark.parametrize("size", SIZES)
def test_many_edits_without_a_question_cost_one_row_each(size: int) -> None:
    shelf = Shelf(size)
    snapshot = shelf.indexed()
    for number in range(100):
        snapshot = snapshot.with_texts({"knowledge/r00007.md": f"---\n---\nedit {number} #r00001\n"})
    assert "knowledge/r00007.md" in snapshot.index.backlinks.paths(RecordRef(Kind.KNOWLEDGE, "r00001"))
    assert shelf.read_paths == []
    assert len(snapshot.documents._over) == 1  # type: ignore[attr-defined]


def test_references_of_a_hub_look_at_no_more_records_than_they_show() -> None:
    shelf = Shelf(5_000)
    snapshot = shelf.indexed()
    found = references(snapshot, View("#r00000"), Position(0, 3))
    assert (len(found.places), found.documents) == (1_000, 5_000)
    assert shelf.read_paths == []


@pytest.mark.parametrize("size", SIZES)
def test_new_and_deleted_records_keep_the_tables_right(size: int) -> None:
    shelf = Shelf(size)
    snapshot = shelf.indexed()
    gone, new = "knowledge/r00002.md", "knowledge/a-new.md"
    misplaced = "knowledge/No.md"
    after = snapshot.with_documents({gone: None, new: Document(new, "see #r00002"), misplaced: Document(misplaced, "")})
    fresh = Snapshot(dict(after.documents))
    assert after.index.names == fresh.index.names
    assert dict(after.index.referrers) == dict(fresh.index.referrers)
    assert list(after.index.slugs[Kind.KNOWLEDGE])[:2] == ["a-new", "r00000"]
    assert not after.index.exists(RecordRef(Kind.KNOWLEDGE, "r00002"))
    assert len(after.index.slugs[Kind.KNOWLEDGE]) == size


def test_more_changes_than_layers_are_worth_make_a_plain_table() -> None:
    snapshot = Shelf(2_000).snapshot()
    for number in range(MOST_CHANGES + 1):
        snapshot = snapshot.with_texts({f"knowledge/{slug(number)}.md": "x"})
    assert not isinstance(snapshot.documents, Layered)
    assert len(snapshot.documents) == 2_000


@pytest.mark.parametrize("size", SIZES)
def test_who_is_broken_is_known_after_a_change_without_looking_at_the_others(size: int) -> None:
    shelf = Shelf(size)
    snapshot = shelf.indexed()
    assert snapshot.index.broken == snapshot.index.cased == frozenset()
    changed = {"knowledge/r00003.md": "no head", "knowledge/R00004.md": "no head", "knowledge/r00005.md": "x"}
    after = snapshot.with_texts(changed).with_documents({"knowledge/r00005.md": None})
    assert after.index.broken == {"knowledge/r00003.md", "knowledge/R00004.md"}
    assert after.index.cased == {"knowledge/R00004.md"}
    again = after.with_texts({"knowledge/r00003.md": "---\ndescription: d\n---\nx\n"}).with_documents(
        {"knowledge/R00004.md": None}
    )
    assert (again.index.broken, again.index.cased) == (frozenset(), frozenset())
    assert shelf.read_paths == []


def test_the_places_of_a_record_are_told_apart_from_those_of_one_that_is_named_alike() -> None:
    texts = {
        "knowledge/a.md": "---\n---\n#ab #b #ab-c #ab\n",
        "knowledge/b.md": "---\ndescription: 'kab #ab;kab 1'\n---\n#x",
    }
    links = Snapshot().with_texts(texts).index.backlinks
    found = [(path, place.split(" ")[0]) for path, place in links.places(RecordRef(Kind.KNOWLEDGE, "ab"))]
    assert found == [("knowledge/a.md", "kab"), ("knowledge/a.md", "kab"), ("knowledge/b.md", "kab")]
    assert [link.target.slug for link in links[RecordRef(Kind.KNOWLEDGE, "b")]] == ["b"]
