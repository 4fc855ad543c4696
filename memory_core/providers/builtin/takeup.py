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
from memory_core.providers.builtin.answers import specifies, terse
from memory_core.providers.builtin.choices import decision, own_reason, reasons_in, reasons_near, words_of
from memory_core.providers.builtin.decisions import stated
from memory_core.providers.builtin.picks import picked_by_name
from memory_core.providers.builtin.proposals import WIDE, alternatives_in, options_in, proposal_in, question_in
from memory_core.providers.builtin.replies import item_by_item, judged_until, named, several
from memory_core.providers.builtin.sentences import (
    capitalized,
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
# What changes a thing that was just taken up.
_CHANGES = re.compile(
    r"(?:^|(?<=[、,，。\s]))(?P<change>(?:ただし|但し|但是?|不过|只是|다만|단,|(?:but|though|only|except)\b|"
    r"(?<![^。])でも(?=[^、])).*)$",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
# A figure that a person settles with their yes.
_FINE = re.compile(
    r"(?P<how>(?=[^,;.:?!]{0,20}\d)[^,;.:?!]{2,50}?) (?:is|are|sounds|works|should be) "
    r"(?:fine|ok|okay|good|right|enough|plenty)\b",
    re.IGNORECASE,
)
_OUGHT = re.compile(
    r"\b(?:should(?:n'?t)?|ought to|must(?:n'?t)?|needs? to|has to|alternatively|instead|better|i'?d (?:suggest|"
    r"propose|go|use)|we'?d)\b"
    r"|\b(?:we|i) (?:could|can|would|compare|use|keep|store|move|split)\b"
    r"|べき|ほうが|方が|必要があ|代わりに|おすすめ|应该|最好|不如|建议|改为|야 (?:합니다|해요)|게 좋|대신",
    re.IGNORECASE,
)
_ALTERNATIVELY = re.compile(r"^(?:alternatively|then|so|instead)[,:]?\s+", re.IGNORECASE)
_SUGGESTS = re.compile(r"^i(?:'d| would)? (?:suggest|propose|recommend|advise) (?=\w+ing\b)", re.IGNORECASE)
_LISTED = re.compile(r"^\s*(?:(?:the|two|three|some)\s+)?options?(?:\s+(?:are|would be))?\s*[:：]\s*", re.IGNORECASE)
_LAST = 4  # sentences at the end of a message that a yes may be about
_TELLING = 3  # content words of an option's description that can be a reason
_SHORT = 14  # content words of a reply that may answer a question between two ways
# A question about how something is, not about what to do: its answer is a fact of the moment.
_FACT = re.compile(
    r"^(?:so|and|but|ok|hmm|wait)?[,\s]*(?:do|does|did|is|are|was|were|has|have|had|can|could)(?:n't)?\s+"
    r"(?!you (?:want|prefer|like|need|think|mind)|(?:it|this|that) (?:ok|okay|fine|better|enough|alright)|"
    r"we (?:want|need|use|go|keep))"
    r"|^(?:what|why|where|when|who|how (?:come|did|does|is|are))\b(?!.{0,40}\b(?:prefer|want|should|rather|like)\b)",
    re.IGNORECASE,
)


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
            if picked := _picked(turn, turn.before):
                yield picked
                yield from _besides(turn)
                return
            if told := list(item_by_item(turn, turn.before)):
                yield from told
                return
            finding = picked_by_name(turn, turn.before) or _agreed(turn, turn.before) or _settled(turn, turn.before)
            finding = finding or terse(turn, turn.before) or named(turn, turn.before)
            if finding:
                yield finding


def answered_until(turn: Turn) -> int:
    """How many characters at the start of a message only answer: the sentence of a pick or of an answer to
    `A or B?`, or the yes without the rest."""
    if (judged := judged_until(turn)) is not None:
        return judged
    text = matching(" ".join(spoken(turn.text).split()))
    agreed, picked = turn.cues.assent.match(text), turn.cues.pick.match(text)
    until = turn.known.get(_changed, 0)
    if until and (agreed or picked):
        return int(until)
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
    proposal = proposal_in(before.text) or _backed(before, rest)
    if proposal is None:
        return None
    thing, place = proposal
    if changed := _changed(turn, thing, rest):
        turn.known[_changed] = changed[1]
        return decision(turn, [], changed[0], "", (before, turn.human), 0.8)
    how = rest.rstrip(" .!")
    if language_of(how) == "en" and specifies(how, turn.cues):
        thing = f"{thing.rstrip('.')}: {how}"  # `yes, 20 MB per file, 5 at once`
    elif fine := _FINE.match(rest):
        thing = (
            f"{thing.rstrip('.')}{';' if ':' in thing else ':'} {fine['how']}"  # `yes do that, 1000 per batch is fine`
        )
    why = own_reason(turn, rest) or reasons_near(before.text, place)
    return decision(turn, [], thing, why, (before, turn.human), 0.8)


def _backed(before: EvidenceItem, rest: str) -> tuple[str, int] | None:
    """(the thing, number of its sentence) of a message that ends by saying how it should be done, without asking; where
    the person's yes names it again, any of its last sentences that does."""
    said = sentences(before.text)
    named = set(words_of(rest))
    for place in range(len(said) - 1, max(-1, len(said) - _LAST - 1), -1):
        sentence = said[place]
        if cues_of(sentence.plain).question.search(sentence.plain) or sentence.weight < _TELLING:
            continue
        ought = _OUGHT.search(sentence.plain)
        if ought and (named & set(words_of(sentence.text)) or (not named and place >= len(said) - 2)):
            return capitalized(_SUGGESTS.sub("", _ALTERNATIVELY.sub("", sentence.text))), place
    return None


def _picked(turn: Turn, before: EvidenceItem) -> Finding | None:
    options = options_in(before.text)
    if options is None:
        return None
    text = " ".join(spoken(turn.text).split())
    match = turn.cues.pick.match(matching(text))
    if not match or turn.cues.question.search(turn.said[0].plain):
        return None
    said = match.groupdict()
    called = said.pop("called", None)  # `1 の SQLite`: the option's number and its name
    named = next((value for value in said.values() if value), "")
    chosen = _option(named, options.texts, turn.cues.ordinals)
    if chosen is None or (not options.labelled and named.translate(WIDE).lower() in options.texts):
        return None
    if called and not content(called) & content(chosen):
        return None  # what is said is something of the option, not its name
    if changed := _changed(turn, chosen, text[match.end() :]):
        turn.known[_changed] = changed[1]
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


def _changed(turn: Turn, thing: str, rest: str) -> tuple[str, int] | None:
    """(a thing with what a message changes of it behind its yes or its pick, how many characters at the start of the
    message that takes): `1で。ただし上限は500件`. Two decisions would speak against each other."""
    cues = turn.cues
    for place, sentence in enumerate(sentences(rest)[:2]):
        match = _CHANGES.search(sentence.plain)
        if not match or any(cue.search(sentence.plain) for cue in (cues.question, cues.hedge, cues.joke, cues.defer)):
            continue
        change = sentence.text[match.start("change") :]
        figures = _FIGURE.search(change) and _FIGURE.search(thing)
        if weight(change) < 1 or (place and match.start()) or (change[:1].isascii() and not figures):
            continue  # in English, what stands behind `but` is a choice that can be read alone, unless it is a figure
        wide = language_of(change) in ("ja", "zh")
        told = next((n for n, said in enumerate(turn.said) if change in said.text), len(turn.said) - 1)
        until = sum(len(said.text) + 1 for said in turn.said[: told + 1])
        return f"{thing.rstrip('.。')}{'。' if wide else ', '}{change}", until
    return None


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
    if not question or _FACT.search(question) or len(turn.said) > 3 or said.weight > _SHORT:
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
        options, why = _offered(details, answer)
        if not options or cues_of(answer).defer.search(answer):
            continue  # an open question asks for facts; what was answered is a message like any other
        chosen = f"{question} {answer}".strip()
        evidence = (call, turn.human) if call else (turn.human,)
        yield decision(turn, options, chosen, why, evidence, 0.95)


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
    yield decision(turn, [], chosen, reasons_in(said[1:], [chosen]), (call, turn.human), 0.9)


def _call_of(turn: Turn, items: Sequence[EvidenceItem]) -> EvidenceItem | None:
    message = turn.human.message
    wanted = message.call_id if message else None
    return next((item for item in items if wanted and item.kind == "tool" and item.call_id == wanted), None)
