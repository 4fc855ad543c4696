"""The system prompt of an extract: the template with what the tables know, so that no number is written twice."""

from __future__ import annotations

from collections.abc import Sequence

from memory_core import prompts
from memory_core.extract.payload import MAX_CANDIDATES, MAX_EVIDENCE, MAX_TEXT, Payload
from memory_core.language_names import language_name
from memory_core.llm import ToolSpec
from memory_core.prompts import Prompt

NAME = "extract_system"


def system_prompt(language: str, tools: Sequence[ToolSpec], override: str | None = None) -> Prompt:
    """The rendered prompt. `override`: the workspace's own template, which may leave placeholders out."""
    return prompts.render(
        NAME,
        override,
        language=language_name(language),
        tools="\n".join(f"- `{tool.name}`: {tool.description}" for tool in tools),
        arrays=_arrays(),
        limits=(
            f"at most {MAX_CANDIDATES} candidates an array, {MAX_EVIDENCE} evidence ids a candidate and {MAX_TEXT} "
            "characters a field"
        ),
    )


def _arrays() -> str:
    """One line per array of the payload, from its model: what it is for and its fields, optional ones marked `?`."""
    lines = []
    for name, field in Payload.model_fields.items():
        (model,) = field.annotation.__args__  # type: ignore[union-attr]
        fields = ", ".join(key if part.is_required() else f"{key}?" for key, part in model.model_fields.items())
        lines.append(f"- `{name}` ({fields}): {model.__doc__}")
    return "\n".join(lines)
