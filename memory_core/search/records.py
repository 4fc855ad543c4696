"""Search over records: BM25 on weighted fields, computed for the words of the query only, straight from the snapshot.

Scores are of the whole store, so that hits of different kinds can be compared. Nothing is kept between searches.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from memory_core.ids import rfc3339
from memory_core.records.frontmatter import split
from memory_core.records.schema import Kind, RecordRef
from memory_core.redact import locate, parts, redact
from memory_core.search.bm25 import K1, B, rarity
from memory_core.search.excerpt import lines_shown
from memory_core.search.needles import Needles
from memory_core.search.passage import EXCERPT, passage
from memory_core.search.words import fold, query_tokens
from memory_core.snapshot import Document, Snapshot

# What a word counts in each field, against one in the body: a slug and a description say what a record is about, a
# heading what a part of it is about.
SLUG, DESCRIPTION, HEADING = 4.0, 3.0, 2.0
NAMED = 2.0  # a query that is a slug means that record
_HEADING = re.compile(r"^#{1,6}[ \t].*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RecordHit:
    """A found record. `line`: 0-based line of the file where the excerpt begins; `updated_at`: RFC 3339, shown with
    every hit, since what is old may be stale."""

    kind: Kind
    slug: str
    description: str
    excerpt: str
    line: int
    score: float
    updated_at: str | None = None

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def stored(snapshot: Snapshot, kind: Kind | None = None) -> int:
    """How many records a search looks at, so that `nothing stored` and `nothing matched` can be told apart."""
    return sum(1 for d in snapshot.documents.values() if d.ref and (kind is None or d.ref.kind is kind))


def search_records(
    snapshot: Snapshot, query: str, kind: Kind | None = None, limit: int = 20, excerpt_lines: int = 3
) -> list[RecordHit]:
    """The records that a query finds, best first; equal scores in path order. `excerpt_lines`: lines of an excerpt."""
    needles = Needles(query_tokens(query))
    if not needles.words:
        return []
    lengths: list[float] = []
    found: list[tuple[Document, RecordRef, dict[str, float], float]] = []
    for path in sorted(snapshot.documents):
        document = snapshot.documents[path]
        ref = document.ref
        if not ref:
            continue
        lengths.append(_length(document.text))
        counts = _weighted(document, ref, needles)
        if counts:
            found.append((document, ref, counts, lengths[-1]))
    holding = Counter(word for _, _, counts, _ in found for word in counts)
    weights = {word: rarity(holding[word], len(lengths)) for word in needles.words}
    mean = sum(lengths) / len(lengths) if lengths else 1.0
    wanted = fold(query).strip().lstrip("#/")
    scored: list[tuple[float, Document, RecordRef]] = []
    for document, ref, counts, length in found:
        if kind is None or ref.kind is kind:
            norm = K1 * (1 - B + B * length / (mean or 1.0))
            score = sum(weights[word] * count * (K1 + 1) / (count + norm) for word, count in counts.items())
            scored.append((score * NAMED if ref.slug == wanted else score, document, ref))
    scored.sort(key=lambda item: -item[0])  # stable: equal scores stay in path order
    return [_hit(*item, needles, weights, excerpt_lines) for item in scored[:limit]]


def hit_for(document: Document, ref: RecordRef, score: float, query: str, excerpt_lines: int = 3) -> RecordHit:
    """A record that something else than words found, shown like every hit: where a word of the query stands, else from
    the beginning of its body."""
    needles = Needles(query_tokens(query))
    return _hit(score, document, ref, needles, dict.fromkeys(needles.words, 1.0), excerpt_lines)


def _weighted(document: Document, ref: RecordRef, needles: Needles) -> dict[str, float]:
    """How much a record has of each word: its counts in the fields, weighted."""
    text = document.text
    in_slug = needles.may_be_in(ref.slug)
    if not in_slug and not needles.may_be_in(fold(text)):
        return {}
    start = _body_start(text)
    head, body = fold(text[:start]), fold(text[start:])
    fields: list[tuple[float, str]] = []
    if in_slug:
        fields.append((SLUG, ref.slug.replace("-", " ")))
    if needles.may_be_in(head) and document.record:  # the head is parsed only where it may hold something
        fields.append((DESCRIPTION, fold(document.record.description or "")))
    if needles.may_be_in(body):
        fields.append((1.0, body))
        if "#" in body:
            fields.append((HEADING - 1.0, "\n".join(_HEADING.findall(body))))  # it counts once in the body already
    counts: dict[str, float] = {}
    for weight, field in fields:
        for word, count in needles.counts(field).items():
            counts[word] = counts.get(word, 0.0) + weight * count
    return counts


def _body_start(text: str) -> int:
    parts = split(text)
    return 0 if isinstance(parts, str) else parts[2]


def _length(text: str) -> float:
    """About how many words a text has, from its size alone: a character of three bytes is a word and half of a pair."""
    if text.isascii():
        return len(text) / 6
    more = len(text.encode("utf-8", "surrogatepass")) - len(text)
    return (len(text) - more / 2) / 6 + more


def _hit(
    score: float,
    document: Document,
    ref: RecordRef,
    needles: Needles,
    weights: dict[str, float],
    most: int,
) -> RecordHit:
    record = document.record
    description = (record and record.description) or ""
    said = f"{ref.slug.replace('-', ' ')}\n{description}"
    numbers = lines_shown(document, said, needles, weights, most)
    shown = [_shown(line, needles) for line in _lines(document, numbers)]
    updated = record.updated_at if record else None
    return RecordHit(
        ref.kind,
        ref.slug,
        _clean(description),
        "\n".join(shown).strip(),
        numbers[0],
        round(score, 4),
        rfc3339(updated) if updated else None,
    )


def _shown(line: str, needles: Needles) -> str:
    """A line of an excerpt; of one that is a whole page, the place of a word."""
    line = _clean(line)  # before it is cut: half a key is not recognized any more
    return line.rstrip() if len(line) <= 2 * EXCERPT else passage(line, needles.words)


def _lines(document: Document, numbers: Sequence[int]) -> list[str]:
    """Lines of a document without secrets, also those that only the lines around them tell."""
    lines = document.lines
    starts = [lines.offset(lines.line_range(number).start) for number in numbers]
    ends = [start + len(lines.line(number)) for start, number in zip(starts, numbers, strict=True)]
    return parts(document.text, zip(starts, ends, strict=True))


def _clean(text: str) -> str:
    """Without secrets: a hit goes to whoever searched, a model as often as a person."""
    return redact(text) if locate(text) else text
