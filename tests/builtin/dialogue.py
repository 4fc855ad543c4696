"""Small conversations as text, for the tests of the keyless extractor: one line starts one entry.

`H:` a person, `A:` the assistant, `$` a command that worked, `$!` one that failed (`command => output`), `EDIT:` an
edited file, `READ:` a file that was read, `TODO:` the steps an assistant keeps, `SYS:` system text, `SUB:` a prompt for
a sub-agent, `SIDE:` what a sub-agent reported, `CMD:` a slash command, `INT:` an interruption, `SUM:` the summary of
a compaction; any other line goes on with the entry before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from memory_core.extract.task import Slice
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker

MARK = re.compile(r"^(H|A|SYS|SUB|SIDE|CMD|INT|SUM|EDIT|READ|TODO|\$!?):?(?: |$)")


@dataclass(frozen=True)
class Conversation:
    """A conversation and what must be found in it: (array, a part of its main text), in any order, and nothing else."""

    name: str
    text: str
    expected: tuple[tuple[str, str], ...] = ()
    language: str = "en"


@dataclass
class _Entries:
    found: list[Entry] = field(default_factory=list)

    def add(self, kind: EntryKind, speaker: Speaker, text: str, **fields: Any) -> None:
        number = len(self.found)
        self.found.append(Entry(number, kind, speaker, text, native_id=f"n{number}", line=number, **fields))

    def tool(self, name: str, summary: str, arguments: dict[str, Any], output: str, *, failed: bool = False) -> None:
        call_id = f"call_{len(self.found)}"
        self.add(
            EntryKind.TOOL_CALL,
            Speaker.ASSISTANT,
            f"{name}: {summary}",
            call_id=call_id,
            tool=name,
            arguments=arguments,
        )
        self.add(
            EntryKind.TOOL_RESULT, Speaker.TOOL, output, call_id=call_id, tool=name, content=output, is_error=failed
        )


def view_of(text: str, language: str = "en") -> Slice:
    """The whole conversation as a slice."""
    entries = _Entries()
    for mark, said in _pieces(text):
        match mark:
            case "H":
                entries.add(EntryKind.USER_MESSAGE, Speaker.HUMAN, said)
            case "A":
                entries.add(EntryKind.ASSISTANT_MESSAGE, Speaker.ASSISTANT, said)
            case "SYS":
                entries.add(EntryKind.SYSTEM, Speaker.SYSTEM, said, subtype="injected")
            case "SUB":
                entries.add(EntryKind.USER_MESSAGE, Speaker.ASSISTANT, said, subtype="subagent_prompt")
            case "SIDE":
                entries.add(EntryKind.ASSISTANT_MESSAGE, Speaker.ASSISTANT, said, subtype="sidechain")
            case "CMD":
                entries.add(EntryKind.USER_MESSAGE, Speaker.HUMAN, said, subtype="command")
            case "INT":
                entries.add(EntryKind.SYSTEM, Speaker.SYSTEM, said, subtype="interruption")
            case "SUM":
                entries.add(EntryKind.SYSTEM, Speaker.SYSTEM, said, subtype="compact_summary")
            case "EDIT":
                entries.tool("Edit", said, {"file_path": said}, f"The file {said} has been updated.")
            case "READ":
                entries.tool("Read", said, {"file_path": said}, f"1→// {said}")
            case "TODO":
                entries.tool("TodoWrite", said, {"todos": said.split("; ")}, "Todos have been modified successfully.")
            case _:
                command, _, output = said.partition(" => ")
                entries.tool("Bash", command, {"command": command}, output, failed=mark == "$!")
    session = Session("s1", "test", None, entries=tuple(entries.found))
    return Slice(session, 0, len(entries.found) - 1, language)


def _pieces(text: str) -> list[tuple[str, str]]:
    pieces: list[tuple[str, str]] = []
    for line in text.strip("\n").split("\n"):
        if match := MARK.match(line):
            pieces.append((match[1], line[match.end() :]))
        else:
            mark, said = pieces[-1]
            pieces[-1] = mark, f"{said}\n{line}"
    return pieces
