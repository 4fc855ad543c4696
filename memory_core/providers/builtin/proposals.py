"""What an assistant put to a person: options to pick from, one thing to agree to, or an open question.

Reads one message. Whether the person took it up is `takeup`'s business; an assistant's plan alone decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.sentences import Sentence, capitalized, sentences, spoken, weight
from memory_core.providers.builtin.turns import cues_of

_OPTION = re.compile(
    r"^\s*(?:[-*•]\s*)?(?:#{1,4}\s*)?(?:\*\*)?[(（]?(?:(?:option|approach|plan|choice|案|プラン|オプション|方案|"
    r"选项)\s*)?"
    r"(?P<label>[1-9１-９]|[A-Da-dＡ-Ｄ]|[①-④]|[一二三四])(?:\s*[.)）:：、]|\s+[—–-])\s*(?P<text>\S.*)$",
    re.IGNORECASE,
)
# The same within a sentence: `(a) keep it, or (b) drop it`, `1. an index 2. a cache`.
_INLINE = re.compile(
    r"(?:(?<=\s)|(?<=^)|(?<=[:：、，。]))[(（]?(?P<label>[1-4a-d])(?:[)）]\s*|(?<=[1-4])\.\s+)(?P<text>\S.*?)"
    r"(?=[\s,;、，；]*(?:\b(?:or|and)\b|または|或者|또는)?[\s,;、，；:]*[(（]?(?:[1-4a-d][)）]|[1-4]\.\s)|[.。?？!](?:\s|$)|\n|$)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*[-*•]\s+(?P<text>\S.*)$")
WIDE = str.maketrans("１２３４５６７８９ＡＢＣＤ①②③④一二三四", "123456789ABCD12341234")
# What tells that a list is one to pick from, where the message does not end by asking.
_TO_PICK = re.compile(
    r"\b(?:options?|ways|approaches|alternatives|choices|possibilities|recommend(?:ation)?)\b|\beither\b|\bprefer\b"
    r"|選択肢|案(?:が|は)|[二三四2-4](?:つ|通り)|どちら|方法(?:が|は)|やり方|方案|选择|推荐|办法|方式|[两三几]种|"
    r"방법|선택|방안|가지",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:plan|approach|steps?|proposal|propose|suggest|recommend|would do|i'?d do|going to|next|changes?|structure)\b"
    r"|方針|計画|手順|提案|構成|流れ|次のように|以下のように|计划|方案|步骤|建议|계획|방안|단계|제안|순서",
    re.IGNORECASE,
)
_COULD = re.compile(
    r"\b(?:could|can|either|would|options?|alternatively)\b|か、|どちらか|できます|可以|要么|수 있", re.IGNORECASE
)
_POINTS = re.compile(
    r"(?:の|を|も|両方|これ|それ|この|上記|以上|both\b|these\b|this\b|that\b|it\b|all of)", re.IGNORECASE
)
# A question about how something is, not about what to do: its answer is a fact of the moment.
_FACT = re.compile(
    r"^(?:so|and|but|ok|hmm|wait)?[,\s]*(?:do|does|did|is|are|was|were|has|have|had|can|could)(?:n't)?\s+"
    r"(?!you (?:want|prefer|like|need|think|mind)|(?:it|this|that) (?:ok|okay|fine|better|enough|alright)|"
    r"we (?:want|need|use|go|keep))"
    r"|^(?:what|why|where|when|who|how (?:come|did|does|is|are))\b(?!.{0,40}\b(?:prefer|want|should|rather|like)\b)",
    re.IGNORECASE,
)
# One act of the moment on things of this session: an errand, unless it says in what way.
_ERRAND = re.compile(
    r"^(?:also |now )?(?:move|rename|delete|sketch|draft|open|close|copy|clean up|tidy(?: up)?|reformat) "
    r"(?:the|those|these|that|this|both|all|it|them|its)\b"
    r"(?!.*\b(?:with|as(?! well)|instead|per|using|by|via|to|into|behind|rather|because)\b)",
    re.IGNORECASE,
)
_STEPS = 4  # steps of a plan that tell what it is
_TAIL = 3  # sentences at the end of a message in which it may ask for assent
_ENOUGH = 3  # content words a proposal needs to say what it is about
_TRIM = " *_:：—–-"


@dataclass(frozen=True, slots=True)
class Options:
    """Options an assistant offered: label (`1`, `a`) to text, in order, and the question they answer. `labelled`:
    whether it gave the labels; bullets are numbered here, for `the first one`."""

    texts: dict[str, str]
    question: str = ""
    labelled: bool = True


def options_in(text: str) -> Options | None:
    """The last list of options of a message that asks, or calls them options; None where there is none."""
    lines = spoken(text).split("\n")
    found = _labelled([match for line in lines if (match := _OPTION.match(line))])
    if len(found) < 2:
        found = _labelled([match for line in lines for match in _INLINE.finditer(line)], once=True)
    labelled = len(found) >= 2
    if not labelled:
        bullets = [match["text"] for line in lines if (match := _BULLET.match(line))]
        found = {
            str(number): said[0].text.strip(_TRIM) for number, b in enumerate(bullets, 1) if (said := sentences(b))
        }
    said = sentences(text)
    cues = cues_of(" ".join(sentence.plain for sentence in said))
    asks = [sentence.text for sentence in said if cues.question.search(sentence.plain) and not sentence.item]
    told = any(_TO_PICK.search(sentence.plain) and not sentence.item for sentence in said)
    return Options(found, asks[-1] if asks else "", labelled) if len(found) >= 2 and (asks or told) else None


def _labelled(matches: Sequence[re.Match[str]], *, once: bool = False) -> dict[str, str]:
    """Label to text of a list. A list that starts anew replaces the one before it; with `once`, a label that comes
    again only speaks of its option."""
    found: dict[str, str] = {}
    for match in matches:
        label = match["label"].translate(WIDE).lower()
        if once and label in found:
            continue
        if label in ("1", "a"):
            found = {}
        said = sentences(match["text"])
        if said and said[0].weight and (found or label in ("1", "a")):
            found[label] = said[0].text.strip(_TRIM + ",;、，；")
    return found


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
        advised = _advised(said[:place], cues)
        points = _planned(said[:place], led=not (advised and _POINTS.match(advised[0])))
        return points if advised is None or (points and _POINTS.match(advised[0])) else advised
    if len([number for number in asked if number >= place - 2]) > 1 or cues.either.search(said[place].plain):
        return None
    thing = _offered(said[place], cues)
    if thing is None or cues.routine.search(thing) or _ERRAND.match(thing) or weight(thing) < _ENOUGH:
        return None
    return capitalized(thing), place


def asks_for_fact(question: str) -> bool:
    """Whether a question is about how something is, so that its answer is a fact of the moment."""
    return bool(_FACT.search(question))


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


def alternatives_in(text: str) -> str | None:
    """The sentence at the end of a message that sets two ways against each other without asking: `I can do this, or do
    that.`"""
    for sentence in reversed(sentences(text)[-_TAIL - 1 :]):
        cues = cues_of(sentence.plain)
        if _COULD.search(sentence.plain) and cues.either.search(sentence.plain) and sentence.weight > 2 * _ENOUGH:
            return sentence.text
    return None


def _offered(sentence: Sentence, cues: Cues) -> str | None:
    """The thing that a question offers, without the words of asking."""
    match = cues.offer.search(sentence.text)
    if not match:
        return None
    named = [value for value in match.groupdict().values() if value]
    thing = named[0] if named else sentence.text[match.end() :]
    return thing.strip().rstrip("?？。 ") or None


def _planned(said: tuple[Sentence, ...], *, led: bool) -> tuple[str, int] | None:
    """The first steps of the last list before a bare `OK?`, where what leads up to it calls it a plan (`led`) or what
    follows it points back at it."""
    items = [place for place, sentence in enumerate(said) if sentence.item and sentence.weight >= _ENOUGH - 1]
    if not items:
        return None
    first = next(place for place in items if all(n in items or not said[n].item for n in range(place, items[-1])))
    leads = said[max(0, first - 3) : first]
    if led and not any(
        _PLAN.search(sentence.plain) or cues_of(sentence.plain).advice.search(sentence.plain) for sentence in leads
    ):
        return None
    steps = [said[place].text.strip(_TRIM + ".。") for place in items[:_STEPS]]
    return "; ".join(steps), items[0]


def _advised(said: tuple[Sentence, ...], cues: Cues) -> tuple[str, int] | None:
    """The plan told in the sentences before a bare `OK?`."""
    for place in range(len(said) - 1, max(-1, len(said) - 7), -1):
        match = cues.advice.search(said[place].plain)
        if match and said[place].weight >= _ENOUGH and not cues.question.search(said[place].plain):
            start = match.end() if match.start() == 0 and said[place].plain == said[place].text else 0
            thing = said[place].text[start:] if start else said[place].text
            return capitalized(thing.strip(_TRIM)), place
    return None
