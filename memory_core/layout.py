"""Where things lie under a memory root. Pure path arithmetic; `store.discovery` finds a root, this touches no disk."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memory_core.records.schema import SUMMARY, Kind, RecordRef
from memory_core.records.slug import slug_problem

ROOT_NAMES = (".omoide", ".yoi")  # the second is the older layout, read and written in place
MARKER = "memory"

_FOLDERS = {
    Kind.DECISION: "memory/decisions",
    Kind.REQUEST: "memory/requests",
    Kind.KNOWLEDGE: "knowledge",
    Kind.WORKFLOW: "workflow",
}
_KINDS = {folder: kind for kind, folder in _FOLDERS.items()}
RECORD_FOLDERS = ("memory", *_FOLDERS.values())

# Machinery: of this machine, of one person, and full of what was said in sessions. Git ignores it, other users of the
# machine cannot read it.
LOCAL = (
    "sessions", "cache", "memory/_staging", "memory/_resolutions.jsonl", "memory/_archive", "memory/_usage",
    "memory/_logs", "memory/_legacy", "memory/_receipts",
)  # fmt: skip
SUMMARY_PATH = "memory/summary.md"


def record_path(ref: RecordRef) -> str:
    """The path of a record relative to the root, with `/`."""
    return SUMMARY_PATH if ref.kind is Kind.SUMMARY else f"{_FOLDERS[ref.kind]}/{ref.slug}.md"


@lru_cache(maxsize=1_024)  # asked six times of one path while its record is checked
def record_at(path: str) -> RecordRef | None:
    """The record a relative path stands for; None when the path is no record location or its stem is no slug."""
    return None if path_problem(path) else _ref(path)


def shown_ref(path: str) -> RecordRef | None:
    """Like `record_at`, but a bad stem is kept, so that such a file can still be checked under its kind."""
    if not path.endswith(".md"):
        return None
    try:
        return _ref(path)
    except KeyError:
        return None


def _ref(path: str) -> RecordRef:
    if path == SUMMARY_PATH:
        return SUMMARY
    folder, _, name = path.rpartition("/")
    return RecordRef(_KINDS[folder], name.removesuffix(".md"))


def is_memory_path(path: str) -> bool:
    """Whether a relative path lies where records live: under `memory/`, `knowledge/` or `workflow/`, and not in a
    folder of machinery (`_staging`, `_usage`, `_logs`, `_archive`)."""
    parts = path.split("/")
    if len(parts) < 2 or parts[0] not in ("memory", "knowledge", "workflow"):
        return False
    return not any(part.startswith("_") for part in parts[:-1]) and not parts[-1].startswith(("_", "."))


def is_local(path: str) -> bool:
    """Whether a path below the root belongs to the machinery that nobody shares."""
    return any(path == place or path.startswith(f"{place}/") for place in LOCAL)


def is_private(path: Path) -> bool:
    """Whether a file or folder anywhere on a disk is such machinery of the memory root it lies in."""
    parts = path.parts
    roots = [number for number, part in enumerate(parts) if part in ROOT_NAMES]
    return any(is_local("/".join(parts[number + 1 :])) for number in roots)


def way_to(root: Path, path: Path) -> str:
    """The `/`-separated way from a root to any file; `../README.md` lies beside it, and so does for this what no way
    leads to (another drive)."""
    try:
        return Path(os.path.relpath(path, root)).as_posix()
    except ValueError:
        return f"../{path.name}"


def path_problem(path: str) -> tuple[str, str] | None:
    """Why a file under the record folders is not a record: (`invalid-path` or `invalid-slug`, message)."""
    if path == SUMMARY_PATH:
        return None
    folder, _, name = path.rpartition("/")
    if not name.endswith(".md"):
        return "invalid-path", f"`{name}` is not a record: records end in `.md`; move it elsewhere."
    if folder not in _KINDS:
        folders = ", ".join(f"`{folder}/`" for folder in _FOLDERS.values())
        return "invalid-path", f"`{path}` is not a place for a record: use `{SUMMARY_PATH}` or a file in {folders}."
    stem = name.removesuffix(".md")
    problem = slug_problem(stem)
    if problem:
        return "invalid-slug", f"The file name `{stem}` {problem}: rename the file."
    return None


@dataclass(frozen=True, slots=True)
class Layout:
    """The absolute paths of one memory root."""

    root: Path

    @property
    def workspace(self) -> Path:
        """The folder that holds the root."""
        return self.root.parent

    @property
    def config(self) -> Path:
        return self.root / "config.toml"

    @property
    def staging(self) -> Path:
        return self.root / "memory/_staging"

    @property
    def lock(self) -> Path:
        return self.staging / ".consolidation.lock"

    @property
    def resolutions(self) -> Path:
        return self.root / "memory/_resolutions.jsonl"

    @property
    def archive(self) -> Path:
        return self.root / "memory/_archive"

    @property
    def usage(self) -> Path:
        return self.root / "memory/_usage/events.jsonl"

    @property
    def audit(self) -> Path:
        return self.root / "memory/_logs/audit.jsonl"

    @property
    def legacy(self) -> Path:
        """Conversation rows of older memories, as found."""
        return self.root / "memory/_legacy"

    @property
    def receipts(self) -> Path:
        return self.root / "memory/_receipts"

    @property
    def sessions(self) -> Path:
        return self.root / "sessions"

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    @property
    def prompts(self) -> Path:
        return self.root / "prompts"

    def absolute(self, path: str) -> Path:
        return self.root / path

    def relative(self, path: Path) -> str | None:
        """The `/`-separated path below the root; None for a path outside it."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return None


GITIGNORE = """\
# Written by omoide init. Records, workflows, prompts and settings are shared through git; the rest is local.
/sessions/
/cache/
/memory/_staging/
/memory/_resolutions.jsonl
/memory/_archive/
/memory/_usage/
/memory/_logs/
/memory/_legacy/
/memory/_receipts/
"""
