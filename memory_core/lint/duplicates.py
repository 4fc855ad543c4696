"""Records that say nearly the same: found for a whole snapshot in one pass, without comparing each with each.

Numbers do not tell two texts apart, nor does their kind. Decides nothing about meaning: two texts that share most of
their words in the same order are alike, whatever the one word between them changes.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from itertools import islice

from memory_core.records import evidence_heading
from memory_core.records.frontmatter import split
from memory_core.records.schema import Kind, Status
from memory_core.snapshot import Document, Snapshot

LEAST_LIKENESS = 0.9  # of 1: the share of words that both texts have in the same order. With fewer than nine words in
# common, one exchanged word keeps two texts apart: `use Redis for jobs`, `use SQLite for jobs`.
LEAST_SHARED = 0.4  # of the smaller text's keys; one changed word in a note of one sentence costs half of them
LEAST_WORDS = 5  # shorter bodies are alike by chance
NEIGHBORS = 4  # of one passage: a passage that stands in a thousand records must not cost a million comparisons
CROWD = 64  # records sharing one passage: a template, say, whose neighbors are still each compared with the next
_MAY_BE_REPLACED = re.compile(r"replaced\b(?!_)")
_DIGITS = str.maketrans("", "", "0123456789")
# One class of characters first, so that the search skips ordinary text at the speed of C.
_PIECE_END = re.compile(r"[.!?。！？\n](?:(?<=[。！？])|(?<=[.!?])(?=\s)|(?<=\n)(?=[ \t]*(?:\n|[-*+#>|])))")
# Quotations of what was said say nothing themselves: two decisions of one conversation may quote the same words.
_EVIDENCE = re.compile(rf"^#{{1,4}}[ \t]+{evidence_heading.WORDS}[ \t#]*$", re.MULTILINE | re.IGNORECASE)
_NEXT_SECTION = re.compile(r"^#{1,4}[ \t]", re.MULTILINE)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_SHORTEST = 4  # words of a key
# By the number of words of a sentence, how many of them a key takes. A word more or less rarely makes a difference.
_HALVES = tuple(
    max((n for n in (_SHORTEST, 6, 8, 12, 16, 24, 32, 48, 64) if n <= max(count // 2, _SHORTEST)), default=0)
    if count >= _SHORTEST
    else 0
    for count in range(129)
)
_MOST_WORDS = len(_HALVES) - 1
_PORTION_BITS = 6


@dataclass(frozen=True, slots=True)
class Digest:
    """What is compared of one record: a hash of its whole text, and hashes of the beginning and end of each of its
    sentences. One changed word leaves most of them as they were. `packed`: those hashes, four bytes each, since an
    editor's server keeps them of every record. `length`: bytes of the folded text."""

    whole: int
    packed: bytes
    length: int

    @property
    def keys(self) -> array[int]:
        return array("I", self.packed)


Digests = MutableMapping[str, tuple[bytes, Digest | None]]  # by path: the document's own digest, and what it gave


def _no_tick() -> None: ...


def find_duplicates(
    snapshot: Snapshot, known: Digests | None = None, *, passing: bool = False, tick: Callable[[], None] = _no_tick
) -> Mapping[str, tuple[str, ...]]:
    """By path, the paths of the records that say nearly the same, in path order; records without any are left out.

    `known` keeps what was computed of documents for the next snapshot that shares them. `passing`: texts that are read
    for this are not kept. `tick` is called between two records, so that a thread can let others have their turn.

    A replaced decision is history, a record that refers to the other one says that it knows of it, and knowledge that
    was promoted from a record repeats it on purpose: none of them counts.
    """
    digests = dict(_digests(snapshot, {} if known is None else known, passing=passing, tick=tick))
    groups: dict[int, list[str]] = defaultdict(list)
    for path, digest in digests.items():
        groups[digest.whole].append(path)
    pairs = {pair for group in groups.values() for pair in _neighbors(group)}
    firsts = {group[0]: digests[group[0]] for group in groups.values()}
    pairs |= set(_near_pairs(snapshot, firsts, passing=passing, tick=tick))
    found: dict[str, list[str]] = defaultdict(list)
    for one, other in sorted(pairs):
        if not _related(snapshot, one, other):
            found[one].append(other)
            found[other].append(one)
    return {path: tuple(sorted(others)) for path, others in sorted(found.items())}


def packed(known: Digests) -> str:
    """Digests as text, for a cache."""
    rows = {path: [own.hex(), *((d.whole, d.length, list(d.keys)) if d else ())] for path, (own, d) in known.items()}
    return json.dumps(rows, separators=(",", ":"))


def unpacked(text: str) -> Digests:
    """Digests from `packed`; ValueError or TypeError for anything else."""
    known: Digests = {}
    for path, (own, *rest) in json.loads(text).items():
        known[path] = bytes.fromhex(own), Digest(rest[0], array("I", rest[2]).tobytes(), rest[1]) if rest else None
    return known


def _digests(
    snapshot: Snapshot, known: Digests, *, passing: bool, tick: Callable[[], None]
) -> Iterator[tuple[str, Digest]]:
    for gone in known.keys() - snapshot.documents.keys():
        del known[gone]
    for path in sorted(snapshot.documents):
        tick()
        document = snapshot.documents[path]
        entry = known.get(path)
        if entry is None or entry[0] != document.digest:
            entry = known[path] = document.digest, _digest(document.passing() if passing else document)
        if entry[1] is not None:
            yield path, entry[1]


def _digest(document: Document) -> Digest | None:
    """None for what is not compared: the summary, which repeats other records, what is history, and short bodies."""
    ref = document.ref
    if not ref or document.unreadable or ref.kind is Kind.SUMMARY:
        return None
    text = document.text
    if ref.kind is Kind.DECISION and _MAY_BE_REPLACED.search(text, 0, _body_start(text)):
        record = document.record
        if record and record.status is Status.REPLACED:
            return None
    masked = _masked(_said(text))
    words = masked.split()
    if len(words) < LEAST_WORDS and not (_WIDE.search(masked) and len(masked) >= 2 * LEAST_WORDS):
        return None
    folded = " ".join(words).encode("utf-8", "surrogatepass")
    whole = int.from_bytes(hashlib.blake2b(folded, digest_size=7).digest())
    return Digest(whole, array("I", sorted(set(_keys(masked)))).tobytes(), len(folded))


def _body_start(text: str) -> int:
    """Where the body begins. The head is not read: nothing else of it is needed, and most records are alike to none."""
    parts = split(text)
    return 0 if isinstance(parts, str) else parts[2]


def _said(text: str) -> str:
    """The body without the sections that only quote evidence, and without comments, which nobody reads."""
    body = _without_comments(text[_body_start(text) :])
    kept, at = "", 0
    for heading in _EVIDENCE.finditer(body):
        if heading.start() >= at:
            kept += body[at : heading.start()]
            following = _NEXT_SECTION.search(body, heading.end())
            at = following.start() if following else len(body)
    return kept + body[at:]


def _without_comments(body: str) -> str:
    kept, at = "", 0
    while (start := body.find("<!--", at)) >= 0 and (end := body.find("-->", start)) >= 0:
        kept += body[at:start]
        at = end + len("-->")
    return kept + body[at:] if at else body


def _masked(body: str) -> str:
    return body.lower().translate(_DIGITS)


def _keys(masked: str) -> list[int]:
    keys: list[int] = []
    for piece in _PIECE_END.split(masked):
        words = piece.split()
        count = len(words)
        if count < _SHORTEST:
            words = list("".join(words)) if _WIDE.search(piece) else []
            count = len(words)
        if half := _HALVES[min(count, _MOST_WORDS)]:
            keys += (_hash(words[:half]), _hash(words[-half:]))
    return keys


def _hash(words: list[str]) -> int:
    return zlib.crc32(" ".join(words).encode("utf-8", "surrogatepass"))


def _neighbors(paths: list[str]) -> Iterator[tuple[str, str]]:
    """Pairs of paths that stand close to each other in a list; of a long one only those side by side."""
    near = NEIGHBORS if len(paths) <= CROWD else 1
    for number, path in enumerate(paths):
        for other in islice(paths, number + 1, number + 1 + near):
            yield (path, other) if path < other else (other, path)


def _near_pairs(
    snapshot: Snapshot, digests: Mapping[str, Digest], *, passing: bool, tick: Callable[[], None]
) -> Iterator[tuple[str, str]]:
    seen: set[tuple[str, str]] = set()
    for paths in _sharing(digests, tick):
        for pair in _neighbors(paths):
            if pair not in seen:
                tick()
                seen.add(pair)
                if _alike(snapshot, pair, digests[pair[0]], digests[pair[1]], passing=passing):
                    yield pair


def _sharing(digests: Mapping[str, Digest], tick: Callable[[], None]) -> Iterator[list[str]]:
    """The paths that have a key in common, for each key that more than one has, in path order."""
    paths = list(digests)
    # Flat lists: a list for each key, of which most have one path, would take three times the memory. Some lists
    # instead of one: nothing else runs while a list is sorted.
    portions: list[list[int]] = [[] for _ in range(1 << _PORTION_BITS)]
    for number, digest in enumerate(digests.values()):
        tick()
        for key in digest.keys:
            portions[key >> (32 - _PORTION_BITS)].append(key << 32 | number)
    for pairs in portions:
        tick()
        pairs.sort()
        first = 0
        for at in range(1, len(pairs) + 1):
            if at == len(pairs) or pairs[at] >> 32 != pairs[first] >> 32:
                if at - first > 1:
                    yield [paths[pair & 0xFFFFFFFF] for pair in pairs[first:at]]
                first = at
        pairs.clear()


def _alike(snapshot: Snapshot, pair: tuple[str, str], first: Digest, second: Digest, *, passing: bool) -> bool:
    shorter, longer = sorted((first.length, second.length))
    if shorter < LEAST_LIKENESS**2 * longer:
        return False
    keys, others = set(first.keys), set(second.keys)
    if len(keys & others) < LEAST_SHARED * min(len(keys), len(others)):
        return False
    from rapidfuzz.distance import Indel  # only likely pairs need it

    documents = (snapshot.documents[path] for path in pair)
    one, other = (_words(document.passing() if passing else document) for document in documents)
    return Indel.normalized_similarity(one, other, score_cutoff=LEAST_LIKENESS) >= LEAST_LIKENESS


def _words(document: Document) -> list[str]:
    """What two texts are compared by: words, or characters in a script that puts no spaces between words."""
    masked = _masked(_said(document.text))
    return list("".join(masked.split())) if _WIDE.search(masked) else masked.split()


def _related(snapshot: Snapshot, one: str, other: str) -> bool:
    """Whether one of two records refers to the other, or was made from it."""
    first, second = snapshot.documents[one], snapshot.documents[other]
    if any(link.target == second.ref for link in first.links) or any(link.target == first.ref for link in second.links):
        return True
    return _promoted(first, second) or _promoted(second, first)


def _promoted(knowledge: Document, original: Document) -> bool:
    """Whether knowledge was promoted from a decision or a request, which stays as it is: it has the name or the sources
    of its original. Nothing else of it says so."""
    if not (knowledge.ref and original.ref and knowledge.ref.kind is Kind.KNOWLEDGE):
        return False
    if original.ref.kind not in (Kind.DECISION, Kind.REQUEST):
        return False
    if knowledge.ref.slug == original.ref.slug:
        return True
    its = _places(original)
    return bool(its) and its <= _places(knowledge)


def _places(document: Document) -> set[tuple[str, int, int]]:
    sources = document.record.sources if document.record else ()
    return {(source.session_id, source.start, source.end) for source in sources}
