"""What a run would take away from existing records, and whether that is too much to do without a person."""

from __future__ import annotations

from collections import Counter

from memory_core.changes import ChangeSet
from memory_core.consolidate.similar import tokens
from memory_core.layout import SUMMARY_PATH
from memory_core.snapshot import Document, Snapshot

LOSS_SHARE = 0.25  # of the existing records; a run that takes from more is held
KEPT_SHARE = 0.7  # of a body's words: fewer left than this is lost content, an edit changes less
_SOME_WORDS = 20  # of a summary; a shorter one is no loss that needs a person
KEPT_SHARE_SUMMARY = 0.3  # the summary is rewritten by design; only one that is emptied is lost


def too_much(base: Snapshot, changes: ChangeSet) -> str | None:
    """Why a run has to be held; None when it may go on.

    One rewritten record is always let through: in a young store any edit would be above the share, and no run could
    ever correct a record there. Removals get no such allowance.
    """
    if any(change.path == SUMMARY_PATH and _emptied(base, change.after) for change in changes):
        return "the summary would lose nearly all it says, and nothing comes in its place"
    removed = [change.path for change in changes if change.op == "delete"]
    lost = removed + [c.path for c in changes if c.after is not None and _shrinks(base.documents.get(c.path), c.after)]
    existing = sum(1 for document in base.documents.values() if document.ref)
    limit = LOSS_SHARE * existing
    if len(removed) <= limit and len(lost) <= max(1, limit):
        return None
    names = ", ".join(lost[:5])
    return f"{len(lost)} of {existing} records would lose content ({names}): at most {LOSS_SHARE:.0%} may in one run"


def _emptied(base: Snapshot, after: str | None) -> bool:
    """Whether a summary of some length becomes a stub. One rewritten in other words keeps its length."""
    before = base.documents.get(SUMMARY_PATH)
    new = Document(SUMMARY_PATH, after or "").record
    if not before or not before.record or not new:
        return False
    words = len(tokens(before.record.body))
    return words >= _SOME_WORDS and len(tokens(new.body)) < KEPT_SHARE_SUMMARY * words


def _shrinks(document: Document | None, after: str) -> bool:
    """Whether so many words of a record go that the rest is not the same record shortened."""
    new = Document(document.path, after).record if document else None
    if not document or not document.record or not new:
        return False
    before = Counter(tokens(document.record.body))
    kept = before & Counter(tokens(new.body))
    return kept.total() < (KEPT_SHARE_SUMMARY if document.path == SUMMARY_PATH else KEPT_SHARE) * before.total()
