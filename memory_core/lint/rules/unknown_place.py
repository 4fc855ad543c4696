"""`unknown-place`: a link by path, or a path in a text, that leads to no record.

A path that may as well be one of the project (`decisions/x` without more) is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.layout import record_path
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.lint.suggest import suggestion
from memory_core.records.schema import name_of


def check(context: Context) -> Iterator[Problem]:
    for place in context.document.named_places:
        if not place.surely or context.snapshot.index.exists(place.ref):
            continue
        if place.ref.slug == context.record.ref.slug and not place.link:
            continue  # what it was made of, which bears its name: that is told, whether it is still there or not
        way = context.document.text[place.start : place.at] or "./"
        named = context.lines.range(place.start, place.at + len(place.ref.slug))
        near = suggestion(context.snapshot, place.ref.kind, place.ref.slug, named, way)
        hint = near.hint if near.fixes else ""  # a record of another kind can be named by its own path
        message = f"There is no {name_of(place.ref)} (`{record_path(place.ref)}`): correct the path, or take it out."
        yield Problem(message + hint, context.lines.range(place.start, place.end), near.fixes, near.related)


RULE = Rule("unknown-place", Severity.WARNING, "A path or a link by path leads to no record.", check, guesses=True)
