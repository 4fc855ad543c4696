"""Repairs that a person is offered beside the linter's own fixes: likely ones, of which they choose.

Each looks at one problem the editor already shows; nothing is linted anew but by the rule that found it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from types import MappingProxyType

from memory_core.diagnostic import Diagnostic, Fix
from memory_core.ids import parse_rfc3339
from memory_core.lint.registry import RULES
from memory_core.lint.rule import Context, run
from memory_core.records.frontmatter import read
from memory_core.records.node import Entry
from memory_core.records.render import dump_value, render, set_fields
from memory_core.records.schema import ALIASES, FIELDS, Field, FieldType, Kind, RecordRef, Status, field_of
from memory_core.refactor.file_edits import edits_between
from memory_core.refactor.new import DEFAULT_KIND, new_head
from memory_core.snapshot import Snapshot
from memory_core.text import ORIGIN, LineIndex, TextEdit, newline_of, shorten

_MOST_SUCCESSORS = 3


def problems_of(context: Context, codes: Iterable[str]) -> list[Diagnostic]:
    """The problems of some codes in a document, by the rules of these codes and no others."""
    wanted = set(codes)
    rules = [rule for rule in RULES if rule.code in wanted and context.kind in rule.kinds]
    return [*(p for p in context.record.problems if p.code in wanted), *run(rules, context)]


def repairs(context: Context, problem: Diagnostic, now: str) -> list[Fix]:
    """What may be done about a problem: the rule's own fixes first, then what only a person can choose. `now` is
    RFC 3339. No two of them do the same."""
    found: dict[tuple[TextEdit, ...], Fix] = {}
    more = _REPAIRS.get(problem.code)
    for fix in (*problem.fixes, *(more(context, problem, now) if more else ())):
        found.setdefault(fix.edits, fix)
    return list(found.values())


def missing_fields(context: Context, now: str) -> Fix | None:
    """All missing fields at once, where several are missing."""
    head = context.record.head
    if not head or head.broken:
        return None
    present = {ALIASES.get(key, key) for key in head.entries}
    absent = [field for field in FIELDS[context.kind] if field.required and field.name not in present]
    edits = [edit for field in absent if (edit := context.insertion(_line(context, field, now)))]
    if len(edits) < 2:
        return None
    return Fix("Add all missing fields", (TextEdit(edits[0].range, "".join(edit.new_text for edit in edits)),))


def _missing(context: Context, problem: Diagnostic, now: str) -> Iterator[Fix]:
    for field in FIELDS[context.kind]:
        if field.required and problem.message.startswith(f"`{field.name}` is missing"):
            line = _line(context, field, now)
            if edit := context.insertion(line):
                yield Fix(f"Add `{shorten(line, 60)}`", (edit,))


def _line(context: Context, field: Field, now: str) -> str:
    return dump_value(field.name, _usual(context, field, now)).rstrip("\n")


def _usual(context: Context, field: Field, now: str) -> object:
    """What a new record has under a key."""
    if field.type is FieldType.INSTANT:
        other = context.record.updated_at if field.name == "created_at" else context.record.created_at
        other_text = context.record.value("updated_at" if field.name == "created_at" else "created_at")
        moment = parse_rfc3339(now)
        # What was written before it was changed, or changed after it was written.
        before = field.name == "created_at"
        return other_text if other and moment and (before == (other < moment)) else now
    match field.name:
        case "status":
            return Status.REPLACED.value if context.record.replaced_by else Status.OPEN.value
        case "kind":
            return DEFAULT_KIND
        case "description":
            return f"Say here what {context.record.ref.slug} is and when to read it."
        case "sources" | "last_sources":
            return []
        case _:
            return field.default


# Year, month and day in this order only: of `3/4/2026` nobody knows which is the day.
_LOOSE = re.compile(
    r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})"
    r"(?:(?:[ \t]*[Tt][ \t]*|[ \t]+)(?P<h>\d{1,2}):(?P<min>\d{2})(?::(?P<s>\d{2})(?:[.,]\d+)?)?"
    r"[ \t]*(?P<zone>Z|z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)


def normal_instant(text: str) -> str | None:
    """An instant as records store it, from one of the forms people write; UTC where no zone is given. None for what
    may mean something else."""
    match = _LOOSE.fullmatch(text.strip())
    if not match:
        return None
    zone = match["zone"] or "Z"
    zone = "Z" if zone in ("z", "UTC", "GMT") else zone
    if len(zone) == 5:
        zone = f"{zone[:3]}:{zone[3:]}"
    y, m, d, h, minute, second = (int(match[part] or 0) for part in ("y", "m", "d", "h", "min", "s"))
    try:
        moment = datetime(y, m, d, h, minute, second)  # noqa: DTZ001 - the zone is kept as text
    except ValueError:
        return None
    instant = moment.strftime("%Y-%m-%dT%H:%M:%S") + zone
    return instant if parse_rfc3339(instant) else None


def _values(context: Context, problem: Diagnostic, _now: str) -> Iterator[Fix]:
    for entry in _entries(context):
        field = field_of(context.kind, entry.key)
        if not field or field.type is not FieldType.INSTANT or entry.item.range != problem.range:
            continue
        if instant := normal_instant(entry.item.raw.strip("'\"")):
            yield Fix(f"Write `{instant}`", (TextEdit(problem.range, instant),))


def _entries(context: Context) -> Iterable[Entry]:
    return context.record.head.entries.values() if context.record.head else ()


def _status(context: Context, _problem: Diagnostic, _now: str) -> Iterator[Fix]:
    """`status` and `replaced_by` brought together, by changing the one or the other."""
    record, text = context.record, context.document.text
    if record.value("replaced_by") is not None:
        yield from _with_fields(text, "Remove `replaced_by`", {"replaced_by": None})
        return
    for slug in _successors(context.snapshot, record.ref):
        yield from _with_fields(text, f"Add `replaced_by: {slug}`", {"replaced_by": slug})
    for status in (Status.RESOLVED, Status.OPEN):
        yield from _with_fields(text, f"Change `status` to `{status}`", {"status": status.value})


def _successors(snapshot: Snapshot, ref: RecordRef) -> list[str]:
    """Decisions with a like name that do not stand behind this one already."""
    near = snapshot.index.near[Kind.DECISION].alike(ref.slug)
    records = ((slug, snapshot.record(RecordRef(Kind.DECISION, slug))) for slug in near)
    return [slug for slug, record in records if record and record.status is not Status.REPLACED][:_MOST_SUCCESSORS]


def _self(context: Context, _problem: Diagnostic, _now: str) -> Iterator[Fix]:
    changes = {"status": Status.RESOLVED.value, "replaced_by": None}
    yield from _with_fields(context.document.text, "Remove `replaced_by`, change `status` to `resolved`", changes)


def _dates(context: Context, _problem: Diagnostic, now: str) -> Iterator[Fix]:
    text, created, updated = context.document.text, context.record.value("created_at"), context.record.updated_at
    yield from _with_fields(text, "Change `updated_at` to `created_at`", {"updated_at": created})
    moment = parse_rfc3339(now)
    if context.record.created_at and moment and updated and moment >= context.record.created_at:
        yield from _with_fields(text, "Change `updated_at` to now", {"updated_at": now})


def _head(context: Context, _problem: Diagnostic, now: str) -> Iterator[Fix]:
    """A whole head, where a text begins without any."""
    text, ref = context.document.text, context.record.ref
    if text.startswith(("---", "\ufeff---")):
        return
    required = [field for field in FIELDS[ref.kind] if field.required and field.name in ("description", "kind")]
    chosen = {field.name: _usual(context, field, now) for field in required}
    head = render(ref.kind, new_head(ref.kind, now, chosen, (), "user"), "").strip("\n") + "\n\n"
    # Behind a byte order mark, which counts at the very beginning of a file only.
    place = LineIndex(text).range(1, 1) if text.startswith("\ufeff") else ORIGIN
    yield Fix("Add the frontmatter", (TextEdit(place, head.replace("\n", newline_of(text))),))


_PLAIN_LINE = re.compile(r"(?P<key>[A-Za-z_]+:[ \t]+)(?P<value>[^'\"\[{|>\s][^\r\n]*)")


def _quotes(context: Context, problem: Diagnostic, _now: str) -> Iterator[Fix]:
    """A value in quotes, where that is all the head needs to be read: `: `, ` #` and a leading `@` mean something."""
    lines, text = context.lines, context.document.text
    for number in sorted({problem.range.start.line, max(0, problem.range.start.line - 1)}, reverse=True):
        line = lines.line(number)
        match = _PLAIN_LINE.fullmatch(line)
        if not match:
            continue
        value = match["value"].rstrip(" \t")
        quoted = "'" + value.replace("'", "''") + "'"
        start = lines.starts[number] + match.start("value")
        end = start + len(value)
        head, left = read(text[:start] + quoted + text[end:])
        if head and not any(other.code == "malformed-frontmatter" for other in left):
            yield Fix("Put the value in quotes", (TextEdit(lines.range(start, end), quoted),))
            return


def _with_fields(text: str, title: str, changes: Mapping[str, object]) -> Iterator[Fix]:
    try:
        changed = set_fields(text, changes)
    except ValueError:  # a head of which no line can be changed alone is left to its author
        return
    if changed != text:
        yield Fix(title, edits_between(text, changed))


Repair = Callable[[Context, Diagnostic, str], Iterable[Fix]]

_REPAIRS: Mapping[str, Repair] = MappingProxyType(
    {
        "missing-field": _missing,
        "missing-frontmatter": _head,
        "malformed-frontmatter": _quotes,
        "invalid-field": _values,
        "status-mismatch": _status,
        "self-replacement": _self,
        "dates-order": _dates,
    }
)
