"""Decisions a person made by taking up what the assistant put to them: a yes, an option, an answer, an approved plan.

The person's message is always part of the evidence, so that nothing the assistant only announced becomes a decision.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memory_core.consolidate.similar import same_sense
from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.answers import terse
from memory_core.providers.builtin.assents import agreed, changed_by, withholds
from memory_core.providers.builtin.choices import decision, in_answer_to, own_reason, reasons_in, told_of_what, words_of
from memory_core.providers.builtin.decisions import stated
from memory_core.providers.builtin.passing import turned_down, unanswered
from memory_core.providers.builtin.picks import picked_by_name
from memory_core.providers.builtin.proposals import WIDE, alternatives_in, asks_for_fact, options_in, question_in
from memory_core.providers.builtin.replies import all_but, item_by_item, judged_until, named, several
from memory_core.providers.builtin.sentence_parts import parted
from memory_core.providers.builtin.sentences import (
    content,
    join,
    language_of,
    matching,
    sentences,
    spoken,
    weight,
)
from memory_core.providers.builtin.turns import Finding, Turn, cues_of

_MOST = 420
_ADDED = re.compile(r"[\s,;、，]*(?:(?:but|and|though|only)\b|ただし|でも|但是?|不过)[\s,、，]*", re.IGNORECASE)
_LISTED = re.compile(r"^\s*(?:(?:the|two|three|some)\s+)?options?(?:\s+(?:are|would be))?\s*[:：]\s*", re.IGNORECASE)
# A question that sets two amounts or ways of the same thing against each other: `one queue for all or one per tenant?`
_ONE_OR_ONE = re.compile(
    r"(?P<how>one|an?|the|two|separate|single)\b[^?]{2,120}?\bor (?:rather )?(?:(?P=how)|separate|several|many|one)\b",
    re.IGNORECASE,
)
_TELLING = 3  # content words of an option's description that can be a reason
_SHORT = 14  # content words of a reply that may answer a question between two ways


def taken_up(turn: Turn, items: Sequence[EvidenceItem]) -> Iterator[Finding]:
    """The decision that a message makes by answering; at most one for each question answered."""
    match turn.subtype:
        case "question_answer":
            yield from _answered(turn, items)
        case "plan_approval":
            yield from _approved(turn, items)
        case _ if turn.before and turn.said:
            if each := list(several(turn, turn.before)):
                yield from each
                return
            if kept := all_but(turn, turn.before):
                yield kept
                return
            if picked := _picked(turn, turn.before):
                yield picked
                yield from _besides(turn)
                return
            if told := list(item_by_item(turn, turn.before)):
                yield from told
                return
            if withholds(turn):
                return
            finding = picked_by_name(turn, turn.before) or agreed(turn, turn.before) or _settled(turn, turn.before)
            finding = finding or terse(turn, turn.before) or named(turn, turn.before)
            if finding:
                yield told_of_what(finding, turn.before)


def answered_until(turn: Turn) -> int:
    """How many characters at the start of a message only answer: the sentence of a pick or of an answer to
    `A or B?`, or the yes without the rest."""
    if (judged := judged_until(turn)) is not None:
        return judged
    text = matching(" ".join(spoken(turn.text).split()))
    agreed, picked = turn.cues.assent.match(text), turn.cues.pick.match(text)
    until = turn.known.get(changed_by, 0)
    if until and (agreed or picked):
        return int(until)
    if agreed and not turn.cues.pick.match(text):
        return agreed.end()
    return len(turn.said[0].text)


def _picked(turn: Turn, before: EvidenceItem) -> Finding | None:
    options = options_in(before.text)
    if options is None:
        return None
    text = " ".join(spoken(turn.text).split())
    match = turn.cues.pick.match(matching(text))
    if not match or turn.cues.question.search(turn.said[0].plain):
        return None
    if turned_down(text[match.end() :], language_of(text)):
        return None
    said = match.groupdict()
    called = said.pop("called", None)  # `1 の SQLite`: the option's number and its name
    named = next((value for value in said.values() if value), "")
    chosen = _option(named, options.texts, turn.cues.ordinals)
    if chosen is None or (not options.labelled and named.translate(WIDE).lower() in options.texts):
        return None
    if called and not content(called) & content(chosen):
        return None  # what is said is something of the option, not its name
    if changed := changed_by(turn, chosen, text[match.end() :]):
        turn.known[changed_by] = changed[1]
        return decision(turn, list(options.texts.values()), changed[0], "", (before, turn.human), 0.9)
    rest = text[match.end() :].lstrip(" .,;:!—–-、。，")
    added = turn.cues.assent.sub("", next((s.text for s in sentences(rest)[:1]), ""), count=1).strip()
    states = turn.cues.imperative.match(added) or turn.cues.rule.search(added)
    reasons = turn.cues.because.search(added) or turn.cues.reason.search(added) or _ADDED.match(text, match.end())
    if match.end() < len(turn.said[0].text) and weight(added) >= _TELLING - 1 and not reasons:
        chosen = f"{chosen.rstrip('.')}: {added}" if states else chosen
    own = "" if _ADDED.match(text, match.end()) else own_reason(turn, rest)
    why = own or reasons_in(sentences(before.text), [chosen])
    return decision(turn, list(options.texts.values()), chosen, why, (before, turn.human), 0.9)


def _besides(turn: Turn) -> Iterator[Finding]:
    """What the sentence of a pick decides besides: `2, but keep the old path behind a flag`."""
    text = turn.said[0].text
    match = turn.cues.pick.match(matching(text))
    added = _ADDED.match(text, match.end()) if match else None
    if added:
        yield from stated(replace(turn, human=replace(turn.human, text=text[added.end() :])))


def _option(named: str, texts: Mapping[str, str], ordinals: Mapping[str, int]) -> str | None:
    label = named.translate(WIDE).lower()
    if label in texts:
        return texts[label]
    place = ordinals.get(label)
    listed = list(texts.values())
    return listed[place] if place is not None and -len(listed) <= place < len(listed) else None


def _settled(turn: Turn, before: EvidenceItem) -> Finding | None:
    """A short reply that names exactly one side of `A or B?`."""
    question = question_in(before.text) or alternatives_in(before.text)
    said = turn.said[0]
    if not question or asks_for_fact(question) or len(turn.said) > 3 or said.weight > _SHORT:
        return None
    cues = cues_of(question)
    if any(cue.search(said.plain) for cue in (turn.cues.question, turn.cues.hedge, turn.cues.joke, turn.cues.defer)):
        return None
    sides = cues.either.split(question.replace("`", ""))
    words = [set(words_of(side)) for side in sides[-2:]]
    named = set(words_of(said.text.replace("`", "")))
    hits = [bool(named & (side - other)) for side, other in zip(words, reversed(words), strict=True)]
    if hits.count(True) != 1:
        return None
    rest = " ".join(sentence.text for sentence in turn.said[1:])
    chosen = f"{question} {said.text}"
    if _ONE_OR_ONE.match(question):  # the first side would name the opposite of what was settled
        answer, reason = parted(said.text, turn.cues)
        chosen, rest = in_answer_to(answer.partition(",")[0], question), f"{said.text} {rest}" if reason else rest
    if not cues.question.search(question):  # `I could do this or that. Which one?`: the side that was named says it
        told = [_LISTED.sub("", cues.advice.sub("", side)).strip(" .,") for side in cues.either.split(question)[-2:]]
        chosen = told[hits.index(True)]
        if not same_sense(said.plain, chosen):
            return None  # `no versioning yet` names what it turns down
    return decision(turn, [], chosen, own_reason(turn, rest), (before, turn.human), 0.85)


def _answered(turn: Turn, items: Sequence[EvidenceItem]) -> Iterator[Finding]:
    """Answers given in a question tool: one decision for each question that had options."""
    call = _call_of(turn, items)
    asked = call.call.arguments.get("questions") if call and call.call else None
    questions = [q for q in asked if isinstance(q, dict)] if isinstance(asked, list) else []
    for line in turn.text.split("\n"):
        answer, _, question = line.rpartition(" (asked: ")
        answer, question = (answer, question.rstrip(")")) if answer else (line, "")
        details = next((q for q in questions if _same(q.get("question"), question)), {})
        options, why, named = _offered(details, answer)
        if not options or cues_of(answer).defer.search(answer):
            continue  # an open question asks for facts; what was answered is a message like any other
        if not named and _left_open(answer):
            continue
        chosen = f"{question} {answer}".strip()
        evidence = (call, turn.human) if call else (turn.human,)
        yield decision(turn, options, chosen, why, evidence, 0.95)


def _left_open(answer: str) -> bool:
    """Whether an answer in a person's own words asks back, doubts, or says nothing of what is to be."""
    cues = cues_of(answer)
    plain = matching(answer)
    refused = cues.refusal.search(plain) and not (cues.bare.search(plain) or cues.choice.search(plain))
    return bool(refused) or unanswered(answer) or any(c.search(plain) for c in (cues.question, cues.hedge, cues.joke))


def _offered(details: Mapping[str, Any], answer: str) -> tuple[list[str], str, bool]:
    """(labels of a question's options, the description of the one answered, whether the answer begins with a label or
    lists labels)."""
    options = [o for o in details.get("options") or [] if isinstance(o, dict) and isinstance(o.get("label"), str)]
    picked = [o for o in options if o["label"].strip() and o["label"] in answer]
    why = next((str(o.get("description") or "") for o in picked), "")
    why = why if weight(why) >= _TELLING else ""  # `Exact` labels an option, it gives no reason for it
    labels = [o["label"] for o in options]
    return labels[:8], why, any(answer.startswith(label) or f", {label}" in answer for label in labels if label.strip())


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
    yield decision(turn, [], chosen, reasons_in(said[1:], [chosen]), (call, turn.human), 0.9)


def _call_of(turn: Turn, items: Sequence[EvidenceItem]) -> EvidenceItem | None:
    message = turn.human.message
    wanted = message.call_id if message else None
    return next((item for item in items if wanted and item.kind == "tool" and item.call_id == wanted), None)
