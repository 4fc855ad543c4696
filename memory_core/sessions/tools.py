"""Tool calls and results in few words: a one-line summary, the files touched, the full text without images.

Knows the shapes that agents share; what only one agent does stays with its format.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from memory_core.sessions.fields import text_at

SUMMARY_LIMIT = 200  # characters of a call's or a result's summary: one line of an evidence index

# The argument that says most about a call, in order of preference.
_TELLING = (
    "command", "cmd", "file_path", "filePath", "absolute_path", "notebook_path", "path", "pattern", "query", "url",
    "skill", "subject", "description", "question", "prompt", "plan", "title", "name", "input", "text",
)  # fmt: skip
_PATH_KEYS = ("file_path", "notebook_path", "path", "filename", "filePath", "absolute_path", "target_file")
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash"})
# Where a line may be cut: between words, between the parts of JSON, and in scripts without spaces.
_WHOLE_WORDS = re.compile(r".*(?:\s|[\"'`][,;:)}\]]|[^\x00-\x7f])", re.DOTALL)
# Without one of these nothing stands in a text that cutting or folding it could hide from `redact`.
_TELLING_SECRETS = ("pass", "pwd", "secret", "token", "key", "cred", "auth", "cookie", "login", "curl ", "://", "-----")
_DATA_URL = re.compile(r"data:([\w./+-]+);base64,[A-Za-z0-9+/=\s]{64,}")


def call_summary(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call on one line: `Bash: npm test`."""
    said = _telling(tool, arguments)
    return f"{tool}: {on_a_line(said, SUMMARY_LIMIT)}" if said else tool


def _telling(tool: str, arguments: Mapping[str, Any]) -> str:
    if patched := list(_patched(arguments)):
        return ", ".join(patched)
    if questions := arguments.get("questions"):
        return " / ".join(text_at(q, "question") for q in questions) if isinstance(questions, list) else ""
    if todos := arguments.get("todos") or (arguments.get("plan") if isinstance(arguments.get("plan"), list) else None):
        steps = todos if isinstance(todos, list) else []
        return "; ".join(text_at(t, "content") or text_at(t, "step") for t in steps)
    for key in _TELLING:
        value = arguments.get(key)
        if isinstance(value, str) and value.strip():
            where = arguments.get("path") if key == "pattern" else None
            return f"{value[:2000]} in {where}" if isinstance(where, str) else value[:2000]
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            return command_text(value)
    if not arguments or tool in ("TodoRead",):
        return ""
    return json.dumps(arguments, ensure_ascii=False, default=str)[:2000]


def command_text(words: list[str]) -> str:
    """An argument vector as one would type it; `bash -lc "..."` is what it runs."""
    if len(words) == 3 and words[0] in _SHELLS and words[1].startswith("-") and words[1].endswith("c"):
        return words[2]
    return " ".join(words)


def arguments_of(value: Any) -> dict[str, Any]:
    """Arguments as an object; models send them as a JSON string too, and not always a valid one."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            return {"input": value}
        return parsed if isinstance(parsed, dict) else {"input": value}
    return {}


def touched_paths(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """The files a call names, in order, without doubles."""
    found: dict[str, None] = {}
    for key in _PATH_KEYS:
        value = arguments.get(key)
        if isinstance(value, str) and value:
            found.setdefault(value)
    for path in _patched(arguments):
        found.setdefault(path)
    return tuple(found)


def _patched(arguments: Mapping[str, Any]) -> Iterator[str]:
    """The files of a patch in the `*** Update File:` form, whichever argument carries it."""
    for value in arguments.values():
        words = value if isinstance(value, list) else [value]
        for word in words:
            if isinstance(word, str) and "*** " in word:
                yield from (name for found in _PATCHED.findall(word) if (name := found.rstrip()))


def result_summary(content: str) -> str:
    """A result on one line: its beginning, and of a long one also its last line, where test runners say how it went."""
    head = content.lstrip()[: 2 * SUMMARY_LIMIT]
    cut = len(content) > len(head)
    if not cut and len(" ".join(head.split())) <= SUMMARY_LIMIT:
        return on_a_line(head, SUMMARY_LIMIT)
    # A line that is longer than what is looked at would begin in the middle of a word.
    end = content[-4 * SUMMARY_LIMIT :].rstrip()[-2 * SUMMARY_LIMIT :]
    shown = _without_secrets(head)
    _, whole, tail = (shown if end == head else _without_secrets(end)).rpartition("\n")
    last = _cut(tail, SUMMARY_LIMIT // 3) if whole else ""
    line = _cut(shown, SUMMARY_LIMIT - len(last) - 3 if last else SUMMARY_LIMIT, more=cut)
    return f"{line} {last}" if last else line


def on_a_line(text: str, limit: int, *, more: bool = False) -> str:
    """One line of at most `limit` characters of what a log says. Secrets go first, as long as its lines tell them. The
    word at the cut goes whole: half a key, or an address without its host, is not known for one. `more`: the text was
    cut before."""
    return _cut(_without_secrets(text), limit, more=more)


def _cut(text: str, limit: int, *, more: bool = False) -> str:
    folded = " ".join(text.split())
    if len(folded) <= limit and not more:
        return folded
    kept = _WHOLE_WORDS.match(folded[: limit - 1])
    return (kept[0].rstrip() if kept else "") + "…"


def _without_secrets(text: str) -> str:
    lowered = text.lower()
    for word in _TELLING_SECRETS:  # `any` of a generator takes twice as long, for each call and each result of a log
        if word in lowered:
            from memory_core.redact import redact  # who lists sessions needs no secret taken out

            return redact(text)
    return text


def result_text(content: Any) -> str:
    """The whole text of a result, whatever its shape: a string, a list of blocks, an object. Images become a marker."""
    match content:
        case str():
            return _DATA_URL.sub(lambda m: marker(m[1], m[0]), content) if ";base64," in content else content
        case list():
            return "\n".join(part for block in content if (part := block_text(block)))
        case None:
            return ""
        case _:
            return json.dumps(content, ensure_ascii=False, default=str)


def block_text(block: Any) -> str:
    """The text of one content block; other media as a marker that names type and hash but not the data."""
    if isinstance(block, str):
        return result_text(block)
    if not isinstance(block, dict):
        return ""
    match block.get("type"):
        case "text" | "input_text" | "output_text" | "summary_text" | "reasoning_text":
            return result_text(text_at(block, "text"))
        case "image" | "document":
            source = block.get("source")
            kind = text_at(source, "media_type") or text_at(block, "mimeType") or str(block["type"])
            return marker(kind, text_at(source, "data") or text_at(block, "data") or text_at(source, "url"))
        case "input_image":
            return marker("image", text_at(block, "image_url"))
        case "tool_reference":
            return f"[tool {text_at(block, 'tool_name')}]"
        case _:
            return text_at(block, "text")


def marker(kind: str, data: str) -> str:
    """What stands for dropped data: `[image/png, sha256 1a2b3c4d5e6f]`."""
    digest = hashlib.sha256(data.encode("utf-8", "replace")).hexdigest()[:12]
    return f"[{kind}, sha256 {digest}]" if data else f"[{kind}]"
