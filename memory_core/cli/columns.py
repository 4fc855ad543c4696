"""Text in columns of a terminal, where a letter of some scripts takes two and an accent none. Prints nothing."""

from __future__ import annotations

import unicodedata

from memory_core.ids import parse_rfc3339

ELLIPSIS = "…"


def width(text: str) -> int:
    """How many columns a text takes, by Unicode's East Asian width (UAX #11)."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, columns: int) -> str:
    """A text of one line in at most so many columns, with an ellipsis where something was left out."""
    if width(text) <= columns:
        return text
    kept, used = "", width(ELLIPSIS)
    for char in text:
        used += _columns(char)
        if used > columns:
            break
        kept += char
    return kept.rstrip() + ELLIPSIS


def left(text: str, columns: int) -> str:
    """A text filled up to so many columns; a longer one stays as it is."""
    return text + " " * (columns - width(text))


def minute(instant: object) -> str:
    """An instant to the minute in the time of this machine, as people read it; what is no instant stays as it is."""
    text = str(instant or "")
    at = parse_rfc3339(text)
    try:
        return at.astimezone().strftime("%Y-%m-%d %H:%M") if at else text[:16].replace("T", " ")
    except (OverflowError, ValueError, OSError):  # a time that no zone of this machine reaches
        return text[:16].replace("T", " ")


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
