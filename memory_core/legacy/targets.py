"""What a plan writes, as texts: session logs for moved rows, staging files for promoted ones. Pure and repeatable.

The same plan gives the same bytes, so that a run that died is finished by running it again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory_core.ids import parse_rfc3339
from memory_core.legacy.plan import Plan
from memory_core.legacy.row import Row
from memory_core.redact import redact
from memory_core.sessions.own_log import encode
from memory_core.staging import EXCERPT_LIMIT, Anchor, Discussion, StagingFile, StagingSource
from memory_core.text import shorten, writable

RECOVERED = "recovered"  # subtype of entries; a resumed session leaves them out, an extract does not read them
MADE_BY = "legacy"  # before the plan's hash in a run id: who made a staging file


@dataclass(frozen=True, slots=True)
class Target:
    """A file to be made. `path`: relative to the root; `rows`: the ids that are in it."""

    path: str
    data: bytes
    rows: tuple[str, ...]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def targets_of(plan: Plan, rows: Iterable[Row], run: str) -> list[Target]:
    """The files that a plan makes, in path order. `run`: names the plan in what is written."""
    known = {(row.source, row.id): row for row in rows}
    moved: dict[tuple[str, str, str, str], list[Row]] = {}
    targets: list[Target] = []
    for item in plan.rows:
        row = known[item.source, item.id]
        if item.disposition == "moved":
            moved.setdefault((row.agent, row.session, row.tenant, row.principal), []).append(row)
        elif item.disposition == "promoted":
            targets.append(_staged(row, plan, run))
    targets += [_log(agent, session, found, plan, run) for (agent, session, *_), found in moved.items()]
    return sorted(targets, key=lambda target: target.path)


def _log(agent: str, session: str, rows: Sequence[Row], plan: Plan, run: str) -> Target:
    """A log of its own beside the session's, so that what was whole before is not mixed with fragments."""
    scope = {key: clean(value) for key, value in rows[0].scope.items()}
    seed = "\0".join((agent, session, run, *scope.values())).encode("utf-8", "replace")
    session_id = f"{RECOVERED}-{hashlib.sha256(seed).hexdigest()[:24]}"
    start = {
        "kind": "session_start",
        "id": _id(session_id, plan.created_at),
        "ts": plan.created_at,
        "session_id": session_id,
        "agent": clean(agent),
        "session_kind": "chat",
        "cwd": None,
        "scope": {"agent": clean(agent), **scope},
        "recovered_from": clean(session),
    }
    entries = [
        {
            "kind": "system",
            "id": _id(row.sha256, row.at),
            "ts": row.at,
            "text": clean(row.content),
            "subtype": RECOVERED,
            "row": row.id,
            "said_by": "assistant" if row.role == "assistant" or row.key.startswith("assistant_") else "user",
        }
        for row in sorted(rows, key=lambda row: (parse_rfc3339(row.at) or parse_rfc3339(plan.created_at), row.line))
    ]
    return Target(f"sessions/{session_id}.jsonl", encode([start, *entries]), tuple(row.id for row in rows))


def _staged(row: Row, plan: Plan, run: str) -> Target:
    """A candidate of one row; whether it becomes a record is decided like for every candidate."""
    text = clean(redact(row.content))
    anchor = Anchor(
        evidence_id="E0001",
        entry_range=(row.line, row.line),
        kind="message",
        speaker="human",
        ts=row.at or None,
        ref=clean(row.source),
        sha256=hashlib.sha256(row.content.encode("utf-8", "replace")).hexdigest(),
        excerpt=shorten(text, EXCERPT_LIMIT),
    )
    topic = shorten(clean(redact(row.key)) or text, 120)
    file = StagingFile(
        id=_id(row.sha256 + run, plan.created_at),
        run_id=f"{MADE_BY}-{run}",
        created_at=plan.created_at,
        source=StagingSource(
            session_id=f"{MADE_BY}-{run}",
            range=(row.line, row.line),
            agent=clean(row.agent) or None,
            log=row.source,
            scope={key: clean(value) for key, value in row.scope.items()} or None,
        ),
        discussions=(Discussion(topic=topic, points=(text,), evidence=(anchor,)),),
    )
    return Target(f"memory/_staging/{file.id}.json", file.to_json().encode("utf-8", "replace"), (row.id,))


def expired_lines(plan: Plan, rows: Iterable[Row]) -> bytes:
    """The rows that a plan expires, whole, as lines for the archive."""
    gone = {(item.source, item.id): item.rule for item in plan.having("expired")}
    lines = [
        {"row": row.id, "source": row.source, "line": row.line, "rule": gone[row.source, row.id], "key": row.key,
         "content": row.content, "session": row.session, "agent": row.agent, "at": row.at}
        for row in rows
        if (row.source, row.id) in gone
    ]  # fmt: skip
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode("utf-8", "replace")


def clean(text: str) -> str:
    """Text of a row as it may stand in a file of ours: nothing that steers a terminal or turns the direction round."""
    return writable(text.replace("\r\n", "\n"))


def _id(seed: str, at: str) -> str:
    """A UUID version 7 that is the same for the same row."""
    instant = parse_rfc3339(at)
    milliseconds = int(instant.timestamp() * 1000) & ((1 << 48) - 1) if instant else 0
    rest = int(hashlib.sha256(seed.encode("utf-8", "replace")).hexdigest()[:20], 16)
    value = milliseconds << 80 | 0x7 << 76 | (rest >> 68 & 0xFFF) << 64 | 0b10 << 62 | rest & ((1 << 62) - 1)
    digits = f"{value:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
