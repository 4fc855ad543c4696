"""A request that its person takes back later in the session by naming it: `ok forget the dark mode thing`.

What is taken back in the very next message, without being named, is `verdicts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.providers.builtin.sentences import content, weight
from memory_core.providers.builtin.turns import ANSWERS, Finding, Turn

# Who gives something up, and the thing: `product dropped the CSV import`, `X isn't needed anymore`.
_GIVES_UP = re.compile(
    r"(?<!don't )(?<!not )\b(?:forget(?: about)?|scrap) (?:the |that |this |our )(?P<en>[^,.;:?!]{3,60})"
    r"|\b(?:we|they|i|product|management|marketing|sales|(?:the|my|our) (?:team|client|customer|boss|pm))"
    r"(?:'ve| have)? (?:dropped|scrapped|abandoned|cancell?ed) (?:the |that |this |our )?(?P<en1>[^,.;:?!]{3,60})"
    r"|\b(?P<en2>[^,.;:?!]{3,60}?) (?:(?:is|are)(?:n't| not) (?:needed|wanted|required) "
    r"(?:any ?more|any longer|after all)|(?:is|are) no longer (?:needed|wanted|required))\b"
    r"|\b(?:we|i|they) (?:don't|do not|no longer) (?:need|want) (?:the |that |this )?(?P<en3>[^,.;:?!]{3,60}?)"
    r"(?: any ?more| any longer| after all)\b"
    r"|\bi(?:'ve| have)? (?:removed|deleted|reverted) (?:the |that )?(?P<en4>[^,.;:?!]{3,60}?) again\b"
    r"|(?P<ja>[^、。はを]{2,24})(?:は|を)(?:なし(?:で|に|と)|やめ(?:ます|る|よう|て|に|まし)|取りやめ|しないことに|中止)"
    r"|(?P<zh>[^，。]{2,24}?)(?:不(?:做|要|需要|加|用)了|取消(?:了|吧)|先?不做)"
    r"|(?P<ko>[^,.]{2,24}?)(?:은|는|을|를)? (?:안 하기로|하지 않기로|취소하|빼기로|필요 ?없어)",
    re.IGNORECASE,
)
_VAGUE = frozenset(
    {"feature", "stuff", "idea", "part", "request", "task", "work", "ticket", "change", "anymor", "longer"}
)
_ENDS = re.compile(
    r"\b(?:remove|revert|undo|delete|take|pull|throw)\b|消し|削除|戻し|取り消し|撤|删|去掉|지워|삭제|되돌려|빼",
    re.IGNORECASE,
)
_SHARE = 0.6  # of the words that name what is given up which the request must hold
_LEAST = 0.15  # of the request's words which must be named: a point of a long one is not the whole


def given_up(turn: Turn) -> tuple[frozenset[str], ...]:
    """The things, as content words, that a message gives up by name."""
    if turn.subtype in ANSWERS:
        return ()
    return tuple(named for sentence in turn.said for named in _named(sentence.plain, turn))


def withdrawn(finding: Finding, things: tuple[frozenset[str], ...]) -> bool:
    """Whether one of the things is what a request asks for."""
    asked = content(str(finding.fields["summary"]))
    shared = ((len(thing & asked), len(thing)) for thing in things)
    return any(both >= max(1.0, _SHARE * all_, _LEAST * len(asked)) for both, all_ in shared)


def only_ends(finding: Finding) -> bool:
    """Whether a request asks for nothing but that what was made is taken out again."""
    return bool(_ENDS.search(str(finding.fields["summary"])))


def _named(plain: str, turn: Turn) -> Iterator[frozenset[str]]:
    if turn.cues.question.search(plain):
        return
    for match in _GIVES_UP.finditer(plain):
        thing = next(value for value in match.groups() if value)
        words = content(thing) - _VAGUE
        if words and weight(thing):
            yield words
