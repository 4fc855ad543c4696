"""What an assistant put to a person: options to pick from, one thing to agree to, or an open question.

Reads one message. Whether the person took it up is `takeup`'s business; an assistant's plan alone decides nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.sentences import Sentence, capitalized, sentences, spoken, weight
from memory_core.providers.builtin.turns import cues_of

_OPTION = re.compile(
    r"^\s*(?:[-*•]\s*)?(?:#{1,4}\s*)?(?:\*\*)?(?:(?:option|approach|plan|choice|案|プラン|オプション|方案|选项)\s*)?"
    r"(?P<label>[1-9１-９]|[A-Da-dＡ-Ｄ]|[①-④]|[一二三四])(?:\s*[.)）:：、]|\s+[—–-])\s*(?P<text>\S.*)$",
    re.IGNORECASE,
)
_WIDE = str.maketrans("１２３４５６７８９ＡＢＣＤ①②③④一二三四", "123456789ABCD12341234")
# What tells that a list is one to pick from, where the message does not end by asking.
_TO_PICK = re.compile(
    r"\b(?:options?|ways|approaches|alternatives|choices|possibilities|recommend(?:ation)?)\b|選択肢|案が|方法が|方案|选择|推荐",
    re.IGNORECASE,
)
_TAIL = 3  # sentences at the end of a message in which it may ask for assent
_ENOUGH = 3  # content words a proposal needs to say what it is about
_TRIM = " *_:：—–-"


@dataclass(frozen=True, slots=True)
class Options:
    """Options an assistant offered: label (`1`, `a`) to text, in order, and the question they answer."""

    texts: dict[str, str]
    question: str = ""


def options_in(text: str) -> Options | None:
    """The last list of labelled options of a message that asks, or calls them options; None where there is none."""
    found: dict[str, str] = {}
    for line in spoken(text).split("\n"):
        match = _OPTION.match(line)
        if not match:
            continue
        label = match["label"].translate(_WIDE).lower()
        if label in ("1", "a"):
            found = {}
        said = sentences(match["text"])
        if said and said[0].weight:
            found[label] = said[0].text.strip(_TRIM)
    said = sentences(text)
    cues = cues_of(" ".join(sentence.plain for sentence in said))
    asks = [sentence.text for sentence in said if cues.question.search(sentence.plain) and not sentence.item]
    told = any(_TO_PICK.search(sentence.plain) and not sentence.item for sentence in said)
    return Options(found, asks[-1] if asks else "") if len(found) >= 2 and (asks or told) else None


def proposal_in(text: str) -> tuple[str, int] | None:
    """(the one concrete thing that a message asks assent for, number of its sentence); None where it asks for none, for
    several, for a choice between two, or for something that decides nothing."""
    said = sentences(text)
    cues = cues_of(" ".join(sentence.plain for sentence in said))
    asked = [place for place, sentence in enumerate(said) if cues.question.search(sentence.plain)]
    if not asked or asked[-1] < len(said) - _TAIL:
        return None
    place = asked[-1]
    if cues.confirm.search(said[place].plain):
        return _advised(said[:place], cues)
    if len([number for number in asked if number >= place - 2]) > 1 or cues.either.search(said[place].plain):
        return None
    thing = _offered(said[place], cues)
    if thing is None or cues.routine.search(thing) or weight(thing) < _ENOUGH:
        return None
    return capitalized(thing), place


def question_in(text: str) -> str | None:
    """The question between two ways that a message ends with."""
    said = sentences(text)
    cues = cues_of(" ".join(sentence.plain for sentence in said))
    asked = [place for place, sentence in enumerate(said) if cues.question.search(sentence.plain)]
    if not asked or asked[-1] < len(said) - _TAIL:
        return None
    for place in (asked[-1], asked[-1] - 1):  # `I could do this or that. Which one?`
        if place >= 0 and cues.either.search(said[place].plain) and said[place].weight > _ENOUGH:
            return said[place].text
    return None


def _offered(sentence: Sentence, cues: Cues) -> str | None:
    """The thing that a question offers, without the words of asking."""
    match = cues.offer.search(sentence.text)
    if not match:
        return None
    named = [value for value in match.groupdict().values() if value]
    thing = named[0] if named else sentence.text[match.end() :]
    return thing.strip().rstrip("?？。 ") or None


def _advised(said: tuple[Sentence, ...], cues: Cues) -> tuple[str, int] | None:
    """The plan told in the sentences before a bare `OK?`."""
    for place in range(len(said) - 1, max(-1, len(said) - 7), -1):
        match = cues.advice.search(said[place].plain)
        if match and said[place].weight >= _ENOUGH and not cues.question.search(said[place].plain):
            start = match.end() if match.start() == 0 and said[place].plain == said[place].text else 0
            thing = said[place].text[start:] if start else said[place].text
            return capitalized(thing.strip(_TRIM)), place
    return None
