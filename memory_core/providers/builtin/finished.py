"""Whether what a request asks for was done in its session, as its evidence shows: so that no record lets it look open.

Reads anchors, of candidates and of the sources of records. What is cited as such evidence is `fulfilled`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memory_core.providers.builtin.record_text import last_moment
from memory_core.providers.builtin.runs import EDIT_TOOL
from memory_core.records.record import Source
from memory_core.staging import Anchor


def report_in(anchors: Sequence[Anchor]) -> str:
    """The assistant's words that tell how an ask was done: said after the change that was made for it; empty where the
    evidence holds no such change, or the person asked again behind it."""
    plain = [anchor.plain() for anchor in anchors]
    return anchors[place].excerpt if (place := _report(plain)) is not None else ""


def is_done(sources: Iterable[Source]) -> bool:
    """Whether the session in which a request was said last did it; where none knows which that is, whether all did."""
    told = [(last_moment(a.get("ts") for a in s.anchors if a.get("speaker") == "human"), s) for s in sources]
    if not told:
        return False
    latest = max(moment for moment, _ in told)
    decisive = (
        [s for moment, s in told if moment == latest] if all(moment for moment, _ in told) else [s for _, s in told]
    )
    return all(_report(source.anchors) is not None for source in decisive)


def _report(anchors: Sequence[Mapping[str, Any]]) -> int | None:
    """The place of the last anchor that is an assistant's, behind an edit, behind all of a person's."""
    asked = max((_end(anchor) for anchor in anchors if anchor.get("speaker") == "human"), default=-1)
    edits = [_end(a) for a in anchors if a.get("tool") and EDIT_TOOL.search(str(a["tool"])) and _end(a) > asked]
    if asked < 0 or not edits:
        return None
    told = [n for n, a in enumerate(anchors) if a.get("speaker") == "assistant" and _end(a) > min(edits)]
    told = [n for n in told if not anchors[n].get("tool")]
    return max(told, key=lambda n: _end(anchors[n]), default=None)


def _end(anchor: Mapping[str, Any]) -> int:
    span = anchor.get("entry_range")
    return span[1] if isinstance(span, list | tuple) and len(span) == 2 and isinstance(span[1], int) else -1
