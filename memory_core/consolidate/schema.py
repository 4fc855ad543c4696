"""The tools of a consolidation: one table of names, descriptions and arguments, from which schemas and the prompt come.

Describes only; `tools` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory_core.llm import ToolSpec
from memory_core.records.schema import KNOWLEDGE_KINDS
from memory_core.staging import Action

RecordKind = Literal["summary", "decision", "request", "knowledge", "workflow"]
WritableKind = Literal["summary", "decision", "request", "knowledge"]
MemoryKind = Literal["summary", "decision", "request"]
DeleteReason = Literal["outdated", "superseded", "unused", "noisy", "unsupported", "duplicate"]

DESCRIPTION_LIMIT = 160  # characters: a description is one line of a list
# Of what a call holds, in characters and items: well above what any record may be, and low enough that no search or
# comparison with it keeps a run from its own limits.
MAX_QUERY, MAX_LINE, MAX_BODY, MAX_NAMES = 2_000, 4_000, 100_000, 1_000
_DESCRIBED = f"What it is and when to read it, at most {DESCRIPTION_LIMIT} characters."

Slug = Annotated[
    str,
    Field(max_length=MAX_QUERY, description="File name without `.md`: lower-case letters, digits and single hyphens."),
]
OptionalSlug = Annotated[
    str | None, Field(max_length=MAX_QUERY, description="File name without `.md`; leave it out for the summary.")
]
Reason = Annotated[str, Field(min_length=3, max_length=MAX_LINE, description="Why, in one sentence.")]
Candidates = Annotated[
    list[str], Field(description="Ids of the candidates this rests on; their sources are attached for you.")
]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class RecordFields(_Arguments):
    """Frontmatter you may set. Dates, sources, scope, origin and resident flags are set by the host."""

    description: str | None = Field(default=None, max_length=MAX_LINE, description=_DESCRIBED)
    status: Literal["open", "resolved", "replaced"] | None = Field(default=None, description="Decisions only.")
    replaced_by: str | None = Field(
        default=None,
        max_length=MAX_QUERY,
        description="Decisions with status `replaced`: slug of the one that holds now.",
    )
    kind: str | None = Field(
        default=None,
        max_length=MAX_QUERY,
        description=f"Knowledge only: {', '.join(KNOWLEDGE_KINDS)}, or your own word.",
    )


class MemoryRead(_Arguments):
    kind: RecordKind
    slug: OptionalSlug = None
    offset: int = Field(default=0, ge=0, description="First line to read, counted from 0.")
    limit: int = Field(default=2000, ge=1, description="Lines to read at most.")


class MemoryWrite(_Arguments):
    kind: WritableKind
    slug: OptionalSlug = None
    body: str = Field(min_length=1, max_length=MAX_BODY, description="Markdown without frontmatter.")
    fields: RecordFields = RecordFields()
    candidates: Candidates = []
    overwrite: bool = Field(default=False, description="Replace the body of an existing record.")


class MemoryEdit(_Arguments):
    kind: WritableKind
    slug: OptionalSlug = None
    old_text: str | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_BODY,
        description="A passage of the body, exactly as it stands there.",
    )
    new_text: str | None = Field(
        default=None,
        max_length=MAX_BODY,
        description="What stands there instead, or nothing. Without `old_text`: a new paragraph at the end.",
    )
    count: int = Field(
        default=1, ge=1, description="How often `old_text` occurs; all are replaced, another number is refused."
    )
    fields: RecordFields = RecordFields()
    candidates: Candidates = []
    from_records: list[str] = Field(
        default=[],
        max_length=MAX_NAMES,
        description="Records whose text this one takes in when you merge (`decision/<slug>`); their sources come too.",
    )
    trim_sources: bool = Field(
        default=False,
        description="Keep ten of more sources: the first, then the latest in which people speak; the host picks them.",
    )
    reason: Reason


class MemoryDelete(_Arguments):
    kind: Literal["decision", "request", "knowledge"]
    slug: Slug
    reason: DeleteReason
    explanation: str = Field(min_length=10, max_length=MAX_LINE, description="What makes it so, in a sentence or two.")
    despite_use: bool = Field(
        default=False, description="The usage report shows reads of it, and it should go all the same."
    )


class MemoryQuery(_Arguments):
    query: str = Field(min_length=1, max_length=MAX_QUERY)
    kind: MemoryKind | None = None
    limit: int = Field(default=10, ge=1, le=50)


class KnowledgeQuery(_Arguments):
    query: str = Field(min_length=1, max_length=MAX_QUERY)
    limit: int = Field(default=10, ge=1, le=50)


class PromoteRecord(_Arguments):
    kind: Literal["decision", "request"]
    slug: Slug
    knowledge_slug: Slug
    knowledge_kind: str = Field(
        min_length=1, max_length=MAX_QUERY, description=f"{', '.join(KNOWLEDGE_KINDS)}, or your own word."
    )
    description: str = Field(min_length=1, max_length=MAX_LINE, description=_DESCRIBED)
    body: str = Field(
        min_length=1, max_length=MAX_BODY, description="The reusable part, rewritten; not a copy of the record."
    )
    candidates: Candidates = []


class OfferWorkflow(_Arguments):
    slug: Slug
    description: str = Field(min_length=1, max_length=MAX_LINE, description="What it does and when to use it.")
    body: str = Field(min_length=1, max_length=MAX_BODY, description="The procedure as Markdown.")
    requires: list[str] = Field(default=[], max_length=MAX_NAMES, description="Slugs of knowledge to read first.")
    candidates: Candidates = []
    reason: Reason


class CloseCandidate(_Arguments):
    id: str = Field(max_length=MAX_QUERY)
    action: Action
    reason: Reason
    records: list[str] = Field(
        [],
        max_length=MAX_NAMES,
        description="Records it went into or is covered by: `decision/<slug>`, `knowledge/<slug>`, `summary`.",
    )


TOOLS: Mapping[str, tuple[type[BaseModel], str]] = {
    "MemoryRead": (MemoryRead, "Read a record, or some lines of it, as it stands after your changes so far."),
    "MemoryQuery": (MemoryQuery, "Search the summary, decisions and requests by words."),
    "KnowledgeQuery": (KnowledgeQuery, "Search knowledge by words. Do this before you create knowledge."),
    "MemoryWrite": (
        MemoryWrite,
        (
            "Create a record, or with `overwrite` replace the body of one. Name the candidates it rests on. A line of "
            "the summary uses the words of the records, candidates or old lines that it rests on."
        ),
    ),
    "MemoryEdit": (
        MemoryEdit,
        (
            "Change one passage or some fields of a record, or add the sources of further candidates to it. What adds "
            "words names the candidates or, in a merge, the records they come from; without either it can only shorten."
        ),
    ),
    "MemoryDelete": (
        MemoryDelete,
        "Remove a record nothing refers to. It goes to the archive. Prefer status `replaced` for a decision.",
    ),
    "PromoteRecord": (
        PromoteRecord,
        "Make knowledge of the reusable part of a decision or request; the record itself stays as it is.",
    ),
    "OfferWorkflow": (OfferWorkflow, "Offer a procedure to people. Workflows are theirs: nothing is written."),
    "CloseCandidate": (
        CloseCandidate,
        (
            "Decide one candidate: `applied` (a write of yours names it), `duplicate` or `already_covered` (name the "
            "record or candidate that covers it), `discarded`, or `kept` for a later run. Every candidate needs one."
        ),
    ),
}


def tool_specs() -> tuple[ToolSpec, ...]:
    """The tools as a model is offered them."""
    return tuple(ToolSpec(name, text, _parameters(model)) for name, (model, text) in TOOLS.items())


def _parameters(model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema()
    return {key: value for key, value in schema.items() if key != "title"}
