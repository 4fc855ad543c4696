"""One JSON document as a log: decoded tolerantly, its records identified by the hash of their content.

Knows no agent's format. A document has no lines, so what stands in it has no place but its identity.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from memory_core.sessions.fields import text_at
from memory_core.sessions.frames import Repairs, decode_document
from memory_core.sessions.source import Source

_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
_DEEPEST = 200  # records of agents are never as deep


def record_hash(value: Any) -> str:
    """SHA-256 in hex of a record that has no bytes of its own: of its canonical JSON."""
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    except (TypeError, ValueError, RecursionError):  # keys of several types, or nested deeper than can be written
        text = repr(type(value))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def whole_part(raw: bytes, repairs: Repairs) -> tuple[Any, int] | None:
    """What is whole of a document that breaks off or is damaged further on: the value up to the last complete object or
    list in it, and the characters that it has. None where nothing is whole."""
    text = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    try:
        json.loads(text, strict=False)
        return None
    except json.JSONDecodeError as error:
        end = error.pos
    except RecursionError:
        return None
    open_ends: list[str] = []
    cut, closing = 0, ""
    for match in _BRACKETS.finditer(text, 0, end):
        match match[0][0]:
            case "{" | "[" as bracket:
                open_ends.append("}" if bracket == "{" else "]")
                if len(open_ends) > _DEEPEST:
                    return None
            case "}" | "]":
                open_ends.pop()  # the decoder came further than this place: brackets pair up
                cut, closing = match.end(), "".join(reversed(open_ends))
            case _:
                pass  # a string, whose brackets do not count
    value = decode_document(f"{text[:cut]}{closing}".encode(), repairs) if cut else None
    return None if value is None else (value, cut)


def neighbor(source: Source, *parts: str) -> Any:
    """The JSON document beside a log; None where there is none that can be read."""
    raw = source.beside.read(*parts)
    return None if raw is None else decode_document(raw)


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, or those of a mapping's `messages`; nothing for anything else."""
    items = value.get("messages") if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def file_of_uri(uri: Any) -> str:
    """The path that a file URI, its plain form or an editor's `{path, fsPath}` object names; empty for another."""
    from urllib.parse import unquote, urlsplit

    if isinstance(uri, dict):
        return text_at(uri, "fsPath") or text_at(uri, "path") or file_of_uri(text_at(uri, "external"))
    if not isinstance(uri, str):
        return ""
    if "://" not in uri:
        return uri if uri.startswith("/") else ""
    try:
        split = urlsplit(uri)
    except ValueError:
        return ""
    path = unquote(split.path)
    if split.scheme == "file" and len(path) > 2 and path[0] == "/" and path[2] == ":":
        return path[1:]  # /c:/work
    # A remote folder (ssh, container, WSL) has a path of another machine, which may be mounted under the same name.
    return path if split.scheme in ("file", "vscode-remote") else ""
