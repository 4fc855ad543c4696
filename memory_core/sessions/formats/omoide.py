"""Our own session log read back: the entry index is the physical line, so every line gets an entry, damaged ones too.

Knows no domain of the extension entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.copies import COPIED
from memory_core.sessions.fields import at, flag, instant, map_at, text_at
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import EntryKind, Gap, Origin, Session, Speaker
from memory_core.sessions.own_log import FORMAT
from memory_core.sessions.source import Source
from memory_core.sessions.speaker import human_text
from memory_core.sessions.tools import arguments_of, call_summary, result_text, touched_paths

_SPEAKERS = {
    EntryKind.SESSION_START: Speaker.SYSTEM,
    EntryKind.USER_MESSAGE: Speaker.HUMAN,
    EntryKind.ASSISTANT_MESSAGE: Speaker.ASSISTANT,
    EntryKind.TOOL_CALL: Speaker.ASSISTANT,
    EntryKind.TOOL_RESULT: Speaker.TOOL,
    EntryKind.REASONING: Speaker.ASSISTANT,
    EntryKind.SYSTEM: Speaker.SYSTEM,
    EntryKind.USAGE: Speaker.SYSTEM,
    EntryKind.EXTENSION: Speaker.SYSTEM,
}
_SAID = frozenset(
    {
        EntryKind.USER_MESSAGE,
        EntryKind.ASSISTANT_MESSAGE,
        EntryKind.TOOL_CALL,
        EntryKind.TOOL_RESULT,
        EntryKind.REASONING,
        EntryKind.SYSTEM,
    }
)
_KINDS = frozenset(str(kind) for kind in EntryKind)


def recognizes(value: dict[str, Any]) -> bool:
    """Whether a record is one of ours: other formats tag with `type`, or use numbers as kinds."""
    return value.get("kind") in _KINDS if isinstance(value.get("kind"), str) else False


def read(items: Iterator[Frame | Gap], source: Source) -> Session:
    """The session of a log in our format; the file's name is the id of one whose log does not say it."""
    builder = SessionBuilder(FORMAT, FORMAT)
    session_id = ""
    said: list[int] = []
    for item in items:
        if isinstance(item, Frame) and not item.terminated:
            source.repairs.counts["unfinished_tail"] += item.length  # the newline is the commit mark
            continue
        line = item.line or 0
        while len(builder.entries) < line:
            builder.unread(len(builder.entries), "", "blank")
        if isinstance(item, Gap) or len(builder.entries) > line:
            _gap(builder, item, line, said)
            continue
        try:
            _entry(builder, item, said)
        except RecursionError:
            _gap(builder, Gap(item.line, item.offset, "nested too deeply"), line, said)
        if item.value.get("kind") == EntryKind.SESSION_START and not session_id:
            session_id = text_at(item.value, "session_id")
    return builder.session(session_id or source.name, source.repairs.counts)


def _gap(builder: SessionBuilder, item: Frame | Gap, line: int, said: list[int]) -> None:
    """Damage on a line. The line's entry is the first whole record on it, and a filler when there is none."""
    if isinstance(item, Frame):
        if builder.entries[line].subtype == "gap":  # a torn record stood before this whole one
            builder.entries.pop()
            _entry(builder, item, said)
            return
        item = Gap(line, item.offset, "a second record on the same line")
    builder.gaps.append(item)
    if len(builder.entries) == line:
        builder.unread(line, f"[line {line + 1} of the log cannot be read: {item.reason}]", "gap")


def _entry(builder: SessionBuilder, frame: Frame, said: list[int]) -> None:
    """Add the entry of a line. `said`: the places of what was said and still counts, in order."""
    value = frame.value
    ts = instant(value.get("ts"))
    builder.saw_instant(ts)
    native_id = text_at(value, "id") or None
    name = text_at(value, "kind")
    if name not in _KINDS:
        builder.unknown(name or "no kind")
        builder.add(EntryKind.SYSTEM, Speaker.SYSTEM, "", frame, ts, native_id=native_id, subtype="unknown")
        return
    kind = EntryKind(name)
    speaker = _SPEAKERS[kind]
    fields: dict[str, Any] = {"native_id": native_id, "subtype": text_at(value, "subtype") or None}
    fields["origin"] = _origin(value)
    if fields["subtype"] == COPIED:  # an earlier export wrote it; what is a copy is only known beside the others
        fields["subtype"] = None
    text = text_at(value, "text")
    match kind:
        case EntryKind.SESSION_START:
            _start(builder, value)
        case EntryKind.USER_MESSAGE:
            kind, speaker, text, subtype = _asked(builder, text)
            fields |= {"subtype": subtype or fields["subtype"], "call_id": text_at(value, "call_id") or None}
        case EntryKind.TOOL_CALL:
            arguments = arguments_of(value.get("arguments"))
            tool = text_at(value, "name") or "tool"
            text = call_summary(tool, arguments)
            fields |= {"call_id": text_at(value, "call_id") or None, "tool": tool}
            fields |= {"arguments": arguments, "paths": touched_paths(arguments)}
        case EntryKind.TOOL_RESULT:
            text = text_at(value, "summary")
            content = value.get("content")
            fields |= {"call_id": text_at(value, "call_id") or None, "is_error": flag(value, "is_error")}
            fields["content"] = None if content is None else result_text(content)
        case EntryKind.USAGE:
            fields["payload"] = {key: value.get(key) for key in ("input_tokens", "output_tokens")}
        case EntryKind.EXTENSION:
            fields |= {"domain": text_at(value, "domain") or None, "payload": at(value, "payload")}
        case EntryKind.SYSTEM if fields["subtype"] == "rewind":
            _rewind(builder, value, said)
        case _:
            pass
    entry = builder.add(kind, speaker, text, frame, ts, **fields)
    if kind in _SAID:
        said.append(entry.index)


def _origin(value: dict[str, Any]) -> Origin | None:
    """Where a record stood in the log that it was imported from."""
    number = at(value, "origin", "entry")
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        return None
    return Origin(number, text_at(value, "origin", "native_id") or None, text_at(value, "origin", "sha256") or None)


def _asked(builder: SessionBuilder, written: str) -> tuple[EntryKind, Speaker, str, str | None]:
    """Kind, speaker, words and finer word of a request: a person's, an agent's, or a program's alone."""
    text = human_text(written, lambda tag: builder.skip(f"cut:{tag}"))
    if builder.session_kind == "subagent":  # an agent started this session, and it is the one who asks
        return EntryKind.USER_MESSAGE, Speaker.ASSISTANT, text, "subagent_prompt"
    if written and not text:
        return EntryKind.SYSTEM, Speaker.SYSTEM, written, "injected"
    return EntryKind.USER_MESSAGE, Speaker.HUMAN, text, None


def _rewind(builder: SessionBuilder, value: dict[str, Any], said: list[int]) -> None:
    """Somebody went back: what was said after that entry does not count any more. It stays where it is."""
    through = value.get("through_entry")
    if isinstance(through, int) and not isinstance(through, bool) and through >= 0:
        while said and said[-1] > through:  # each only once, however often somebody goes back
            builder.relabel(said.pop(), "rolled_back")


def _start(builder: SessionBuilder, value: dict[str, Any]) -> None:
    builder.agent = text_at(value, "agent") or builder.agent
    builder.session_kind = text_at(value, "session_kind") or builder.session_kind
    builder.saw_cwd(text_at(value, "cwd"))
    builder.saw_version(text_at(value, "origin", "version"))  # of the program whose log was imported
    builder.scope |= {key: item for key, item in map_at(value, "scope").items() if isinstance(item, str)}
