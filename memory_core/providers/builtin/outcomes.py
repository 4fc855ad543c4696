"""How the tries of a turn came out, as the assistant told it and the log bears it out.

A failed command makes a failure of whatever was said about it, and a person who says that it does not work is believed.
What was tried first and what taught something is `attempts`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.reports import changes, report_of
from memory_core.providers.builtin.runs import EDIT_TOOL, Run, error_of, passes_again, runs_of
from memory_core.providers.builtin.sentences import Sentence, content, join, sentences
from memory_core.providers.builtin.turns import Finding, Turn, cues_of, is_assistant
from memory_core.providers.builtin.verdicts import confirmed, refuted

_MOST = 420
_BESIDE = 4  # sentences of an outcome: more of them are a list of everything done
_ENOUGH = 4  # content words of a sentence that can stand alone
_TELLING = 9  # content words of a report that no command checked
_THIN = 6  # content words of an outcome that needs the points listed below it
_NEW = 0.5  # share of its content words by which an outcome must go beyond what was asked
_FIGURE = re.compile(r"\d")
# A report that opens by saying that it is done, and goes on with what was done.
_DONE = re.compile(
    r"\W*(?:done|fixed|implemented|all (?:set|done)|perfect|great|excellent)\b|完了|対応しました|実装しました|"
    r"修正しました"
    r"|完成了|已(?:完成|实现|修复)|搞定|완료|구현했|수정했",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"\b(?:fail\w*|missing|no longer|cannot|can't|objects|rejects?|refuses?|breaks?|crash\w*|not (?:found|supported))\b"
    r"|失敗|できません|不足|失败|不会|缺少|溢出|없어|없기|실패|않습니다",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Told:
    """A message of the assistant that tells an outcome: its place, what it says, the commands it speaks of, and whether
    it is the last word of the turn."""

    place: int
    item: EvidenceItem
    said: list[Sentence]
    runs: list[Run]
    last: bool


def outcomes(turn: Turn, aim: str, told: Sequence[Finding], later: Sequence[Turn]) -> Iterator[Finding]:
    """How the tries of a turn came out: each that changed nothing, then the one that worked, or the command that
    failed to the end. `aim`: what the turn set out for; `told`: attempts of the turn that are known already; `later`:
    the turn after it, which may say that it does not work after all."""
    known = {item.id for finding in told for item in finding.items}
    runs = runs_of(turn.work)
    passed = {run.key for run in runs if not run.failed}
    for report in _reports(turn, runs, known):
        tried = report.runs[-1] if report.runs else None
        useless = any(report_of(s).useless.search(s.plain) for s in report.said)
        retried = tried and tried.failed and tried.key in passed and any(passes_again(tried, run) for run in runs)
        if tried and useless and not retried:
            if action := _set_out(turn, report.place) or aim:
                yield _attempt(action, report.said, (tried.item, report.item), 0.7, worked=False)
        elif report.last and aim and not refuted(later) and all(finding.fields["succeeded"] for finding in told):
            yield from _worked(turn, aim, report, tried, later)
    if any(not finding.fields["succeeded"] for finding in told):
        return
    ended = _failed_to_the_end(turn, runs, aim)
    if ended and not known & {item.id for item in ended.items}:
        yield ended


def _reports(turn: Turn, runs: Sequence[Run], known: set[str]) -> Iterator[_Told]:
    """The messages of a turn that tell how something came out, after a change in it or in the task it goes on with."""
    places = [run.place for run in runs]
    last = max((n for n, item in enumerate(turn.work) if is_assistant(item)), default=-1)
    changed = any(changes(step) for step in turn.steps[:-1])
    edited = said_at = -1
    for place, item in enumerate(turn.work):
        if item.tool and EDIT_TOOL.search(item.tool):
            changed, edited = True, place
        if not is_assistant(item):
            continue
        start = min(said_at, edited if edited >= 0 else said_at) + 1
        said_at = place
        spoken_of = list(runs[bisect_left(places, start) : bisect_left(places, place)])
        well = place == last and bool(spoken_of) and not spoken_of[-1].failed
        if changed and item.id not in known and (said := _outcome_in(item, well)):
            yield _Told(place, item, said, spoken_of, place == last)


def _worked(turn: Turn, aim: str, report: _Told, tried: Run | None, later: Sequence[Turn]) -> Iterator[Finding]:
    """The outcome of a turn that went well, as far as the log shows; at most one."""
    if _says_again(aim, report.said):
        return
    sure = 0.1 * confirmed(later)
    if tried is None:
        yield from _unchecked(turn, aim, report, later)
    elif not tried.failed and _bears(report.said):
        yield _attempt(aim, report.said, (tried.item, report.item), 0.65 + sure, worked=True)


def _says_again(aim: str, said: Sequence[Sentence]) -> bool:
    """Whether an outcome only says of what was asked that it is so now."""
    told = content(" ".join(sentence.text for sentence in said))
    return len(told - content(aim)) < _NEW * len(told)


def _unchecked(turn: Turn, aim: str, report: _Told, later: Sequence[Turn]) -> Iterator[Finding]:
    """A report of changes that no command checked: kept where the person goes on without objecting, and where they say
    that it works, or it tells more than that something was changed."""
    edits = changes(turn)
    ran = any(run.failed for run in runs_of(turn.work))
    if ran or not edits or not later or sum(s.weight for s in report.said) < _TELLING:
        return
    works = confirmed(later)
    why = any(report_of(s).why.search(s.plain) or cues_of(s.plain).cause.search(s.plain) for s in report.said)
    if not (works or why or len(edits) > 1):
        return
    items = (edits[-1], report.item, *((later[0].human,) if works else ()))
    yield _attempt(aim, report.said, items, 0.5 + 0.15 * works, worked=True)


def _failed_to_the_end(turn: Turn, runs: Sequence[Run], aim: str) -> Finding | None:
    """The last command, where it failed, nothing after it passed, and somebody said why it did. An errand that shows a
    failure nobody was working on is none."""
    if not runs or not runs[-1].failed or (turn.goes_on and not any(changes(step) for step in turn.steps)):
        return None
    last = runs[-1]
    same = [run for run in runs if run.failed and run.key == last.key]
    for item in turn.work[same[0].place + 1 :]:
        if is_assistant(item) and (said := _explains(item)):
            texts = [*error_of(last.item), *said]
            return _finding(aim or f"`{last.command}`", texts, (last.item, item), 0.7, worked=False)
    return None


def _attempt(
    action: str, said: Sequence[Sentence], items: tuple[EvidenceItem, ...], points: float, *, worked: bool
) -> Finding:
    return _finding(action, [sentence.text for sentence in said], items, points, worked=worked)


def _finding(
    action: str, result: list[str], items: tuple[EvidenceItem, ...], points: float, *, worked: bool
) -> Finding:
    fields = {"action": action, "result": join(result, _MOST), "succeeded": worked}
    return Finding("attempts", fields, items, points)


def _explains(item: EvidenceItem) -> list[str]:
    """The sentences of a message that say why something failed; a claim that all is well is none."""
    found = []
    for sentence in sentences(item.text):
        cues, report = cues_of(sentence.plain), report_of(sentence)
        passing = any(cue.search(sentence.plain) for cue in (cues.question, cues.announce, cues.joke, cues.belief))
        well = cues.repaired.search(sentence.plain) and not _FAILS.search(sentence.plain)
        telling = any(cue.search(sentence.plain) for cue in (cues.cause, report.why, _FAILS))
        if telling and not passing and not well and sentence.weight >= _ENOUGH:
            found.append(sentence.text)
    return found[:2]


def _outcome_in(item: EvidenceItem, well: bool) -> list[Sentence]:
    """The sentences of a message that say how something came out, with what stands beside them in the paragraph; where
    they say little, with the first points listed below them. `well`: it is the last word after a command that passed,
    and may tell the outcome in any words that hold a figure or a name."""
    said = [s for s in sentences(item.text) if not _passes_by(s)]
    ended = [s for s in said if report_of(s).ended.search(s.plain) or report_of(s).useless.search(s.plain)]
    beside = [s for s in said if ended and s.paragraph == ended[0].paragraph and (not s.item or s in ended)]
    beside = [s for s in beside if s.weight >= 2] or beside[:1]
    if not ended and _DONE.match(item.text):
        return [s for s in said if s.weight >= _ENOUGH][:_BESIDE]
    if well and (not ended or ended[0].weight < _ENOUGH):  # `the build passes`: of what, stands elsewhere
        exact = [s for s in said if s.weight > _ENOUGH and (_FIGURE.search(s.text) or "`" in s.text) and s not in ended]
        exact = [s for s in exact if s.paragraph == exact[0].paragraph or s.item]
        return [*exact[: _BESIDE - 1], *ended[:1]] if exact else beside[:_BESIDE]
    if beside and sum(s.weight for s in beside) < _THIN:
        after = said[said.index(beside[-1]) + 1 :]
        beside += [s for s in after if s.weight >= _ENOUGH][: _BESIDE - 1]
    return beside[:_BESIDE]


def _passes_by(sentence: Sentence) -> bool:
    cues = cues_of(sentence.plain)
    gone = (cues.announce, cues.question, cues.joke, cues.belief)
    passing = report_of(sentence).bookkeeping.search(sentence.plain) or sentence.text.endswith((":", "："))
    return bool(passing) or any(cue.search(sentence.plain) for cue in gone)


def _bears(said: Sequence[Sentence]) -> bool:
    """Whether an outcome says more than that something was done: how, how much, or why."""
    weight = sum(sentence.weight for sentence in said)
    telling = any(_FIGURE.search(s.text) or "`" in s.text or report_of(s).why.search(s.plain) for s in said)
    return weight >= 2 * _ENOUGH - 2 and telling


def _set_out(turn: Turn, place: int) -> str:
    """What the assistant believed or announced before a try, as it said it."""
    for item in reversed(turn.work[:place]):
        if is_assistant(item):
            said = [s for s in sentences(item.text) if s.weight >= _ENOUGH - 1]
            return join([s.text for s in said[-1:]], 300)
    return ""
