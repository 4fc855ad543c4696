"""What a message of JSON-RPC must be, told by its parsed data. Knows no method of the protocol, and answers nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

VERSION = "2.0"


def is_id(value: Any) -> bool:
    """Whether a value can be the id of a request."""
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def flaw_of_call(message: Mapping[str, Any]) -> str | None:
    """Why a request or notification is none, as a sentence for its sender."""
    if message.get("jsonrpc") != VERSION:
        return f'A message must have `"jsonrpc": "{VERSION}"`.'
    if not isinstance(message.get("method"), str):
        return "`method` must be a string."
    if "id" in message and not is_id(message["id"]):
        return "`id` must be a number or a string."
    return None


def document_of(message: Mapping[str, Any]) -> str | None:
    """The URI of the document that a message is about, however damaged the rest of it is."""
    params = message.get("params")
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    return uri if isinstance(uri, str) else None


def nested_deeper(value: Any, levels: int) -> bool:
    """Whether lists and objects stand in each other deeper than so many levels."""
    layer = [value]
    for _ in range(levels):
        layer = [it for held in layer for it in _held(held) if isinstance(it, dict | list)]
        if not layer:
            return False
    return True


def _held(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
