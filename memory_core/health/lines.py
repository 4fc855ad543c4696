"""Lines of the summary that candidates went into and that are gone: lessons and open questions stand nowhere else, and
a merge that takes one side of the summary drops those of the other without a word.

Only names them. Whether a person deleted a line or a merge did looks the same from here, so that none is put back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_core.consolidate.alike import in_other_scripts
from memory_core.consolidate.covered import claim, own_words
from memory_core.consolidate.similar import overlap
from memory_core.errors import MemoryCoreError
from memory_core.layout import record_path
from memory_core.ports import Store
from memory_core.records.schema import SUMMARY
from memory_core.snapshot import Snapshot
from memory_core.staging import Attempt, CandidateRef, Discussion, headline
from memory_core.store.files import encode, sha256
from memory_core.store.health import Finding

_SAID = 0.5  # of the words of a candidate's field in one line: a worker may have put it otherwise
_PATH = record_path(SUMMARY)


@dataclass(frozen=True, slots=True)
class _Change:
    """What a run made of the summary. `after`: None where that text is not to be had any more."""

    before: str
    after: str | None


def lines_gone(store: Store, snapshot: Snapshot) -> Iterator[Finding]:
    """The candidates that became a line of the summary and of which no record says anything now, but for those whose
    line a later run took out."""
    in_summary = [how for how in store.closed() if how.action == "applied" and how.records == ("summary",)]
    text = "\n".join(own_words(d.record) for d in snapshot.documents.values() if d.record)
    lost = [ref for _, ref in store.words_of(in_summary) if not _says(text, ref)]
    changes = _changes(store, snapshot) if lost else ()
    for ref in lost:
        if not _taken_out(ref, changes):
            yield Finding("note", "line-gone", _PATH, _told(ref))


def _told(ref: CandidateRef) -> str:
    """Whole, since this is where the words are had back from: an undo leaves a summary alone that changed since."""
    said = " ".join(headline(ref.candidate).split())
    return (
        f'"{said}" became a line of the summary; no run took it out, and no record says it: where it still counts, '
        "write it there again (git's history of the file may have the line)"
    )


def _says(text: str, ref: CandidateRef) -> bool:
    """Whether a line of a text has what a candidate says, or may have it in another script."""
    match ref.candidate:
        case Discussion() as discussion:
            fields: tuple[str, ...] = (discussion.topic, *discussion.points)
        case Attempt() as attempt:
            fields = (attempt.action, attempt.result)
        case _:
            fields = (claim(ref),)
    lines = [line for line in text.splitlines() if line.strip()]
    if any(overlap(field, line) >= _SAID for field in fields if field.strip() for line in lines):
        return True
    return bool(lines) and in_other_scripts("\n".join(fields), text)


def _changes(store: Store, snapshot: Snapshot) -> list[_Change]:
    """What runs made of the summary, the newest first. The archive has each text before a run; the one behind it is
    known where it is that of a later run, or the one that stands."""
    files = []
    for run in store.runs():
        with contextlib.suppress(MemoryCoreError):  # a damaged run tells nothing of the summary
            archived = store.archived(run.run_id)
            files += [file for file in archived.files if file.path == _PATH] if archived else []
    document = snapshot.document(SUMMARY)
    texts = [*(file.before for file in files), document.text if document else None]
    known = {sha256(encode(text, Path(_PATH))): text for text in texts if text is not None}
    return [_Change(file.before or "", known.get(file.after_hash or "")) for file in files]


def _taken_out(ref: CandidateRef, changes: Sequence[_Change]) -> bool:
    """Whether the last run that saw a candidate's line took it out."""
    for change in changes:
        if change.after is not None and _says(change.after, ref):
            return False
        if _says(change.before, ref):
            return change.after is not None
    return False
