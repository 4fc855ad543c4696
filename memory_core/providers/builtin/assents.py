"""A yes: whether it was one, what it agreed to, and what it changes of that.

The proposal is the assistant's, the word that makes it a decision the person's. Picks and answers are `takeup`.
"""

from __future__ import annotations

import re

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.answers import specifies
from memory_core.providers.builtin.choices import decision, own_reason, reasons_near, words_of
from memory_core.providers.builtin.fulfilled import changed
from memory_core.providers.builtin.passing import withheld
from memory_core.providers.builtin.proposals import proposal_in
from memory_core.providers.builtin.sentences import (
    capitalized,
    language_of,
    matching,
    sentences,
    spoken,
    weight,
)
from memory_core.providers.builtin.turns import Finding, Turn, cues_of
from memory_core.providers.builtin.verdicts import observes

# What changes a thing that was just taken up.
_CHANGES = re.compile(
    r"(?:^|(?<=[、,，。\s]))(?P<change>(?:ただし|但し|但是?|不过|只是|다만|단,|(?:but|though|only|except)\b|"
    r"(?<![^。])でも(?=[^、])).*)$",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
# A figure that a person settles with their yes.
_FINE = re.compile(
    r"(?P<how>(?=[^,;.:?!]{0,20}\d)[^,;.:?!]{2,50}?) (?:is|are|sounds|works|should be) "
    r"(?:fine|ok|okay|good|right|enough|plenty)\b",
    re.IGNORECASE,
)
_OUGHT = re.compile(
    r"\b(?:should(?:n'?t)?|ought to|must(?:n'?t)?|needs? to|has to|alternatively|instead|better|i'?d (?:suggest|"
    r"propose|go|use)|we'?d)\b"
    r"|\b(?:we|i) (?:could|can|would|compare|use|keep|store|move|split)\b"
    r"|べき|ほうが|方が|必要があ|代わりに|おすすめ|应该|最好|不如|建议|改为|야 (?:합니다|해요)|게 좋|대신",
    re.IGNORECASE,
)
_ALTERNATIVELY = re.compile(r"^(?:alternatively|then|so|instead)[,:]?\s+", re.IGNORECASE)
_SUGGESTS = re.compile(r"^i(?:'d| would)? (?:suggest|propose|recommend|advise) (?=\w+ing\b)", re.IGNORECASE)
# A message that is nothing but a yes, and one that takes a thing.
_BARE_YES = re.compile(
    r"(?:(?:ok|okay|yes|yeah|yep|fine|right|good|fair enough|agreed|exactly|sold|go|deal|perfect|"
    r"makes sense|sounds good|that settles it|let's do (?:that|it|this)|do (?:it|that)|"
    r"go for it|go ahead|take (?:that|it|that one))[\s,.!]*){1,4}",
    re.IGNORECASE,
)
_TAKES = re.compile(r"\btake (?:that|it|that one)\b|\bsold\b", re.IGNORECASE)
# How a thing is to be done, told without asking.
_WAY = re.compile(
    r"\bi'?d (?!(?:say|guess|think|like|love|be|have|need|assume|expect|bet|rather not|not)\b)\w+ \w"
    r"|^then (?:an?|the) \w|\bwould (?:fit|do|suit|be (?:enough|better|best|simplest|cleanest))\b"
    r"|\bis the only (?:one|way|\w+) (?:that|which)\b",
    re.IGNORECASE,
)
_LAST = 4  # sentences at the end of a message that a yes may be about
_TELLING = 3  # content words of a sentence that tells a plan


def agrees(turn: Turn) -> str | None:
    """What a message says behind its yes; None where it does not begin with one."""
    text = " ".join(spoken(turn.text).split())
    match = turn.cues.assent.match(matching(text))
    return text[match.end() :].strip() if match else None


def withholds(turn: Turn) -> bool:
    """Whether a message begins with a yes and goes on to say that it was none: `ok, I'll think about it`."""
    rest = agrees(turn)
    first = sentences(rest)[:1] if rest else ()
    asks = any(turn.cues.question.search(sentence.plain) for sentence in first)
    return bool(rest) and (asks or withheld(rest or ""))


def agreed(turn: Turn, before: EvidenceItem) -> Finding | None:
    """The assistant's proposal that a yes takes up, with what the message says of it besides."""
    if taken := _taken_plainly(turn, before):
        return decision(turn, [], taken[0], reasons_near(before.text, taken[1]), (before, turn.human), 0.75)
    rest = agrees(turn)
    if rest is None or (rest and turn.cues.question.search(rest)):
        return None
    proposal = proposal_in(before.text) or _backed(before, rest)
    if proposal is None or not _borne_out(turn, rest):
        return None
    thing, place = proposal
    if altered := changed_by(turn, thing, rest):
        turn.known[changed_by] = altered[1]
        return decision(turn, [], altered[0], "", (before, turn.human), 0.8)
    how = rest.rstrip(" .!")
    if language_of(how) == "en" and specifies(how, turn.cues):
        thing = f"{thing.rstrip('.')}: {how}"  # `yes, 20 MB per file, 5 at once`
    elif fine := _FINE.match(rest):
        thing = (
            f"{thing.rstrip('.')}{';' if ':' in thing else ':'} {fine['how']}"  # `yes do that, 1000 per batch is fine`
        )
    why = own_reason(turn, rest) or reasons_near(before.text, place)
    return decision(turn, [], thing, why, (before, turn.human), 0.8)


def _taken_plainly(turn: Turn, before: EvidenceItem) -> tuple[str, int] | None:
    """(the way that a message ends by telling in any mood, number of its sentence), where the person's whole answer is
    a yes and files were then changed for it."""
    if not changed(turn) or not _BARE_YES.fullmatch(matching(" ".join(spoken(turn.text).split()))):
        return None
    said = sentences(before.text)
    if proposal_in(before.text) or any(cues_of(s.plain).question.search(s.plain) for s in said[-_LAST:]):
        return None
    last = said[-1] if said else None
    tells = last and last.weight >= _TELLING and (_WAY.search(last.plain) or _TAKES.search(turn.text))
    return (capitalized(_ALTERNATIVELY.sub("", last.text)), len(said) - 1) if last and tells else None


def _borne_out(turn: Turn, rest: str) -> bool:
    """Whether a yes stands by itself. One that goes on to tell how something is may be said to that: then only files
    that were changed for it show that it was taken for a yes."""
    first = sentences(rest)[:1]
    return changed(turn) or not any(observes(sentence, turn.cues) for sentence in first)


def _backed(before: EvidenceItem, rest: str) -> tuple[str, int] | None:
    """(the thing, number of its sentence) of a message that ends by saying how it should be done, without asking; where
    the person's yes names it again, any of its last sentences that does."""
    said = sentences(before.text)
    named = set(words_of(rest))
    for place in range(len(said) - 1, max(-1, len(said) - _LAST - 1), -1):
        sentence = said[place]
        if cues_of(sentence.plain).question.search(sentence.plain) or sentence.weight < _TELLING:
            continue
        ought = _OUGHT.search(sentence.plain)
        if ought and (named & set(words_of(sentence.text)) or (not named and place >= len(said) - 2)):
            return capitalized(_SUGGESTS.sub("", _ALTERNATIVELY.sub("", sentence.text))), place
    return None


def changed_by(turn: Turn, thing: str, rest: str) -> tuple[str, int] | None:
    """(a thing with what a message changes of it behind its yes or its pick, how many characters at the start of the
    message that takes): `1で。ただし上限は500件`. Two decisions would speak against each other."""
    cues = turn.cues
    for place, sentence in enumerate(sentences(rest)[:2]):
        match = _CHANGES.search(sentence.plain)
        if not match or any(cue.search(sentence.plain) for cue in (cues.question, cues.hedge, cues.joke, cues.defer)):
            continue
        change = sentence.text[match.start("change") :]
        figures = _FIGURE.search(change) and _FIGURE.search(thing)
        if weight(change) < 1 or (place and match.start()) or (change[:1].isascii() and not figures):
            continue  # in English, what stands behind `but` is a choice that can be read alone, unless it is a figure
        wide = language_of(change) in ("ja", "zh")
        told = next((n for n, said in enumerate(turn.said) if change in said.text), len(turn.said) - 1)
        until = sum(len(said.text) + 1 for said in turn.said[: told + 1])
        return f"{thing.rstrip('.。')}{'。' if wide else ', '}{change}", until
    return None
