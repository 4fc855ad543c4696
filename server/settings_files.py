"""What is wrong with the settings files of a root: as they were read and, of one that is open, as it stands there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memory_core.store.ordinary import read_bytes
from memory_core.text import LineIndex

if TYPE_CHECKING:
    from memory_core.diagnostic import Diagnostic
    from memory_core.workspace import Workspace
    from server.open_text import OpenText

Files = Mapping[Path, tuple[LineIndex, Sequence["Diagnostic"]]]


def files_of(workspace: Workspace) -> tuple[Path, Path]:
    """The workspace's file and the user's, whether they exist or not."""
    from memory_core.store.settings_files import user_config_path

    return workspace.layout.config, user_config_path(workspace.environment)


def problems_of(workspace: Workspace, opened: Callable[[Path], OpenText | None]) -> Files:
    """The lines and the problems of each settings file that is open or has any. `opened`: the open text of a file."""
    from memory_core import prompts
    from memory_core.config import parse
    from memory_core.lint.registry import CODES

    own, user = files_of(workspace)
    trusted = workspace.config.trust.covers(workspace.layout.workspace)
    found: dict[Path, tuple[LineIndex, Sequence[Diagnostic]]] = {}
    for file, trusts in ((own, trusted), (user, True)):
        text = opened(file)
        if text:
            found[file] = text.lines, parse(text.text, trusted=trusts, known_rules=CODES)[1]
        elif problems := workspace.problems.get(file):
            found[file] = _lines_of(file), problems
    for file, problems in workspace.problems.items():
        if file not in (own, user):  # a prompt of the workspace's own
            found[file] = _lines_of(file), problems
    for name in prompts.NAMES:
        if text := opened(file := workspace.layout.prompts / f"{name}.md"):
            found[file] = text.lines, prompts.problems(name, text.text)
    return found


def _lines_of(file: Path) -> LineIndex:
    try:
        return LineIndex(read_bytes(file).decode("utf-8-sig", "replace"))
    except OSError:
        return LineIndex("")
