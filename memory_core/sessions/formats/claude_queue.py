"""Claude Code's queue: texts typed while the agent worked, until a line comes that says what became of them.

The queue's own line says neither whose a text is nor whether the agent got it: both turn out later, and the entry that
was made of it is relabelled then. Its index stays.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.copies import WITHDRAWN
from memory_core.sessions.model import Speaker

_UNTOLD = ""  # no reason of a removal: a text may still come as an attachment, or was taken back
_GIVEN = "absorbed_mid_turn"  # the reason of one whose text the agent was given


@dataclass
class Queue:
    """Entries by their text, the oldest first. `waiting`: nothing is known of them yet; `given`: the agent was given
    them; `removed`: taken out without a reason, so they come as an attachment or were taken back. `attached`: whether
    this log has attachments at all: older versions wrote none, and there a removal tells nothing; `ahead`: attachments
    whose removal has not come yet."""

    builder: SessionBuilder
    waiting: dict[str, list[int]] = field(default_factory=dict)
    given: dict[str, list[int]] = field(default_factory=dict)
    removed: dict[str, list[int]] = field(default_factory=dict)
    attached: bool = False
    ahead: int = 0

    def put(self, text: str, index: int) -> None:
        self.waiting.setdefault(_key(text), []).append(index)

    def delivered(self, text: str, native_id: str | None, *, typed: bool = False) -> int | None:
        """The entry of a text that now stands where the agent was given it, under the id of that line, by which copies
        of the line are known; None where it was not queued. `typed`: that line begins a turn."""
        if not self.waiting and not self.given and not self.removed:
            return None
        text = _key(text)
        keys = list(self.waiting) if self._joined(text) else [text]
        for texts in (self.given, self.removed, self.waiting):
            if indices := [index for key in keys for index in _taken(texts, key, 1)]:
                for index in indices:
                    self.builder.identify(index, native_id)
                if texts is self.waiting and typed:
                    self.settle()
                elif texts is self.waiting:
                    self.ahead += 1
                return indices[0]
        return None

    def _joined(self, text: str) -> bool:
        """Whether a line holds all that waits, one behind the other."""
        if text in self.waiting or len(self.waiting) < 2 or not text.startswith(next(iter(self.waiting))):
            return False
        return " ".join(self.waiting) == text

    def not_typed(self, text: str) -> None:
        """A queued text turned out to be a program's: a scheduled prompt, a notification, another agent's message."""
        for texts in (self.given, self.removed, self.waiting):
            if indices := _taken(texts, _key(text), 1) if texts else []:
                self.builder.relabel(indices[0], "injected", Speaker.SYSTEM)
                return

    def taken_out(self, texts: list[str], reason: str) -> None:
        """A removal. `texts`: what it names; where it names nothing and one text waits, that one is meant, but for the
        removal of what an attachment said already."""
        if reason in (_UNTOLD, _GIVEN) and self.ahead and not any(_key(text) in self.waiting for text in texts):
            self.ahead -= 1
            return
        for text in [_key(text) for text in texts] or list(self.waiting)[: len(self.waiting) == 1]:
            indices = _taken(self.waiting, text, 1)
            if reason in (_UNTOLD, _GIVEN):
                (self.given if reason else self.removed).setdefault(text, []).extend(indices)
            else:
                self._withdraw(indices)

    def taken_back(self) -> None:
        """All texts that waited went back into the person's hands."""
        for text in list(self.waiting):
            self._withdraw(_taken(self.waiting, text))

    def settle(self) -> None:
        """A turn begins: what was taken out before it does not come any more. Where the log ends for now it may."""
        for text in list(self.removed):
            indices = _taken(self.removed, text)
            if self.attached:
                self._withdraw(indices)
        self.given.clear()
        self.ahead = 0

    def _withdraw(self, indices: list[int]) -> None:
        for index in indices:
            self.builder.relabel(index, WITHDRAWN)


def _key(text: str) -> str:
    """A text without its white space, which differs between the queue and the line."""
    return " ".join(text.split())


def _taken(texts: dict[str, list[int]], text: str, most: int | None = None) -> list[int]:
    indices = texts.get(text, [])
    found, rest = (indices, []) if most is None else (indices[:most], indices[most:])
    texts.pop(text, None)
    if rest:
        texts[text] = rest
    return found
