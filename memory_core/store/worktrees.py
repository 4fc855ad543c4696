"""The other work trees of a workspace's repository on this machine, and the memory roots in them.

Records go from one to the other through git. The machinery beside them does not, so that each looks at what the others
know.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from memory_core.layout import Layout
from memory_core.store.discovery import led_to, linked_git_dir, main_worktree, root_in
from memory_core.store.git import git_root
from memory_core.store.ordinary import on_another_machine, read_text

log = logging.getLogger(__name__)


def main_root(layout: Layout) -> Layout | None:
    """The root in the main work tree that corresponds to one in a linked one; None for any other."""
    top = git_root(layout.workspace)
    main = main_worktree(top) if top else None
    return root_in(main / layout.workspace.absolute().relative_to(top)) if top and main else None


def roots_beside(layout: Layout) -> list[Layout]:
    """The roots in the main work tree and in the linked ones, but this one."""
    linked = (root_in(place) for place in linked_worktrees(layout.workspace))
    roots = {other.root.resolve(): other for other in (main_root(layout), *linked) if other is not None}
    return [other for place, other in roots.items() if place != layout.root.resolve()]


def linked_worktrees(workspace: Path) -> list[Path]:
    """The places in linked git worktrees that correspond to a workspace in the main one, as git lists them on disk."""
    for folder in (workspace, *workspace.parents):
        if os.path.exists(folder / ".git"):  # noqa: PTH110 - does not raise for a folder that may not be looked into
            break
    else:
        return []
    try:
        common = folder / ".git"
        if led_to(common):  # the repository of another project
            return []
        if common.is_file():  # the workspace is itself a linked worktree
            git_dir = linked_git_dir(folder)
            if git_dir is None:
                return []
            common = git_dir.parent.parent
        below = workspace.relative_to(folder)
        said = [(p.parent, read_text(p).strip()) for p in sorted(common.glob("worktrees/*/gitdir"))]
        # Without links and `..`, which lead from a folder that is not there to one that is.
        tops = [
            Path(os.path.realpath(place / mark)).parent
            for place, mark in said
            if not on_another_machine(mark, workspace)
        ]
        # One that is gone may have left sessions; one that is there must say that it is linked, lest a repository that
        # somebody unpacked names other projects.
        return [top / below for top in tops if not top.exists() or _is_linked_to(top, common)]
    except (OSError, UnicodeDecodeError, ValueError) as error:
        log.debug("the worktrees of %s cannot be listed: %s", folder, error)
        return []


def _is_linked_to(top: Path, common: Path) -> bool:
    git_dir = linked_git_dir(top)
    return git_dir is not None and git_dir.parent.parent == Path(os.path.realpath(common))
