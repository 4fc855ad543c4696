"""A change set of a person's as one run: all of it written and put into the audit log, or nothing.

Looks for no conflicts beforehand and asks nobody; what the change consists of is `refactor`'s business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from memory_core.changes import ChangeSet
from memory_core.consolidate.undo import undo
from memory_core.ids import uuid7
from memory_core.ports import Store
from memory_core.redact import redact


def commit_whole(
    store: Store,
    changes: ChangeSet,
    *,
    event: str,
    facts: Mapping[str, Any],
    note: str,
    now: Callable[[], datetime],
) -> tuple[str, Mapping[str, str]]:
    """The id of the run, and why not all could be written, by path: then somebody wrote since the caller looked, and
    what was written is taken back. `event` and `facts` go into the audit log, `note` is the person's reason."""
    run_id, note = uuid7(now()), redact(note)
    result = store.commit(changes, run_id=run_id, reason=f"{event}: {note}" if note else event)
    if result.conflicts:
        undo(store, run_id, now=now)
        return run_id, result.reasons
    store.append_audit(event, {"run_id": run_id, **facts, "changes": changes.plain(), "reason": note or None})
    return run_id, {}
