"""Record kinds and the frontmatter each may carry: the one table behind the linter, completion, hover and new records.

Contract: the project's format section "Frontmatter". Holds no checks; `lint` reads this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    SUMMARY = "summary"
    DECISION = "decision"
    REQUEST = "request"
    KNOWLEDGE = "knowledge"
    WORKFLOW = "workflow"


class Status(StrEnum):
    """Where a decision stands."""

    OPEN = "open"
    RESOLVED = "resolved"
    REPLACED = "replaced"


class FieldType(StrEnum):
    INSTANT = "instant"  # RFC 3339
    TEXT = "text"
    FLAG = "flag"
    STATUS = "status"
    SLUG = "slug"  # of the record's own kind
    KNOWLEDGE_SLUGS = "knowledge_slugs"
    SOURCES = "sources"
    RANGE = "range"
    SCOPE = "scope"
    ORIGIN = "origin"


class RecordRef(NamedTuple):
    """A record's identity: its kind and its file name. The summary's slug is `summary`."""

    kind: Kind
    slug: str

    def __str__(self) -> str:
        sigil = {Kind.KNOWLEDGE: "#", Kind.WORKFLOW: "/"}.get(self.kind)
        return f"{sigil}{self.slug}" if sigil else f"{self.kind}/{self.slug}"


SUMMARY = RecordRef(Kind.SUMMARY, "summary")


def name_of(ref: RecordRef) -> str:
    """How a record is named in messages, tools and resolutions: `decision/<slug>`, `summary`."""
    return SUMMARY.slug if ref.kind is Kind.SUMMARY else f"{ref.kind}/{ref.slug}"


@dataclass(frozen=True, slots=True)
class Field:
    """One frontmatter key of one kind. `default` is what a missing optional key means; `doc` is shown on hover."""

    name: str
    type: FieldType
    required: bool
    doc: str
    default: object = None


CREATED = Field("created_at", FieldType.INSTANT, True, "When the record was first written (RFC 3339).")
UPDATED = Field("updated_at", FieldType.INSTANT, True, "When the record's content last changed (RFC 3339).")
SOURCES = Field(
    "sources", FieldType.SOURCES, True, "Where it comes from: session, inclusive entry range, anchors. May be `[]`."
)
DESCRIPTION = Field("description", FieldType.TEXT, False, "What the record is and when to read it.")
COMMON = (
    Field("scope", FieldType.SCOPE, False, "Who may see it: agent, session, tenant, principal. Absent means shared."),
    Field("origin", FieldType.ORIGIN, False, "Who wrote it: `user`, `tool` or `policy:<name>`."),
)
# The misspelling is the stored name in every existing workspace; `model_invocation` is read as an alias.
RESIDENT = Field(
    "model_invokation", FieldType.FLAG, False, "Keep this record's line in agents' resident context.", False
)
INVOCABLE = Field("user_invocable", FieldType.FLAG, False, "Offer it to people in completion.", True)
ALIASES = {"model_invocation": "model_invokation"}

FIELDS: dict[Kind, tuple[Field, ...]] = {
    Kind.SUMMARY: (
        UPDATED,
        Field("created_at", FieldType.INSTANT, False, "When the summary was first written; `updated_at` if absent."),
        Field("last_rewritten_from_range", FieldType.RANGE, False, "Entry range the last rewrite was made from."),
        *COMMON,
    ),
    Kind.DECISION: (
        CREATED,
        UPDATED,
        SOURCES,
        Field(
            "status", FieldType.STATUS, True, "`open`, `resolved`, or `replaced` (then `replaced_by` names by what)."
        ),
        Field("replaced_by", FieldType.SLUG, False, "Slug of the decision that took its place."),
        DESCRIPTION,
        *COMMON,
    ),
    Kind.REQUEST: (CREATED, UPDATED, SOURCES, DESCRIPTION, *COMMON),
    Kind.KNOWLEDGE: (
        CREATED,
        UPDATED,
        Field("kind", FieldType.TEXT, True, "What sort of knowledge: term, policy, rule, fact, know-how, or your own."),
        Field("description", FieldType.TEXT, True, "What it is and when to read it; how people and agents find it."),
        Field(RESIDENT.name, FieldType.FLAG, True, RESIDENT.doc, False),
        Field(INVOCABLE.name, FieldType.FLAG, True, INVOCABLE.doc, True),
        Field("last_sources", FieldType.SOURCES, True, "The most recent sources. May be `[]`."),
        *COMMON,
    ),
    Kind.WORKFLOW: (
        Field("description", FieldType.TEXT, True, "What it does and when to use it."),
        RESIDENT,
        INVOCABLE,
        Field("requires", FieldType.KNOWLEDGE_SLUGS, False, "Knowledge to read first, as slugs.", ()),
        Field("created_at", FieldType.INSTANT, False, CREATED.doc),
        Field("updated_at", FieldType.INSTANT, False, UPDATED.doc),
        *COMMON,
    ),
}

KNOWLEDGE_KINDS = ("term", "policy", "rule", "fact", "know-how")
SCOPE_KEYS = ("agent", "session", "tenant", "principal")


_BY_NAME = {kind: {field.name: field for field in fields} for kind, fields in FIELDS.items()}


def field_of(kind: Kind, name: str) -> Field | None:
    """The field a key names in a record of this kind, aliases included; None when the key is unknown."""
    return _BY_NAME[kind].get(ALIASES.get(name, name))
