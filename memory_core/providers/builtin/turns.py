"""A slice as turns: what a person said, what the assistant had said just before, and what was done about it.

Reads evidence items, whose speakers the host decided; decides no speaker itself and finds no candidate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.cues_en import EN
from memory_core.providers.builtin.cues_ja import JA
from memory_core.providers.builtin.cues_ko import KO
from memory_core.providers.builtin.cues_zh import ZH
from memory_core.providers.builtin.sentences import Sentence, language_of, sentences
from memory_core.sessions.model import Speaker

CUES: Mapping[str, Cues] = MappingProxyType({"en": EN, "ja": JA, "zh": ZH, "ko": KO})
ANSWERS = frozenset({"question_answer", "plan_approval"})  # a person's click, worded by the tool
# `/name arguments`, `# a thing to remember`, `! a shell command`: what an agent's own prompt line makes of a message.
_COMMAND = re.compile(r"^\s*(?:/[\w:.-]+\s*|#\s+)")
_SHELL = "! "
_HOST_WORDED = "Rejected "  # a refused permission without words of the person
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
    items up to the person's next message. `first`: whether it is the first of the slice."""

    human: EvidenceItem
    before: EvidenceItem | None
    work: tuple[EvidenceItem, ...] = ()
    first: bool = False

    @property
    def subtype(self) -> str | None:
        return self.human.message.subtype if self.human.message else None

    @cached_property
    def text(self) -> str:
        """The message; of a command, what was typed behind its name."""
        text = self.human.text[:_LONG]
        return _COMMAND.sub("", text, count=1) if self.subtype == "command" else text

    @cached_property
    def said(self) -> tuple[Sentence, ...]:
        return () if self.subtype in ANSWERS else sentences(self.text)

    @cached_property
    def cues(self) -> Cues:
        """The table of the message's language."""
        return cues_of(" ".join(sentence.plain for sentence in self.said))


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
        turns.append(Turn(heard[start], told[-1] if told else None, tuple(heard[start + 1 : end]), number == 0))
        previous = start + 1
    return tuple(turns)


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
