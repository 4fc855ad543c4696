"""The words the rules write in, and small repairs to what people said: titles, reasons, full stops.

English, Japanese, Chinese and Korean, by the script of the text at hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory_core.providers.builtin.sentences import capitalized, language_of
from memory_core.text import shorten

LABELS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "over": "Chosen over: {}.",
        "why": "Why: {}",
        "of": "Concerns: `{}`",
        "evidence": "Evidence",
        "contradicts": "Conflicts with `{}`: {}. Both stand until somebody settles it.",
        "ended": "No longer holds: given up for `{}`.",
        "human": "human",
        "assistant": "assistant",
        "tool": "tool",
        "system": "system",
        "entry": "entry {} of session `{}`",
        "sessions": "Came up in {} sessions.",
        "from": "Recorded in `{}`.",
        "and": " or ",
        "read": "{} Read before working on {}.",
        "read_plain": "{} Read before deciding it anew.",
    },
    "ja": {
        "over": "退けた案: {}",
        "why": "理由: {}",
        "of": "対象: `{}`",
        "evidence": "根拠",
        "contradicts": "`{}` と食い違う: {}。どちらを採るかは決まっていない。",
        "ended": "もう有効ではない: `{}` に置き換えられた。",
        "human": "人",
        "assistant": "アシスタント",
        "tool": "ツール",
        "system": "システム",
        "entry": "セッション `{1}` の項目 {0}",
        "sessions": "{} 件のセッションで話題になった。",
        "from": "記録: `{}`",
        "and": " や ",
        "read": "{}{} に手を入れる前に読む。",
        "read_plain": "{}同じことを決め直す前に読む。",
    },
    "zh": {
        "over": "未采用: {}",
        "why": "理由: {}",
        "of": "对象: `{}`",
        "evidence": "依据",
        "contradicts": "与 `{}` 相矛盾: {}。尚无定论。",
        "ended": "不再有效: 已被 `{}` 取代。",
        "human": "人",
        "assistant": "助手",
        "tool": "工具",
        "system": "系统",
        "entry": "会话 `{1}` 的条目 {0}",
        "sessions": "在 {} 个会话中提到过。",
        "from": "记录于 `{}`",
        "and": " 或 ",
        "read": "{}改动 {} 之前先读。",
        "read_plain": "{}重新决定此事之前先读。",
    },
    "ko": {
        "over": "채택하지 않은 안: {}",
        "why": "이유: {}",
        "of": "대상: `{}`",
        "evidence": "근거",
        "contradicts": "`{}`과(와) 어긋남: {}. 어느 쪽으로 할지 정해지지 않았다.",
        "ended": "더 이상 유효하지 않음: `{}`(으)로 대체되었다.",
        "human": "사람",
        "assistant": "어시스턴트",
        "tool": "도구",
        "system": "시스템",
        "entry": "세션 `{1}`의 항목 {0}",
        "sessions": "세션 {}개에서 나왔다.",
        "from": "기록: `{}`",
        "and": " 또는 ",
        "read": "{} {}을(를) 손보기 전에 읽는다.",
        "read_plain": "{} 다시 결정하기 전에 읽는다.",
    },
}
# What stands before the statement itself: agreement, a second thought, a proposal, a courtesy.
# `No, ...` answers; `No secrets in logs` states, so a word that may belong to the statement needs its comma.
_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|no|so|well|right|sure|hmm+|wait|actually)\s*[,.!:]+\s+"
    r"|(?:please|let'?s|decided to|you should"
    r"|we(?:'ll| will| should)|i(?:'d like| want| would like)(?: you)? to|(?:can|could|would|will) you(?: please)?"
    r"|(?:we|i|the team)(?:'ve| have)?(?: all| now| just| already| finally)? (?:decided|agreed)\b"
    r"[^.,;:]{0,40}? to(?= [a-z])"
    r"|from now on|from here on|going forward|henceforth|as a rule|at some point|remember that|(?:please )?note that)"
    r"[\s,]+|(?:(?:and|also|oh),? )*(?:one more|one|another|new|our|the|final|a) "
    r"(?:rule|policy|convention|decision|thing)\s*[:：]\s*"
    r"|(?:thinking|now that i think) about (?:it|this|that)(?: again| more)?\s*[:,]\s*"
    r"|on (?:second thoughts?|reflection)\s*[:,]\s*)+",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"^(?:also,? |and )?we(?:'re| are) (?:now )?"
    r"(?P<verb>dropp|keep|switch|mov|go|stick|standardiz|standardis)ing (?=\S)",
    re.IGNORECASE,
)
_VERB = {"dropp": "drop", "mov": "move", "standardiz": "standardize", "standardis": "standardise"}
_ENDS = " .。:：!！;；,、，"
_BECAUSE = re.compile(r"^because\s+", re.IGNORECASE)
_NO_REASON = frozenset(
    {"no reason was given", "理由は述べられていない", "未说明理由"}
)  # what an extract writes for none


def labels(text: str) -> Mapping[str, str]:
    """The words to write in, by the script of what is written about."""
    return LABELS[language_of(text)]


def without_lead(text: str) -> str:
    """The statement without what leads up to it: `Let's use X` is `use X`."""
    text = " ".join(text.split())
    rest = _LEAD.sub("", text)
    return rest or text


def titled(text: str) -> str:
    """What a candidate says, as a title: without a lead, with a capital, without the full stop."""
    text = without_lead(text)
    text = _ANNOUNCED.sub(lambda match: f"{_VERB.get(match['verb'].lower(), match['verb'].lower())} ", text)
    text = re.sub(r"^not (?=[a-z])", "do not ", text, flags=re.IGNORECASE)
    return capitalized(text).rstrip(_ENDS)


def reason(text: str, limit: int = 400) -> str:
    """A reason as a sentence of its own; empty where none was given."""
    stripped = _BECAUSE.sub("", " ".join(text.split()))
    if not stripped or stripped.rstrip(".。").casefold() in _NO_REASON:
        return ""
    return sentence(capitalized(shorten(stripped, limit)))


def sentence(text: str) -> str:
    """With a full stop, unless it ends in a mark of its own."""
    text = text.strip()
    if not text or text[-1] in ".!?…。！？":
        return text
    return text + ("。" if language_of(text) in ("ja", "zh") else ".")
