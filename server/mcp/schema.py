"""The arguments of the tools, checked strictly: a dropped typo would do something else.

Names and meanings are those of the consolidation's tools where there are such; an agent has no candidates to name.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory_core.consolidate.schema import (
    DeleteReason,
    MemoryKind,
    OptionalSlug,
    Reason,
    RecordFields,
    RecordKind,
    Slug,
    WritableKind,
)

CandidateKind = Literal["decision", "discussion", "attempt", "request"]
Hash = Field(
    default=None,
    pattern=r"^[0-9a-f]{64}$",
    description="`sha256` of the record as MemoryRead gave it: the change is refused if it is another by now.",
)


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Read(_Arguments):
    kind: RecordKind
    slug: OptionalSlug = None


class MemorySearch(_Arguments):
    query: str = Field(min_length=1, max_length=2_000, description="Words to look for, in any language.")
    kind: MemoryKind | None = None
    limit: int = Field(default=10, ge=1, le=50)


class KnowledgeSearch(_Arguments):
    query: str = Field(min_length=1, max_length=2_000, description="Words to look for, in any language.")
    limit: int = Field(default=10, ge=1, le=50)


class Write(_Arguments):
    kind: WritableKind
    slug: OptionalSlug = None
    body: str = Field(min_length=1, max_length=40_000, description="Markdown without frontmatter.")
    fields: RecordFields = RecordFields()
    reason: Reason
    overwrite: bool = Field(
        default=False, description="Replace the body of a record that exists; needs `expect_sha256`."
    )
    expect_sha256: str | None = Hash


class Edit(_Arguments):
    kind: WritableKind
    slug: OptionalSlug = None
    old_text: str | None = Field(default=None, min_length=1, description="A passage that occurs once in the body.")
    new_text: str | None = Field(
        default=None,
        max_length=40_000,
        description="What stands there instead, or nothing. Without `old_text`: a new paragraph at the end.",
    )
    fields: RecordFields = RecordFields()
    reason: Reason
    expect_sha256: str | None = Hash


class Delete(_Arguments):
    kind: Literal["decision", "request", "knowledge"]
    slug: Slug
    reason: DeleteReason
    explanation: str = Field(min_length=10, description="What makes it so, in a sentence or two.")
    despite_use: bool = Field(default=False, description="The record is read, and it should go all the same.")
    expect_sha256: str | None = Hash


class Expand(_Arguments):
    text: str = Field(min_length=1, max_length=400_000, description="Text with `#slug` and `/slug` in it.")


class Stage(_Arguments):
    kind: CandidateKind
    statement: str = Field(
        min_length=3,
        max_length=2_000,
        description="Decision: what was chosen. Discussion: its topic. Attempt: what was tried. Request: the wish.",
    )
    details: str = Field(
        default="",
        max_length=4_000,
        description="Decision: why. Discussion: what was said. Attempt: how it ended. Request: for what.",
    )
    succeeded: bool | None = Field(default=None, description="Attempts only: whether it worked.")
    quotes: list[str] = Field(
        min_length=1,
        max_length=5,
        description="Passages of this session, word for word, that it rests on; looked up in the session's log.",
    )
    session_id: str | None = Field(default=None, description="The session, where you know its id.")


def parameters(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments."""
    return {key: value for key, value in model.model_json_schema().items() if key != "title"}
