"""What a record takes in when another one that says the same is merged into it, and what of that one would be nowhere
then: such a record holds a person's words, and is not merged away.

Compares only. A run writes a title, paragraphs and quotations of evidence; whatever else stands in a record it made, a
person put there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_core.consolidate.covered import own_words, stands_in
from memory_core.consolidate.similar import in_figures, tokens, without_inflections, words_of
from memory_core.consolidate.turned import turned
from memory_core.providers.builtin.record_text import EVIDENCE
from memory_core.providers.builtin.sentences import content
from memory_core.providers.builtin.wording import LABELS
from memory_core.records.record import Record
from memory_core.records.schema import field_of

# As `record_text.quote` writes them: the session stands in backticks, which tells them from a person's own.
_QUOTE = re.compile(r"^- [^\n`]*`[^\n`]+`[^\n]*:\n[ \t]+> [^\n]*$", re.MULTILINE)
_PAIRS = 2  # of characters that another ending or particle makes new
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_QUOTED = re.compile(r"""(?<=[:,{\[-] )(?:'(?:[^'\n]|'')*+'|"(?:[^"\\\n]|\\.)*+")""")
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*", re.MULTILINE)
# What a run writes of its own into a description: when to read the record. What is named between these is in its text.
_WHEN_TO_READ = re.compile(
    r"(?:을\(를\)|[을를])?(?:"
    + "|".join(
        re.escape(piece)
        for words in LABELS.values()
        for name in sorted(words, reverse=True)  # a whole sentence before the beginning of one
        if name.startswith("read") or name == "and"
        for piece in words[name].split("{}")
        if piece.strip(" .") not in ("", "or")
    )
    + r")|Read before (?:you )?|[\w-]*…"  # and what was cut
)


def said_in(record: Record) -> str:
    """The body of a record without its quotations of evidence."""
    return _halves(record)[0]


def beyond(record: Record, other: Record) -> list[str]:
    """The paragraphs in which a record says what another one does not; of its title, what is said there in no words.
    Said is what stands there in the same words in the same order: what is taken for said goes with the record."""
    title, parts = _parted(record)
    more = _not_in(parts, paragraphs(said_in(other)))
    return more if not title or stands_in(title, own_words(other)) else [title, *more]


def quotes_beyond(record: Record, other: Record) -> list[str]:
    """The quotations of evidence that another record does not have."""
    known = set(_QUOTE.findall(_plain(other.body)))
    return [quote for quote in _QUOTE.findall(_plain(record.body)) if quote not in known]


def adds(text: str, known: str) -> bool:
    """Whether a text says something of which another one has no word. Likeness alone lets one word in ten pass: what
    was asked in addition (`to French and German`) would stand nowhere. Figures are compared elsewhere."""
    only, _ = without_inflections(content(text) - content(known), content(known) - content(text))
    return any(word.isascii() and not word.isdigit() for word in only) or len(only) > _PAIRS


def lost(record: Record, other: Record) -> bool:
    """Whether something of a record would be nowhere once it is merged into another: what stands among its quotations
    and below them, what its description says beside its text, comments and keys of a person in its head."""
    above, below = _halves(other)
    known = [*paragraphs(above), *paragraphs(_QUOTE.sub("", below))]
    if _not_in(paragraphs(_QUOTE.sub("", _halves(record)[1])), known):
        return True
    if set(_comments(record)) - set(_comments(other)):
        return True
    head = record.head.values if record.head else {}
    if any(field_of(record.ref.kind, key) is None and other.value(key) != value for key, value in head.items()):
        return True
    described = words_of(_WHEN_TO_READ.sub(" ", record.description or ""))
    told = words_of(f"{said_in(record)}\n{own_words(other)}")
    return bool(without_inflections(described - told, told - described)[0])


def _halves(record: Record) -> tuple[str, str]:
    """The body above the heading of the evidence, and below it."""
    parts = EVIDENCE.split(_plain(record.body), maxsplit=1)
    return parts[0].strip(), parts[1] if len(parts) > 1 else ""


def _parted(record: Record) -> tuple[str, list[str]]:
    """The title of a record, and its paragraphs: what stands right below the title is one."""
    parts = paragraphs(said_in(record))
    if not parts or not parts[0].startswith("# "):
        return "", parts
    title, _, rest = parts[0].partition("\n")
    return title[2:].strip(), [part for part in (rest, *parts[1:]) if part.strip()]


def paragraphs(text: str) -> list[str]:
    """What blank lines part; those inside a fence part nothing."""
    found: list[str] = []
    for part in text.split("\n\n"):
        if found and len(_FENCE.findall(found[-1])) % 2:
            found[-1] += f"\n\n{part}"
        else:
            found.append(part)
    return [part.strip("\n") for part in found if part.strip()]


def _not_in(parts: Iterable[str], known: Iterable[str]) -> list[str]:
    there = list(known)
    return [part for part in parts if not any(_repeats(part, one) for one in there)]


def _repeats(part: str, other: str) -> bool:
    """Whether two paragraphs are the same but for capitals, signs of punctuation and small words that tell nothing."""
    return tokens(part) == tokens(other) and in_figures(part) == in_figures(other) and not turned(part, other)


def _comments(record: Record) -> list[str]:
    """The comments of the head. A sign in quotation marks begins none."""
    head = record.text[record.head.start : record.head.end] if record.head else ""
    return _COMMENT.findall(_QUOTED.sub("''", _plain(head))) if "#" in head else []


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")
