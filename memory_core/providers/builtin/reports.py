"""What an assistant reported of its own work: a choice it gave a reason for, and how a try came out.

Words count only where the work bears them out: a choice needs a change in the same turn, an outcome a command that ran.
A failed command makes a failure of whatever was said about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.cues_report import REPORTS, ReportCues
from memory_core.providers.builtin.runs import EDIT_TOOL, Run, error_of, passes_again, runs_of
from memory_core.providers.builtin.sentences import Sentence, join, language_of, sentences
from memory_core.providers.builtin.turns import Finding, Turn, cues_of, is_assistant

_MOST = 420
_CHOICES = 2  # of one turn: a report that gives reasons for everything is a walk through the code
_BESIDE = 4  # sentences of an outcome: more of them are a list of everything done
_ENOUGH = 4  # content words of a sentence that can stand alone
_FIGURE = re.compile(r"\d")


def changes(turn: Turn) -> list[EvidenceItem]:
    """The edits of a turn that went through."""
    return [item for item in turn.work if item.tool and EDIT_TOOL.search(item.tool) and not item.is_error]


def chosen(turn: Turn, later: Sequence[Turn]) -> Iterator[Finding]:
    """Choices that the assistant made in its work and gave a reason for, unless the next message objects."""
    if not changes(turn) or (later and _refuses(later[0])):
        return
    found = 0
    for item in turn.work:
        if not is_assistant(item):
            continue
        said = sentences(item.text)
        for place, sentence in enumerate(said):
            following = said[place + 1] if place + 1 < len(said) else None
            why = _reason(sentence, following)
            if why is None or found == _CHOICES:
                continue
            found += 1
            fields = {"options": [], "chosen": join([sentence.text], _MOST), "rationale": join(why, _MOST)}
            over = bool(REPORTS[language_of(sentence.plain)].over.search(sentence.plain))
            yield Finding("decisions", fields, (item,), 0.55 + 0.1 * over)


def _reason(sentence: Sentence, following: Sentence | None) -> list[str] | None:
    """The reason beside a choice, empty where the same sentence gives it; None where the sentence tells no choice."""
    cues, report = cues_of(sentence.plain), _report(sentence)
    passing = (cues.question, cues.joke, cues.belief, cues.finding)
    if sentence.weight < _ENOUGH or any(cue.search(sentence.plain) for cue in passing):
        return None
    if not report.chose.search(sentence.plain):
        return None
    if report.why.search(sentence.plain):
        return []
    if following is None or following.paragraph != sentence.paragraph:
        return None
    explains = cues_of(following.plain).because.search(following.plain) and _report(following).why.search(
        following.plain
    )
    return [following.text] if explains else None


def _refuses(turn: Turn) -> bool:
    """Whether a message says no to what was just done."""
    return any(turn.cues.correction.search(s.plain) or turn.cues.failed.search(s.plain) for s in turn.said[:2])


def outcomes(turn: Turn, aim: str, told: Sequence[Finding]) -> Iterator[Finding]:
    """How the tries of a turn came out: each that changed nothing, then the one that worked, or the command that
    failed to the end. `aim`: what the turn set out for; `told`: attempts of the turn that are known already."""
    known = {item.id for finding in told for item in finding.items}
    runs = runs_of(turn.work)
    for place, item in enumerate(turn.work):
        if not is_assistant(item) or item.id in known:
            continue
        before = _work_before(turn.work, place)
        tried = [run for run in runs if run.item in before]
        said = _outcome_in(item)
        if not said or not tried or not _changed(turn.work[:place]):
            continue
        useless = [s for s in said if _report(s).useless.search(s.plain)]
        failed = tried[-1].failed
        if useless and not (failed and any(passes_again(tried[-1], run) for run in runs)):
            action = _set_out(turn, place) or aim
            if action:
                yield _attempt(action, [s.text for s in said], (tried[-1].item, item), 0.7, worked=False)
        elif aim and not failed and not told and _is_last_word(turn.work, place) and _bears(said):
            yield _attempt(aim, [s.text for s in said], (tried[-1].item, item), 0.65, worked=True)
    ended = None if any(not finding.fields["succeeded"] for finding in told) else _failed_to_the_end(turn, runs, aim)
    if ended and not known & {item.id for item in ended.items}:
        yield ended


def _failed_to_the_end(turn: Turn, runs: Sequence[Run], aim: str) -> Finding | None:
    """The last command, where it failed, nothing after it passed, and somebody said why it did."""
    if not runs or not runs[-1].failed:
        return None
    last = runs[-1]
    same = [run for run in runs if run.failed and run.key == last.key]
    for item in turn.work[same[0].place + 1 :]:
        if is_assistant(item) and (said := _explains(item)):
            texts = [*error_of(last.item), *said]
            return _attempt(aim or f"`{last.command}`", texts, (last.item, item), 0.7, worked=False)
    return None


def _attempt(
    action: str, result: list[str], items: tuple[EvidenceItem, ...], points: float, *, worked: bool
) -> Finding:
    fields = {"action": action, "result": join(result, _MOST), "succeeded": worked}
    return Finding("attempts", fields, items, points)


def _explains(item: EvidenceItem) -> list[str]:
    """The sentences of a message that say why something failed; a claim that all is well is none."""
    found = []
    for sentence in sentences(item.text):
        cues, report = cues_of(sentence.plain), _report(sentence)
        passing = any(cue.search(sentence.plain) for cue in (cues.question, cues.announce, cues.joke, cues.belief))
        well = cues.repaired.search(sentence.plain) and not _FAILS.search(sentence.plain)
        telling = any(cue.search(sentence.plain) for cue in (cues.cause, report.why, _FAILS))
        if telling and not passing and not well and sentence.weight >= _ENOUGH:
            found.append(sentence.text)
    return found[:2]


_FAILS = re.compile(
    r"\b(?:fail\w*|missing|no longer|cannot|can't|objects|rejects?|refuses?|breaks?|crash\w*|not (?:found|supported))\b"
    r"|失敗|できません|不足|失败|不会|缺少|溢出|없어|없기|실패|않습니다",
    re.IGNORECASE,
)


def _outcome_in(item: EvidenceItem) -> list[Sentence]:
    """The sentences of a message that say how something came out, with what stands beside them in the paragraph."""
    said = [s for s in sentences(item.text) if not _passes_by(s)]
    ended = [s for s in said if _report(s).ended.search(s.plain) or _report(s).useless.search(s.plain)]
    beside = [s for s in said if ended and s.paragraph == ended[0].paragraph and (not s.item or s in ended)]
    return beside[:_BESIDE]


def _passes_by(sentence: Sentence) -> bool:
    cues = cues_of(sentence.plain)
    gone = (cues.announce, cues.question, cues.joke, cues.belief)
    return bool(_report(sentence).bookkeeping.search(sentence.plain)) or any(cue.search(sentence.plain) for cue in gone)


def _bears(said: Sequence[Sentence]) -> bool:
    """Whether an outcome says more than that something was done: how, how much, or why."""
    weight = sum(sentence.weight for sentence in said)
    telling = any(_FIGURE.search(s.text) or "`" in s.text or _report(s).why.search(s.plain) for s in said)
    return weight >= 2 * _ENOUGH - 2 and telling


def _report(sentence: Sentence) -> ReportCues:
    return REPORTS[language_of(sentence.plain)]


def _work_before(work: Sequence[EvidenceItem], place: int) -> list[EvidenceItem]:
    """The tool items between a message and the one before it."""
    start = next((n for n in range(place - 1, -1, -1) if is_assistant(work[n])), -1)
    return [item for item in work[start + 1 : place] if item.kind == "tool"]


def _changed(work: Sequence[EvidenceItem]) -> bool:
    return any(item.tool and EDIT_TOOL.search(item.tool) for item in work)


def _is_last_word(work: Sequence[EvidenceItem], place: int) -> bool:
    return not any(is_assistant(item) for item in work[place + 1 :])


def _set_out(turn: Turn, place: int) -> str:
    """What the assistant believed or announced before a try, as it said it."""
    for item in reversed(turn.work[:place]):
        if is_assistant(item):
            said = [s for s in sentences(item.text) if s.weight >= _ENOUGH - 1]
            return join([s.text for s in said[-1:]], 300)
    return ""
