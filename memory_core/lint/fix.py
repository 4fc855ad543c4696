"""Apply certain fixes to one document, as text. Writes nothing; never touches a head that could not be read."""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.diagnostic import Diagnostic
from memory_core.lint.check import Severities, check
from memory_core.lint.registry import GUESSES
from memory_core.snapshot import Document, Snapshot
from memory_core.text import LineIndex, TextEdit, apply_edits

_ROUNDS = 5  # a fix may make another one possible; a few rounds reach the end


@dataclass(frozen=True, slots=True)
class Applied:
    """One fix that was applied: the code of its problem and what a menu calls it."""

    code: str
    title: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """The text of a document with its certain fixes, and which those were, in the order they were applied."""

    text: str
    applied: tuple[Applied, ...]


def apply_fixes(snapshot: Snapshot, path: str, severities: Severities | None = None) -> str | None:
    """The text of `fixed`, for those who need no list."""
    done = fixed(snapshot, path, severities)
    return done.text if done else None


def fixed(snapshot: Snapshot, path: str, severities: Severities | None = None) -> Fixed | None:
    """A document with every certain fix applied; None when nothing changes.

    What is only likely (a slug that was probably meant) is left to a person, and so is a problem with two fixes.
    Applying it to its own result changes nothing.
    """
    document = snapshot.documents.get(path)
    if not document:
        return None
    text = document.text
    applied: list[Applied] = []
    for _ in range(_ROUNDS):
        once = _fix_once(snapshot, document, severities)
        if once is None:
            break
        snapshot = snapshot.with_texts({path: once.text})
        document = snapshot.documents[path]
        applied += once.applied
    return Fixed(document.text, tuple(applied)) if document.text != text else None


def certain(diagnostic: Diagnostic) -> bool:
    """Whether a problem has one fix that nobody needs to think about."""
    return diagnostic.code not in GUESSES and len(diagnostic.fixes) == 1


def _fix_once(snapshot: Snapshot, document: Document, severities: Severities | None) -> Fixed | None:
    if not _may_be_rewritten(document):
        return None
    chosen = _without_overlaps(document, check(snapshot, document.path, severities))
    if not chosen:
        return None
    text = apply_edits(document.text, [edit for d in chosen for edit in d.fixes[0].edits])
    if text == document.text or not _may_be_rewritten(Document(document.path, text)):
        return None
    return Fixed(text, tuple(Applied(d.code, d.fixes[0].title) for d in chosen))


def _may_be_rewritten(document: Document) -> bool:
    head = document.record.head if document.record else None
    return head is not None and not head.broken and not document.unreadable


def _without_overlaps(document: Document, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Those with a certain fix; of two that touch the same place the later one waits for the next round."""
    index = LineIndex(document.text)
    taken: list[tuple[int, int]] = []
    chosen: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if not certain(diagnostic):
            continue
        edits: tuple[TextEdit, ...] = diagnostic.fixes[0].edits
        spans = [(index.offset(edit.range.start), index.offset(edit.range.end)) for edit in edits]
        if any(start < to and at < end for start, end in spans for at, to in taken):
            continue
        taken += spans
        chosen.append(diagnostic)
    return chosen
