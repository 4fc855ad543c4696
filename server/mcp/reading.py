"""MemoryRead, MemoryQuery, KnowledgeQuery, ExpandReferences. A read and an expansion are uses, a query is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_core.consolidate.arguments import target
from memory_core.records.schema import Kind, RecordRef, name_of
from memory_core.scope import may_see
from memory_core.search import search_records
from memory_core.snapshot import Snapshot
from memory_core.store.record_files import RecordFiles
from memory_core.text import shorten, writable
from memory_core.usage import use_event
from memory_core.using.fence import quoted, without_tags
from memory_core.using.turn import expand_turn
from server.mcp.memory import Answer, Memory, refused
from server.mcp.schema import Expand, KnowledgeSearch, MemorySearch, Read

READ_LIMIT = 24_000  # characters: above every limit a record has


def read(memory: Memory, args: Read) -> Answer:
    """One record as it stands on disk, with the hash that a later change can be tied to."""
    ref = target(args.kind, args.slug)
    return refused(ref) if isinstance(ref, str) else read_record(memory, ref)


def read_record(memory: Memory, ref: RecordRef) -> Answer:
    """The record, counted as read by an agent."""
    workspace = memory.open()
    snapshot = Snapshot(RecordFiles(workspace.layout))
    document = snapshot.document(ref) if snapshot.index.exists(ref) else None
    if not document or not document.record or not may_see(document, memory.caller(workspace)):
        near = memory.snapshot(workspace).index.near[ref.kind].alike(ref.slug, 3)  # a hidden name is not suggested
        hint = f" Near it: {', '.join(near)}." if near else ""
        return refused(f"There is no {name_of(ref)}.{hint}")
    if document.unreadable:
        return refused(document.unreadable)
    event = use_event(
        ref,
        document.text,
        source="MemoryRead",
        actor="agent",
        session_id=memory.session_id,
        now=workspace.now(),
    )
    workspace.store.append_usage(event)
    # A file may hold a second text that only a model reads, and words of the program that runs the agent. The hash is
    # that of the file.
    text = without_tags(writable(document.text))
    facts = {"kind": str(ref.kind), "slug": ref.slug, "sha256": document.digest.hex()}
    shown = text if len(text) <= READ_LIMIT else text[:READ_LIMIT] + "\n[cut here]"
    return Answer(f"{shown.rstrip()}\n\n[sha256 {facts['sha256']}]", facts=facts)


def memory_query(memory: Memory, args: MemorySearch) -> Answer:
    """The summary, decisions and requests that hold the words."""
    kinds = [Kind(args.kind)] if args.kind else [Kind.SUMMARY, Kind.DECISION, Kind.REQUEST]
    return _query(memory, args.query, kinds, args.limit)


def knowledge_query(memory: Memory, args: KnowledgeSearch) -> Answer:
    """Knowledge that holds the words."""
    return _query(memory, args.query, [Kind.KNOWLEDGE], args.limit)


def expand(memory: Memory, args: Expand) -> Answer:
    """What the names in a text stand for. An agent may name what is not offered to people."""
    workspace = memory.open()
    expansion = expand_turn(
        workspace.store,
        memory.snapshot(workspace),
        args.text,
        actor="agent",
        session_id=memory.session_id,
        now=workspace.now(),
        caller=memory.caller(workspace),
    )
    return Answer(expansion.text or "No name in the text is a record.", facts=expansion.plain(args.text))


def _query(memory: Memory, query: str, kinds: Sequence[Kind], limit: int) -> Answer:
    workspace = memory.open()
    snapshot = memory.snapshot(workspace)
    lines_shown = workspace.config.memory.query_excerpt_lines
    found = [hit for kind in kinds for hit in search_records(snapshot, query, kind, limit, lines_shown)]
    best = [
        replace(hit, description=quoted(hit.description), excerpt=quoted(hit.excerpt))
        for hit in sorted(found, key=lambda hit: (-hit.score, hit.kind, hit.slug))[:limit]
    ]
    lines = [f"{name_of(RecordRef(h.kind, h.slug))}: {h.description or shorten(h.excerpt, 200)}" for h in best]
    hits = {"hits": [hit.plain() for hit in best]}
    return Answer("\n".join(lines) or "Nothing found.", facts=hits)
