"""The lines around every text of ours in an agent's context, so that it is known again and cannot end itself early.

Text between them is never taken for a person's words and never extracted again (`sessions.speaker` cuts it).
"""

from __future__ import annotations

import re

from memory_core.text import UNWRITABLE

MEMORY_TAG = "omoide-memory"  # as `sessions.speaker` has it; loading that would cost a hook five milliseconds
_OWN_TAG = re.compile(rf"<(?=/?{MEMORY_TAG}\b)", re.IGNORECASE)


def fenced(kind: str, text: str, **attributes: str) -> str:
    """The text between our lines. `kind` and attributes are ours, never a record's words."""
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<{MEMORY_TAG} kind="{kind}"{more}>\n{text.strip(chr(10))}\n</{MEMORY_TAG}>'


def quoted(text: str) -> str:
    """A record's words as they may stand between our lines: they can neither end nor begin such a block, and hold
    nothing that steers a terminal or shows them in another order."""
    return _OWN_TAG.sub("&lt;", UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n")))
