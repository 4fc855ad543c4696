"""Topics that a person weighed or left open. Talk that ended in a decision, or just ended, is none."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.decisions import without_filler
from memory_core.providers.builtin.sentences import Sentence, capitalized, join, sentences
from memory_core.providers.builtin.turns import Finding, Turn, cues_of

_POINTS = 4
_LONG = 300


def left_open(turn: Turn) -> Iterator[Finding]:
    """The topic that a message leaves open on purpose; at most one."""
    for sentence in turn.said:
        cues = turn.cues
        match = cues.defer.search(sentence.plain)
        if not match or cues.joke.search(sentence.plain) or cues.reported.search(sentence.plain):
            continue
        topic, points, evidence = _topic(turn, sentence, match.start(), match.end())
        if topic and points:
            yield Finding("discussions", {"topic": topic, "points": points}, evidence, 0.55)
            return


def _topic(turn: Turn, sentence: Sentence, start: int, end: int) -> tuple[str, list[str], tuple[EvidenceItem, ...]]:
    """(topic, points, evidence): the question that was left open is the assistant's, or stands in the sentence, whose
    part from `start` to `end` only says that it is left open."""
    own = [s.text for s in turn.said if s.weight >= 3 and not turn.cues.joke.search(s.plain)]
    question = _question(turn)
    if question and turn.before:
        weighed = [s.text for s in sentences(turn.before.text) if _weighs(s)]
        points = [*weighed[:_POINTS], *own[:2]] or [sentence.text]
        return question, [join([point], _LONG) for point in points], (turn.before, turn.human)
    rest = Sentence("", sentence.plain[:start] + " " + sentence.plain[end:])
    if rest.weight < 3:
        return _before(turn, sentence)
    text = capitalized(without_filler(sentence.text, turn.cues))
    others = [point for point in own if point != sentence.text][:_POINTS]
    return join([text], _LONG), [join([point], _LONG) for point in others or [text]], (turn.human,)


def _before(turn: Turn, sentence: Sentence) -> tuple[str, list[str], tuple[EvidenceItem, ...]]:
    """The same where a sentence says nothing but that something is left open: the one before it says what."""
    place = turn.said.index(sentence)
    told = turn.said[place - 1] if place else None
    if told is None or told.weight < 3 or told.paragraph != sentence.paragraph:
        return "", [], ()
    topic = join([capitalized(without_filler(told.text, turn.cues))], _LONG)
    return topic, [join([sentence.text], _LONG)], (turn.human,)


def _question(turn: Turn) -> str:
    """The last question of the assistant's message right before, where it says enough to be a topic."""
    if not turn.before:
        return ""
    said = sentences(turn.before.text)
    asked = [s for s in said[-3:] if cues_of(s.plain).question.search(s.plain) and s.weight >= 3]
    return join([asked[-1].text], _LONG) if asked else ""


def _weighs(sentence: Sentence) -> bool:
    cues: Cues = cues_of(sentence.plain)
    return bool(cues.side.search(sentence.plain)) and sentence.weight >= 3 and not cues.question.search(sentence.plain)
