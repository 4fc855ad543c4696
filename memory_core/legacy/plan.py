"""A plan for legacy rows: what is to become of each, as a file that a person reads, edits and applies. Pure.

Without wishes every row is kept where it is. A plan names the exact bytes it was made for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from memory_core.errors import Refused, StoreError
from memory_core.legacy.judge import EXPIRY, PROMOTABLE, class_of, expired_by, movable
from memory_core.legacy.row import Row

Disposition = Literal["kept", "moved", "promoted", "expired"]
DISPOSITIONS = ("kept", "moved", "promoted", "expired")
SCHEMA = 1
PROMOTED = 20  # rows of one plan; who wants more looks at what came of these first


@dataclass(frozen=True, slots=True)
class PlannedSource:
    """A file as it was when the plan was made. `path`: relative to the workspace where it lies in it."""

    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """One row, what is to become of it, and why. `rule`: by which an expired one goes."""

    id: str
    source: str
    line: int
    sha256: str
    row_class: str
    disposition: str
    reason: str
    rule: str = ""


@dataclass(frozen=True)
class Plan:
    """What a plan file says. `created_at`: RFC 3339."""

    created_at: str
    sources: tuple[PlannedSource, ...]
    rows: tuple[PlannedRow, ...]

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.to_json().encode("utf-8")).hexdigest()

    def to_json(self) -> str:
        data = {"schema": SCHEMA, **asdict(self)}
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"

    def having(self, disposition: str) -> list[PlannedRow]:
        return [row for row in self.rows if row.disposition == disposition]


def plan_of(
    created_at: str,
    sources: Sequence[PlannedSource],
    rows: Sequence[Row],
    *,
    move: bool = False,
    promote: Collection[str] = (),
    expire: Sequence[str] = (),
) -> Plan:
    """A plan for rows. StoreError for a wish that cannot be granted: an unknown id or rule, more promotions than the
    cap, a row that is never promoted."""
    known = {row.id: row for row in rows}
    if strange := sorted(set(promote) - set(known)):
        raise Refused(f"There is no row `{strange[0]}`: `omoide legacy scan` lists the ids.")
    if len(set(promote)) > PROMOTED:
        raise StoreError(f"{len(set(promote))} rows to promote: one plan takes at most {PROMOTED}; make several.")
    for wanted in promote:
        if class_of(known[wanted]) not in PROMOTABLE:
            raise Refused(f"Row `{wanted}` is never promoted: it is {class_of(known[wanted])}.")
    if wrong := sorted(set(expire) - set(EXPIRY)):
        raise StoreError(f"There is no rule `{wrong[0]}`: one of {', '.join(EXPIRY)}.")
    expired = {row_id: rule for rule in reversed(expire) for row_id in expired_by(rule, rows)}
    return Plan(created_at, tuple(sources), tuple(_planned(row, move, set(promote), expired) for row in rows))


def _planned(row: Row, move: bool, promote: set[str], expired: Mapping[str, str]) -> PlannedRow:
    disposition: Disposition = "kept"
    reason, rule = "the default", ""
    if row.id in promote:
        disposition, reason = "promoted", "asked for by its id"
    elif row.id in expired:
        disposition, rule = "expired", expired[row.id]
        reason = EXPIRY[rule]
    elif move and not (why := movable(row)):
        disposition, reason = "moved", "its session and agent are certain"
    elif move:
        reason = f"not moved: {why}"
    return PlannedRow(row.id, row.source, row.line, row.sha256, str(class_of(row)), disposition, reason, rule)


def read_plan(text: str) -> Plan:
    """The plan in a file. StoreError saying what is wrong with it."""
    try:
        data = json.loads(text)
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise StoreError(f"It is no plan of schema {SCHEMA}: make one with `omoide legacy plan`.")
        sources = tuple(PlannedSource(**item) for item in data["sources"])
        rows = tuple(PlannedRow(**item) for item in data["rows"])
        plan = Plan(str(data["created_at"]), sources, rows)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise StoreError(f"It is no plan, or one that was damaged ({error}): make a new one.") from None
    for row in plan.rows:
        if row.disposition not in DISPOSITIONS:
            raise StoreError(f"Row {row.id}: `{row.disposition}` is none of {', '.join(DISPOSITIONS)}.")
    return plan


def refusals(plan: Plan, rows: Iterable[Row]) -> list[str]:
    """What forbids applying a plan to the rows that are there now, sentence by sentence. The plan was a file in a
    person's hands: everything that `plan_of` refuses is refused here again."""
    there = {(row.source, row.id): row for row in rows}
    named = {rule: expired_by(rule, there.values()) for rule in EXPIRY}
    found: list[str] = []
    planned = {(item.source, item.id) for item in plan.rows}
    if len(planned) != len(plan.rows):
        found.append("a row is named twice")
    if missing := len(set(there) - planned):
        found.append(f"{missing} rows of the sources are not in the plan: every row needs a disposition")
    for item in plan.rows:
        row = there.get((item.source, item.id))
        if row is None or row.sha256 != item.sha256:
            found.append(f"row {item.id} of {item.source} is not there any more")
        elif why := _forbidden(item, row, named):
            found.append(f"row {item.id}: {why}")
    if len(plan.having("promoted")) > PROMOTED:
        found.append(f"{len(plan.having('promoted'))} rows to promote: at most {PROMOTED} in one plan")
    return found


def _forbidden(item: PlannedRow, row: Row, named: Mapping[str, set[str]]) -> str:
    match item.disposition:
        case "promoted" if class_of(row) not in PROMOTABLE:
            return f"it is {class_of(row)}, which is never promoted"
        case "moved":
            return movable(row)
        case "expired" if item.rule not in EXPIRY:
            return f"it expires without a rule: one of {', '.join(EXPIRY)}"
        case "expired" if row.id not in named[item.rule]:
            return f"the rule `{item.rule}` does not name it"
    return ""


def plain_counts(plan: Plan) -> dict[str, Any]:
    """How many rows have each disposition, for people and programs."""
    return {name: len(plan.having(name)) for name in DISPOSITIONS}
