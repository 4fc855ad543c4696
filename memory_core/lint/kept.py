"""What was found in single records, each under what it hangs on, so that a change elsewhere leaves it as it is.

For a whole store that is checked again and again; what an editor looks at after one change is `recheck`'s business.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memory_core.diagnostic import Diagnostic
from memory_core.lint.as_text import from_row, row_of
from memory_core.lint.check import Severities, check
from memory_core.lint.facts import LintFacts
from memory_core.records.record import Record
from memory_core.records.schema import RecordRef
from memory_core.snapshot import Document, Snapshot


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
    `as_text` has them. `state`: what all of them hang on; of another state none is of use."""

    state: str
    rows: dict[str, tuple[str, list[Any]]] = field(default_factory=dict)
    checked: int = 0  # records that had to be looked at

    def check(self, snapshot: Watched, path: str, severities: Severities, facts: LintFacts) -> Sequence[Diagnostic]:
        """The problems of one record: known, or found out and known from now on."""
        document = snapshot.documents[path]
        hangs_on = _hangs_on(document, facts)
        known = self.rows.get(path)
        if known and known[0] == hangs_on:
            return [from_row(*row) for row in known[1]]
        self.checked += 1
        snapshot.seen.clear()
        found = check(snapshot, path, severities, facts)
        if snapshot.seen <= {document.ref}:
            self.rows[path] = hangs_on, [row_of(d) for d in found]
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
    about = facts.about(document.path)
    said = repr(about).encode("utf-8", "surrogatepass") if about else b""
    return hashlib.sha256(document.digest + said).hexdigest()[:32]
