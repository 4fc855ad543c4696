"""Prompt templates: found by name, rendered strictly, identified by a hash. Knows nothing of what they are used for."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.errors import PromptError
from memory_core.text import LineIndex

NAMES = ("extract_system", "consolidate_system")

_PLACEHOLDER = re.compile(r"\{\{\s*([a-z_]+)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered template. `hash`: SHA-256 of the template as found, so that a record leads back to its prompt."""

    name: str
    text: str
    hash: str


def bundled(name: str) -> str:
    """The text of a template that ships with Omoide: from the wheel, or from `prompts/` in a checkout."""
    packaged = files("memory_core") / "_prompts" / f"{name}.md"
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    checkout = Path(__file__).resolve().parent.parent / "prompts" / f"{name}.md"
    if checkout.is_file():
        return checkout.read_text(encoding="utf-8")
    raise PromptError(f"There is no prompt `{name}`: reinstall Omoide, its installation is incomplete.")


def problems(name: str, override: str) -> list[Diagnostic]:
    """What is wrong with a workspace's own text for a bundled prompt: a placeholder that nothing fills, which stops
    every run, and one that the bundled text has and this one lacks, so that the model is not told of it."""
    known = set(_PLACEHOLDER.findall(bundled(name)))
    lines = LineIndex(override)
    found = [
        Diagnostic(
            "prompt-placeholder",
            Severity.ERROR,
            f"Nothing fills {{{{{match[1]}}}}}: use {_listed(known)}, or write the braces apart.",
            lines.range(match.start(), match.end()),
        )
        for match in _PLACEHOLDER.finditer(override)
        if match[1] not in known
    ]
    missing = known - set(_PLACEHOLDER.findall(override))
    if missing:
        message = f"This prompt leaves out {_listed(missing)}: the model will not be told of it."
        found.append(Diagnostic("prompt-placeholder", Severity.WARNING, message, lines.line_range(0)))
    return found


def _listed(names: set[str]) -> str:
    return ", ".join(f"{{{{{name}}}}}" for name in sorted(names)) or "none"


def render(name: str, override: str | None = None, **values: str) -> Prompt:
    """A template with every `{{placeholder}}` replaced once. `override`: the workspace's own text for it.

    A placeholder without a value, or a value without a placeholder in the bundled text, is a PromptError.
    """
    template = bundled(name) if override is None else override
    wanted = set(_PLACEHOLDER.findall(template))
    missing = wanted - values.keys()
    unused = values.keys() - wanted if override is None else set()
    if missing or unused:
        parts = [f"unknown placeholder {{{{{n}}}}}" for n in sorted(missing)] + [
            f"value `{n}` unused" for n in sorted(unused)
        ]
        raise PromptError(f"Prompt `{name}`: {', '.join(parts)}.")
    text = _PLACEHOLDER.sub(lambda match: values[match[1]], template)
    return Prompt(name, text, "sha256:" + hashlib.sha256(template.encode()).hexdigest())
