"""Small stores for the tests of this folder, written out as files: nothing of ours makes them, so nothing can hide."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

_HEAD = "---\ncreated_at: 2026-03-01T10:00:00Z\nupdated_at: 2026-03-01T10:00:00Z\n"
RECORDS = {
    "memory/decisions/keep-exports-ninety-days.md": (
        _HEAD + "status: open\nsources: []\n---\nExports are kept for ninety days; see #house-rule.\n"
    ),
    "memory/requests/delete-old-exports.md": _HEAD + "sources: []\n---\nDelete exports that are too old.\n",
    "knowledge/house-rule.md": (
        _HEAD + "description: How exports are handled.\nkind: rule\nmodel_invokation: false\n"
        "user_invocable: true\nlast_sources: []\n---\nNever delete an export that is billed.\n"
    ),
}
TALK = (
    ("user", "We decided to keep click exports for ninety days, because the billing system reads them late."),
    ("assistant", "Understood."),
    ("user", "Please add a nightly job that deletes exports older than ninety days."),
    ("assistant", "I will add the job."),
)
SESSION = "aaaa0c9e-64d7-4a3b-9e21-7c8d40f2a615"


def talk(folder: Path, lines: tuple[tuple[str, str], ...] = TALK, session: str = SESSION) -> Path:
    """A Claude Code log of a conversation in `folder`."""
    rows = [
        {
            "type": role,
            "sessionId": session,
            "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None,
            "cwd": str(folder),
            "timestamp": f"2026-03-12T10:{number:02}:00.000Z",
            "version": "2.0.0",
            "message": {"role": role, "content": text if role == "user" else [{"type": "text", "text": text}]},
        }
        for number, (role, text) in enumerate(lines)
    ]
    path = folder / "talk.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def project(tmp_path: Path, start: str) -> Path:
    """A folder `template`: `empty`, with `records`, with candidates `staged` or `legacy` rows as well, or of an
    `earlier` version; made once."""
    folder = tmp_path / "template"
    if folder.exists():
        return folder
    folder.mkdir()
    talk(folder)
    if start == "empty":
        return folder
    root = folder / ".omoide"
    if start == "earlier":
        shutil.copytree(earlier("c611e48"), root)
        (root / "knowledge/release-notes.md").unlink()  # a person's, with a mistake on purpose
        return folder
    for path, text in RECORDS.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    for name in ("memory/decisions", "memory/requests", "workflow"):
        (root / name).mkdir(parents=True, exist_ok=True)
    if start == "legacy":
        (root / "memory/_legacy").mkdir(parents=True)
        rows = [
            {"id": f"m{n}", "key": f"k{n}", "content": text, "category": "core", "created_at": "2026-01-01T00:00:00Z"}
            for n, text in enumerate(("Exports are kept.", "Dates are in UTC.", "Dates are in UTC.", "Ask first."))
        ]
        (root / "memory/_legacy/rows.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    if start == "staged":
        shutil.copytree(earlier("c611e48") / "memory/_staging", root / "memory/_staging")
    return folder


def earlier(version: str) -> Path:
    """The store that a version of this project wrote (`tests/data/stores/README.md`)."""
    return Path(__file__).parents[1] / "data/stores" / version / "store"
