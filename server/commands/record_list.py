"""`omoide.records` and `omoide.search`: the records of one kind as rows of a list, and those that hold some words.

Looking at a list is no read of what is in it: nothing here counts as a use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.background import in_thread
from server.commands import arguments
from server.language_server import Server

if TYPE_CHECKING:
    from collections.abc import Callable

    from memory_core.document import Document
    from memory_core.ide.card import Used
    from memory_core.records.schema import RecordRef

RECORDS, SEARCH = "omoide.records", "omoide.search"
MOST = 300  # rows of one answer: a head has to be parsed for each


async def records(ls: Server, *args: Any) -> dict[str, Any]:
    """Of one `kind`, in order of their slugs, from the row `offset` on. Answers `{records, total}`."""
    given = arguments.read(RECORDS, args, {"kind": str, "offset": int, "limit": int}, ("kind",))
    root = arguments.root_of(ls, given)
    from memory_core.records.schema import Kind

    kind = Kind(arguments.one_of(RECORDS, "kind", given["kind"], [kind.value for kind in Kind]))
    offset = arguments.count_of(RECORDS, given, "offset", 0)
    limit = arguments.count_of(RECORDS, given, "limit", MOST, most=MOST)
    snapshot = await arguments.snapshot_of(ls, root)
    ls.usage.refresh(root)
    used, uri_of = root.used, ls.state.uris(root)

    def work() -> dict[str, Any]:
        refs = sorted(d.ref for d in snapshot.documents.values() if d.ref and d.ref.kind is kind)
        found = (snapshot.document(ref) for ref in refs[offset : offset + limit])
        return {"records": [_row(document, uri_of, used) for document in found if document], "total": len(refs)}

    return await in_thread("records", work)


async def search(ls: Server, *args: Any) -> dict[str, Any]:
    """Records by words, best first, as rows with an `excerpt` and its `line`. Answers `{hits, stored}`."""
    given = arguments.read(SEARCH, args, {"query": str, "kind": str, "limit": int}, ("query",))
    root = arguments.root_of(ls, given)
    from memory_core.records.schema import Kind

    kinds = [kind.value for kind in Kind]
    kind = Kind(arguments.one_of(SEARCH, "kind", given["kind"], kinds)) if "kind" in given else None
    workspace = await arguments.workspace_of(ls, root)
    memory = workspace.config.memory
    limit = arguments.count_of(SEARCH, given, "limit", memory.query_result_limit, most=MOST)
    snapshot = await arguments.snapshot_of(ls, root)
    used, uri_of = root.used, ls.state.uris(root)

    def work() -> dict[str, Any]:
        from memory_core.records.schema import RecordRef
        from memory_core.search import search_records, stored

        hits = []
        for hit in search_records(snapshot, given["query"], kind, limit, memory.query_excerpt_lines):
            document = snapshot.document(RecordRef(hit.kind, hit.slug))
            if document:
                hits.append({**_row(document, uri_of, used), "excerpt": hit.excerpt, "line": hit.line})
        return {"hits": hits, "stored": stored(snapshot, kind)}

    return await in_thread("search", work)


def _row(document: Document, uri_of: Callable[[str], str], used: dict[RecordRef, Used]) -> dict[str, Any]:
    """A record in a list. `use_count` and `last_used_at` are of reads on purpose."""
    from memory_core.ids import rfc3339

    ref, record = document.ref, document.record
    read = used.get(ref) if ref else None
    updated = record.updated_at if record else None
    return {
        "kind": str(ref.kind) if ref else "",
        "slug": ref.slug if ref else "",
        "uri": uri_of(document.path),
        "description": (record and record.description) or "",
        "updated_at": rfc3339(updated) if updated else None,
        "status": str(record.status) if record and record.status else None,
        "replaced_by": record.replaced_by if record else None,
        "resident": bool(record and record.resident),
        "broken": bool(document.unreadable or (record and not record.head)),
        "use_count": read.count if read else 0,
        "last_used_at": read.last if read else None,
    }
