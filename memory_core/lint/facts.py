"""What rules may know beyond one record and the tables of its snapshot, computed by whoever asks the linter.

Plain values, so that the linter stays a pure function: it opens no log, reads no setting and compares no two thousand
records on its own. A fact that was not computed is None, and the rules that need it are silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class LogFacts:
    """What a session's log holds now. `hashes`: SHA-256 in hex of each entry, by index. `texts`: what was said, without
    secrets and with white space folded, of the entries that some record points at."""

    hashes: tuple[str, ...]
    texts: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Resident:
    """What of the resident context fits into its budget. `cut`: tokens of each record that does not, by path."""

    budget: int
    used: int
    cut: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LintFacts:
    """`duplicates`: by path, the paths of records that say nearly the same (`lint.duplicates`). `resident`: see
    `lint.resident`. `logs`: by session id, None for a session whose log is gone; a session that was not looked for is
    not in it."""

    duplicates: Mapping[str, tuple[str, ...]] | None = None
    resident: Resident | None = None
    logs: Mapping[str, LogFacts | None] | None = None


NO_FACTS = LintFacts()
