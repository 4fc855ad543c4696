"""What a person asked for that outlives the moment. Errands, questions and thanks are none of it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from memory_core.providers.builtin.asks import (
    BRIEF,
    ENOUGH,
    asked_in,
    has_form_of_ask,
    names_only,
    orders_more,
    target_of,
)
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.deciding import decided
from memory_core.providers.builtin.fulfilled import (
    STANDING,
    answered_only,
    changed,
    done_in_session,
    done_with,
    steps_of,
    work_of,
)
from memory_core.providers.builtin.intents import intent_of, whole_from
from memory_core.providers.builtin.passing import passes_with_the_moment
from memory_core.providers.builtin.runs import EDIT_TOOL, runs_of
from memory_core.providers.builtin.sentence_parts import without_filler
from memory_core.providers.builtin.sentences import capitalized, content, join, matching, weight
from memory_core.providers.builtin.turns import Finding, Turn, ends_of
from memory_core.providers.builtin.verdicts import observes, taken_back, tells_fault
from memory_core.providers.builtin.withdrawn import given_up, only_ends, withdrawn

_SUMMARY = 480
_TASK = 6  # content words of a message that sets a task of its own
_NEAR = 200  # requests before one that it may repeat
_SLACK = 0.25  # share of the pairs of Chinese or Japanese characters that a repeated ask may word differently
# When something is to be done: short, yet it changes what is asked for.
_WHEN = re.compile(
    r"^(?:(?:but|and|just|ok) )*(?:not (?:now|yet|today)|only after|after (?:the|we|that)|later|no (?:rush|hurry)"
    r"|once (?:the|we)|"
    r"next (?:week|month|sprint|release))\b|^(?:今すぐ|すぐ)ではな|^(?:リリース|次)の?後"
    r"|^不急|^(?:现在)?不用现在|^发布(?:之)?后",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(r"\b(?:undo|revert|roll back) (?:it|that|this)\b|戻して|撤销|되돌려", re.IGNORECASE)


def requested(turns: Sequence[Turn], answered: Mapping[str, int], settled: Container[str] = ()) -> list[Finding]:
    """The requests of a slice, those asked more than once merged into one with all their evidence. `answered`: by id of
    the message, how many characters at its start answered the assistant and ask for nothing.

    `settled`: ids of messages whose work succeeded, as an attempt tells: what went wrong and is mended is no request
    any more. A task that was done names the change and the report that show it, so that nobody takes it for open."""
    found: list[Finding] = []
    done: list[Finding] = []
    for number, turn in enumerate(turns):
        following = turns[number + 1] if number + 1 < len(turns) else None
        if things := given_up(turn):
            kept = [finding for finding in found if not withdrawn(finding, things)]
            ended, found = len(kept) < len(found) or any(withdrawn(finding, things) for finding in done), kept
        else:
            ended = False
        if taken_back(turns[number + 1 : number + 2]) or answered_only(turn, following):
            continue
        work = done_with(turns, number)
        if (work or any(step.human.id in settled for step in steps_of(turns, number))) and _mended(turn):
            continue
        finished = bool(work) or done_in_session(turns, number)
        for finding in _of_turn(turn, answered.get(turn.human.id, 0), following):
            near = range(max(0, len(found) - _NEAR), len(found))
            place = next((n for n in near if _repeats(finding, found[n])), None)
            if place is not None:
                found[place] = _merged(found[place], finding)
            elif ended and only_ends(finding):
                continue  # it only undoes what was asked before
            elif not finished or STANDING.search(str(finding.fields["summary"])):
                found.append(finding)
            elif _is_task(turn, work):
                found.append(replace(finding, items=(*finding.items, *(work or work_of(turn)))))
            else:
                done.append(finding)
    return found


def _mended(turn: Turn) -> bool:
    """Whether a message only told of something wrong: once that works, nothing of it is left to be asked."""
    cues = turn.cues
    faults = [sentence for sentence in turn.said if tells_fault(sentence, cues)]
    holds = any(
        STANDING.search(sentence.plain) and (sentence not in faults or has_form_of_ask(sentence.plain, cues))
        for sentence in turn.said
    )
    asks = holds or _thin(turn) or any(orders_more(sentence.plain, cues) for sentence in turn.said)
    return bool(faults) and not asks


def _is_task(turn: Turn, work: Sequence[object]) -> bool:
    """Whether a message sets a task of its own rather than a step of one: what was set out for is worth knowing with
    the attempt that tells how it went, though it is done."""
    said = sum(s.weight for s in turn.said)
    least = _TASK if turn.first or asked_in(turn) else _TASK + 2
    return said >= least and (changed(turn) or bool(work))


def _of_turn(turn: Turn, answered: int, following: Turn | None) -> Iterator[Finding]:
    ends = ends_of(turn)
    asked = [(place, thing) for place, thing in asked_in(turn) if ends[place] > answered]
    if asked:
        thing = asked[0][1]
        texts = [turn.said[number].text for number in _told_with(turn, [number for number, _ in asked])]
        points = 0.65 + 0.1 * turn.first + 0.05 * (weight(thing) >= 6) + 0.05 * (len(asked) > 1)
    elif changed(turn) and (thin := _thin(turn)):
        thing, texts = _bare(turn, thin[0]), [turn.said[n].text for n in thin]
        thing = f"{thing.rstrip('.')}: {texts[-1]}"
        points = 0.65 + 0.1 * turn.first
    elif changed(turn) and (wished := _wished(turn)):
        thing, texts = without_filler(turn.said[wished[-1]].text, turn.cues), [turn.said[n].text for n in wished]
        points = 0.6
    elif bug := _reported_bug(turn):
        thing, texts = without_filler(turn.said[bug[0]].text, turn.cues), [turn.said[number].text for number in bug]
        points = 0.55 + 0.1 * turn.first
    elif answered == 0 and (worked_on := _worked_on(turn, following)):
        thing, texts = turn.said[worked_on[0]].text, [turn.said[number].text for number in worked_on]
        points = 0.5 + 0.1 * turn.first
    else:
        return
    points += 0.05 * min(sum(bool(item.tool and EDIT_TOOL.search(item.tool)) for item in turn.work), 4) / 2
    fields = {
        "intent": intent_of(thing, turn.cues),
        "target": target_of(" ".join(texts)),
        "summary": join([_opened(texts[0], turn.cues), *texts[1:]], _SUMMARY),
    }
    yield Finding("requests", fields, (turn.human,), points)


def _opened(text: str, cues: Cues) -> str:
    return capitalized(whole_from(without_filler(text, cues)))


def _told_with(turn: Turn, asked: list[int]) -> list[int]:
    """The sentences that make up a request: all asks of the message; for a single one, what it refers to before it, if
    it says little itself, and up to two statements behind it. Before them, one that names what they are about."""
    place = asked[0]
    named = [place - 1] if place and names_only(turn.said[place - 1], turn.cues) else []
    if len(asked) > 1:
        return named + asked
    told = [*named, place]
    if not named and place and turn.said[place].weight < BRIEF and _tells(turn, place - 1):
        told.insert(0, place - 1)
    for number in range(place + 1, min(place + 3, len(turn.said))):
        if not _tells(turn, number) and not _WHEN.match(turn.said[number].plain):
            break
        told.append(number)
    return told


def _tells(turn: Turn, number: int) -> bool:
    """Whether a sentence states something that belongs to an ask beside it."""
    cues, sentence = turn.cues, turn.said[number]
    passing = any(cue.search(sentence.plain) for cue in (cues.question, cues.joke, cues.fleeting, cues.hedge))
    return not passing and not decided(turn, number) and sentence.weight >= ENOUGH


def _reported_bug(turn: Turn) -> list[int]:
    """Sentences that say what does not work, where that is all a message asks: the bug, then what follows it."""
    cues = turn.cues
    if any(decided(turn, place) for place in range(len(turn.said))):
        return []
    for place, sentence in enumerate(turn.said):
        uncertain = any(cue.search(sentence.plain) for cue in (cues.question, cues.joke, cues.reported, cues.hedge))
        if (
            not uncertain
            and cues.bug.search(sentence.plain)
            and sentence.weight >= 5
            and not cues.failed.search(sentence.plain)
            and not passes_with_the_moment(sentence.plain)  # `don't start the server` is no server that does not start
        ):
            return [place]
    return []


def _worked_on(turn: Turn, following: Turn | None) -> list[int]:
    """Sentences of a message that files were changed for, where one of them has the form of an ask that no other finder
    takes. A message that only tells asks for nothing, whatever was done about it; one that decides is a decision."""
    if any(decided(turn, place) for place in range(len(turn.said))):
        return []
    agreed = following is not None and changed(following) and following.cues.assent.match(following.text.strip())
    if not changed(turn) and not (agreed or (turn.first and runs_of(turn.work))):
        return []
    cues = turn.cues
    passing = (cues.question, cues.joke, cues.reported, cues.hedge, cues.ephemeral, cues.assent, cues.pick, cues.defer)
    told = [
        place
        for place, sentence in enumerate(turn.said)
        if weight(sentence.text) >= ENOUGH
        and not any(cue.search(sentence.plain) for cue in passing)
        and not passes_with_the_moment(sentence.plain)
    ]
    if not any(has_form_of_ask(turn.said[n].plain, cues) or tells_fault(turn.said[n], cues) for n in told):
        return []
    told = [place for place in told if turn.first or not observes(turn.said[place], cues)]
    least = _TASK - 1 if turn.first and changed(turn) else BRIEF
    heavy = sum(weight(turn.said[place].text) for place in told) >= least
    errand = not changed(turn) and any(_is_errand(turn.said[place].plain, cues) for place in told[:1])
    return told[:4] if told and heavy and not errand and not cues.failed.search(turn.said[told[0]].plain) else []


def _bare(turn: Turn, place: int) -> str:
    """A sentence without the words of asking."""
    text = without_filler(turn.said[place].text, turn.cues)
    courtesy = turn.cues.ask.match(matching(text))
    return text[courtesy.end() :] if courtesy else text


def _thin(turn: Turn) -> list[int]:
    """An ask that names its thing and no more, with the statement behind it that says what that is: `Let's do the
    export next. CSV of the filtered table.`"""
    cues = turn.cues
    for place, sentence in enumerate(turn.said[:-1]):
        plain = without_filler(sentence.plain, cues)
        courtesy = None if cues.reason_first else cues.ask.match(plain)
        if not courtesy or not courtesy.group() or not weight(plain[courtesy.end() :]):
            continue
        passing = cues.fleeting.match(plain[courtesy.end() :]) or cues.question.search(plain)
        if not passing and not decided(turn, place) and _tells(turn, place + 1):
            return [place, place + 1]
    return []


def _wished(turn: Turn) -> list[int]:
    """The sentence that puts an ask as an idea or an expectation, with the statement before it where it says little
    itself. Only asked where files were changed for the message, which shows that it was taken as an ask."""
    cues = turn.cues
    passing = (cues.joke, cues.reported, cues.defer, cues.ephemeral)
    for place, sentence in enumerate(turn.said):
        fits = cues.suggest.search(sentence.plain) and not any(cue.search(sentence.plain) for cue in passing)
        fits = fits and not passes_with_the_moment(sentence.plain)
        if not fits or _TAKES_BACK.search(sentence.plain) or _is_errand(sentence.plain, cues) or decided(turn, place):
            continue
        vague = sentence.weight < BRIEF or cues.pronoun.search(sentence.plain)
        before = place - 1 if place and vague and turn.said[place - 1].weight >= ENOUGH else None
        names = sentence.weight >= ENOUGH - 1 and target_of(sentence.text)
        if sentence.weight >= ENOUGH + 1 or before is not None or names:
            return [place] if before is None else [before, place]
    return []


def _is_errand(plain: str, cues: Cues) -> bool:
    body = without_filler(plain, cues)
    courtesy = None if cues.reason_first else cues.ask.match(body)
    return bool(cues.fleeting.match(body[courtesy.end() :] if courtesy else body))


def _repeats(finding: Finding, known: Finding) -> bool:
    """Whether one of two asks says nothing that the other does not: two that differ in one noun are two asks."""
    one, other = (content(str(each.fields["summary"])) for each in (finding, known))
    if min(len(one), len(other)) < ENOUGH:
        return one == other
    return any(len(a - b) <= _SLACK * sum(not word.isascii() for word in a) for a, b in ((one, other), (other, one)))


def _merged(known: Finding, again: Finding) -> Finding:
    """The fuller wording, all the evidence; asking twice is a sign that it matters."""
    fuller = again if weight(str(again.fields["summary"])) > weight(str(known.fields["summary"])) else known
    return replace(fuller, items=(*known.items, *again.items), score=min(max(known.score, again.score) + 0.1, 1.0))
