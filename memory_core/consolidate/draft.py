"""The change set of a run while it grows: every step is linted on a preview before it counts.

Reads and writes nothing on disk; `job` commits what is here at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from memory_core.changes import ChangeSet
from memory_core.diagnostic import Diagnostic, Severity
from memory_core.ids import rfc3339
from memory_core.layout import record_path
from memory_core.lint.check import Severities, check
from memory_core.records.record import Record
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Document, Snapshot

_SILENCER = re.compile(r"<!--\s*omoide-disable")
MAX_CHANGES = 100  # files one run of a model may change: more is left for the next one, and said


class Draft:
    """Changes over a base snapshot. `cites`: the candidates that each changed path rests on; `notes`: why, by path.
    `tidied`: path and reason of each step that rests on no candidate, in order, the summary's aside. `most`: files one
    run may change, None for any number."""

    def __init__(
        self, base: Snapshot, now: datetime, severities: Severities | None = None, most: int | None = MAX_CHANGES
    ) -> None:
        self.base = base
        self.most = most
        self.now = rfc3339(now)
        self.changes = ChangeSet()
        self.preview = base
        self.cites: dict[str, set[str]] = {}
        self.notes: dict[str, str] = {}
        self.tidied: list[tuple[str, str]] = []
        self._severities = severities

    def document(self, ref: RecordRef) -> Document | None:
        return self.preview.document(ref)

    def record(self, ref: RecordRef) -> Record | None:
        return self.preview.record(ref)

    def put(self, ref: RecordRef, after: str | None, cites: Iterable[str] = (), note: str = "") -> str | None:
        """Take one step, or refuse it: the reason as text for whoever asked, and then nothing has changed."""
        path = record_path(ref)
        document = self.preview.documents.get(path)
        if document and document.unreadable:
            return f"Refused: {document.unreadable}"
        before = document.text if document else None
        changes = self.changes.with_file(path, before, after)
        preview = self.base.with_changes(changes)
        if _silencers(preview, path) > _silencers(self.preview, path):
            return "Refused: a comment with `omoide-disable` silences the linter, and only people do that."
        problems = _new_errors(self.preview, preview, path, self._severities)
        if problems:
            return "Refused, nothing was changed:\n" + "\n".join(problems)
        self.changes, self.preview = changes, preview
        cites = tuple(cites)
        self.cites.setdefault(path, set()).update(cites)
        if note:
            self.notes[path] = note
        if note and not cites and ref.kind is not Kind.SUMMARY:
            self.tidied.append((path, note))
        return None


def _new_errors(before: Snapshot, after: Snapshot, path: str, severities: Severities | None) -> list[str]:
    """The errors a step brings into the changed file, and into files that refer to it: what was broken before in a
    file nobody touched is not this step's fault."""
    found = [shown(path, d) for d in _errors(after, path, severities)]
    for other in _neighbors(before, after, path):
        known = {(d.code, d.message) for d in _errors(before, other, severities)}
        found += [shown(other, d) for d in _errors(after, other, severities) if (d.code, d.message) not in known]
    return found


def _silencers(snapshot: Snapshot, path: str) -> int:
    """How many comments in a body turn rules off. Quotations in the head are the host's."""
    document = snapshot.documents.get(path)
    return len(_SILENCER.findall(document.record.body)) if document and document.record else 0


def _errors(snapshot: Snapshot, path: str, severities: Severities | None) -> list[Diagnostic]:
    return [d for d in check(snapshot, path, severities, errors_only=True) if d.severity is Severity.ERROR]


def _neighbors(before: Snapshot, after: Snapshot, path: str) -> list[str]:
    """The files whose problems a step in `path` can change: those that refer to a record that goes, or to a decision
    that is one hop of a chain. Other steps cannot, and looking for links costs a pass over all records."""
    document = after.documents.get(path) or before.documents.get(path)
    record = document.record if document else None
    if not document or not document.ref or not record:
        return []
    if path in after.documents and not (document.ref.kind is Kind.DECISION and record.replaced_by):
        return []
    links = after.index.backlinks.get(document.ref, ())
    return sorted({link.path for link in links} - {path})


def shown(path: str, problem: Diagnostic) -> str:
    """A diagnostic as one line for a model: `path:line: error code: message`, lines counted from 1."""
    return f"{path}:{problem.range.start.line + 1}: {problem.severity} {problem.code}: {problem.message}"


def errors_in(snapshot: Snapshot, paths: Iterable[str], severities: Severities | None) -> dict[str, list[str]]:
    """The errors of some files, by path."""
    found = {path: [shown(path, d) for d in _errors(snapshot, path, severities)] for path in paths}
    return {path: lines for path, lines in found.items() if lines}


def named(text: str) -> RecordRef | None:
    """The record that `decision/<slug>`, `#slug`, `/slug`, `summary` or a path below the root names."""
    text = text.strip().removesuffix(".md").removeprefix("memory/")
    if text == "summary":
        return RecordRef(Kind.SUMMARY, "summary")
    if text.startswith("#"):
        return RecordRef(Kind.KNOWLEDGE, text[1:])
    if text.startswith("/"):
        return RecordRef(Kind.WORKFLOW, text[1:])
    kind, _, slug = text.partition("/")
    singular = kind.removesuffix("s")
    return RecordRef(Kind(singular), slug) if slug and singular in set(Kind) else None
