"""A choice that its person gives up later in the session in everyday words: `celery is a lot. a cron job will do`.

The choice is not handed in; what was named in its place is, where it says enough. A choice that is taken back for
another one in so many words, or in a later session, is `superseded`; one that is taken back at once `verdicts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memory_core.providers.builtin.choices import decision
from memory_core.providers.builtin.cues_reconsidered import RECONSIDERED, TAKES_BACK, ReconsideredCues
from memory_core.providers.builtin.deciding import decided
from memory_core.providers.builtin.fulfilled import changed
from memory_core.providers.builtin.sentences import Sentence, capitalized, content, language_of, sentences, weight
from memory_core.providers.builtin.turns import ANSWERS, Finding, Turn, cues_of

_AGO = 3  # turns after a choice in which a message that does not name it may still be about it
_MOST_SAID = 5  # sentences of a message that turns round; a longer one sets a task
_ARRAYS = ("decisions", "requests")
# Words of a choice that name no thing which could be given up.
_LIGHT = content(
    "use keep go store move switch put pick take choose name call make let set add drop avoid prefer stick adopt "
    "default want need should always never instead change start new old"
)
# `Use X for Y`: the thing in a choice that another one can stand for.
_SLOT = re.compile(
    r"^(?:use|go with|pick|take|adopt|choose|switch to|name [^,.;]{2,30}?|call [^,.;]{2,30}?) "
    r"(?P<thing>[^,.;:]{2,40}?)(?= (?:for|in|on|as|here|everywhere)\b|\.?$)",
    re.IGNORECASE,
)
_WE = re.compile(r"^(?:let's|lets|let us|we'll|we will|we)\s+(?=\w+ \S)", re.IGNORECASE)
_TERM = re.compile(r"[A-Za-z][A-Za-z0-9.+#_-]+")
_TAIL = re.compile(r" (?:for|because|since|when|so that|until|as)\b.*$|[,;.(].*$", re.IGNORECASE)


@dataclass(frozen=True)
class _Turnaround:
    """What a message gives up. `rival`: what it names instead, empty where it names nothing; `kept`: the words that
    say so where that is what was before; `place`: of the sentence that names it."""

    rival: str = ""
    kept: str = ""
    place: int = 0


def settled_since(found: Sequence[Finding], turns: Sequence[Turn], undone: Sequence[Finding] = ()) -> list[Finding]:
    """The findings without the choices (and requests) that were given up later, with what was named instead of them.
    `undone`: choices that were taken back at once; they are no findings, but something may have been named for them."""
    places = {turn.human.id: number for number, turn in enumerate(turns)}
    kept = [*found, *undone]
    for number, turn in enumerate(turns):
        if turn.subtype in ANSWERS or not turn.said:
            continue
        told = [(place, f) for f in kept if f.array in _ARRAYS and 0 <= (place := _place(f, places)) < number]
        last = max((place for place, _ in told), default=-1)
        near = last >= number - _AGO
        gone = [(old, away) for at, old in told if (away := _given_up(old, turn, near=near and at == last))]
        for old, _ in gone:
            kept = [finding for finding in kept if finding is not old]
        if gone:
            kept = list(_with_rival(kept, *gone[-1], turn, places))
    return [finding for finding in kept if not any(finding is other for other in undone)]


def _place(finding: Finding, places: dict[str, int]) -> int:
    """The number of the last message of a person that a finding rests on; -1 where it rests on none."""
    return max((places[item.id] for item in finding.items if item.id in places), default=-1)


def _given_up(finding: Finding, turn: Turn, *, near: bool) -> _Turnaround | None:
    """How a message gives up a choice made before it; None where it does not."""
    cues = RECONSIDERED[language_of(" ".join(s.plain for s in turn.said))]
    if len(turn.said) > _MOST_SAID or any(
        turn.cues.hedge.search(s.plain) and not cues.again.search(s.plain) for s in turn.said[:2]
    ):
        return None
    old = content(finding.text) - _LIGHT
    named = bool(old & content(turn.text))
    again = any(cues.again.search(s.plain) for s in turn.said) or any(
        turn.cues.failed.search(s.plain) for s in turn.said
    )
    undone = _undone(turn)
    judged = named and _judged(finding, turn, cues)
    sure = judged or undone or (near and any(cues.firm.search(s.plain) for s in turn.said))
    if away := _for_another(turn, cues, old, named=named, again=again, near=near, sure=sure):
        return away if finding.array == "decisions" or (again and (undone or named)) else None
    if near and again and undone and not _works(turn):
        return _Turnaround()
    return _Turnaround() if judged and (again or undone) else None


def _for_another(
    turn: Turn, cues: ReconsideredCues, old: frozenset[str], *, named: bool, again: bool, near: bool, sure: bool
) -> _Turnaround | None:
    """The thing that a message names in place of a choice."""
    for place, sentence in enumerate(turn.said):
        if turn.cues.question.search(sentence.plain):
            continue
        match = cues.rival.search(sentence.plain)
        if match and not (named or again or _is_told(match, turn, place)):
            match = None
        if match is None and (found := cues.named.search(sentence.plain)) and _turns_there(found, sentence, old, sure):
            match = found
        if match is None or not (near or named):
            continue
        if not (named or again) and (not near or _was_asked(turn)):
            continue
        if near and not named and _was_asked(turn) and not old & content(turn.before.text if turn.before else ""):
            continue
        rival = next(value for name, value in match.groupdict().items() if name.startswith("new") and value)
        if not weight(rival) or content(rival) & old or (named and not _turns_from(turn, cues, again=again)):
            continue
        again_before = cues.kept.search(match.group())
        kept = match.group()[again_before.start() :].strip(" ,.;!。") if again_before else ""
        return _Turnaround(rival.strip(), kept, place)
    return None


def _is_told(match: re.Match[str], turn: Turn, place: int) -> bool:
    """Whether `X then` or `so X` takes up a thing that the message named before; `great. docs then` only goes on."""
    group = next(name for name, value in match.groupdict().items() if value)
    before = " ".join([*(s.plain for s in turn.said[:place]), turn.said[place].plain[: match.start()]])
    return group not in ("new1", "new3") or bool(content(match[group]) & content(before))


def _turns_there(match: re.Match[str], sentence: Sentence, old: frozenset[str], sure: bool) -> bool:
    """Whether `use X` and its likes give something up: the message says so otherwise, or it stands right before them.
    `The exports are late. Use Parquet for the clicks` shares a word with an older choice and leaves it alone."""
    return sure or bool(old & content(sentence.plain[: match.start()]))


def _turns_from(turn: Turn, cues: ReconsideredCues, *, again: bool) -> bool:
    """Whether a message that names a choice and another thing turns from the one to the other: it is told in two
    clauses, of which the first is about the one."""
    return again or len(turn.said) > 1 or "," in turn.said[0].plain or bool(cues.judged.search(turn.said[0].plain))


def _was_asked(turn: Turn) -> bool:
    """Whether the assistant had asked something, which a message then answers."""
    said = sentences(turn.before.text)[-2:] if turn.before else ()
    return any(cues_of(sentence.plain).question.search(sentence.plain) for sentence in said)


def _works(turn: Turn) -> bool:
    return any(turn.cues.works.search(sentence.plain) for sentence in turn.said)


def _judged(finding: Finding, turn: Turn, cues: ReconsideredCues) -> bool:
    """Whether a sentence says of the thing chosen that it will not do, or gives it up by name."""
    thing = content(_TAIL.sub("", finding.text)) - _LIGHT
    return any(
        not turn.cues.question.search(sentence.plain) and bool(thing & content(match["old"]))
        for sentence in turn.said
        for cue in (cues.judged, cues.ended)
        if (match := cue.search(sentence.plain))
    )


def _with_rival(
    kept: Sequence[Finding], old: Finding, away: _Turnaround, turn: Turn, places: dict[str, int]
) -> Iterator[Finding]:
    """The findings, with the decision for what a message names in place of a choice: the one found in it already, which
    then turns the old one down, else one made of its words."""
    number = places[turn.human.id]
    own = next((f for f in kept if f.array == "decisions" and _place(f, places) == number), None)
    for finding in kept:
        if finding is own and away.rival and not finding.fields.get("options"):
            yield replace(finding, fields={**finding.fields, "options": [finding.text, old.text]})
        else:
            yield finding
    if own is None and away.rival and (changed(turn) or _undone(turn)) and not decided(turn, away.place):
        yield _in_place_of(old, away, turn)


def _in_place_of(old: Finding, away: _Turnaround, turn: Turn) -> Finding:
    rival, text = away.rival.strip("`"), _WE.sub("", old.text.rstrip(".。"))
    chosen = "" if away.kept else _filled(text, rival, turn)
    form = RECONSIDERED[language_of(turn.text)].instead
    chosen = chosen or form.format(capitalized(away.kept or rival), text[:1].lower() + text[1:])
    told = [s.text for place, s in enumerate(turn.said) if place != away.place and s.weight > 1 and not _asks(turn, s)]
    return decision(turn, [rival, text], capitalized(chosen), " ".join(told[:2]), (*old.items[-1:], turn.human), 0.8)


def _undone(turn: Turn) -> bool:
    """Whether a command of the work for a message took changed files back."""
    return any(item.call and TAKES_BACK.search(str(item.call.arguments)) for item in turn.work if item.kind == "tool")


def _asks(turn: Turn, sentence: Sentence) -> bool:
    return bool(turn.cues.question.search(sentence.plain))


def _filled(text: str, rival: str, turn: Turn) -> str:
    """The old choice with the new thing in it, where it is clear which of its words the new thing stands for."""
    if match := _SLOT.match(text):
        words = match["thing"].split()
        said = [word for word in words if content(word) & content(turn.text)]
        whole = len(words) == 1 or len(said) != 1 or " " in rival
        thing = rival if whole else " ".join(rival if word == said[0] else word for word in words)
        return f"{text[: match.start('thing')]}{thing}{text[match.end('thing') :]}"
    terms = [term for term in dict.fromkeys(_TERM.findall(text)) if term.lower() in turn.text.lower()]
    wide = language_of(turn.text) != "en"
    return text.replace(terms[0], rival) if wide and len(terms) == 1 else ""
