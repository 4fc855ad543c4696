"""The references of a record are written out once while nothing changes, and anew as soon as something does."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import snapshot_of
from server.convert.columns import Encoding
from server.convert.places import KeptLocations
from server.convert.plain import Encoded
from tests.protocol.conftest import NewClient, knowledge

HUB = RecordRef(Kind.KNOWLEDGE, "hub")


def test_the_first_places_are_one_object_until_the_snapshot_is_another() -> None:
    texts = {f"knowledge/r{number}.md": f"See #hub and #hub, not #hub-{number}." for number in range(9)}
    before = snapshot_of(texts)
    links = before.index.backlinks
    assert links.first_places(HUB, 5) is links.first_places(HUB, 5)
    assert links.first_places(HUB, 100) == tuple(links.places(HUB))
    assert len(links.first_places(HUB, 5)) == 5
    for number in range(9):
        links.first_places(RecordRef(Kind.KNOWLEDGE, f"hub-{number}"), 5)
    assert links.first_places(HUB, 5) == tuple(links.places(HUB))[:5], "what was dropped is found again"
    after = before.with_texts({"knowledge/r0.md": "Nothing."})
    assert after.index.backlinks.first_places(HUB, 100) == tuple(links.places(HUB))[2:]


def test_locations_are_kept_for_the_same_places_written_the_same_way() -> None:
    kept, made = KeptLocations(), []

    def make() -> Encoded:
        made.append(len(made))
        return Encoded(f"[{len(made)}]")

    places = (("a.md", "khub 0 0 0 4 127 body"),)
    assert kept.of(places, Encoding.UTF16, make) is kept.of(places, Encoding.UTF16, make)
    kept.of(places, Encoding.UTF8, make)
    kept.of((places[0],), Encoding.UTF16, make)  # equal, but of another snapshot perhaps
    assert made == [0, 1, 2]
    for number in range(4):
        kept.of(((str(number), ""),), Encoding.UTF16, make)
    kept.of(places, Encoding.UTF16, make)
    assert made[-1] == 7, "the oldest is forgotten"


@pytest.mark.protocol
def test_an_edit_an_open_file_and_a_change_on_disk_show_in_the_references(
    new_client: NewClient, workspace: Path
) -> None:
    root = workspace / ".omoide/knowledge"
    for name, body in (("hub", "The hub."), ("one", "See #hub."), ("two", "🙂 See #hub.")):
        (root / f"{name}.md").write_text(knowledge(body=body), encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace)
    note = (workspace / "note.md").as_uri()
    client.open(note, "See #hub")

    def found() -> list[tuple[str, int, int]]:
        answer = client.at("references", note, 0, 6, context={"includeDeclaration": False}) or []
        starts = [(it["uri"].rpartition("/")[2], it["range"]["start"]) for it in answer]
        return sorted((name, at["line"], at["character"]) for name, at in starts)

    first = found()
    assert first == found()
    assert [name for name, *_ in first] == ["note.md", "one.md", "two.md"]
    assert first[2][2] == 7, "columns are counted in UTF-16"

    one = (root / "one.md").as_uri()
    client.open(one, knowledge(body="See #hub."))
    assert found() == first
    client.change(one, 2, {"text": knowledge(body="See #hub and\n#hub.")})
    assert [name for name, *_ in found()] == ["note.md", "one.md", "one.md", "two.md"]
    client.change(one, 3, {"text": knowledge(body="See nothing.")})
    assert [name for name, *_ in found()] == ["note.md", "two.md"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": one}})
    assert found() == first
