"""Apply certain fixes to one document, as text. Writes nothing; never touches a head that could not be read."""

from __future__ import annotations

from memory_core.diagnostic import Diagnostic
from memory_core.lint.check import Severities, check
from memory_core.lint.registry import GUESSES
from memory_core.snapshot import Document, Snapshot
from memory_core.text import LineIndex, TextEdit, apply_edits

_ROUNDS = 5  # a fix may make another one possible; a few rounds reach the end


def apply_fixes(snapshot: Snapshot, path: str, severities: Severities | None = None) -> str | None:
    """The text of a document with every certain fix applied; None when nothing changes.

    What is only likely (a slug that was probably meant) is left to a person, and so is a problem with two fixes.
    Applying it to its own result changes nothing.
    """
    document = snapshot.documents.get(path)
    if not document:
        return None
    text = document.text
    for _ in range(_ROUNDS):
        fixed = _fix_once(snapshot, document, severities)
        if fixed is None:
            break
        snapshot = snapshot.with_texts({path: fixed})
        document = snapshot.documents[path]
    return document.text if document.text != text else None


def _fix_once(snapshot: Snapshot, document: Document, severities: Severities | None) -> str | None:
    if not _may_be_rewritten(document):
        return None
    edits = _without_overlaps(document, check(snapshot, document.path, severities))
    if not edits:
        return None
    fixed = apply_edits(document.text, edits)
    return fixed if fixed != document.text and _may_be_rewritten(Document(document.path, fixed)) else None


def _may_be_rewritten(document: Document) -> bool:
    head = document.record.head if document.record else None
    return head is not None and not head.broken and not document.unreadable


def _without_overlaps(document: Document, diagnostics: list[Diagnostic]) -> list[TextEdit]:
    """The edits of the certain fixes; of two that touch the same place the later one waits for the next round."""
    index = LineIndex(document.text)
    taken: list[tuple[int, int]] = []
    edits: list[TextEdit] = []
    for diagnostic in diagnostics:
        if diagnostic.code in GUESSES or len(diagnostic.fixes) != 1:
            continue
        fix = diagnostic.fixes[0]
        spans = [(index.offset(edit.range.start), index.offset(edit.range.end)) for edit in fix.edits]
        if any(start < to and at < end for start, end in spans for at, to in taken):
            continue
        taken += spans
        edits += fix.edits
    return edits
