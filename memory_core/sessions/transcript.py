"""A session as the thin mappers of formats tell it: who says what, calls paired with results, one record at a time.

Decides how each kind of speech becomes an entry; which record is which kind is each format's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import EntryKind, Gap, Speaker
from memory_core.sessions.speaker import merged, spoken
from memory_core.sessions.tools import call_summary, result_summary, touched_paths


class Place(NamedTuple):
    """Where a record stands and what identifies it. `frame` is None in a log that is not line-based."""

    frame: Frame | None
    ts: str | None = None
    native_id: str | None = None
    sha256: str | None = None

    @property
    def fields(self) -> dict[str, Any]:
        return {"native_id": self.native_id} | ({"sha256": self.sha256} if self.frame is None else {})


@dataclass
class Transcript:
    """The entries told so far. `calls`: tool and summary of each call, by its id; `latest`: the id of each tool's last
    call; `answered`: calls with a result."""

    builder: SessionBuilder
    calls: dict[str, tuple[str, str]] = field(default_factory=dict)
    latest: dict[str, str] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)

    @contextmanager
    def record(self, place: Place, what: str = "record") -> Iterator[None]:
        """Around the telling of one record. One nested deeper than can be followed is a gap; the next one is read."""
        self.builder.saw_instant(place.ts)
        try:
            yield
        except RecursionError:
            line, offset = (place.frame.line, place.frame.offset) if place.frame else (None, None)
            named = f" {place.native_id}" if place.native_id else ""
            self.builder.gaps.append(Gap(line, offset, f"{what}{named} is nested too deeply"))

    def add(self, kind: EntryKind, speaker: Speaker, text: str, place: Place, **fields: Any) -> None:
        self.builder.add(kind, speaker, text, place.frame, place.ts, **{**place.fields, **fields})

    def user(self, texts: str | Iterable[str], place: Place, subtype: str | None = None) -> None:
        """What stands in the role of the user, through the filter of texts. In a sub-agent's session it is an agent
        that asks. `subtype`: for a person's plain words."""
        blocks = [texts] if isinstance(texts, str) else list(texts)
        told, many = (lambda tag: self.builder.skip(f"cut:{tag}")), len(blocks) > 1
        parts = [part for text in blocks for part in spoken(text, told, block=many)]
        for part in merged(parts):
            if part.speaker is not Speaker.HUMAN:
                self.add(part.kind, part.speaker, part.text, place, subtype=part.subtype)
            elif self.builder.session_kind == "subagent":
                self.add(part.kind, Speaker.ASSISTANT, part.text, place, subtype="subagent_prompt")
            else:
                self.add(part.kind, part.speaker, part.text, place, subtype=part.subtype or subtype)

    def agent_prompt(self, text: str, place: Place) -> None:
        """One agent telling another what to do: never a person's words."""
        if text.strip():
            self.add(EntryKind.USER_MESSAGE, Speaker.ASSISTANT, text.strip(), place, subtype="subagent_prompt")

    def decision(self, text: str, subtype: str, place: Place, call_id: str | None = None) -> None:
        """A person's answer, refusal or approval that hides in a result. A sub-agent has nobody to ask."""
        if text.strip() and self.builder.session_kind != "subagent":
            fields = {"subtype": subtype, "call_id": call_id}
            self.add(EntryKind.USER_MESSAGE, Speaker.HUMAN, text.strip(), place, **fields)

    def assistant(self, text: str, place: Place, subtype: str | None = None) -> None:
        if text.strip():
            self.add(EntryKind.ASSISTANT_MESSAGE, Speaker.ASSISTANT, text.strip(), place, subtype=subtype)

    def reasoning(self, text: str, place: Place, subtype: str | None = None) -> None:
        if text.strip():
            self.add(EntryKind.REASONING, Speaker.ASSISTANT, text.strip(), place, subtype=subtype)

    def system(self, text: str, subtype: str, place: Place) -> None:
        if text.strip():
            self.add(EntryKind.SYSTEM, Speaker.SYSTEM, text.strip(), place, subtype=subtype)
        else:
            self.builder.skip(f"system:{subtype}")

    def call(
        self, tool: str, arguments: Mapping[str, Any], call_id: str | None, place: Place, subtype: str | None = None
    ) -> str:
        """A tool call, once for each call id. Answers its summary."""
        if call_id and call_id in self.calls:
            self.builder.skip("duplicate:call")
            return self.calls[call_id][1]
        summary = call_summary(tool or "tool", arguments)
        if call_id:
            self.calls[call_id] = tool or "tool", summary
            self.latest[tool or "tool"] = call_id
        self.add(
            EntryKind.TOOL_CALL,
            Speaker.ASSISTANT,
            summary,
            place,
            call_id=call_id,
            tool=tool or "tool",
            arguments=arguments,
            paths=touched_paths(arguments),
            subtype=subtype,
        )
        return summary

    def result(
        self, content: str, call_id: str | None, place: Place, *, is_error: bool = False, subtype: str | None = None
    ) -> tuple[str, str]:
        """A tool's result, once for each call id. Answers tool and summary of its call, for what hides in it."""
        tool, summary = self.calls.get(call_id or "", ("", ""))
        if call_id and call_id in self.answered:
            self.builder.skip("duplicate:result")
            return tool, summary
        if call_id:
            self.answered.add(call_id)
        self.add(
            EntryKind.TOOL_RESULT,
            Speaker.TOOL,
            result_summary(content),
            place,
            call_id=call_id,
            tool=tool or None,
            content=content,
            is_error=is_error,
            subtype=subtype,
        )
        return tool, summary

    def title(self, text: str) -> None:
        self.builder.title = text.strip() or self.builder.title

    def skip(self, name: str) -> None:
        self.builder.skip(name)

    def unknown(self, name: str) -> None:
        self.builder.unknown(name)
