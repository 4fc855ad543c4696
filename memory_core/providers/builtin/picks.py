"""Replies that pick, by its name, one of two things that were put against each other: `right, AGPL is out. pdfplumber`.

A pick by number or letter, and a whole answer to the assistant's own question, are `takeup`.
"""

from __future__ import annotations

import re

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.choices import decision, reasons_in
from memory_core.providers.builtin.sentences import Sentence, capitalized, join, sentences, weight
from memory_core.providers.builtin.turns import ANSWERS, Finding, Turn, cues_of

_MOST_SAID = 3  # sentences of a reply that picks
_SHORT = 16  # content words of one
_REASON = 1  # content words of a clause that can be a reason: `AGPL is a no go for us` has one
_ABOUT = 2  # content words that tell something of a thing, at least
_MOST = 420
# The two names beside an `or`; words that only ask or that every pair could hold name nothing.
_EITHER = re.compile(
    r"(?<![\w`.+#/-])(?P<one>[\w`][\w`.+#/-]{0,60}),? or (?:(?:the|a|an|use|with|to|on|in|go with|rather|just) )?"
    r"(?P<other>[\w`][\w`.+#/-]{0,60})",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"(?:yes|no|not|it|this|that|these|those|one|two|more|less|so|else|them|me|you|we|i|what|which|both|either|"
    r"something|anything|other|another|later|now|\d+)$",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[,;:]\s|\s[–—-]\s|[.!](?=\s|$)")
_LEAD = re.compile(
    r"(?:(?:ok|okay|right|yes|yeah|yep|sure|so|and|then|well|good|fine|please|agreed|let's|we'll|i'll|go with|take|"
    r"use|it's)\b[\s,]*){0,4}",
    re.IGNORECASE,
)
_TRAIL = re.compile(r"[\s,]+(?:then|please|pls|it is|for me)$", re.IGNORECASE)
# A clause that says how something is of something it names.
_TELLS = re.compile(
    r"^(?!(?:i|you|it|that|this|he|she)\b)\S.*\b(?:is|are|isn't|aren't|has|have|needs?|can't|cannot|won't|costs?|"
    r"requires?)\b|^we (?:have|don't|need|can't|already|know|use)\b|^(?:because|since)\b",
    re.IGNORECASE,
)


def picked_by_name(turn: Turn, before: EvidenceItem) -> Finding | None:
    """The thing that a short reply names out of two, which the assistant or the person had just asked between and the
    assistant wrote about; with the reason that the person gives, else the assistant's. None where the reply says more,
    or asks, doubts, or tells of a failure."""
    said = turn.said
    if len(said) > _MOST_SAID or sum(s.weight for s in said) > _SHORT or any(_passing(turn, s) for s in said):
        return None
    offered = _offered(turn, before)
    if offered is None:
        return None
    pieces = [piece for s in said for piece in _PIECE.split(s.text) if piece.strip()]
    names = [name for piece in pieces if (name := _named(piece, offered))]
    rest = [piece for piece in pieces if not _named(piece, offered) and weight(_LEAD.sub("", piece, count=1))]
    if len(names) != 1 or not all(_TELLS.search(piece) and weight(piece) >= _REASON for piece in rest):
        return None
    chosen = names[0]
    why = capitalized(join([piece.strip() for piece in rest], _MOST)) or _of_assistant(before, chosen)
    options = [chosen, *(name for name in offered if name != chosen)]
    return decision(turn, options, chosen, why, (before, turn.human), 0.85)


def _passing(turn: Turn, sentence: Sentence) -> bool:
    cues = turn.cues
    gone = (cues.question, cues.hedge, cues.joke, cues.reported, cues.defer, cues.moment, cues.failed, cues.bug)
    return any(cue.search(sentence.plain) for cue in gone)


def _offered(turn: Turn, before: EvidenceItem) -> tuple[str, str] | None:
    """The two names of the last question between two things: the assistant's, else the person's own just before. Both
    One of them must stand in what the assistant said besides: of things only asked about, a name says too little."""
    asked = sentences(before.text)
    if turn.earlier is not None and turn.earlier.subtype not in ANSWERS:
        asked = (*turn.earlier.said, *asked)
    told = " ".join(s.text for s in sentences(before.text) if not cues_of(s.plain).question.search(s.text)).lower()
    for sentence in reversed(asked):
        if not cues_of(sentence.plain).question.search(sentence.text):
            continue
        match = _EITHER.search(sentence.text)
        if match is None:
            continue
        pair = match["one"].strip("`.,"), match["other"].strip("`.,")
        if not any(name.lower() in told for name in pair) or any(not name or _NO_NAME.match(name) for name in pair):
            return None
        return pair
    return None


def _named(piece: str, offered: tuple[str, str]) -> str:
    """The one of the offered names that a clause consists of, as it was offered; empty where it says anything else."""
    bare = _TRAIL.sub("", _LEAD.sub("", piece.strip(" `.!"), count=1)).strip(" `.!").lower()
    return next((name for name in offered if name.lower() == bare), "")


def _of_assistant(before: EvidenceItem, chosen: str) -> str:
    """What the assistant said for the thing: sentences with a reason, else what it tells of it without asking."""
    said = sentences(before.text)
    if reasons := reasons_in(said, [chosen]):
        return reasons
    about = [
        s.text
        for s in said
        if chosen.lower() in s.text.lower() and not cues_of(s.plain).question.search(s.text) and s.weight > _ABOUT
    ]
    return join(about[-2:], _MOST)
