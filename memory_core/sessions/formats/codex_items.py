"""Codex's response items, common to all generations of its rollouts: messages, reasoning, calls and their outputs.

Says nothing of the lines around them (`codex`, `codex_document`); keeps the doubles of one text apart (`heard`).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.fields import list_at, map_at, text_at
from memory_core.sessions.formats.codex_outputs import answers_in, exit_code, output_text, ran
from memory_core.sessions.formats.codex_texts import typed
from memory_core.sessions.model import EntryKind, Speaker
from memory_core.sessions.speaker import Spoken, merged
from memory_core.sessions.tags import elements
from memory_core.sessions.tools import (
    arguments_of,
    block_text,
    call_summary,
    result_summary,
    touched_paths,
)
from memory_core.sessions.transcript import Place

_CWD = re.compile(r"<(cwd)>")
_CWD_LINE = re.compile(r"^[ \t]*(?:-[ \t]*)?(?:Current w|W)orking directory:(.+)$", re.MULTILINE)
_OUTPUT = re.compile(r"^Output:\n", re.MULTILINE)
_REJECTED = re.compile(r"(?:\w+ ){0,3}rejected by (?:the )?user\b", re.IGNORECASE)
_TYPED = frozenset({"", "text", "input_text", "output_text", "image", "input_image"})
_IMAGE_TAG = re.compile(r"</?image\b[^<>]*>")

_CHANNELS = {"item": b"i", "event": b"e", "completed": b"c"}

CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"})
OUTPUTS = frozenset(
    {"function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output"}
)
SILENT = frozenset(
    {"ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "item_reference", "other"}
)


@dataclass
class Rollout:
    """A rollout while it is read. `heard`: how often a text came over each channel (`item`, `event`, `completed`);
    `held`: user items whose event has not come yet; `calls`: name, summary and arguments of each call; `editor`: an
    editor began the session."""

    builder: SessionBuilder
    heard: Counter[bytes] = field(default_factory=Counter)
    emitted: Counter[bytes] = field(default_factory=Counter)
    held: list[tuple[Spoken, Place, bool]] = field(default_factory=list)
    events_seen: bool = False
    calls: dict[str, tuple[str, str, Mapping[str, Any]]] = field(default_factory=dict)
    editor: bool = False

    def is_new(self, role: str, channel: str, text: str) -> bool:
        """Whether a text is said for the first time: each is written once a channel, so it is new when this channel
        has carried it more often than it became an entry."""
        key = _key(role, text)
        carried = key + _CHANNELS[channel]
        self.heard[carried] += 1
        if self.heard[carried] <= self.emitted[key]:
            self.builder.skip(f"duplicate:{role}")
            return False
        self.emitted[key] += 1
        return True

    def add(self, kind: EntryKind, speaker: Speaker, text: str, place: Place, **fields: Any) -> None:
        """Append an entry; what was held back before it comes first."""
        if self.held:
            self.release()
        fields.setdefault("native_id", place.native_id)
        if place.frame is None:
            fields.setdefault("sha256", place.sha256)
        self.builder.add(kind, speaker, text, place.frame, place.ts, **fields)

    def system(self, text: str, subtype: str, place: Place) -> None:
        self.add(EntryKind.SYSTEM, Speaker.SYSTEM, text, place, subtype=subtype)

    def release(self) -> None:
        """Decide about the user items held back. Events are the authority on what a person typed: once a rollout has
        them, a user item without one was put there by a program."""
        held, self.held = self.held, []
        for part, place, certain in held:
            key = _key("user", part.text)
            carried = key + _CHANNELS["item"]
            if self.heard[carried] < self.emitted[key]:
                self.heard[carried] += 1
                self.builder.skip("duplicate:user")
            elif self.events_seen and not certain and part.speaker is Speaker.HUMAN:
                self.system(part.text, "injected", place)
            elif self.is_new("user", "item", part.text):
                self._speak(part, place)

    def end(self) -> None:
        """The log ends here for now. Where events say what a person typed, a user item that stands last may be ahead of
        its event by one line: it is held back like an unfinished line, since to call it injected would bury a person's
        words, and to call it a person's would make instructions of a program's."""
        decided = [held for held in self.held if held[2] or held[0].speaker is not Speaker.HUMAN]
        if self.events_seen and len(decided) < len(self.held):
            self.builder.skip("held_back:user", len(self.held) - len(decided))
            self.held = decided
        self.release()

    def user_event(self, text: str, channel: str, place: Place) -> None:
        """A user's text as an event tells it."""
        self.events_seen = True
        parts = typed(text, lambda tag: self.builder.skip(f"cut:{tag}"), editor=self.editor, event=True)
        # Words first: what is told of the program would release the item that waits for them.
        for part in sorted(merged(parts), key=lambda part: part.kind is not EntryKind.USER_MESSAGE):
            if part.kind is not EntryKind.USER_MESSAGE:
                self.system(part.text, part.subtype or "injected", place)
            elif self.is_new("user", channel, part.text):
                self._speak(part, place, keep_held=True)
        self.release()

    def _speak(self, part: Spoken, place: Place, *, keep_held: bool = False) -> None:
        speaker, subtype = part.speaker, part.subtype
        if self.builder.session_kind == "subagent":
            speaker, subtype = Speaker.ASSISTANT, "subagent_prompt"
        held, self.held = (self.held, []) if keep_held else ([], self.held)
        self.add(part.kind, speaker, part.text, place, subtype=subtype)
        self.held = held + self.held

    def assistant(self, text: str, channel: str, place: Place, subtype: str | None = None) -> None:
        if text.strip() and self.is_new("assistant", channel, text):
            self.add(EntryKind.ASSISTANT_MESSAGE, Speaker.ASSISTANT, text.strip(), place, subtype=subtype)

    def reasoning(self, text: str, channel: str, place: Place) -> None:
        if text.strip() and self.is_new("reasoning", channel, text):
            self.add(EntryKind.REASONING, Speaker.ASSISTANT, text.strip(), place)

    def interrupted(self, channel: str, place: Place) -> None:
        if self.is_new("interruption", channel, "[turn aborted]"):
            self.system("[turn aborted]", "interruption", place)


def _key(role: str, text: str) -> bytes:
    """What is remembered of a role's text, white space aside: its hash, since all texts of a large log fill memory."""
    words = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(words, digest_size=16, person=role.encode()).digest()


def read_item(rollout: Rollout, item: dict[str, Any], place: Place) -> None:
    """One response item, by its type; a type not known here is counted."""
    name = text_at(item, "type")
    match name:
        case "message":
            _message(rollout, item, place)
        case "reasoning":
            parts = [*list_at(item, "summary"), *list_at(item, "content")]
            texts = [block_text(part) for part in parts]
            for text in texts:
                rollout.reasoning(text, "item", place)
            if not any(text.strip() for text in texts):
                rollout.builder.skip("reasoning:encrypted")
        case _ if name in CALLS:
            _call(rollout, item, place)
        case _ if name in OUTPUTS:
            _output(rollout, item, place)
        case _ if name in SILENT:
            rollout.builder.skip(name)
        case _:
            rollout.builder.unknown(name or "no type")


def _message(rollout: Rollout, item: dict[str, Any], place: Place) -> None:
    role = text_at(item, "role")
    content = item.get("content")
    blocks = content if isinstance(content, list) else [content]
    if role == "assistant":
        rollout.assistant("\n\n".join(t for b in blocks if (t := block_text(b))), "item", place)
    elif role == "user":
        _user(rollout, item, blocks, place)
    else:  # developer and system: instructions by the program
        rollout.system("\n\n".join(block_text(b) for b in blocks).strip(), "injected", place)


def _user(rollout: Rollout, item: dict[str, Any], blocks: list[Any], place: Place) -> None:
    """A user item: marked parts by their marks, others by the filter; a person's words wait for their event."""
    marks = list_at(map_at(item, "internal_chat_message_metadata_passthrough"), "content_item_kinds")
    human: list[Spoken] = []
    certain = False
    for number, block in enumerate(blocks):
        if isinstance(block, dict) and text_at(block, "type") not in _TYPED:  # a file that was given, say
            rollout.builder.unknown(f"block:{text_at(block, 'type')}")
            continue
        text = _IMAGE_TAG.sub("", block_text(block))
        mark = marks[number] if number < len(marks) and isinstance(marks[number], str) else ""
        if mark and not mark.startswith("user."):
            parts = [Spoken(EntryKind.SYSTEM, Speaker.SYSTEM, text.strip(), "injected")]
        else:
            parts = typed(text, lambda tag: rollout.builder.skip(f"cut:{tag}"), editor=rollout.editor)
            certain = certain or bool(mark)
        for part in parts:
            if part.kind is EntryKind.USER_MESSAGE:
                human.append(part)
            elif part.subtype == "interruption":
                rollout.interrupted("item", place)
            else:
                for cwd in cwds_in(part.text):
                    rollout.builder.saw_cwd(cwd)
                rollout.system(part.text, part.subtype or "injected", place)
    rollout.held += [(part, place, certain) for part in merged(human)]


def cwds_in(text: str) -> list[str]:
    """The working directories that an environment text names; the oldest generations say them nowhere else."""
    if "orking directory" not in text and "<cwd>" not in text:
        return []
    found = [(element.start, element.inner) for element in elements(text, _CWD)]
    found += [(match.start(), match[1]) for match in _CWD_LINE.finditer(text)]
    return [cwd for _, named in sorted(found) if (cwd := named.strip()) and "\n" not in cwd]


def _call(rollout: Rollout, item: dict[str, Any], place: Place) -> None:
    action = map_at(item, "action")
    tool = text_at(item, "name") or {"local_shell_call": "shell"}.get(text_at(item, "type"), "")
    tool = tool or text_at(item, "type").removesuffix("_call")
    if namespace := text_at(item, "namespace"):
        tool = f"{namespace}.{tool}"
    raw = item.get("arguments")
    arguments = arguments_of(item.get("input") if raw is None else raw) or action
    call_id = text_at(item, "call_id") or text_at(item, "id") or None
    summary = call_summary(tool, arguments)
    if call_id:
        rollout.calls[call_id] = tool, summary, arguments
    rollout.add(
        EntryKind.TOOL_CALL,
        Speaker.ASSISTANT,
        summary,
        place,
        call_id=call_id,
        tool=tool,
        arguments=arguments,
        paths=touched_paths(arguments),
    )


def _output(rollout: Rollout, item: dict[str, Any], place: Place) -> None:
    call_id = text_at(item, "call_id") or text_at(item, "id") or None
    tool, summary, arguments = rollout.calls.get(call_id or "", ("", "", {}))
    content, is_error = output_text(item.get("output", item.get("content")))
    said = _OUTPUT.split(content, maxsplit=1)[-1] if exit_code(content) is not None else content
    rollout.add(
        EntryKind.TOOL_RESULT,
        Speaker.TOOL,
        result_summary(said) or result_summary(content),
        place,
        call_id=call_id,
        tool=tool or None,
        content=content,
        is_error=is_error,
    )
    if rollout.builder.session_kind == "subagent":  # a sub-agent has nobody to ask
        return
    if _REJECTED.match(content) and not ran(item):
        fields = {"call_id": call_id, "subtype": "rejection"}
        rollout.add(EntryKind.USER_MESSAGE, Speaker.HUMAN, f"Rejected {summary or 'a tool call'}", place, **fields)
    elif tool == "request_user_input" and (answers := answers_in(content, arguments)):
        fields = {"call_id": call_id, "subtype": "question_answer"}
        rollout.add(EntryKind.USER_MESSAGE, Speaker.HUMAN, "\n".join(answers), place, **fields)
