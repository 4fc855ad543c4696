"""What a person asked for that outlives the moment. Errands, questions and thanks are none of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory_core.consolidate.similar import overlap, score
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.decisions import decided, without_filler
from memory_core.providers.builtin.sentences import Sentence, capitalized, join, matching, weight
from memory_core.providers.builtin.turns import Finding, Turn
from memory_core.text import shorten

_INTENT = 110
_SUMMARY = 480
_ENOUGH = 3  # content words of an ask; fewer point at something that only the moment shows
_SAME_ASK = 72.0  # of 100: above it, two asks are one asked twice
_TARGET = re.compile(
    r"`(?P<code>[^`\s][^`]{0,78}[^`\s]|[^`\s])`"
    r"|(?<![\w/.])(?P<path>(?:\.{0,2}/)?(?:[\w@.-]+/)+[\w@.-]*\w|/(?:[\w@{}:.-]+/)*[\w@{}:.-]+|[\w-]+\.(?:py|tsx?|jsx?|rs|go|java|kt|rb|php|c|h|cpp|"
    r"cs|sh|sql|md|toml|ya?ml|json|html|s?css|vue|svelte|lua|proto|tf|txt|cfg|ini|lock))(?![\w/])"
    r"|(?<![\w.])(?P<name>--[a-z][\w-]+|[A-Za-z_]\w*\(\)|[a-z]+(?:_[a-z0-9]+)+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?!\w)"
)


def requested(turns: Sequence[Turn]) -> list[Finding]:
    """The requests of a slice, those asked more than once merged into one with all their evidence."""
    found: list[Finding] = []
    for turn in turns:
        for finding in _of_turn(turn):
            place = next((n for n, known in enumerate(found) if _repeats(finding, known)), None)
            if place is None:
                found.append(finding)
            else:
                found[place] = _merged(found[place], finding)
    return found


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


def _of_turn(turn: Turn) -> Iterator[Finding]:
    asked = asked_in(turn)
    if asked:
        place, thing = asked[0]
        texts = [turn.said[place].text, *_beside(turn, place)] if len(asked) == 1 else [turn.said[p].text for p, _ in asked]
        points = 0.65 + 0.1 * turn.first + 0.05 * (weight(thing) >= 6) + 0.05 * (len(asked) > 1)
    elif bug := _reported_bug(turn):
        place, thing, texts = bug[0], without_filler(turn.said[bug[0]].text, turn.cues), [turn.said[n].text for n in bug]
        points = 0.55 + 0.1 * turn.first
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
    if cues.reason_first or not cues.condition.search("if"):  # languages that ask at the end of the sentence, or anywhere
        return _asked_anywhere(text, plain, cues)
    for start in _clauses(plain, cues):
        body = plain[start:]
        courtesy = cues.ask.match(body)
        thing = body[courtesy.end() :] if courtesy else body
        if not courtesy and (cues.question.search(plain) or not cues.imperative.match(body)):
            continue
        if cues.fleeting.match(thing) or weight(thing) < _ENOUGH:
            return None
        return text[len(text) - len(thing) :]
    return None


def _asked_anywhere(text: str, plain: str, cues: Cues) -> str | None:
    match = cues.ask.search(plain)
    if not match or cues.fleeting.search(plain) or weight(plain) < _ENOUGH:
        return None
    if cues.question.search(plain) and not re.search(r"[てで](?:くれ|もらえ|いただけ|頂け)|お願い|能不能|可不可以|能否|可否|可以", plain):
        return None
    if not cues.reason_first and cues.question.search(plain) and not weight(plain[match.end() :]):
        return None
    return text


def _clauses(plain: str, cues: Cues) -> list[int]:
    """Where an ask may begin: at the start, behind a condition, or behind a comma where a courtesy follows."""
    starts = [0]
    for match in re.finditer(r"[,;:]\s+|\s[—–-]\s", plain):
        rest = plain[match.end() :]
        filler = cues.filler.match(rest)
        start = match.end() + (filler.end() if filler else 0)
        if cues.condition.match(plain) or cues.ask.match(plain[start:]):
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


def _beside(turn: Turn, place: int) -> list[str]:
    """What else the message says of its only ask: up to two statements that follow it."""
    texts = []
    for number in range(place + 1, min(place + 3, len(turn.said))):
        sentence = turn.said[number]
        cues = turn.cues
        passing = any(cue.search(sentence.plain) for cue in (cues.question, cues.joke, cues.fleeting, cues.hedge))
        if passing or decided(turn, number) or sentence.weight < _ENOUGH:
            break
        texts.append(sentence.text)
    return texts


def _reported_bug(turn: Turn) -> list[int]:
    """Sentences that say what does not work, where that is all a message asks: the bug, then what follows it."""
    cues = turn.cues
    for place, sentence in enumerate(turn.said):
        uncertain = any(cue.search(sentence.plain) for cue in (cues.question, cues.joke, cues.reported, cues.hedge))
        if not uncertain and cues.bug.search(sentence.plain) and sentence.weight >= 5 and not cues.failed.search(sentence.plain):
            return [place]
    return []


def _repeats(finding: Finding, known: Finding) -> bool:
    one, other = str(finding.fields["summary"]), str(known.fields["summary"])
    return score(one, other) >= _SAME_ASK or min(weight(one), weight(other)) >= 4 and max(overlap(one, other), overlap(other, one)) >= 0.8


def _merged(known: Finding, again: Finding) -> Finding:
    """The fuller wording, all the evidence; asking twice is a sign that it matters."""
    fuller = again if weight(str(again.fields["summary"])) > weight(str(known.fields["summary"])) else known
    return replace(fuller, items=(*known.items, *again.items), score=min(max(known.score, again.score) + 0.1, 1.0))
