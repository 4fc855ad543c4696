"""The shape of a language's cue table, and which table a text is matched with.

The cues themselves are data in `cues_en`, `cues_ja`, `cues_ko`, `cues_zh`; how they are combined is the finders'
business.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

Pattern = re.Pattern[str]
_APOSTROPHE = re.compile(r"(?<=n)'(?=t)|(?<=i)'(?=m|ve)|(?<=it|et|at)'(?=s)")


@dataclass(frozen=True, slots=True)
class Cues:
    """One language's cues, matched against `Sentence.plain`.

    What a person says:
    `question`: asks rather than states. `hedge`: leaves it uncertain or supposed. `joke`: not meant.
    `reported`: somebody else's words. `moment`: matters only now. `choice`: takes one of several ways. `rule`: how
    things are to be done from now on. `bare`: an instruction that is a choice only with a reason, a contrast or a scope
    beside it (`scope`).
    `correction`: a sentence that sets right what was said before. `contrast`: groups `taken` and `other`.
    `reason`: a clause that gives a reason, matched from the start of the clause to the end of the sentence (languages
    that put it first: from the start of the sentence to the end of the clause). `because`: starts a sentence that gives
    the reason of the one before it. `therefore`: starts a sentence whose reason is the one before it.
    `ask`: asks for something; what follows the match is what is asked for. `imperative`: the same without a courtesy.
    `suggest`: a wish or an idea, put as a question or an expectation; an ask only where it was then acted on.
    `lead`: the words before what is asked that say only that it is asked.
    `condition`: a clause that may stand before an imperative. `pronoun`: points at
    something said before. `bug`: says that something does not work as it should.
    `fleeting`: an ask for an action of the moment. `ephemeral`: an ask about something that will be gone tomorrow.
    `refusal`: a plain no to what was just done or said. `works`: says that what was done works, or was what was wanted.
    `onward`: a message that only lets the work go on.
    `assent`: a message, or its first clause, that agrees. `pick`: names one of the options offered (group `n`).
    `defer`: leaves a question open; its groups hold what, where it is named. `failed`: says that
    what was done does not work, or is to be taken back.

    What an assistant says:
    `offer`: proposes one thing by asking; what follows is the thing. `confirm`: asks whether the plan just told is
    fine. `advice`: tells the plan. `routine`: an offer that decides nothing. `announce`: says what comes next.
    `belief`: says what is assumed, not yet seen. `finding`: overturns what was believed. `cause`: explains a
    failure. `repaired`: says that it works now. `side`: a point for or against. `either`: what stands between the
    two ways of an open question.
    """

    question: Pattern
    hedge: Pattern
    joke: Pattern
    reported: Pattern
    moment: Pattern
    choice: Pattern
    rule: Pattern
    bare: Pattern
    scope: Pattern
    correction: Pattern
    contrast: tuple[Pattern, ...]
    reason: Pattern
    reason_first: bool
    because: Pattern
    therefore: Pattern
    filler: Pattern
    ask: Pattern
    suggest: Pattern
    lead: Pattern
    imperative: Pattern
    condition: Pattern
    pronoun: Pattern
    bug: Pattern
    fleeting: Pattern
    ephemeral: Pattern
    clause: Pattern
    assent: Pattern
    pick: Pattern
    defer: Pattern
    failed: Pattern
    refusal: Pattern
    works: Pattern
    onward: Pattern
    offer: Pattern
    confirm: Pattern
    advice: Pattern
    routine: Pattern
    announce: Pattern
    belief: Pattern
    finding: Pattern
    cause: Pattern
    repaired: Pattern
    side: Pattern
    either: Pattern
    ordinals: Mapping[str, int]


def never() -> Pattern:
    """A pattern that matches nothing: for a cue that a language expresses elsewhere."""
    return re.compile(r"(?!)")


def words(pattern: str) -> Pattern:
    """A cue of whole words, in any case."""
    return re.compile(rf"\b(?:{_hurried(pattern)})(?!\w)", re.IGNORECASE)


def anywhere(pattern: str) -> Pattern:
    """A cue in a script without spaces, or one that carries its own borders."""
    return re.compile(_hurried(pattern), re.IGNORECASE)


def _hurried(pattern: str) -> str:
    """A pattern that also matches what is typed without its apostrophe: `dont`, `thats`. `we'll` and `i'll` stay as
    they are, for without it they are other words."""
    return _APOSTROPHE.sub("'?", pattern)
