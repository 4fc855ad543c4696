"""`omoide.usageReport`: what was read and what it costs to keep resident. Answers what `omoide usage report` prints."""

from __future__ import annotations

from typing import Any

from memory_core.errors import MemoryCoreError
from server import errors
from server.background import in_thread
from server.commands import arguments
from server.language_server import Server

NAME = "omoide.usageReport"


async def usage_report(ls: Server, *args: Any) -> dict[str, Any]:
    """A row a record, the lists for people, and with `html` the page that stands alone."""
    given = arguments.read(NAME, args, {"html": bool})
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    await root.loaded.wait()
    snapshot = root.snapshot

    def work() -> dict[str, Any]:
        from memory_core.ids import rfc3339
        from memory_core.snapshot import Snapshot
        from memory_core.usage import to_plain
        from memory_core.usage.page import page
        from memory_core.using.lists import lists_over

        report = workspace.store.usage_report()
        lists = lists_over(snapshot or Snapshot(), report.rows)
        answer = {**to_plain(report.rows), "lists": lists.plain(), "skipped_lines": report.skipped}
        if given.get("html"):
            name, now = workspace.layout.workspace.name, rfc3339(workspace.now())
            answer["html"] = page(report, lists, workspace=name, made_at=now)
        return answer

    try:
        return await in_thread("usage", work)
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
