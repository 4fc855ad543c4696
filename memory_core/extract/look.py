"""What the looking tools answer: search hits, bounded reads, anchors, all as short redacted text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from memory_core.extract.evidence import EvidenceItem, anchor_for, clean
from memory_core.sessions.export import cleaned
from memory_core.text import shorten

SEARCH_LIMIT = 20
SEARCH_MAX = 50
READ_ITEMS = 10
READ_BYTES = 16 * 1024
_SUMMARY = 160
_ROOM = 400  # bytes of a read kept for the marks that say what is missing


def search_text(items: Sequence[EvidenceItem], query: str, kind: str | None, limit: int) -> str:
    """Hits, best first: the whole phrase, then all words, then the most words; slice order within a rank."""
    limit = min(limit, SEARCH_MAX)
    words = query.casefold().split()
    phrase = " ".join(words)
    ranked: list[tuple[int, int, EvidenceItem]] = []
    for place, item in enumerate(items):
        if kind and item.speaker.value != kind:
            continue
        found = _found(item, phrase, words) if words else 1
        if found:
            ranked.append((-found, place, item))
    ranked.sort(key=lambda hit: hit[:2])
    if not ranked:
        return "No evidence matches. Try fewer or other words."
    lines = [f"{_head(item)}: {shorten(item.text, _SUMMARY)}" for _, _, item in ranked[:limit]]
    if len(ranked) > limit:
        lines.append(f"({len(ranked) - limit} more match: narrow the query)")
    return "\n".join(lines)


def read_text(items: Sequence[EvidenceItem], offset: int = 0) -> str:
    """Items in full as far as the bounds allow, each with its head line; what is missing is said where it is missing.

    At most READ_ITEMS items and READ_BYTES bytes of UTF-8 in all, cut between characters.
    """
    shown = items[:READ_ITEMS]
    heads = [f"{_head(item)}:\n" for item in shown]
    left = READ_BYTES - _ROOM - sum(len(head.encode()) + 160 for head in heads)
    parts: list[str] = []
    for number, (head, item) in enumerate(zip(heads, shown, strict=True)):
        share = left // (len(shown) - number)  # what a short item leaves goes to the ones after it
        body = _window(full_text(item)[offset:], share, offset, item.id)
        left -= len(body.encode())
        parts.append(head + body)
    if len(items) > len(shown):
        parts.append(
            f"({len(items) - len(shown)} more items in this range: read from entry {items[len(shown)].entries[0]})"
        )
    return "\n\n".join(parts)


def anchor_text(items: Sequence[EvidenceItem]) -> str:
    """The anchors of items as JSON, one a line."""
    lines = [json.dumps(anchor_for(item).plain(), ensure_ascii=False) for item in items[:READ_ITEMS]]
    if len(items) > READ_ITEMS:
        lines.append(f"({len(items) - READ_ITEMS} more: narrow the range)")
    return "\n".join(lines)


def full_text(item: EvidenceItem) -> str:
    """Everything an item holds, redacted: the message, or the call's arguments and the whole result."""
    if item.kind == "message":
        return item.text
    parts: list[str] = []
    if item.call:
        parts.append(f"call {item.call.tool or 'unknown tool'}: {_arguments(item.call.arguments) or item.call.text}")
    if item.result:
        outcome = "failed" if item.result.is_error else "result"
        parts.append(f"{outcome}: {item.result.output or item.result.text}")
    return clean("\n".join(parts))


def _arguments(arguments: Mapping[str, object]) -> str:
    """Arguments as JSON. Their texts are looked at before: what is written out hides a secret's place."""
    return _as_json(cleaned(dict(arguments), clean)) if arguments else ""


def _as_json(arguments: Mapping[str, object]) -> str:
    return json.dumps(dict(arguments), ensure_ascii=False, default=str) if arguments else ""


def _haystack(item: EvidenceItem, written: Callable[[Mapping[str, object]], str]) -> str:
    if item.kind == "message":
        return item.text
    raw = [item.tool or ""]
    for entry in (item.call, item.result):
        if entry:
            raw += [entry.text, written(entry.arguments), entry.output or ""]
    return "\n".join(raw)


def _found(item: EvidenceItem, phrase: str, words: Sequence[str]) -> int:
    """The rank of an item. Only what is no secret counts: a search must not tell how one begins."""
    rank = _rank(_haystack(item, _as_json), phrase, words)
    return _rank(clean(_haystack(item, _arguments)), phrase, words) if rank and item.kind != "message" else rank


def _rank(text: str, phrase: str, words: Sequence[str]) -> int:
    """0 for no hit; otherwise higher is better. One of several words is a hit too: a model rarely guesses them all."""
    text = text.casefold()
    if phrase in text:
        return len(words) + 2
    hits = sum(word in text for word in words)
    return hits + 1 if hits else 0


def _head(item: EvidenceItem) -> str:
    first, last = item.entries
    place = f"entry {first}" if first == last else f"entries {first}-{last}"
    if item.kind == "message":
        who = "agent prompt" if item.is_prompt else item.speaker.value
    else:
        who = f"tool {item.tool or 'unknown'}{' (failed)' if item.is_error else ''}"
    note = ", memory read back: no support" if item.recalled else ""
    return f"{item.id} ({who}, {place}{', ' + item.ts if item.ts else ''}{note})"


def _window(text: str, size: int, offset: int, name: str) -> str:
    """The beginning of a text within `size` bytes, cut between characters, with a mark that says how to read on."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= size:
        return text or "(nothing more)"
    kept = raw[: max(0, size - 120)].decode("utf-8", "ignore")
    return f"{kept}\n[{len(text) - len(kept)} more characters: read_evidence {name} with offset {offset + len(kept)}]"
