"""Plans of changes, made of texts that are still the same when the plan is there: what was typed, pulled or written by
an agent meanwhile has it made anew.

Plans nothing itself and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from server import errors, indexing
from server.background import in_thread
from server.convert import edits
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.changes import ChangeSet
    from memory_core.refactor.referrers import Refusal
    from memory_core.snapshot import Snapshot
    from server.convert.edits import Places
    from server.state import Root

T = TypeVar("T")
# By path below a root what a plan takes for the text of its file. None for no file: what is made or moved somewhere
# must find nothing there, or an editor empties what lies there, or gives a stranger all that was to follow a move.
Texts = Mapping[str, str | None]

_PLANS = 3  # of one change, while somebody writes what it is about


async def planned(
    ls: Server, root: Root, plan: Callable[[Snapshot], T], texts_of: Callable[[T], Texts], *, linked: bool = True
) -> tuple[T, Places]:
    """What `plan` makes of the records, and the places for its edits. The request fails where the records are not read
    yet, and where the texts that the plan is about, `texts_of`, do not stop changing. `linked`: whether the plan asks
    who names whom."""
    stale: list[str] = []
    for _ in range(_PLANS):
        snapshot = await (ls.loader.linked(root) if linked else ls.loader.snapshot(root))
        if snapshot is None:
            raise errors.no_snapshot(root)
        made = await in_thread("plan", partial(plan, snapshot))
        stale = await _stale(ls, root, texts_of(made))
        if not stale:
            # With the versions of these very texts: what is typed from here on makes the editor refuse the edits.
            return made, edits.places(ls.state, root)
    raise errors.request_failed(f"{', '.join(stale[:3])} changed meanwhile, so nothing was done: try again.")


def texts_before(changes: ChangeSet | Refusal) -> Texts:
    """What a change set takes for the texts of its files."""
    from memory_core.refactor.referrers import Refusal

    return {} if isinstance(changes, Refusal) else {change.path: change.before for change in changes}


async def _stale(ls: Server, root: Root, texts: Texts) -> list[str]:
    """The paths at which another text is by now: the editor's where a file is open, else that on disk, which is read
    then. No watcher is waited for: it may be late, or be told nothing."""
    shown = ls.state.texts_of(root)
    shut = {path: text for path, text in texts.items() if path not in shown}
    changed = await in_thread("look", lambda: indexing.differing(root.real, shut)) if shut else set()
    if changed:
        await ls.loader.refresh(root, changed)
    opened = ls.state.texts_of(root)
    return sorted(changed | {path for path in texts if path in opened and opened[path].text != texts[path]})
