"""A repository brings links and databases of its own making in every place where Omoide keeps machinery: whatever is
run there, nothing outside the root is made, changed, shortened or removed, and nothing waits for ever.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
import struct
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from memory_core.agents.hook import run as hook
from memory_core.layout import Layout
from memory_core.store.cache import NAME, Cache, Row
from memory_core.store.vectors import VectorFile
from tests.cli.conftest import Run
from tests.hardening.stores import RECORDS, SESSION, earlier, talk
from tests.hardening.test_odd_files import COMMANDS, PLACES

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links of POSIX")

PRECIOUS = b"a line of a person's own file\nand one without an end"
HOOKS = ("session-start", "prompt-submit", "pre-compact", "session-end")
# Written by names that can be foretold, besides what a store is known to hold.
FORETOLD = (
    "cache/.gitignore", "cache/audit.jsonl", "cache/installed-claude-code.json", "cache/enrichers/started",
    "cache/enrichers/semantic.sqlite", "cache/enrichers/semantic.json", "cache/transcripts/x.md",
    *(f"cache/.{name}.{os.getpid()}.tmp" for name in ("resident-answer.json", "resident", "resident.json")),
)  # fmt: skip
MACHINERY = [p for p in (*PLACES, *FORETOLD) if p.startswith(("cache/", "sessions/", "memory/_"))]
FOLDERS = (
    "cache", "sessions", "memory/_staging", "memory/_archive", "memory/_usage", "memory/_logs",
    "cache/locks", "cache/enrichers", "cache/transcripts", "memory/_staging/_held", "memory/_archive/_pending",
    "memory/_archive/closed", "memory/_archive/closed/memory/_staging",
)  # fmt: skip


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "profile").write_bytes(PRECIOUS)
    return folder


@pytest.fixture
def everything(
    omoide: Run, workspace: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[], None]:
    """Runs what a person and an agent's hooks run."""
    root = workspace / ".omoide"
    for path, text in RECORDS.items():
        (root / path).write_text(text.replace("model_invokation: false", "model_invokation: true"), encoding="utf-8")
    (root / "config.toml").write_text("[memory]\nresident_for_code_sessions = true\nextract_threshold = 0\n")
    then = time.time() - 3_600  # what changed just now is not kept by hooks
    log = home / ".claude/projects/p" / f"{SESSION}.jsonl"
    log.parent.mkdir(parents=True)
    talk(workspace).rename(log)
    environment = {"HOME": str(home), "OMOIDE_CONFIG": str(home / "config.toml")}

    def run() -> None:
        for event in HOOKS:
            call = {"session_id": SESSION, "cwd": str(workspace), "prompt": "See #house-rule.", "source": "startup"}
            data = json.dumps(call).encode()
            monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
            assert hook([event, "--agent", "claude-code", "--resident"], environment) == 0
        for arguments in (*COMMANDS, ("enricher", "sync"), ("sessions", "show", SESSION)):
            assert omoide(*arguments).code in (0, 1, 2), arguments
        capsys.readouterr()

    for folder in ("knowledge", "workflow", "memory"):
        for path in (root / folder).rglob("*.md"):
            os.utime(path, (then, then))
    return run


def link(path: Path, target: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(target)


@pytest.mark.parametrize("target", ["profile", "nothing-yet"])
def test_no_link_in_place_of_a_file_of_machinery_is_written_through(
    everything: Callable[[], None], workspace: Path, outside: Path, target: str
) -> None:
    """A dangling link is the way to make a file outside, one to a file the way to overwrite or shorten it."""
    for place in MACHINERY:
        link(workspace / ".omoide" / place, outside / target)
    everything()
    assert [path.name for path in outside.iterdir()] == ["profile"]
    assert (outside / "profile").read_bytes() == PRECIOUS


@pytest.mark.parametrize("place", FOLDERS)
def test_nothing_is_made_through_a_folder_that_leads_out(
    everything: Callable[[], None], workspace: Path, outside: Path, place: str
) -> None:
    folder = workspace / ".omoide" / place
    if folder.is_dir():
        folder.rmdir()
    link(folder, outside)
    # A staging file without candidates goes to the archive under its own name, whatever else stands in it.
    brought = workspace / ".omoide/memory/_staging/brought.json"
    if brought.parent.is_dir() and not brought.parent.is_symlink():
        brought.write_text('{"source": {"session_id": "s", "range": [0, 1]}, "hooks": {}}', encoding="utf-8")
    everything()
    assert [path.name for path in outside.iterdir()] == ["profile"]
    assert (outside / "profile").read_bytes() == PRECIOUS


@pytest.mark.parametrize("place", ["memory/_archive/r1", "memory/_archive/r1/knowledge"])
def test_a_waiting_run_of_a_repository_is_not_archived_outside(
    omoide: Run, workspace: Path, outside: Path, place: str
) -> None:
    """Its id names the folder of its archive, which the repository brings as a link."""
    path, text = next((path, text) for path, text in RECORDS.items() if path.startswith("knowledge/"))
    (workspace / ".omoide" / path).write_text(text, encoding="utf-8")
    change = {"op": "update", "path": path, "before": text, "after": f"{text}More.\n"}
    held = {"run_id": "r1", "created_at": "2026-01-01T00:00:00Z", "reason": "consolidate", "changes": [change]}
    waiting = workspace / ".omoide/memory/_staging/_held/r1.json"
    waiting.parent.mkdir(parents=True)
    waiting.write_text(json.dumps({"schema_version": 1, **held, "closed": []}), encoding="utf-8")
    link(workspace / ".omoide" / place, outside)
    outcome = omoide("consolidate", "--accept", "r1")
    assert "symbolic link" in outcome.err
    assert [path.name for path in outside.iterdir()] == ["profile"]
    assert (workspace / ".omoide" / path).read_text(encoding="utf-8") == text


def names_another_file(database: Path, victim: Path) -> None:
    """A journal that SQLite rolls back when it opens the database, and that names a file to be removed after that."""
    with sqlite3.connect(database, isolation_level=None) as connection:
        connection.execute("CREATE TABLE x (y)")
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        for _ in range(200):
            connection.execute("INSERT INTO x VALUES (zeroblob(5000))")
        journal = Path(f"{database}-journal").read_bytes()
        data = database.read_bytes()
        connection.execute("ROLLBACK")
    name = os.fsencode(victim)
    magic = bytes.fromhex("d9d505f920a163d7")
    end = struct.pack(">I", 0x40000000 // 4096 + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    database.write_bytes(data)
    Path(f"{database}-journal").write_bytes(journal + end)


def never_ends(database: Path, _victim: Path) -> None:
    """A view in place of a table, which has a row more whenever it is asked."""
    endless = "WITH RECURSIVE c(key, value) AS (SELECT 'a', 'b' UNION ALL SELECT key, value FROM c) SELECT * FROM c"
    with sqlite3.connect(database) as connection:
        connection.execute(f"CREATE VIEW about AS {endless}")


def led_to_a_database(database: Path, victim: Path) -> None:
    """A link to a database of another program that has tables of the same names."""
    victim.unlink()
    with sqlite3.connect(victim) as connection:
        for table in ("about", "files", "answers", "chunk", "record"):
            connection.execute(f"CREATE TABLE {table} (theirs)")
    database.symlink_to(victim)


@pytest.mark.parametrize("make", [names_another_file, never_ends, led_to_a_database])
@pytest.mark.parametrize("which", ["index", "vectors"])
def test_a_database_that_a_repository_brings_is_not_used(
    tmp_path: Path, outside: Path, make: Callable[[Path, Path], None], which: str
) -> None:
    """Opening it was enough to have any file of the person removed."""
    layout = Layout(tmp_path / ".omoide")
    (layout.root / "memory").mkdir(parents=True)
    (layout.cache / "enrichers").mkdir(parents=True)
    path = layout.cache / (NAME if which == "index" else "enrichers/semantic.sqlite")
    make(path, outside / "profile")
    before = (outside / "profile").read_bytes()
    if which == "index":
        cache = Cache(layout)
        assert cache.rows() == {}
        row = Row((1, 2, 3), b"x", "y")
        assert cache.update({"knowledge/a.md": row})
        assert cache.rows() == {"knowledge/a.md": row}
    else:
        kept = VectorFile(layout, "semantic", "m")
        kept.put({"h": b"v"}, [("a", "1", ["h"])])
        assert kept.all() == ([("a", "1")], b"v")
    assert (outside / "profile").read_bytes() == before
    assert not path.is_symlink()


def test_an_audit_does_not_ask_a_database_that_never_ends(omoide: Run, workspace: Path, outside: Path) -> None:
    (workspace / ".omoide/cache/enrichers").mkdir(parents=True)
    (workspace / ".omoide/config.toml").write_text("[enricher.semantic]\n")
    never_ends(workspace / f".omoide/cache/{NAME}", outside)
    with sqlite3.connect(workspace / ".omoide/cache/enrichers/semantic.sqlite") as database:
        endless = "WITH RECURSIVE c(id, rev) AS (SELECT 'a', 'b' UNION ALL SELECT id, rev FROM c) SELECT * FROM c"
        database.execute(f"CREATE VIEW record AS {endless}")
    found = {one["code"] for one in omoide("--json", "audit").json["findings"]}
    assert "stale-index" in found


def test_an_older_store_still_opens(omoide: Run, workspace: Path) -> None:
    """What stands against others' databases must not stand against our own of before."""
    import shutil

    shutil.copytree(earlier("c611e48"), workspace / ".omoide", dirs_exist_ok=True)
    assert omoide("lint").code in (0, 1)
    assert (workspace / f".omoide/cache/{NAME}").is_file()
