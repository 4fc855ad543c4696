"""A call of an enricher that ends at its deadline, whatever the enricher does, and says in one line what went wrong.

Judges no answer: `recall` and `upkeep` do.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from memory_core.enrich.circuit import Circuit
from memory_core.redact import brief

COOLING = "cooling down after a failure"
DETAIL = 512  # characters of an enricher's error that are shown


@dataclass
class Pending:
    """A call that runs. `wait` gives its value or why there is none."""

    thread: threading.Thread
    circuit: Circuit
    box: list[tuple[bool, Any]] = field(default_factory=list)

    def wait(self, seconds: float) -> tuple[Any, str]:
        """(value, empty) or (None, reason). One that hangs is left behind: it cannot hold anybody up any more."""
        self.thread.join(seconds)
        if not self.box:
            self.circuit.failed()
            return None, "did not answer in time"
        worked, value = self.box[0]
        if not worked:
            self.circuit.failed()
            return None, described(value)
        return value, ""


class Calls:
    """Makes the calls of one enricher, one at a time: while one hangs, no second is begun."""

    def __init__(self, name: str, circuit: Circuit) -> None:
        self.name = name
        self.circuit = circuit
        self._last: threading.Thread | None = None

    def begin(self, call: Callable[[], Any]) -> Pending | str:
        """Start a call on a thread of its own, or say why none is made."""
        if self._last and self._last.is_alive():
            return "an earlier call has not come back"
        if not self.circuit.admits():
            return COOLING
        box: list[tuple[bool, Any]] = []

        def work() -> None:
            try:
                box.append((True, call()))
            except Exception as error:  # noqa: BLE001 - foreign code: whatever it raises is its failure, not ours
                box.append((False, error))
            except SystemExit as error:  # a library that wants to end the process
                box.append((False, error))

        thread = threading.Thread(target=work, name=f"enricher-{self.name}", daemon=True)
        self._last = thread
        thread.start()
        return Pending(thread, self.circuit, box)


def described(error: object) -> str:
    """An enricher's error as one bounded line without secrets."""
    said = str(error)
    name = type(error).__name__ if isinstance(error, BaseException) else ""
    text = said if said.startswith("the enricher") else f"{name}: {said}" if said else name
    return brief(text, DETAIL)
