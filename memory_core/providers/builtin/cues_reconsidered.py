"""What gives a choice up in everyday words, by language: a judgment on it, a step taken back, another thing named
instead. Data only; `reconsidered` says what each does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memory_core.providers.builtin.cues import Pattern, anywhere


@dataclass(frozen=True, slots=True)
class ReconsideredCues:
    """`again`: thinks again about the last step, or takes it back, `firm`: in more than an interjection.
    `judged`: says of a thing (`old`) that it will not
    do. `ended`: gives a thing (`old`) up by name. `rival`: names a thing (`new`) as what is to be, in words that mean
    so alone. `named`: the same in words that mean it only where the message also thinks again or names the old thing.
    `kept`: which of the forms say that what was before goes on. `instead`: how a title names both, new and old."""

    again: Pattern
    firm: Pattern
    judged: Pattern
    ended: Pattern
    rival: Pattern
    named: Pattern
    kept: Pattern
    instead: str


_LEAD = (
    r"(?:^|[,;:.—–]\s+|\b(?:and|so|but|then) )"
    r"(?:(?:ok|okay|so|then|and|but|well|yes|just|hm+|oh)[\s,.]+|no(?:pe)?[,.]\s+){0,3}"
)
# What only looks like the name of a thing.
_NO_NAME = (
    r"(?!(?:no|not|yes|it|this|that|these|those|them|all|both|one|so|more|less|just|now|what|how|if|when|and|or|but|go|"
    r"do|done|good|great|fine|ok|okay|right|well|sure|thanks|next|me|you|i|we|they|let|leave|back|never|maybe|old)\b)"
)
_NEW = (
    _NO_NAME + r"(?P<{}>(?:(?:the|a|an|plain|good old) )?[\w`][\w`.+#/-]{{0,40}}(?: [\w`][\w`.+#/-]{{0,30}}){{0,2}}?)"
)
_OLD = r"(?P<{}>[\w`][^,.;:!?]{{0,40}}?)"
_GO_OUT = r"(?:scrap|drop|ditch|kill|forget(?: about)?|remove|undo|revert|dump|rip out|throw out|get rid of|no more)"
_END = r"(?=\s*(?:[,.;!]|$))"
_FIRM = (
    rf"\b{_GO_OUT} (?:it|that|this|them)\b|\b(?:take|pull|throw|roll|rip) (?:it|that|this|them) (?:back|out|away)\b"
    r"|\bout with (?:it|that)\b|^(?:\w+[,.]? )?revert\b|\bafter all\b|\btoo much\b|\bturned out\b|\bscratch that\b"
    r"|\bthinking about (?:it|that|this)\b|\bon second thoughts?\b|\bchanged my mind\b|\bblocker\b|\boverkill\b"
    r"|\bnot worth (?:it|the)\b|\bdead end\b|\bno[- ]go\b|\b(?:that|it)(?:'s| is) (?:way |far )?too \w+"
)
EN = ReconsideredCues(
    again=anywhere(
        r"^(?:(?:oh|hm+|ok|okay|well|damn|sorry|wait|ugh|and|but|argh)[,.! ]+){0,3}(?:no+|nope|nah)(?=\s*[,.!;]|\s*$)"
        r"|^(?:oh|hm+|ugh|damn)\b(?! (?:nice|great|good|cool|wow|yes))|^(?:hm+|oh|ugh)[, ]+no\b"
        rf"|{_FIRM}"
    ),
    firm=anywhere(_FIRM),
    judged=anywhere(
        rf"(?:^|[,;]\s+|\b(?:and|but|no|so|that|hm+|oh),? ){_OLD.format('old')} (?:(?:is|are|was|were|looks?|feels?|"
        r"seems?|sounds?|gets?|turned out)(?: to be)?(?: (?:really|just|simply|way|far|still|rather|clearly)){0,2} "
        r"(?:too \w+|a (?:bit|little) (?:too )?(?:much|heavy|slow)|a lot of \w+|a (?:pain|mess"
        r"|mistake|nightmare|blocker|"
        r"dead end|no[- ]go)|overkill|taken|dead|deprecated|unmaintained|abandoned|not an option|not worth \w+|no go)\b"
        r"|(?:doesn't|won't|can't|does not|will not) (?:really |even )?(?:fit|work|fly|scale|cut it|do)\b)"
    ),
    ended=anywhere(
        rf"(?<!t )\b{_GO_OUT} (?:the |that |this |our )?{_OLD.format('old')}"
        r"(?=\s+(?:thing|idea|stuff|again|for|and|then|altogether|completely)\b|\s*[,.;!]|\s*$)"
    ),
    rival=anywhere(
        rf"{_LEAD}{_NEW.format('new1')} then{_END}|{_LEAD}{_NEW.format('new2')} it is{_END}"
        rf"|(?:^|[,;:.—–]\s+)so {_NEW.format('new3')}{_END}"
        rf"|{_LEAD}(?P<new4>an? [\w-]+(?: [\w-]+){{0,2}}?) will do{_END}"
        rf"|{_LEAD}back to {_NEW.format('new5')}(?= (?:then|again)\b|{_END})"
    ),
    named=anywhere(
        rf"{_LEAD}{_NEW.format('new1')},? (?:please|pls|instead){_END}"
        rf"|{_LEAD}(?:let's |we )?call it {_NEW.format('new2')}{_END}"
        rf"|{_LEAD}(?:let's |we |we'll |i'd )?(?:stay (?:on|with)|stick (?:with|to)|keep|go with|use|take) "
        rf"(?!(?:it|that|this|them)\b){_NEW.format('new3')}(?= (?:after all|then|instead|again|for"
        rf"|until|please)\b|{_END})"
    ),
    kept=anywhere(r"\b(?:back to|stay|stick|keep)\b"),
    instead="{} (instead of: {})",
)
_OLD_W = r"(?P<old>[^、。，,\s]{2,16}?)"
_JA_AGAIN = anywhere(
    r"^(?:うーん|いや|だめ|ダメ|やっぱり|やはり)|戻し|戻そう|取り消|やめ|すぎる|過ぎる|無理|やっぱり|使えない|却下"
)
JA = ReconsideredCues(
    again=_JA_AGAIN,
    firm=_JA_AGAIN,
    judged=anywhere(rf"{_OLD_W}(?:は|が)[^、。]{{0,10}}(?:すぎ|過ぎ|無理|だめ|ダメ|使えな|合わな|やりすぎ|大げさ)"),
    ended=anywhere(rf"{_OLD_W}(?:は|を)(?:やめ|取りやめ|なしに|なしで|却下|捨て)"),
    rival=anywhere(
        r"(?:やっぱり|やはり|じゃあ|なら|では)[、,]?(?P<new1>[^、。\s]{2,20}?)(?:で(?:いこう|いい"
        r"|お願い)?|にしよう|にする|にして)"
        r"(?:ね|よ|ください)?[。!！]*$|(?P<new2>[^、。\s]{2,20}?)に戻(?:そう|す|して)"
    ),
    named=anywhere(r"(?P<new1>[^、。\s]{2,20}?)(?:にしよう|にする|にして|を使おう|でいこう|のほうがいい)"),
    kept=anywhere(r"戻"),
    instead="{}（取りやめ: {}）",
)
_ZH_AGAIN = anywhere(r"^(?:算了|不行|不对|不,|不，)|太[^,，。]{1,4}了|撤销|撤回|还原|不行|用不了|没必要|还是(?:用|换)")
ZH = ReconsideredCues(
    again=_ZH_AGAIN,
    firm=_ZH_AGAIN,
    judged=anywhere(rf"{_OLD_W}(?:实在|还是|真的)?(?:太[^,，。]{{1,4}}了|不行|不合适|用不了|没必要)"),
    ended=anywhere(r"(?:别用|不用|去掉|放弃|撤掉|不要)(?P<old>[^、。，,\s]{2,16})"),
    rival=anywhere(r"(?:还是|那就|就|改)(?:用|换成|换回|选)(?P<new1>[^、。，,\s]{2,20}?)(?:吧|好了|算了)[。!！]*$"),
    named=anywhere(r"(?:用|换成|改成)(?P<new1>[^、。，,\s]{2,20}?)(?:吧|好了)[。!！]*$"),
    kept=anywhere(r"换回|改回"),
    instead="{}（不再: {}）",
)
_KO_AGAIN = anywhere(r"^(?:아니|음|역시|안 ?되겠)|너무|되돌려|취소|그만두|과해|못 ?쓰|그냥|역시|차라리")
KO = ReconsideredCues(
    again=_KO_AGAIN,
    firm=_KO_AGAIN,
    judged=anywhere(r"(?P<old>[^\s,.]{2,16}?)(?:은|는|이|가)\s+(?:너무|안 ?맞|안 ?되|과하|과해|별로|못 ?쓰)"),
    ended=anywhere(r"(?P<old>[^\s,.]{2,16}?)(?:은|는|을|를)\s+(?:빼|그만두|취소|버리|포기)"),
    rival=anywhere(
        r"(?:그냥|그럼|역시|차라리|다시)\s+(?P<new1>[^\s,.]{2,20}?)(?:으로|로)(?:\s*(?:하자|가자"
        r"|할게|해줘|해 줘|합시다|해))[요.!]*$"
    ),
    named=anywhere(r"(?P<new1>[^\s,.]{2,20}?)(?:으로|로)\s*(?:하자|가자|할게|합시다|바꾸자)[요.!]*$"),
    kept=anywhere(r"다시"),
    instead="{} (취소: {})",
)
RECONSIDERED: Mapping[str, ReconsideredCues] = MappingProxyType({"en": EN, "ja": JA, "zh": ZH, "ko": KO})
# What a command does that takes changed files back, or a package out again.
TAKES_BACK = re.compile(
    r"\bgit (?:checkout (?:-f )?(?:--|\.|HEAD)|restore\b|reset --hard|revert\b|stash(?! (?:pop"
    r"|apply|list|show))|clean -)"
    r"|\b(?:npm|pnpm|pip3?|yarn|bun|poetry|uv|cargo|composer|gem)(?: pip)? (?:uninstall|remove|rm)\b"
)
