"""Choices, corrections and rules that a person stated in so many words. What a person merely agreed to is `takeup`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.providers.builtin.choices import standing_alone
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.runs import EDIT_TOOL
from memory_core.providers.builtin.sentences import (
    Sentence,
    capitalized,
    join,
    language_of,
    matching,
    spoken,
    weight,
)
from memory_core.providers.builtin.turns import ANSWERS, Finding, Turn

_MOST = 420  # characters of a chosen sentence or a rationale
# `That should never happen` is dismay; `the block should stay` says too little without the screen it was said to.
_PASSING_RULE = re.compile(
    r"\b(?:that|this|it|which) (?:should|must|can|may)(?:n'?t| not| never)(?: ever)? (?:happen|occur|be (?:possible|"
    r"the case))\b"
    r"|^(?:no,? |ok,? )*(?:the|this|that|it) ?\w* (?:should|must|has to|needs? to) (?:stay|remain)(?: as (?:it )?is|"
    r" like (?:that|this)"
    r"| there| here)?\W*$|\bthat (?:every|each|all|no|the|a) [^,;]*\b(?:must|should|shall) (?:not|never|always)\b",
    re.IGNORECASE,
)
_ARROW = re.compile(r"\s*(?:[-*•]\s+)?(?P<what>[^\s\d].{0,160}?)\s*(?:->|→|=>|⇒)\s*(?P<where>[\w@./~`-].{0,80})$")
# `Just use X`: which of several, said in as few words as will do; a choice where files were changed for it.
_PICKS = re.compile(
    r"\W*(?:(?:just|please|pls|ok|then|so|yes|let'?s)\W+)*(?:use|go with|stick (?:with|to)|switch to|keep)\b",
    re.IGNORECASE,
)
# What is not to be done, or is to be done always: a rule that says its whole, as against the other half of one.
_NEGATES = re.compile(
    r"\b(?:no|not|never|don'?t|stop|avoid|always|every|must)\b|ない(?!と)|やめ|禁止|必ず|常に|不|别|必须|一律|"
    r"말(?:고|아|자)|마세요|반드시|항상",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"それ|これ|そっち|こっち|そちら|그걸|그것|이걸")
_TAIL = re.compile(
    r"[\s,]+(?:though|tho|pls|plz|please|thanks|thx|thank you|btw|lol|haha|ok|okay|k)(?=\W*$)", re.IGNORECASE
)
_DONT = re.compile(r"\b(?:do not|don'?t|no need to)\b", re.IGNORECASE)
_LASTING = re.compile(r"\b(?:never|always|ever|any ?more|from now on|going forward|again|anywhere)\b", re.IGNORECASE)
_MODAL = re.compile(r"\b(?:must|should|shall) (?:never|always|only|not ever)\b", re.IGNORECASE)
# Nothing but the reason for the sentence before it: `チームの決まりだから`.
_REASON_ALONE = re.compile(r"^[^、,]*(?:だ|です|な)(?:から|ので)(?:ね|な)?\W*$")
# What only limits the sentence before it, by its first words or by what it spares.
_LIMITS = re.compile(
    r"(?:ただし|但し|ただ[、,]|でも|(?:但是?|不过|只是)[，,]?|(?:다만|단,)|(?:the )?only exception\b|except(?:ion)?\b)",
    re.IGNORECASE,
)
# `That's a dead end; we keep X`: what follows is the choice, not a reason.
_KEEPS = re.compile(
    r"(?:so |then |and )?(?:we|let's)(?:'ll)? (?:just )?(?:keep (?!\w+ing\b)|stay (?:on|with)\b|stick (?:with|to)\b)",
    re.IGNORECASE,
)
_SPARES = re.compile(
    r"(?:だけ|のみ)(?:は|を|が)?(?:除外|除い|例外|対象外|変換しない|変えない|そのまま|外(?:す|して))|(?:除外|例外)$"
)
# `I want X rather than Y`: which of two, though it is worded like an ask.
_WANTS = re.compile(
    r"^(?:(?:ok|okay|so|and|but|also),?\s+)*(?:(?:for|in|on|at|with) [^,.;:?!]{1,50}?,? )?(?:i|we) want "
    r"(?!(?:to|you|us|me|it|this|that|these|those|them)\b)[^,.;:?!]{2,60}? rather than \S",
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
_THATS_WRONG = re.compile(
    r"^(?:that|this|it)(?:'?s| is) (?:wrong|not right|incorrect|not true)\s*[:,;—–-]\s*", re.IGNORECASE
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
        chosen = standing_alone(turn, place, chosen)
        if main := _main_clause(turn, scores, place):
            chosen = join([_ended(main), chosen], _MOST)
        if place + 1 < len(scores) and excepts(turn, place + 1):
            skip = True
            chosen = join([_ended(chosen), turn.said[place + 1].text], _MOST)
        elif skip := _goes_on(turn, scores, place):
            more, why = parted(turn.said[place + 1].text, turn.cues)
            chosen, reason = join([_ended(chosen), more], _MOST), reason or why
        reason = reason or _reason_beside(turn, place + skip)
        fields = {
            "options": options_of(sentence, turn.cues),
            "chosen": join([chosen], _MOST),
            "rationale": join([reason], _MOST),
        }
        yield Finding("decisions", fields, (turn.human,), min(score + (0.1 if reason else 0.0), 1.0))


def mapped(turn: Turn) -> Iterator[Finding]:
    """Where things go, told line by line (`tools -> core/tools`), in answer to a proposal or a question."""
    if turn.before is None or turn.subtype in ANSWERS:
        return
    pairs = [match for line in spoken(turn.text).split("\n") if (match := _ARROW.match(line))]
    if len(pairs) >= 2:
        told = "; ".join(f"{match['what'].strip()} → {match['where'].strip()}" for match in pairs)
        fields = {"options": [], "chosen": join([told], _MOST), "rationale": ""}
        yield Finding("decisions", fields, (turn.before, turn.human), 0.75)


def excepts(turn: Turn, place: int) -> bool:
    """Whether the sentence at `place` only limits the one before it: `ただし…`, `except for…`."""
    sentence, before = turn.said[place], turn.said[place - 1]
    if not place or sentence.paragraph != before.paragraph or sentence.item:
        return False
    cues = turn.cues
    passing = any(cue.search(sentence.plain) for cue in (cues.question, cues.hedge, cues.joke, cues.defer))
    limits = _LIMITS.match(sentence.plain) or _SPARES.search(sentence.plain)
    return bool(limits) and not passing and sentence.weight >= _BARE


def _main_clause(turn: Turn, scores: list[float], place: int) -> str:
    """What an exception is an exception to, where the sentence before it says so without deciding by itself."""
    if not place or scores[place - 1] or not excepts(turn, place):
        return ""
    before, cues = turn.said[place - 1], turn.cues
    return "" if _tells(before, cues) or before.weight < _BARE else capitalized(without_filler(before.text, cues))


def _tells(sentence: Sentence, cues: Cues) -> bool:
    """Whether a sentence asks, or tells how something is: an exception to it decides nothing."""
    telling = (cues.question, cues.hedge, cues.joke, cues.bug, cues.reported, cues.works, cues.failed)
    return any(cue.search(sentence.plain) for cue in telling)


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
    other_half = rules == [True, False] or (
        rules == [True, True] and bool(_NEGATES.search(this.plain)) and not _NEGATES.search(following.plain)
    )
    return this.paragraph == following.paragraph and not following.item and other_half


def _ended(text: str) -> str:
    return text if text[-1] in ".!?。！？" else f"{text}{'。' if language_of(text) in ('ja', 'zh') else '.'}"


def decided(turn: Turn, place: int) -> float:
    """How surely the sentence at `place` states a decision: 0 where it does not."""
    key = (decided, place)
    if key not in turn.known:
        turn.known[key] = _decided(turn, place)
    return float(turn.known[key])


def _decided(turn: Turn, place: int) -> float:
    cues, sentence = turn.cues, turn.said[place]
    if place and _REASON_ALONE.search(sentence.plain):
        return 0.0
    if place and _SPARES.search(sentence.plain) and _tells(turn.said[place - 1], cues):
        return 0.0
    agreed = cues.assent.match(sentence.plain)
    if agreed and agreed.end() == len(sentence.plain):
        return 0.0  # a bare yes: what it is said to is `takeup`'s business
    head = matching(parted(sentence.text, cues)[0])
    asked = cues.ask.search(head) if not cues.reason_first else None
    if asked and not asked.group() and cues.choice.search(head):
        asked = None  # `it should be kept per user, not in the browser` is a choice, though worded as a wish
    wants = _WANTS.search(head)
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
    if weight(said) < (1 if acted else _BARE) or cues.moment.search(head) or cues.defer.search(head):
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


def parted(text: str, cues: Cues) -> tuple[str, str]:
    """(what is chosen, why): a sentence cut where its reason begins or ends; the reason empty where it gives none."""
    body = _THATS_WRONG.sub("", without_filler(text, cues))
    match = cues.reason.search(body)
    if not match:
        return capitalized(body), ""
    reason = match.group().strip(" ,;:—–-(，、；。")
    if not cues.reason_first and _KEEPS.match(reason):
        return capitalized(body), ""
    rest = body[match.end() :] if cues.reason_first else body[: match.start()]
    if cues.reason_first and _POINTS_BACK.search(rest):
        return capitalized(body), ""  # what `it` is stands in the reason
    rest = rest.strip(" ,;:—–-(，、；")
    if weight(rest) < _BARE:
        return capitalized(body), ""
    return capitalized(rest), capitalized(reason.rstrip(")"))


def without_filler(text: str, cues: Cues) -> str:
    """The text without the interjections and connectives it begins with."""
    stripped = _TAIL.sub("", cues.filler.sub("", text, count=1)).lstrip(" ,、，")
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
