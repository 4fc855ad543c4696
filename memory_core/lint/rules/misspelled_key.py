"""`misspelled-key`: another spelling of a key that is accepted when read, but that older programs would miss."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.schema import ALIASES, field_of
from memory_core.text import TextEdit


def check(context: Context) -> Iterator[Problem]:
    for alias, name in ALIASES.items():
        entry = context.entry(alias)
        if not entry or not field_of(context.kind, alias):
            continue
        if context.entry(name):
            yield Problem(f"`{alias}` is ignored beside `{name}`: remove it.", entry.key_range)
        else:
            fix = Fix(f"Rename to `{name}`", (TextEdit(entry.key_range, name),))
            yield Problem(f"Existing workspaces spell this key `{name}`: rename `{alias}`.", entry.key_range, (fix,))


RULE = Rule("misspelled-key", Severity.WARNING, "A key is spelled in a way only some programs accept.", check)
