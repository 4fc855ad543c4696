"""The index on disk: it saves reading, it changes no answer, and nothing that happens to it is an error."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from memory_core.document import Document
from memory_core.layout import Layout
from memory_core.lint.check import check_all
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Snapshot
from memory_core.store import cache as cache_module
from memory_core.store.cache import Cache
from memory_core.store.load import SETTLED_NS, load_outlined, outline_all, stamp_of
from memory_core.store.scan import files, listing
from tests.store.conftest import unprivileged

posix = pytest.mark.skipif(os.name == "nt", reason="symbolic links and times as POSIX has them")

A, B, D = "knowledge/a.md", "knowledge/b.md", "memory/decisions/d.md"
HEAD = "created_at: 2026-05-01T09:00:00Z\nupdated_at: 2026-05-01T09:00:00Z\n"
KNOWLEDGE = HEAD + "kind: rule\nmodel_invokation: false\nuser_invocable: true\nlast_sources: []\n"


@pytest.fixture
def cache(root: Path) -> Cache:
    write(root, A, f"---\n{KNOWLEDGE}description: What a is\n---\n# Title of a\n\nsee #b and #gone\n")
    write(root, B, f"---\n{KNOWLEDGE}description: '日本 #a'\n---\n語 #a\r\n")
    write(root, D, f"---\n{HEAD}sources: []\nstatus: replaced\nreplaced_by: e\n---\nWhy #a.\n")
    write(root, "knowledge/broken.md", "no head, #a\n")
    return Cache(Layout(root))


def write(root: Path, path: str, text: str) -> None:
    (root / path).write_bytes(text.encode())


def later(root: Path) -> int:
    """A time of day at which every file under the root has settled."""
    stamps = [stamp_of(str(path)) for path in root.rglob("*.md")]
    return max(max(stamp[:2]) for stamp in stamps if stamp) + SETTLED_NS + 1


def load(cache: Cache) -> tuple[Snapshot, int]:
    """The records with the cache brought up to date, and how many files were read for it."""
    snapshot, outlines = load_outlined(cache, later(cache.layout.root))
    outlines.save(cache)
    return snapshot, outlines.read


def answers(snapshot: Snapshot) -> object:
    """What editors and the linter make of a snapshot."""
    index = snapshot.index
    outlines = {path: document.outline for path, document in sorted(snapshot.documents.items())}
    links = {str(ref): index.backlinks[ref] for ref in index.backlinks}
    digests = {path: document.digest for path, document in snapshot.documents.items()}
    return outlines, dict(index.names), links, digests, check_all(snapshot)


def test_a_warm_start_reads_nothing_and_answers_the_same(cache: Cache) -> None:
    cold, read = load(cache)
    assert read == 4
    warm, read = load(cache)
    assert read == 0
    assert not any(document.is_read for document in warm.documents.values())
    assert warm.documents[A].outline.description == "What a is"
    assert [link.path for link in warm.index.backlinks[RecordRef(Kind.KNOWLEDGE, "a")]] == [
        B,
        B,
        "knowledge/broken.md",
        D,
    ]
    assert not any(document.is_read for document in warm.documents.values())
    assert answers(warm) == answers(cold)


def test_a_deleted_cache_changes_no_answer(cache: Cache) -> None:
    before, _ = load(cache)
    shutil.rmtree(cache.layout.cache)
    after, read = load(cache)
    assert read == 4
    assert answers(after) == answers(before)


def test_only_the_file_that_changed_is_read_again(cache: Cache, root: Path) -> None:
    load(cache)
    write(root, B, "---\n---\nsee #c\n")
    snapshot, read = load(cache)
    assert read == 1
    assert [link.target.slug for link in snapshot.documents[B].links] == ["c"]
    assert load(cache)[1] == 0


@posix
def test_an_edit_that_restores_size_and_time_is_noticed(cache: Cache, root: Path) -> None:
    load(cache)
    status = (root / A).stat()
    write(root, A, (root / A).read_text().replace("#gone", "#fine"))
    os.utime(root / A, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (root / A).stat().st_mtime_ns == status.st_mtime_ns
    snapshot, read = load(cache)
    assert read == 1
    assert [link.target.slug for link in snapshot.documents[A].links] == ["b", "fine"]


def test_a_file_that_was_written_just_now_is_not_trusted(cache: Cache, root: Path) -> None:
    """Within one tick of a file system's clock it could change again and show the same time."""
    just_now = later(root) - 2
    for _ in range(2):
        _, outlines = load_outlined(cache, just_now)
        outlines.save(cache)
        assert outlines.read >= 1


def test_the_row_of_a_deleted_file_goes(cache: Cache, root: Path) -> None:
    load(cache)
    (root / A).unlink()
    snapshot, _ = load(cache)
    assert A not in snapshot.documents
    assert A not in cache.rows()


@posix
def test_a_folder_that_cannot_be_listed_deletes_no_row(cache: Cache, root: Path) -> None:
    """T45: a hiccup is no deletion. A link to itself is a folder that nobody can list, whoever asks."""
    load(cache)
    (root / "knowledge").rename(root / "aside")
    (root / "knowledge").symlink_to("knowledge")
    snapshot, _ = load(cache)
    assert "cannot be listed" in (snapshot.documents["knowledge"].unreadable or "")
    assert A in cache.rows()
    (root / "knowledge").unlink()
    (root / "aside").rename(root / "knowledge")
    snapshot, read = load(cache)
    assert (A in snapshot.documents, read) == (True, 0)


@posix
def test_a_linked_file_is_read_each_time(cache: Cache, root: Path) -> None:
    (root / "knowledge/link.md").symlink_to(root / "knowledge/a.md")
    load(cache)
    assert "knowledge/link.md" not in cache.rows()
    assert load(cache)[1] == 1


@pytest.mark.parametrize("damage", [b"", b"not a database at all, but long enough to be looked at" * 40, None])
def test_a_damaged_file_is_made_anew(cache: Cache, damage: bytes | None, caplog: pytest.LogCaptureFixture) -> None:
    before, _ = load(cache)
    whole = cache.path.read_bytes()
    cache.path.write_bytes(whole[:5000] + b"\xff" * 9000 if damage is None else damage)
    with caplog.at_level(logging.WARNING):
        after, read = load(cache)
    assert read == 4
    assert answers(after) == answers(before)
    if damage:
        assert "is damaged" in caplog.text
    load(cache)
    assert load(cache)[1] == 0


def test_a_row_that_is_no_outline_is_ignored(cache: Cache) -> None:
    before, _ = load(cache)
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE files SET outline = 'rubbish' WHERE path = ?", (A,))
        cut = "substr(outline, 1, instr(outline, char(10))) || '[1]'"
        connection.execute(f"UPDATE files SET outline = {cut} WHERE path = ?", (B,))
    connection.close()
    after, _ = load(cache)
    assert answers(after) == answers(before)


def test_another_version_is_no_cache(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """T53: what another release wrote is neither trusted nor in the way."""
    load(cache)
    monkeypatch.setattr(cache_module, "version", lambda: "another")
    assert cache.rows() == {}
    assert load(cache)[1] == 4
    assert load(cache)[1] == 0


def test_the_version_follows_the_code_of_the_rules() -> None:
    assert cache_module.version().startswith(f"{cache_module.SCHEMA}.")


def test_a_reader_is_not_held_up_by_a_writer(cache: Cache) -> None:
    load(cache)
    writer = sqlite3.connect(cache.path, isolation_level=None)
    try:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM files")
        assert len(cache.rows()) == 4
    finally:
        writer.close()


def test_a_cache_that_another_process_holds_is_left_alone(
    cache: Cache, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """T46: a lock is no corruption."""
    monkeypatch.setattr(cache_module, "_WAIT_S", 0.0)
    before, _ = load(cache)
    holder = sqlite3.connect(cache.path, isolation_level=None)
    try:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN IMMEDIATE")
        holder.execute("INSERT INTO about VALUES ('held', 'yes')")
        with caplog.at_level(logging.WARNING):
            after, outlines = load_outlined(cache, later(cache.layout.root))
            assert not cache.update({"x": cache_module.Row((1, 2, 3), b"", "")})
        assert answers(after) == answers(before)
        assert outlines.read in (0, 4)
        assert not caplog.records
    finally:
        holder.close()
    assert len(cache.rows()) == 4


def test_no_cache_is_made_where_there_is_no_root(tmp_path: Path) -> None:
    cache = Cache(Layout(tmp_path / ".omoide"))
    assert not cache.update({"x": cache_module.Row((1, 2, 3), b"", "")})
    assert not cache.keep_answer(b"key", "answer")
    assert list(tmp_path.iterdir()) == []


def test_asking_makes_no_file(cache: Cache) -> None:
    assert cache.rows() == {}
    assert cache.answer(b"key") is None
    assert not cache.layout.cache.exists()


def test_the_cache_hides_itself_from_git(cache: Cache) -> None:
    """Also in a root whose `.gitignore` does not name it."""
    load(cache)
    assert (cache.layout.cache / ".gitignore").read_text() == "*\n"


@posix
def test_a_root_that_may_not_be_written_is_read_all_the_same(cache: Cache, root: Path) -> None:
    root.chmod(0o555)
    try:
        with unprivileged(root):
            assert load(cache)[1] == 4
    finally:
        root.chmod(0o755)


def test_an_answer_is_found_by_its_key_only_and_old_ones_make_room(cache: Cache) -> None:
    for number in range(20):
        cache.keep_answer(b"%d" % number, f"answer {number}")
    assert cache.answer(b"19") == "answer 19"
    assert cache.answer(b"0") is None
    assert cache.answer(b"none") is None


def test_what_was_known_of_an_older_text_is_not_said_of_a_newer_one(cache: Cache, root: Path) -> None:
    load(cache)
    listed = listing(root)
    outline_all(listed, cache, now_ns=later(root))
    document = listed.documents[A]
    old = document.digest
    write(root, A, "---\n---\nsee #other\n")
    assert document.text.endswith("see #other\n")
    assert document.digest != old
    assert [link.target.slug for link in document.links] == ["other"]


def test_a_document_keeps_the_text_it_was_read_with(root: Path, cache: Cache) -> None:
    document = Document.stored(A, files(root))
    first = document.text
    write(root, A, "new")
    assert document.text == first
    assert document == Document(A, first)


@posix
@pytest.mark.timeout(10)
def test_a_pipe_is_refused_and_not_waited_for(root: Path, cache: Cache) -> None:
    os.mkfifo(root / "knowledge/pipe.md")
    snapshot, _ = load(cache)
    assert "no ordinary file" in (snapshot.documents["knowledge/pipe.md"].unreadable or "")
