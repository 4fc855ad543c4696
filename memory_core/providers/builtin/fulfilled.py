"""Whether what a person asked for was done, or was only an errand, as far as the session shows.

Finds no request; `requests` does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.asks import asked_in
from memory_core.providers.builtin.runs import EDIT_TOOL, runs_of
from memory_core.providers.builtin.sentences import sentences
from memory_core.providers.builtin.turns import ANSWERS, Turn, cues_of, is_assistant

_FAR = 8  # turns that one task may take
_SHORT = 8  # content words of a report that only says what was done
_DONE = re.compile(
    r"^(?:done|implemented|added|fixed|finished|all (?:set|done))\b"
    r"|\b(?:is|are) (?:now )?(?:in place|implemented|done|fixed|added)\b"
    r"|(?:追加|実装|修正|対応|作成|変更|削除)(?:し|が完了し)ました|完了しました"
    r"|(?:已经?|都)(?:添加|实现|完成|修复|加上|改好)|完成了|加好了",
    re.IGNORECASE,
)
# A report so short that it only says what was done: `Renamed.`
_DID = re.compile(
    r"\W*(?:i(?:'?ve| have)? |we(?:'?ve| have)? |all |now |it is |it's )*(?:\w{2,}ed|made|put|set|cut|took|wrote|"
    r"built)\b"
    r"|.{0,60}(?:ました|にした)[。！!]?$|.{0,30}了[。！!]?$|.{0,40}습니다[.!]?$",
    re.IGNORECASE,
)
_PASSED = re.compile(
    r"\b[1-9]\d* passed\b(?!.*\b[1-9]\d* failed\b)|\btests? result: ok\b|\ball checks passed\b", re.IGNORECASE
)
_MORE = re.compile(
    r"\b(?:still|again|not (?:what|how|quite)|wrong|broken|missing|forgot"
    r"|why (?:did|is|does)n[’']?t|undo|revert)\b"
    r"|まだ|違|おかし|戻し|もう一度|还是|不对|错了|重新|再(?:改|来)|忘",
    re.IGNORECASE,
)
# A wish for all that comes is not done with the first change.
STANDING = re.compile(
    r"\b(?:always|never|every|each|whenever|at (?:most|least)|must|should (?:always|never|stay|remain)"
    r"|ensure|make sure|in future"
    r"|without|concerned)\b|\b(?:not now|after the|some point|later)\b|必ず|常に|毎|ように|たび|每|所有|必须|始终|一律",
    re.IGNORECASE,
)
# A message that lets the work go on takes it for unfinished; praise and thanks take it for done.
_GO_ON = re.compile(
    r"\b(?:continue|go (?:on|ahead)|proceed|keep going|carry on|resume|finish)\b|続け|继续|계속", re.IGNORECASE
)
_ANSWER = 160  # characters of an answer in words


def changed(turn: Turn) -> bool:
    """Whether files were changed for a message."""
    return any(item.tool and EDIT_TOOL.search(item.tool) for item in turn.work)


def done_with(turns: Sequence[Turn], number: int) -> tuple[EvidenceItem, ...]:
    """The last change and the report by which what a message asked for was done, over the whole task: the person's next
    words on it hold no objection and do not only let it go on. Empty where the session does not show it, as at its end.
    """
    steps = steps_of(turns, number)
    for turn, following in zip(steps, turns[number + 1 :], strict=False):
        if changed(turn) and not _goes_further(turn, following):
            return work_of(turn)
    return ()


def steps_of(turns: Sequence[Turn], number: int) -> Sequence[Turn]:
    """The turns of the task that a message sets: up to the next one that sets another."""
    end = number + 1
    while end < min(number + _FAR, len(turns)) and not (_sets_a_task(turns[end]) and not _objects(turns[end])):
        end += 1
    return turns[number:end]


def work_of(turn: Turn) -> tuple[EvidenceItem, ...]:
    """The last change of files of a turn and what the assistant said last behind it; empty where either is missing."""
    edits = [n for n, item in enumerate(turn.work) if item.tool and EDIT_TOOL.search(item.tool)]
    told = [item for item in turn.work[edits[-1] :] if is_assistant(item)] if edits else []
    return (turn.work[edits[-1]], told[-1]) if told else ()


def _sets_a_task(turn: Turn) -> bool:
    """Whether a message asks for something of its own, rather than going on with what was asked before."""
    return bool(asked_in(turn)) and not turn.goes_on


def _goes_further(turn: Turn, following: Turn) -> bool:
    """Whether what was begun in a turn is not yet done with it: it failed last, was asked about, or is objected to."""
    runs = runs_of(turn.work)
    if (runs and runs[-1].failed) or following.subtype in ANSWERS or _objects(following):
        return True
    if following.goes_on and any(_GO_ON.search(s.plain) for s in following.said):
        return True
    told = [item for item in turn.work if is_assistant(item)]
    asked = told and any(cues_of(s.plain).question.search(s.plain) for s in sentences(told[-1].text)[-2:])
    return not told or bool(asked)


def answered_only(turn: Turn, following: Turn | None) -> bool:
    """Whether an ask was an errand by what was done for it: nothing was changed, it was answered in words or by
    looking, and the person went on to something else. Who asks for more than the moment says so, or objects."""
    told = [item for item in turn.work if is_assistant(item)]
    if following is None or not told or changed(turn) or turn.goes_on:
        return False
    looked = any(item.kind == "tool" for item in turn.work) or len(told[-1].text) >= _ANSWER
    asks_back = any(cues_of(s.plain).question.search(s.plain) for s in sentences(told[-1].text)[-2:])
    goes_on = following.goes_on or following.subtype in ANSWERS or _objects(following)
    lasting = any(STANDING.search(s.plain) for s in turn.said)
    return looked and not (asks_back or goes_on or lasting or turn.first)


def done_in_session(turns: Sequence[Turn], number: int) -> bool:
    """Whether what a message asked for was done before the person's next word on it: work was done, the assistant's
    last message says so or the last checks passed, and the next message does not object."""
    turn = turns[number]
    told = [item for item in turn.work if is_assistant(item)]
    tools = [item for item in turn.work if item.kind == "tool" and item.result]
    if not told or not tools:
        return False
    said = sentences(told[-1].text)
    cues = cues_of(" ".join(sentence.plain for sentence in said))
    if any(cues.question.search(sentence.plain) for sentence in said[-2:]):
        return False
    following = turns[number + 1] if number + 1 < len(turns) else None
    if following is None or _objects(following):
        return False
    brief = sum(s.weight for s in said) <= _SHORT and bool(said) and bool(_DID.match(said[0].plain))
    reported = brief or any(_DONE.search(s.plain) and not cues.failed.search(s.plain) for s in said)
    last = tools[-1]
    passed = not last.is_error and bool(
        last.result and _PASSED.search((last.result.output or last.result.text)[-4_000:])
    )
    return reported or passed


def _objects(turn: Turn) -> bool:
    """Whether a message says that what was done before it is not right yet, or not enough."""
    cues = turn.cues
    against = (cues.failed, cues.correction, cues.bug)
    return any(cue.search(s.plain) for s in turn.said[:3] for cue in against) or any(
        _MORE.search(s.plain) for s in turn.said[:2]
    )
