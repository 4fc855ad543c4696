"""`#slug` and `/slug` in a user's turn, resolved to the text that a model will be given. Pure: reads a snapshot.

Exact names only, each once, in the order of the turn; what a workflow requires comes before it; names inside the
records are left alone. The user's words are never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from memory_core.records.record import Record
from memory_core.records.refs import Reference, scan
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.scope import NOBODY, Caller, visible
from memory_core.snapshot import Snapshot
from memory_core.tokens import estimate
from memory_core.using.fence import fenced, quoted

TURN_TOKENS = 16_000  # of one turn's expansions, estimated: half a dozen records of the largest size
SHOWN = 20  # names that did not resolve, or found no room, are named one by one up to here
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Expanded:
    """A record as the model sees it. `text`: exactly what is put in; `sha256`: of the record's file, so that a later
    edit does not change what was said; `required_by`: the workflow that brought it along."""

    ref: RecordRef
    text: str
    sha256: str
    tokens: int
    file_text: str
    required_by: str | None = None


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A name that was not expanded, why (the end of a sentence), and the names it may stand for. `likely_other`: a
    `/name` like no workflow at all, which may as well be a path or a command of the agent."""

    ref: RecordRef
    reason: str
    near: tuple[str, ...] = ()
    likely_other: bool = False

    @property
    def message(self) -> str:
        hint = f" Did you mean {', '.join(self.near)}?" if self.near else ""
        return f"`{self.ref}` {self.reason}.{hint}"


@dataclass(frozen=True, slots=True)
class Expansion:
    """What a turn refers to. `unresolved` and `left_out` hold the first of them, `more_unresolved` and `more_left_out`
    how many others there were."""

    records: tuple[Expanded, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    left_out: tuple[RecordRef, ...] = ()
    more_unresolved: int = 0
    more_left_out: int = 0

    def __bool__(self) -> bool:
        return bool(self.records or self.unresolved or self.left_out)

    @property
    def notes(self) -> tuple[str, ...]:
        """What did not work, in sentences: for the log and for the model."""
        found = [item.message for item in self.unresolved]
        if self.more_unresolved:
            found.append(f"{self.more_unresolved:,} more names did not resolve.")
        if self.left_out:
            names = ", ".join(str(ref) for ref in self.left_out)
            more = f" and {self.more_left_out:,} more" if self.more_left_out else ""
            found.append(f"Left out, since one turn has room for {TURN_TOKENS:,} tokens of records: {names}{more}.")
        return tuple(found)

    @property
    def text(self) -> str:
        """All of it as one text, for an agent whose log is not ours; empty when there is nothing to say."""
        heard = replace(self, unresolved=tuple(u for u in self.unresolved if not u.likely_other))
        parts = [record.text for record in self.records]
        if heard.notes:
            parts.append(fenced("note", "\n".join(quoted(note) for note in heard.notes)))
        return "\n\n".join(parts)

    def behind(self, turn: str) -> str:
        """The turn, unchanged, and behind it what it stands for."""
        return "\n\n".join(part for part in (turn.rstrip("\n"), self.text) if part)

    def plain(self, turn: str) -> dict[str, Any]:
        """As plain data, for the command line's JSON and the editor's command."""
        return {
            "text": turn,
            "expanded": self.behind(turn),
            "records": [
                {
                    "kind": str(item.ref.kind),
                    "slug": item.ref.slug,
                    "text": item.text,
                    "sha256": item.sha256,
                    "tokens": item.tokens,
                    "required_by": item.required_by,
                }
                for item in self.records
            ],
            "unresolved": [
                {"kind": str(u.ref.kind), "slug": u.ref.slug, "message": u.message, "near": list(u.near)}
                for u in self.unresolved
            ],
            "left_out": [str(ref) for ref in self.left_out],
            "more_unresolved": self.more_unresolved,
            "more_left_out": self.more_left_out,
            "notes": list(self.notes),
        }


def expand(
    snapshot: Snapshot, text: str, *, caller: Caller = NOBODY, by_person: bool = True, budget: int = TURN_TOKENS
) -> Expansion:
    """What the references in a turn stand for. `by_person`: respect `user_invocable`, which is about people.
    `budget`: most tokens of all texts together; a workflow and what it requires go in together or not at all."""
    records: dict[RecordRef, Expanded] = {}
    problems: list[Unresolved] = []
    out: list[RecordRef] = []
    unresolved = 0
    used = 0
    for ref, weak in _asked(scan(text)):
        if ref in records:
            continue
        found = _resolved(snapshot, ref, caller, by_person=by_person)
        if isinstance(found, str):
            if weak and not _is_there(snapshot, ref, caller):
                continue
            unresolved += 1
            if len(problems) < SHOWN:
                problems.append(_unresolved(snapshot, ref, found, caller))
            continue
        group, missing = _group(snapshot, ref, found, caller, set(records))
        cost = sum(item.tokens for item in group)
        if used + cost > budget:
            out.append(ref)
            continue
        used += cost
        records.update((item.ref, item) for item in group)
        unresolved += len(missing)
        problems += missing[: max(0, SHOWN - len(problems))]
    return Expansion(
        tuple(records.values()),
        tuple(problems),
        tuple(out[:SHOWN]),
        unresolved - len(problems),
        max(0, len(out) - SHOWN),
    )


def _asked(references: Iterable[Reference]) -> Iterator[tuple[RecordRef, bool]]:
    """Each name once, in order; with it whether it may be an issue number or a color."""
    seen: set[RecordRef] = set()
    for reference in references:
        ref = RecordRef(reference.kind, reference.slug)
        if ref not in seen:
            seen.add(ref)
            yield ref, reference.weak


def _resolved(snapshot: Snapshot, ref: RecordRef, caller: Caller, *, by_person: bool) -> Record | str:
    """The record of exactly this name, or why it cannot be used, as the end of a sentence. What the caller may not see
    is answered like what is not there, whatever else is wrong with it."""
    document = snapshot.document(ref) if snapshot.index.exists(ref) else None
    record = document.record if document else None
    if not document or not record or not visible(record, caller):
        return f"names no {ref.kind} of this workspace"
    if document.unreadable:
        return "cannot be read: `omoide lint` says why"
    if record.head is None or record.head.broken:
        return "has frontmatter that cannot be read: `omoide lint` says where"
    if by_person and not record.user_invocable:
        return "is not offered to people (`user_invocable: false` in its file)"
    return record


def _is_there(snapshot: Snapshot, ref: RecordRef, caller: Caller) -> bool:
    record = snapshot.record(ref) if snapshot.index.exists(ref) else None
    return record is not None and visible(record, caller)


def _unresolved(snapshot: Snapshot, ref: RecordRef, reason: str, caller: Caller) -> Unresolved:
    if _is_there(snapshot, ref, caller):
        return Unresolved(ref, reason)
    alike = (RecordRef(ref.kind, slug) for slug in snapshot.index.near[ref.kind].alike(ref.slug) if slug != ref.slug)
    names = tuple(map(str, islice((near for near in alike if _is_there(snapshot, near, caller)), _NEAR)))
    return Unresolved(ref, reason, names, ref.kind is Kind.WORKFLOW and not names)


def _group(
    snapshot: Snapshot, ref: RecordRef, record: Record, caller: Caller, known: set[RecordRef]
) -> tuple[list[Expanded], list[Unresolved]]:
    """A record behind what it requires, and what of that is not there."""
    group: list[Expanded] = []
    missing: list[Unresolved] = []
    for slug in dict.fromkeys(record.requires if ref.kind is Kind.WORKFLOW else ()):
        required = RecordRef(Kind.KNOWLEDGE, slug)
        if required in known:
            continue
        found = _resolved(snapshot, required, caller, by_person=False)
        if isinstance(found, str):
            problem = _unresolved(snapshot, required, found, caller)
            missing.append(replace(problem, reason=f"is required by `{ref}` but {problem.reason}"))
        else:
            group.append(_expanded(snapshot, required, found, str(ref)))
    return [*group, _expanded(snapshot, ref, record, None)], missing


def _expanded(snapshot: Snapshot, ref: RecordRef, record: Record, required_by: str | None) -> Expanded:
    document = snapshot.document(ref)
    sha256 = document.digest.hex() if document else ""
    dated = {"updated": f"{record.updated_at:%Y-%m-%d}"} if record.updated_at else {}
    because = {"required-by": required_by} if required_by else {}
    text = fenced(str(ref.kind), quoted(record.body), name=str(ref), **dated, **because)
    return Expanded(ref, text, sha256, estimate(text), record.text, required_by)
