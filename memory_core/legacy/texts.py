"""Rows of JSON-lines and Markdown files. Whatever the bytes are, every line that says something is part of a row.

Databases are read by the store, since they are files of another kind.
"""

from __future__ import annotations

import codecs
import json
import re

from memory_core.legacy.row import Row, row_from

_BULLET = re.compile(r"^[-*] \*\*(?P<key>[^*]{1,300})\*\*:?[ \t]*(?P<content>.*)$")
_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<key>.+?)[ \t]*#*$")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def rows_of(name: str, data: bytes) -> list[Row]:
    """The rows of a text file by its name's ending."""
    return json_rows(name, data) if name.endswith((".jsonl", ".ndjson", ".json")) else markdown_rows(name, data)


def json_rows(name: str, data: bytes) -> list[Row]:
    """One object a line; a file that is one array, or one object with a list of rows, is read as such."""
    data, encoding = _without_bom(data)
    whole = _whole(data, encoding)
    if whole is not None:
        return [
            row_from(item, name, n) if isinstance(item, dict) else _odd(name, n, item) for n, item in enumerate(whole)
        ]
    found: list[Row] = []
    newline = "\n".encode(encoding)
    for number, raw in enumerate(data.split(newline)):
        if raw.strip():
            found.append(_json_row(name, number, raw, encoding))
    return found


def markdown_rows(name: str, data: bytes) -> list[Row]:
    """A bullet `- **key**: text` begins a row and so does a heading; what follows belongs to it until the next."""
    data, encoding = _without_bom(data)
    text = data.decode(encoding, "replace").replace("\r\n", "\n")
    broken = "it holds bytes of another encoding" if "\ufffd" in text and b"\xef\xbf\xbd" not in data else ""
    found: list[Row] = []
    key, start, lines = "", 0, list[str]()

    def close() -> None:
        content = "\n".join(lines).strip()
        if content or key:
            why = broken if "\ufffd" in content or "\ufffd" in key else ""
            category = "conversation" if key.startswith(("user_msg", "assistant_resp")) else ""
            found.append(Row(name, start, key=key, content=content, category=category, damaged=why))

    for number, line in enumerate(text.split("\n")):
        bullet, heading = _BULLET.match(line), _HEADING.match(line)
        if bullet or heading:
            close()
            key, start = (bullet or heading)["key"].strip(), number  # type: ignore[index]
            lines = [bullet["content"]] if bullet else []
        else:
            lines.append(line)
    close()
    return found


def _without_bom(data: bytes) -> tuple[bytes, str]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :], encoding
    return data, "utf-8"


def _whole(data: bytes, encoding: str) -> list[object] | None:
    if not data.lstrip().startswith((b"[", b"{")):
        return None
    try:
        value = json.loads(data.decode(encoding))
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list)]
        return lists[0] if len(lists) == 1 and not any(key in value for key in ("content", "text")) else [value]
    return value if isinstance(value, list) else None


def _json_row(name: str, number: int, raw: bytes, encoding: str) -> Row:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        shown = raw.decode(encoding, "replace")
        return Row(name, number, content=shown, damaged=f"byte {error.start} of it is not {encoding.upper()}")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return Row(name, number, content=text.strip("\r\n"), damaged="it is no JSON, or was cut off")
    return row_from(value, name, number) if isinstance(value, dict) else _odd(name, number, value)


def _odd(name: str, number: int, value: object) -> Row:
    return Row(name, number, content=json.dumps(value, ensure_ascii=False), damaged="it is no object")
