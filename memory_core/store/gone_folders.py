"""Folders that are gone, in which an agent worked: each may have been a work tree or the former place of a project.

A guess by names, for a person to decide; nothing is taken for a project's own by it. Looks at Claude Code's logs, which
lie in a folder for each place.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from memory_core.store.ordinary import on_another_machine, open_binary
from memory_core.store.session_places import Belonging, claude_folders, read_head

_MOST = 50  # folders of logs that are looked into


@dataclass(frozen=True)
class GoneFolder:
    """A folder that is not there any more, and how many logs of it there are."""

    path: Path
    logs: int


def gone_folders(workspace: Path, environment: Mapping[str, str], *, beside: bool = False) -> list[GoneFolder]:
    """Those whose path has the name of the project in it; with `beside` also any that lay beside it."""
    known = Belonging(workspace)
    found: list[GoneFolder] = []
    for logs in islice(_near(workspace, environment, beside), _MOST):
        cwd = _cwd_of(logs[0])
        if not cwd or not os.path.isabs(cwd) or on_another_machine(cwd, workspace) or os.path.lexists(cwd):  # noqa: PTH117
            continue
        named = workspace.name.casefold() in cwd.casefold()
        if (named or (beside and Path(cwd).parent == workspace.parent)) and not known.holds(cwd):
            found.append(GoneFolder(Path(cwd), len(logs)))
    return found


def _near(workspace: Path, environment: Mapping[str, str], beside: bool) -> Iterator[list[Path]]:
    """The logs of each folder whose name may stand for such a place."""
    name, parent = _spelled(workspace.name).casefold(), _spelled(str(workspace.parent))
    for projects in claude_folders(workspace, environment):
        try:
            folders = sorted(projects.iterdir())
        except OSError:
            continue
        for folder in folders:
            spelled = _spelled(folder.name)
            if name not in spelled.casefold() and not (beside and spelled.startswith(parent)):
                continue
            if logs := sorted(path for path in folder.glob("*.jsonl") if path.is_file()):
                yield logs


def _spelled(path: str) -> str:
    """A path as Claude Code names the folder of its logs."""
    return re.sub(r"[^A-Za-z0-9]", "-", path)


def _cwd_of(path: Path) -> str | None:
    try:
        with open_binary(path) as stream:
            return read_head(stream).cwd
    except OSError:
        return None
