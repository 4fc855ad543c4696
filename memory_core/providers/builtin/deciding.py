"""Whether a sentence of a person's states a decision, and how surely. What was chosen is `decisions`' business."""

from __future__ import annotations

import re

from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.passing import settles_nothing
from memory_core.providers.builtin.runs import EDIT_TOOL
from memory_core.providers.builtin.sentence_parts import LEAST_SAID, parted, without_filler
from memory_core.providers.builtin.sentences import Sentence, matching, weight
from memory_core.providers.builtin.turns import Turn

# `That should never happen` is dismay; `the block should stay` says too little without the screen it was said to.
_PASSING_RULE = re.compile(
    r"\b(?:that|this|it|which) (?:should|must|can|may)(?:n'?t| not| never)(?: ever)? (?:happen|occur|be (?:possible|"
    r"the case))\b"
    r"|^(?:no,? |ok,? )*(?:the|this|that|it) ?\w* (?:should|must|has to|needs? to) (?:stay|remain)(?: as (?:it )?is|"
    r" like (?:that|this)"
    r"| there| here)?\W*$|\bthat (?:every|each|all|no|the|a) [^,;]*\b(?:must|should|shall) (?:not|never|always)\b",
    re.IGNORECASE,
)
# `Just use X`: which of several, said in as few words as will do; a choice where files were changed for it.
_PICKS = re.compile(
    r"\W*(?:(?:just|please|pls|ok|then|so|yes|let'?s)\W+)*(?:use|go with|stick (?:with|to)|switch to|keep)\b",
    re.IGNORECASE,
)
_DONT = re.compile(r"\b(?:do not|don'?t|no need to)\b", re.IGNORECASE)
_LASTING = re.compile(r"\b(?:never|always|ever|any ?more|from now on|going forward|again|anywhere)\b", re.IGNORECASE)
_MODAL = re.compile(r"\b(?:must|should|shall) (?:never|always|only|not ever)\b", re.IGNORECASE)
# Nothing but the reason for the sentence before it: `チームの決まりだから`.
_REASON_ALONE = re.compile(r"^[^、,]*(?:だ|です|な)(?:から|ので)(?:ね|な)?\W*$")
SPARES = re.compile(
    r"(?:だけ|のみ)(?:は|を|が)?(?:除外|除い|例外|対象外|変換しない|変えない|そのまま|外(?:す|して))|(?:除外|例外)$"
)
# `I want X rather than Y`: which of two, though it is worded like an ask.
_WANTS = re.compile(
    r"^(?:(?:ok|okay|so|and|but|also),?\s+)*(?:(?:for|in|on|at|with) [^,.;:?!]{1,50}?,? )?(?:i|we) want "
    r"(?!(?:to|you|us|me|it|this|that|these|those|them)\b)[^,.;:?!]{2,60}? rather than \S",
    re.IGNORECASE,
)
# `We want to keep Python 3.9 support`: that something goes on is a choice, though it is worded like an ask.
_GOES_ON = re.compile(
    r"^(?:(?:and|also|but|so|ok|okay),? )*we(?:'d| would|'ll| will)? (?:also |still )?(?:want|need|have|like) to "
    r"(?:keep (?:\S+ ){1,5}(?:support(?:ed)?|compatib\w+)\b|keep (?:backwards?|forwards?)[- ]compatib\w+|"
    r"keep supporting \S+|(?:stay|remain|be) (?:\S+ )?compatible with \S+)",
    re.IGNORECASE,
)
# `VAT for books is 7%, not 19%`: a fact set right, told by its subject and by figures or names.
_FACT_SET_RIGHT = re.compile(
    r"\b(?:is|are|costs?|takes?|starts?|ends?|means?|stands for) (?P<right>[^,;:?!]{1,40}?), not "
    r"(?P<wrong>[^,;:?!]{1,40}?)\W*$",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\d|`|\b[A-Z]")
# What only the screen of the moment shows, and what only points: no fact to keep.
_OF_THE_MOMENT = re.compile(
    r"\b(?:lines?|errors?|tests?|logs?|files?|screens?|pages?|buttons?|output|traces?|builds?|branch|commits?|diff|"
    r"ports?|process|pid|tab|meeting|demo|deadline)\b|(?:^|[:,] )(?:it|this|that|they|he|she|i|you)\b",
    re.IGNORECASE,
)
# `No ORMs please.`: a bare plural speaks of all of a kind. What an agent does or shows in the moment is none of these.
_PASSING_KIND = (
    r"(?:more|changes|edits|commits|questions|problems|worries|excuses|spoilers|explanations|jokes|surprises|mistakes|"
    r"errors|details|tests|logs|results|offen[cs]e|pushes|apologies|summaries|lies)\b"
)
NO_KIND = re.compile(
    rf"^(?:(?:and|also|but|so|ok|okay),?\s+)*(?:(?:please|pls|plz),? no (?!{_PASSING_KIND})"
    rf"(?:[\w'-]+ (?!{_PASSING_KIND}))?"
    rf"[\w'-]*[^\W\ds]s|no (?!{_PASSING_KIND})(?:[\w'-]+ (?!{_PASSING_KIND}))?[\w'-]*[^\W\ds]s,? (?:please|pls|plz))"
    r"(?=\s*[,;.!—–-]|\s*$|,? (?:please|pls)\W*$)",
    re.IGNORECASE,
)


def tells(sentence: Sentence, cues: Cues) -> bool:
    """Whether a sentence asks, or tells how something is: an exception to it decides nothing."""
    telling = (cues.question, cues.hedge, cues.joke, cues.bug, cues.reported, cues.works, cues.failed)
    return any(cue.search(sentence.plain) for cue in telling)


def decided(turn: Turn, place: int) -> float:
    """How surely the sentence at `place` states a decision: 0 where it does not."""
    key = (decided, place)
    if key not in turn.known:
        score = _decided(turn, place)
        turn.known[key] = 0.0 if score and settles_nothing(turn.said[place].plain) else score
    return float(turn.known[key])


def _decided(turn: Turn, place: int) -> float:
    cues, sentence = turn.cues, turn.said[place]
    if place and _REASON_ALONE.search(sentence.plain):
        return 0.0
    if place and SPARES.search(sentence.plain) and tells(turn.said[place - 1], cues):
        return 0.0
    agreed = cues.assent.match(sentence.plain)
    if agreed and agreed.end() == len(sentence.plain):
        return 0.0  # a bare yes: what it is said to is `takeup`'s business
    head = matching(parted(sentence.text, cues)[0])
    asked = cues.ask.search(head) if not cues.reason_first else None
    if asked and not asked.group() and cues.choice.search(head):
        asked = None  # `it should be kept per user, not in the browser` is a choice, though worded as a wish
    wants = _WANTS.search(head) or _GOES_ON.search(head)
    asked = None if wants else asked
    said = parted(sentence.text, cues)[0]  # what is quoted counts: a name is often what was decided
    said, body = (said[asked.end() :], head[asked.end() :]) if asked and asked.start() == 0 else (said, head)
    if not asked and cues.question.search(sentence.plain):
        return 0.0
    if any(cue.search(sentence.plain) for cue in (cues.joke, cues.reported)) or cues.hedge.search(head):
        return 0.0
    if NO_KIND.match(sentence.plain) and not cues.moment.search(sentence.plain) and not cues.question.search(head):
        return 0.75
    acted = any(item.tool and EDIT_TOOL.search(item.tool) for item in turn.work)
    if weight(said) < (1 if acted else LEAST_SAID) or cues.moment.search(head) or cues.defer.search(head):
        return 0.0
    if _PASSING_RULE.search(head) or (_is_step(turn, sentence) and not cues.contrast[0].search(body)):
        return 0.0
    contrast = any(cue.search(body) for cue in cues.contrast)
    if not asked and (wants or cues.choice.search(head) or cues.rule.search(head)):
        return 0.85 if contrast else 0.8
    if asked and (cues.rule.search(body) or _MODAL.search(head)):
        return 0.8
    if place + 1 < len(turn.said) and _REASON_ALONE.search(turn.said[place + 1].plain):
        following = turn.said[place + 1]
        if following.paragraph == sentence.paragraph and cues.rule.search(following.plain):
            return 0.8  # an errand would not be asked for because it is a rule
    bare = cues.bare.search(body)
    if bare and acted and not asked and turn.before and _PICKS.match(body):
        return 0.65
    backed = contrast or cues.scope.search(body) or cues.reason.search(sentence.text)
    if bare and ((backed and not asked) or contrast):
        return 0.8 if contrast else 0.7
    return 0.75 if _corrects(turn, place) and (bare or contrast or _sets_right(head)) else 0.0


def _sets_right(plain: str) -> bool:
    """Whether a sentence says what holds of a thing it names, and what does not: `VAT for books is 7%, not 19%`."""
    match = _FACT_SET_RIGHT.search(plain)
    if not match or _OF_THE_MOMENT.search(plain[: match.start()]):
        return False
    return bool(_VALUE.search(match["right"]) and _VALUE.search(match["wrong"]) and weight(plain[: match.start()]))


def _is_step(turn: Turn, sentence: Sentence) -> bool:
    """Whether a `don't` belongs to an errand rather than to how things are done: the errand stands beside it in the
    sentence or sets the message, and no `never` or `from now on` makes more of it."""
    if _LASTING.search(sentence.plain) or not _DONT.search(sentence.plain):
        return False
    cues = turn.cues
    clauses = re.split(r"[,;]\s*|\s+and\s+", without_filler(sentence.plain, cues))
    beside = any(cues.fleeting.match(clause) for clause in clauses)
    first = without_filler(turn.said[0].plain, cues)
    sets = turn.said[0] is not sentence and bool(cues.ephemeral.search(first))
    return beside or sets


def _corrects(turn: Turn, place: int) -> bool:
    """Whether a sentence sets right what was said before: it says no first, or the sentence before it is a bare no."""
    if turn.cues.correction.search(turn.said[place].plain):
        return True
    before = turn.said[place - 1].plain + " " if place else ""
    return bool(before and turn.cues.correction.fullmatch(before))
