"""A conversation row of an older memory, as found: what it says, where it stands, and what is known of its origin."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# The names that the fields go by in the stores that are read; the first that has a value counts.
KEY = ("key", "slug", "title")
CONTENT = ("content", "text", "value", "memory", "message")
CATEGORY = ("category", "type", "kind")
SESSION = ("session_id", "session", "conversation_id", "thread_id")
AGENT = ("agent_alias", "agent", "agent_id")
TENANT = ("tenant_id", "tenant")
PRINCIPAL = ("principal_id", "principal")
TIME = ("timestamp", "created_at", "updated_at", "ts", "time")
ROLE = ("role", "speaker")
COLUMNS = tuple(
    dict.fromkeys(
        ("id", *KEY, *CONTENT, *CATEGORY, *SESSION, *AGENT, *TENANT, *PRINCIPAL, *TIME, *ROLE, "superseded_by")
    )
)


@dataclass(frozen=True, slots=True)
class Row:
    """`line`: 0-based line of a text file, number of the row in a database. `damaged`: why it could not be understood;
    `content` is then what stands there."""

    source: str
    line: int
    key: str = ""
    content: str = ""
    category: str = ""
    session: str = ""
    agent: str = ""
    at: str = ""
    role: str = ""
    damaged: str = ""
    tenant: str = ""
    principal: str = ""

    @property
    def scope(self) -> dict[str, str]:
        """Whose the row is beyond its agent: it stays so wherever the row goes."""
        return {key: value for key, value in (("tenant", self.tenant), ("principal", self.principal)) if value}

    @property
    def id(self) -> str:
        """Stands for this text at this place, so that a plan made for it fits nothing else."""
        return f"{self.line}-{self.sha256[:12]}"

    @property
    def sha256(self) -> str:
        parts = (
            self.source,
            str(self.line),
            self.key,
            self.content,
            self.category,
            self.session,
            self.agent,
            self.role,
            *(f"{key}={value}" for key, value in self.scope.items()),
        )
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def row_from(values: Mapping[str, Any], source: str, line: int) -> Row:
    """A row from plain data, whatever its fields are called. One without any text is damaged."""
    content = _first(values, CONTENT)
    return Row(
        source,
        line,
        key=_first(values, KEY),
        content=content,
        category=_first(values, CATEGORY).lower(),
        session=_first(values, SESSION),
        agent=_first(values, AGENT),
        at=_first(values, TIME),
        role=_first(values, ROLE).lower(),
        tenant=_first(values, TENANT),
        principal=_first(values, PRINCIPAL),
        damaged="" if content or any(isinstance(values.get(name), str) for name in CONTENT) else "it has no text",
    )


def _first(values: Mapping[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = values.get(name)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and value:
            return value
    return ""
