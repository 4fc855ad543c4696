"""What is wrong with a store, found by looking and mended by nobody: `omoide audit`.

Reads every file below the root, the index aside; a file that cannot be read is a finding, not an error.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory_core.layout import LOCAL, Layout, is_local
from memory_core.redact import find
from memory_core.store import git, lock, process
from memory_core.store.discovery import said_of_unused
from memory_core.store.files import lines_of
from memory_core.store.ordinary import read_bytes
from memory_core.text import counted

_OURS = re.compile(r'"token": "[0-9a-f]{16}"')  # by which a lock knows its holder: no secret, though it looks like one
_LARGEST = 64 * 1024 * 1024  # of a file that is searched for secrets


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. `level`: error, warning or note; `path`: below the root, empty for the store as a
    whole; `message`: what it is and what to do; `line`: from 1, 0 for the file as a whole."""

    level: str
    code: str
    path: str
    message: str
    line: int = 0


def findings(layout: Layout) -> Iterator[Finding]:
    """Everything found, file by file. Nothing is written."""
    yield from _files(layout)
    yield from _logs(layout)
    yield from _unfinished(layout)
    yield from _shared(layout)
    yield from (Finding("warning", "unused-root", "", text) for text in said_of_unused(layout))


def _files(layout: Layout) -> Iterator[Finding]:
    for path in _below(layout.root):
        name = path.relative_to(layout.root).as_posix()
        if path.is_symlink():
            target = Path(os.path.realpath(path))
            if layout.root.resolve() not in target.parents:
                yield Finding("error", "link-out", name, f"It leads out of the store, to {target}: put the file here.")
            continue
        if name.startswith("cache/"):
            continue
        try:
            if path.stat().st_size > _LARGEST:
                yield Finding("note", "not-searched", name, "Too large to be searched for secrets.")
                continue
            text = read_bytes(path).decode("utf-8", "replace")
        except OSError as error:
            yield Finding("error", "unreadable", name, f"It cannot be read ({error.strerror}): check its permissions.")
            continue
        if path == layout.lock:
            text = _OURS.sub("", text)
        if kinds := find(text):
            what = ", ".join(kinds)
            yield Finding(
                "error", "secret", name, f"It holds what looks like a secret ({what}): change it, take it out."
            )
        if sys.platform != "win32" and is_local(name) and path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
            yield Finding("warning", "readable-by-others", name, f"Other users may read it: chmod 600 {path}")


def _below(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(files))
        yield from (Path(folder, name) for name in folders if Path(folder, name).is_symlink())


def _logs(layout: Layout) -> Iterator[Finding]:
    """Append-only files: lines that are no JSON were torn by a crash or a merge."""
    for path in (layout.resolutions, layout.usage, layout.audit, *sorted(layout.sessions.glob("*.jsonl"))):
        try:
            data = read_bytes(path)
        except OSError:
            continue  # absent, or reported already
        name = path.relative_to(layout.root).as_posix()
        bad = [number for number, line in enumerate(lines_of(data), 1) if not _is_object(line)]
        if bad:
            first = f"line {bad[0]}" if len(bad) == 1 else f"lines {', '.join(map(str, bad[:3]))}"
            text = f"{counted(len(bad), 'line')} cannot be read ({first}): the rest counts, nothing is lost by it."
            yield Finding("warning", "torn-line", name, text)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _unfinished(layout: Layout) -> Iterator[Finding]:
    """Runs that ended without an end, and locks that nobody holds any more."""
    for marker in sorted((layout.archive / "_pending").glob("*.json")):
        text = "A run was interrupted: the next consolidation rolls it back, or ends it where all was written."
        yield Finding("warning", "unfinished-run", marker.relative_to(layout.root).as_posix(), text)
    for path in (layout.lock, *sorted((layout.cache / "locks").glob("*.lock"))):
        held = lock.holder(path)
        if held is not None and (not held or process.gone(held)):
            text = "It names no running process: the next run takes it over."
            yield Finding("note", "dead-lock", path.relative_to(layout.root).as_posix(), text)
    left = [path for path in _below(layout.root) if path.name.endswith(".tmp")]
    for path in left:
        text = "A temporary file of an interrupted write: it may be deleted."
        yield Finding("note", "left-over", path.relative_to(layout.root).as_posix(), text)


def _shared(layout: Layout) -> Iterator[Finding]:
    """Machinery that git tracks or would take, and records that it ignores."""
    tracked = git.tracked(layout.root, LOCAL)
    if tracked is None:
        return
    if tracked:
        text = f"{counted(len(tracked), 'local file')} of the store {'is' if len(tracked) == 1 else 'are'} in git: "
        text += f"git rm -r --cached {' '.join(sorted({name.split('/')[0] for name in tracked}))}"
        yield Finding("error", "tracked", tracked[0], text)
    ignored = git.ignored(layout.root, [place for place in LOCAL if (layout.root / place).exists()])
    exposed = [p for p in LOCAL if (layout.root / p).exists() and ignored is not None and p not in ignored]
    if exposed and not tracked:
        text = f"git does not ignore {', '.join(exposed)}: `omoide init` writes the .gitignore."
        yield Finding("warning", "not-ignored", "", text)
    records = git.ignored(layout.root, ("memory/summary.md", "knowledge/x.md", "memory/decisions/x.md"))
    if records:
        text = "git ignores the records, so nobody else gets them: look at the .gitignore files above the store."
        yield Finding("note", "records-ignored", "", text)
