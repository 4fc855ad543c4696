"""StageCandidate: an agent proposes something to remember. It is staged with evidence, and becomes no record here.

The agent quotes its session, the host looks the words up in the session's log and makes the anchors: what was said by
nobody cannot be staged.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_core.consolidate.arguments import clean
from memory_core.consolidate.voiced import by_tools_alone, read_behind
from memory_core.errors import SessionError
from memory_core.extract.evidence import EvidenceItem, anchors_for, collect
from memory_core.ids import rfc3339, uuid7
from memory_core.records.scope import may_join
from memory_core.sessions.model import Session
from memory_core.staging import Anchor, Attempt, Candidate, Decision, Discussion, Request, StagingFile, StagingSource
from memory_core.store.one_id import read_listed
from memory_core.text import shorten, writable
from memory_core.workspace import Workspace
from server.mcp.memory import Answer, Memory, refused
from server.mcp.schema import Stage

_SESSIONS = 5  # of the newest, in which a quote is looked for
_MOST_READ = 20_000  # characters of an output in which a statement is looked for
_SHORTEST = 12  # characters of a quote: fewer are everywhere


def stage(memory: Memory, args: Stage) -> Answer:
    """One candidate in a staging file of its own; the next consolidation decides on it."""
    quotes = [_flat(quote) for quote in args.quotes]
    if short := next((quote for quote in quotes if len(quote) < _SHORTEST), None):
        return refused(f"The quote “{short}” is too short to be found again: quote {_SHORTEST} characters or more.")
    if args.kind == "attempt" and args.succeeded is None:
        return refused("`succeeded` is missing: say whether the attempt worked.")
    workspace = memory.open()
    found = _evidence(memory, workspace, quotes, args.session_id or memory.session_id)
    if isinstance(found, str):
        return refused(found)
    session, items, everything = found
    candidate = _candidate(args, anchors_for(items))
    entries = [index for item in items for index in item.entries]
    now = workspace.now()
    source = StagingSource(
        session_id=session.session_id,
        range=(min(entries), max(entries)),
        agent=session.agent,
        log=str(session.path) if session.path else None,
        scope=dict(session.scope) or None,  # what few may see stays with them
    )
    array = {"decision": "decisions", "discussion": "discussions", "attempt": "attempts", "request": "requests"}[
        args.kind
    ]
    staging_id = uuid7(now)
    fields = {"id": staging_id, "created_at": rfc3339(now), "source": source, array: (candidate,)}
    staged = StagingFile.model_validate(fields)
    only_read = any(map(by_tools_alone, staged.candidates())) or _only_read(args, items, everything)
    if args.kind in ("decision", "request") and only_read:
        return refused("Only a tool's output says this: quote the message in which a person, or you, said so.")
    workspace.store.stage(staged)
    identity = f"{staging_id}/{array}/0"
    return Answer(f"Staged as {identity}; the next consolidation decides on it.", facts={"candidate": identity})


def _evidence(
    memory: Memory, workspace: Workspace, quotes: list[str], session_id: str | None
) -> tuple[Session, list[EvidenceItem], list[EvidenceItem]] | str:
    """The session in which all the quotes were said, where, and all that it may rest on; or why there is none."""
    missing = quotes[0]
    caller = memory.caller(workspace)
    for session in _sessions(workspace, session_id):
        if not may_join(session.scope, caller):
            continue  # another's session is as if it were not there
        items = [
            (item, _flat(item.text)) for item in collect(session, 0, len(session.entries) - 1) if not item.recalled
        ]
        where = [next((item for item, text in reversed(items) if quote in text), None) for quote in quotes]
        found = [item for item in where if item is not None]
        if len(found) == len(quotes):
            return session, list({item.id: item for item in found}.values()), [item for item, _ in items]
        if found:
            missing = quotes[where.index(None)]
    return f"“{shorten(missing, 120)}” was not found in the session's log: quote it word for word."


def _only_read(args: Stage, quoted: Sequence[EvidenceItem], everything: Sequence[EvidenceItem]) -> bool:
    """Whether the statement was read by a tool after all that is quoted for it was said. A request needs a person."""
    last = max((item.entries[1] for item in quoted if item.kind == "message"), default=-1)
    behind = (item.result for item in everything if item.kind == "tool" and item.entries[0] > last)
    # What a tool was called with is the agent's: this very proposal may stand in the log already.
    outputs = [result.text[:_MOST_READ] for result in behind if result]
    voices = [item.text for item in everything if item.kind == "message" and (item.by_human or args.kind == "decision")]
    return read_behind(args.statement, outputs, voices)


def _sessions(workspace: Workspace, session_id: str | None) -> list[Session]:
    if session_id:
        try:
            return [workspace.session(session_id)]
        except SessionError:
            return []
    sessions: list[Session] = []
    for ref in workspace.sessions()[:_SESSIONS]:
        try:
            sessions.append(read_listed(ref.path, ref.session_id))
        except SessionError:
            continue  # a log that cannot be read holds no quote; `omoide sessions` says what is wrong with it
    return sessions


def _candidate(args: Stage, evidence: tuple[Anchor, ...]) -> Candidate:
    statement, details = clean(writable(args.statement)), clean(writable(args.details))
    match args.kind:
        case "decision":
            return Decision(chosen=statement, rationale=details, evidence=evidence)
        case "discussion":
            return Discussion(topic=statement, points=(details,) if details else (), evidence=evidence)
        case "attempt":
            return Attempt(action=statement, result=details, succeeded=bool(args.succeeded), evidence=evidence)
        case _:
            return Request(intent=statement, summary=details or statement, evidence=evidence)


def _flat(text: str) -> str:
    return " ".join(clean(writable(text)).split()).casefold()
