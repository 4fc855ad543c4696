"""What bears a line of the summary: the summary is given to every session unasked, so a run says nothing in it that no
shared record, no candidate of the run and no line of the old summary says.

Compares words, so it knows no meaning: what is denied in the same words is for those who read the diff. Refuses in
words and changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from memory_core.consolidate.covered import own_words
from memory_core.consolidate.draft import Draft, named
from memory_core.consolidate.similar import words_of
from memory_core.records.record import Record
from memory_core.records.schema import SUMMARY
from memory_core.records.summary_block import BEGIN, END
from memory_core.scope import scope_of, understood
from memory_core.staging import CandidateRef
from memory_core.text import shorten

JOINING_WORDS = 3  # words to join sentences, of one line, and at most every third of it
HEADING_WORDS = 4  # a heading names what stands below it, in words of its own
TOGETHER = 2  # bearers that one line may join
_PLACE = re.compile(r"\b(?:decisions?|requests?|knowledge|workflow)/[a-z0-9-]+|(?<![\w&])#[a-z0-9][a-z0-9-]*")


def unborne(draft: Draft, body: str, run: Iterable[CandidateRef]) -> str | None:
    """Why the summary may not become `body`: the first line that nothing bears. `run`: all candidates of the run."""
    old = draft.record(SUMMARY)
    known = [line.strip() for line in old.body.splitlines()] if old else []
    fresh = [line for raw in body.splitlines() if (line := raw.strip()) and line not in {*known, BEGIN, END}]
    near = [words_of(text) for text in (*known, *(_told(ref) for ref in run if not ref.source.scope))]
    left = [line for line in fresh if _missing(line, [*near, *_named(draft, line)])]
    if not left:
        return None
    bearers = [*near, *map(_words, _shared(draft))]
    for line in left:
        if missing := _missing(line, bearers):
            words = ", ".join(f"`{word}`" for word in missing[:5])
            return (
                f"The summary says only what shared records, candidates of this run that everybody may see, or the "
                f"summary itself say. Nothing of them says {words} of `{shorten(line, 120)}`: use their words, or "
                "leave the line out."
            )
    return None


def _missing(line: str, bearers: Sequence[frozenset[str]]) -> list[str]:
    """The words of a line that its best bearers do not have, where they are more than joining words."""
    words = words_of(_PLACE.sub(" ", line)) - {"0"}
    heading = line.startswith("#") and not _PLACE.match(line)
    allowed = HEADING_WORDS if heading else min(JOINING_WORDS, len(words) // 3)
    for _ in range(TOGETHER):
        if _cost(words) <= allowed:
            return []
        words -= max(bearers, key=lambda has: len(words & has), default=frozenset())
    return sorted(words) if _cost(words) > allowed else []


def _cost(words: Iterable[str]) -> float:
    """How many words there are; of scripts without spaces a word is about two pairs of characters."""
    return sum(1.0 if word.isascii() else 0.5 for word in words)


def _shared(draft: Draft) -> Iterator[Record]:
    """The records that everybody may see, as they were before the run: what it wrote itself bears nothing."""
    for document in draft.base.documents.values():
        record = document.record
        if record and record.ref != SUMMARY and understood(record) and not scope_of(record):
            yield record


def _named(draft: Draft, line: str) -> Iterator[frozenset[str]]:
    """The words of shared records that a line names: most lines of a summary name theirs."""
    for place in _PLACE.findall(line):
        ref = named(place)
        record = draft.base.record(ref) if ref else None
        if record and understood(record) and not scope_of(record):
            yield _words(record)


def _words(record: Record) -> frozenset[str]:
    return words_of(f"{record.ref.slug.replace('-', ' ')}\n{own_words(record)}")


def _told(ref: CandidateRef) -> str:
    """What a candidate says, with the words it rests on; what a tool printed is none of them."""
    said = ref.candidate.model_dump(exclude={"evidence"}, exclude_none=True).values()
    texts = [text for value in said for text in (value if isinstance(value, list | tuple) else [value])]
    quoted = [anchor.excerpt for anchor in ref.candidate.evidence if anchor.speaker != "tool"]
    return "\n".join(map(str, [*texts, *quoted, f"session {ref.source.session_id}"]))
