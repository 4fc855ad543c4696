"""Random input by the million, by hand: document edits against a reference, protocol frames, records, settings,
databases of agents.

    python bench/fuzz.py [--seconds 60] [--seed 1] [edits frames records config ...]

Prints how many inputs of each kind were tried; ends at the first that fails and says how to see it again.
`tests/hardening/test_fuzz.py` runs the same targets with small budgets.
"""

from __future__ import annotations

import argparse
import functools
import io
import json
import logging
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lsprotocol import types

from bench import fuzz_bytes, fuzz_databases
from memory_core import config
from memory_core.lint.check import check_all
from memory_core.redact import find, locate, redact
from memory_core.snapshot import snapshot_of
from memory_core.text import LineIndex
from server.convert.columns import Encoding
from server.convert.from_lsp import changed
from server.stdio import read_frame

PIECES = (
    "a", "word ", "\n", "\r\n", "\r", "\t", "é", "あ", "\U0001f600", "e\u0301", "\u2028", "\x0b", "#slug", "`", "```\n",
    "---\n", "key: value\n", "- item\n", "[x](y)", "\\#", "<!-- ", " -->", ": ", '"', "'", "&a *a", "!!int x", "{", "}",
    "\ufeff", "\x00", "\x1b[2J", "\u202e",
)  # fmt: skip


def text(source: random.Random, most: int = 40) -> str:
    return "".join(source.choice(PIECES) for _ in range(source.randrange(most)))


@functools.cache
def unit(char: str, encoding: str) -> int:
    """How many units of an encoding a character takes, from the encodings' own definition."""
    match encoding:
        case "utf-8":
            return len(char.encode("utf-8"))
        case "utf-16":
            return len(char.encode("utf-16-le")) // 2
    return 1


def lines_by_the_book(value: str) -> list[str]:
    """LSP 3.17: lines end in \\n, \\r\\n or \\r and in nothing else."""
    return value.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def offset_by_the_book(value: str, line: int, column: int, encoding: str) -> int:
    """The code point that a position of the client names, counted one by one from the start of the text."""
    at = 0
    for _ in range(line):
        while at < len(value) and value[at] not in "\r\n":
            at += 1
        if at >= len(value):
            return len(value)
        at += 2 if value[at : at + 2] == "\r\n" else 1
    units = 0
    while at < len(value) and value[at] not in "\r\n" and units < column:
        units += unit(value[at], encoding)
        at += 1
    return at


def place(source: random.Random, value: str, encoding: str) -> types.Position:
    """A position on a character boundary, now and then behind the end of its line or of the text."""
    lines = lines_by_the_book(value)
    line = source.randrange(len(lines) + (source.random() < 0.05))
    if line >= len(lines):
        return types.Position(line, source.randrange(5))
    upto = lines[line][: source.randrange(len(lines[line]) + 1)]
    behind = 5 if upto == lines[line] and source.random() < 0.1 else 0
    return types.Position(line, sum(unit(char, encoding) for char in upto) + behind)


def edits(source: random.Random) -> int:
    """A document edited many times: what the server keeps is what a reference makes of it. Returns edits tried."""
    encoding = source.choice(list(Encoding))
    value = text(source)
    lines = LineIndex(value)
    for _ in range(30):
        ends = place(source, value, encoding.value), place(source, value, encoding.value)
        offsets = sorted(offset_by_the_book(value, at.line, at.character, encoding.value) for at in ends)
        first, last = sorted(ends, key=lambda at: (at.line, at.character))
        new = text(source, 4)
        change = types.TextDocumentContentChangePartial(range=types.Range(first, last), text=new)
        lines = changed(lines, [change], encoding)
        value = value[: offsets[0]] + new + value[offsets[1] :]
        if lines.text != value:
            raise AssertionError(f"{encoding}: {lines.text!r} instead of {value!r}")
        if len(value) > 200:
            value = ""
            lines = changed(lines, [types.TextDocumentContentChangeWholeDocument(text="")], encoding)
    return 30


def frames(source: random.Random) -> int:
    """Good frames among rubbish: reading never raises and ends; every good frame behind a line end is read."""
    good = [json.dumps({"n": n, "t": text(source, 5)}).encode() for n in range(source.randrange(1, 6))]
    stream = b""
    for body in good:
        if source.random() < 0.4:
            rubbish = bytes(source.randrange(256) for _ in range(source.randrange(60)))
            # A line of rubbish that is itself a header would rightly swallow what follows.
            stream += (b"x" + rubbish.replace(b":", b";")).replace(b"\n", b" ").replace(b"\r", b" ") + b"\r\n"
        name = source.choice([b"Content-Length", b"content-length", b"CONTENT-LENGTH"])
        extra = source.choice([b"", b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"])
        stream += name + b": %d\r\n" % len(body) + extra + b"\r\n" + body
    if source.random() < 0.3:
        stream += source.choice([b"Content-Length: 9999999999999\r\n\r\n", b"Content-Length: 5\r\n\r\nab", b"\xff\xfe"])
    reader = io.BytesIO(stream)
    found: list[bytes] = []
    while (body := read_frame(reader)) is not None:
        found.append(body)
    if found[: len(good)] != good:
        raise AssertionError(f"{stream!r}: read {found!r}")
    return len(good)


def records(source: random.Random) -> int:
    """Records of any text are linted without an exception, and every range lies in the text."""
    head = "".join(f"{source.choice(('status', 'sources', 'kind', 'x'))}: {text(source, 3)}\n" for _ in range(3))
    files = {
        "knowledge/a.md": text(source),
        "memory/decisions/b.md": f"---\n{head}---\n{text(source)}",
        "memory/summary.md": "---\n" + text(source),
    }
    for path, found in check_all(snapshot_of(files), {}).items():
        lines = LineIndex(files[path])
        for problem in found:
            for at in (problem.range.start, problem.range.end):
                if not (0 <= at.line < lines.line_count and 0 <= at.character <= len(lines.line(at.line))):
                    raise AssertionError(f"{path}: {problem} outside of {files[path]!r}")
    return len(files)


def settings(source: random.Random) -> int:
    """Settings of any text are parsed, never raised at; nothing guarded comes through from an untrusted file."""
    body = "\n".join(
        source.choice(
            ['[provider]', 'base_url = "http://x"', 'provider.base_url = "http://x"', '[enricher.a]', 'command = ["x"]',
             'api_key_env = "X"', "[memory]", "language = 3", text(source, 4), '[trust]', 'workspaces = ["/"]']
        )
        for _ in range(8)
    )  # fmt: skip
    found, _ = config.parse(body, trusted=False)
    if found.provider.base_url is not None or found.provider.api_key_env != "OPENAI_API_KEY":
        raise AssertionError(f"a guarded setting came through: {body!r}")
    if any("command" in table for table in found.enricher.values()):
        raise AssertionError(f"a program came through: {body!r}")
    return 1


def secrets(source: random.Random) -> int:
    """Taking secrets out never raises, and what was taken out is not found again."""
    value = text(source) + " " + source.choice(["", "sk-" + "a1B2" * 9, "password=Tr0ub4dor&3 "]) + text(source)
    once = redact(value)
    find(value)
    for found in locate(value):
        if not 0 <= found.start < found.end <= len(value):
            raise AssertionError(f"{found} outside of {value!r}")
    if "a1B2a1B2a1B2" in once:
        raise AssertionError(f"left in: {once!r}")
    return 1


def on_bytes(target: Callable[[bytes], None]) -> Callable[[random.Random], int]:
    def tried(source: random.Random) -> int:
        data = fuzz_bytes.mutated(source)
        try:
            target(data)
        except BaseException:
            print(f"with {data[:2_000]!r}", file=sys.stderr)
            raise
        return 1

    return tried


TARGETS: dict[str, Callable[[random.Random], int]] = {
    "edits": edits, "frames": frames, "records": records, "settings": settings, "secrets": secrets,
    "databases": fuzz_databases.databases,
    **{f"bytes of {name}": on_bytes(target) for name, target in fuzz_bytes.TARGETS.items()},
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", default=list(TARGETS), help="of " + ", ".join(TARGETS))
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    for name in options.targets:
        tried, seed, end = 0, options.seed, time.monotonic() + options.seconds
        while time.monotonic() < end:
            try:
                tried += TARGETS[name](random.Random(seed))
            except Exception:
                print(f"{name}: seed {seed} fails; again: python bench/fuzz.py {name} --seed {seed} --seconds 0.001")
                raise
            seed += 1
        print(f"{name}: {tried:,} inputs in {options.seconds:.0f} s, none failed", flush=True)


if __name__ == "__main__":
    main()
