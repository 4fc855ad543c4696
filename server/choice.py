"""A message with choices for the person at the editor, asked beside whatever else goes on.

Knows no command: what follows from a choice is the caller's.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from server.told import unlinked

if TYPE_CHECKING:
    from server.language_server import Server

log = logging.getLogger(__name__)
_open: set[asyncio.Task[None]] = set()  # the event loop itself keeps no task alive


async def choose(ls: Server, text: str, titles: Sequence[str], kind: types.MessageType) -> str | None:
    """The title that was chosen; None where the message was closed, or the editor cannot ask."""
    actions = [types.MessageActionItem(title) for title in titles]
    request = ls.window_show_message_request(types.ShowMessageRequestParams(kind, unlinked(text), actions))
    answer = await ls.protocol.answer_to(request)
    if answer.exception():
        log.info("The editor could not ask (%s).", answer.exception())
        return None
    chosen = answer.result()
    return chosen.title if chosen else None


def beside(work: Callable[[], Awaitable[None]]) -> None:
    """Do something that waits for a person, without keeping the request waiting that led to it."""

    async def run() -> None:
        try:
            await work()
        except Exception:  # nobody awaits it: an error would vanish
            log.exception("What followed from a message to the person failed.")

    task = asyncio.ensure_future(run())
    _open.add(task)
    task.add_done_callback(_open.discard)
