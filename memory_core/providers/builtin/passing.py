"""Whether what sounds like a decision settles nothing: a report, an errand, a thought experiment, another's wish, an
order for this time only; a yes or a named option that is taken back in the same breath.

Pure: looks at words alone. `deciding` and `takeup` ask it of sentences and replies, `requests` of asks.
"""

from __future__ import annotations

from memory_core.providers.builtin.cues_en_hearsay import ADOPTED, FIRST_STEP, LEFT_TO_OTHERS, REPORTED
from memory_core.providers.builtin.cues_passing import PASSING, PassingCues
from memory_core.providers.builtin.sentences import language_of, matching


def settles_nothing(plain: str) -> bool:
    """Whether a sentence, though it is worded like a choice or a rule, leaves nothing that holds afterwards."""
    cues = _cues(plain)
    passing = (cues.told, cues.errand, cues.spared, cues.supposed, cues.others, cues.for_now)
    return any(cue.search(plain) for cue in passing) or not_ones_own(plain) or bool(FIRST_STEP.search(plain))


def not_ones_own(plain: str) -> bool:
    """Whether somebody else says or thinks it and the speaker does not adopt it, or the speaker leaves it to others."""
    return bool(LEFT_TO_OTHERS.search(plain) or (REPORTED.search(plain) and not ADOPTED.search(plain)))


def passes_with_the_moment(plain: str) -> bool:
    """Whether what a sentence orders is only supposed, holds for this time, sends the agent off to look, or asks about
    what was said: no request that outlives it either."""
    cues = _cues(plain)
    return any(cue.search(plain) for cue in (cues.spared, cues.supposed, cues.for_now, cues.sent, cues.doubted)) or (
        not_ones_own(plain)
    )


def asks_for_nothing(plain: str) -> bool:
    """Whether what sounds like an ask is a supposition, doubts what was said, or tells what not to do just now. What is
    asked for with `for now` is to be done all the same."""
    cues = _cues(plain)
    return any(cue.search(plain) for cue in (cues.spared, cues.supposed, cues.doubted))


def withheld(rest: str) -> bool:
    """Whether what stands behind a yes says that it was none: put off, made to depend on others, or said to a fact."""
    plain = matching(rest)
    return bool(_cues(plain).withheld.search(plain))


def turned_down(rest: str, language: str) -> bool:
    """Whether what stands behind the name of an option says why it is not taken. `language`: of the message; the words
    behind a number may be too few to tell."""
    return bool(PASSING[language].turned_down.search(matching(rest)))


def unanswered(answer: str) -> bool:
    """Whether a free answer to a question leaves it as open as it was."""
    plain = matching(answer)
    return bool(_cues(plain).unanswered.search(plain))


def _cues(plain: str) -> PassingCues:
    return PASSING[language_of(plain)]
