"""What a person is told may hold words of others: it is shown as text. Imports nothing: it is needed at the start."""

from __future__ import annotations

_JOINER = "\u2060"  # U+2060 WORD JOINER: invisible, and enough to keep the characters around it from being a link


def unlinked(text: str) -> str:
    """A message without links: VS Code makes `[label](command:...)` in a plain message, a progress or a status a link
    that runs any command with any arguments."""
    return text.replace("](", f"]{_JOINER}(")
