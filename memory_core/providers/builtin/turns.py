"""A slice as turns: what a person said, what the assistant had said just before, and what was done about it.

Reads evidence items, whose speakers the host decided; decides no speaker itself and finds no candidate.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.cues_en import EN
from memory_core.providers.builtin.cues_ja import JA
from memory_core.providers.builtin.cues_ko import KO
from memory_core.providers.builtin.cues_zh import ZH
from memory_core.providers.builtin.pasted import own_words
from memory_core.providers.builtin.sentences import Sentence, language_of, sentences, weight
from memory_core.sessions.model import Speaker

CUES: Mapping[str, Cues] = MappingProxyType({"en": EN, "ja": JA, "zh": ZH, "ko": KO})
ANSWERS = frozenset({"question_answer", "plan_approval"})  # a person's click, worded by the tool
# `/name arguments`, `# a thing to remember`, `! a shell command`: what an agent's own prompt line makes of a message.
_COMMAND = re.compile(r"^\s*(?:/[\w:.-]+\s*|#\s+)")
_SHELL = "! "
_HOST_WORDED = "Rejected "  # a refused permission without words of the person
_PRINTED = 2  # times that the same sentence stands in a message nobody typed it into
_WORDS = 3  # content words of a message that says something of its own
_FAR = 8  # turns that a task may go on for by nothing but `continue`
_TASK = 6  # content words of an errand that sets a task of its own
_LONG = 20_000  # characters of one message that are looked at: what is longer was pasted

Array = Literal["decisions", "discussions", "attempts", "requests"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A candidate before it is handed in. `fields`: as the payload wants them, without evidence; `items`: what it rests
    on; `score`: from 0 to 1, how surely it is worth keeping."""

    array: Array
    fields: Mapping[str, Any]
    items: tuple[EvidenceItem, ...]
    score: float

    @property
    def text(self) -> str:
        """What it says first, by which doubles are found."""
        name = {"decisions": "chosen", "discussions": "topic", "attempts": "result", "requests": "summary"}[self.array]
        return str(self.fields[name])


@dataclass(frozen=True)
class Turn:
    """One message of a person. `before`: the assistant's last message since the person's previous one. `work`: all
    items up to the person's next message. `first`: whether it is the first of the slice. `earlier`: the turn before."""

    human: EvidenceItem
    before: EvidenceItem | None
    work: tuple[EvidenceItem, ...] = ()
    first: bool = False
    earlier: Turn | None = field(default=None, repr=False, compare=False)

    @cached_property
    def known(self) -> dict[object, Any]:
        """What finders worked out about the turn once, by a key of their own."""
        return {}

    @property
    def subtype(self) -> str | None:
        return self.human.message.subtype if self.human.message else None

    @cached_property
    def text(self) -> str:
        """The message without what was pasted into it; of a command, what was typed behind its name."""
        text = self.human.text[:_LONG]
        if self.subtype in ANSWERS:
            return text
        return own_words(_COMMAND.sub("", text, count=1) if self.subtype == "command" else text)

    @cached_property
    def said(self) -> tuple[Sentence, ...]:
        """The sentences of the message. What stands there twice was printed by a program."""
        if self.subtype in ANSWERS:
            return ()
        found = sentences(self.text)
        times = Counter(sentence.plain for sentence in found)
        return tuple(sentence for sentence in found if times[sentence.plain] < _PRINTED)

    @cached_property
    def cues(self) -> Cues:
        """The table of the message's language."""
        return cues_of(" ".join(sentence.plain for sentence in self.said))

    @cached_property
    def goes_on(self) -> bool:
        """Whether the message only lets the work before it go on: `continue`, `ok go`, `run the tests again`."""
        said = [sentence.plain for sentence in self.said]
        if self.subtype in ANSWERS or not said:
            return self.subtype not in ANSWERS
        cues = self.cues
        if weight(" ".join(said)) < _WORDS:
            return True
        return bool(cues.onward.match(" ".join(said))) or all(self._is_errand(plain) for plain in said)

    def _is_errand(self, plain: str) -> bool:
        cues = self.cues
        body = cues.filler.sub("", plain, count=1)
        if not cues.reason_first and (courtesy := cues.ask.match(body)):
            body = body[courtesy.end() :]
        return bool(cues.onward.match(plain) or (cues.fleeting.search(body) and weight(body) < _TASK))

    @cached_property
    def task(self) -> Turn:
        """The turn that set what this one works on: itself, or the last one before it that did more than go on."""
        turn = self
        for _ in range(_FAR):
            if not turn.goes_on or turn.earlier is None:
                break
            turn = turn.earlier
        return turn

    @property
    def steps(self) -> tuple[Turn, ...]:
        """The turns from the one that set the task to this one."""
        found = [self]
        while found[-1] is not self.task and found[-1].earlier is not None:
            found.append(found[-1].earlier)
        return tuple(reversed(found))


def cues_of(text: str) -> Cues:
    return CUES[language_of(text)]


def turns_of(items: Sequence[EvidenceItem]) -> tuple[Turn, ...]:
    """The turns of a slice, in order. What came before the first message of a person belongs to none."""
    heard = [item for item in items if not item.recalled]
    starts = [place for place, item in enumerate(heard) if _is_said(item)]
    turns: list[Turn] = []
    previous = 0
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(heard)
        told = [item for item in heard[previous:start] if is_assistant(item)]
        work = tuple(heard[start + 1 : end])
        earlier = turns[-1] if turns else None
        turns.append(Turn(heard[start], told[-1] if told else None, work, number == 0, earlier))
        previous = start + 1
    return tuple(turns)


def ends_of(turn: Turn) -> list[int]:
    """How far into the message, by its sentences' lengths, each sentence reaches."""
    ends, total = [], 0
    for sentence in turn.said:
        total += len(sentence.text) + 1
        ends.append(total - 1)
    return ends


def is_assistant(item: EvidenceItem) -> bool:
    """Whether the assistant said it to the person: neither a prompt for a sub-agent nor a sub-agent's report."""
    if item.kind != "message" or item.speaker is not Speaker.ASSISTANT or item.is_prompt:
        return False
    return item.message is not None and item.message.subtype != "sidechain"


def _is_said(item: EvidenceItem) -> bool:
    if not item.by_human or item.message is None:
        return False
    match item.message.subtype:
        case "interruption":
            return False
        case "command":
            return not item.text.startswith(_SHELL)
        case "rejection":
            return not item.text.startswith(_HOST_WORDED)
        case _:
            return True
