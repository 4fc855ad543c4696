"""Frames of a JSON-lines log, read from bytes: each record with its place and hash, each damaged stretch as a gap.

Splits on `\\n` alone, decodes tolerantly and never gives up a file for one record. Knows no agent's format.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple, Protocol

from memory_core.sessions.model import Gap

# Lines of 15 MB exist in real logs; a line beyond this is no record but damage, and must not fill the memory.
MAX_RECORD = 256 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
# Where a record that was appended to a torn one may begin: an object whose first key stands right behind the brace.
_RECORD_START = re.compile(r'\{"(?:type|kind|timestamp|parentUuid|record_type|id|uuid|sessionId)"')
_SPACE = re.compile(r"[ \t\r\n]*")
_SUFFIX_TRIES = 1000
# Control characters inside strings are an error for strict JSON, but some writers leave them in.
_DECODER = json.JSONDecoder(strict=False)
# What `decode` calls between two searches for white space, which cost as much as a short record.
_SCAN: Callable[[str, int], tuple[Any, int]] = _DECODER.scan_once  # type: ignore[attr-defined]


class Frame(NamedTuple):
    """One JSON object of a log; a tuple, since a large log has hundreds of thousands of them. `line`: 0-based physical
    line; `offset`, `length`: its bytes; `sha256`: their hash. `terminated`: whether a newline follows its line; without
    one a record of our own format is not committed."""

    line: int
    offset: int
    length: int
    sha256: str
    value: dict[str, Any]
    terminated: bool = True


@dataclass
class Repairs:
    """What had to be mended while reading, counted by kind: `bad_utf8`, `lone_surrogates` (records with such),
    `several_on_a_line`, `leading_nuls` and `long_lines` (lines), `unfinished_tail` (bytes held back at the end of the
    file)."""

    counts: Counter[str] = field(default_factory=Counter)


class Rewound:
    """A stream whose first bytes were read already, to be read by lines once more from its beginning."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = head
        self._stream = stream

    def readline(self, limit: int) -> bytes:
        if not self._head:
            return self._stream.readline(limit)
        end = self._head.find(b"\n") + 1
        if end:
            line, self._head = self._head[:end], self._head[end:]
            return line
        line, self._head = self._head, b""
        return line + self._stream.readline(limit - len(line))


class Lines(Protocol):
    """What frames are read from: an open binary file, or anything that gives its lines as bytes."""

    def readline(self, limit: int, /) -> bytes: ...


def read_frames(stream: Lines, repairs: Repairs) -> Iterator[Frame | Gap]:
    """The records of a log in file order, one line in memory at a time. A tail without newline that is no whole record
    is held back: its writer has not finished it."""
    offset = 0
    line = 0
    while raw := stream.readline(MAX_RECORD + 1):
        length = len(raw)
        terminated = raw.endswith(b"\n")
        if length > MAX_RECORD and not terminated:
            skipped = skip_line(stream)
            yield Gap(line, offset, f"line longer than {MAX_RECORD} bytes")
            offset, line = offset + length + skipped, line + 1
            continue
        body = raw.rstrip(b"\r\n")
        start = offset
        if line == 0 and body.startswith(_BOM):
            body, start = body[3:], offset + 3
        if body.startswith(b"\0") and (bare := body.lstrip(b"\0")):  # the file was made longer before it was written to
            repairs.counts["leading_nuls"] += 1
            body, start = bare, start + len(body) - len(bare)
        if (value := _plain(body)) is not None:
            yield Frame(line, start, len(body), hashlib.sha256(body).hexdigest(), value, terminated)
        elif body.strip():
            yield from _read_line(body, line, start, terminated, repairs)
        offset, line = offset + length, line + 1


def _plain(body: bytes) -> dict[str, Any] | None:
    """The record of a line on which nothing has to be mended, as nearly all are; None for any other line."""
    if not body.startswith(b"{") or _ESCAPED_SURROGATE.search(body):
        return None
    try:
        text = body.decode("utf-8")
        value, end = _SCAN(text, 0)
    except (ValueError, StopIteration, RecursionError):
        return None
    return value if end == len(text) and isinstance(value, dict) else None


def skip_line(stream: Lines) -> int:
    """Read on to the end of an over-long line without keeping it; answers the bytes read."""
    skipped = 0
    while chunk := stream.readline(1 << 20):
        skipped += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return skipped


def _read_line(body: bytes, line: int, offset: int, terminated: bool, repairs: Repairs) -> Iterator[Frame | Gap]:
    text, odd = _decode(body, repairs)
    try:
        value = _DECODER.decode(text)
        value = _sanitized(value, repairs) if odd and isinstance(value, dict) else value
    except (ValueError, RecursionError):
        pass
    else:
        if isinstance(value, dict):
            yield Frame(line, offset, len(body), hashlib.sha256(body).hexdigest(), value, terminated)
            return
    yield from _mend_line(text, len(body), line, offset, terminated, odd, repairs)


def _mend_line(
    text: str, size: int, line: int, offset: int, terminated: bool, odd: bool, repairs: Repairs
) -> Iterator[Frame | Gap]:
    """A line that is not one JSON value: several values, a torn one before a whole one, or nothing of use."""
    pieces, damage = _pieces(text)
    if not terminated and damage and (not pieces or damage[0] > pieces[-1][0]):
        repairs.counts["unfinished_tail"] += size - len(_encode(text[: damage[0]]))
    elif damage:
        yield Gap(line, offset + len(_encode(text[: damage[0]])), damage[1])
    if len(pieces) > 1:
        repairs.counts["several_on_a_line"] += 1
    place, done = offset, 0
    for start, end, value in pieces:
        raw = _encode(text[start:end])
        place += len(_encode(text[done:start]))
        try:
            value = _sanitized(value, repairs) if odd else value
            yield Frame(line, place, len(raw), hashlib.sha256(raw).hexdigest(), value, terminated)
        except RecursionError:
            yield Gap(line, place, "nested too deeply")
        place, done = place + len(raw), end


def _pieces(text: str) -> tuple[list[tuple[int, int, Any]], tuple[int, str] | None]:
    """The whole objects on a line as (start, end, value), and the first damaged stretch as (start, reason)."""
    found: list[tuple[int, int, Any]] = []
    damage: tuple[int, str] | None = None
    starts: _Starts | None = None
    at = 0
    while at < len(text):
        at = _after_space(text, at)
        if at >= len(text):
            break
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
            damage = damage or (at, f"no valid JSON ({reason[:1].lower()}{reason[1:]})")
            starts = starts or _Starts(text)
            at = starts.after(at + 1)
            continue
        if isinstance(value, dict):
            found.append((at, end, value))
        else:
            damage = damage or (at, "no JSON object")
        at = end
    return found, damage


class _Starts:
    """Where on a torn line a whole object may begin again. One list for all of the line's damage: a line may be torn at
    every tenth character."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tries = _SUFFIX_TRIES
        found = [match.start() for match in _RECORD_START.finditer(text)]
        # An object nested in the torn record stands behind one of these signs, where a record of its own rarely does.
        self._nested = [start for start in found if text[start - 1 : start] in (":", ",", "[", " ")]
        self._own = [start for start in found if text[start - 1 : start] not in (":", ",", "[", " ")]

    def after(self, at: int) -> int:
        """Where the next whole object begins; the end of the line when there is none.

        A nested object can be whole too, so only one that reaches the end of the line, or is followed by another
        record, counts as a record of its own; places behind the signs are tried last. The tries are bounded, since a
        torn record may be megabytes of objects.
        """
        for starts in (self._own, self._nested):
            for place in range(bisect_left(starts, at), len(starts)):
                if self._tries <= 0:
                    return len(self._text)
                self._tries -= 1
                if self._is_whole(starts[place]):
                    return starts[place]
        return len(self._text)

    def _is_whole(self, start: int) -> bool:
        try:
            value, end = _DECODER.raw_decode(self._text, start)
        except (ValueError, RecursionError):
            return False
        rest = _after_space(self._text, end)
        return isinstance(value, dict) and (rest == len(self._text) or bool(_RECORD_START.match(self._text, rest)))


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _decode(body: bytes, repairs: Repairs) -> tuple[str, bool]:
    """The text of a line, and whether its strings may hold lone surrogates. Bad bytes become such for now, so that
    byte offsets can still be computed; `_sanitized` replaces them."""
    try:
        return body.decode("utf-8"), _ESCAPED_SURROGATE.search(body) is not None
    except UnicodeDecodeError:
        text = body.decode("utf-8", "surrogateescape")
        repairs.counts["bad_utf8"] += len(_SURROGATE.findall(text))
        return text, True


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _sanitized(value: Any, repairs: Repairs) -> Any:
    """The value with lone surrogates in its strings replaced: they cannot be encoded and would poison every store."""
    touched = False

    def clean(item: Any) -> Any:
        nonlocal touched
        match item:
            case str():
                cleaned, count = _SURROGATE.subn("\ufffd", item)
                touched = touched or count > 0
                return cleaned
            case dict():
                return {clean(key): clean(inner) for key, inner in item.items()}
            case list():
                return [clean(inner) for inner in item]
            case _:
                return item

    cleaned = clean(value)
    if touched:
        repairs.counts["lone_surrogates"] += 1
    return cleaned


def decode_document(raw: bytes, repairs: Repairs | None = None) -> Any:
    """One JSON document as tolerantly as a line: sanitized, None where it is no JSON or nested too deeply."""
    repairs = repairs or Repairs()
    text, odd = _decode(raw.removeprefix(_BOM), repairs)
    try:
        value = _DECODER.decode(text)
        return _sanitized(value, repairs) if odd else value
    except (ValueError, RecursionError):
        return None
