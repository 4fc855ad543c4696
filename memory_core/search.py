"""Search by words: BM25 over session entries and over records, with what stands around a hit taken into account.

Plain Python, any language, no index on disk. Only what people, assistants and tools said is searched, never reasoning
or injected text; a search is never a use. Weights and figures: measured with `bench/locomo.py`.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from memory_core.records.schema import Kind
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.snapshot import Document, Snapshot
from memory_core.text import shorten

# Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). A lower B than the usual .75:
# turns are short, and their length says little.
K1, B = 1.2, 0.5
# Shares of a neighbor's and of the whole session's score that an entry gets: an answer often lacks the words of its
# question, which stand right before it. Chosen on LoCoMo; anything near them is within half a point there.
BEFORE, AFTER, SESSION = 0.5, 0.4, 0.6
EXCERPT = 240  # characters of a hit

# A word with a sign that belongs to it (C#, C++), a word of a script that writes spaces, or a run of one that does not.
_TOKEN = re.compile(
    r"[a-z]\+\+|[cfj]#"
    r"|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u1100-\u11ff\U00020000-\U0003ffff々〆ー]+"
    r"|[^\W_]+",
)
_WIDE = re.compile(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff々〆]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# Words that tell entries apart no better than chance. Question words are in: what answers a question does not hold
# them. Words of time and place (before, after, over) stay out, since they carry meaning.
_STOP = frozenset(
    """a all an and any are as at be been both by d did do does each few for from had has have he her here him his
    how i in is it its just ll m many me more most much my of on only or other our re s she so some such t tell
    than that the their them then there these they this those to too us ve very was we were what when where
    which who whom whose why with you your
    """.split()  # noqa: SIM905 - a table of words reads best as words
)
# Endings, longest first: those of verbs, then those that make other words of a word (after Porter's steps, 1980).
_VERBAL = ("ingly", "edly", "ing", "ed")
_DERIVED = ("ization", "ational", "fulness", "iveness", "ousness", "ation", "ition", "ment", "ness", "ally", "ful",
            "est", "ive", "ion", "ly", "er", "or", "al")  # fmt: skip


def tokens(text: str) -> list[str]:
    """The words of a text as search compares them: folded, stemmed, without stop words; single characters and pairs
    for scripts without spaces."""
    found: list[str] = []
    for word in _TOKEN.findall(unicodedata.normalize("NFKC", text).lower()):
        if _WIDE.match(word):
            found += word
            found += (word[i : i + 2] for i in range(len(word) - 1))
        elif word not in _STOP:
            found.append(stem(word))
    return found


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A word without its endings, roughly: `decided`, `decides` and `deciding` meet in one stem."""
    if len(word) < 4 or not word.isascii():
        return word
    word = _singular(word)
    for suffix in _VERBAL:
        base = word.removesuffix(suffix)
        if base != word and len(base) >= 3 and any(vowel in base for vowel in "aeiouy"):
            doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"
            word = base[:-1] if doubled else base
            break
    word = next((word[: -len(s)] for s in _DERIVED if word.endswith(s) and len(word) - len(s) >= 4), word)
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def _singular(word: str) -> str:
    for plural, single in (("sses", "ss"), ("ies", "y"), ("ied", "y")):
        if word.endswith(plural) and len(word) > len(plural) + 1:
            return word[: -len(plural)] + single
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


class Bm25:
    """Scores of texts for a query, by an inverted index built once."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._lengths = [len(words) for words in texts]
        self._mean = sum(self._lengths) / len(texts) if texts else 0.0
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for number, words in enumerate(texts):
            for word, count in Counter(words).items():
                self._postings.setdefault(word, []).append((number, count))

    def scores(self, query: Iterable[str]) -> dict[int, float]:
        """Scores by number of text; texts without any word of the query are absent."""
        total = len(self._lengths)
        scores: dict[int, float] = {}
        for word in dict.fromkeys(query):
            postings = self._postings.get(word, ())
            weight = math.log(1 + (total - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, count in postings:
                norm = K1 * (1 - B + B * self._lengths[number] / (self._mean or 1.0))
                scores[number] = scores.get(number, 0.0) + weight * count * (K1 + 1) / (count + norm)
        return scores


@dataclass(frozen=True, slots=True)
class EntryHit:
    """A found entry. `entry`: its index in the session; `ts`: shown with every hit, an old answer may be stale."""

    session_id: str
    entry: int
    kind: EntryKind
    speaker: Speaker
    excerpt: str
    score: float
    ts: str | None = None

    def plain(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class RecordHit:
    """A found record. `line`: 0-based line of the file where the excerpt begins."""

    kind: Kind
    slug: str
    description: str
    excerpt: str
    line: int
    score: float

    def plain(self) -> dict[str, Any]:
        return asdict(self)


class EntryIndex:
    """The searchable entries of some sessions."""

    def __init__(self, sessions: Iterable[Session]) -> None:
        self._entries: list[tuple[str, Entry]] = []
        self._group: list[int] = []
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

    def search(self, query: str, limit: int) -> list[EntryHit]:
        """The best hits, best first; equal scores in order of the sessions."""
        words = tokens(query)
        own = self._texts.scores(words)
        prior = self._groups.scores(words)
        scores: dict[int, float] = {}
        for number, score in own.items():
            scores[number] = scores.get(number, 0.0) + score
            for neighbor, share in ((number + 1, BEFORE), (number - 1, AFTER)):
                if self._same_session(number, neighbor):
                    scores[neighbor] = scores.get(neighbor, 0.0) + share * score
        for number in scores:
            scores[number] += SESSION * prior.get(self._group[number], 0.0)
        best = sorted(scores, key=lambda number: (-scores[number], number))[:limit]
        return [self._hit(number, scores[number], words) for number in best]

    def _same_session(self, number: int, neighbor: int) -> bool:
        return 0 <= neighbor < len(self._group) and self._group[neighbor] == self._group[number]

    def _hit(self, number: int, score: float, words: Sequence[str]) -> EntryHit:
        session_id, entry = self._entries[number]
        excerpt = _passage(entry.text, words)
        return EntryHit(session_id, entry.index, entry.kind, entry.speaker, excerpt, round(score, 4), entry.ts)


def searchable(entry: Entry) -> bool:
    """Whether an entry is somebody's or a tool's words: reasoning, injected text and bookkeeping are not."""
    match entry.kind:
        case EntryKind.USER_MESSAGE | EntryKind.ASSISTANT_MESSAGE | EntryKind.TOOL_CALL | EntryKind.TOOL_RESULT:
            return entry.speaker is not Speaker.SYSTEM and bool(entry.text)
        case _:
            return False


def search_entries(sessions: Iterable[Session], query: str, limit: int = 20) -> list[EntryHit]:
    """The entries of some sessions that a query finds, best first."""
    return EntryIndex(sessions).search(query, limit)


def search_records(
    snapshot: Snapshot, query: str, kind: Kind | None = None, limit: int = 20, excerpt_lines: int = 3
) -> list[RecordHit]:
    """The records that a query finds, best first. `excerpt_lines`: lines of a hit's excerpt."""
    documents = [
        document
        for path in sorted(snapshot.documents)
        if (document := snapshot.documents[path]).ref and (kind is None or document.ref.kind is kind)
    ]
    index = Bm25([_record_words(document) for document in documents])
    words = tokens(query)
    scores = index.scores(words)
    best = sorted(scores, key=lambda number: (-scores[number], number))[:limit]
    return [_record_hit(documents[number], scores[number], words, excerpt_lines) for number in best]


def _record_words(document: Document) -> list[str]:
    """The words of a record: its slug and description count twice, they say what it is about."""
    record = document.record
    head = f"{document.ref.slug.replace('-', ' ') if document.ref else ''} {(record and record.description) or ''}"
    return tokens(head) * 2 + tokens(record.body if record else document.text)


def _record_hit(document: Document, score: float, words: Sequence[str], excerpt_lines: int) -> RecordHit:
    record, ref = document.record, document.ref
    assert ref is not None  # noqa: S101 - only documents with a reference are searched
    lines = document.text.split("\n")
    first = document.lines.position(record.body_start).line if record else 0
    wanted = set(words)
    best = max(range(first, len(lines)), key=lambda n: (len(wanted & set(tokens(lines[n]))), -n), default=first)
    if not wanted & set(tokens(lines[best] if best < len(lines) else "")):
        best = next((n for n in range(first, len(lines)) if lines[n].strip()), first)
    excerpt = "\n".join(line.rstrip() for line in lines[best : best + excerpt_lines]).strip()
    return RecordHit(ref.kind, ref.slug, (record and record.description) or "", excerpt, best, round(score, 4))


def _passage(text: str, words: Sequence[str]) -> str:
    """A stretch of the text around the first word of the query."""
    if len(text) <= EXCERPT:
        return shorten(text, EXCERPT)
    wanted = set(words)
    for match in _TOKEN.finditer(text.lower()):
        if wanted.intersection(tokens(match[0])):
            start = max(0, match.start() - EXCERPT // 4)
            return ("…" if start else "") + shorten(text[start:], EXCERPT - 1)
    return shorten(text, EXCERPT)
