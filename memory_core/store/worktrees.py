"""The other work trees of a workspace's repository on this machine, and the memory roots in them.

Records go from one to the other through git. The machinery beside them does not, so that each looks at what the others
know.
"""

from __future__ import annotations

from memory_core.layout import Layout
from memory_core.store.discovery import main_worktree, root_in
from memory_core.store.git import git_root
from memory_core.store.session_places import linked_worktrees


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
