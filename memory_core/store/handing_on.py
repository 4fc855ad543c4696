"""What is removed or discarded in a linked work tree, told to the main one: `git worktree remove` takes the machinery
of that work tree away, and the main one sees its sessions still.

It lies there as what an import brings does. Where it cannot be told, it is said in the log and the removal stands.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.staging import Resolution
from memory_core.store.archive import run_folder
from memory_core.store.closed import read_closed
from memory_core.store.files import append_lines, read_or_none, require_inside, write_whole
from memory_core.store.staging_files import CLOSED, alone, archived_files
from memory_core.store.tombstones import standing
from memory_core.store.transfer_gone import plan_gone, read_gone
from memory_core.store.transfer_logs import write_logs
from memory_core.store.worktrees import main_root

log = logging.getLogger(__name__)


def tell_removed(layout: Layout, run_id: str) -> None:
    """Tell the main work tree which records a run removed."""

    def tell(main: Layout) -> None:
        stones = [stone for stone in standing(layout) if stone.run_id == run_id]
        write_logs(main, plan_gone(main, read_gone(layout, stones, ())))

    _to_main(layout, tell)


def tell_discarded(layout: Layout, resolutions: Sequence[Resolution]) -> None:
    """Tell the main work tree which candidates a person discarded, and what they said."""
    ids = {how.candidate for how in resolutions if how.action == "discarded" and how.run_id is None}

    def tell(main: Layout) -> None:
        told = [how for how in read_closed(layout).standing if how.candidate in ids]
        names = sorted({how.candidate.split("/", 1)[0] for how in told})
        files = archived_files(layout, names)
        folder = run_folder(main.archive, CLOSED) / "memory/_staging"
        require_inside(main.root, folder)
        with alone(main):
            for name in names:
                data = files.get(name) or read_or_none(layout.staging / f"{name}.json")
                if data and not (folder / f"{name}.json").exists():
                    write_whole(folder / f"{name}.json", data)
            lines = "".join(how.model_dump_json(exclude_none=True) + "\n" for how in told)
            append_lines(main.resolutions, lines, sync=True)

    if ids:
        _to_main(layout, tell)


def _to_main(layout: Layout, tell: Callable[[Layout], None]) -> None:
    try:
        main = main_root(layout)
        if main is not None:
            require_inside(main.root, main.archive)
            require_inside(main.root, main.resolutions)
            tell(main)
    except (OSError, StoreError) as error:
        log.warning("What was removed in %s is not known in the main work tree: %s", layout.workspace, error)
