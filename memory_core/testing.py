"""Test doubles and the fixture language, for our tests and for whoever builds on the core. Production never imports it.

Fixture language: `//- memory/decisions/a.md` starts a file (path relative to the memory root); `$0` is the cursor; a
line `//^^^ code` below a line expects a diagnostic there (the carets sit under its range; `//` counts as two columns,
`//<^^` starts the range at column 0, `//<` alone is columns 0 to 3); such lines are removed from the text.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from memory_core.llm import ModelReply, ModelRequest, ToolCall
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.text import LineIndex, Position, Range

CURSOR = "$0"
_FILE = re.compile(r"^//- (\S+)[ \t]*\n", re.MULTILINE)
_EXPECTED = re.compile(r"//(?:(?P<origin><\^*)|(?P<indent> *)(?P<carets>\^+))(?: (?P<text>.*))?\n?")


@dataclass(frozen=True)
class Fixture:
    """Files by path, the cursor (path, position) if there is one, and the expected diagnostics (path, range, text)."""

    texts: dict[str, str]
    cursor: tuple[str, Position] | None = None
    expected: list[tuple[str, Range, str]] = field(default_factory=list)

    @property
    def snapshot(self) -> Snapshot:
        return snapshot_of(self.texts)


def fixture(source: str, default: str = "knowledge/here.md") -> Fixture:
    """Read the fixture language. Text before the first `//-` line is the file `default`."""
    pieces = _FILE.split(source)
    files = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    if pieces[0].strip():
        files = {default: pieces[0], **files}
    texts: dict[str, str] = {}
    cursor: tuple[str, Position] | None = None
    expected: list[tuple[str, Range, str]] = []
    for path, raw in files.items():
        text, found = _take_expected(raw)
        expected += [(path, span, code) for span, code in found]
        at = text.find(CURSOR)
        if at >= 0:
            text = text[:at] + text[at + len(CURSOR) :]
            cursor = path, LineIndex(text).position(at)
        texts[path] = text
    return Fixture(texts, cursor, expected)


def _take_expected(raw: str) -> tuple[str, list[tuple[Range, str]]]:
    kept: list[str] = []
    found: list[tuple[Range, str]] = []
    # Not `splitlines`: a line separator inside a text is no line end to an editor.
    for line in re.findall(r"[^\n]*\n|[^\n]+", raw):
        match = _EXPECTED.fullmatch(line)
        if not match:
            kept.append(line)
            continue
        start = 0 if match["origin"] else 2 + len(match["indent"])
        end = 2 + len(match["origin"]) if match["origin"] else start + len(match["carets"])
        number = len(kept) - 1
        found.append((Range(Position(number, start), Position(number, end)), (match["text"] or "").strip()))
    return "".join(kept), found


class ScriptedModel:
    """A `ports.Model` that plays a list of replies and failures, and records what it was asked.

    A reply may be made from the request by a function. AssertionError when it is asked more often than scripted.
    """

    def __init__(self, script: Sequence[ModelReply | Exception | Callable[[ModelRequest], ModelReply]]) -> None:
        self._script = list(script)
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        if not self._script:
            raise AssertionError("the model was asked more often than its script says")
        match self._script.pop(0):
            case ModelReply() as reply:
                return reply
            case Exception() as error:
                raise error
            case make:
                return make(request)


def tool_call(tool: str, arguments: Mapping[str, Any] | str, call_id: str = "call_1") -> ModelReply:
    """A model's reply that is one tool call; text as arguments is sent as it is, so that it may be malformed."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ModelReply("", (ToolCall(call_id, tool, text),))


@dataclass(frozen=True)
class HttpReply:
    """One answer of `ScriptedOpenAI`. `hang`: seconds until it is sent, `drip`: seconds before each of its bytes; both
    are cut short when the server is closed."""

    body: Mapping[str, Any] | str | bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: float = 0.0
    drip: float = 0.0


def completion(
    text: str | None = None,
    calls: Sequence[tuple[str, Mapping[str, Any] | str]] = (),
    *,
    usage: tuple[int, int] | None = (100, 20),
    finish_reason: str | None = None,
) -> HttpReply:
    """A chat completion as a server sends it. `calls`: (tool, arguments); text as arguments is sent as it is.
    `usage`: (input, output) tokens, None to leave it out as some servers do."""
    tool_calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": tool, "arguments": args if isinstance(args, str) else json.dumps(args)},
        }
        for number, (tool, args) in enumerate(calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if tool_calls:
        message["tool_calls"] = tool_calls
    body: dict[str, Any] = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": finish_reason or ("tool_calls" if tool_calls else "stop"),
            }
        ],
    }
    if usage is not None:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return HttpReply(body)


def http_error(
    status: int, message: str, *, code: str | None = None, headers: Mapping[str, str] | None = None
) -> HttpReply:
    """An error as the API words it."""
    return HttpReply({"error": {"message": message, "type": "error", "code": code}}, status, headers or {})


class ScriptedOpenAI:
    """A small real HTTP server on 127.0.0.1 that plays a list of answers to chat completions, in order.

    Use it as a context manager; `url` is the `base_url`. `requests` and `headers`: bodies and headers received. A
    request beyond the script is answered with 500, and `exhausted` counts it.
    """

    def __init__(self, script: Sequence[HttpReply | Callable[[Mapping[str, Any]], HttpReply]]) -> None:
        self._script = list(script)
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.exhausted = 0

    def __enter__(self) -> ScriptedOpenAI:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def answer(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> HttpReply:
        """The next answer of the script, after its wait."""
        with self._lock:
            self.requests.append(body)
            self.headers.append({name.lower(): value for name, value in headers.items()})
            self.paths.append(path)
            step = self._script.pop(0) if self._script else None
            self.exhausted += step is None
        if step is None:
            return http_error(500, "the script is over")
        reply = step if isinstance(step, HttpReply) else step(body)
        self.pause(reply.hang)
        return reply

    def pause(self, seconds: float) -> None:
        """Wait, but not longer than the server is open."""
        if seconds:
            self._closed.wait(seconds)


def _handler_of(server: ScriptedOpenAI) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # otherwise each answer waits 40 ms for an acknowledgement

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
            reply = server.answer(self.path, dict(self.headers), body)
            text = reply.body if isinstance(reply.body, str | bytes) else json.dumps(reply.body)
            data = text.encode() if isinstance(text, str) else text
            with contextlib.suppress(ConnectionError):  # whoever asked has gone: that is the test of a time-out
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for part in (data,) if not reply.drip else (data[at : at + 1] for at in range(len(data))):
                    server.pause(reply.drip)
                    self.wfile.write(part)

    return Handler


def session_of(*steps: tuple[str, ...] | Entry, session_id: str = "s-1", agent: str = "claude-code") -> Session:
    """A session from short steps: ("human", text), ("assistant", text), ("prompt", text) for one agent prompting
    another, ("call", tool, text), ("result", text, full text?), ("error", text) for the call before it, ("system",
    text), ("reasoning", text), ("summary", text) of a compaction, or a whole entry, which gets its index here.
    """
    entries: list[Entry] = []
    open_calls: list[str] = []
    for index, step in enumerate(steps):
        if isinstance(step, Entry):
            entries.append(replace(step, index=index))
            continue
        word, text = step[0], step[-1] if step[0] == "call" else step[1]
        kind, speaker, subtype = _STEPS[word]
        entry = Entry(index, kind, speaker, text, "2026-01-31T09:00:00Z", f"n{index}", index, subtype=subtype)
        if word == "call":
            open_calls.append(f"call-{index}")
            entry = replace(entry, call_id=open_calls[-1], tool=step[1], arguments={"command": text})
        elif word in ("result", "error"):
            call_id = open_calls.pop(0) if open_calls else None
            content = step[2] if len(step) > 2 else text
            entry = replace(entry, call_id=call_id, content=content, is_error=word == "error")
        entries.append(replace(entry, sha256=hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()))
    return Session(session_id, agent, Path(f"/logs/{session_id}.jsonl"), tuple(entries), log_format=agent)


_STEPS: dict[str, tuple[EntryKind, Speaker, str | None]] = {
    "human": (EntryKind.USER_MESSAGE, Speaker.HUMAN, None),
    "assistant": (EntryKind.ASSISTANT_MESSAGE, Speaker.ASSISTANT, None),
    "prompt": (EntryKind.USER_MESSAGE, Speaker.ASSISTANT, "subagent_prompt"),
    "call": (EntryKind.TOOL_CALL, Speaker.ASSISTANT, None),
    "result": (EntryKind.TOOL_RESULT, Speaker.TOOL, None),
    "error": (EntryKind.TOOL_RESULT, Speaker.TOOL, None),
    "system": (EntryKind.SYSTEM, Speaker.SYSTEM, None),
    "summary": (EntryKind.SYSTEM, Speaker.SYSTEM, "compact_summary"),
    "reasoning": (EntryKind.REASONING, Speaker.ASSISTANT, None),
}
