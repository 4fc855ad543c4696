"""`omoide.showUses`: how often a record is read and who names it, told in a line. For editors that can open no list.

What the lens above a record runs where the client has no command of its own.
"""

from __future__ import annotations

from typing import Any

from server import errors
from server.commands import arguments
from server.convert.uris import to_path
from server.language_server import Server

NAME = "omoide.showUses"


async def show_uses(ls: Server, *args: Any) -> dict[str, Any]:
    """Of the record at `uri`. Answers `{kind, slug, use_count, named_in}`, the last as URIs."""
    given = arguments.read(NAME, args, {}, ("uri",))
    root = arguments.root_of(ls, given)
    from memory_core.ide.lens import naming, use_message
    from memory_core.layout import record_at

    path = root.relative(to_path(given["uri"]))
    ref = record_at(path) if path else None
    if ref is None:
        raise errors.invalid_params(f"{NAME}: {given['uri']} is no record.")
    snapshot = await arguments.linked_of(ls, root)
    used = root.used.get(ref)
    count, uri_of = used.count if used else 0, ls.state.uris(root)
    paths = naming(snapshot, ref)
    if not given.get("quiet"):
        ls.say(f"Omoide: {use_message(snapshot, ref, count)}")
    return {"kind": ref.kind, "slug": ref.slug, "use_count": count, "named_in": [uri_of(p) for p in paths]}
