"""A record as a value: identity, frontmatter, body. Parsing never fails; a broken file is a record with problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from memory_core.diagnostic import Diagnostic
from memory_core.ids import parse_rfc3339
from memory_core.records.frontmatter import Frontmatter, read
from memory_core.records.schema import RecordRef, Status
from memory_core.records.slug import is_slug


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record comes from: entries `start`..`end` (both inclusive) of a session. `anchors` as stored."""

    session_id: str
    start: int
    end: int
    agent: str | None = None
    anchors: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Record:
    """One record. The typed properties answer None (or empty) for what is absent or of the wrong type; the linter
    is what reports it."""

    ref: RecordRef
    text: str
    head: Frontmatter | None
    problems: tuple[Diagnostic, ...]

    @property
    def body_start(self) -> int:
        """Offset of the body: behind the closing delimiter, 0 where there is no frontmatter."""
        return self.head.body_start if self.head else 0

    @property
    def body(self) -> str:
        return self.text[self.body_start :]

    def value(self, key: str) -> Any:
        return self.head.value(key) if self.head else None

    @property
    def description(self) -> str | None:
        return self._text("description")

    @property
    def status(self) -> Status | None:
        value = self._text("status")
        return Status(value) if value in set(Status) else None

    @property
    def replaced_by(self) -> str | None:
        value = self._text("replaced_by")
        return value if value and is_slug(value) else None

    @property
    def requires(self) -> tuple[str, ...]:
        value = self.value("requires")
        return tuple(v for v in value if isinstance(v, str) and is_slug(v)) if isinstance(value, list) else ()

    @property
    def resident(self) -> bool:
        """Whether the record asks for a line in agents' resident context."""
        value = self.value("model_invokation")
        return (self.value("model_invocation") if value is None else value) is True

    @property
    def user_invocable(self) -> bool:
        return self.value("user_invocable") is not False

    @cached_property
    def created_at(self) -> datetime | None:
        return self._instant("created_at")

    @cached_property
    def updated_at(self) -> datetime | None:
        return self._instant("updated_at")

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The well-formed sources, whichever key holds them (`last_sources` in knowledge)."""
        value = self.value("last_sources") if self.value("sources") is None else self.value("sources")
        return tuple(s for item in value if (s := parse_source(item))) if isinstance(value, list) else ()

    def _text(self, key: str) -> str | None:
        value = self.value(key)
        return value if isinstance(value, str) else None

    def _instant(self, key: str) -> datetime | None:
        value = self._text(key)
        return parse_rfc3339(value) if value else None


def parse(ref: RecordRef, text: str) -> Record:
    """A record from the text of its file; frontmatter that cannot be read becomes `problems`."""
    head, problems = read(text)
    return Record(ref, text, head, tuple(problems))


def parse_source(value: Any) -> Source | None:
    """A source from plain data; None when it has no session or no range. `segment_id` is the older key."""
    if not isinstance(value, Mapping):
        return None
    session = value.get("session_id", value.get("segment_id"))
    span = value.get("range")
    if not isinstance(session, str) or not isinstance(span, list) or len(span) != 2:
        return None
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in span):
        return None
    agent = value.get("agent")
    anchors = value.get("anchors")
    return Source(
        session,
        span[0],
        span[1],
        agent if isinstance(agent, str) else None,
        tuple(a for a in anchors if isinstance(a, Mapping)) if isinstance(anchors, list) else (),
    )
