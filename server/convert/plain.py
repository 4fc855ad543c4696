"""Answers that are JSON data, or even JSON text, already. Long lists take half the time without lsprotocol's classes in
between, and a quarter without the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Plain:
    """`data`: what stands under `result`, as dicts and lists."""

    data: Any


@dataclass(frozen=True, slots=True)
class Encoded:
    """`text`: what stands under `result`, as JSON in ASCII."""

    text: str
