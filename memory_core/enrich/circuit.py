"""One failure and an enricher is left alone for a while; then one call tries whether it works again.

Knows no enricher and no disk: instants go in and out as seconds of whatever clock the caller uses.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

COOLDOWN_S = 15.0


@dataclass
class Circuit:
    """Closed: calls go through. Open until an instant after a failure. Then half open: exactly one call probes."""

    clock: Callable[[], float]
    open_until: float = 0.0
    cooldown_s: float = COOLDOWN_S
    _probing: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def admits(self) -> bool:
        """Whether a call may be made now. Whoever is told yes has to tell how it went."""
        with self._lock:
            if not self.open_until:
                return True
            if self._probing or self.clock() < self.open_until:
                return False
            self._probing = True
            return True

    def worked(self) -> None:
        with self._lock:
            self.open_until = 0.0
            self._probing = False

    def failed(self) -> None:
        with self._lock:
            self.open_until = self.clock() + self.cooldown_s
            self._probing = False
