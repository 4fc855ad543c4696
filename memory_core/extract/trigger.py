"""When a session that is being watched is due for an extract. Pure: the clock is an argument, nothing is read or run.

At the end of a run, not in the middle of one; one at a time for each session; never again for the same words.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

# Seconds without a word after which a finished run is taken for finished: programs write their last lines in pieces.
SETTLED_S = 5.0
# Seconds without a word after which any run counts as over: it was interrupted, or its log does not say how it ended.
ABANDONED_S = 600.0


@dataclass(frozen=True, slots=True)
class Watched:
    """A session as last measured. `tokens`: activity since its extract pointer; `finished`: whether its run ended, as
    far as its log tells; `since`: when (seconds of any clock) it last changed."""

    tokens: int
    finished: bool
    since: float
    running: bool = False
    tried: int = -1  # the tokens at the last try: without new words another one would end the same way


@dataclass
class ExtractTrigger:
    """Who is due. `threshold`: activity tokens; 0 turns everything off."""

    threshold: int
    _known: dict[Path, Watched] = field(default_factory=dict)

    def seen(self, path: Path, tokens: int, *, finished: bool, now: float) -> None:
        """A session was measured."""
        known = self._known.get(path)
        if known and (known.tokens, known.finished) == (tokens, finished):
            return
        if known:
            self._known[path] = replace(known, tokens=tokens, finished=finished, since=now)
        else:
            self._known[path] = Watched(tokens, finished, now)

    def gone(self, path: Path) -> None:
        """A log is gone."""
        self._known.pop(path, None)

    def due(self, now: float) -> list[Path]:
        """The sessions to extract now, the one with most to tell first."""
        found = [path for path, known in self._known.items() if self._wait(known, now) == 0.0]
        return sorted(found, key=lambda path: (-self._known[path].tokens, str(path)))

    def next_look(self, now: float) -> float | None:
        """Seconds until a session may become due by waiting alone; None when only a change can make one due."""
        waits = [wait for known in self._known.values() if (wait := self._wait(known, now)) is not None]
        return min(waits, default=None)

    def started(self, path: Path) -> None:
        """An extract of a session began."""
        if known := self._known.get(path):
            self._known[path] = replace(known, running=True, tried=known.tokens)

    def ended(self, path: Path, tokens: int, now: float) -> None:
        """It ended; `tokens`: what follows the pointer now. What was said meanwhile may make it due again at once."""
        if known := self._known.get(path):
            since = now if tokens != known.tokens else known.since
            moved = tokens != known.tried  # the pointer did, or more was said: another try is not the same one
            self._known[path] = replace(
                known, running=False, tokens=tokens, since=since, tried=-1 if moved else known.tried
            )

    @property
    def pending(self) -> int:
        """Activity tokens of all sessions that no extract has seen."""
        return sum(known.tokens for known in self._known.values())

    def _wait(self, known: Watched, now: float) -> float | None:
        """Seconds until a session is due if nothing changes; None when that makes it due never."""
        if self.threshold <= 0 or known.running or known.tokens < self.threshold or known.tokens == known.tried:
            return None
        return max(0.0, known.since + (SETTLED_S if known.finished else ABANDONED_S) - now)
