"""What was tried and how it ended, where the end teaches something: a cause that was found, a belief overturned.

Each attempt rests on a tool's result or on a person's verdict. A command that simply worked, or failed and was simply
run again, teaches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.aims import action_before, agreed_to, aim_of
from memory_core.providers.builtin.assents import agrees
from memory_core.providers.builtin.explanations import WHY, asks_cause, causes_in, explanation_in, found_in
from memory_core.providers.builtin.outcomes import outcomes
from memory_core.providers.builtin.runs import EDIT_TOOL, REFUSED, error_of, passes_again, runs_of
from memory_core.providers.builtin.sentences import join, sentences
from memory_core.providers.builtin.takeup import taken_up
from memory_core.providers.builtin.turns import Finding, Turn, cues_of, is_assistant
from memory_core.providers.builtin.verdicts import confirmed, overruled, refuted, taken_back

_MOST = 480
_RUNS = 50  # commands at the end of a turn among which a failed one may have been run again
_BOTH = 700  # characters of an outcome with what was learned on the way
_THAT_WAS_IT = re.compile(
    r"\bthat(?:'?s| is| was) it\b(?! for)|\bthat did it\b|\bnailed it\b|それだ|それでした|就是这个|바로 그거",
    re.IGNORECASE,
)
# Under what condition something still goes wrong tells what a bare `still broken` does not.
_CONDITION = re.compile(
    r"\b(?:when|if|only|unless|except|whenever|after|while|as soon as|on (?:windows|mac|linux|mobile|ios|android))\b"
    r"|だけ|とき|時|場合|すると|だと|的时候|如果|只有|때|하면",
    re.IGNORECASE,
)
_REPROACH = re.compile(r"\W*(?:no,? )?you\b(?! need| have to| must)", re.IGNORECASE)


def tried(turn: Turn, later: Sequence[Turn]) -> Iterator[Finding]:
    """The attempts of one turn, the surest first. `later`: the turns after it."""
    kept = _kept(turn, later)
    shown = list(_shown(turn, later))
    ended = [end for end in outcomes(turn, aim_of(turn, None), shown, later) if end.fields["succeeded"] or not kept]
    found = [finding for finding in shown if finding.fields["succeeded"] or not kept]
    for finding in found:
        end = next((other for other in ended if other.fields["succeeded"] and finding.fields["succeeded"]), None)
        if end is None:
            yield finding
            continue
        # What went wrong on the way and how it ended is one try: the end says what it came to, the way what it taught.
        ended.remove(end)
        result = join([str(end.fields["result"]), str(finding.fields["result"])], _BOTH)
        items = tuple({item.id: item for item in (*end.items, *finding.items)}.values())
        fields = {"action": end.fields["action"], "result": result, "succeeded": True}
        yield replace(finding, fields=fields, items=items)
    yield from ended


def _kept(turn: Turn, later: Sequence[Turn]) -> bool:
    """Whether what a person said yes to failed on the way only: the command that failed last passes in the next turn,
    and nobody took the choice back. It is a decision then, and no attempt that failed."""
    runs = runs_of(turn.work)
    if not runs or not runs[-1].failed or not later or refuted(later) or taken_back(later) or agrees(turn) is None:
        return False
    again = [run for run in runs_of(later[0].work) if run.key == runs[-1].key]
    return bool(again) and not again[-1].failed and any(True for _ in taken_up(turn, ()))


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
    elif not mended and not overturned and (explained := _explained(turn, later)):
        yield explained


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
        explained = explanation_in(told)
        if explained is None:
            continue
        fields = {
            "action": action_before(turn, first),
            "result": join([*error_of(first.item), *explained[1]], _MOST),
            "succeeded": True,
        }
        return Finding("attempts", fields, (first.item, *explained[0], passed.item), 0.8)
    return None


def _overturned(turn: Turn) -> Finding | None:
    """What a tool's result showed to be otherwise than believed, as the assistant then said."""
    shown: EvidenceItem | None = None
    for item in turn.work:
        if item.kind == "tool":
            shown = item if item.result and not REFUSED.search(item.text) else shown
        elif shown and is_assistant(item) and (result := found_in(item)):
            fields = {"action": aim_of(turn, item), "result": join(result, _MOST), "succeeded": _ended_well(turn, item)}
            if not fields["action"]:
                return None
            evidence = [*agreed_to(turn), turn.human, _evidence_for(turn, shown, item), item]
            return Finding("attempts", fields, tuple(evidence), 0.75)
    return None


def _evidence_for(turn: Turn, last: EvidenceItem, item: EvidenceItem) -> EvidenceItem:
    """The result that shows what was found: the one right before the message that is no bookkeeping."""
    before = [other for other in turn.work[: turn.work.index(item)] if other.kind == "tool" and other.result]
    telling = [other for other in before if not re.search(r"todo|plan|kill", other.tool or "", re.IGNORECASE)]
    return telling[-1] if telling else last


def _ended_well(turn: Turn, item: EvidenceItem) -> bool:
    """Whether the turn's last command after a change passed, or the assistant's last words say that it works now."""
    runs = runs_of(turn.work)
    edits = [
        n for n, other in enumerate(turn.work) if other.tool and EDIT_TOOL.search(other.tool) and not other.is_error
    ]
    start = turn.work.index(item)
    if any(
        run.failed and run.place < start and not any(passes_again(run, other) for other in runs)
        for run in runs[-_RUNS:]
    ):
        return False  # what failed was not run again, whatever else passed
    if runs and edits and edits[-1] > start and runs[-1].place > edits[-1]:
        return not runs[-1].failed
    told = [other for other in turn.work[turn.work.index(item) :] if is_assistant(other)]
    said = sentences(told[-1].text)
    cues = cues_of(" ".join(sentence.plain for sentence in said))
    return any(cues.repaired.search(s.plain) and not cues.failed.search(s.plain) for s in said[:3] + said[-2:])


def _explained(turn: Turn, later: Sequence[Turn]) -> Finding | None:
    """The cause that the last words of a turn give for what was looked into: where the person then says that this was
    it, or where it was asked for and results were read."""
    told = [item for item in turn.work if is_assistant(item)]
    if not told or overruled(later):
        return None
    results = [
        item for item in turn.work if item.kind == "tool" and item.result and not REFUSED.search(item.text[:400])
    ]
    works = confirmed(later)
    changed = any(item.tool and EDIT_TOOL.search(item.tool) for item in turn.work)
    asked = any(asks_cause(step, s) for step in (turn, turn.task) for s in step.said)
    if not works and not (asked and (len(results) > 1 or changed)):
        return None
    was_it = any(_THAT_WAS_IT.search(s.plain) for each in later[:1] for s in each.said[:1])
    why = any(WHY.search(s.plain) or (works and asks_cause(turn, s)) for s in turn.said)
    causes = causes_in(told[-1], works, was_it, why)
    action = aim_of(turn, None)
    if not causes or not action:
        return None
    fields = {"action": action, "result": join([s.text for s in causes], _MOST), "succeeded": True}
    items = (*results[-1:], told[-1], *((later[0].human,) if works else ()))
    return Finding("attempts", fields, items, 0.6 + 0.1 * works)


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
        said = sum(s.weight for s in verdict.said[place : place + 2])
        if said < 2 or (said < 5 and not _CONDITION.search(sentence.plain)) or _REPROACH.match(sentence.plain):
            continue
        claimed = [
            s for s in sentences(told[-1].text) if s.weight >= 2 and not cues_of(s.plain).repaired.search(s.plain)
        ]
        action = join([s.text.rstrip(":：") for s in claimed[:1]], 300) or aim_of(turn, None)
        if not action:
            return None
        fields = {
            "action": action,
            "result": join(telling, _MOST),
            "succeeded": False,
        }
        return Finding("attempts", fields, (told[-1], verdict.human), 0.75)
    return None
