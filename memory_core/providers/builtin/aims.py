"""What a turn set out from: an offer that was taken up, a belief, an ask, or what was announced before a command."""

from __future__ import annotations

import re

from memory_core.extract.evidence import EvidenceItem
from memory_core.extract.language import detect
from memory_core.providers.builtin.asks import asked_in, has_form_of_ask
from memory_core.providers.builtin.assents import agrees
from memory_core.providers.builtin.runs import EDIT_TOOL, Run
from memory_core.providers.builtin.sentence_parts import without_filler
from memory_core.providers.builtin.sentences import Sentence, capitalized, join, sentences
from memory_core.providers.builtin.takeup import taken_up
from memory_core.providers.builtin.turns import CUES, Turn, cues_of, is_assistant
from memory_core.providers.builtin.verdicts import observes, tells_fault
from memory_core.redact import brief

_WORD = re.compile(r"[^\W\d_]{3}|[\u3041-\u9fff\uac00-\ud7a3]{2}")  # `w.t.f.` sets out for nothing

# A step that is announced in languages without cues of their own.
_STEP = re.compile(
    r"(?:(?:ok|gut|dann|zuerst|jetzt)[,\s]+)*(?:ich|wir) \w+e[n]?\b|(?:je vais|voy a|vou|ik ga)\b", re.IGNORECASE
)


def action_before(turn: Turn, run: Run) -> str:
    """What was set out to do before a command failed, and the command."""
    told = next((item for item in reversed(turn.work[: run.place]) if is_assistant(item)), None)
    aim = [s.text.rstrip(":：") for s in sentences(told.text)][-1:] if told else []
    command = f"`{brief(run.command, 120)}`"
    return f"{join(aim, 240)} ({command})" if aim else command


def aim_of(turn: Turn, end: EvidenceItem | None) -> str:
    """What the turn set out from before the message `end`, or at all: the offer that was taken up, else what the
    assistant believed (in what was said yes to, or since), else what was asked, else the person's first words."""
    if taken := next((found for step in (turn, turn.task) for found in taken_up(step, ())), None):
        return join([str(taken.fields["chosen"])], 300)
    told = [item for item in turn.work[: turn.work.index(end)] if is_assistant(item)] if end else []
    said = [sentence for item in [*agreed_to(turn), *told] for sentence in sentences(item.text)]
    if believed := [s.text for s in said if cues_of(s.plain).belief.search(s.plain) and s.weight >= 2]:
        return join(believed[-1:], 300)
    task = turn.task
    while task.earlier is not None and task.said and all(observes(s, task.cues) for s in task.said):
        task = task.earlier.task  # `the secret is the same` sets no task; what was being looked into stands before it
    if asked := asked_in(task):
        return join([capitalized(asked[0][1].rstrip("?？ "))], 300)
    if not any(has_form_of_ask(s.plain, task.cues) or tells_fault(s, task.cues) for s in task.said) and (
        step := _step_before_edit(turn)
    ):
        return join([step], 300)
    asking: list[Sentence] = [
        s
        for s in task.said
        if s.weight >= 3
        and _WORD.search(s.text)
        and not s.text.endswith((":", "："))
        and not task.cues.fleeting.match(s.plain)
    ]
    wished = [s for s in asking if task.cues.suggest.search(s.plain)]
    if asking and not _without_rules(" ".join(s.plain for s in task.said)):
        return join([capitalized(without_filler((wished or asking)[0].text, task.cues))], 300)
    own = [s for s in turn.said if s.weight >= 2 and _WORD.search(s.text) and not turn.goes_on]
    return join([capitalized(without_filler(s.text, turn.cues)) for s in (own or _announced(turn))[:1]], 300)


def _without_rules(text: str) -> bool:
    """Whether a text is in a language that has no cues: whether it asks for anything, nobody can tell."""
    return detect([text]) not in (*CUES, None)


def _step_before_edit(turn: Turn) -> str:
    """What the assistant said last before it first changed a file that it would do; empty where it did not."""
    edit = next((n for n, item in enumerate(turn.work) if item.tool and EDIT_TOOL.search(item.tool)), 0)
    told = [s for item in turn.work[:edit] if is_assistant(item) for s in sentences(item.text)]
    steps = [s for s in told if s.weight >= 2 and (_STEP.match(s.plain) or cues_of(s.plain).announce.search(s.plain))]
    return steps[-1].text if steps else ""


def _announced(turn: Turn) -> list[Sentence]:
    """What the assistant said first that it would do."""
    told = next((item for item in turn.work if is_assistant(item)), None) if turn.subtype != "command" else None
    return [s for s in sentences(told.text) if s.weight >= 3][:1] if told else []


def agreed_to(turn: Turn) -> list[EvidenceItem]:
    """The assistant's message that the person said yes to: what it believed is what the turn set out from."""
    return [turn.before] if turn.before and agrees(turn) is not None else []
