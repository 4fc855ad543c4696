"""What a server learned of the records outlives it, and nothing about that can be seen but the time it takes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from memory_core.layout import Layout
from memory_core.store.cache import Cache
from memory_core.store.load import SETTLED_NS, load_outlined
from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import RawClient

pytestmark = pytest.mark.protocol

RECORDS = 400  # more than are outlined before anything is answered


@pytest.fixture
def many(tmp_path: Path) -> Path:
    records = {f"knowledge/r{n:03d}.md": knowledge(f"Number {n}", "語 #hub and 👩 #r001\n") for n in range(RECORDS)}
    return make_root(tmp_path / "many", {**records, "knowledge/hub.md": knowledge("The hub")})


def started(new_client: NewClient, folder: Path) -> RawClient:
    client = new_client(folder)
    client.initialize(folder)
    return client


def index_built(client: RawClient) -> dict[str, Any]:
    deadline = time.monotonic() + 15
    while (root := client.request("workspace/executeCommand", {"command": "omoide.status"})["roots"][0])["loading"]:
        assert time.monotonic() < deadline, "the index is never built"
        time.sleep(0.01)
    return dict(root)


def cache_written(folder: Path) -> Path:
    """The index as a server writes it when the files have settled, which takes two seconds."""
    cache = Cache(Layout(folder / ".omoide"))
    _, outlines = load_outlined(cache, time.time_ns() + 2 * SETTLED_NS)
    assert outlines.save(cache)
    assert len(cache.rows()) == RECORDS + 1
    return cache.path


def answers(client: RawClient, folder: Path) -> list[Any]:
    note = (folder / "note.md").as_uri()
    client.open(note, "see #hub")
    found = [client.at(method, note, 0, 7) for method in ("completion", "hover", "definition")]
    return [*found, client.at("references", note, 0, 7, context={"includeDeclaration": True})]


def test_the_next_server_answers_the_same_also_after_the_index_was_damaged(new_client: NewClient, many: Path) -> None:
    # The questions would be uses, which the lists and cards of the servers that come later show.
    (many / ".omoide/config.toml").write_text("[memory]\nrecord_hover = false\n", encoding="utf-8")
    first = started(new_client, many)
    assert index_built(first)["records"] == {"knowledge": RECORDS + 1}
    path = cache_written(many)
    second = started(new_client, many)  # beside the first
    index_built(second)
    said = answers(first, many)
    assert len(said[3]) == RECORDS + 2  # the note itself, and the record
    assert said[3][0]["range"] == {"start": {"line": 9, "character": 2}, "end": {"line": 9, "character": 6}}
    assert answers(second, many) == said
    first.shut_down()
    second.shut_down()
    path.write_bytes(b"\0" * 9_000)
    third = started(new_client, many)
    index_built(third)
    assert answers(third, many) == said


def test_columns_behind_wide_characters_are_in_the_units_of_the_client(new_client: NewClient, many: Path) -> None:
    client = started(new_client, many)
    index_built(client)
    note = (many / "note.md").as_uri()
    client.open(note, "see #r001")
    places = client.at("references", note, 0, 6, context={"includeDeclaration": True})
    assert places[5]["range"] == {"start": {"line": 9, "character": 14}, "end": {"line": 9, "character": 19}}


def test_records_that_change_come_or_go_are_seen_after_the_index_was_built(new_client: NewClient, many: Path) -> None:
    client = started(new_client, many)
    index_built(client)
    root = many / ".omoide"
    (root / "knowledge/r000.md").unlink()
    (root / "knowledge/r001.md").write_text(knowledge("Changed", "no links\n"), encoding="utf-8")
    (root / "knowledge/brand-new.md").write_text(knowledge("New", "#hub #hub\n"), encoding="utf-8")
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    note = (many / "note.md").as_uri()
    client.open(note, "see #hub")
    places = client.at("references", note, 0, 6, context={"includeDeclaration": True})
    named = [place["uri"].rpartition("/")[2] for place in places]
    assert named[:3] == ["brand-new.md", "brand-new.md", "r002.md"]
    assert len(named) == RECORDS + 2
    assert named[-2:] == ["note.md", "hub.md"]
    client.change(note, 2, {"text": "see #br"})
    assert [item["label"] for item in client.at("completion", note, 0, 7)["items"]][:1] == ["#brand-new"]
