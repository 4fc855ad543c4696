"""A log of mutations replayed: `set`, `push`, `delete` on one object, as VS Code keeps its chats.

What a mutation took away is remembered: an abandoned request is evidence too. Knows nothing of what the object means
but the list whose elements are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from memory_core.sessions.fields import text_at
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import Gap

_INITIAL, _SET, _PUSH, _DELETE = 0, 1, 2, 3
_MAX_INDEX = 1_000_000  # an index beyond this is damage, and must not make a list of that length
_MAX_MADE = 1_000_000  # empty elements that all mutations of a log together may put before the ones they set


class Replay:
    """The object so far. `state`: as the last mutation left it; `kept`: every element that `listed` ever held, by its
    id and in order of appearance, as last seen; `gaps`: mutations that could not be applied."""

    def __init__(self, listed: str, identity: str) -> None:
        self.state: dict[str, Any] = {}
        self.kept: dict[str, dict[str, Any]] = {}
        self.gaps: list[Gap] = []
        self._made = _Room(_MAX_MADE)
        self._listed = listed
        self._identity = identity

    def run(self, items: Iterable[Frame | Gap]) -> None:
        first = True
        for item in items:
            if isinstance(item, Gap):
                self.gaps.append(item)
                continue
            kind = item.value.get("kind")
            if first and kind != _INITIAL:
                self.gaps.append(Gap(item.line, item.offset, "the log does not begin with its object"))
            first = False
            if problem := self._apply(kind, item.value):
                self.gaps.append(Gap(item.line, item.offset, problem))

    def _apply(self, kind: Any, mutation: dict[str, Any]) -> str | None:
        value = mutation.get("v")
        path = mutation.get("k")
        if kind == _INITIAL:
            if not isinstance(value, dict):
                return "the object of the log is none"
            self.state = value
            self._keep(value.get(self._listed))
            return None
        if kind not in (_SET, _PUSH, _DELETE):
            return f"unknown mutation {kind!r:.40}"
        if path is None and kind == _PUSH and isinstance(value, list) and self._are_elements(value):
            path = [self._listed]
        if not isinstance(path, list) or not path or not all(_is_step(step) for step in path):
            return "a mutation without a path"
        problem = _mutate(self.state, path, kind, value, mutation.get("i"), self._made)
        match path, kind:  # deeper ones change the elements that are kept already
            case [self._listed], k if k in (_SET, _PUSH):
                self._keep(value)
            case [self._listed, _], k if k == _SET:
                self._keep([value])
        return problem

    def _are_elements(self, values: list[Any]) -> bool:
        return bool(values) and all(text_at(value, self._identity) for value in values)

    def _keep(self, new: Any) -> None:
        """Remember elements of the list: those that a mutation put there."""
        for element in new if isinstance(new, list) else []:
            if identity := text_at(element, self._identity):
                self.kept[identity] = element

    def elements(self) -> list[tuple[dict[str, Any], bool]]:
        """All elements in order of appearance, each with whether it still stands in the list."""
        now = self.state.get(self._listed)
        self._keep(now)
        standing = [element for element in now if isinstance(element, dict)] if isinstance(now, list) else []
        ids = {text_at(element, self._identity) for element in standing}
        if all(identity in ids for identity in self.kept):
            return [(element, True) for element in standing]
        nameless = [(element, True) for element in standing if not text_at(element, self._identity)]
        return [(element, identity in ids) for identity, element in self.kept.items()] + nameless


def _is_step(step: Any) -> bool:
    return isinstance(step, str) or (isinstance(step, int) and not isinstance(step, bool) and 0 <= step < _MAX_INDEX)


class _Room:
    """How many empty elements may still be made: a few bytes of a log ask for a list of megabytes."""

    def __init__(self, left: int) -> None:
        self._left = left

    def take(self, count: int) -> bool:
        self._left -= max(0, count)
        return self._left >= 0


def _mutate(state: Any, path: list[Any], kind: int, value: Any, keep: Any, room: _Room) -> str | None:
    """Apply one mutation. Containers that the damaged beginning of a log would have held are made on the way."""
    holder: Any = state
    for step, following in pairwise(path):
        inner = _get(holder, step)
        if not isinstance(inner, dict | list):
            inner = [] if isinstance(following, int) else {}
            if not _put(holder, step, inner, room):
                return "a mutation whose path leads nowhere"
        holder = inner
    last = path[-1]
    if kind == _SET:
        return None if _put(holder, last, value, room) else "a mutation whose path leads nowhere"
    if kind == _DELETE:
        if isinstance(holder, dict):
            holder.pop(last, None)
        elif isinstance(holder, list) and isinstance(last, int) and last < len(holder):
            del holder[last]
        return None
    target = _get(holder, last)
    if not isinstance(target, list):
        target = []
        if not _put(holder, last, target, room):
            return "a mutation whose path leads nowhere"
    if isinstance(keep, int) and not isinstance(keep, bool) and 0 <= keep < len(target):
        del target[keep:]
    if isinstance(value, list):
        target.extend(value)
    return None


def _get(holder: Any, step: Any) -> Any:
    if isinstance(holder, dict):
        return holder.get(step)
    if isinstance(holder, list) and isinstance(step, int) and step < len(holder):
        return holder[step]
    return None


def _put(holder: Any, step: Any, value: Any, room: _Room) -> bool:
    if isinstance(holder, dict):
        holder[step] = value
        return True
    if isinstance(holder, list) and isinstance(step, int) and room.take(step - len(holder)):
        holder.extend([None] * (step + 1 - len(holder)))
        holder[step] = value
        return True
    return False
