"""Short replies to what the assistant listed or said: point by point, or by the name of one of its things.

A reply that says by itself what is to be is `decisions`; one that agrees or picks a label is `takeup`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.assents import agrees
from memory_core.providers.builtin.choices import decision, own_reason
from memory_core.providers.builtin.deciding import decided
from memory_core.providers.builtin.passing import turned_down
from memory_core.providers.builtin.proposals import WIDE, asks_for_fact, options_in
from memory_core.providers.builtin.runs import EDIT_TOOL
from memory_core.providers.builtin.sentence_parts import without_filler
from memory_core.providers.builtin.sentences import (
    Sentence,
    capitalized,
    content,
    join,
    language_of,
    sentences,
    spoken,
    weight,
)
from memory_core.providers.builtin.turns import Finding, Turn, cues_of
from memory_core.providers.builtin.verdicts import observes

_MOST = 420
_LAST = 4  # sentences at the end of a message that a short reply may be about
_SHORT = 7  # content words of a short reply
_LABELLED = re.compile(r"\s*#?(?P<label>[1-9a-d])(?:\s*[.):：、]|\s+-)?\s+(?P<rest>\S.{3,})$", re.IGNORECASE)
_PARTICLE = re.compile(r"^の\s*")  # `1 の 上限は 500`: of the point that is named
_ITEMS = 6  # points of a message that are answered one by one
_REASON = 2  # content words behind the comma of a short reply that can be its reason
_STATES = re.compile(
    r"(?<=\w)'s\b|\b(?:is|are|was|were|isn'?t|aren'?t|has|have|does|doesn'?t|did|didn'?t|\w{3,}ed it)\b", re.IGNORECASE
)
_SHARE = 0.5  # of a short reply's words that must name what the assistant had named
_EACH = re.compile(
    r"(?:(?:and|but|ok(?:ay)?|so)[,\s]+)*(?P<labels>(?:#?[1-9a-d１-９])(?:\s*(?:,|，|、|と|和|&|\+|/|"
    r"and)\s*#?[1-9a-d１-９])*)"
    r"\s*(?:is|are|は|就)?\s*[:：,，、-]?\s*"
    r"(?:(?P<yes>yes|yeah|yep|ok(?:ay)?|sure|good|fine|agreed|do it|はい|OK|お願い|可以|好|要|네|좋아)"
    r"|(?P<no>no(?=\s*(?:$|[,.;:!—–-]))|nope|nah|skip|drop|いらない|不要|なし|やめ|不用|不行|아니|빼))(?!\w)",
    re.IGNORECASE,
)
# Several labels and nothing else, which takes them: `1 and 3.`
_THESE = re.compile(
    r"(?:(?:and|but|ok(?:ay)?|so|do|take|let's do|yes|please)[,\s]+)*"
    r"(?P<labels>#?[1-9a-d１-９](?:\s*(?:,|，|、|と|和|&|\+|/|and|랑|과|와)\s*#?[1-9a-d１-９])+)"
    r"(?:\s*(?:please|pls|で|を|番|번|でお願いします|好了|吧|요|로|으로))*\W*$",
    re.IGNORECASE,
)
# The one that a yes to all leaves out: `but not 2, legal wants to keep the rows`.
_ALL_BUT = re.compile(
    r"(?:(?:but|only|just|everything|all|though)[,\s]+)*(?:not|without|except(?: for)?|but|skip|drop|minus|no)\s+"
    r"(?:(?:option|step|number|point)\s+)?#?(?P<en>[1-9a-d])(?=\s*(?:[,.;:!—–-]|because|since|$))"
    r"|(?:ただし|でも)?[、,]?\s*(?P<ja>[1-9１-９])番?(?:目)?は?(?:なし|無し|不要|いらな|やめ|除い|以外)"
    r"|(?:但是?|不过)?[，,]?\s*(?:不要|除了|去掉|不做)第?(?P<zh>[1-9])|(?:但是?|不过)?[，,]?\s*第?(?P<zh2>[1-9])(?:不要|不用|不做|就算了)"
    r"|(?:근데|다만|단,?)?\s*(?P<ko>[1-9])번(?:은|만)? ?(?:빼|제외|말고|하지)",
    re.IGNORECASE,
)
_REJECTED = {"en": "Not: {}", "ja": "採らない: {}", "zh": "不采用: {}", "ko": "하지 않음: {}"}


def several(turn: Turn, before: EvidenceItem) -> Iterator[Finding]:
    """Options or points that a message goes through one by one: `1 and 2 yes. 3 no, it skipped packages`."""
    judged = [(match, s) for s in turn.said for match in [_judges(s)] if match]
    options = options_in(before.text) if judged else None
    if options is None or not options.labelled:
        return
    taken: list[str] = []
    for match, sentence in judged:
        labels = [label.translate(WIDE).lower() for label in re.findall(r"\w", match["labels"])]
        texts = [options.texts[label] for label in labels if label in options.texts]
        refused = match.groupdict().get("no")
        if refused and texts:
            why = sentence.text[match.end() :].lstrip(" .,;:!—–-、。，")
            rejected = _REJECTED[language_of(texts[0])].format(texts[0])
            instead = _instead(turn, sentence)
            chosen = f"{capitalized(instead.text.rstrip('.'))}. {rejected}" if instead else rejected
            yield decision(turn, [], chosen, why, (before, turn.human), 0.85)
        elif not refused:
            taken += texts
    if taken:
        rest = " ".join(s.text for s in turn.said if not any(s is other for _, other in judged))
        offered = list(options.texts.values())
        yield decision(turn, offered, "; ".join(taken), own_reason(turn, rest), (before, turn.human), 0.9)


def _judges(sentence: Sentence) -> re.Match[str] | None:
    return _EACH.match(sentence.plain) or _THESE.match(sentence.plain)


def all_but(turn: Turn, before: EvidenceItem) -> Finding | None:
    """A plan's points without the one that a yes leaves out. With it, the decision would name what was refused."""
    rest = agrees(turn)
    match = _ALL_BUT.match(rest) if rest else None
    options = options_in(before.text) if match else None
    if rest is None or match is None or options is None or not options.labelled:
        return None
    label = next(value for value in match.groups() if value).translate(WIDE).lower()
    kept = [text.rstrip(".。") for name, text in options.texts.items() if name != label]
    if label not in options.texts:
        return None
    turn.known[all_but] = True
    offered = list(options.texts.values())
    why = own_reason(turn, rest) or capitalized(rest[match.end() :].strip(" ,.;:—–-、。，"))
    return decision(turn, offered, "; ".join(kept), why if weight(why) >= _REASON else "", (before, turn.human), 0.85)


def _instead(turn: Turn, sentence: Sentence) -> Sentence | None:
    """The sentence behind a rejection that says what to do in place of it."""
    place = turn.said.index(sentence) + 1
    following = turn.said[place] if place < len(turn.said) else None
    chooses = following and not _EACH.match(following.plain) and turn.cues.choice.search(following.plain)
    return following if chooses else None


def item_by_item(turn: Turn, before: EvidenceItem) -> Iterator[Finding]:
    """What a message says to the numbered points or questions of the one before it, each beside what it is about."""
    lines = [(match["label"].lower(), match["rest"]) for line in _lines(turn) if (match := _LABELLED.match(line))]
    options = options_in(before.text) if lines else None
    if options is None or not options.labelled:
        return
    for label, rest in lines[:_ITEMS]:
        said = sentences(_PARTICLE.sub("", rest))
        if label not in options.texts or not said or not said[0].weight:
            continue
        if turn.cues.question.search(said[0].plain) or turn.cues.defer.search(said[0].plain):
            continue
        if turned_down(f" {rest}", language_of(rest)):
            continue
        chosen = f"{options.texts[label].rstrip('.')}: {said[0].text}"
        yield decision(turn, [], chosen, own_reason(turn, rest), (before, turn.human), 0.8)


def _lines(turn: Turn) -> list[str]:
    return spoken(turn.text).split("\n")


def named(turn: Turn, before: EvidenceItem) -> Finding | None:
    """A short reply that takes up a thing the assistant has just named, where files were then changed for it: `fixed
    point then`. The sentences that name it give the reason."""
    said = turn.said[0]
    cues = turn.cues
    passing = (cues.question, cues.hedge, cues.joke, cues.defer, cues.fleeting, cues.moment, cues.works, cues.failed)
    if len(turn.said) > 2 or said.weight > _SHORT or any(cue.search(said.plain) for cue in passing):
        return None
    if decided(turn, 0):  # it says by itself what is to be
        return None
    asked = [s.plain for s in sentences(before.text)[-1:] if cues_of(s.plain).question.search(s.plain)]
    if any(asks_for_fact(question) for question in asked):
        return None
    reply = cues.filler.sub("", cues.assent.sub("", said.text, count=1), count=1)
    step = observes(said, cues) or _STATES.search(reply) or cues.imperative.match(reply) or cues.ephemeral.search(reply)
    if step or not any(item.tool and EDIT_TOOL.search(item.tool) for item in turn.work):
        return None
    first, _, rest = reply.partition(",")
    words = content(first)
    told = [s for s in sentences(before.text)[-_LAST - 1 :] if not cues_of(s.plain).announce.search(s.plain)]
    shared = [s for s in told if words and len(words & content(s.text)) >= len(words) * _SHARE]
    if not shared:
        return None
    why = join([s.text for s in shared[:2] if not cues_of(s.plain).question.search(s.plain)], _MOST)
    own = own_reason(turn, said.text) or (capitalized(rest.strip()) if weight(rest) >= _REASON else "")
    chosen = capitalized(without_filler(first if own else said.text, cues))
    return decision(turn, [], chosen, own or why, (before, turn.human), 0.7)


def judged_until(turn: Turn) -> int | None:
    """How many characters at the start of a message go through the points one by one; None where it does not."""
    if turn.known.get(all_but):
        return sum(len(s.text) + 1 for s in turn.said[:2])
    judged = [place for place, s in enumerate(turn.said) if _judges(s)]
    if not judged or not turn.before or not options_in(turn.before.text):
        return None
    last = judged[-1] + (_instead(turn, turn.said[judged[-1]]) is not None)
    return sum(len(s.text) + 1 for s in turn.said[: last + 1])
