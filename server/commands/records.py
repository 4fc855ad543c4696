"""`omoide.new`, `omoide.rename`, `omoide.promote`, `omoide.archive`: what the command line does, from the editor.

Each answers what the command line prints as JSON, as far as it was done here; what a change means is the core's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_core.layout import record_path
from server.commands import arguments
from server.commands.writing import Change, write
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.changes import ChangeSet
    from memory_core.refactor.referrers import Refusal
    from memory_core.snapshot import Snapshot
    from memory_core.workspace import Workspace

_RECORD = {"kind": str, "slug": str, "dry_run": bool}


async def new(ls: Server, *args: Any) -> dict[str, Any]:
    """Start a record with all its required fields and show it to the person. Never over one that is there."""
    given = arguments.read("omoide.new", args, {**_RECORD, "description": str}, ("kind",))
    root, ref = arguments.root_of(ls, given), arguments.record_of("omoide.new", given)

    def plan(snapshot: Snapshot, workspace: Workspace) -> ChangeSet | Refusal:
        from memory_core.ids import rfc3339
        from memory_core.refactor.new import new_record
        from memory_core.refactor.referrers import Refusal, place_refusal

        if ref in (document.ref for document in snapshot.documents.values()):
            return place_refusal(snapshot, ref) or Refusal(f"There is a {ref.kind} already.")
        return new_record(ref, rfc3339(workspace.now()), given.get("description", ""))

    facts = {"kind": ref.kind, "slug": ref.slug}
    done = await write(ls, root, Change("new", plan, facts), dry_run=given.get("dry_run", False))
    uri = ls.state.uris(root)(done.changes[0]["path"])
    if done.status != "dry-run":
        ls.show(uri)
    return {"kind": ref.kind, "slug": ref.slug, "uri": uri, **done.plain()}


async def rename(ls: Server, *args: Any) -> dict[str, Any]:
    """Give a record another slug: its file, and every reference to it in the records."""
    given = arguments.read("omoide.rename", args, {**_RECORD, "new_slug": str}, ("kind", "slug", "new_slug"))
    root, ref = arguments.root_of(ls, given), arguments.record_of("omoide.rename", given)
    target = arguments.record_of("omoide.rename", given, "new_slug")

    def plan(snapshot: Snapshot, _: Workspace) -> ChangeSet | Refusal:
        from memory_core.refactor.rename import rename as plan_rename

        return plan_rename(snapshot, ref.kind, ref.slug, target.slug)

    facts = {"kind": ref.kind, "slug": ref.slug, "new_slug": target.slug}
    moved = record_path(ref), record_path(target)
    change = Change("rename", plan, facts, alone=True, moved=moved)
    done = await write(ls, root, change, dry_run=given.get("dry_run", False))
    return {**facts, **done.plain()}


async def promote(ls: Server, *args: Any) -> dict[str, Any]:
    """Make knowledge of a decision or request. The record itself stays as it is."""
    allowed = {**_RECORD, "new_slug": str, "description": str, "knowledge_kind": str}
    given = arguments.read("omoide.promote", args, allowed, ("kind", "slug"))
    root, ref = arguments.root_of(ls, given), arguments.record_of("omoide.promote", given)
    named = {"kind": "knowledge", "slug": given.get("new_slug", ref.slug)}
    target = arguments.record_of("omoide.promote", named)

    def plan(snapshot: Snapshot, workspace: Workspace) -> ChangeSet | Refusal:
        from memory_core.ids import rfc3339
        from memory_core.refactor.promote import Promotion, linted
        from memory_core.refactor.promote import promote as plan_promotion

        wish = Promotion(target.slug, given.get("description"), given.get("knowledge_kind"))
        plan = plan_promotion(snapshot, ref, wish, rfc3339(workspace.now()))
        return linted(snapshot, plan, workspace.config.severities())

    facts = {"kind": ref.kind, "slug": ref.slug, "knowledge": target.slug}
    done = await write(ls, root, Change("promote", plan, facts), dry_run=given.get("dry_run", False))
    uri = ls.state.uris(root)(done.changes[0]["path"])
    if done.status != "dry-run":
        ls.show(uri)
    return {**facts, "uri": uri, **done.plain()}


async def archive(ls: Server, *args: Any) -> dict[str, Any]:
    """Take a record out of use, always by the store: an editor that deletes the file leaves nothing in the archive.
    Refused while others refer to it, unless by `force`; what leads nowhere then is said."""
    allowed = {**_RECORD, "reason": str, "force": bool}
    given = arguments.read("omoide.archive", args, allowed, ("kind", "slug"))
    root, ref = arguments.root_of(ls, given), arguments.record_of("omoide.archive", given)

    left: list[str] = []
    kept: list[str] = []

    def plan(snapshot: Snapshot, _: Workspace) -> ChangeSet | Refusal:
        from memory_core.refactor.archive import archive as plan_archive
        from memory_core.refactor.archive import own_lines
        from memory_core.refactor.referrers import referrers

        own = record_path(ref)
        left[:] = [f"{it.path}:{it.range.start.line + 1}" for it in referrers(snapshot, ref) if it.path != own]
        kept[:] = own_lines(snapshot, ref)
        return plan_archive(snapshot, ref, force=given.get("force", False))

    facts = {"kind": ref.kind, "slug": ref.slug}
    change = Change("archive", plan, facts, given.get("reason", ""), alone=True)
    done = await write(ls, root, change, dry_run=given.get("dry_run", False), by_store=True)
    if left and done.status != "dry-run":
        more = f" and {len(left) - 5} more" if len(left) > 5 else ""
        ls.say(f"Omoide: {ref} is archived; what names it leads nowhere now: {', '.join(left[:5])}{more}.")
    for line in kept if done.status != "dry-run" else ():
        ls.say(f"Omoide: your own line about {ref} stays in the summary, below the block that runs write: {line}")
    return {**facts, **done.plain()}
