"""Where a record comes from: sources made by the host from the candidates that a write names. Never from a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memory_core.records.record import Record, Source
from memory_core.staging import Anchor, CandidateRef

# A shorter id may be a number in a list, which every session has: `message-3`, `ordinal:12`.
_ONE_ONLY = 16
ANCHOR_LIMIT = 5  # per candidate: enough to check a claim, too few to copy a conversation into a record

AnchorKey = tuple[str, int, int, str]
Place = AnchorKey | tuple[str, str]  # or an entry's own id, with who speaks


def chosen_anchors(ref: CandidateRef) -> tuple[Anchor, ...]:
    """The anchors a record stores for a candidate: people's words first, at most ANCHOR_LIMIT, in entry order."""
    order = {"human": 0, "tool": 1, "assistant": 2, "system": 3}
    unique = {(a.entry_range, a.sha256): a for a in ref.candidate.evidence}
    ranked = sorted(unique.values(), key=lambda a: (order[a.speaker], a.entry_range, a.sha256))[:ANCHOR_LIMIT]
    return tuple(sorted(ranked, key=lambda a: (a.entry_range, a.sha256)))


def source_of(ref: CandidateRef) -> dict[str, Any]:
    """One source as plain data: the tightest range around the candidate's anchors, or its slice when it has none."""
    anchors = chosen_anchors(ref)
    span = list(ref.source.range)
    if anchors:
        span = [min(a.entry_range[0] for a in anchors), max(a.entry_range[1] for a in anchors)]
    source: dict[str, Any] = {"session_id": ref.source.session_id, "range": span}
    if ref.source.agent:
        source["agent"] = ref.source.agent
    if anchors:
        source["anchors"] = [anchor.plain() for anchor in anchors]
    return source


def merged(existing: Sequence[Any], refs: Iterable[CandidateRef]) -> list[Any]:
    """The existing sources as they are, then those of the candidates that add something, oldest first."""
    sources = list(existing)
    for ref in refs:
        source = source_of(ref)
        if not _covered(source, sources):
            sources.append(source)
    return sources


def joined(existing: Sequence[Any], others: Iterable[Sequence[Any]]) -> list[Any]:
    """The sources of records that become one: those of the first as they are, then what the others add."""
    sources = list(existing)
    for source in (source for other in others for source in other):
        if source in sources or (isinstance(source, Mapping) and "range" in source and _covered(source, sources)):
            continue
        sources.append(source)
    return sources


def _covered(source: Mapping[str, Any], sources: Iterable[Any]) -> bool:
    """Whether the sources already say what one says: all its anchors, or without anchors the same session and range."""
    wanted = _keys(source)
    same = [s for s in sources if isinstance(s, Mapping) and _session(s) == _session(source)]
    if wanted:
        return wanted <= {key for s in same for key in _keys(s)}
    return any(s.get("range") == source["range"] for s in same)


def _session(source: Mapping[str, Any]) -> Any:
    return source.get("session_id", source.get("segment_id"))


def _keys(source: Mapping[str, Any]) -> set[AnchorKey]:
    anchors = source.get("anchors")
    session = str(_session(source))
    found = (anchor_key(session, a) for a in anchors) if isinstance(anchors, list) else ()
    return {key for key in found if key}


def anchor_key(session_id: str, anchor: Any) -> AnchorKey | None:
    """What makes two anchors the same place; None for one that names no place."""
    span = anchor.get("entry_range") if isinstance(anchor, Mapping) else None
    if not isinstance(span, (list, tuple)) or len(span) != 2:
        return None
    return session_id, int(span[0]), int(span[1]), str(anchor.get("sha256", ""))


def is_one_only(native_id: str) -> bool:
    """Whether no other entry of any session has an id by chance."""
    return sum(map(str.isalnum, native_id)) >= _ONE_ONLY


def entry_names(anchor: Mapping[str, Any]) -> frozenset[str]:
    """What tells an anchor's entry from others, also in a copy of its session: its hash, and its id where that can."""
    native, sha256 = str(anchor.get("native_id") or ""), str(anchor.get("sha256") or "")
    return frozenset(filter(None, (sha256, native if is_one_only(native) else "")))


def _places(session_id: str, anchor: Mapping[str, Any]) -> frozenset[Place]:
    """The ways to name what an anchor is of: its place in its session, and, the same in a copy of the session that has
    another id, the entry's own id with who speaks."""
    key, native = anchor_key(session_id, anchor), str(anchor.get("native_id") or "")
    copied = (native, str(anchor.get("speaker") or "")) if is_one_only(native) else None
    return frozenset(name for name in (key, copied) if name)


def candidate_places(ref: CandidateRef) -> list[frozenset[Place]]:
    """For each place that a record which came from the candidate holds, the ways to name it."""
    return [_places(ref.source.session_id, anchor.plain()) for anchor in chosen_anchors(ref)]


def record_places(record: Record) -> list[frozenset[Place]]:
    """The same of the places that a record holds."""
    return [_places(source.session_id, anchor) for source in record.sources for anchor in source.anchors]


def candidate_keys(ref: CandidateRef) -> frozenset[AnchorKey]:
    """The places a record that came from the candidate holds."""
    return frozenset((ref.source.session_id, *a.entry_range, a.sha256) for a in chosen_anchors(ref))


def record_keys(record: Record) -> frozenset[AnchorKey]:
    """The places a record's sources hold."""
    found = (anchor_key(source.session_id, anchor) for source in record.sources for anchor in source.anchors)
    return frozenset(key for key in found if key)


def sessions_of(sources: Iterable[Source]) -> frozenset[str]:
    return frozenset(source.session_id for source in sources)
