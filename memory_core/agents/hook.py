"""`omoide hook EVENT`: what an agent is answered at four moments. At once, without a model, and never in its way.

It adds context and nothing else: it blocks nothing, grants nothing, decides nothing. Whatever goes wrong, the agent
goes on as if there were no hook, and one line in the audit log says what it was. Imports wait until they are needed:
an agent waits for every millisecond.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_core.agents.call import EVENTS, PROMPT_SUBMIT, SESSION_START, Call, answer, call_of, event_named

if TYPE_CHECKING:
    from datetime import datetime

    from memory_core.agents.settings import HookSettings
    from memory_core.layout import Layout
    from memory_core.records.scope import Caller
    from memory_core.usage.event import UsageEvent
    from memory_core.using.policy import ResidentRules

_MOST = 8_000_000  # bytes of a call; what is longer is cut, is no JSON then, and is let go
_PART = 65_536  # bytes that a pipe gives at once
_SHOWN_REASON = 300


def run(words: Sequence[str], environment: Mapping[str, str] | None = None) -> int:
    """The command, on this process's standard streams. Always 0: another code would mean something to an agent."""
    environment = os.environ if environment is None else environment
    options = _options(words)
    layout: Layout | None = None
    try:
        event = event_named(options.get("event", ""))
        if event is None:
            from memory_core.redact import brief

            unknown = f"there is no event `{brief(options.get('event', ''), 40)}`"
            print(f"omoide: {ascii(unknown)[1:-1]}; the events are {', '.join(EVENTS)}", file=sys.stderr)
            raise ValueError(unknown)
        data = _read_call()
        call = call_of(event, data)
        if event == PROMPT_SUBMIT and "#" not in call.prompt and "/" not in call.prompt:
            return 0
        layout = _root(options, environment, call.cwd)
        if layout is None:
            return 0
        text = _text_for(call, options, layout, environment)
        if text:
            sys.stdout.write(answer(options.get("agent", ""), call, text))
            sys.stdout.flush()
    except Exception as error:  # noqa: BLE001 - the agent must go on whatever happened; the line says what it was
        _note(layout or _root_or_none(options, environment), options, error)
    return 0


def _read_call() -> bytes:
    """The call on standard input: until it is whole, since an agent may keep the pipe open; at most so much of it."""
    data = b""
    while len(data) < _MOST and (part := sys.stdin.buffer.read1(_PART)):  # type: ignore[union-attr]
        data += part
        if len(part) < _PART and data.rstrip().endswith(b"}"):  # there was no more just now
            with suppress(ValueError, RecursionError):
                json.loads(data)
                break
    return data[:_MOST]


def _text_for(call: Call, options: Mapping[str, str], layout: Layout, environment: Mapping[str, str]) -> str:
    if call.event == PROMPT_SUBMIT:
        return _expanded(call, options, layout, environment)
    from memory_core.agents.settings import hook_settings

    memory = hook_settings(layout, environment)
    if call.event == SESSION_START:
        # After a resume the context of then is still in the history; both consents are needed, see `install`.
        resumed = call.source == "resume"
        return "" if resumed or "resident" not in options else _resident(call, options, layout, memory, environment)
    if memory.extract_threshold and not call.subagent:
        _extract_later(call, layout)
    return ""


def _expanded(call: Call, options: Mapping[str, str], layout: Layout, environment: Mapping[str, str]) -> str:
    """What the prompt names, recorded as used by a person."""
    from memory_core.agents.settings import hook_grants
    from memory_core.ids import utc_now
    from memory_core.records.scope import granted
    from memory_core.snapshot import Snapshot
    from memory_core.store.record_files import RecordFiles
    from memory_core.using.entries import use_events
    from memory_core.using.expansion import expand

    caller = granted(_caller(call, options, environment), hook_grants(layout, environment))
    by_person = not call.subagent
    expansion = expand(Snapshot(RecordFiles(layout)), call.prompt, caller=caller, by_person=by_person)
    now = utc_now()
    for event in use_events(expansion, actor="human" if by_person else "agent", session_id=call.session_id, now=now):
        _record(layout, event, now)
    return expansion.text


def _caller(call: Call, options: Mapping[str, str], environment: Mapping[str, str]) -> Caller:
    """On whose behalf: the agent that the hook was installed for, in this session, of whom the environment names."""
    from memory_core.records.scope import Caller

    tenant, principal = (environment.get(name) or None for name in ("OMOIDE_TENANT", "OMOIDE_PRINCIPAL"))
    return Caller(options.get("agent"), call.session_id, tenant, principal)


def _resident(
    call: Call, options: Mapping[str, str], layout: Layout, memory: HookSettings, environment: Mapping[str, str]
) -> str:
    """The resident context of a code session, where the workspace wants it, recorded as exposure."""
    from memory_core.agents import answers
    from memory_core.ids import rfc3339, utc_now, uuid7
    from memory_core.store.resident_state import resident_state
    from memory_core.usage.event import event_of
    from memory_core.using.policy import Origin, ResidentRules, refusal

    origin = Origin.SUBAGENT if call.subagent else Origin.CODE
    rules = ResidentRules.of(memory)
    if refusal(origin, rules):
        return ""
    now = utc_now()
    state = resident_state(layout)
    key = f"{state} {rules} {now:%Y-%m-%d}"
    answer = answers.kept(layout, key) if state else None
    if answer is None:
        answer = _made(_caller(call, options, environment), layout, rules, now)
        if state and state == resident_state(layout) and not answer.pop("scoped"):
            answers.keep(layout, key, answer)
    if answer["text"]:
        values = {"id": uuid7(now), "occurred_at": rfc3339(now), "session_id": call.session_id, **answer}
        event = event_of({**values, "event": "resident_exposure", "source": "ResidentInjection"})
        if event:
            _record(layout, event, now)
    return str(answer["text"])


def _made(caller: Caller, layout: Layout, rules: ResidentRules, now: datetime) -> dict[str, Any]:
    """The context made from the records: its text, the records for the usage event, and whether one of those that
    asked is for somebody in particular."""
    from dataclasses import asdict

    from memory_core.records.scope import may_speak_of_scope
    from memory_core.snapshot import Snapshot
    from memory_core.store.record_files import resident_files
    from memory_core.using.policy import Origin
    from memory_core.using.resident import exposure_of, resident_context

    documents = resident_files(layout)
    context = resident_context(Snapshot(documents), Origin.CODE, rules, now=now, caller=caller)
    records = exposure_of(context, session_id=None, now=now).records
    scoped = any(may_speak_of_scope(document.text) for document in documents.values())
    return {"text": context.text, "records": [asdict(record) for record in records], "scoped": scoped}


def _extract_later(call: Call, layout: Layout) -> None:
    """Have the session extracted, if that is due, by a process of its own that outlives this one."""
    import subprocess

    command = [sys.executable, "-I", "-m", "memory_core", "--workspace", str(layout.workspace), "extract", "--if-due"]
    if call.transcript:
        command += ["--log", call.transcript]
    elif call.session_id:
        command += ["--session", call.session_id]
    quiet = subprocess.DEVNULL
    subprocess.Popen(
        command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True, cwd=layout.workspace, close_fds=True
    )


def _root(options: Mapping[str, str], environment: Mapping[str, str], cwd: str | None) -> Layout | None:
    from memory_core.store.discovery import find_root

    for place in (options.get("workspace"), cwd, environment.get("CLAUDE_PROJECT_DIR"), os.getcwd()):  # noqa: PTH109
        if place and (layout := find_root(Path(place))) is not None:
            return layout
    return None


def _root_or_none(options: Mapping[str, str], environment: Mapping[str, str]) -> Layout | None:
    try:
        return _root(options, environment, None)
    except Exception:  # noqa: BLE001 - it is only to say what went wrong before
        return None


def _record(layout: Layout, event: UsageEvent, now: datetime) -> None:
    """Append a usage event; a failure is one line in the audit log, if that can be written."""
    from memory_core.store.files import require_inside
    from memory_core.store.usage_append import append

    try:
        require_inside(layout.root, layout.usage)
        append(layout.usage, event, now)
    except Exception as error:  # noqa: BLE001 - the person's prompt is answered all the same
        _note(layout, {}, error)


def _note(layout: Layout | None, options: Mapping[str, str], error: Exception) -> None:
    if layout is None:
        return
    try:
        from memory_core.audit import audit_line
        from memory_core.ids import utc_now
        from memory_core.redact import brief
        from memory_core.store.files import append_lines, require_inside

        reason = brief(f"{type(error).__name__}: {error}", _SHOWN_REASON)
        named = {"hook": options.get("event", ""), "agent": options.get("agent", "")}
        fields = {**{name: brief(value, 40) for name, value in named.items()}, "reason": reason}
        require_inside(layout.root, layout.audit)
        append_lines(layout.audit, audit_line("hook_failed", utc_now(), **fields))
    except Exception:  # noqa: BLE001, S110 - a disk that cannot be written leaves nowhere to say so
        pass


def _options(words: Sequence[str]) -> dict[str, str]:
    """The words behind `hook`. Unknown ones are ignored: an agent's settings may be newer than this program."""
    found: dict[str, str] = {}
    queue = list(words)
    while queue:
        word = queue.pop(0)
        name, given, value = word.removeprefix("--").partition("=")
        if word.startswith("--") and name in ("agent", "workspace"):
            found[name] = value if given else (queue.pop(0) if queue else "")
        elif word == "--resident":
            found["resident"] = "yes"
        elif not word.startswith("-") and "event" not in found:
            found["event"] = word
    return found
