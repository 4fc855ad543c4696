"""Did you mean: what a name that does not exist probably stands for, as words, fixes and places to look at."""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.diagnostic import Fix, Related
from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.slug import as_yaml
from memory_core.snapshot import Snapshot
from memory_core.text import ORIGIN, Range, TextEdit

_MOST = 3


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`hint`: the end of a message, empty when nothing is near. `fixes`: one for each likely slug. `related`: the
    records that are meant, or that bear the name under another kind."""

    hint: str = ""
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()


def suggestion(snapshot: Snapshot, kind: Kind, slug: str, place: Range, sigil: str = "") -> Suggestion:
    """What may be meant by the slug of a record of `kind` that does not exist, written in `place` behind `sigil`."""
    near = snapshot.index.near[kind].alike(slug, _MOST)
    elsewhere = [other for other in Kind if other is not kind and snapshot.index.exists(RecordRef(other, slug))]
    refs = [RecordRef(kind, other) for other in near] + [RecordRef(other, slug) for other in elsewhere]
    related = tuple(Related(record_path(ref), ORIGIN, _words(ref)) for ref in refs)
    # Behind no sigil it stands in frontmatter, where YAML takes some slugs for something else.
    written = [sigil + other if sigil else as_yaml(other) for other in near]
    fixes = tuple(Fix(f"Change to `{other}`", (TextEdit(place, other),)) for other in written)
    if near:
        return Suggestion(f" Did you mean `{sigil}{near[0]}`?", fixes, related)
    if elsewhere:
        return Suggestion(
            f" There is {_words(RecordRef(elsewhere[0], slug))}, which cannot be named here.", (), related
        )
    return Suggestion()


def _words(ref: RecordRef) -> str:
    return f"a {ref.kind} `{ref.slug}`" if ref.kind is not Kind.KNOWLEDGE else f"knowledge `{ref.slug}`"
