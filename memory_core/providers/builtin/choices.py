"""The shape of a decision that answers the assistant: what was chosen, and the reason somebody gave for it.

Finds no decision; `takeup` and `replies` do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.sentences import (
    Sentence,
    content,
    join,
    language_of,
    matching,
    sentences,
    weight,
)
from memory_core.providers.builtin.turns import ANSWERS, Finding, Turn, cues_of
from memory_core.text import shorten

_MOST = 420
_NAMES = 3  # content words of a statement that can name what is pointed at
_CONTEXT = 180  # characters of the assistant's sentence that a terse choice is told with
_ANSWER_TO = {"en": "{} (in answer to: {})", "ja": "{}（対象: {}）", "zh": "{}（针对: {}）", "ko": "{} (대상: {})"}
# A choice that opens by pointing at something: read alone, it does not say at what.
_POINTS_BACK = re.compile(
    r"(?:(?:and|but|so|well)[\s,]+)?(?:that|this|it)(?:'s|'ll|\s+(?:is|was|won't|will|doesn't|does|can't))\b"
    r"|(?:それ|これ|あれ|そっち|その案)(?:は|を|で|だと|じゃ|も)|(?:这个?|那个?)(?:是|不|行|就)|(?:그건|이건|그것은|이것은)",
    re.IGNORECASE,
)

# One that says what is to be done with something, and little else: `Put it in the footer`, `Keep them`.
_POINTS_AT = re.compile(r"(?:don't |do not |never )?[a-z]+ (?:it|them|(?:that|this|the other) one)\b", re.IGNORECASE)
_BARE = 2  # content words below which a choice does not say of what it is one
_LITTLE = 3  # content words of such a choice


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


def in_answer_to(chosen: str, context: str) -> str:
    """A terse choice with what it answers, so that it can be read alone."""
    form = _ANSWER_TO[language_of(f"{chosen} {context}")]
    return form.format(chosen.rstrip("。"), shorten(context, _CONTEXT)) if context else chosen


def told_of_what(finding: Finding, before: EvidenceItem) -> Finding:
    """A choice of a bare word (`nightly`, `pin it`) with the assistant's sentence that holds the word, without which
    nobody knows what it is about; as it is where it says more, was weighed
    against others by name, or no sentence holds it."""
    chosen = str(finding.fields["chosen"])
    if finding.fields["options"] or weight(chosen) >= _BARE or len(chosen) > _CONTEXT:
        return finding
    words = content(chosen)
    told = [s for s in sentences(before.text) if s.weight >= _NAMES and words & content(s.text)]
    stated = [s for s in told if not cues_of(s.plain).question.search(s.plain)]
    context = next((s.text for s in (*reversed(stated), *reversed(told))), "")
    return replace(finding, fields={**finding.fields, "chosen": in_answer_to(chosen.rstrip(" ."), context)})


def standing_alone(turn: Turn, place: int, chosen: str) -> str:
    """A choice that points back (`that's a dead end`) with what it points at: the assistant's last statement. One that
    has a sentence before it in the message points at that."""
    told_before = any(sentence.weight >= _NAMES - 1 for sentence in turn.said[:place])
    points = _POINTS_BACK.match(chosen) or (_POINTS_AT.match(chosen) and weight(chosen) <= _LITTLE)
    if told_before or turn.before is None or not points:
        return chosen
    named: list[str] = []
    said = sentences(turn.before.text)
    for sentence in reversed(said):
        cues = cues_of(sentence.plain)
        if sentence.weight < _NAMES or cues.question.search(sentence.plain) or cues.announce.search(sentence.plain):
            continue
        named.insert(0, sentence.text)
        if not _POINTS_BACK.match(sentence.plain):
            return in_answer_to(chosen, " ".join(named))
    told = " ".join(named) or next((s.text for s in said[-1:] if s.weight >= _NAMES - 1), "")
    return in_answer_to(chosen, told)
