"""What a candidate's evidence and words allow to conclude: who speaks, whether it lasts, what it takes back.

Cues in English, Japanese, Chinese and Korean. Answers questions; draws no conclusion.
"""

from __future__ import annotations

import re

from memory_core.consolidate.provenance import entry_names
from memory_core.legacy.targets import MADE_BY
from memory_core.providers.builtin.sentences import matching
from memory_core.providers.builtin.turns import cues_of
from memory_core.staging import CandidateRef, Decision

_OTHERWISE = re.compile(
    r"\b(?:instead(?: of)?|rather than|no longer|not any ?more|any ?more|switch(?:ing|ed)? (?:to|from|back)"
    r"|replac(?:e|es|ed|ing)|chang(?:e|ed) (?:my|our) minds?|moved? (?:away|off)|drop(?:ped|ping)?"
    r"|back to|go(?:ing)? back on|revert(?:ed|ing)?|return(?:ing)? to|get rid of|stop using|forget (?:about )?"
    r"|scrap(?:ped|ping)?|ditch(?:ed|ing)?|abandon(?:ed|ing)?)\b"
    r"|ではなく|じゃなくて|の代わりに|代わりに|をやめ|はやめ|やっぱり|に戻|切り替え|置き換え|撤回|もう使わ"
    r"|而不是|而非|不再|改用|改成|改为|换成|[换改]回|取代|替换|放弃|算了"
    r"|말고|대신|더 ?이상|바꾸|바꿔|변경|전환|교체|돌아가|그만두|취소|역시",
    re.IGNORECASE,
)
# A person thinks again, or ends what held until now.
_REVERSES = re.compile(
    r"\b(?:(?:thinking|thought|think) about (?:it|this|that)|on second thoughts?|on reflection|come to think of it"
    r"|scratch that|changed? (?:my|our) minds?"
    r"|actually|no longer|not .{0,40}\bany ?more|after all|get rid of|drop(?:ping)?)\b"
    r"|やっぱり|やはり|考え直|もう使わ|撤回|再想想|算了|不再|改主意|还是(?:不|改)"
    r"|다시 생각|생각해 ?보니|역시|더 ?이상|취소|마음을? ?바꿨",
    re.IGNORECASE,
)
# How things are to be done from now on, whatever the task: reusable from the day it is said.
_STANDING = re.compile(
    r"^\W*(?:please |and |also |but |so )*(?:always|never)\b"
    r"|\b(?:from now on|from here on|going forward|henceforth|as a rule)\b|\b(?:rule|policy|convention)\s*[:：]"
    r"|\b(?:do not|don[’']?t) ever\b|\b(?:we|you|must|should|shall|is|are) (?:always|never)\b|[,;]\s*(?:always|never)\b"
    r"|^\W*(?:please |and |also )*(?:remember|keep in mind|note) that\b"
    r"|覚えておいて|忘れないで|^\W*请?记住"
    r"|今後は?|これからは|以後は|必ず|常に|絶対に?|以后(?!再)|今后|从现在(?:起|开始)|一律|永远|始终"
    r"|앞으로(?:는|도)?|이제부터|지금부터|항상|언제나|반드시|무조건|절대|기억해 ?(?:둬|두|주|줘)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:(?:decide|revisit|discuss|settle|figure .{2,12} out|come back to .{2,20})\b.{0,40}\blater"
    r"|park (?:that|this|it|the)"
    r"|leave .{2,60} open|tbd|undecided|open question|(?:not|n[’']t) decided|on hold|no decision (?:yet|for now))\b"
    r"|保留|未定|棚上げ|ペンディング|(?:後|あと|また|次回)(?:で|に|日)?(?:改めて)?(?:決め|検討|相談)"
    r"|待定|搁置|以后再|之后再|回头再|暂不决定|先不[定决]"
    r"|나중에 .{0,20}(?:정하|결정|논의|이야기|얘기)|보류|미정|(?:다음|추후)에 (?:정하|결정|논의)",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|caused? by|due to|since|as .{1,40} (?:does|is|was) not|root cause|turn(?:s|ed) out|the reason)\b"
    r"|原因|ため|ので|から(?:だ|です|。|、)|せいで|因为|由于|导致|所以|根本"
    r"|때문|원인|탓|이유는|(?:으|이)?니까|여서|아서|어서",
    re.IGNORECASE,
)
_FAILURE = re.compile(
    r"\b(?:fail\w*|errors?|exception|broke(?:n)?|crash\w*|wrong|hang|hung|timed? ?out|refused|locked|not work\w*)\b"
    r"|失敗|エラー|動かな|落ち|壊れ|間違|失败|报错|错误|崩溃|不工作|超时|실패|오류|에러|죽|깨졌|멈췄|시간 초과",
    re.IGNORECASE,
)
_OVERTURNS = re.compile(
    r"\b(?:actually|turn(?:s|ed) out|in fact|(?:i|we) (?:was|were) (?:wrong|mistaken|looking)|contrary to"
    r"|not the case)\b"
    r"|実は|実際には|判明|勘違い|思い込|其实|原来|实际上|误以为|搞错|사실은|실제로는|알고 보니|착각",
    re.IGNORECASE,
)
_LASTS = re.compile(
    r"\b(?:always|never|must|should|prefer\w*|constraint|limit|requires?|depends? on|because|policy|convention|"
    r"cannot|can'?t|avoid|do not|don'?t|until|only|trade-?off|too (?:slow|large|big|expensive))\b"
    r"|必ず|常に|べき|禁止|方針|制約|前提|ため|ので|できない|しない|优先|必须|应该|不要|不能|限制|约束|因为|取决于|总是|只能"
    r"|반드시|항상|해야|금지|방침|제약|전제|때문|없다|없습니다|않는다|우선|만 (?:가능|사용|허용)",
    re.IGNORECASE,
)


def by_human(ref: CandidateRef) -> bool:
    """Whether a person's words are in the evidence, as the host decided who spoke."""
    return any(anchor.speaker == "human" for anchor in ref.candidate.evidence)


def human_words(ref: CandidateRef) -> str:
    return " ".join(anchor.excerpt for anchor in ref.candidate.evidence if anchor.speaker == "human")


def hashes(ref: CandidateRef) -> frozenset[str]:
    """What tells the log entries it rests on from others: their hashes and ids."""
    return frozenset[str]().union(*(entry_names(anchor.plain()) for anchor in ref.candidate.evidence))


def voiced(ref: CandidateRef) -> frozenset[str]:
    """The same of those in which a person speaks."""
    persons = (anchor for anchor in ref.candidate.evidence if anchor.speaker == "human")
    return frozenset[str]().union(*(entry_names(anchor.plain()) for anchor in persons))


def says_otherwise(ref: CandidateRef, decision: Decision) -> bool:
    """Whether a person takes something back for this: in their own words, or in the choice as they made it."""
    return by_human(ref) and gives_up(human_words(ref), decision.chosen, decision.rationale)


def gives_up(*texts: str) -> bool:
    """Whether words of a person take something back for something else."""
    return any(map(_OTHERWISE.search, texts))


def reverses(words: str) -> bool:
    """Whether a person's words think again about something, or end it."""
    return bool(_REVERSES.search(words))


def standing(ref: CandidateRef, decision: Decision) -> bool:
    """Whether a person states a rule for all work to come, not a choice for the task at hand."""
    return by_human(ref) and bool(_STANDING.search(decision.chosen))


def to_remember(decision: Decision) -> bool:
    """Whether it states how something is, for later, rather than how things are to be done."""
    return bool(
        re.search(r"\b(?:remember|keep in mind|note) that\b|覚えておいて|记住|기억해", decision.chosen, re.IGNORECASE)
    )


def promoted(ref: CandidateRef) -> bool:
    """Whether a person took it over from an older memory, row by row: `omoide legacy apply` of a plan says so."""
    return ref.source.session_id.startswith(f"{MADE_BY}-") and bool(ref.source.log)


def leaves_open(ref: CandidateRef) -> bool:
    """Whether a person put a question off in so many words, by the cues by which it was found or by plainer ones."""
    words = human_words(ref)
    return bool(_OPEN.search(words) or cues_of(words).defer.search(matching(words)))


def gives_cause(text: str) -> bool:
    return bool(_CAUSE.search(text))


def overturns(text: str) -> bool:
    """Whether a result says that things are otherwise than was believed."""
    return bool(_OVERTURNS.search(text))


def names_failure(text: str) -> bool:
    """Whether something went wrong on the way, also where it worked in the end."""
    return bool(_FAILURE.search(text))


def lasts(text: str) -> bool:
    """Whether a point reads like something that holds beyond its session."""
    return bool(_LASTS.search(text))
