"""The tools by name: what each takes, does and is told to be for. The one table behind listing and calling.

A server that only reads has the first four.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from memory_core.errors import MemoryCoreError
from memory_core.redact import brief, redact
from server.mcp import proposing, reading, writing
from server.mcp.memory import Answer, Memory, refused
from server.mcp.schema import Delete, Edit, Expand, KnowledgeSearch, MemorySearch, Read, Stage, Write

_SHOWN_PROBLEMS = 5
_LONGEST = 4_000  # characters of a refusal


@dataclass(frozen=True)
class Tool:
    """`changes`: it writes records or candidates; `destroys`: something may be gone afterwards (it can be undone)."""

    arguments: type[BaseModel]
    run: Callable[[Memory, Any], Answer]
    about: str
    changes: bool = False
    destroys: bool = False


TOOLS: Mapping[str, Tool] = {
    "MemoryRead": Tool(
        Read, reading.read, "Read one record whole: the summary, a decision, request, knowledge, workflow."
    ),
    "MemoryQuery": Tool(
        MemorySearch,
        reading.memory_query,
        "Search the project's summary, decisions and requests by words, before you decide what was perhaps decided.",
    ),
    "KnowledgeQuery": Tool(
        KnowledgeSearch,
        reading.knowledge_query,
        "Search what is known in this project by words. Read a hit before use.",
    ),
    "ExpandReferences": Tool(
        Expand, reading.expand, "The records that `#name` and `/name` in a text stand for, what they require first."
    ),
    "StageCandidate": Tool(
        Stage,
        proposing.stage,
        "Propose something to remember, with quotes of this session as evidence. A later consolidation decides on it.",
        changes=True,
    ),
    "MemoryWrite": Tool(
        Write,
        writing.write,
        "Create a record, or with `overwrite` replace the body of one. Only when the person asked for it.",
        changes=True,
        destroys=True,
    ),
    "MemoryEdit": Tool(
        Edit,
        writing.edit,
        "Change one passage or some fields of a record. Only when the person asked for it.",
        changes=True,
        destroys=True,
    ),
    "MemoryDelete": Tool(
        Delete,
        writing.delete,
        "Take a record that nothing refers to out of use. Only when the person asked for it.",
        changes=True,
        destroys=True,
    ),
}


def offered(memory: Memory) -> dict[str, Tool]:
    return {name: tool for name, tool in TOOLS.items() if not (memory.read_only and tool.changes)}


def call(memory: Memory, name: str, arguments: Mapping[str, Any] | None) -> Answer:
    """Run a tool; what is wrong with a call is an answer that says what."""
    tools = offered(memory)
    tool = tools.get(name)
    if tool is None:
        why = "This server only reads" if name in TOOLS else f"There is no tool `{brief(name, 60)}`"
        return refused(f"{why}; there are: {', '.join(tools)}.")
    try:
        parsed = tool.arguments.model_validate(dict(arguments or {}))
    except ValidationError as error:
        return refused(_explained(name, tool, error))
    try:
        answer = tool.run(memory, parsed)
        return refused(redact(answer.text)) if answer.is_error else answer  # it repeats what was given
    except MemoryCoreError as error:
        return refused(brief(str(error), _LONGEST) if len(str(error)) > _LONGEST else redact(str(error)))
    except OSError as error:
        return refused(f"{error.filename or 'A file'}: {error.strerror}; check space and permissions.")


def _explained(name: str, tool: Tool, error: ValidationError) -> str:
    lines = []
    for item in error.errors()[:_SHOWN_PROBLEMS]:
        place = ".".join(str(part) for part in item["loc"]) or "arguments"
        lines.append(f"`{brief(place, 120)}`: {brief(item['msg'], 400)}")  # a client names its arguments as it likes
    return f"{name} was not run. {' | '.join(lines)}. Its arguments: {', '.join(tool.arguments.model_fields)}."
