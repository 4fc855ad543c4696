"""How an assistant tells what it chose and how a try ended, by language. Data only.

Separate from `cues`, whose tables are about what people say; here the speaker is always the assistant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memory_core.providers.builtin.cues import Pattern, anywhere, words


@dataclass(frozen=True, slots=True)
class ReportCues:
    """`chose`: says that one way was taken. `why`: gives the reason of that in the same sentence. `over`: names what
    was not taken. `useless`: says that a try changed nothing or failed. `ended`: says how work came out.
    `bookkeeping`: tells a step that teaches nothing: committed, added a section, here is the diff."""

    chose: Pattern
    why: Pattern
    over: Pattern
    useless: Pattern
    ended: Pattern
    bookkeeping: Pattern


EN = ReportCues(
    chose=words(
        r"(?:i|we)(?:'ve| have)? (?:also |then |therefore |deliberately |now )?(?:chose|chosen|decided|picked|"
        r"went with|opted|switched|kept|"
        r"used|put|made|left|avoided|skipped|dropped|moved|stored|split|limited)|(?:is|are|was|were|gets?|"
        r"stays?) (?:now )?(?:limited|kept|stored|"
        r"printed|re-?\w+ed|signed|cached|split|capped|done|put|left|used|chosen|validated|ignored|skipped)"
    ),
    why=words(
        r"because|since (?!\d|then|last)|so that|so (?:it|they|we|nothing|no|totals)|as (?:it|they|the|this|"
        r"that) \w+|to avoid|to keep|due to|otherwise|which (?:needs no|avoids|keeps)|in order to"
    ),
    over=words(r"rather than|instead of|over (?=\w)|and not|not (?:by|in|on|from|with|the)|without"),
    useless=anywhere(
        r"\b(?:made|makes|had|has) (?:no|little|hardly any) (?:measurable |real |noticeable )?(?:difference|"
        r"effect|impact)\b|\b(?:did not|didn't|does not|doesn't) (?:help|work|fix|change|solve|improve)\b"
        r"|\bno (?:improvement|speed-?up|effect)\b|\b(?:still|again) (?:fails?|failing|fail|broken|crashes|"
        r"errors?|times? out|slow|red)\b|\bgave up\b|\bdead end\b|\bcould not (?:get|make)\b|"
        r"\bcouldn't (?:get|make)\b|\bwithout success\b"
    ),
    ended=anywhere(
        r"\b(?:fixed|solved|resolved|works?|working|pass(?:es|ed)?|succeeds?|succeeded|no longer|brings?|"
        r"brought|reduced?|dropped|drops|takes?|took|went|fails?|failed|gone|down (?:to|from)|instead of|"
        r"now)\b"
    ),
    bookkeeping=anywhere(
        r"^(?:done|ok(?:ay)?|all (?:set|done)|committed|pushed|merged|here (?:it is|is|are|you)|added (?:to|"
        r"the|a)\b|i (?:have |'ve )?(?:added|updated|read|renamed|moved|removed|created|committed|"
        r"pushed) (?:the|a|it|to|an|all|both)\b"
        r"|(?:good|great|excellent|nice) progress|progress\b|summary\b|(?:the )?next (?:big|steps?|tasks?|is|up|"
        r"work)\b|understood|sure|"
        r"working on it|the docs|"
        r"running|starting|looking|checking|i'll|let me|now)"
    ),
)
JA = ReportCues(
    chose=anywhere(
        r"(?:を|に)(?:採用|選択|選定|使用|変更|統一|限定|制限)(?:し(?:ました|ます|た|ている|ています)|"
        r"することに)|(?:を|に)選(?:びました|んだ)|ことにしました|とし(?:、|ました|ています)|にしました|"
        r"で実装しました|を使(?:いました|うようにしました)|方式に"
    ),
    why=anywhere(r"ため|ので|から(?:です|、)|理由|せいで"),
    over=anywhere(r"ではなく|じゃなく|の代わり|せず|ずに|より|ではありません"),
    useless=anywhere(
        r"変わり(?:ません|ませんでした)|変わらな|効果(?:は|が)?(?:あり(?:ません|ませんでした)|な(?:い|かった|"
        r"く))|改善(?:し(?:ません|なかった)|されません)|(?:まだ|依然)\S{0,12}(?:失敗|遅い|エラー)|"
        r"うまくいき(?:ません|ませんでした)|解決し(?:ません|なかった)|断念|諦め"
    ),
    ended=anywhere(
        r"(?:通り|通った|成功|解決|直り|修正し|動作し|失敗|なりました|改善し|短縮|減り|減らし|下がり|上がり|増え|向上|"
        r"収まり|できるように|ようにし|回すように)"
    ),
    bookkeeping=anywhere(
        r"^(?:はい|承知|了解|わかりました|分かりました|コミット|プッシュ|追加しました|更新しました)|"
        r"(?:確認します|調べます|進めます|始めます|見てみます)[。]?$"
    ),
)
ZH = ReportCues(
    chose=anywhere(r"(?:选用|采用|选择了?|使用了?|改用|换成|改成|放在|没有(?:用|放|选)|决定|统一|限制)"),
    why=anywhere(r"因为|由于|以免|免得|否则|这样|便于|为了|原因"),
    over=anywhere(r"而不是|而非|没有|不用|代替|不再|不放"),
    useless=anywhere(
        r"没有(?:效果|变化|改善|用|区别)|没什么(?:用|变化)|几乎没变|不起作用|无效|仍然?(?:失败|报错|很慢)|"
        r"还是(?:失败|报错|很慢|不行)|放弃了?"
    ),
    ended=anywhere(r"通过|成功|完成|解决|修复|实现|失败|降到|提升|升到|降至|缩短|提高|减少|只用|正常|生效"),
    bookkeeping=anywhere(r"^(?:好的?|已(?:提交|推送|添加|更新|修改|设为)|我(?:来|先|去)|明白|收到)"),
)
KO = ReportCues(
    chose=anywhere(
        r"(?:을|를|로|으로) (?:사용|채택|선택|결정|변경|구현|통일|제한|전환)(?:하기로|했습니다|했어요|합니다|"
        r"하였)|기로 (?:했|정했|결정)|나누지 않은|쓰지 않은|골랐|바꿨습니다|두었습니다"
    ),
    why=anywhere(r"때문|이유|니까|므로|어서|아서|해서|려고|위해"),
    over=anywhere(r"대신|말고|아니라|보다|않은|않고|없이"),
    useless=anywhere(
        r"(?:효과|차이|변화|소용)(?:가|는|이)? ?(?:없|거의 없)|달라지지 않|바뀌지 않|나아지지 않|(?:여전히|"
        r"아직도) [^.]{0,16}(?:실패|느리|오류)|해결되지 않|포기"
    ),
    ended=anywhere(r"통과|성공|해결|고쳤|수정했|동작|작동|실패|줄었|줄어|단축|빨라|되었습니다|됐습니다"),
    bookkeeping=anywhere(
        r"^(?:네|예|알겠|커밋|푸시|반영했|추가했|옮겼|제한했)|(?:하겠습니다|보겠습니다|두겠습니다)[.]?$"
    ),
)
REPORTS: Mapping[str, ReportCues] = MappingProxyType({"en": EN, "ja": JA, "zh": ZH, "ko": KO})
