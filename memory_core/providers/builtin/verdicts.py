"""What a person's next message says of the work before it: that it works, or that it does not.

Judges the message alone; whether the log bears it out is the finders' business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.deciding import NO_KIND, decided
from memory_core.providers.builtin.sentences import Sentence
from memory_core.providers.builtin.turns import ANSWERS, Turn

# What takes the last step back.
_TAKEN_BACK = re.compile(
    r"\b(?:undo|revert|roll back|never ?mind|scratch) (?:it|that|this|your|the (?:last|change)\w*)|\bnever ?mind\b"
    r"|\bcancel (?:it|that|this)\b"
    r"|\bforget (?:it|that|about (?:it|that))\b|元に戻して|取り消して|やっぱりいい|やっぱりやめ|撤销|撤回|算了|还原|"
    r"되돌려|취소해",
    re.IGNORECASE,
)
# Sentences about how things are or what the speaker did: they tell, they ask for nothing.
_OBSERVES = re.compile(
    r"^(?:no|yes|yeah|ok|and|but|so|well|hm+|ah|oh)?[,.!\s]*(?:that|this|it|there|they|these|those|he|she|you|"
    r"i)\b\W?(?:'s|'re|'m|"
    r"'ve|s|\s+(?:is|are|was|were|am|have|has|had|did|do|does|don'?t|didn'?t|think|feel|guess|see|saw|looked|"
    r"checked|ran|tried|"
    r"removed|changed|added|made|fixed|forgot|just|already|actually|still|only|can|could)\b)"
    r"|\bi (?:think|guess|suppose)\W*$"
    r"|(?:なあ|なぁ|ですね|だね|よね|ですか|けど|が)[、。!！]*$|(?:ました|でした|です|だよ|だった|ている|てる|"
    r"ません|しかない(?:よ)?)[ねよ]?[。!！]*$"
    r"|(?:了|的)[。!！]*$|^(?:我|他们?|你)?(?:看了|查了|试了|检查了)|(?:어요|아요|네요|습니다|더라고요|거든요|"
    r"는데요?|내요)[.!]*$",
    re.IGNORECASE,
)
# Words by which a person tells that something goes wrong, without asking for anything.
WRONG = re.compile(
    r"\b(?:all the time|every time|always|randomly|sometimes|keeps? \w+ing|broken|wrong|errors?|crash\w*|fail\w*|"
    r"slow)\b"
    r"|エラー|落ち|遅い|おかし|たまに|時々|报错|错误|偶尔|一直|오류|에러|가끔|계속",
    re.IGNORECASE,
)
# The same of what takes too much, comes too often, or does another thing than it should.
_FAULT = re.compile(
    r"\b(?:too (?:slow\w*|big|large|long|many|much)|twice|(?:two|three|several) (?:times|requests|mails|copies)"
    r"|(?:takes?|needs?|took) (?:[\w~.,]+ ){0,2}(?:seconds?|secs?|minutes?|mins?|hours?|s|min)"
    r"|grows? (?:to|until|without)"
    r"|(?:opens|shows|returns|sends|prints|saves|gives|deletes|uses|loads|writes) [^.;?]{2,60}? instead of)\b"
    r"|(?:分|秒|時間)(?:も|以上|くらい|ぐらい)?かか|届(?:かない|くことがある)|太慢|很慢|要等?\d+ ?(?:分钟|秒|个?小时)"
    r"|느려|느리|(?:분|초|시간)(?:이나|씩)? ?걸",
    re.IGNORECASE,
)
_FIRST = 2  # sentences at the start of a message that judge; what follows is the next thing


def refuted(later: Sequence[Turn]) -> bool:
    """Whether the next message says that what was done does not work, or was not wanted."""
    return any(_fails(later[0], sentence) for sentence in _judging(later))


def overruled(later: Sequence[Turn]) -> bool:
    """The same of what was found out: a `no` that goes on to choose another way does not deny it."""
    return any(
        later[0].cues.failed.search(sentence.plain)
        or (later[0].cues.refusal.search(sentence.plain) and not decided(later[0], place))
        for place, sentence in enumerate(_judging(later))
    )


def confirmed(later: Sequence[Turn]) -> bool:
    """Whether the next message says that it works, and nothing to the contrary."""
    said = _judging(later)
    works = [s for s in said if later[0].cues.works.search(s.plain) and not later[0].cues.question.search(s.plain)]
    return bool(works) and not refuted(later)


def taken_back(later: Sequence[Turn]) -> bool:
    """Whether the next message takes back what was just asked for or done."""
    said = _judging(later)
    said = said[1:] if len(said) > 1 and said[0].weight <= 1 else said  # `stop. cancel that`
    return any(_TAKEN_BACK.search(sentence.plain) for sentence in said[:1])


def observes(sentence: Sentence, cues: Cues) -> bool:
    """Whether a sentence only tells how something is, or what the speaker did or thinks of it."""
    return bool(_OBSERVES.search(sentence.plain) or cues.refusal.search(sentence.plain))


def tells_fault(sentence: Sentence, cues: Cues) -> bool:
    """Whether a sentence tells that something does not work as it should, or takes too much."""
    return any(cue.search(sentence.plain) for cue in (cues.bug, WRONG, _FAULT))


def _judging(later: Sequence[Turn]) -> tuple[Sentence, ...]:
    return later[0].said[:_FIRST] if later and later[0].subtype not in ANSWERS else ()


def _fails(turn: Turn, sentence: Sentence) -> bool:
    if turn.cues.failed.search(sentence.plain):
        return True
    return bool(turn.cues.refusal.search(sentence.plain)) and not NO_KIND.match(sentence.plain)
