"""Apply certain fixes to one document, as text. Writes nothing; never touches a head that could not be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory_core.diagnostic import Diagnostic
from memory_core.lint.check import Severities, check, errors
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
    if not document or not _may_be_rewritten(document):
        return None
    state = _State(snapshot, document, check(snapshot, path, severities))
    applied: list[Applied] = []
    for _ in range(_ROUNDS):
        once = _fix_once(state, severities)
        if once is None:
            break
        state, chosen = once
        applied += (Applied(d.code, d.fixes[0].title) for d in chosen)
    return Fixed(state.document.text, tuple(applied)) if state.document.text != document.text else None


def certain(diagnostic: Diagnostic) -> bool:
    """Whether a problem has one fix that nobody needs to think about."""
    return diagnostic.code not in GUESSES and len(diagnostic.fixes) == 1


@dataclass(frozen=True, slots=True)
class _State:
    """A document as it is after some fixes, the snapshot with it, and its problems."""

    snapshot: Snapshot
    document: Document
    found: Sequence[Diagnostic]


def _fix_once(state: _State, severities: Severities | None) -> tuple[_State, list[Diagnostic]] | None:
    """The document after one fix for each place, and which those were. A fix after which there are more errors than
    before is none, whatever its rule thought: what was valid, if odd, stays so."""
    chosen = _without_overlaps(state.document, state.found)
    after = _after(state, chosen, severities)
    if after is None or _counted(after) - _counted(state):  # one may have hidden behind another that mends an error
        chosen = [d for d in chosen if _mends(state, d, severities)]
        after = _after(state, chosen, severities)
    return (after, chosen) if after else None


def _after(state: _State, chosen: Sequence[Diagnostic], severities: Severities | None) -> _State | None:
    """The document with the fixes of some problems; None where that changes nothing or would break the head."""
    path, text = state.document.path, state.document.text
    changed = apply_edits(text, [edit for d in chosen for edit in d.fixes[0].edits])
    if changed == text:
        return None
    snapshot = state.snapshot.with_texts({path: changed})
    document = snapshot.documents[path]
    return _State(snapshot, document, check(snapshot, path, severities)) if _may_be_rewritten(document) else None


def _mends(state: _State, problem: Diagnostic, severities: Severities | None) -> bool:
    after = _after(state, [problem], severities)
    return after is not None and _counted(after).total() <= _counted(state).total()


def _counted(state: _State) -> Counter[str]:
    """How many errors of each code there are."""
    return Counter(d.code for d in errors(state.found))


def _may_be_rewritten(document: Document) -> bool:
    head = document.record.head if document.record else None
    return head is not None and not head.broken and not document.unreadable


def _without_overlaps(document: Document, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
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
