"""What a candidate's evidence and words allow to conclude: who speaks, whether it lasts, what it takes back.

Cues in English, Japanese and Chinese. Answers questions; draws no conclusion.
"""

from __future__ import annotations

import re

from memory_core.staging import CandidateRef, Decision

_OTHERWISE = re.compile(
    r"\b(?:instead(?: of)?|rather than|no longer|not any ?more|any ?more|switch(?:ing|ed)? (?:to|from|back)"
    r"|replac(?:e|es|ed|ing)|chang(?:e|ed) (?:my|our) minds?|moved? (?:away|off)|drop(?:ped|ping)?"
    r"|go(?:ing)? back (?:to|on)|revert(?:ed|ing)?|get rid of|stop using|forget (?:about )?)\b"
    r"|ではなく|じゃなくて|の代わりに|代わりに|をやめ|はやめ|やっぱり|切り替え|置き換え|撤回|もう使わ"
    r"|而不是|而非|不再|改用|改成|改为|换成|取代|替换|放弃|算了",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|caused? by|due to|since|as .{1,40} (?:does|is|was) not|root cause|turn(?:s|ed) out|the reason)\b"
    r"|原因|ため|ので|から(?:だ|です|。|、)|せいで|因为|由于|导致|所以|根本",
    re.IGNORECASE,
)
_FAILURE = re.compile(
    r"\b(?:fail\w*|errors?|exception|broke(?:n)?|crash\w*|wrong|hang|hung|timed? ?out|refused|locked|not work\w*)\b"
    r"|失敗|エラー|動かな|落ち|壊れ|間違|失败|报错|错误|崩溃|不工作|超时",
    re.IGNORECASE,
)
_OVERTURNS = re.compile(
    r"\b(?:actually|turn(?:s|ed) out|in fact|(?:i|we) (?:was|were) (?:wrong|mistaken|looking)|contrary to"
    r"|not the case)\b"
    r"|実は|実際には|判明|勘違い|思い込|其实|原来|实际上|误以为|搞错",
    re.IGNORECASE,
)
_LASTS = re.compile(
    r"\b(?:always|never|must|should|prefer\w*|constraint|limit|requires?|depends? on|because|policy|convention|"
    r"cannot|can'?t|avoid|do not|don'?t|until|only|trade-?off|too (?:slow|large|big|expensive))\b"
    r"|必ず|常に|べき|禁止|方針|制約|前提|ため|ので|できない|しない|优先|必须|应该|不要|不能|限制|约束|因为|取决于|总是|只能",
    re.IGNORECASE,
)


def by_human(ref: CandidateRef) -> bool:
    """Whether a person's words are in the evidence, as the host decided who spoke."""
    return any(anchor.speaker == "human" for anchor in ref.candidate.evidence)


def tools_only(ref: CandidateRef) -> bool:
    """Whether there is evidence and nobody speaks in it."""
    speakers = {anchor.speaker for anchor in ref.candidate.evidence}
    return bool(speakers) and not speakers & {"human", "assistant"}


def human_words(ref: CandidateRef) -> str:
    return " ".join(anchor.excerpt for anchor in ref.candidate.evidence if anchor.speaker == "human")


def hashes(ref: CandidateRef) -> frozenset[str]:
    """Hashes of the log entries it rests on."""
    return frozenset(anchor.sha256 for anchor in ref.candidate.evidence)


def said_on(ref: CandidateRef) -> bool:
    """Whether the log tells when it was said."""
    return any(anchor.ts for anchor in ref.candidate.evidence)


def says_otherwise(ref: CandidateRef, decision: Decision) -> bool:
    """Whether a person takes something back for this: in their own words, or in the choice as they made it."""
    if not by_human(ref):
        return False
    return bool(_OTHERWISE.search(human_words(ref)) or _OTHERWISE.search(f"{decision.chosen}\n{decision.rationale}"))


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
