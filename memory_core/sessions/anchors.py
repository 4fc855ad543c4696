"""Finding an anchor's entry again in a log as it is today: by native id, then by hash, then by excerpt.

An index is only a hint: logs are cut, rewritten and copied. Reads no file; makes no anchor (`extract.evidence` does).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memory_core.redact import redact
from memory_core.sessions.model import Entry

# A shorter excerpt ("yes", "ok") stands in every session and proves nothing.
_TELLING = 12
_ELLIPSIS = "…"


class FoundBy(StrEnum):
    """What an entry was recognized by, the surest first. `gone`: it is not in this log any more."""

    ID = "id"
    HASH = "hash"
    EXCERPT = "excerpt"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where an anchor points today. `entry`: None when it is gone; `changed`: whether the log's record is no longer
    the one that was anchored (its hash differs), though its id or its words are; `moved`: whether it stands elsewhere.
    """

    by: FoundBy
    entry: Entry | None = None
    changed: bool = False
    moved: bool = False

    @property
    def gone(self) -> bool:
        return self.entry is None


def entry_hash(entry: Entry) -> str:
    """The hash that an anchor carries: of the log's record, or of the text where a log has no records of its own."""
    return entry.sha256 or hashlib.sha256(entry.text.encode("utf-8", "replace")).hexdigest()


def resolve(entries: Sequence[Entry], anchor: Mapping[str, Any]) -> Resolved:
    """The entry of a session that an anchor means. `anchor`: as staging files and records hold it; a key that is
    missing or of another type is not looked at. Of several that fit equally the nearest to its old place counts."""
    span = anchor.get("entry_range")
    last = span[1] if isinstance(span, list | tuple) and len(span) == 2 and isinstance(span[1], int) else 0
    sha256, native, call = _text(anchor, "sha256"), _text(anchor, "native_id"), _text(anchor, "call_id")
    speaker, words = _text(anchor, "speaker"), _telling(_text(anchor, "excerpt"))

    def nearest(fits: Callable[[Entry], bool]) -> Entry | None:
        # A record may have become several entries, all with its hash and id: that of the anchor's speaker is meant, a
        # message where the anchor names no call, and the one that says what the anchor quotes.
        return min(
            (entry for entry in entries if fits(entry)),
            key=lambda entry: (
                bool(sha256) and entry_hash(entry) != sha256,
                str(entry.speaker) != speaker,
                bool(entry.call_id) != bool(call),
                not _says(entry.text, words),
                abs(entry.index - last),
            ),
            default=None,
        )

    named = nearest(lambda e: e.native_id == native and (not call or e.call_id in (call, None))) if native else None
    named = named or (nearest(lambda e: e.call_id == call) if call else None)
    if named and (not sha256 or entry_hash(named) == sha256 or (words and _says(named.text, words))):
        return _found(FoundBy.ID, named, sha256, last)
    # Of a changed record the id is believed, unless the very record that was anchored stands elsewhere: where a format
    # has no ids, a message's number stands for one, and numbers shift.
    if sha256 and (entry := nearest(lambda e: entry_hash(e) == sha256)):
        return _found(FoundBy.HASH, entry, sha256, last)
    if named:
        return _found(FoundBy.ID, named, sha256, last)
    if words and (entry := nearest(lambda e: _says(e.text, words))):
        return _found(FoundBy.EXCERPT, entry, sha256, last)
    return Resolved(FoundBy.GONE)


def _found(by: FoundBy, entry: Entry, sha256: str, last: int) -> Resolved:
    changed = bool(sha256) and entry_hash(entry) != sha256
    return Resolved(by, entry, changed, moved=entry.index != last)


def _text(anchor: Mapping[str, Any], key: str) -> str:
    value = anchor.get(key)
    return value if isinstance(value, str) else ""


def _telling(excerpt: str) -> str:
    """An excerpt as it is looked for; empty when it says too little to prove anything."""
    words = _flat(excerpt.removesuffix(_ELLIPSIS))
    return words if len(words) >= _TELLING else ""


def _says(text: str, words: str) -> bool:
    """Whether a text holds an excerpt's words. Excerpts hold no secrets: a text is redacted where that matters."""
    return words in _flat(text) or ("[redacted" in words and words in _flat(redact(text)))


def _flat(text: str) -> str:
    """White space as single blanks, as in excerpts."""
    return " ".join(text.split())
