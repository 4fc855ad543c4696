"""Code actions: what can be done about a place in a text, listed at little cost and made when somebody chooses.

Lints nothing that the editor does not show already: repairs come from the rules that found the problems it sends along.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from memory_core.changes import ChangeSet
from memory_core.diagnostic import Diagnostic
from memory_core.ide.extraction import extract, selected, slug_for
from memory_core.ide.repairs import missing_fields, problems_of, repairs
from memory_core.ide.target import Target, target_at
from memory_core.ide.view import View
from memory_core.lint.check import Severities
from memory_core.lint.fix import apply_fixes
from memory_core.lint.rule import Context
from memory_core.lint.suggest import suggestion
from memory_core.records.record import Record
from memory_core.records.schema import Kind, RecordRef, Status, name_of
from memory_core.refactor.file_edits import edits_between
from memory_core.refactor.new import new_record
from memory_core.refactor.promote import Promotion, promote
from memory_core.refactor.referrers import Refusal, place_refusal
from memory_core.snapshot import Document, Snapshot
from memory_core.text import Range, TextEdit

QUICK_FIX = "quickfix"
EXTRACT = "refactor.extract"
REWRITE = "refactor.rewrite"
MOVE = "refactor.move"
FIX_ALL = "source.fixAll.omoide"
KINDS = (QUICK_FIX, EXTRACT, REWRITE, MOVE, FIX_ALL)

MOST_FIXED = 500_000  # characters of a record up to which all its problems are looked for at once
_UNKNOWN = frozenset({"unknown-reference", "unknown-workflow", "unknown-requires", "unknown-replacement"})


@dataclass(frozen=True, slots=True)
class Told:
    """A problem the editor shows: as it was told, in code points."""

    code: str
    message: str
    range: Range


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked about. `only`: kinds of action, with all below them; None for any. `explicit`: a person asked, it
    is not the editor that wonders at every move of the cursor."""

    selection: Range
    told: Sequence[Told] = ()
    only: Sequence[str] | None = None
    explicit: bool = True

    def wants(self, kind: str) -> bool:
        return self.only is None or any(kind == wanted or kind.startswith(f"{wanted}.") for wanted in self.only)

    def names(self, kind: str) -> bool:
        """Whether a kind, or one above it, was asked for by name."""
        return self.only is not None and self.wants(kind)


@dataclass(frozen=True, slots=True)
class Edit:
    """Edits of the text, known already."""

    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class Create:
    """Start a record."""

    ref: RecordRef


@dataclass(frozen=True, slots=True)
class Extract:
    """Make knowledge of a selection."""

    selection: Range
    slug: str


@dataclass(frozen=True, slots=True)
class Promote:
    """Make knowledge of a decision or request."""

    ref: RecordRef


@dataclass(frozen=True, slots=True)
class Archive:
    """Take a record out of use; only the store can, since it keeps the text."""

    ref: RecordRef


@dataclass(frozen=True, slots=True)
class FixAll:
    """Every certain fix of the record."""


# Of a text that changed meanwhile, this is about another place; the others find out anew what there is to do.
PLACED = Extract
Plan = Edit | Create | Extract | Promote | Archive | FixAll


@dataclass(frozen=True, slots=True)
class Offer:
    """One entry of the menu. `solves`: the number of the problem told that it is about."""

    title: str
    kind: str
    plan: Plan
    solves: int | None = None
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """What becomes of the text that was asked about, and of other files."""

    edits: tuple[TextEdit, ...] = ()
    changes: ChangeSet = field(default_factory=ChangeSet)


def offers(snapshot: Snapshot, view: View, asked: Asked, now: str) -> list[Offer]:
    """What can be done, the likeliest first. `now` is RFC 3339."""
    found: list[Offer] = []
    if asked.wants(QUICK_FIX):
        found += _fixes(snapshot, view, asked, now)
        found += _names(snapshot, view, asked)
    if asked.wants(EXTRACT) and selected(view, asked.selection):
        found.append(_extraction(snapshot, view, asked.selection, now))
    if view.document and view.document.ref:
        found += _of_record(view.document, view, asked)
    if view.document and _fixable(view.document) and (asked.names(FIX_ALL) or (asked.wants(FIX_ALL) and asked.told)):
        found.append(Offer("Fix all certain problems of this record", FIX_ALL, FixAll()))
    return found


def made(snapshot: Snapshot, view: View, plan: Plan, now: str, severities: Severities | None = None) -> Made | Refusal:
    """What a chosen action does, or why it cannot be done. `severities`: the workspace's, of the linter's codes."""
    match plan:
        case Edit(edits):
            return Made(edits)
        case Create(ref):
            changes = place_refusal(snapshot, ref) or new_record(ref, now)
            return changes if isinstance(changes, Refusal) else Made(changes=changes)
        case Extract(selection, slug):
            extracted = extract(snapshot, view, selection, slug, now)
            return extracted if isinstance(extracted, Refusal) else Made((extracted[0],), extracted[1])
        case Promote(ref):
            promoted = promote(snapshot, ref, Promotion(), now)
            return promoted if isinstance(promoted, Refusal) else Made(changes=promoted)
        case FixAll():
            fixed = (
                apply_fixes(snapshot, view.document.path, severities)
                if view.document and _fixable(view.document)
                else None
            )
            return Made(edits_between(view.text, fixed) if fixed is not None else ())
        case Archive(ref):
            return Refusal(f"{name_of(ref)} is archived by the command `omoide.archive`.")


def _fixable(document: Document) -> bool:
    return document.record is not None and len(document.text) <= MOST_FIXED


def _fixes(snapshot: Snapshot, view: View, asked: Asked, now: str) -> Iterator[Offer]:
    """Repairs of the problems that were told and are still there."""
    document, record = view.document, view.record
    if not document or not record or not asked.told:
        return
    context = Context(snapshot, document, record)
    still = problems_of(context, {told.code for told in asked.told if told.code not in _UNKNOWN})
    for number, told in enumerate(asked.told):
        problem = next((problem for problem in still if _is(problem, told)), None)
        for place, fix in enumerate(repairs(context, problem, now) if problem else ()):
            sure = bool(problem and len(problem.fixes) == 1 and not place)
            yield Offer(fix.title, QUICK_FIX, Edit(fix.edits), number, preferred=sure)
    missing = [number for number, told in enumerate(asked.told) if told.code == "missing-field"]
    if missing and (fix_all := missing_fields(context, now)):
        yield Offer(fix_all.title, QUICK_FIX, Edit(fix_all.edits), missing[0])


def _is(problem: Diagnostic, told: Told) -> bool:
    return (problem.code, problem.range, problem.message) == (told.code, told.range, told.message)


def _names(snapshot: Snapshot, view: View, asked: Asked) -> Iterator[Offer]:
    """For names that lead nowhere, those told and the one under the cursor: what was meant, or a new record."""
    places = [(number, told.range) for number, told in enumerate(asked.told) if told.code in _UNKNOWN]
    seen: set[Range] = set()
    for number, place in (*places, (None, asked.selection)):
        target = target_at(view, place.start)
        if not target or target.range in seen or snapshot.index.exists(target.ref):
            continue
        seen.add(target.range)
        near = suggestion(snapshot, target.ref.kind, target.ref.slug, target.range, _sigil(view, target))
        if number is None and not _is_meant(view, asked, target, found=bool(near.fixes)):
            continue
        for order, fix in enumerate(near.fixes):
            only = order == 0 and len(near.fixes) == 1
            yield Offer(fix.title, QUICK_FIX, Edit(fix.edits), number, preferred=only)
        yield Offer(f"Create {_words(target.ref)}", QUICK_FIX, Create(target.ref), number)


def _is_meant(view: View, asked: Asked, target: Target, *, found: bool) -> bool:
    """Whether a name nobody complained of is one. `/tmp` is a path and `#include` is C: there a person has to ask."""
    if target.weak or not (view.prose or asked.explicit):
        return False
    return found or target.ref.kind is not Kind.WORKFLOW or asked.explicit


def _sigil(view: View, target: Target) -> str:
    written = view.text[view.lines.offset(target.range.start)]
    return written if written in "#/" else ""


def _words(ref: RecordRef) -> str:
    return f"the {ref.kind} record `{ref}`" if ref.kind in (Kind.KNOWLEDGE, Kind.WORKFLOW) else f"`{ref}`"


def _extraction(snapshot: Snapshot, view: View, selection: Range, now: str) -> Offer:
    text = view.text[view.lines.offset(selection.start) : view.lines.offset(selection.end)]
    slug = slug_for(snapshot, text, now)
    return Offer(f"Extract the selection to knowledge `#{slug}`", EXTRACT, Extract(selection, slug))


def _of_record(document: Document, view: View, asked: Asked) -> Iterable[Offer]:
    """What can be done with the record as a whole: offered at its top, or where it was asked for by name."""
    ref, record = document.ref, document.record
    if ref is None or record is None or document.unreadable:
        return
    at_top = asked.selection.start.line <= _title_line(view)
    if _can_be_promoted(record) and (asked.names(REWRITE) or (at_top and asked.wants(REWRITE))):
        yield Offer(f"Promote to knowledge `#{ref.slug}`", REWRITE, Promote(ref))
    if ref.kind is not Kind.SUMMARY and (asked.names(MOVE) or (at_top and asked.wants(MOVE))):
        yield Offer(f"Archive {name_of(ref)}", MOVE, Archive(ref))


def _can_be_promoted(record: Record) -> bool:
    sound = record.head is not None and not record.problems and record.status is not Status.REPLACED
    return record.ref.kind in (Kind.DECISION, Kind.REQUEST) and sound and bool(record.body.strip())


def _title_line(view: View) -> int:
    """The line of the first text below the frontmatter."""
    start = view.record.body_start if view.record else 0
    return view.lines.position(start + len(view.text[start:]) - len(view.text[start:].lstrip())).line
