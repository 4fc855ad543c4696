"""What rules may know beyond one record and the tables of its snapshot, computed by whoever asks the linter.

Plain values, so that the linter stays a pure function: it opens no log, reads no setting and compares no two thousand
records on its own. A fact that was not computed is None, and the rules that need it are silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import Any

_NAMED = 5  # others that are cut, in a message about one
_NAMES = ("sha256", "native_id", "call_id", "speaker", "excerpt")


@dataclass(frozen=True, slots=True)
class AnchorKey:
    """What an anchor says of its entry, as a record holds it: `span` are the entries (first, last), the rest texts; a
    part that is missing or of another type is empty."""

    span: tuple[int, int] | None
    sha256: str = ""
    native_id: str = ""
    call_id: str = ""
    speaker: str = ""
    excerpt: str = ""

    @classmethod
    def of(cls, anchor: Mapping[str, Any]) -> AnchorKey:
        span = anchor.get("entry_range")
        whole = isinstance(span, list | tuple) and len(span) == 2 and all(type(number) is int for number in span)
        first, last = span if whole and span is not None else (1, 0)
        texts = {name: anchor[name] for name in _NAMES if isinstance(anchor.get(name), str)}
        return cls((first, last) if 0 <= first <= last else None, **texts)

    def plain(self) -> dict[str, Any]:
        """As a record holds it."""
        span = {"entry_range": list(self.span)} if self.span else {}
        return span | {name: getattr(self, name) for name in _NAMES if getattr(self, name)}


@dataclass(frozen=True, slots=True)
class AnchorFound:
    """What became of an anchor's entry: its index now, None when it is not in the log any more; whether its record was
    changed since."""

    entry: int | None
    changed: bool = False


@dataclass(frozen=True, slots=True)
class LogFacts:
    """What a session's log holds now. `hashes`: SHA-256 in hex of each entry, by index. `texts`: what was said, without
    secrets and with white space folded, of the entries that some record points at. `anchors`: what became of the
    anchors that records hold of it."""

    hashes: tuple[str, ...]
    texts: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    anchors: Mapping[AnchorKey, AnchorFound] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Resident:
    """What of the resident context fits into its budget. `cut`: tokens of each record that does not, by path."""

    budget: int
    used: int
    cut: Mapping[str, int]

    def others(self, path: str) -> tuple[tuple[str, ...], int]:
        """The first of the other records that are cut, and how many more there are: there may be thousands."""
        named = tuple(islice((other for other in self.cut if other != path), _NAMED))
        return named, len(self.cut) - (path in self.cut) - len(named)


@dataclass(frozen=True, slots=True)
class LintFacts:
    """`duplicates`: by path, the paths of records that say nearly the same (`lint.duplicates`). `resident`: see
    `lint.resident`. `logs`: by session id, None for a session whose log is gone; a session that was not looked for is
    not in it."""

    duplicates: Mapping[str, tuple[str, ...]] | None = None
    resident: Resident | None = None
    logs: Mapping[str, LogFacts | None] | None = None

    def about(self, path: str) -> tuple[object, ...]:
        """What is said of one record in particular, but for logs: as long as it is equal, nothing else is to be said.
        Empty where nothing is said."""
        resident, alike = self.resident, self.duplicates.get(path) if self.duplicates else None
        if resident is None or path not in resident.cut:
            return (alike,) if alike else ()
        return alike, resident.cut[path], resident.used, resident.budget, resident.others(path)

    def touched(self, later: LintFacts) -> set[str]:
        """The records of which later facts say something else, but for logs."""
        facts = (self, later)
        spoken = {path for each in facts for path in each.duplicates or ()}
        spoken |= {path for each in facts if each.resident for path in each.resident.cut}
        return {path for path in spoken if self.about(path) != later.about(path)}


NO_FACTS = LintFacts()
