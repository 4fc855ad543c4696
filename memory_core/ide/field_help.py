"""What the keys and values of frontmatter mean, in words: for hover, and beside what completion offers.

The fields themselves are the schema's; here is only how they are said to a person.
"""

from __future__ import annotations

from memory_core.records.schema import ALIASES, KNOWLEDGE_KINDS, Field, FieldType, Kind, Status, field_of

_FORM: dict[FieldType, str] = {
    FieldType.INSTANT: "an instant, such as `2026-06-01T09:00:00Z`",
    FieldType.TEXT: "text; in quotes where it holds ` #` or `: `",
    FieldType.FLAG: "`true` or `false`",
    FieldType.STATUS: "`open`, `resolved` or `replaced`",
    FieldType.SLUG: "the slug of another record of this kind",
    FieldType.KNOWLEDGE_SLUGS: "a list of slugs without `#`",
    FieldType.SOURCES: "a list of `{session_id, range: [first, last]}`, both ends inclusive; Omoide fills it in",
    FieldType.RANGE: "`[first, last]`, both ends inclusive",
    FieldType.SCOPE: "a mapping with any of `agent`, `session`, `tenant`, `principal`",
    FieldType.ORIGIN: "`user`, `tool` or `policy:<name>`",
}

STATUS_HELP: dict[str, str] = {
    Status.OPEN: "Not settled yet.",
    Status.RESOLVED: "Settled; it holds.",
    Status.REPLACED: "No longer holds; `replaced_by` names the decision that took its place.",
}
KIND_HELP: dict[str, str] = dict(
    zip(
        KNOWLEDGE_KINDS,
        (
            "What a word means in this project.",
            "What the project wants, and why.",
            "What must or must not be done.",
            "How something is.",
            "How something is done.",
        ),
        strict=True,
    )
)
ORIGIN_HELP: dict[str, str] = {
    "user": "A person wrote it.",
    "tool": "A program or an agent wrote it.",
    "policy:": "A rule of the workspace brought it here; the rule's name follows.",
}
SCOPE_HELP: dict[str, str] = {
    "agent": "For one agent only.",
    "session": "For one session only.",
    "tenant": "For one tenant only.",
    "principal": "For one person or account only.",
}


def field_help(field: Field, kind: Kind, key: str | None = None) -> str:
    """A field in Markdown: what it means, what it looks like, whether it must be there. `key`: as it is written."""
    need = f"required in a {kind}" if field.required else "optional"
    absent = f"; absent means `{_yaml(field.default)}`" if not field.required and field.default is not None else ""
    lines = [f"**`{field.name}`** ({need}{absent})", field.doc, f"Written as {_FORM[field.type]}."]
    if key in ALIASES:
        lines.append(f"`{key}` is read as `{ALIASES[key]}`, which is the spelling in the files.")
    return "\n\n".join(lines)


def key_help(kind: Kind, key: str) -> str | None:
    """The help for a key of a record of some kind; None where the kind has no such key."""
    field = field_of(kind, key)
    return field_help(field, kind, key) if field else None


def value_help(kind: Kind, key: str, value: str) -> str | None:
    """The help for a value that is one of a few; None for any other."""
    field = field_of(kind, key)
    if field is None:
        return None
    found = {name.rstrip(":"): text for name, text in choices(field, kind)}.get(value.split(":")[0])
    return f"`{value}`: {found}" if found and field.type is not FieldType.FLAG else None


def choices(field: Field, kind: Kind) -> list[tuple[str, str]]:
    """The values a field is usually given, each with what it means; empty where anything may stand."""
    match field.type:
        case FieldType.STATUS:
            return list(STATUS_HELP.items())
        case FieldType.ORIGIN:
            return list(ORIGIN_HELP.items())
        case FieldType.FLAG:
            usual = "The usual value."
            return [(_yaml(flag), usual if flag is field.default else "") for flag in (True, False)]
        case FieldType.TEXT if field.name == "kind" and kind is Kind.KNOWLEDGE:
            return list(KIND_HELP.items())
    return []


def _yaml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else "[]" if value == () else str(value)
