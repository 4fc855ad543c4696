"""The four tools of an extract worker: three that look at the slice, and the one that hands in candidates.

They reach the slice and nothing else: no files, no trackers, no memory, no staging. Whatever a worker, rules or model,
cites is checked here, and anchors are made here; a worker cannot state where something came from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory_core.extract.evidence import EvidenceItem, evidence_of
from memory_core.extract.handover import Candidates, accept, set_aside
from memory_core.extract.look import (
    READ_BYTES,
    READ_ITEMS,
    SEARCH_LIMIT,
    SEARCH_MAX,
    anchor_text,
    read_text,
    search_text,
)
from memory_core.extract.payload import Payload, parse_arguments, tool_schema, without_claims
from memory_core.extract.task import SetAside, Slice
from memory_core.llm import ToolSpec
from memory_core.text import counted
from memory_core.worker import ToolResult

EvidenceId = Annotated[
    str, Field(max_length=24, description="An id as listed: M0001 or E0001, LM0001 of what was said before.")
]
EntryRange = Annotated[
    list[int],
    Field(min_length=2, max_length=2, description="First and last entry index of the session, both included."),
]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SearchEvidence(_Arguments):
    query: str = Field("", max_length=400, description="Words to look for; empty lists everything of the kind.")
    kind: Literal["human", "assistant", "tool"] | None = Field(None, description="Only what this speaker gave.")
    limit: int = Field(SEARCH_LIMIT, ge=1, le=SEARCH_MAX, description="Most hits.")


class ReadEvidence(_Arguments):
    evidence_id: EvidenceId | None = None
    entry_range: EntryRange | None = None
    offset: int = Field(0, ge=0, description="With evidence_id: characters to skip, to read on in a long one.")


class ResolveSourceAnchor(_Arguments):
    evidence_id: EvidenceId | None = None
    entry_range: EntryRange | None = None
    call_id: str | None = Field(None, max_length=200, description="The id of a tool call, as the log has it.")


# The order is the order in which they are offered. Descriptions take their numbers from the bounds.
_TOOLS: tuple[tuple[str, type[BaseModel], str], ...] = (
    (
        "search_evidence",
        SearchEvidence,
        (
            "Find evidence in this slice by words. Searches whole messages, tool arguments and whole tool results; "
            f"shows ids, entry numbers and short summaries. At most {SEARCH_LIMIT} hits, {SEARCH_MAX} on request."
        ),
    ),
    (
        "read_evidence",
        ReadEvidence,
        (
            "Read evidence by one id or by a range of entries: messages, tool calls with arguments, excerpts of "
            f"results. At most {READ_ITEMS} items and {READ_BYTES // 1024} KiB a call."
        ),
    ),
    (
        "resolve_source_anchor",
        ResolveSourceAnchor,
        "Show the source anchor that the host makes of an evidence id, a range of entries, or a tool call's id.",
    ),
    (
        "write_extracted",
        Payload,
        (
            "Hand in everything worth keeping, once; it ends the work. Every candidate cites evidence ids. Empty "
            "arrays are a normal result."
        ),
    ),
)


class ExtractToolbox:
    """The tools of one extract run over one slice. `result` is None until `write_extracted` was accepted; it is empty
    candidates when nothing was worth keeping. `flags`: what was accepted with a doubt, in words; `dropped`: what was
    found and is not staged."""

    def __init__(self, view: Slice) -> None:
        self.view = view
        self.items: tuple[EvidenceItem, ...] = evidence_of(view)
        self.result: Candidates | None = None
        self.flags: tuple[str, ...] = ()
        self.dropped: tuple[SetAside, ...] = ()
        self.refused = 0
        self._support_refused = False
        self._language_refused = False

    @property
    def specs(self) -> Sequence[ToolSpec]:
        return tuple(ToolSpec(name, description, tool_schema(model)) for name, model, description in _TOOLS)

    @property
    def finished(self) -> bool:
        return self.result is not None

    def call(self, name: str, arguments: Any) -> ToolResult:
        """Run a tool. `arguments` is the parsed JSON object. Whatever is wrong with a call is its result's text."""
        answers: dict[str, Callable[[Any], ToolResult]] = {
            "search_evidence": self._search,
            "read_evidence": self._read,
            "resolve_source_anchor": self._resolve,
            "write_extracted": self._write,
        }
        if name not in answers:
            result = ToolResult(f"There is no tool `{name[:60]}`. The tools are: {', '.join(answers)}.", is_error=True)
        else:
            result = answers[name](arguments)
        self.refused += result.is_error
        return result

    def _search(self, arguments: Any) -> ToolResult:
        wanted, problems = parse_arguments(SearchEvidence, arguments)
        if wanted is None:
            return _refusal("search_evidence", problems)
        return ToolResult(search_text(self.items, wanted.query, wanted.kind, wanted.limit))

    def _read(self, arguments: Any) -> ToolResult:
        wanted, problems = parse_arguments(ReadEvidence, arguments)
        if wanted is None:
            return _refusal("read_evidence", problems)
        found = self._select(wanted.evidence_id, wanted.entry_range)
        if isinstance(found, str):
            return ToolResult(found, is_error=True)
        if wanted.offset and wanted.evidence_id is None:
            return ToolResult("`offset` goes with `evidence_id`: it reads on in one item.", is_error=True)
        return ToolResult(read_text(found, wanted.offset))

    def _resolve(self, arguments: Any) -> ToolResult:
        wanted, problems = parse_arguments(ResolveSourceAnchor, arguments)
        if wanted is None:
            return _refusal("resolve_source_anchor", problems)
        found = self._select(wanted.evidence_id, wanted.entry_range, wanted.call_id)
        return ToolResult(found, is_error=True) if isinstance(found, str) else ToolResult(anchor_text(found))

    def _write(self, arguments: Any) -> ToolResult:
        payload, problems = parse_arguments(Payload, without_claims(arguments))
        if payload is None:
            return _refusal("write_extracted", problems)
        handed = accept(payload, self.items, self.view.language, again=self._support_refused, start=self.view.start)
        if handed.candidates is None:
            self._support_refused = True
            return _refusal("write_extracted", handed.problems)
        if handed.language and not self._language_refused:
            self._language_refused = True
            return _refusal("write_extracted", [handed.language])
        if handed.language:
            self.flags = (*self.flags, f"not written in the session's language ({self.view.language})")
        before = self.result or {}  # a model may hand in by several calls at once
        self.result = {a: tuple(dict.fromkeys((*before.get(a, ()), *new))) for a, new in handed.candidates.items()}
        self.dropped += handed.set_aside
        counts = ", ".join(counted(len(array), name[:-1]) for name, array in self.result.items() if array)
        aside = "".join(f"\nSet aside: `{each.what}`: {each.reason}." for each in handed.set_aside)
        return ToolResult(f"Accepted: {counts or 'nothing to keep'}. The work is done.{aside}")

    def leave_out(self, array: str, what: str, reason: str) -> None:
        """Rules found something and did not hand it in: it is counted and shown, like what is refused."""
        self.dropped = (*self.dropped, set_aside(array, what, reason))

    def _select(
        self, evidence_id: str | None, entry_range: Sequence[int] | None, call_id: str | None = None, /
    ) -> tuple[EvidenceItem, ...] | str:
        """The items that exactly one selector names, or what is wrong with it."""
        given = [value for value in (evidence_id, entry_range, call_id) if value is not None]
        if len(given) != 1:
            return f"Name exactly one of the selectors, not {len(given)}."
        if evidence_id is not None:
            found = tuple(item for item in self.items if item.id == evidence_id.strip().upper())
            return found or f"There is no evidence `{evidence_id}`; {_listed(self.items)}."
        if call_id is not None:
            found = tuple(item for item in self.items if item.call_id == call_id)
            return found or f"No tool call in this slice has the id `{call_id[:80]}`."
        first, last = entry_range or (0, 0)
        if not self.view.first <= first <= last <= self.view.end:
            return f"entry_range must lie within [{self.view.first}, {self.view.end}], first before last."
        found = tuple(item for item in self.items if item.entries[0] <= last and item.entries[1] >= first)
        return found or f"Entries {first} to {last} hold no evidence: reasoning and system text are not shown."


def _refusal(tool: str, problems: Sequence[str]) -> ToolResult:
    shown = "\n".join(f"- {problem}" for problem in problems[:20])
    more = f"\n- and {len(problems) - 20} more of the kind" if len(problems) > 20 else ""
    return ToolResult(f"{tool} was refused, nothing was recorded. Correct this and call it again:\n{shown}{more}", True)


def _listed(items: Sequence[EvidenceItem]) -> str:
    """The ids there are, in words."""
    parts = []
    for letters in ("M", "E", "LM", "LE"):
        ids = [item.id for item in items if item.id.startswith(letters)]
        if ids:
            parts.append(f"{ids[0]} to {ids[-1]}" if len(ids) > 1 else ids[0])
    return f"ids are {' and '.join(parts)}" if parts else "this slice has none"
