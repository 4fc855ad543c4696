"""Did you mean: the existing slug that a name which does not exist probably stands for."""

from __future__ import annotations

from memory_core.diagnostic import Fix
from memory_core.records.schema import Kind
from memory_core.snapshot import Snapshot
from memory_core.text import Range, TextEdit

_MOST = 3


def suggestion(snapshot: Snapshot, kind: Kind, slug: str, place: Range, sigil: str = "") -> tuple[str, tuple[Fix, ...]]:
    """The end of a message, and the fixes that put each likely slug in `place`; both empty when none is near."""
    near = snapshot.index.near[kind].alike(slug, _MOST)
    if not near:
        return "", ()
    fixes = tuple(Fix(f"Change to `{sigil}{other}`", (TextEdit(place, sigil + other),)) for other in near)
    return f" Did you mean `{sigil}{near[0]}`?", fixes
