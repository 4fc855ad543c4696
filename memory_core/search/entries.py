"""Search over session entries: BM25, with what stands around a hit and the whole session taken into account.

Only what people, assistants and tools said is searched, never reasoning or injected text, and only as it is shown: a
secret that is shown as `[redacted ...]` is found by nobody who types it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from memory_core.redact import redact
from memory_core.search.bm25 import Bm25
from memory_core.search.passage import passage
from memory_core.search.words import query_tokens, tokens
from memory_core.sessions.copies import COPIED
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker


@dataclass(frozen=True, slots=True)
class Weights:
    """Shares of other scores that an entry gets: of the entries right before it and two before (`before`), after it
    (`after`), and of its whole session. An answer often lacks the words of its question, which stand right before it.

    Chosen on LoCoMo (`bench/locomo.py --leave-one-out`); anything near them is within half a point there.
    """

    before: tuple[float, float] = (0.5, 0.25)
    after: tuple[float, float] = (0.3, 0.2)
    session: float = 1.0


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class EntryHit:
    """A found entry. `entry`: its index in the session; `ts`: shown with every hit, an old answer may be stale;
    `beside`: it has no word of the query itself and stands beside a hit, so it counts as none."""

    session_id: str
    entry: int
    kind: EntryKind
    speaker: Speaker
    excerpt: str
    score: float
    ts: str | None = None
    beside: bool = False

    def plain(self) -> dict[str, Any]:
        return asdict(self)


class EntryIndex:
    """The searchable entries of some sessions."""

    def __init__(self, sessions: Iterable[Session]) -> None:
        self._entries: list[tuple[str, Entry]] = []
        self._group: list[int] = []
        self._shown: set[int] = set()  # the entries whose secrets are out of the index
        texts: list[list[str]] = []
        groups: list[list[str]] = []
        for session in sessions:
            groups.append([])
            for entry in session.entries:
                if searchable(entry):
                    words = tokens(entry.text)
                    self._entries.append((session.session_id, entry))
                    self._group.append(len(groups) - 1)
                    texts.append(words)
                    groups[-1] += words
        self._texts = Bm25(texts)
        self._groups = Bm25(groups)

    def __len__(self) -> int:
        """How many entries are searched, so that `nothing said` and `nothing matched` can be told apart."""
        return len(self._entries)

    def search(self, query: str, limit: int, weights: Weights = WEIGHTS) -> list[EntryHit]:
        """The best entries, best first, at most `limit` of them, those beside hits included; equal scores in order of
        the sessions."""
        words = query_tokens(query)
        own, prior = self.parts(words)
        scores = self.combined(own, prior, weights)
        best = sorted(scores, key=lambda number: (-scores[number], number))[:limit]
        return [self._hit(number, scores[number], words, beside=number not in own) for number in best]

    def parts(self, words: Sequence[str]) -> tuple[dict[int, float], dict[int, float]]:
        """The scores that entries and sessions have by their own words, of which secrets are none."""
        # Looking for secrets takes longer than indexing, so it is done where a query may meet one and nowhere else.
        for number in self._texts.holding(words) - self._shown:
            self._shown.add(number)
            text = self._entries[number][1].text
            hidden = Counter(tokens(text)) - Counter(tokens(redact(text)))
            self._texts.forget(number, hidden)
            self._groups.forget(self._group[number], hidden)
        return self._texts.scores(words), self._groups.scores(words)

    def combined(self, own: dict[int, float], prior: dict[int, float], weights: Weights) -> dict[int, float]:
        """The scores of entries with the shares of their surroundings."""
        groups = self._group
        shares = [(n, w) for n, w in enumerate(weights.before, 1)] + [(-n, w) for n, w in enumerate(weights.after, 1)]
        scores = dict(own)
        for number, score in own.items():
            group = groups[number]
            for step, share in shares:
                other = number + step
                if 0 <= other < len(groups) and groups[other] == group:
                    scores[other] = scores.get(other, 0.0) + share * score
        for number in scores:
            scores[number] += weights.session * prior.get(groups[number], 0.0)
        return scores

    def place(self, number: int) -> tuple[str, int]:
        """The session id and entry index of a scored entry."""
        session_id, entry = self._entries[number]
        return session_id, entry.index

    def _hit(self, number: int, score: float, words: Sequence[str], *, beside: bool) -> EntryHit:
        session_id, entry = self._entries[number]
        excerpt = passage(redact(entry.text), words)  # a search is an exit like any other (T37)
        found = round(score, 4)
        return EntryHit(session_id, entry.index, entry.kind, entry.speaker, excerpt, found, entry.ts, beside)


def searchable(entry: Entry) -> bool:
    """Whether an entry is somebody's or a tool's words: reasoning, injected text and bookkeeping are not."""
    if entry.subtype == COPIED:
        return False  # the session it comes from is searched
    match entry.kind:
        case EntryKind.USER_MESSAGE | EntryKind.ASSISTANT_MESSAGE | EntryKind.TOOL_CALL | EntryKind.TOOL_RESULT:
            return entry.speaker is not Speaker.SYSTEM and bool(entry.text)
        case _:
            return False


def search_entries(sessions: Iterable[Session], query: str, limit: int = 20) -> list[EntryHit]:
    """The entries of some sessions that a query finds, best first."""
    return EntryIndex(sessions).search(query, limit)
