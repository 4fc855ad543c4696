"""A session written for others: in our own log format, as Markdown for people, as ATIF for tools. Pure.

Secrets are taken out unless the caller says otherwise. Nothing is judged or summarized.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memory_core.ids import parse_rfc3339, uuid7
from memory_core.redact import redact
from memory_core.sessions import own_log, pointer
from memory_core.sessions.model import Entry, EntryKind, Origin, Session, Speaker

ATIF_VERSION = "ATIF-v1.4"
FORMATS = ("omoide", "markdown", "atif")
Clean = Callable[[str], str]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SAID = {EntryKind.USER_MESSAGE, EntryKind.ASSISTANT_MESSAGE, EntryKind.SYSTEM, EntryKind.REASONING}


def exported(session: Session, form: str, *, with_secrets: bool = False, family: Sequence[str] = ()) -> str:
    """A session in one of FORMATS. `family`: as for `own_records`. ValueError for another name."""
    clean: Clean = (lambda text: text) if with_secrets else redact
    match form:
        case "omoide":
            return own_log.encode(own_records(session, clean, family)).decode("utf-8")
        case "markdown":
            return "\n".join(_markdown(session, clean)) + "\n"
        case "atif":
            return json.dumps(atif(session, clean), ensure_ascii=False, indent=2) + "\n"
        case _:
            raise ValueError(f"`{form}` is no format to export to: one of {', '.join(FORMATS)}.")


def own_records(session: Session, clean: Clean = redact, family: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """The records of our own log that say what a session says. What it is made from is named in `origin`: agent and
    format in the first record, the entry's place, native id and hash in the others, of an import those of the log that
    it was made from itself. `family`: the ids by which sessions are found that it may share a history with."""
    now = _instant(session.started_at)
    version = {"version": clean(session.agent_version)} if session.agent_version else {}
    kin = {"family": [clean(name) for name in family]} if family else {}
    origin = {"agent": session.agent, "format": session.log_format, "gaps": len(session.gaps)} | version | kin
    yield own_log.start_of(session, now) | {"origin": origin}
    for entry in session.entries:
        if entry.kind is not EntryKind.SESSION_START and (fields := _fields(entry, clean)) is not None:
            yield _record(entry, fields, now, clean)


def _record(entry: Entry, fields: Mapping[str, Any], start: datetime, clean: Clean) -> dict[str, Any]:
    at = _instant(entry.ts) if entry.ts else start
    first = entry.origin or Origin(entry.index, entry.native_id, entry.sha256)
    origin = {"entry": first.entry, "native_id": first.native_id, "sha256": first.sha256}
    more: dict[str, Any] = {"origin": {key: value for key, value in origin.items() if value is not None}}
    if entry.subtype:
        more["subtype"] = clean(entry.subtype)
    kind, fields = (entry.kind, dict(fields))
    if kind is EntryKind.USER_MESSAGE and entry.speaker is not Speaker.HUMAN:
        # Our reader takes a user's message for a person's; one agent prompting another must not become that.
        kind, fields["subtype"] = EntryKind.ASSISTANT_MESSAGE, entry.subtype or "subagent_prompt"
    record = own_log.record(kind, at, **fields) | more
    return record | {"id": uuid7(at), "ts": entry.ts or record["ts"]}


def _fields(entry: Entry, clean: Clean) -> dict[str, Any] | None:
    """The fields of an entry's record; None for what only its own log can mean (damage, blank lines), or only its own
    store: how far it was extracted says nothing where the candidates are not."""
    match entry.kind:
        case kind if kind in _SAID:
            if not entry.text and kind is EntryKind.SYSTEM:
                return None
            answers = {"call_id": entry.call_id} if entry.call_id else {}
            return {"text": clean(entry.text)} | answers
        case EntryKind.TOOL_CALL:
            arguments = cleaned(dict(entry.arguments), clean)
            return {"call_id": entry.call_id or f"entry-{entry.index}", "name": clean(entry.tool or "tool")} | {
                "arguments": arguments
            }
        case EntryKind.TOOL_RESULT:
            output = entry.output
            content = {} if output is None else {"content": clean(output)}
            call_id = entry.call_id or f"entry-{entry.index}"
            return {"call_id": call_id, "summary": clean(entry.text), "is_error": entry.is_error} | content
        case EntryKind.USAGE if isinstance(entry.payload, dict):
            return {name: entry.payload.get(name) for name in ("input_tokens", "output_tokens")}
        case EntryKind.EXTENSION if entry.domain and not entry.domain.startswith(pointer.DOMAIN):
            return {"domain": entry.domain, "payload": cleaned(entry.payload, clean)}
        case _:
            return None


def cleaned(value: Any, clean: Clean) -> Any:
    """Plain data with every text in it cleaned, and then as a whole: a password is known by its key. What is nested
    deeper than can be written down is replaced by a word that says so."""
    try:
        return _as_a_whole(_each_text(value, clean), clean)
    except RecursionError:
        return {"omitted": "nested too deeply"}


def _each_text(value: Any, clean: Clean) -> Any:
    match value:
        case str():
            return clean(value)
        case Mapping():
            return {clean(str(key)): _each_text(item, clean) for key, item in value.items()}
        case list() | tuple():
            return [_each_text(item, clean) for item in value]
        case _:
            return value


def _as_a_whole(value: Any, clean: Clean) -> Any:
    """Data whose text in JSON holds no secret. Where one goes over what holds the text together, each part is taken."""
    if not isinstance(value, dict | list):
        return value
    text = json.dumps(value, ensure_ascii=False, default=str)
    if (shown := clean(text)) == text:
        return value
    try:
        parsed = json.loads(shown)
    except ValueError:
        parsed = None
    if _shape(parsed) == _shape(value):
        return parsed
    if isinstance(value, list):
        return [_as_a_whole(item, clean) for item in value]
    if len(value) == 1:
        return {key: _as_a_whole(item, clean) for key, item in value.items()}
    parts = [_as_a_whole({key: item}, clean) for key, item in value.items()]
    return {key: item for part in parts for key, item in part.items()}


def _shape(value: Any) -> Any:
    """Data without its texts."""
    match value:
        case dict():
            return {key: _shape(item) for key, item in value.items()}
        case list():
            return [_shape(item) for item in value]
        case _:
            return None


def _markdown(session: Session, clean: Clean) -> Iterator[str]:
    yield f"# {_line(clean(session.title or f'Session {session.session_id}'))}"
    yield ""
    facts = [f"agent {session.agent}", f"session {session.session_id}"]
    facts += [f"{session.started_at} to {session.updated_at}"] if session.started_at else []
    facts += [f"{len(session.gaps)} damaged places"] if session.gaps else []
    yield _line(", ".join(facts))
    for entry in session.entries:
        text = clean(entry.text).strip()
        if not text or entry.kind in (EntryKind.EXTENSION, EntryKind.USAGE, EntryKind.SESSION_START):
            continue
        kind = clean(entry.subtype or str(entry.kind).replace("_", " "))
        yield ""
        yield f"## {entry.index} · {entry.speaker} · {_line(kind)}{f' · {entry.ts}' if entry.ts else ''}"
        yield ""
        yield from fenced(text)


def fenced(text: str) -> Iterator[str]:
    """A text as it was said, inside a fence that nothing in it can end: it must not become part of the page."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}text"
    yield from text.split("\n")
    yield fence


def _line(text: str) -> str:
    # An address in front would take a backslash for a part of itself, and a tag behind it would be one.
    return re.sub(r"([\\`*_>\[\]#|])", r"\\\1", " ".join(text.split())).replace("<", "&lt;")


def atif(session: Session, clean: Clean = redact) -> dict[str, Any]:
    """A session in the Agent Trajectory Interchange Format (harborframework.com/docs/trajectory-format). A tool's
    result is an observation of the step that holds its call."""
    steps: list[dict[str, Any]] = []
    callers: dict[str, dict[str, Any]] = {}
    for entry in session.entries:
        text = clean(entry.text)
        match entry.kind:
            case EntryKind.USER_MESSAGE | EntryKind.SYSTEM if text:
                steps.append(_step(steps, entry, _source(entry), text, clean))
            case EntryKind.ASSISTANT_MESSAGE if text:
                steps.append(_step(steps, entry, "agent", text, clean))
            case EntryKind.REASONING if text:
                steps.append(_step(steps, entry, "agent", "", clean) | {"reasoning_content": text})
            case EntryKind.TOOL_CALL:
                call_id = entry.call_id or f"entry-{entry.index}"
                step = _step(steps, entry, "agent", "", clean)
                arguments = cleaned(dict(entry.arguments), clean)
                name = clean(entry.tool or "tool")
                step["tool_calls"] = [{"tool_call_id": call_id, "function_name": name, "arguments": arguments}]
                steps.append(step)
                callers.setdefault(call_id, step)
            case EntryKind.TOOL_RESULT:
                caller = callers.get(entry.call_id or "")
                if caller is None:  # its call is not in the log
                    caller = _step(steps, entry, "agent", "", clean)
                    steps.append(caller)
                results = caller.setdefault("observation", {"results": []})["results"]
                content = clean(entry.output or entry.text)
                results.append({"content": content} | ({"source_call_id": entry.call_id} if entry.call_id else {}))
            case _:
                pass
    return {
        "schema_version": ATIF_VERSION,
        "session_id": session.session_id,
        # The format requires a version; not every log names one.
        "agent": {"name": session.agent, "version": clean(session.agent_version or "unknown")},
        "steps": steps,
        "extra": {"cwds": list(session.cwds), "gaps": len(session.gaps), "session_kind": session.session_kind},
    }


def _step(steps: list[dict[str, Any]], entry: Entry, source: str, text: str, clean: Clean) -> dict[str, Any]:
    stamp = {"timestamp": entry.ts} if entry.ts else {}
    extra = {"entry": entry.index} | ({"subtype": clean(entry.subtype)} if entry.subtype else {})
    return {"step_id": len(steps) + 1, **stamp, "source": source, "message": text, "extra": extra}


def _source(entry: Entry) -> str:
    match entry.speaker:
        case Speaker.HUMAN:
            return "user"
        case Speaker.ASSISTANT:
            return "agent"
        case _:
            return "system"


def _instant(ts: str | None) -> datetime:
    return (parse_rfc3339(ts) if ts else None) or _EPOCH
