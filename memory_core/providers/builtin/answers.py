"""Terse answers to what the assistant asked or planned: a correction with a name, a specification without a verb.

A reply that picks, agrees or names what was said is `takeup` and `replies`; one that states a whole choice `decisions`.
"""

from __future__ import annotations

import re

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.choices import decision, in_answer_to, own_reason
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.deciding import decided
from memory_core.providers.builtin.proposals import proposal_in
from memory_core.providers.builtin.sentence_parts import without_filler
from memory_core.providers.builtin.sentences import Sentence, capitalized, content, language_of, sentences, weight
from memory_core.providers.builtin.turns import Finding, Turn, cues_of
from memory_core.providers.builtin.verdicts import WRONG, observes

_MOST_SAID = 3  # sentences of a terse answer
_PHRASE = 8  # content words of the phrase that corrects
_SPEC = (3, 16)  # least and most content words of a specification
_LAST = 4  # sentences at the end of a message that are answered
# A name or a figure tells that the phrase says what is to be, not which of two things on a screen is meant.
_NAME = re.compile(r"`|\d|\b[A-Z]{2,}|[A-Za-z]_[A-Za-z]|[a-z][A-Z]|\b[A-Z][a-z]+\b")
# A finite verb or a subject: what holds one is a statement, not a phrase.
_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|do|does|did|can|could|will|would|should|must|may|might|i|we|you|it|they|he|"
    r"she|(?<!after )(?<!before )(?:this|that)|these|those|there|get|gets|got|see|saw|says|said|shows?|"
    r"fail\w*|pass\w*|work\w*|crash\w*|errors?|"
    r"warnings?|skipped|found|took|takes|runs?|ran|seems?|looks?|isn't|aren't|don't|doesn't|didn't|won't|can't|what|"
    r"why|how|who|where|which)\b|[a-z]'(?:s|re|ve|m|ll) ",
    re.IGNORECASE,
)
# A clause that ends in a verb, an adjective or a particle of speech.
_FINITE_JA = re.compile(r"(?:[るたうくすつぬむぐいだがはてかねよし]|です|ます|ません|けど)\W*$|が(?=.{0,20}[るたい]$)")
_CLAUSE = re.compile(r"[、，。]\s*|[,;]\s+|\s+[—–-]\s+|\s+(?=(?:because|since|like|as)\b)")
# The rest of what was planned stands: `Decimal everywhere is right`.
_RIGHT = re.compile(r"\b(?:is|are|was|sounds|looks) (?:right|fine|good|ok|okay|correct)\b", re.IGNORECASE)
_INTENDS = re.compile(
    r"\b(?:i(?:'ll| will| would|'d|'m going to| am going to| plan| propose| suggest| intend)"
    r"|we(?:'ll| will| could| can| should)|i(?:'ve)? (?:can|could|used|use|chose|picked|"
    r"switched|set|made|stored|kept|changed)|plan|proposal|by default)\b"
    r"|(?:ます|ましょう|つもりです|予定です|しました|と思います)[。.]?$",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:want|should|shall|prefer|rather|would you like|how (?:many|often) (?:re)?(?:tries|attempts|times)"
    r"|(?:which|what) (?:\w+ )?(?:strategy|policy|limits?|delay|schedule|timeout|interval))\b"
    r"|(?:どう|いくつ|何回|何秒|どれ|どの).{0,24}(?:しますか|しましょうか|いいですか|よいですか|がいい)|条件は[?？]",
    re.IGNORECASE,
)
_FILE = re.compile(r"[\w/]\.[a-z]{1,4}\W*$")
_WITH_MORE = 2  # sentences of a specification that goes on with what happens then
_PARTS = re.compile(r"[,;、，]\s*\S|\s[—–-]\s|\s(?:because|since)\s", re.IGNORECASE)
_FIGURE = re.compile(r"\d")


def terse(turn: Turn, before: EvidenceItem) -> Finding | None:
    """The decision in a correction or a specification that is a mere phrase; None where the message is neither, or says
    nothing that the assistant's message asked or planned."""
    said = turn.said
    if (
        len(said) > _MOST_SAID
        or language_of(said[0].plain) not in ("en", "ja")
        or _passing(turn, said[0])
        or decided(turn, 0)
    ):
        return None
    chosen = _corrected(turn, before) or _specified(turn, before)
    if chosen is None:
        return None
    text, context = chosen
    rest = " ".join(s.text for s in said[1:])
    return decision(turn, [], in_answer_to(text, context), own_reason(turn, rest), (before, turn.human), 0.75)


def _passing(turn: Turn, sentence: Sentence) -> bool:
    cues = turn.cues
    gone = (cues.question, cues.hedge, cues.joke, cues.reported, cues.moment, cues.defer, cues.works, cues.failed)
    return any(cue.search(sentence.plain) for cue in gone) or bool(cues.bug.search(sentence.plain))


def _corrected(turn: Turn, before: EvidenceItem) -> tuple[str, str] | None:
    """`No, UTC`: what is to be in place of what the assistant planned, with what stands of the rest; and the plan."""
    first = turn.said[0]
    match = turn.cues.correction.match(first.plain)
    if not match:
        return None
    phrase = _CLAUSE.split(first.text[match.end() :], maxsplit=1)[0].strip(" .!")
    proposal = proposal_in(before.text)
    plan = proposal[0] if proposal else _planned(before)
    if _FILE.search(phrase):
        return None  # which file to look at is a step of the work
    if not plan or not 1 <= weight(phrase) <= _PHRASE or not _NAME.search(phrase):
        return None
    if _states(phrase) or WRONG.search(phrase) or turn.cues.imperative.match(phrase):
        return None
    told = capitalized(first.text[match.end() :].strip())
    stands = [s.text for s in turn.said[1:] if _RIGHT.search(s.plain) and content(s.text) & content(plan)]
    return " ".join([told if not stands or told[-1] in ".!" else f"{told}.", *stands]), plan


def _specified(turn: Turn, before: EvidenceItem) -> tuple[str, str] | None:
    """`exponential backoff, max 6 tries`: a phrase with figures, of two parts at least; and what it answers."""
    first = turn.said[0]
    body = without_filler(first.text, turn.cues).rstrip(" .!")
    if len(turn.said) > _WITH_MORE or observes(first, turn.cues) or not specifies(body, turn.cues):
        return None
    if len(turn.said) == _WITH_MORE:
        more = turn.said[1]
        if _passing(turn, more) or observes(more, turn.cues):
            return None
        body = f"{body}. {capitalized(more.text)}"
    asked = [s for s in sentences(before.text)[-_LAST:] if cues_of(s.plain).question.search(s.plain)]
    if asked:
        question = next((s.text for s in reversed(asked) if _OPEN.search(s.plain)), None)
        return (capitalized(body), question) if question else None
    plan = _planned(before)
    related = _FIGURE.search(plan) or content(plan) & content(body)
    return (capitalized(body), plan) if plan and related else None


def specifies(text: str, cues: Cues) -> bool:
    """Whether a text is a specification in a mere phrase: two parts at least, a figure, neither verb nor subject."""
    if not _PARTS.search(text) or not _SPEC[0] <= weight(text) <= _SPEC[1] or not _FIGURE.search(text):
        return False
    return not (_states(text) or WRONG.search(text) or cues.imperative.match(text) or cues.fleeting.match(text))


def _states(text: str) -> bool:
    """Whether a text holds a verb or a subject; in Japanese, whether one of its clauses ends like a statement."""
    if language_of(text) != "ja":
        return bool(_FINITE.search(text))
    return any(_FINITE_JA.search(part) for part in _CLAUSE.split(text))


def _planned(before: EvidenceItem) -> str:
    """What the assistant last said that it did or would do, or asked leave for; empty where it said nothing of it."""
    for sentence in reversed(sentences(before.text)[-_LAST:]):
        if _INTENDS.search(sentence.plain) and sentence.weight >= 2:
            return sentence.text
    return ""
