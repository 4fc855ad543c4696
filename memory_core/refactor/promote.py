"""Promote a decision or a request: knowledge with its sources, under its scope. The record itself stays as it is.

Writes no prose of its own beyond a description where the record has none, and says then that it did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory_core.changes import ChangeSet
from memory_core.layout import record_path
from memory_core.records.record import Record
from memory_core.records.render import render
from memory_core.records.schema import Kind, RecordRef, Status, name_of
from memory_core.records.scope import understood
from memory_core.refactor.new import new_head, plain_sources
from memory_core.refactor.referrers import Refusal, place_refusal
from memory_core.snapshot import Snapshot
from memory_core.text import shorten

if TYPE_CHECKING:  # the rules take long to load, and most promotions come from those who have them already
    from memory_core.lint.check import Severities

TITLE = 120  # characters of a title that becomes a description
_HEADING = re.compile(r"#{1,6}[ \t]+(.+)")


@dataclass(frozen=True, slots=True)
class Promotion:
    """What the knowledge should be like; None takes it from the record. `kind`: its `kind` field."""

    slug: str | None = None
    description: str | None = None
    kind: str | None = None
    body: str | None = None
    sources: Sequence[Any] | None = None
    origin: str = "user"


def promote(snapshot: Snapshot, ref: RecordRef, wish: Promotion, now: str) -> ChangeSet | Refusal:
    """The change set that creates the knowledge record. `now` is RFC 3339."""
    if ref.kind not in (Kind.DECISION, Kind.REQUEST):
        return Refusal(f"{name_of(ref)} cannot be promoted: only decisions and requests become knowledge.")
    document = snapshot.document(ref)
    record = document.record if document else None
    if document is None or record is None:
        return Refusal(f"There is no {name_of(ref)}.")
    if document.unreadable:
        return Refusal(document.unreadable)
    if record.head is None or record.problems:
        problem = record.problems[0].message if record.problems else "it has none"
        return Refusal(f"{name_of(ref)} has a broken head: {problem}")
    if not understood(record):
        return Refusal(f"{name_of(ref)} does not say clearly who may see it: mend its `scope` first.")
    if record.status is Status.REPLACED:
        by = f" by {ref.kind}/{record.replaced_by}: promote that one" if record.replaced_by else ""
        return Refusal(f"{name_of(ref)} was replaced{by}.")
    target = RecordRef(Kind.KNOWLEDGE, wish.slug or ref.slug)
    if refusal := place_refusal(snapshot, target):
        return refusal
    body = (record.body if wish.body is None else wish.body).replace("\r\n", "\n").strip("\n")
    if not body.strip():
        return Refusal(f"{name_of(ref)} has no text that could become knowledge.")
    fields: dict[str, Any] = {
        "kind": wish.kind or ("policy" if ref.kind is Kind.DECISION else "rule"),
        "description": wish.description or described(record),
    }
    sources = plain_sources(record) if wish.sources is None else wish.sources
    head = new_head(Kind.KNOWLEDGE, now, fields, sources, wish.origin)
    if isinstance(scope := record.value("scope"), Mapping):
        head["scope"] = dict(scope)  # what few may see stays with them
    return ChangeSet().with_file(record_path(target), None, render(Kind.KNOWLEDGE, head, body))


def linted(
    snapshot: Snapshot, plan: ChangeSet | Refusal, severities: Severities, shown: Callable[[str], str] = str
) -> ChangeSet | Refusal:
    """A plan in whose new files the linter finds no error. `shown`: a path below the root as people see it."""
    from memory_core.lint.check import check, errors

    if isinstance(plan, Refusal):
        return plan
    preview = snapshot.with_changes(plan)
    found = [
        f"{shown(change.path)}:{problem.range.start.line + 1}: {problem.message}"
        for change in plan
        if change.op == "create"
        for problem in errors(check(preview, change.path, severities))
    ]
    return Refusal("; ".join(found)) if found else plan


def described(record: Record) -> str:
    """The record's description; where it has none, its title and when to read it."""
    if record.description and record.description.strip():
        return record.description.strip()
    lines = [line for line in record.body.splitlines() if line.strip()]
    heading = next((title for line in lines if (title := heading_of(line))), None)
    words = record.ref.slug.replace("-", " ")
    title = shorten(heading or (lines[0] if lines else words), TITLE).rstrip(".。")
    return f"{title}. Read it before work on {words}."


def heading_of(line: str) -> str | None:
    """The words of a line that is a heading, none where it has none; None where it is no heading."""
    match = _HEADING.fullmatch(line.strip())
    # Its end is taken off afterwards: an expression that looks for it as well takes the square of a long line.
    return match[1].rstrip(" \t#") if match else None
