"""Choices that an assistant reported of its own work, with the reason it gave.

Words count only where the work bears them out: a choice needs a change in the same turn. How a try came out is
`outcomes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.cues_report import REPORTS, ReportCues
from memory_core.providers.builtin.runs import EDIT_TOOL
from memory_core.providers.builtin.sentences import Sentence, join, language_of, sentences
from memory_core.providers.builtin.turns import Finding, Turn, cues_of, is_assistant

_MOST = 420
_CHOICES = 2  # of one turn: a report that gives reasons for everything is a walk through the code
_ENOUGH = 4  # content words of a sentence that can stand alone


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
    cues, report = cues_of(sentence.plain), report_of(sentence)
    passing = (cues.question, cues.joke, cues.belief, cues.finding)
    if sentence.weight < _ENOUGH or any(cue.search(sentence.plain) for cue in passing):
        return None
    if not report.chose.search(sentence.plain):
        return None
    if report.why.search(sentence.plain):
        return []
    if following is None or following.paragraph != sentence.paragraph:
        return None
    explains = cues_of(following.plain).because.search(following.plain) and report_of(following).why.search(
        following.plain
    )
    return [following.text] if explains else None


def _refuses(turn: Turn) -> bool:
    """Whether a message says no to what was just done."""
    return any(turn.cues.correction.search(s.plain) or turn.cues.failed.search(s.plain) for s in turn.said[:2])


def report_of(sentence: Sentence) -> ReportCues:
    """The table of a sentence's language."""
    return REPORTS[language_of(sentence.plain)]
