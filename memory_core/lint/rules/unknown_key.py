"""`unknown-key`: a frontmatter key that this kind of record does not have. It is kept when the record is rewritten."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.lint.sources import OLD_SESSION_KEY, SOURCE_KEYS
from memory_core.records.node import Entry, Item
from memory_core.records.schema import ALIASES, FIELDS, FieldType, Kind, field_of
from memory_core.text import TextEdit

_KNOWN = {
    kind: frozenset(
        [field.name for field in fields] + [alias for alias, name in ALIASES.items() if field_of(kind, name)]
    )
    for kind, fields in FIELDS.items()
}
_OF_SOURCES = {
    kind: frozenset(field.name for field in fields if field.type is FieldType.SOURCES)
    for kind, fields in FIELDS.items()
}
_LEAST_LIKENESS = 75  # of 100; `discription` has 91, `note` and `name` 50


def check(context: Context) -> Iterator[Problem]:
    entries = context.record.head.entries if context.record.head else {}
    for key in entries.keys() - _KNOWN[context.kind]:
        names = [field.name for field in FIELDS[context.kind] if field.name not in entries]
        yield _problem(f"A {context.kind}", entries[key], names, _elsewhere(key))
    for key in entries.keys() & _OF_SOURCES[context.kind]:
        for source in entries[key].item.items:
            yield from _of_source(source)


def _of_source(source: Item) -> Iterator[Problem]:
    for key, entry in source.fields.items():
        if key not in SOURCE_KEYS and key != OLD_SESSION_KEY:
            yield _problem("A source", entry, [name for name in SOURCE_KEYS if name not in source.fields])


def _problem(what: str, entry: Entry, names: list[str], elsewhere: str = "") -> Problem:
    near = _nearest(entry.key, names)
    if not near:
        return Problem(f"{what} has no key `{entry.key}`{elsewhere}; it is ignored.", entry.key_range)
    fixes = (Fix(f"Rename to `{near}`", (TextEdit(entry.key_range, near),)),)
    return Problem(f"{what} has no key `{entry.key}`: did you mean `{near}`?", entry.key_range, fixes)


def _nearest(key: str, names: list[str]) -> str | None:
    from rapidfuzz import fuzz, process  # only a misspelt key needs it

    found = process.extractOne(key.lower(), names, scorer=fuzz.ratio, score_cutoff=_LEAST_LIKENESS)
    return found[0] if found else None


def _elsewhere(key: str) -> str:
    kinds = [kind.value for kind in Kind if field_of(kind, key)]
    return f" (it belongs to: {', '.join(kinds)})" if kinds else ""


RULE = Rule("unknown-key", Severity.WARNING, "A frontmatter key is not known for this kind.", check, guesses=True)
