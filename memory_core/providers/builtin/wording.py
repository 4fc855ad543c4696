"""The words the rules write in, and small repairs to what people said: titles, reasons, full stops.

English, Japanese, Chinese and Korean, by the script of the text at hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory_core.consolidate import notes
from memory_core.providers.builtin.sentences import capitalized, language_of
from memory_core.text import shorten

LABELS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "over": "Chosen over: {}.",
        "done": "Done in the session that asked for it: {}",
        "why": "Why: {}",
        "of": "Concerns: `{}`",
        "evidence": "Evidence",
        "contradicts": "Conflicts with `{}`: {}. Both stand until somebody settles it.",
        "ended": notes.ENDED["en"],
        "human": "human",
        "assistant": "assistant",
        "tool": "tool",
        "system": "system",
        "entry": "entry {} of session `{}`",
        "sessions": "Came up in {} sessions.",
        "from": "Recorded in `{}`.",
        "and": " or ",
        "read": "Read before working on {}.",
        "read_decision": "Read before proposing another way.",
        "read_request": "Read before choosing what to do next.",
        "read_knowledge": "Read before work that it may bear on.",
        "replaces": notes.REPLACES["en"],
    },
    "ja": {
        "over": "退けた案: {}",
        "done": "依頼のあったセッションで対応済み: {}",
        "why": "理由: {}",
        "of": "対象: `{}`",
        "evidence": "根拠",
        "contradicts": "`{}` と食い違う: {}。どちらを採るかは決まっていない。",
        "ended": notes.ENDED["ja"],
        "human": "人",
        "assistant": "アシスタント",
        "tool": "ツール",
        "system": "システム",
        "entry": "セッション `{1}` の項目 {0}",
        "sessions": "{} 件のセッションで話題になった。",
        "from": "記録: `{}`",
        "and": " や ",
        "read": "{}に手を入れる前に読む。",
        "read_decision": "別のやり方を提案する前に読む。",
        "read_request": "次の作業を選ぶ前に読む。",
        "read_knowledge": "関係する作業の前に読む。",
        "replaces": notes.REPLACES["ja"],
    },
    "zh": {
        "over": "未采用: {}",
        "done": "已在提出的会话中完成: {}",
        "why": "理由: {}",
        "of": "对象: `{}`",
        "evidence": "依据",
        "contradicts": "与 `{}` 相矛盾: {}。尚无定论。",
        "ended": notes.ENDED["zh"],
        "human": "人",
        "assistant": "助手",
        "tool": "工具",
        "system": "系统",
        "entry": "会话 `{1}` 的条目 {0}",
        "sessions": "在 {} 个会话中提到过。",
        "from": "记录于 `{}`",
        "and": " 或 ",
        "read": "改动{}之前先读。",
        "read_decision": "提出别的做法之前先读。",
        "read_request": "选择下一项工作之前先读。",
        "read_knowledge": "开始相关工作之前先读。",
        "replaces": notes.REPLACES["zh"],
    },
    "ko": {
        "over": "채택하지 않은 안: {}",
        "done": "요청한 세션에서 처리됨: {}",
        "why": "이유: {}",
        "of": "대상: `{}`",
        "evidence": "근거",
        "contradicts": "`{}`과(와) 어긋남: {}. 어느 쪽으로 할지 정해지지 않았다.",
        "ended": notes.ENDED["ko"],
        "human": "사람",
        "assistant": "어시스턴트",
        "tool": "도구",
        "system": "시스템",
        "entry": "세션 `{1}`의 항목 {0}",
        "sessions": "세션 {}개에서 나왔다.",
        "from": "기록: `{}`",
        "and": " 또는 ",
        "read": "{}{} 손보기 전에 읽는다.",
        "read_decision": "다른 방법을 제안하기 전에 읽는다.",
        "read_request": "다음 할 일을 고르기 전에 읽는다.",
        "read_knowledge": "관련 작업을 하기 전에 읽는다.",
        "replaces": notes.REPLACES["ko"],
    },
}
# What stands before the statement itself: agreement, a second thought, a proposal, a courtesy.
# `No, ...` answers; `No secrets in logs` states, so a word that may belong to the statement needs its comma.
_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|no|so|well|right|sure|hm+|ah|oh|um|also|wait|actually)\s*[,.!:]+\s+"
    r"|(?:please|let'?s|decided to|you should"
    r"|we(?:'d| would|'ll| will)? (?:also |still )?(?:want|need|have|like) to(?= (?:keep|stay|remain|be|support)\b)"
    r"|we(?:'ll| will| should)"
    r"|i(?:'ll| will| can| could)(?= (?:use|add|keep|switch|move|store|write|make|set|pin|drop|remove|replace|split)\b)"
    r"|i(?:'d| would)? (?:think|guess|assume|believe|suggest|propose|say)(?: that)?"
    r"|i(?:'d like| want| would like)(?: you)? to|(?:can|could|would|will) you(?: please)?"
    r"|(?:we|i|the team)(?:'ve| have)?(?: all| now| just| already| finally)? (?:decided|agreed)\b"
    r"[^.,;:]{0,40}? to(?= [a-z])"
    r"|(?:we|i|the team)(?:'ve| have)? (?:agreed|decided)(?: with [\w' ]{2,30}?)? that"
    r"|from now on|from here on|going forward|henceforth|as a rule|at some point|remember that|(?:please )?note that)"
    r"[\s,]+|(?:(?:and|also|oh),? )*(?:one more|one|another|new|our|the|final|a) "
    r"(?:rule|policy|convention|decision|thing)\s*[:：]\s*"
    r"|(?:thinking|now that i think) about (?:it|this|that)(?: again| more)?\s*[:,]\s*"
    r"|(?:we|i)(?:'ve| have)? changed (?:our|my) minds?\s*[:,;]\s*"
    r"|on (?:second thoughts?|reflection)\s*[:,]\s*)+",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"^(?:also,? |and )?we(?:'re| are) (?:now )?"
    r"(?P<verb>dropp|keep|switch|mov|go|stick|standardiz|standardis)ing (?=\S)",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"(?:,? (?:some ?time|some day|at some point|please|thanks|thank you|after all))+$", re.IGNORECASE
)
_OURS = re.compile(
    r"^(?:i (?=prefer\b)"
    r"|we (?=(?:use|keep|run|store|write|put|deploy|log|test|prefer|pin|build|only|never|always|don[’']t|do not)\b))",
    re.IGNORECASE,
)
_BY_THE_WAY = re.compile(r",? (?:btw|by the way)\b(?=[,.;]|$)", re.IGNORECASE)
_WIDE_LEAD = re.compile(
    r"^(?:(?:これからは|今後は|以後は|これから|今後|やっぱり|やはり|ただし|但し|うーん|うん、|えっと|ええと|あー|それと|じゃあ|では|あとで|後で|はい|うん|よし|了解|わかった"
    r"|以后(?!再)|今后|从现在(?:起|开始)|还是(?=[改用不])|那就|好的|好|请?记住|请(?=[\u4e00-\u9fff])"
    r"|앞으로는?|이제부터는?|역시|그럼|나중에(?!.{0,8}(?:정하|결정|논의)))[、，,.。:：\s]*)+"
)
_ASKED_JA = r"(?:してほしい|して欲しい|してください|して下さい|しておいて(?:ください|下さい)?|しましょう|しよう)$"
# Japanese verbs whose stem ends in `し` are of two sorts: `表示する`, whose noun stands alone (two signs, or katakana),
# and `残す`. One sign alone is such a stem, but for the few nouns of one sign that take `する`, and so is what is
# written of one in kana behind it (`減ら`, `落と`), but for what leads to `する` (`短く`, `何とか`, `必ず`).
_SU_STEM = (
    r"(?:(?:(?<![一-龠々])|(?<=全部|一旦|一度|毎回|今回|都度|適宜|随時|再度|別途|順次))"
    r"(?![化対関反属接発達適面要有称察議熱課処評決害帰比抗得損脱模])[一-龠]"
    r"|(?<![とにう])か|(?<!な)ど|(?<=[はく])ず|(?<!す)ぐ|(?<=う)つ|(?<=落)と|(?<=[をがも]な)く|(?<=[尽無])く"
    r"|(?<=[逃転焦])が|(?<!ま)ま|(?<!か)ら|(?<!そ)ろ|[さただなばやわこごほぼおぶ])"
)
_WIDE_ENDS = (
    (re.compile(r"[:：]\s*の[^:：]{1,30}$"), ""),  # what was said beside the number of an option, where it is named
    (
        re.compile(r"^(?:[0-9０-９]+|[A-Da-d]|[①-④])\s*(?:番目?|案)?の\s*(?=\S{2})"),
        "",
    ),  # `1 の SQLite`: the option has a name
    (re.compile(r"(?:でいこう|で行こう|でいきましょう|で行きましょう|でお願いします|で頼む)$"), "にする"),
    (re.compile(r"(?<=[一-龠ァ-ヶ0-9A-Za-z]に)して$"), "する"),
    (re.compile(r"(?:という)?(?:こと)?を?(?:覚えておいて|忘れないで)(?:ください|下さい|ね)?$"), ""),
    (re.compile(r"ないで(?:ください|下さい|ほしい|ね)?$"), "ない"),
    (re.compile(rf"(?P<stem>{_SU_STEM}){_ASKED_JA}"), r"\g<stem>す"),
    (re.compile(_ASKED_JA), "する"),
    (re.compile(r"(?:[吧哦啊呀]|就行|就好)(?=$|，)"), ""),
    (re.compile(r"해 ?(?:줘요?|주세요|주십시오)$"), "하기"),
    (re.compile(r"지 ?(?:마(?:세요|십시오|라)?|말자|말아 ?주세요|말아 ?줘)$"), "지 않기"),
    (re.compile(r"(?:는|은)? ?걸?(?:것을)? ?기억해 ?(?:둬|두세요|주세요|줘)$"), ""),
)
_VERB = {"dropp": "drop", "mov": "move", "standardiz": "standardize", "standardis": "standardise"}
_ENDS = " .。:：!！;；,、，"
_BECAUSE = re.compile(
    r"^(?:because(?: of)?|due to|given that|since(?! (?:\d|then\b|last\b|yesterday\b|the (?:last|first|beginning)\b))"
    r"|as(?= (?:we|it|they|that|this|there)\b))\s+",
    re.IGNORECASE,
)
# What begins so limits the choice or goes beyond it: it is no reason for it.
_NO_WHY = re.compile(r"^(?:but|however|although|except)\b", re.IGNORECASE)
_NO_REASON = frozenset(
    {"no reason was given", "理由は述べられていない", "未说明理由"}
)  # what an extract writes for none


def labels(text: str) -> Mapping[str, str]:
    """The words to write in, by the script of what is written about."""
    return LABELS[language_of(text)]


def labelled(words: Mapping[str, str], label: str, said: str) -> str:
    """A paragraph with the words before it that say what it is; as it is without a label."""
    return words[label].format(said) if label else said


def without_lead(text: str) -> str:
    """The statement without what leads up to it: `Let's use X` is `use X`."""
    text = " ".join(text.split())
    rest = _LEAD.sub("", text)
    return rest or text


def titled(text: str) -> str:
    """What a candidate says, as a title: without a lead, with a capital, without the full stop."""
    if language_of(text) != "en":
        return _titled_wide(text)
    text = _TRAILING.sub("", without_lead(text).rstrip(_ENDS))
    text = re.sub(r",? after all(?=[ ,])", "", text)
    text = _OURS.sub("", _BY_THE_WAY.sub("", text))
    text = _ANNOUNCED.sub(lambda match: f"{_VERB.get(match['verb'].lower(), match['verb'].lower())} ", text)
    text = re.sub(r"^not (?=[a-z])", "do not ", text, flags=re.IGNORECASE)
    return capitalized(text).rstrip(_ENDS)


def _titled_wide(text: str) -> str:
    """The same for Japanese, Chinese and Korean: what is asked of somebody becomes what is to be done."""
    text = " ".join(text.split()).rstrip(_ENDS)
    rest = _WIDE_LEAD.sub("", text)
    for pattern, instead in _WIDE_ENDS:
        rest = pattern.sub(instead, rest)
    return rest.strip(_ENDS) or text


def reason(text: str, limit: int = 400) -> str:
    """A reason as a sentence of its own; empty where none was given."""
    stripped = _BECAUSE.sub("", " ".join(text.split()))
    if not stripped or _NO_WHY.match(stripped) or stripped.rstrip(".。").casefold() in _NO_REASON:
        return ""
    return sentence(capitalized(shorten(stripped, limit)))


def sentence(text: str) -> str:
    """With a full stop, unless it ends in a mark of its own."""
    text = text.strip()
    if not text or text[-1] in ".!?…。！？":
        return text
    return text + ("。" if language_of(text) in ("ja", "zh") else ".")
