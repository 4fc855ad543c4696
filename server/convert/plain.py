"""An answer that is JSON data already. Long lists take half the time without lsprotocol's classes in between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Plain:
    """`data`: what stands under `result`, as dicts and lists."""

    data: Any
