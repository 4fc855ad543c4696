"""The kinds of setting there are: each makes a field of a section, with its default, its meaning and what it takes.

Plain dataclasses and a few checks: a validation library takes longer to load than a thousand records to index, and
every command and the editor's start would wait for it. Which settings there are is said in `config`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

# A field's metadata: `about` in a sentence, `check` as below, `schema` the same rule as JSON Schema, for editors
# (scripts/config_schema.py).
Check = Callable[[Any], Any]  # the value as it counts; ValueError with what it must be


def whole(default: int, about: str, *, least: int = 0, most: int | None = None) -> Any:
    """A whole number within bounds, both included."""

    def check(value: Any) -> int:
        if type(value) is not int or value < least or (most is not None and value > most):
            raise ValueError(f"a whole number from {least:,} {f'to {most:,}' if most is not None else 'on'}")
        return value

    schema = {"type": "integer", "minimum": least} | ({} if most is None else {"maximum": most})
    return field(default=default, metadata={"about": about, "check": check, "schema": schema})


def amount(default: float, about: str, *, most: float) -> Any:
    """A number above 0 and up to a bound."""

    def check(value: Any) -> float:
        if type(value) not in (int, float) or not 0 < value <= most:
            raise ValueError(f"a number above 0 and up to {most:,.0f}")
        return float(value)

    schema = {"type": "number", "exclusiveMinimum": 0, "maximum": most}
    return field(default=default, metadata={"about": about, "check": check, "schema": schema})


def flag(default: bool, about: str) -> Any:
    """`true` or `false`."""

    def check(value: Any) -> bool:
        if type(value) is not bool:
            raise ValueError("`true` or `false`")
        return value

    return field(default=default, metadata={"about": about, "check": check, "schema": {"type": "boolean"}})


def string(default: str | None, about: str, *, least: int = 0, most: int = 4_096) -> Any:
    """A text of so many characters."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or not least <= len(value) <= most:
            raise ValueError(f"text in quotes, of {f'{least} to ' if least else 'at most '}{most:,} characters")
        return value

    schema = {"type": "string", "minLength": least, "maxLength": most}
    return field(default=default, metadata={"about": about, "check": check, "schema": schema})


def one_of(*words: str, about: str) -> Any:
    """One of some words, the first by default."""

    def check(value: Any) -> str:
        if value not in words:
            raise ValueError(f"one of {', '.join(f'`{word}`' for word in words)}")
        return str(value)

    return field(default=words[0], metadata={"about": about, "check": check, "schema": {"enum": list(words)}})


def several(default: tuple[str, ...], about: str, *, of: tuple[str, ...] = ()) -> Any:
    """A list of texts, or of some words."""

    def check(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) and (item in of or not of) for item in value):
            raise ValueError(f"a list of {', '.join(f'`{name}`' for name in of) or 'texts'}")
        return tuple(value)

    entry = {"enum": list(of)} if of else {"type": "string"}
    schema = {"type": "array", "items": entry}
    return field(default=default, metadata={"about": about, "check": check, "schema": schema})
