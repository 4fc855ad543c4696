"""The toolbox of a consolidation: reads a call, runs the tool on the draft, and keeps how each candidate was decided.

The only way for a worker, model or rules, to change records. Commits nothing and counts no read as a use.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from memory_core.consolidate import writes
from memory_core.consolidate.arguments import clean, did_you_mean, explained, target, writable_data
from memory_core.consolidate.draft import Draft, named, shown
from memory_core.consolidate.offers import offered_before
from memory_core.consolidate.reach import Reach
from memory_core.consolidate.schema import (
    TOOLS,
    CloseCandidate,
    KnowledgeQuery,
    MemoryDelete,
    MemoryEdit,
    MemoryQuery,
    MemoryRead,
    MemoryWrite,
    OfferWorkflow,
    PromoteRecord,
    tool_specs,
)
from memory_core.consolidate.speaks_of import no_longer_said, record_speaks_of, speaks_of
from memory_core.consolidate.task import WorkflowOffer
from memory_core.diagnostic import Severity
from memory_core.layout import record_path
from memory_core.lint.check import Severities, check
from memory_core.llm import ToolSpec
from memory_core.records.render import render
from memory_core.records.schema import SUMMARY, Kind, RecordRef, name_of
from memory_core.redact import part
from memory_core.staging import Action, CandidateRef, StoredOffer
from memory_core.text import shorten
from memory_core.usage import RecordUsage
from memory_core.worker import ToolResult, refused

READ_LIMIT = 24_000  # characters of one MemoryRead: above every limit a record has


class ConsolidateToolbox:
    """The tools of one run. `decided`: candidate id → (action, reason, records), in the order of the decisions.
    `withdrawn`: candidates that somebody else closed meanwhile: nothing is made of them."""

    def __init__(
        self,
        draft: Draft,
        candidates: Iterable[CandidateRef],
        usage: Iterable[RecordUsage] = (),
        severities: Severities | None = None,
        offered: Iterable[StoredOffer] = (),
        reach: Reach | None = None,
    ) -> None:
        self.draft = draft
        self.decided: dict[str, tuple[Action, str, tuple[str, ...]]] = {}
        self.offers: list[WorkflowOffer] = []
        self.deleted: list[tuple[str, str]] = []
        self.withdrawn: frozenset[str] = frozenset()
        self._candidates = {ref.id: ref for ref in candidates}
        self._used = {(row.kind, row.slug): row.use_count for row in usage}
        self._severities = severities
        self._offered = tuple(offered)
        self._reach = reach or Reach()
        self._tools: Mapping[str, Callable[[Any], ToolResult]] = {
            "MemoryRead": self._read,
            "MemoryQuery": self._memory_query,
            "KnowledgeQuery": self._knowledge_query,
            "MemoryWrite": self._write,
            "MemoryEdit": self._edit,
            "MemoryDelete": self._delete,
            "PromoteRecord": self._promote,
            "OfferWorkflow": self._offer,
            "CloseCandidate": self._close,
        }

    @property
    def specs(self) -> Sequence[ToolSpec]:
        return tool_specs()

    @property
    def finished(self) -> bool:
        """Whether every candidate is decided."""
        return self.decided.keys() >= self._candidates.keys()

    def call(self, name: str, arguments: Any) -> ToolResult:
        """Run a tool on JSON text or plain data; anything wrong with the call is an error result that says what."""
        if name not in TOOLS:
            return refused(f"There is no tool `{shorten(str(name), 60)}`; there are: {', '.join(TOOLS)}.")
        model = TOOLS[name][0]
        try:
            data = json.loads(arguments) if isinstance(arguments, str) else arguments
        except ValueError as error:
            return refused(f"The arguments of {name} are not JSON ({error}): {shorten(str(arguments), 200)}")
        try:
            parsed = model.model_validate(writable_data(data))
        except ValidationError as error:
            return refused(explained(name, TOOLS[name][0].model_fields, error))
        problem = self._reach.problem(self.draft.preview, parsed)
        return refused(problem) if problem else self._tools[name](parsed)

    @property
    def candidates(self) -> frozenset[str]:
        """The ids of the candidates that are to be decided."""
        return frozenset(self._candidates)

    def cited(self, candidate: str) -> list[str]:
        """The records whose change names a candidate, as `kind/slug`."""
        found = [
            path for path, ids in self.draft.cites.items() if candidate in ids and path in self.draft.changes.files
        ]
        refs = [document.ref for path in sorted(found) if (document := self.draft.preview.documents.get(path))]
        offers = [f"workflow/{offer.slug}" for offer in self.offers if candidate in offer.candidates]
        return [*(name_of(ref) for ref in refs if ref), *offers]

    def holding(self, candidate: str) -> list[str]:
        """Of these, what can hold it: a line of the summary is no place for a decision or a request."""
        cited = self.cited(candidate)
        of_records = self._candidates[candidate].array in ("decisions", "requests")
        return [name for name in cited if name != name_of(SUMMARY)] if of_records else cited

    def _read(self, args: MemoryRead) -> ToolResult:
        ref = target(args.kind, args.slug)
        if isinstance(ref, str):
            return refused(ref)
        document = self.draft.document(ref)
        if not document:
            return refused(f"There is no {name_of(ref)}{self._nearest(ref)}.")
        if document.unreadable:
            return refused(document.unreadable)
        lines = document.text.splitlines(keepends=True)
        if args.offset and args.offset >= len(lines):
            return refused(f"{name_of(ref)} has {len(lines)} lines; `offset` counts from 0.")
        wanted = lines[args.offset : args.offset + args.limit]
        start, end = sum(map(len, lines[: args.offset])), args.offset + len(wanted)
        size = sum(map(len, wanted))
        text = part(document.text, start, start + min(size, READ_LIMIT))  # what tells a secret may stand elsewhere
        if size > READ_LIMIT:
            return ToolResult(f"{text}\n[cut here]")
        partial = args.offset > 0 or end < len(lines)
        return ToolResult(f"{text.rstrip()}\n[lines {args.offset}-{end - 1} of {len(lines)}]" if partial else text)

    def _memory_query(self, args: MemoryQuery) -> ToolResult:
        kinds = [Kind(args.kind)] if args.kind else [Kind.SUMMARY, Kind.DECISION, Kind.REQUEST]
        return self._query(args.query, kinds, args.limit)

    def _knowledge_query(self, args: KnowledgeQuery) -> ToolResult:
        return self._query(args.query, [Kind.KNOWLEDGE], args.limit)

    def _query(self, query: str, kinds: Sequence[Kind], limit: int) -> ToolResult:
        from memory_core.search import search_records

        seen = self._reach.seen(self.draft.preview)
        found = [hit for kind in kinds for hit in search_records(seen, query, kind=kind, limit=limit)]
        best = sorted(found, key=lambda hit: (-hit.score, hit.kind, hit.slug))[:limit]
        lines = [f"{hit.kind}/{hit.slug}: {hit.description or shorten(hit.excerpt, 200)}" for hit in best]
        return ToolResult("\n".join(lines) or "Nothing found.")

    def _write(self, args: MemoryWrite) -> ToolResult:
        return self._rewritten(args, lambda refs: writes.write(self.draft, args, refs, self._candidates.values()))

    def _edit(self, args: MemoryEdit) -> ToolResult:
        return self._rewritten(args, lambda refs: writes.edit(self.draft, args, refs, self._candidates.values()))

    def _rewritten(
        self, args: MemoryWrite | MemoryEdit, change: Callable[[Sequence[CandidateRef]], ToolResult]
    ) -> ToolResult:
        """Take a step in a record. Candidates of which it said something before, and says nothing now, have to be
        decided again: a model that keeps no track writes one record for each of them over the last."""
        refs, ref = self._refs(args.candidates), target(args.kind, args.slug)
        if isinstance(refs, str):
            return refused(refs)
        before = None if isinstance(ref, str) else self.draft.record(ref)
        result = self._warned(change(refs), args)
        if result.is_error or isinstance(ref, str) or not before:
            return result
        cites = self.draft.cites.get(record_path(ref), set())
        held = [self._candidates[name] for name in sorted(cites - set(args.candidates)) if name in self._candidates]
        lost = no_longer_said(before, self.draft.record(ref), held)
        cites.difference_update(lost)
        for candidate in lost:
            self.decided.pop(candidate, None)
        said = f" It says nothing of {', '.join(lost)} any more: decide again." if lost else ""
        return ToolResult(f"{result.text}{said}")

    def _promote(self, args: PromoteRecord) -> ToolResult:
        refs = self._refs(args.candidates)
        return refused(refs) if isinstance(refs, str) else writes.promote(self.draft, args, refs)

    def _delete(self, args: MemoryDelete) -> ToolResult:
        result = writes.delete(self.draft, args, self._used.get((args.kind, args.slug), 0))
        if not result.is_error:
            self.deleted.append((f"{args.kind}/{args.slug}", f"{args.reason}: {clean(args.explanation)}"))
        return result

    def _offer(self, args: OfferWorkflow) -> ToolResult:
        refs = self._refs(args.candidates)
        ref = target(Kind.WORKFLOW, args.slug)
        if isinstance(refs, str) or isinstance(ref, str):
            return refused(refs if isinstance(refs, str) else str(ref))
        if self.draft.document(ref) or any(offer.slug == ref.slug for offer in self.offers):
            return refused(f"{name_of(ref)} exists or was offered already.")
        fields: dict[str, Any] = {"description": clean(args.description), "requires": args.requires or None}
        fields |= {"scope": dict(self._reach.scope)} if self._reach.scope else {}
        text = render(Kind.WORKFLOW, fields, clean(args.body))
        if before := offered_before(ref.slug, text, self._offered):
            return refused(f"{before} Nothing was offered; close the candidates another way.")
        path = record_path(ref)
        problems = check(self.draft.preview.with_texts({path: text}), path, self._severities)
        errors = [shown(path, d) for d in problems if d.severity is Severity.ERROR]
        if errors:
            return refused("Refused, nothing was offered:\n" + "\n".join(errors))
        self.offers.append(WorkflowOffer(ref.slug, text, clean(args.reason), tuple(r.id for r in refs)))
        return ToolResult(f"{name_of(ref)} offered; a person decides.")

    def _close(self, args: CloseCandidate) -> ToolResult:
        if args.id not in self._candidates:
            return refused(self._unknown(args.id))
        reason = clean(args.reason)
        if len(reason) < 3:
            return refused("`reason` is empty: say why in one sentence.")
        cited = self.holding(args.id)
        if args.action == "applied" and not cited and (same := self._as_before(args.id)):
            # Later steps of the run took the change back to what is on disk: the record said it all along.
            self.decided[args.id] = ("already_covered", reason, tuple(same))
            return ToolResult(f"{args.id} already_covered: {', '.join(same)} is as it was before this run.")
        match args.action:
            case "applied" if not cited:
                return refused(
                    "`applied` needs a write that names this candidate: write first, or decide otherwise. A decision "
                    "or request needs a record of its own, not the summary alone."
                )
            case "discarded" | "kept" if cited:
                return refused(f"{', '.join(cited)} rests on this candidate now: close it as `applied`.")
            case "duplicate" | "already_covered":
                problem = self._uncovered(args)
                if problem:
                    return refused(problem)
            case _:
                pass
        records = tuple(dict.fromkeys([*cited, *args.records])) if args.action == "applied" else tuple(args.records)
        self.decided[args.id] = (args.action, reason, records)
        left = len(self._candidates.keys() - self.decided.keys())
        return ToolResult(f"{args.id} {args.action}. " + (f"{left} to decide." if left else "All are decided."))

    def _as_before(self, candidate: str) -> list[str]:
        """The records that a write for a candidate changed and that are again as they were."""
        paths = [p for p, ids in self.draft.cites.items() if candidate in ids and p not in self.draft.changes.files]
        refs = [document.ref for path in sorted(paths) if (document := self.draft.preview.documents.get(path))]
        return [name_of(ref) for ref in refs if ref]

    def _uncovered(self, args: CloseCandidate) -> str | None:
        """Why the named records cannot cover a candidate."""
        if not args.records:
            return f"`{args.action}` needs `records`: by what is it covered?"
        for record in args.records:
            ref = named(record)
            if record == args.id or not (record in self._candidates or (ref and self.draft.document(ref))):
                return f"There is no record or other candidate `{shorten(record, 80)}`."
        if not any(self._speaks_of(record, self._candidates[args.id]) for record in args.records):
            return f"{', '.join(args.records)} has no word and no evidence of this candidate: it cannot cover it."
        return None

    def _speaks_of(self, name: str, candidate: CandidateRef) -> bool:
        if name in self._candidates:
            return speaks_of(self._candidates[name], candidate)
        ref = named(name)
        record = self.draft.record(ref) if ref else None
        return not record or ref == SUMMARY or record_speaks_of(record, candidate)

    def _refs(self, ids: Sequence[str]) -> list[CandidateRef] | str:
        unknown = next((i for i in ids if i not in self._candidates), None)
        return self._unknown(unknown) if unknown is not None else [self._candidates[i] for i in dict.fromkeys(ids)]

    def _unknown(self, candidate: str) -> str:
        return (
            f"There is no candidate `{shorten(candidate, 80)}` in this run{did_you_mean(candidate, self._candidates)}."
        )

    def _nearest(self, ref: RecordRef) -> str:
        return did_you_mean(ref.slug, self._reach.seen(self.draft.preview).index.slugs[ref.kind])

    def _warned(self, result: ToolResult, args: MemoryWrite | MemoryEdit) -> ToolResult:
        """The result with the warnings the record now has, so that a model can still act on them."""
        ref = target(args.kind, args.slug)
        # Rules in the place of a model read no warnings, and some need a look at all records.
        if result.is_error or isinstance(ref, str) or self.draft.most is None:
            return result
        path = record_path(ref)
        problems = check(self.draft.preview, path, self._severities)
        warnings = [shown(path, d) for d in problems if d.severity is Severity.WARNING]
        return ToolResult("\n".join([result.text, *warnings]))
