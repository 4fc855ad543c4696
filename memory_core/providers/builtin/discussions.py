"""Topics that a person weighed or left open. Talk that ended in a decision, or just ended, is none."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.sentence_parts import without_filler
from memory_core.providers.builtin.sentences import Sentence, capitalized, join, sentences, weight
from memory_core.providers.builtin.turns import ANSWERS, Finding, Turn, cues_of

_POINTS = 4
_NAMES = 5  # content words by which a sentence names what it leaves open
_LONG = 300


def left_open(turn: Turn) -> Iterator[Finding]:
    """The topic that a message leaves open on purpose; at most one."""
    for sentence in turn.said:
        cues = turn.cues
        match = cues.defer.search(sentence.plain)
        if not match or cues.joke.search(sentence.plain) or cues.reported.search(sentence.plain):
            continue
        named = next((group for group in match.groups() if group), "")
        topic, points, evidence = _topic(turn, sentence, match.span(), named)
        if topic and points:
            yield Finding("discussions", {"topic": topic, "points": points}, evidence, 0.55)
            return


def _topic(
    turn: Turn, sentence: Sentence, span: tuple[int, int], named: str
) -> tuple[str, list[str], tuple[EvidenceItem, ...]]:
    """(topic, points, evidence): what was left open is what the sentence names, whose part `span` only says that it is
    left open, but for what is `named` in it; where it only points at something, the assistant's question, or the
    person's own, which the assistant had answered."""
    own = [s.text for s in turn.said if s.weight >= 3 and not turn.cues.joke.search(s.plain)]
    rest = Sentence("", f"{sentence.plain[: span[0]]} {named} {sentence.plain[span[1] :]}")
    if turn.before and (asked := _asked_about(turn)):
        question, asker = asked
        told = [
            s for s in sentences(turn.before.text) if s.weight >= 2 and not cues_of(s.plain).question.search(s.plain)
        ]
        weighed = [s.text for s in told if asker is not turn.before or _weighs(s)]
        points = [*weighed[:_POINTS], *own[:2]] or [sentence.text]
        evidence = (turn.before, turn.human) if asker is turn.before else (asker, turn.before, turn.human)
        if asker is turn.before or rest.weight < _NAMES or turn.cues.pronoun.search(sentence.plain):
            return question, [join([point], _LONG) for point in points], evidence
    if rest.weight < 3 and not weight(named):
        return _before(turn, sentence)
    text = capitalized(without_filler(sentence.text, turn.cues))
    others = [point for point in own if point != sentence.text][:_POINTS]
    return join([text], _LONG), [join([point], _LONG) for point in others or [text]], (turn.human,)


def _asked_about(turn: Turn) -> tuple[str, EvidenceItem] | None:
    """The question that a message leaves open, and who asked it: the assistant's last, else the one that the person had
    put just before and the assistant weighed."""
    if question := _question(turn):
        assert turn.before is not None  # noqa: S101 - a question of the assistant stands in a message
        return question, turn.before
    earlier = turn.earlier
    if earlier is None or earlier.subtype in ANSWERS or turn.before is None:
        return None
    asked = [s for s in earlier.said if earlier.cues.question.search(s.plain) and s.weight >= 2]
    if not asked:
        return None
    first, last = earlier.said.index(asked[0]), earlier.said.index(asked[-1])
    return join([s.text for s in earlier.said[first : last + 1]], _LONG), earlier.human


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
    asked = [s for s in said if cues_of(s.plain).question.search(s.plain) and s.weight >= 3]
    return join([asked[-1].text], _LONG) if asked else ""


def _weighs(sentence: Sentence) -> bool:
    cues: Cues = cues_of(sentence.plain)
    return bool(cues.side.search(sentence.plain)) and sentence.weight >= 3 and not cues.question.search(sentence.plain)
