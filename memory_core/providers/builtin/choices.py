"""The shape of a decision that answers the assistant: what was chosen, and the reason somebody gave for it.

Finds no decision; `takeup` and `replies` do.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.sentences import Sentence, content, join, matching, sentences, weight
from memory_core.providers.builtin.turns import ANSWERS, Finding, Turn, cues_of

_MOST = 420


def decision(
    turn: Turn, options: list[str], chosen: str, why: str, evidence: tuple[EvidenceItem, ...], score: float
) -> Finding:
    if content(why) <= content(chosen):  # the choice in other words is no reason for it
        why = ""
    fields = {
        "options": options,
        "chosen": join([chosen], _MOST),
        "rationale": join([why], _MOST),
    }
    assert turn.subtype in ANSWERS or turn.human in evidence  # noqa: S101 - a person's word supports every decision
    return Finding("decisions", fields, evidence, score)


def own_reason(turn: Turn, rest: str) -> str:
    """The reason that a person gave behind their yes."""
    if not rest or weight(rest) < 2:
        return ""
    reasons = [
        sentence.text
        for sentence in sentences(rest)[:2]
        if turn.cues.because.search(sentence.plain) or turn.cues.reason.search(sentence.plain)
    ]
    return join(reasons, _MOST)


def reasons_near(text: str, place: int) -> str:
    """The reasons an assistant gave in the paragraph of its proposal and the one before it."""
    said = sentences(text)
    paragraph = said[place].paragraph
    near = [sentence for sentence in said if paragraph - 1 <= sentence.paragraph <= paragraph]
    return reasons_in(near, [said[place].text])


def reasons_in(said: Sequence[Sentence], about: Sequence[str]) -> str:
    """Sentences that give a reason; those that name the chosen thing first."""
    topic = {word for text in about for word in words_of(text)}
    reasons = []
    for sentence in said:
        cues = cues_of(sentence.plain)
        passing = any(cue.search(sentence.plain) for cue in (cues.question, cues.announce, cues.hedge))
        if (
            cues.reason.search(sentence.plain)
            and not passing
            and not any(sentence.text.strip(".。") in t for t in about)
        ):
            reasons.append((-len(topic & set(words_of(sentence.text))), sentence.text))
    related = [text for shared, text in reasons if shared < 0]
    return join(related[:2], _MOST)


def words_of(text: str) -> list[str]:
    return [
        word
        for word in matching(text).lower().replace("?", " ").replace("？", " ").replace(",", " ").strip(" .").split()
        if weight(word)
    ]
