"""The usage log added up, line by line, in memory that grows with the records and not with the events.

A million lines are read in about two seconds because most of a line repeats: what follows its time is the same text for
every read of one state of a record, so it is counted as text and understood once. Opens no file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memory_core.ids import parse_rfc3339, rfc3339
from memory_core.usage.event import UsageEvent, event_of, parse_line

# A line as Omoide writes it, with or without spaces behind the separators: its time, and the rest from `event` on.
# `\Z`-ended instants only: those compare as text. Everything else is read one by one.
_PLAIN = re.compile(
    rb'^\{"id": ?"[^"\\\n]*", ?"occurred_at": ?"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)", ?'
    rb'"(?:session_id|segment_id)": ?(?:null|"[^"\\\n]*"), ?("event"[^\n]*\})\r?$',
    re.MULTILINE,
)
_MOST_TAILS = 20_000  # kept as text before they are added up: ten megabytes at most

NO_LIMIT = "9999-12-31T23:59:59Z"

Key = tuple[str, str]
PresentSlug = Callable[[str, str, str], str]  # kind, slug, when → the slug the record has now


@dataclass(slots=True)
class Total:
    """What the log says of one record. `exposed_at`: when it was last exposed, `per_injection` what that cost then."""

    sources: dict[str, int] = field(default_factory=dict)
    actors: dict[str, int] = field(default_factory=dict)
    last_used_at: str | None = None
    exposures: int = 0
    exposed_at: str = ""
    per_injection: int = 0
    tokens: int = 0

    def add(self, other: Total) -> None:
        """With what another part of the log says of the same record."""
        for source, count in other.sources.items():
            self.sources[source] = self.sources.get(source, 0) + count
        for actor, count in other.actors.items():
            self.actors[actor] = self.actors.get(actor, 0) + count
        if other.last_used_at is not None:
            self.last_used_at = max(self.last_used_at or "", other.last_used_at) or None
        self.exposures += other.exposures
        self.tokens += other.tokens
        if other.exposures and other.exposed_at >= self.exposed_at:
            self.exposed_at, self.per_injection = other.exposed_at, other.per_injection


class Tally:
    """Totals by (kind, slug), and how many lines could not be read. `moved`: kinds and slugs that were renamed at some
    time, whose events are told apart by when they happened; `present` finds the name they have now. `until`: an event
    of a later instant counts, but when it was is not believed."""

    def __init__(self, moved: Iterable[Key] = (), present: PresentSlug | None = None, until: str = NO_LIMIT) -> None:
        self._until = until
        self.totals: dict[Key, Total] = {}
        self.skipped = 0
        self.latest = ""
        self._moved = frozenset(moved)
        self._present = present
        self._tails: dict[bytes, list[Any]] = {}

    def add(self, event: UsageEvent) -> None:
        self._count(event, 1, self._believed(_instant(event.occurred_at)))

    def add_lines(self, chunk: bytes) -> None:
        """Count whole lines; torn and foreign ones are skipped and counted."""
        plain = _PLAIN.findall(chunk)
        expected = chunk.count(b"\n") + (not chunk.endswith(b"\n") and bool(chunk))
        if len(plain) == expected:
            self._add_plain(plain)
            return
        for line in chunk.split(b"\n"):
            if not line.strip():
                continue
            match = _PLAIN.match(line)
            if match:
                self._add_plain([(match[1], match[2])])
            elif event := parse_line(line):
                self.add(event)
            else:
                self.skipped += 1

    def finish(self) -> Tally:
        """Itself, with everything added up."""
        tails, self._tails = self._tails, {}
        for tail, (count, latest, times) in tails.items():
            event = _event_of_tail(tail, latest)
            if event is None:
                self.skipped += count
                continue
            for at, number in (times or {latest: count}).items():
                self._count(event, number, at.decode("ascii"))
        return self

    def merge(self, other: Tally) -> None:
        """With another part of the log, which is finished."""
        for key, total in other.totals.items():
            self.totals.setdefault(key, Total()).add(total)
        self.skipped += other.skipped
        self.latest = max(self.latest, other.latest)

    def plain(self) -> dict[str, Any]:
        """As plain data, for keeping; `tally_of` reads it back."""
        rows = [
            [*key, t.sources, t.last_used_at, t.exposures, t.exposed_at, t.per_injection, t.tokens, t.actors]
            for key, t in sorted(self.totals.items())
        ]
        return {"skipped": self.skipped, "latest": self.latest, "totals": rows}

    def _add_plain(self, found: list[tuple[bytes, bytes]]) -> None:
        tails, until = self._tails, self._until.encode("ascii")
        for at, tail in found:
            if at > until:
                at = b""
            entry = tails.get(tail)
            if entry is None:
                tails[tail] = [1, at, {at: 1} if self._moved and self._is_moved(tail) else None]
                continue
            entry[0] += 1
            if at > entry[1]:
                entry[1] = at
            if entry[2] is not None:
                entry[2][at] = entry[2].get(at, 0) + 1
        if len(tails) > _MOST_TAILS:
            self.finish()

    def _believed(self, at: str) -> str:
        return at if at <= self._until else ""

    def _is_moved(self, tail: bytes) -> bool:
        event = _event_of_tail(tail, b"")
        return event is not None and any((used.kind, used.slug) in self._moved for used in event.records)

    def _count(self, event: UsageEvent, count: int, at: str) -> None:
        self.latest = max(self.latest, at)
        for used in event.records:
            key = (used.kind, used.slug)
            if self._present and key in self._moved:
                key = (used.kind, self._present(used.kind, used.slug, at))
            total = self.totals.get(key)
            if total is None:
                total = self.totals[key] = Total()
            if event.event == "use":
                total.sources[event.source] = total.sources.get(event.source, 0) + count
                total.actors[event.actor] = total.actors.get(event.actor, 0) + count
                total.last_used_at = max(total.last_used_at or "", at) or None
                continue
            tokens = used.file_tokens_estimate if used.injected_tokens is None else used.injected_tokens
            total.exposures += count
            total.tokens += count * tokens
            if at >= total.exposed_at:
                total.exposed_at, total.per_injection = at, tokens


def tally_of(value: Any, until: str = NO_LIMIT) -> Tally:
    """The tally that `plain` wrote; ValueError, TypeError or LookupError for anything else. `until`: as above."""
    tally = Tally(until=until)
    if not isinstance(value, Mapping):
        raise TypeError("not a table of totals")
    tally.skipped, tally.latest = int(value["skipped"]), tally._believed(str(value["latest"]))  # noqa: SLF001
    for kind, slug, sources, last, exposures, exposed_at, per_injection, tokens, by in value["totals"]:
        actors = {str(actor): int(count) for actor, count in by.items()}
        counts = {str(source): int(count) for source, count in sources.items()}
        last = last and (tally._believed(str(last)) or None)  # noqa: SLF001 - its own constructor
        tally.totals[str(kind), str(slug)] = Total(counts, actors, last, exposures, exposed_at, per_injection, tokens)
    return tally


def _event_of_tail(tail: bytes, at: bytes) -> UsageEvent | None:
    try:
        value = json.loads(b'{"id":"","occurred_at":"' + at + b'",' + tail)
    except (ValueError, RecursionError):
        return None
    return event_of(value)


def _instant(text: str) -> str:
    """An instant so that it compares as text; one that is none counts as the beginning of time."""
    if text.endswith("Z") and text[10:11] == "T":
        return text
    at = parse_rfc3339(text)
    return rfc3339(at) if at else ""
