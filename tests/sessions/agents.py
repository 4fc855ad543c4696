"""The synthetic logs of `tests/data/sessions`: as files, databases made of their SQL, and as readable Markdown."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from memory_core.sessions.model import Session
from memory_core.text import shorten

DATA = Path(__file__).parents[1] / "data" / "sessions"
_LOGS = (".json", ".jsonl", ".md", ".sql", ".zst")
# Files that lie beside a log and are no log.
_BESIDE = frozenset({"workspace.json", "history_item.json"})


def is_log(path: Path) -> bool:
    """Whether a file of the data is a log, and not an expectation or something beside one."""
    return (
        path.is_file()
        and path.suffix in _LOGS
        and not path.name.endswith(".golden.md")
        and path.name not in _BESIDE
        and not path.name.endswith(".meta.json")
        and not {"message", "part", "tool-results"} & set(path.parent.parts[-2:])
    )


def fixtures() -> list[Path]:
    """All logs, relative to the data."""
    return sorted(path.relative_to(DATA) for path in DATA.rglob("*") if is_log(path))


def placed(fixture: Path, folder: Path) -> Path:
    """A log with everything beside it, in a folder of its own; a database is made of its SQL."""
    agent = fixture.parts[0]
    shutil.copytree(DATA / agent, folder / agent, dirs_exist_ok=True)
    path = folder / fixture
    return made_database(path) if path.suffix == ".sql" else path


def made_database(sql: Path, *, wal: bool = False) -> Path:
    path = sql.with_suffix(".db")
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        if wal:
            connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(sql.read_text(encoding="utf-8"))
    return path


def parts_of(path: Path) -> list[Path]:
    """The sessions in a log: itself, or places below it."""
    if path.suffix == ".db":
        table = "session" if path.name.startswith("opencode") else "sessions"
        with closing(sqlite3.connect(path)) as connection:
            return [path / row[0] for row in connection.execute(f"SELECT id FROM {table} ORDER BY id")]
    return [path]


def rendered(session: Session) -> str:
    """A session as Markdown: what a reviewer must see to judge who said what, and where it stands."""
    lines = [f"# {session.agent} `{session.session_id}`", ""]
    about = {
        "title": session.title,
        "kind": session.session_kind,
        "cwds": ", ".join(session.cwds),
        "started": session.started_at,
        "updated": session.updated_at,
        "skipped": ", ".join(f"{name} {count}" for name, count in sorted(session.skipped.items())),
        "repairs": ", ".join(f"{name} {count}" for name, count in sorted(session.repairs.items())),
    }
    lines += [f"- {name}: {value}" for name, value in about.items() if value]
    lines += [f"- gap: {'line ' + str(g.line + 1) if g.line is not None else 'file'}: {g.reason}" for g in session.gaps]
    for entry in session.entries:
        marks = [str(entry.speaker), str(entry.kind)]
        marks += [f"({entry.subtype})"] if entry.subtype else []
        marks += ["failed"] if entry.is_error else []
        place = [f"line {entry.line + 1}"] if entry.line is not None else []
        place += [f"id {entry.native_id}"] if entry.native_id else []
        place += [f"call {entry.call_id}"] if entry.call_id else []
        place += [entry.ts] if entry.ts else []
        lines += ["", f"## {entry.index} {' '.join(marks)}", f"{', '.join(place)}"]
        lines += ["", *(f"> {line}".rstrip() for line in entry.text.split("\n"))] if entry.text else []
        if entry.output is not None:
            lines += ["", f"output: {shorten(entry.output, 120)}"]
        if entry.paths:
            lines += ["", f"paths: {', '.join(entry.paths)}"]
        if entry.payload is not None:
            lines += ["", f"{entry.domain or 'payload'}: {entry.payload}"]
    return "\n".join(lines) + "\n"
