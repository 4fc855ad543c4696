"""What a run would take away from existing records, and whether that is too much to do without a person."""

from __future__ import annotations

from collections import Counter

from memory_core.changes import ChangeSet
from memory_core.consolidate.similar import tokens
from memory_core.layout import SUMMARY_PATH
from memory_core.snapshot import Document, Snapshot

LOSS_SHARE = 0.25  # of the existing records; a run that shrinks more is held
KEPT_SHARE = 0.7  # of a body's words: fewer left than this is lost content, an edit changes less
KEPT_SHARE_SUMMARY = 0.3  # the summary is rewritten by design; only one that is emptied is lost


def losers(base: Snapshot, changes: ChangeSet) -> tuple[str, ...]:
    """The paths of existing records that are deleted or lose content."""
    return tuple(change.path for change in changes if _loses(base.documents.get(change.path), change.after))


def too_much(base: Snapshot, changes: ChangeSet) -> str | None:
    """Why a run has to be held; None when it may go on."""
    lost = losers(base, changes)
    existing = sum(1 for document in base.documents.values() if document.ref)
    if len(lost) <= LOSS_SHARE * existing:
        return None
    names = ", ".join(lost[:5])
    return f"{len(lost)} of {existing} records would lose content ({names}): at most {LOSS_SHARE:.0%} may in one run"


def _loses(document: Document | None, after: str | None) -> bool:
    if document is None or not document.record:
        return False
    if after is None:
        return True
    before = Counter(tokens(document.record.body))
    kept = before & Counter(tokens(Document(document.path, after).record.body))  # type: ignore[union-attr]
    share = KEPT_SHARE_SUMMARY if document.path == SUMMARY_PATH else KEPT_SHARE
    return kept.total() < share * before.total()
