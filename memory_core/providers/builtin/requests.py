"""What a person asked for that outlives the moment. Errands, questions and thanks are none of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.decisions import decided, ends_of, without_filler
from memory_core.providers.builtin.runs import EDIT_TOOL, runs_of
from memory_core.providers.builtin.sentences import Sentence, capitalized, content, join, matching, sentences, weight
from memory_core.providers.builtin.turns import Finding, Turn, cues_of, is_assistant
from memory_core.text import shorten

_INTENT = 110
_SUMMARY = 480
_ENOUGH = 3  # content words of an ask; fewer point at something that only the moment shows
_BRIEF = 6  # content words below which an ask needs the sentence before it
_TASK = 6  # content words of a message that sets a task of its own
_SLACK = 0.25  # share of the pairs of Chinese or Japanese characters that a repeated ask may word differently
_DONE = re.compile(
    r"^(?:done|implemented|added|fixed|finished|all (?:set|done))\b"
    r"|\b(?:is|are) (?:now )?(?:in place|implemented|done|fixed|added)\b"
    r"|(?:追加|実装|修正|対応|作成|変更|削除)(?:し|が完了し)ました|完了しました"
    r"|(?:已经?|都)(?:添加|实现|完成|修复|加上|改好)|完成了|加好了",
    re.IGNORECASE,
)
_PASSED = re.compile(
    r"\b[1-9]\d* passed\b(?!.*\b[1-9]\d* failed\b)|\btests? result: ok\b|\ball checks passed\b", re.IGNORECASE
)
_MORE = re.compile(
    r"\b(?:still|again|not (?:what|how|quite)|wrong|broken|missing|forgot"
    r"|why (?:did|is|does)n[’']?t|undo|revert)\b"
    r"|まだ|違|おかし|戻し|もう一度|还是|不对|错了|重新|再(?:改|来)|忘",
    re.IGNORECASE,
)
# A wish for all that comes is not done with the first change.
_STANDING = re.compile(
    r"\b(?:always|never|every|each|whenever|at (?:most|least)|must|should (?:always|never|stay|remain)"
    r"|ensure|make sure|in future"
    r"|without|concerned)\b|\b(?:not now|after the|some point|later)\b|必ず|常に|毎|ように|たび|每|所有|必须|始终|一律",
    re.IGNORECASE,
)
# When something is to be done: short, yet it changes what is asked for.
_WHEN = re.compile(
    r"^(?:(?:but|and|just|ok) )*(?:not (?:now|yet|today)|only after|after (?:the|we|that)|later|no (?:rush|hurry)"
    r"|once (?:the|we)|"
    r"next (?:week|month|sprint|release))\b|^(?:今すぐ|すぐ)ではな|^(?:リリース|次)の?後"
    r"|^不急|^(?:现在)?不用现在|^发布(?:之)?后",
    re.IGNORECASE,
)
_TARGET = re.compile(
    r"`(?P<code>[^`\s][^`]{0,78}[^`\s]|[^`\s])`"
    r"|(?<![\w/.])(?P<path>(?:\.{0,2}/)?(?:[\w@.-]+/)+[\w@.-]*\w|/(?:[\w@{}:.-]+/)*[\w@{}:.-]+|[\w-]+\.(?:py|tsx?|"
    r"jsx?|rs|go|java|kt|rb|php|c|h|cpp|"
    r"cs|sh|sql|md|toml|ya?ml|json|html|s?css|vue|svelte|lua|proto|tf|txt|cfg|ini|lock))(?![\w/])"
    r"|(?<![\w.])(?P<name>--[a-z][\w-]+|[A-Za-z_]\w*\(\)|[a-z]+(?:_[a-z0-9]+)+|[a-z]+[A-Z]\w*|"
    r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?!\w)"
)


def requested(turns: Sequence[Turn], answered: Mapping[str, int]) -> list[Finding]:
    """The requests of a slice, those asked more than once merged into one with all their evidence. `answered`: by id of
    the message, how many characters at its start answered the assistant and ask for nothing."""
    found: list[Finding] = []
    for number, turn in enumerate(turns):
        finished = done_in_session(turns, number)
        following = turns[number + 1] if number + 1 < len(turns) else None
        for finding in _of_turn(turn, answered.get(turn.human.id, 0), following):
            place = next((n for n, known in enumerate(found) if _repeats(finding, known)), None)
            if place is not None:
                found[place] = _merged(found[place], finding)
            elif not finished or _is_task(turn) or _STANDING.search(str(finding.fields["summary"])):
                found.append(finding)
    return found


def _is_task(turn: Turn) -> bool:
    """Whether a message sets a task of its own rather than a step of one: what was set out for is worth knowing with
    the attempt that tells how it went, though it is done."""
    return sum(s.weight for s in turn.said) >= (_TASK if turn.first else _TASK + 2) and _changed(turn)


def _changed(turn: Turn) -> bool:
    """Whether files were changed for a message."""
    return any(item.tool and EDIT_TOOL.search(item.tool) for item in turn.work)


def done_in_session(turns: Sequence[Turn], number: int) -> bool:
    """Whether what a message asked for was done before the person's next word on it: work was done, the assistant's
    last message says so or the last checks passed, and the next message does not object."""
    turn = turns[number]
    told = [item for item in turn.work if is_assistant(item)]
    tools = [item for item in turn.work if item.kind == "tool" and item.result]
    if not told or not tools:
        return False
    said = sentences(told[-1].text)
    cues = cues_of(" ".join(sentence.plain for sentence in said))
    if any(cues.question.search(sentence.plain) for sentence in said[-2:]):
        return False
    following = turns[number + 1] if number + 1 < len(turns) else None
    if following is None or _objects(following):
        return False
    reported = any(_DONE.search(s.plain) and not cues.failed.search(s.plain) for s in said)
    last = tools[-1]
    passed = not last.is_error and bool(
        last.result and _PASSED.search((last.result.output or last.result.text)[-4_000:])
    )
    return reported or passed


def _objects(turn: Turn) -> bool:
    """Whether a message says that what was done before it is not right yet, or not enough."""
    cues = turn.cues
    against = (cues.failed, cues.correction, cues.bug)
    return any(cue.search(s.plain) for s in turn.said[:3] for cue in against) or any(
        _MORE.search(s.plain) for s in turn.said[:2]
    )


def asked_in(turn: Turn) -> list[tuple[int, str]]:
    """(number of the sentence, what it asks for) of each lasting ask in a message."""
    return [
        (place, thing)
        for place, sentence in enumerate(turn.said)
        if not decided(turn, place) and (thing := _asked(sentence, turn.cues))
    ]


def target_of(text: str) -> str | None:
    """The first path or identifier that a text names."""
    match = _TARGET.search(text)
    return next(value for value in match.groups() if value) if match else None


def _of_turn(turn: Turn, answered: int, following: Turn | None) -> Iterator[Finding]:
    ends = ends_of(turn)
    asked = [(place, thing) for place, thing in asked_in(turn) if ends[place] > answered]
    if asked:
        thing = asked[0][1]
        texts = [turn.said[number].text for number in _told_with(turn, [number for number, _ in asked])]
        points = 0.65 + 0.1 * turn.first + 0.05 * (weight(thing) >= 6) + 0.05 * (len(asked) > 1)
    elif bug := _reported_bug(turn):
        thing, texts = without_filler(turn.said[bug[0]].text, turn.cues), [turn.said[number].text for number in bug]
        points = 0.55 + 0.1 * turn.first
    elif answered == 0 and (worked_on := _worked_on(turn, following)):
        thing, texts = turn.said[worked_on[0]].text, [turn.said[number].text for number in worked_on]
        points = 0.5 + 0.1 * turn.first
    else:
        return
    fields = {
        "intent": _intent(thing, turn.cues),
        "target": target_of(" ".join(texts)),
        "summary": join([_opened(texts[0], turn.cues), *texts[1:]], _SUMMARY),
    }
    yield Finding("requests", fields, (turn.human,), points)


def _asked(sentence: Sentence, cues: Cues) -> str | None:
    """What a sentence asks for beyond the moment; None where it does not."""
    text = without_filler(sentence.text, cues)
    plain = matching(text)
    if any(cue.search(plain) for cue in (cues.joke, cues.reported, cues.defer)) or cues.ephemeral.search(plain):
        return None
    if cues.reason_first or not cues.condition.search(
        "if"
    ):  # languages that ask at the end of the sentence, or anywhere
        return _asked_anywhere(text, plain, cues)
    for start in _clauses(plain, cues):
        body = plain[start:]
        courtesy = cues.ask.match(body)
        thing = body[courtesy.end() :] if courtesy else body
        if not courtesy and (cues.question.search(plain) or not cues.imperative.match(body)):
            continue
        if cues.fleeting.match(thing):
            return None
        points_back = bool(start) and cues.pronoun.search(thing)
        if weight(thing) >= _ENOUGH and not points_back:
            return text[len(text) - len(thing) :]
        if start and weight(plain) >= 2 * _ENOUGH:  # what it is about stands in the clause before
            return text
    return None


def _asked_anywhere(text: str, plain: str, cues: Cues) -> str | None:
    match = cues.ask.search(plain)
    if not match or cues.fleeting.search(plain) or weight(plain) < _ENOUGH:
        return None
    if cues.question.search(plain) and not re.search(
        r"[てで](?:くれ|もらえ|いただけ|頂け)|お願い|能不能|可不可以|"
        r"能否|可否|可以",
        plain,
    ):
        return None
    if not cues.reason_first and cues.question.search(plain) and not weight(plain[match.end() :]):
        return None
    return text


def _clauses(plain: str, cues: Cues) -> list[int]:
    """Where an ask may begin: at the start, behind a condition, or behind a comma where a courtesy follows."""
    starts = [0]
    for match in re.finditer(r"[,;:]\s+|\s[—–-]\s", plain):
        filler = cues.filler.match(plain, match.end())
        start = filler.end() if filler else match.end()
        if cues.ask.match(plain[match.end() :]):
            starts.append(match.end())
        elif cues.condition.match(plain) or cues.ask.match(plain[start:]):
            starts.append(start)
    return starts


def _intent(thing: str, cues: Cues) -> str:
    """A short form: the ask up to the end of its first clause where it is long."""
    thing = thing.strip().rstrip("?？。.!！ ")
    if len(thing) > 70 and not cues.reason_first:
        for match in cues.clause.finditer(thing):
            if weight(thing[: match.start()]) >= _ENOUGH:
                thing = thing[: match.start()]
                break
    return shorten(capitalized(thing), _INTENT)


def _opened(text: str, cues: Cues) -> str:
    return capitalized(without_filler(text, cues))


def _told_with(turn: Turn, asked: list[int]) -> list[int]:
    """The sentences that make up a request: all asks of the message; for a single one, what it refers to before it, if
    it says little itself, and up to two statements behind it."""
    if len(asked) > 1:
        return asked
    place = asked[0]
    told = [place]
    if place and turn.said[place].weight < _BRIEF and _tells(turn, place - 1):
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
    return not passing and not decided(turn, number) and sentence.weight >= _ENOUGH


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
        ):
            return [place]
    return []


def _worked_on(turn: Turn, following: Turn | None) -> list[int]:
    """Sentences of a message that files were changed for, where they state or order something: what was asked, though
    no wording says so. A message that decides something is a decision, and one that answers is an answer."""
    if any(decided(turn, place) for place in range(len(turn.said))):
        return []
    agreed = following is not None and _changed(following) and following.cues.assent.match(following.text.strip())
    if not _changed(turn) and not (turn.first and (runs_of(turn.work) or agreed)):
        return []
    cues = turn.cues
    passing = (cues.question, cues.joke, cues.reported, cues.hedge, cues.ephemeral, cues.assent, cues.pick, cues.defer)
    told = [
        place
        for place, sentence in enumerate(turn.said)
        if sentence.weight >= _ENOUGH and not any(cue.search(sentence.plain) for cue in passing)
    ]
    heavy = sum(turn.said[place].weight for place in told) >= (_TASK - 1 if turn.first else _BRIEF)
    errand = not _changed(turn) and any(cues.fleeting.match(turn.said[place].plain) for place in told[:1])
    return told[:4] if told and heavy and not errand and not cues.failed.search(turn.said[told[0]].plain) else []


def _repeats(finding: Finding, known: Finding) -> bool:
    """Whether one of two asks says nothing that the other does not: two that differ in one noun are two asks."""
    one, other = (content(str(each.fields["summary"])) for each in (finding, known))
    if min(len(one), len(other)) < _ENOUGH:
        return one == other
    return any(len(a - b) <= _SLACK * sum(not word.isascii() for word in a) for a, b in ((one, other), (other, one)))


def _merged(known: Finding, again: Finding) -> Finding:
    """The fuller wording, all the evidence; asking twice is a sign that it matters."""
    fuller = again if weight(str(again.fields["summary"])) > weight(str(known.fields["summary"])) else known
    return replace(fuller, items=(*known.items, *again.items), score=min(max(known.score, again.score) + 0.1, 1.0))
