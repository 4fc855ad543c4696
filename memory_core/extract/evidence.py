"""The evidence of a slice: which entries a candidate may rest on, their ids, and the anchors made from them.

Decides by the entries alone; renders nothing and checks no candidate. Reasoning, system text, compaction summaries,
and text that Omoide itself put into the session are never evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from memory_core.extract.excerpts import excerpt
from memory_core.extract.task import Slice
from memory_core.redact import beginning, redact
from memory_core.sessions.anchors import entry_hash
from memory_core.sessions.copies import COPIED
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.sessions.speaker import MEMORY_CLOSE, MEMORY_OPEN
from memory_core.staging import Anchor, EvidenceKind, SpeakerName
from memory_core.text import shorten, writable

# What a host marks as not said by anyone in this session (session readers, the speaker rules).
_NOT_SAID = frozenset(
    {"injected", "compact_summary", "synthetic", "expansion", "resident", "meta", "rolled_back", "withdrawn", COPIED}
)
_OPENED = re.compile(rf"(?P<first>^[ \t]*)?{MEMORY_OPEN}(?:\s[^<>]*)?>", re.MULTILINE)
# Tools that bring remembered text back: extracting their output again would let memory confirm itself.
_RECALL_TOOL = re.compile(r"(?:^|_)(?:MemoryRead|MemoryQuery|KnowledgeQuery)$|^mcp__omoide__", re.IGNORECASE)
_RECALL_COMMAND = re.compile(r"(?:^|[;&|]\s*)omoide\s+(?:read|search|expand|context)\b")

_ARTIFACT = re.compile(
    r"https?://[^\s/]{1,100}/[^\s]{1,200}?/(?:issues|pull|pulls|merge_requests|commit|tickets?)/[0-9a-f]+"
    r"|(?<![\w&/#])#\d{1,6}\b(?![-\w])"
    r"|\b(?i:issue|ticket|PR|pull request|MR)\s+\d{1,6}\b"
    r"|(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,6}\b(?![-\w])"
    r"|(?:(?<=[Cc]ommit )|(?<=コミット )|(?<=[Cc]ommit `))[0-9a-f]{7,40}\b"
)
# Names in the shape of a ticket that are none: encodings, standards, hashes, models.
_NO_TICKET = re.compile(
    r"(?:UTF|ISO|SHA|RFC|MD|AES|RSA|GPT|CVE|PEP|IPV|HTTP|TLS|ES|UUID|COVID|BASE|X)-?\d", re.IGNORECASE
)
_MAX_REFS = 3
MOST_OUTPUT = 2_000  # characters of a tool's output that summaries and excerpts are made from


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """One thing a candidate may rest on: a message (`M0001`), or a tool call with its result (`E0001`).

    `entries`: session indices (first, last), both inclusive. `speaker`: HUMAN, ASSISTANT or TOOL, as the host decided
    it; only HUMAN items are a person's words. `text`: the message, or a one-line summary of call and result; redacted,
    and without text that Omoide put there. `call`/`result`: the raw entries of a tool item, either may be missing where
    the slice cuts a pair. `recalled`: output of a memory tool, listed for completeness but never a support.
    """

    id: str
    kind: Literal["message", "tool"]
    entries: tuple[int, int]
    speaker: Speaker
    text: str
    message: Entry | None = None
    call: Entry | None = None
    result: Entry | None = None
    recalled: bool = False

    @property
    def tool(self) -> str | None:
        """The tool's name, where it is known; what an agent calls a tool is the agent's choice."""
        name = (self.call and self.call.tool) or (self.result and self.result.tool) or None
        return clean(name) if name else None

    @property
    def call_id(self) -> str | None:
        return (self.call and self.call.call_id) or (self.result and self.result.call_id) or None

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths named by the entry or the call, in order."""
        found = [path for entry in (self.message, self.call, self.result) if entry for path in entry.paths]
        return tuple(dict.fromkeys(found))

    @property
    def ts(self) -> str | None:
        return self.main.ts

    @property
    def is_error(self) -> bool:
        """Whether the tool said that it failed."""
        return bool(self.result and self.result.is_error)

    @property
    def is_prompt(self) -> bool:
        """A message that one agent gave another: the assistant's words, though a log calls it the user's."""
        return self.message is not None and self.message.kind is EntryKind.USER_MESSAGE and not self.by_human

    @property
    def by_human(self) -> bool:
        return self.speaker is Speaker.HUMAN

    @property
    def main(self) -> Entry:
        """The entry that the anchor's hash and excerpt come from: the message, else the result, else the call."""
        entry = self.message or self.result or self.call
        assert entry is not None  # noqa: S101 - an item is made of at least one entry
        return entry


def evidence_of(view: Slice) -> tuple[EvidenceItem, ...]:
    """The items of a slice in its order; the same slice always gives the same ids. Those of its lead come first, with
    an `L` before their ids: `LM0001`."""
    items = collect(view.session, view.first, view.end)
    if view.first == view.start:
        return items
    return _numbered([item for item in items if item.entries[1] < view.start], "L") + _numbered(
        [item for item in items if item.entries[1] >= view.start]
    )


def _numbered(items: Iterable[EvidenceItem], before: str = "") -> tuple[EvidenceItem, ...]:
    """The items with ids that begin anew."""
    numbers = {"M": count(1), "E": count(1)}
    return tuple(replace(item, id=f"{before}{item.id[0]}{next(numbers[item.id[0]]):04d}") for item in items)


def collect(session: Session, start: int, end: int) -> tuple[EvidenceItem, ...]:
    """The items of entries `start`..`end`, both inclusive: a result joins its call where both lie inside."""
    entries = session.entries[start : end + 1]
    results = _results(entries)
    items: list[EvidenceItem] = []
    taken: set[int] = set()
    messages = tools = 0
    for entry in entries:
        if entry.index in taken:
            continue
        if (speaker := speaker_of(entry)) is not None:
            if text := said(entry):
                messages += 1
                place = (entry.index, entry.index)
                items.append(EvidenceItem(f"M{messages:04d}", "message", place, speaker, text, message=entry))
        elif entry.kind in (EntryKind.TOOL_CALL, EntryKind.TOOL_RESULT) and entry.subtype != COPIED:
            tools += 1
            call = entry if entry.kind is EntryKind.TOOL_CALL else None
            result = results.get(entry.call_id or "") if call else entry
            if result is not None and (result.index < entry.index or result.index in taken):
                result = None  # it stands before its call, or a call of the same id has it
            if result is not None:
                taken.add(result.index)
            items.append(_tool_item(f"E{tools:04d}", call, result))
    return tuple(items)


def speaker_of(entry: Entry) -> Speaker | None:
    """Whose message an entry is; None where it is none, or where nobody in this session said it.

    A person's answer inside a tool result (a question tool, a rejected permission) is the person's message.
    """
    if (entry.subtype or "") in _NOT_SAID:
        return None
    match entry.kind, entry.speaker:
        case ((EntryKind.USER_MESSAGE | EntryKind.TOOL_RESULT), Speaker.HUMAN):
            return Speaker.HUMAN
        case ((EntryKind.USER_MESSAGE | EntryKind.ASSISTANT_MESSAGE), Speaker.ASSISTANT):
            return Speaker.ASSISTANT
        case _:
            return None


def said(entry: Entry) -> str:
    """What a message says: redacted, without blocks that Omoide put into it, writable as UTF-8."""
    return clean(_without_injected(entry.text)).strip()


def _without_injected(text: str) -> str:
    """A text without blocks that Omoide put into it. One that was cut off before its end goes to the end of the text
    where it begins a line, as ours do; in the middle of one it is a person who speaks of the tag, and goes on."""
    kept: list[str] = []
    at, closes = 0, MEMORY_CLOSE in text
    for match in _OPENED.finditer(text) if MEMORY_OPEN in text else ():
        if match.start() < at:
            continue
        end = text.find(MEMORY_CLOSE, match.end()) if closes else -1
        closes = end >= 0  # behind the last one no block is closed, and nobody looks for it again
        if closes:
            kept.append(text[at : match.start()])
            at = end + len(MEMORY_CLOSE)
        elif match["first"] is not None:
            return "".join([*kept, text[at : match.start()]])
    return "".join([*kept, text[at:]])


def clean(text: str, most: int | None = None) -> str:
    """Text, or about the first `most` characters of it, as it may leave the process: no secrets, and nothing that no
    file may hold."""
    return writable(redact(text) if most is None else beginning(text, most))


def anchor_for(item: EvidenceItem, about: str = "") -> Anchor:
    """The anchor of an item: the place in the session that supports a candidate. `sha256` and `excerpt` are those of
    `item.main`; the range covers the call as well. `about`: what the candidate says, for the excerpt to show it."""
    kind: EvidenceKind = "message" if item.kind == "message" else ("tool_result" if item.result else "tool_call")
    references = artifacts(item)
    return _anchor(item, kind, about, path=next(iter(item.paths), None), ref=next(iter(references), None))


def anchors_for(items: Iterable[EvidenceItem], about: str = "") -> tuple[Anchor, ...]:
    """The anchors of several items, each followed by one per file or artifact that its message names (3 at most)."""
    anchors: list[Anchor] = []
    for item in items:
        anchors.append(anchor_for(item, about))
        if item.kind == "message":
            anchors += [_anchor(item, "file_ref", about, path=path) for path in item.paths[:_MAX_REFS]]
        anchors += [_anchor(item, "artifact_ref", about, ref=name) for name in artifacts(item)[:_MAX_REFS]]
    return tuple(anchors)


def artifacts(item: EvidenceItem) -> list[str]:
    """The issues, pull requests, tickets and commits that an item's text names, in order, as written."""
    names = [match.group() for match in _ARTIFACT.finditer(item.text[:20_000])]
    return list(dict.fromkeys(name for name in names if not _NO_TICKET.match(name)))


def _results(entries: Sequence[Entry]) -> dict[str, Entry]:
    """Tool results by call id; the first one of an id counts. A person's answer stays a message of its own."""
    results: dict[str, Entry] = {}
    for entry in entries:
        if entry.kind is EntryKind.TOOL_RESULT and entry.call_id and speaker_of(entry) is None:
            results.setdefault(entry.call_id, entry)
    return results


def _tool_item(number: str, call: Entry | None, result: Entry | None) -> EvidenceItem:
    indices = [entry.index for entry in (call, result) if entry]
    parts = [shorten(clean(entry.text, MOST_OUTPUT), 240) for entry in (call, result) if entry and entry.text]
    return EvidenceItem(
        number,
        "tool",
        (min(indices), max(indices)),
        Speaker.TOOL,
        " → ".join(parts),
        call=call,
        result=result,
        recalled=_is_recall(call, result),
    )


def _is_recall(call: Entry | None, result: Entry | None) -> bool:
    name = (call and call.tool) or (result and result.tool) or ""
    command = str(call.arguments.get("command", "")) if call else ""
    injected = any(entry.subtype in _NOT_SAID for entry in (call, result) if entry)
    return injected or bool(_RECALL_TOOL.search(name) or _RECALL_COMMAND.search(command))


def _anchor(
    item: EvidenceItem, kind: EvidenceKind, about: str, *, path: str | None = None, ref: str | None = None
) -> Anchor:
    entry = item.main
    speaker: SpeakerName = item.speaker.value
    text = item.text if item.kind == "message" else clean(entry.text, MOST_OUTPUT)
    return Anchor(
        evidence_id=item.id,
        entry_range=item.entries,
        kind=kind,
        speaker=speaker,
        native_id=entry.native_id,
        call_id=item.call_id,
        tool=item.tool,
        path=path and clean(path),
        ref=ref,
        sha256=entry_hash(entry),
        excerpt=excerpt(text, about if item.kind == "message" else ""),
        ts=entry.ts,
    )
