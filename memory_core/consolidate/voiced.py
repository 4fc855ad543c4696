"""Whether somebody speaks for what a candidate says, or only a tool's output does: a page, a file, a command's answer.

Who spoke is the host's word in the anchors. A person's words that were cited beside do not make a page's sentence
theirs; what a person says behind it may agree to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_core.consolidate.covered import claim
from memory_core.consolidate.similar import overlap, words_of
from memory_core.staging import Anchor, CandidateRef, Decision, Request

_SAYS = 0.9  # of a statement's words that a text has which says it
_MOST = 0.6  # of them that a sentence has which says it in other words
_LEAST = 3  # words that two texts do not share by chance
_SHARES = 0.5  # of them that a text has which may be about it
_SENTENCE = re.compile(r"[\n.!?;。！？；]+")


def by_tools_alone(ref: CandidateRef) -> bool:
    """Whether there is evidence, and nobody speaks in it, or it is a decision or a request all of which a tool's output
    says, half of which nobody does, and behind which nobody said anything."""
    evidence = ref.candidate.evidence
    voices = [anchor for anchor in evidence if anchor.speaker in ("human", "assistant")]
    if not voices or not isinstance(ref.candidate, Decision | Request):
        return bool(evidence) and not voices
    told = [anchor for anchor in evidence if anchor.speaker == "tool"]
    if not told or max(map(_last, voices)) > min(map(_last, told)):
        return False
    statement = claim(ref)
    return overlap(statement, _words(told)) >= _SAYS and overlap(statement, _words(voices)) < _SHARES


def read_behind(statement: str, tools: Iterable[str], voices: Iterable[str]) -> bool:
    """Whether a tool said a statement, or most of it, and nobody in the session spoke of half of it. `tools`: outputs
    that came behind all that is quoted for it, so that nobody who is quoted can have agreed; `voices`: what was said in
    the session."""
    begun = {word[:4] for word in statement.casefold().split() if len(word) >= 4 and word.isascii()}
    sentences = (sentence for text in tools for sentence in _SENTENCE.split(text))
    near = (s for s in sentences if not begun or any(word in s.casefold() for word in begun))  # the rest is dear
    if not any(_in_most(statement, sentence) for sentence in near):
        return False
    return not any(overlap(statement, voice) >= _SHARES for voice in voices)


def _in_most(statement: str, sentence: str) -> bool:
    words = words_of(statement)
    shared = len(words & words_of(sentence))
    return shared >= _LEAST and shared >= _MOST * len(words)


def _last(anchor: Anchor) -> int:
    return anchor.entry_range[1]


def _words(anchors: list[Anchor]) -> str:
    return " ".join(anchor.excerpt for anchor in anchors)
