"""Choices, corrections and rules that a person stated in so many words. What a person merely agreed to is `takeup`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.providers.builtin.choices import standing_alone
from memory_core.providers.builtin.deciding import SPARES, decided, tells
from memory_core.providers.builtin.sentence_parts import LEAST_SAID, options_of, parted, without_filler
from memory_core.providers.builtin.sentences import capitalized, join, language_of, spoken
from memory_core.providers.builtin.turns import ANSWERS, Finding, Turn, ends_of

_MOST = 420  # characters of a chosen sentence or a rationale
_ARROW = re.compile(r"\s*(?:[-*•]\s+)?(?P<what>[^\s\d].{0,160}?)\s*(?:->|→|=>|⇒)\s*(?P<where>[\w@./~`-].{0,80})$")
# What is not to be done, or is to be done always: a rule that says its whole, as against the other half of one.
_NEGATES = re.compile(
    r"\b(?:no|not|never|don'?t|stop|avoid|always|every|must)\b|ない(?!と)|やめ|禁止|必ず|常に|不|别|必须|一律|"
    r"말(?:고|아|자)|마세요|반드시|항상",
    re.IGNORECASE,
)
# A sentence that stands for another one: it makes a rule of that one, and says nothing alone.
_STANDS_FOR = re.compile(
    r"(?:(?:これから|今後|次から|以後|以降|いつも|毎回|常に)?(?:は|も)?[、,]?\s*)?(?:そう(?:して|しよう|で)|同じ(?:で|に|ように))\S{0,8}[。！!]*$"
    r"|(?:以后|今后|下次|之后)?(?:都|也)?(?:这样|一样|照此|照这样)(?:做|办|来|处理)?(?:吧|就行|就好)?[。！!]*$"
    r"|(?:앞으로도?|다음부터도?|계속)?\s*(?:그렇게|똑같이)\s*(?:해|하자|합시다|해 ?주세요|할게요)?[.!]*$"
    r"|(?:(?:and|please|from now on|in future|next time|always|also|keep),?\s+){0,4}(?:do(?:ing)?|handle|keep) "
    r"(?:it |that |this )?(?:the same|like (?:that|this)|so|(?:it|that|this) (?:that|this) way)"
    r"(?:,?\s+(?:from now on|in future|next time|always|please|too|everywhere))*[.!]*$",
    re.IGNORECASE,
)
# What only limits the sentence before it, by its first words or by what it spares.
_LIMITS = re.compile(
    r"(?:ただし|但し|ただ[、,]|でも|(?:但是?|不过|只是)[，,]?|(?:다만|단,)|(?:the )?only exception\b|except(?:ion)?\b)",
    re.IGNORECASE,
)


def stated(turn: Turn, taken: int = 0) -> Iterator[Finding]:
    """The decisions in a person's own message. `taken`: how many characters at its start answered the assistant, which
    is `takeup`'s business."""
    scores = [
        0.0 if sentence_end <= taken else decided(turn, place) for place, sentence_end in enumerate(ends_of(turn))
    ]
    skip = False
    for place, score in enumerate(scores):
        if not score or skip:
            skip = False
            continue
        sentence = turn.said[place]
        if _STANDS_FOR.match(sentence.plain):
            continue
        chosen, reason = parted(sentence.text, turn.cues)
        chosen = standing_alone(turn, place, chosen)
        if main := _main_clause(turn, scores, place):
            chosen = join([_ended(main), chosen], _MOST)
        if place + 1 < len(scores) and excepts(turn, place + 1):
            skip = True
            chosen = join([_ended(chosen), turn.said[place + 1].text], _MOST)
        elif skip := _goes_on(turn, scores, place):
            more, why = parted(turn.said[place + 1].text, turn.cues)
            chosen, reason = join([_ended(chosen), more], _MOST), reason or why
        reason = reason or _reason_beside(turn, place + skip)
        fields = {
            "options": options_of(sentence, turn.cues),
            "chosen": join([chosen], _MOST),
            "rationale": join([reason], _MOST),
        }
        yield Finding("decisions", fields, (turn.human,), min(score + (0.1 if reason else 0.0), 1.0))


def mapped(turn: Turn) -> Iterator[Finding]:
    """Where things go, told line by line (`tools -> core/tools`), in answer to a proposal or a question."""
    if turn.before is None or turn.subtype in ANSWERS:
        return
    pairs = [match for line in spoken(turn.text).split("\n") if (match := _ARROW.match(line))]
    if len(pairs) >= 2:
        told = "; ".join(f"{match['what'].strip()} → {match['where'].strip()}" for match in pairs)
        fields = {"options": [], "chosen": join([told], _MOST), "rationale": ""}
        yield Finding("decisions", fields, (turn.before, turn.human), 0.75)


def excepts(turn: Turn, place: int) -> bool:
    """Whether the sentence at `place` only limits the one before it: `ただし…`, `except for…`."""
    sentence, before = turn.said[place], turn.said[place - 1]
    if not place or sentence.paragraph != before.paragraph or sentence.item:
        return False
    cues = turn.cues
    passing = any(cue.search(sentence.plain) for cue in (cues.question, cues.hedge, cues.joke, cues.defer))
    limits = _LIMITS.match(sentence.plain) or SPARES.search(sentence.plain)
    return bool(limits) and not passing and sentence.weight >= LEAST_SAID


def _main_clause(turn: Turn, scores: list[float], place: int) -> str:
    """What an exception is an exception to, where the sentence before it says so without deciding by itself."""
    if not place or scores[place - 1] or not excepts(turn, place):
        return ""
    before, cues = turn.said[place - 1], turn.cues
    return "" if tells(before, cues) or before.weight < LEAST_SAID else capitalized(without_filler(before.text, cues))


def _goes_on(turn: Turn, scores: list[float], place: int) -> bool:
    """Whether the next sentence only says the other half: `Don't do that. Use this.`"""
    if place + 1 >= len(scores):
        return False
    if _STANDS_FOR.match(turn.said[place + 1].plain):
        return True
    if not scores[place + 1]:
        return False
    this, following = turn.said[place], turn.said[place + 1]
    rules = [bool(turn.cues.rule.search(s.plain) or turn.cues.choice.search(s.plain)) for s in (this, following)]
    other_half = rules == [True, False] or (
        rules == [True, True] and bool(_NEGATES.search(this.plain)) and not _NEGATES.search(following.plain)
    )
    return this.paragraph == following.paragraph and not following.item and other_half


def _ended(text: str) -> str:
    return text if text[-1] in ".!?。！？" else f"{text}{'。' if language_of(text) in ('ja', 'zh') else '.'}"


def _reason_beside(turn: Turn, place: int) -> str:
    """The reason that a neighboring sentence of the same paragraph gives."""
    cues, sentence = turn.cues, turn.said[place]
    if place and cues.therefore.search(sentence.plain):
        return capitalized(without_filler(turn.said[place - 1].text, cues))
    if place + 1 >= len(turn.said):
        return ""
    following = turn.said[place + 1]
    fits = following.paragraph == sentence.paragraph and not following.item and following.weight >= LEAST_SAID
    if not fits or not cues.because.search(following.plain) or cues.question.search(following.plain):
        return ""
    return "" if decided(turn, place + 1) or cues.joke.search(following.plain) else following.text
