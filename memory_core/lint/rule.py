"""What a rule is: a code, a severity, a sentence, and a function from one document to problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from memory_core.diagnostic import Diagnostic, Fix, Related, Severity
from memory_core.lint.facts import NO_FACTS, LintFacts
from memory_core.records.frontmatter import Frontmatter, read
from memory_core.records.node import Entry, Item
from memory_core.records.record import Record
from memory_core.records.schema import Kind
from memory_core.snapshot import Document, Snapshot
from memory_core.text import LineIndex, Range, TextEdit, newline_of


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule found: what to do, and exactly where."""

    message: str
    range: Range
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may look at: one document, the snapshot around it, and what the caller found out besides."""

    snapshot: Snapshot
    document: Document
    record: Record
    facts: LintFacts = NO_FACTS

    @property
    def kind(self) -> Kind:
        return self.record.ref.kind

    @property
    def lines(self) -> LineIndex:
        return self.document.lines

    def entry(self, key: str) -> Entry | None:
        """A frontmatter key with its value, as far as the head could be read."""
        return self.record.head.entries.get(key) if self.record.head else None

    def value_range(self, key: str) -> Range:
        """The range of a value; of its key when the value is empty, of the first line when the key is absent."""
        entry = self.entry(key)
        return place_of(entry) if entry else self.head_range

    @property
    def head_range(self) -> Range:
        """The first line: where something missing is reported."""
        return self.lines.line_range(0)

    @property
    def body_range(self) -> Range:
        """The first line of the body that says something; where the body as a whole is meant."""
        text, start = self.document.text, self.record.body_start
        start += len(text[start:]) - len(text[start:].lstrip())
        line = self.lines.position(start).line
        return self.lines.line_range(line) if start < len(text) else self.head_range

    def insertion(self, line: str) -> TextEdit | None:
        """The edit that adds a line at the end of the head, indented as the keys there are. None where a line there
        would be no key: behind a mapping in braces, or behind the end of a document."""
        head = self.record.head
        if not head or head.broken or not (_ends_plainly(head) or self._takes(head, line)):
            return None
        at = self.lines.position(head.end)
        return TextEdit(Range(at, at), self._line(head, line))

    def _line(self, head: Frontmatter, line: str) -> str:
        return head.indent + line + newline_of(self.document.text)

    def _takes(self, head: Frontmatter, line: str) -> bool:
        """Whether a head with a line more says all that it said."""
        text = self.document.text
        after, _ = read(text[: head.end] + self._line(head, line) + text[head.end :])
        return after is not None and not after.broken and head.values.items() <= after.values.items()


# What may stand behind the last value of a mapping in lines: comments and empty lines.
_REST = re.compile(r":?[ \t]*+(?:#[^\r\n]*+)?+(?:[\r\n]++[ \t]*+(?:#[^\r\n]*+)?+)*+")


def _ends_plainly(head: Frontmatter) -> bool:
    """Whether the keys of a head begin its lines and nothing but comments stands behind the last value. True of nearly
    all, and found at once."""
    entries = sorted(head.entries.values(), key=lambda entry: entry.start)
    if not entries or entries[0].key_range.start.character != len(head.indent):
        return False
    last = entries[-1]
    return bool(_REST.fullmatch(last.item.lines.text, max(last.end, last.item.end), head.end))


def place_of(entry: Entry) -> Range:
    """The range of an entry's value, or of its key when the value is empty."""
    return entry.item.range if entry.item.end > entry.item.start else entry.key_range


def replacement(title: str, item: Item, text: str) -> tuple[Fix, ...]:
    """The fix that writes a value differently."""
    return (Fix(title, (TextEdit(item.range, text),)),)


Check = Callable[[Context], Iterable[Problem]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the linter. `summary` is one sentence for lists; the page `docs/rules/<code>.md` says the rest.

    `kinds`: the kinds of record it looks at, all where it names none. `guesses`: its fixes are likely, not certain; a
    person is offered them, `lint --fix` leaves them alone.
    """

    code: str
    severity: Severity
    summary: str
    check: Check
    kinds: tuple[Kind, ...] = tuple(Kind)
    guesses: bool = False


MOST = 500  # problems of one rule in one document; nobody reads more, and a text may be made to hold millions


def run(rules: Iterable[Rule], context: Context) -> Iterator[Diagnostic]:
    """The problems of some rules in one document. Of a rule that finds too many the first ones, and a line that says
    that there are more, of the same code and severity: what refuses a write refuses it all the same."""
    for rule in rules:
        for number, problem in enumerate(rule.check(context)):
            if number == MOST:
                yield Diagnostic(rule.code, rule.severity, _MORE, problem.range)
                break
            yield Diagnostic(rule.code, rule.severity, problem.message, problem.range, problem.fixes, problem.related)


_MORE = f"There are more than {MOST} problems of this kind in this file: those from here on are not listed."
