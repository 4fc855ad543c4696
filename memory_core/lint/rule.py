"""What a rule is: a code, a severity, a sentence, and a function from one document to problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from memory_core.diagnostic import Diagnostic, Fix, Related, Severity
from memory_core.records.record import Record
from memory_core.snapshot import Document, Snapshot
from memory_core.text import ORIGIN, Range


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule found. `code` and severity come from the rule, unless the rule owns several codes."""

    message: str
    range: Range
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()


@dataclass(frozen=True)
class Context:
    """What a rule may look at: one document and the snapshot around it."""

    snapshot: Snapshot
    document: Document
    record: Record

    def key_range(self, key: str) -> Range:
        """The range of a frontmatter key, or of the opening `---` when the key is absent."""
        entry = self.record.head.entries.get(key) if self.record.head else None
        return entry.key_range if entry else self.head_range

    def value_range(self, key: str) -> Range:
        """The range of a value; of its key when the value is empty."""
        entry = self.record.head.entries.get(key) if self.record.head else None
        if not entry:
            return self.head_range
        return entry.item.range if entry.item.range.start != entry.item.range.end else entry.key_range

    @property
    def head_range(self) -> Range:
        """The first line: where something missing is reported."""
        lines = self.document.lines
        return lines.line_range(0) if lines.line_count else ORIGIN


Check = Callable[[Context], Iterable[Problem]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the linter. `summary` is one sentence for lists; the page `docs/rules/<code>.md` says the rest."""

    code: str
    severity: Severity
    summary: str
    check: Check


def run(rule: Rule, context: Context) -> Iterator[Diagnostic]:
    for problem in rule.check(context):
        yield Diagnostic(rule.code, rule.severity, problem.message, problem.range, problem.fixes, problem.related)
