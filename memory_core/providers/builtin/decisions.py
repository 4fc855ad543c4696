"""Choices, corrections and rules that a person stated in so many words. What a person merely agreed to is `takeup`."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.sentences import Sentence, capitalized, join, language_of, matching, weight
from memory_core.providers.builtin.turns import Finding, Turn

_MOST = 420  # characters of a chosen sentence or a rationale
_BARE = 2  # content words below which a sentence does not say what was chosen


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
        chosen, reason = parted(sentence.text, turn.cues)
        if skip := _goes_on(turn, scores, place):
            more, why = parted(turn.said[place + 1].text, turn.cues)
            chosen, reason = join([_ended(chosen), more], _MOST), reason or why
        reason = reason or _reason_beside(turn, place + skip)
        fields = {
            "options": options_of(sentence, turn.cues),
            "chosen": join([chosen], _MOST),
            "rationale": join([reason], _MOST),
        }
        yield Finding("decisions", fields, (turn.human,), min(score + (0.1 if reason else 0.0), 1.0))


def ends_of(turn: Turn) -> list[int]:
    """How far into the message, by its sentences' lengths, each sentence reaches."""
    ends, total = [], 0
    for sentence in turn.said:
        total += len(sentence.text) + 1
        ends.append(total - 1)
    return ends


def _goes_on(turn: Turn, scores: list[float], place: int) -> bool:
    """Whether the next sentence only says the other half: `Don't do that. Use this.`"""
    if place + 1 >= len(scores) or not scores[place + 1]:
        return False
    this, following = turn.said[place], turn.said[place + 1]
    rules = [bool(turn.cues.rule.search(s.plain) or turn.cues.choice.search(s.plain)) for s in (this, following)]
    return this.paragraph == following.paragraph and not following.item and rules == [True, False]


def _ended(text: str) -> str:
    return text if text[-1] in ".!?。！？" else f"{text}{'。' if language_of(text) in ('ja', 'zh') else '.'}"


def decided(turn: Turn, place: int) -> float:
    """How surely the sentence at `place` states a decision: 0 where it does not."""
    cues, sentence = turn.cues, turn.said[place]
    head = matching(parted(sentence.text, cues)[0])
    asked = cues.ask.search(head) if not cues.reason_first else None
    body = head[asked.end() :] if asked and asked.start() == 0 else head
    if not asked and cues.question.search(sentence.plain):
        return 0.0
    if any(cue.search(sentence.plain) for cue in (cues.joke, cues.reported)) or cues.hedge.search(head):
        return 0.0
    if weight(body) < _BARE or cues.moment.search(head) or cues.defer.search(head):
        return 0.0
    contrast = any(cue.search(body) for cue in cues.contrast)
    if not asked and (cues.choice.search(head) or cues.rule.search(head)):
        return 0.85 if contrast else 0.8
    if asked and cues.rule.search(body):
        return 0.8
    bare = cues.bare.search(body)
    backed = contrast or cues.scope.search(body) or cues.reason.search(sentence.text)
    if bare and ((backed and not asked) or contrast):
        return 0.8 if contrast else 0.7
    return 0.75 if _corrects(turn, place) and (bare or contrast) else 0.0


def parted(text: str, cues: Cues) -> tuple[str, str]:
    """(what is chosen, why): a sentence cut where its reason begins or ends; the reason empty where it gives none."""
    body = without_filler(text, cues)
    match = cues.reason.search(body)
    if not match:
        return capitalized(body), ""
    reason = match.group().strip(" ,;:—–-(，、；。")
    rest = body[match.end() :] if cues.reason_first else body[: match.start()]
    rest = rest.strip(" ,;:—–-(，、；")
    if weight(rest) < _BARE:
        return capitalized(body), ""
    return capitalized(rest), capitalized(reason.rstrip(")"))


def without_filler(text: str, cues: Cues) -> str:
    """The text without the interjections and connectives it begins with."""
    stripped = cues.filler.sub("", text, count=1)
    return stripped if weight(stripped) else text


def options_of(sentence: Sentence, cues: Cues) -> list[str]:
    """What was weighed against what, where the sentence names both: the chosen one first."""
    for cue in cues.contrast:
        if match := cue.search(sentence.text):
            pair = [match["taken"].strip(" 、，"), match["other"].strip(" 、，")]
            if all(pair) and all(len(side.split()) <= 9 for side in pair):
                return pair
    return []


def _corrects(turn: Turn, place: int) -> bool:
    """Whether a sentence sets right what was said before: it says no first, or the sentence before it is a bare no."""
    if turn.cues.correction.search(turn.said[place].plain):
        return True
    before = turn.said[place - 1].plain + " " if place else ""
    return bool(before and turn.cues.correction.fullmatch(before))


def _reason_beside(turn: Turn, place: int) -> str:
    """The reason that a neighboring sentence of the same paragraph gives."""
    cues, sentence = turn.cues, turn.said[place]
    if place and cues.therefore.search(sentence.plain):
        return capitalized(without_filler(turn.said[place - 1].text, cues))
    if place + 1 >= len(turn.said):
        return ""
    following = turn.said[place + 1]
    fits = following.paragraph == sentence.paragraph and not following.item and following.weight >= _BARE
    if not fits or not cues.because.search(following.plain) or cues.question.search(following.plain):
        return ""
    return "" if decided(turn, place + 1) or cues.joke.search(following.plain) else following.text
