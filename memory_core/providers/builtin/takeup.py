"""Decisions a person made by taking up what the assistant put to them: a yes, an option, an answer, an approved plan.

The person's message is always part of the evidence, so that nothing the assistant only announced becomes a decision.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.decisions import stated
from memory_core.providers.builtin.proposals import options_in, proposal_in, question_in
from memory_core.providers.builtin.sentences import Sentence, join, matching, sentences, spoken, weight
from memory_core.providers.builtin.turns import ANSWERS, Finding, Turn, cues_of

_MOST = 420
_ADDED = re.compile(r"[\s,;、，]*(?:(?:but|and|though|only)\b|ただし|でも|但是?|不过)[\s,、，]*", re.IGNORECASE)
_TELLING = 3  # content words of an option's description that can be a reason
_SHORT = 14  # content words of a reply that may answer a question between two ways
_WIDE = str.maketrans("１２３４５６７８９ＡＢＣＤ", "123456789ABCD")


def taken_up(turn: Turn, items: Sequence[EvidenceItem]) -> Iterator[Finding]:
    """The decision that a message makes by answering; at most one for each question answered."""
    match turn.subtype:
        case "question_answer":
            yield from _answered(turn, items)
        case "plan_approval":
            yield from _approved(turn, items)
        case _ if turn.before and turn.said:
            if picked := _picked(turn, turn.before):
                yield picked
                yield from _besides(turn)
                return
            finding = _agreed(turn, turn.before) or _settled(turn, turn.before)
            if finding:
                yield finding


def answered_until(turn: Turn) -> int:
    """How many characters at the start of a message only answer: the sentence of a pick or of an answer to
    `A or B?`, or the yes without the rest."""
    text = matching(" ".join(spoken(turn.text).split()))
    agreed = turn.cues.assent.match(text)
    if agreed and not turn.cues.pick.match(text):
        return agreed.end()
    return len(turn.said[0].text)


def agrees(turn: Turn) -> str | None:
    """What a message says behind its yes; None where it does not begin with one."""
    text = " ".join(spoken(turn.text).split())
    match = turn.cues.assent.match(matching(text))
    return text[match.end() :].strip() if match else None


def _agreed(turn: Turn, before: EvidenceItem) -> Finding | None:
    rest = agrees(turn)
    if rest is None or (rest and turn.cues.question.search(rest)):
        return None
    proposal = proposal_in(before.text)
    if proposal is None:
        return None
    thing, place = proposal
    why = _own_reason(turn, rest) or _reasons_near(before.text, place)
    return _decision(turn, [], thing, why, (before, turn.human), 0.8)


def _picked(turn: Turn, before: EvidenceItem) -> Finding | None:
    options = options_in(before.text)
    if options is None:
        return None
    text = " ".join(spoken(turn.text).split())
    match = turn.cues.pick.match(matching(text))
    if not match or turn.cues.question.search(turn.said[0].plain):
        return None
    named = next((value for value in match.groupdict().values() if value), "")
    chosen = _option(named, options.texts, turn.cues.ordinals)
    if chosen is None:
        return None
    rest = text[match.end() :].lstrip(" .,;:!—–-、。，")
    own = "" if _ADDED.match(text, match.end()) else _own_reason(turn, rest)
    why = own or _reasons_in(sentences(before.text), [chosen])
    return _decision(turn, list(options.texts.values()), chosen, why, (before, turn.human), 0.9)


def _besides(turn: Turn) -> Iterator[Finding]:
    """What the sentence of a pick decides besides: `2, but keep the old path behind a flag`."""
    text = turn.said[0].text
    match = turn.cues.pick.match(matching(text))
    added = _ADDED.match(text, match.end()) if match else None
    if added:
        yield from stated(replace(turn, human=replace(turn.human, text=text[added.end() :])))


def _option(named: str, texts: Mapping[str, str], ordinals: Mapping[str, int]) -> str | None:
    label = named.translate(_WIDE).lower()
    if label in texts:
        return texts[label]
    place = ordinals.get(label)
    listed = list(texts.values())
    return listed[place] if place is not None and -len(listed) <= place < len(listed) else None


def _settled(turn: Turn, before: EvidenceItem) -> Finding | None:
    """A short reply that names exactly one side of `A or B?`."""
    question = question_in(before.text)
    said = turn.said[0]
    if not question or len(turn.said) > 3 or said.weight > _SHORT:
        return None
    cues = cues_of(question)
    if any(cue.search(said.plain) for cue in (turn.cues.question, turn.cues.hedge, turn.cues.joke, turn.cues.defer)):
        return None
    sides = cues.either.split(question.replace("`", ""))
    words = [set(_words(side)) for side in sides[-2:]]
    named = set(_words(said.text.replace("`", "")))
    hits = [bool(named & (side - other)) for side, other in zip(words, reversed(words), strict=True)]
    if hits.count(True) != 1:
        return None
    rest = " ".join(sentence.text for sentence in turn.said[1:])
    chosen = f"{question} {said.text}"
    if not cues.question.search(question):  # `I could do this or that. Which one?`: the side that was named says it
        told = [cues.advice.sub("", side).strip(" .,") for side in cues.either.split(question)[-2:]]
        chosen = told[hits.index(True)]
    return _decision(turn, [], chosen, _own_reason(turn, rest), (before, turn.human), 0.85)


def _words(text: str) -> list[str]:
    return [
        word
        for word in matching(text).lower().replace("?", " ").replace("？", " ").replace(",", " ").strip(" .").split()
        if weight(word)
    ]


def _own_reason(turn: Turn, rest: str) -> str:
    """The reason that a person gave behind their yes."""
    if not rest or weight(rest) < 2:
        return ""
    reasons = [
        sentence.text
        for sentence in sentences(rest)[:2]
        if turn.cues.because.search(sentence.plain) or turn.cues.reason.search(sentence.plain)
    ]
    return join(reasons, _MOST)


def _reasons_near(text: str, place: int) -> str:
    """The reasons an assistant gave in the paragraph of its proposal and the one before it."""
    said = sentences(text)
    paragraph = said[place].paragraph
    near = [sentence for sentence in said if paragraph - 1 <= sentence.paragraph <= paragraph]
    return _reasons_in(near, [said[place].text])


def _reasons_in(said: Sequence[Sentence], about: Sequence[str]) -> str:
    """Sentences that give a reason; those that name the chosen thing first."""
    topic = {word for text in about for word in _words(text)}
    reasons = []
    for sentence in said:
        cues = cues_of(sentence.plain)
        passing = any(cue.search(sentence.plain) for cue in (cues.question, cues.announce, cues.hedge))
        if cues.reason.search(sentence.plain) and not passing:
            reasons.append((-len(topic & set(_words(sentence.text))), sentence.text))
    related = [text for shared, text in reasons if shared < 0]
    return join(related[:2], _MOST)


def _answered(turn: Turn, items: Sequence[EvidenceItem]) -> Iterator[Finding]:
    """Answers given in a question tool: one decision for each question that had options."""
    call = _call_of(turn, items)
    asked = call.call.arguments.get("questions") if call and call.call else None
    questions = [q for q in asked if isinstance(q, dict)] if isinstance(asked, list) else []
    for line in turn.text.split("\n"):
        answer, _, question = line.rpartition(" (asked: ")
        answer, question = (answer, question.rstrip(")")) if answer else (line, "")
        details = next((q for q in questions if _same(q.get("question"), question)), {})
        options, why = _offered(details, answer)
        if not options or cues_of(answer).defer.search(answer):
            continue  # an open question asks for facts; what was answered is a message like any other
        chosen = f"{question} {answer}".strip()
        evidence = (call, turn.human) if call else (turn.human,)
        yield _decision(turn, options, chosen, why, evidence, 0.95)


def _offered(details: Mapping[str, Any], answer: str) -> tuple[list[str], str]:
    """(labels of a question's options, the description of the one answered)."""
    options = [o for o in details.get("options") or [] if isinstance(o, dict) and isinstance(o.get("label"), str)]
    picked = [o for o in options if o["label"].strip() and o["label"] in answer]
    why = next((str(o.get("description") or "") for o in picked), "")
    why = why if weight(why) >= _TELLING else ""  # `Exact` labels an option, it gives no reason for it
    return [o["label"] for o in options][:8], why


def _same(full: object, shown: str) -> bool:
    """Whether a question is the one shown, which may be cut."""
    text = " ".join(str(full or "").split())
    return bool(text and shown) and (text == shown or text.startswith(shown.rstrip("… ")))


def _approved(turn: Turn, items: Sequence[EvidenceItem]) -> Iterator[Finding]:
    """An approved plan: its heading and first step are what was chosen."""
    call = _call_of(turn, items)
    plan = str(call.call.arguments.get("plan") or "") if call and call.call else ""
    said = [sentence for sentence in sentences(plan) if sentence.weight >= 2]
    if not said or not call:
        return
    chosen = join([said[0].text, *(s.text for s in said[1:3] if len(said[0].text) < 80)], 300)
    yield _decision(turn, [], chosen, _reasons_in(said[1:], [chosen]), (call, turn.human), 0.9)


def _call_of(turn: Turn, items: Sequence[EvidenceItem]) -> EvidenceItem | None:
    message = turn.human.message
    wanted = message.call_id if message else None
    return next((item for item in items if wanted and item.kind == "tool" and item.call_id == wanted), None)


def _decision(
    turn: Turn, options: list[str], chosen: str, why: str, evidence: tuple[EvidenceItem, ...], score: float
) -> Finding:
    fields = {
        "options": options,
        "chosen": join([chosen], _MOST),
        "rationale": join([why], _MOST),
    }
    assert turn.subtype in ANSWERS or turn.human in evidence  # noqa: S101 - a person's word supports every decision
    return Finding("decisions", fields, evidence, score)
