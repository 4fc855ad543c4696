"""Sentences of an assistant that say why something failed, or what was found to be otherwise. Judges no try."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.sentences import Sentence, sentences
from memory_core.providers.builtin.turns import Turn, cues_of
from memory_core.providers.builtin.verdicts import WRONG

_ANSWERS = 9  # content words of an answer to `why` that says it all
_HEADING = re.compile(
    r"root cause|problem|what (?:was|went) wrong|the (?:cause|issue|bug)|原因|問題|问题|원인|문제", re.IGNORECASE
)
# A person asks for a cause.
WHY = re.compile(
    r"^\W*(?:\w+\W+){0,3}why\b|\b(?:root cause|investigate|debug|diagnose|look into|figure out|find out|track down|"
    r"any idea|what(?:'?s| is) (?:wrong|going"
    r" on|happening))\b|原因|なぜ|なんで|どうして|調べ|調査|为什么|为何|原因|查(?:一下|查|看)|왜|원인|조사",
    re.IGNORECASE,
)
# What went wrong with the agent's own tools says nothing about the project.
_OWN_TOOLS = re.compile(
    r"\b(?:the|my|that|this) (?:sed|grep|awk|perl|rg|edit|edits|replace\w*|patch|search|heredoc|multi-?edit|old_string|"
    r"str_replace|(?:text|string|regex) (?:match|replacement)|tool|tool call|shell|escaping|quoting)\b"
    r"(?: command| call| script| tool)?|\b(?:exact text|whitespace|line numbers?) (?:did not|didn't|does not|"
    r"doesn't) match\b",
    re.IGNORECASE,
)


def explanation_in(told: Sequence[EvidenceItem]) -> tuple[list[EvidenceItem], list[str]] | None:
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


def found_in(item: EvidenceItem) -> list[str]:
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
    passing = any(cue.search(sentence.plain) for cue in (cues.announce, cues.question, cues.joke))
    if sentence.text.endswith((":", "：")):  # it leads up to a list
        return False
    return sentence.weight >= 2 and not passing and not _OWN_TOOLS.search(sentence.plain)


def asks_cause(turn: Turn, sentence: Sentence) -> bool:
    """Whether a sentence asks why something is so, or tells of something that goes wrong."""
    cues = turn.cues
    return any(cue.search(sentence.plain) for cue in (WHY, cues.bug, cues.failed, WRONG))


def causes_in(item: EvidenceItem, works: bool, was_it: bool, asked_why: bool) -> list[Sentence]:
    """The sentences of a message that tell a cause, or stand below a heading that names one; its first statements
    otherwise, where the person said that this was it, or had asked why and got a full answer. A mere belief that nobody
    confirmed tells none."""
    said = sentences(item.text)
    states = [s for s in said if _states(s, cues_of(s.plain)) and s.weight >= 4]
    for place, sentence in enumerate(said):
        cues = cues_of(sentence.plain)
        if not cues.cause.search(sentence.plain) and not (_HEADING.search(sentence.plain) and sentence.weight < 6):
            continue
        told = [s for s in said[place : place + 4] if s in states][:3]
        if told and (works or not any(cues.belief.search(s.plain) for s in told[:1])):
            return told
    told_why = asked_why and not any(cues_of(s.plain).belief.search(s.plain) for s in said)
    return states[:3] if was_it or (told_why and sum(s.weight for s in states) >= _ANSWERS) else []
