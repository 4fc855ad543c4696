"""Records that are open in an editor: changed there, in one step, and not on disk behind its back.

Decides nothing about what a refusal means for the rest of a run.
"""

from __future__ import annotations

from memory_core.changes import ChangeSet
from memory_core.ports import OpenTexts


def change_there(editor: OpenTexts | None, changes: ChangeSet) -> tuple[frozenset[str], dict[str, str]]:
    """Have the editor change what is open there: the paths it changed, or why it did not by path. All or none."""
    if editor is None:
        return frozenset(), {}
    shown = {change.path: change for change in changes if change.op == "update" and editor.shows(change.path)}
    why = editor.apply(ChangeSet(shown)) if shown else None
    return (frozenset(), dict.fromkeys(shown, why)) if why else (frozenset(shown), {})


def without(changes: ChangeSet, shown: frozenset[str]) -> ChangeSet:
    """What is left for the disk."""
    return ChangeSet({path: change for path, change in changes.files.items() if path not in shown})


def to_save(shown: frozenset[str]) -> str:
    """What a person has to do about records that an editor holds changed."""
    return f"{', '.join(sorted(shown))} changed in your editor: save, and the next run closes the candidates"
