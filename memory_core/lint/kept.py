"""Diagnostics as text and back, for a cache of what was found: everything of them, in little space.

And the diagnostics of single records, each under what it hangs on, so that a change elsewhere leaves them as they are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory_core.diagnostic import Diagnostic, Fix, Related, Severity
from memory_core.lint.check import Severities, check
from memory_core.lint.facts import LintFacts
from memory_core.records.record import Record
from memory_core.records.schema import RecordRef
from memory_core.snapshot import Document, Snapshot
from memory_core.text import Position, Range, TextEdit

Found = Mapping[str, Sequence[Diagnostic]]


def packed(found: Found) -> str:
    """The diagnostics of some files by path, in order."""
    rows = {path: [_row(d) for d in diagnostics] for path, diagnostics in found.items()}
    return json.dumps(rows, separators=(",", ":"))  # ASCII: half of a surrogate pair cannot be stored


def unpacked(text: str) -> dict[str, Sequence[Diagnostic]]:
    """The diagnostics from `packed`; ValueError or TypeError for anything else."""
    data = json.loads(text)
    if not isinstance(data, dict):
        raise TypeError("not a table of diagnostics")
    return {path: [_diagnostic(*row) for row in rows] for path, rows in data.items()}


@dataclass(frozen=True)
class Watched(Snapshot):
    """A snapshot that notes which other records a rule looked into. What a rule takes from the tables of slugs is not
    noted: `names_of` stands for all of them."""

    seen: set[RecordRef] = field(default_factory=set, compare=False)

    def document(self, ref: RecordRef) -> Document | None:
        self.seen.add(ref)
        return super().document(ref)

    def record(self, ref: RecordRef) -> Record | None:
        self.seen.add(ref)
        return super().record(ref)


def watched(snapshot: Snapshot) -> Watched:
    """The same documents and tables, watched."""
    found = Watched(snapshot.documents, snapshot.revision)
    found.__dict__["index"] = snapshot.index
    return found


@dataclass
class Rows:
    """The diagnostics of records that hang on no other one's text, by path: what they hang on, and they themselves as
    `_row` has them. `state`: what all of them hang on; of another state none is of use."""

    state: str
    rows: dict[str, tuple[str, list[Any]]] = field(default_factory=dict)
    checked: int = 0  # records that had to be looked at

    def check(self, snapshot: Watched, path: str, severities: Severities, facts: LintFacts) -> Sequence[Diagnostic]:
        """The problems of one record: known, or found out and known from now on."""
        document = snapshot.documents[path]
        hangs_on = _hangs_on(document, facts)
        known = self.rows.get(path)
        if known and known[0] == hangs_on:
            return [_diagnostic(*row) for row in known[1]]
        self.checked += 1
        snapshot.seen.clear()
        found = check(snapshot, path, severities, facts)
        if snapshot.seen <= {document.ref}:
            self.rows[path] = hangs_on, [_row(d) for d in found]
        else:
            self.rows.pop(path, None)
        return found


def rows_text(rows: Rows) -> str:
    """The rows as text, for a cache."""
    return json.dumps([rows.state, rows.rows], separators=(",", ":"))


def rows_in(text: str | None, state: str) -> Rows:
    """The rows from `rows_text`; none where they are of another state, or are no rows."""
    try:
        known, rows = json.loads(text or "")
        if known == state:
            return Rows(state, {path: (str(hangs_on), list(found)) for path, (hangs_on, found) in rows.items()})
    except (ValueError, TypeError, AttributeError):
        pass
    return Rows(state)


def names_of(snapshot: Snapshot) -> str:
    """A hash that stands for which records there are."""
    names = [[kind.value, *slugs] for kind, slugs in snapshot.index.names.items()]
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()


def _hangs_on(document: Document, facts: LintFacts) -> str:
    """A hash of a record and of what is said about it in particular."""
    resident = facts.resident
    cut = (
        (resident.cut[document.path], resident.used, resident.budget)
        if resident and document.path in resident.cut
        else 0
    )
    alike = facts.duplicates.get(document.path, ()) if facts.duplicates else ()
    said = f"{cut}{alike}".encode("utf-8", "surrogatepass") if cut or alike else b""
    return hashlib.sha256(document.digest + said).hexdigest()[:32]


def _row(d: Diagnostic) -> list[Any]:
    fixes = [[fix.title, [[_span(edit.range), edit.new_text] for edit in fix.edits]] for fix in d.fixes]
    related = [[place.path, _span(place.range), place.message] for place in d.related]
    return [d.code, d.severity.value, d.message, _span(d.range), fixes, related]


def _diagnostic(code: str, severity: str, message: str, span: list[int], fixes: Any, related: Any) -> Diagnostic:
    return Diagnostic(
        code,
        Severity(severity),
        message,
        _range(span),
        tuple(Fix(title, tuple(TextEdit(_range(place), new) for place, new in edits)) for title, edits in fixes),
        tuple(Related(path, _range(place), words) for path, place, words in related),
    )


def _span(span: Range) -> list[int]:
    return [span.start.line, span.start.character, span.end.line, span.end.character]


def _range(span: list[int]) -> Range:
    start_line, start, end_line, end = span
    return Range(Position(start_line, start), Position(end_line, end))
