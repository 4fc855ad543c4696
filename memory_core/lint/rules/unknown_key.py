"""`unknown-key`: a frontmatter key that this kind of record does not have. It is kept when the record is rewritten."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.schema import FIELDS, Kind, field_of
from memory_core.text import TextEdit

_LEAST_LIKENESS = 75  # of 100; `discription` has 91, `note` and `name` 50


def check(context: Context) -> Iterator[Problem]:
    head = context.record.head
    for key, entry in head.entries.items() if head else ():
        if field_of(context.kind, key):
            continue
        near = _nearest(key, [f.name for f in FIELDS[context.kind] if not head or f.name not in head.entries])
        if near:
            fixes = (Fix(f"Rename to `{near}`", (TextEdit(entry.key_range, near),)),)
            yield Problem(f"A {context.kind} has no key `{key}`: did you mean `{near}`?", entry.key_range, fixes)
        else:
            yield Problem(f"A {context.kind} has no key `{key}`{_elsewhere(key)}; it is ignored.", entry.key_range)


def _nearest(key: str, names: list[str]) -> str | None:
    from rapidfuzz import fuzz, process  # only a misspelt key needs it

    found = process.extractOne(key.lower(), names, scorer=fuzz.ratio, score_cutoff=_LEAST_LIKENESS)
    return found[0] if found else None


def _elsewhere(key: str) -> str:
    kinds = [kind.value for kind in Kind if field_of(kind, key)]
    return f" (it belongs to: {', '.join(kinds)})" if kinds else ""


RULE = Rule("unknown-key", Severity.WARNING, "A frontmatter key is not known for this kind.", check, guesses=True)
