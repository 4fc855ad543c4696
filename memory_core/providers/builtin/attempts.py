"""What was tried and how it ended, where the end teaches something: a cause that was found, a belief overturned.

Each attempt rests on a tool's result or on a person's verdict. A command that simply worked, or failed and was simply
run again, teaches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.decisions import without_filler
from memory_core.providers.builtin.proposals import proposal_in
from memory_core.providers.builtin.reports import outcomes
from memory_core.providers.builtin.requests import asked_in
from memory_core.providers.builtin.runs import EDIT_TOOL, REFUSED, Run, error_of, passes_again, runs_of
from memory_core.providers.builtin.sentences import Sentence, capitalized, join, sentences
from memory_core.providers.builtin.takeup import agrees
from memory_core.providers.builtin.turns import Finding, Turn, cues_of, is_assistant
from memory_core.text import shorten

_MOST = 480


def tried(turn: Turn, later: Sequence[Turn]) -> Iterator[Finding]:
    """The attempts of one turn, the surest first. `later`: the turns after it."""
    found = list(_shown(turn, later))
    yield from found
    yield from outcomes(turn, _aim(turn, None), found)


def _shown(turn: Turn, later: Sequence[Turn]) -> Iterator[Finding]:
    """The attempts that a result or a person proves; at most one of each sort."""
    overturned = _overturned(turn)
    mended = _mended(turn)
    if mended:
        yield mended
    told = {item.id for item in mended.items} if mended else set()
    if overturned and not any(item.id in told for item in overturned.items[1:]):
        yield overturned
    if later and (judged := _judged(turn, later[0])):
        yield judged


def _mended(turn: Turn) -> Finding | None:
    """A command that failed, what was found to be the cause, and the same command passing after a change."""
    runs = runs_of(turn.work)
    for first in runs:
        if not first.failed:
            continue
        passed = next((run for run in runs if passes_again(first, run)), None)
        if passed is None:
            continue
        between = turn.work[first.place + 1 : passed.place]
        if not any(item.tool and EDIT_TOOL.search(item.tool) for item in between) and first.command == passed.command:
            continue
        told = [item for item in turn.work[first.place + 1 :] if is_assistant(item)]
        explained = _explanation(told)
        if explained is None:
            continue
        fields = {
            "action": _action(turn, first),
            "result": join([*error_of(first.item), *explained[1]], _MOST),
            "succeeded": True,
        }
        return Finding("attempts", fields, (first.item, *explained[0], passed.item), 0.8)
    return None


def _action(turn: Turn, run: Run) -> str:
    """What was set out to do before a command failed, and the command."""
    told = next((item for item in reversed(turn.work[: run.place]) if is_assistant(item)), None)
    aim = [s.text.rstrip(":：") for s in sentences(told.text)][-1:] if told else []
    command = f"`{shorten(run.command, 120)}`"
    return f"{join(aim, 240)} ({command})" if aim else command


def _explanation(told: Sequence[EvidenceItem]) -> tuple[list[EvidenceItem], list[str]] | None:
    """The first message that explains a failure: (messages, its sentences that do)."""
    for item in told:
        said = sentences(item.text)
        cues = cues_of(" ".join(sentence.plain for sentence in said))
        causes = [s for s in said if (cues.cause.search(s.plain) or cues.finding.search(s.plain)) and _states(s, cues)]
        if causes:
            place = said.index(causes[0])
            rest = [
                s.text for s in said[place + 1 : place + 3] if s.paragraph == causes[0].paragraph and _states(s, cues)
            ]
            return [item], [causes[0].text, *rest]
    return None


def _overturned(turn: Turn) -> Finding | None:
    """What a tool's result showed to be otherwise than believed, as the assistant then said."""
    shown: EvidenceItem | None = None
    for item in turn.work:
        if item.kind == "tool":
            shown = item if item.result and not REFUSED.search(item.text) else shown
        elif shown and is_assistant(item) and (result := _found(item)):
            fields = {"action": _aim(turn, item), "result": join(result, _MOST), "succeeded": _ended_well(turn, item)}
            if not fields["action"]:
                return None
            evidence = [*_agreed_to(turn), turn.human, _evidence_for(turn, shown, item), item]
            return Finding("attempts", fields, tuple(evidence), 0.75)
    return None


def _found(item: EvidenceItem) -> list[str]:
    """The sentences of a message that tell what was found, where one of them overturns a belief."""
    said = sentences(item.text)
    cues = cues_of(" ".join(sentence.plain for sentence in said))
    overturning = [s for s in said if cues.finding.search(s.plain) and _states(s, cues)]
    if not overturning:
        return []
    paragraph = overturning[0].paragraph
    return [s.text for s in said if s.paragraph == paragraph and _states(s, cues)]


def _states(sentence: Sentence, cues: Cues) -> bool:
    """Whether a sentence says how something is, rather than what comes next, and is not a mere exclamation."""
    return sentence.weight >= 2 and not any(
        cue.search(sentence.plain) for cue in (cues.announce, cues.question, cues.joke)
    )


def _aim(turn: Turn, end: EvidenceItem | None) -> str:
    """What the turn set out from before the message `end`, or at all: the offer that was taken up, else what the
    assistant believed (in what was said yes to, or since), else what was asked, else the person's first words."""
    if turn.before and agrees(turn) is not None and (proposal := proposal_in(turn.before.text)):
        return join([proposal[0]], 300)
    told = [item for item in turn.work[: turn.work.index(end)] if is_assistant(item)] if end else []
    said = [sentence for item in [*_agreed_to(turn), *told] for sentence in sentences(item.text)]
    if believed := [s.text for s in said if cues_of(s.plain).belief.search(s.plain) and s.weight >= 2]:
        return join(believed[-1:], 300)
    if asked := asked_in(turn):
        return join([capitalized(asked[0][1].rstrip("?？ "))], 300)
    asking = [s for s in turn.said if s.weight >= 3]
    return join([capitalized(without_filler(asking[0].text, turn.cues))], 300) if asking else ""


def _agreed_to(turn: Turn) -> list[EvidenceItem]:
    """The assistant's message that the person said yes to: what it believed is what the turn set out from."""
    return [turn.before] if turn.before and agrees(turn) is not None else []


def _evidence_for(turn: Turn, last: EvidenceItem, item: EvidenceItem) -> EvidenceItem:
    """The result that shows what was found: the one right before the message that is no bookkeeping."""
    before = [other for other in turn.work[: turn.work.index(item)] if other.kind == "tool" and other.result]
    telling = [other for other in before if not re.search(r"todo|plan|kill", other.tool or "", re.IGNORECASE)]
    return telling[-1] if telling else last


def _ended_well(turn: Turn, item: EvidenceItem) -> bool:
    """Whether the assistant's last words of the turn say that it works now."""
    told = [other for other in turn.work[turn.work.index(item) :] if is_assistant(other)]
    said = sentences(told[-1].text)
    cues = cues_of(" ".join(sentence.plain for sentence in said))
    return any(cues.repaired.search(s.plain) and not cues.failed.search(s.plain) for s in said[:3] + said[-2:])


def _judged(turn: Turn, verdict: Turn) -> Finding | None:
    """Work that a person then found not to work, where they say what it did."""
    cues = verdict.cues
    told = [item for item in turn.work if is_assistant(item)]
    changed = [item for item in turn.work if item.tool and EDIT_TOOL.search(item.tool)]
    if not told or not changed:
        return None
    for place, sentence in enumerate(verdict.said[:3]):
        if (
            not cues.failed.search(sentence.plain)
            or cues.question.search(sentence.plain)
            or cues.joke.search(sentence.plain)
        ):
            continue
        telling = [s.text for s in verdict.said[place : place + 2] if not cues.question.search(s.plain)]
        if sum(s.weight for s in verdict.said[place : place + 2]) < 5:
            continue
        claimed = [
            s for s in sentences(told[-1].text) if s.weight >= 2 and not cues_of(s.plain).repaired.search(s.plain)
        ]
        action = join([s.text.rstrip(":：") for s in claimed[:1]], 300) or _aim(turn, None)
        if not action:
            return None
        fields = {
            "action": action,
            "result": join(telling, _MOST),
            "succeeded": False,
        }
        return Finding("attempts", fields, (told[-1], verdict.human), 0.75)
    return None
