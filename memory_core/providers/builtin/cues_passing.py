"""What sounds like a decision and is none, by language: told, asked for now, supposed, wished by others; a yes or an
option named that settles nothing. Data only.

Separate from `cues`, whose tables are full, and asked by `passing` alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memory_core.providers.builtin.cues import Pattern, anywhere, never


@dataclass(frozen=True, slots=True)
class PassingCues:
    """`told`: says how something is. `errand`: asks, at its head, for an action or an answer of the moment, or for a
    text that is written somewhere. `spared`: an action of the agent's that is not to be taken this time. `supposed`: a
    thought experiment, or what was once. `others`: what somebody else wants or says. `for_now`: holds for this time
    only. `withheld`: behind a yes, says that it was none. `turned_down`: behind the name of an option, says that it is
    not taken. `unanswered`: answers a question with nothing. `sent`: sends the agent off, inside a sentence, to look at
    something. `doubted`: asks whether what the agent said before holds."""

    told: Pattern
    errand: Pattern
    spared: Pattern
    supposed: Pattern
    others: Pattern
    for_now: Pattern
    withheld: Pattern
    turned_down: Pattern
    unanswered: Pattern
    sent: Pattern
    doubted: Pattern


_LEAD = (
    r"^(?:(?:please|pls|just|now|then|ok|okay|so|and|but|also|no|yes|wait|instead|hm+|oh|hey|careful|hold on|"
    r"can you|could you|let's|lets)\b[\s,]*)*"
)
# No word that makes a rule of it: always, in a place, on a condition.
_ONCE = (
    r"(?![^,;]*\b(?:never|always|ever|any ?more|from now on|again|anywhere|in|on|without|unless|before|after|when|"
    r"while|until|if|every)\b)"
)
_PRAISE = (
    r"(?:(?:the|a|an|my|our|much|way|so|really|definitely|clearly|probably|just|totally|also|pretty|more) )*"
    r"(?:fine|ok(?:ay)?|good|great|best|better|perfect|enough|right|way|one|choice|favou?rite|pick|plenty|least|most|"
    r"less|fewer|\w+est|clean(?:er)?|safer?|sane|simpler?|eas(?:y|ier)|cheap(?:er)?|fast(?:er)?|small(?:er)?|"
    r"nicer?|quick(?:er)?|obvious|standard|what (?:i|we)(?:'d)? (?:want|need|like|prefer|had in mind))\b"
)
# Who is not the person that speaks; what they want is theirs.
_OTHERS = (
    r"(?:my |our |the |a )?(?:\w+ )?(?:boss|manager|ceo|cto|cfo|pm|management|marketing|sales|lawyers?|clients?|"
    r"customers?|colleagues?|coworkers?|interns?|friends?|people|folks|guys|consultants?|vendors?|"
    r"(?:other|infra|platform|design|ops) teams?)"
)

EN = PassingCues(
    told=anywhere(
        r"^(?:expected|actual|observed|steps(?: to reproduce)?)(?: \w+)?\s*:"
        r"|^(?:reading|looking at) (?:the|this|your|our) \w+:|^i (?:always|never|usually) (?!want|need)"
    ),
    errand=anywhere(
        rf"{_LEAD}(?:explain|figure out|find (?:out|all|every|where|the (?:places?|spots?|reason))|"
        r"compare (?:using|both|them|it|this|these|the (?:two|options))|tell (?:me|us)|"
        r"translate (?:to|this|it|that|the following)|commit (?:this|it|that|these|what|with (?:the )?message)|"
        r"mention that|launch (?:a|an|the) (?:sub-?)?agent|undo (?:it|this|that|the)|"
        r"answer (?:in|me|my|this|these|the (?:question|mail|customer))|look|remind me|investigate|debug|"
        r"describe (?:the|how|what|why)|show me|summari[sz]e (?:the|this|their|it|what)|put a breakpoint|"
        r"(?:write|draft) (?:a|an|the|me an?) (?:commit|pr|reply|answer|e?-?mail|changelog)|"
        r"use (?:the|your) (?:browser|bash|edit|read|grep|web|fetch|todo|shell|terminal|mcp|\w*search) tools?|"
        r"(?:change|set) the (?:\w+ )?(?:text|label|message|copy|wording|title|caption) (?:of [^:]{1,40})?to)\b"
        r"|^(?:(?:please|and|also|then)\s+)*(?:add|put|write) [^:]{2,40}? (?:to|in|into) (?:the |our )?(?:docs?|readme|"
        r"changelog|wiki|faq|help(?: page)?|manual)[^:]{0,20}:"
        rf"|{_LEAD}(?:with )?(?:the )?(?:button |error |changelog )?(?:text|message|title|label|subject|caption|"
        r"entry)(?: for [\w.]+)?\s*:"
    ),
    spared=anywhere(
        rf"{_LEAD}don't (?:explain|ask me|delete (?:the|this|that|my) (?:\w+ )?branch|(?:change|touch) anything|"
        r"open (?:the|a|that) (?:browser|file|editor|link|url|pr|issue)\b|"
        r"(?:commit|push|merge|deploy|send|delete) (?:it|that|this|these|those|them|anything)\b|"
        rf"(?:(?:re-?)?(?:run|start|execute|kill) (?:the|that|this|it|your|my|anything)|restart (?:the|it))\b{_ONCE})"
        rf"|{_LEAD}stop using (?:the|that|this) (?:\w+ )?tools?\b"
    ),
    supposed=anywhere(
        rf"{_LEAD}(?:(?:assume|imagine|suppose|say|pretend)(?: that)? (?:we|i|you)\b|pretend|"
        r"(?:random |just a )?(?:thought|idea)s?\s*:|for my (?:next|own|side|private|hobby)\b)"
        r"|\b(?:years? ago|last year|back then),? (?:we|i|they|the team)\b|\bin an ideal world\b"
        r"|^if (?:we|i|they) ever\b|\b(?:in|at) my (?:last|old|previous) (?:job|company|team|project)\b"
        r"|\bas an experiment\b|\bi swear\b|[;:]-?D\b"
    ),
    others=anywhere(
        rf"^(?:(?:ok|so|but|and|btw|fyi|hm+)[\s,]+)*{_OTHERS}(?: \w+){{0,2}} "
        r"(?:wants?|wanted|asks?|asked|prefers?|insists?|would (?:like|prefer)|is pushing|suggests?|suggested)"
        r" (?:us|me|that we|that i|to)\b"
        r"|^(?:my |our |the )?(?:qa|ops|devops|legal|security|marketing|sales|product|pm|boss|lawyer|client|customer)"
        r"(?:'s \w+)?\s*:\s"
        r"|^rule \d+ (?:of|in)\b|^the (?:exam|quiz|interview) question\b"
    ),
    for_now=anywhere(
        r"\bfor now\b|\bjust for (?:this|the|now|a)\b|\btemporarily\b|\bfor the (?:demo|time being)\b|"
        r"\bfor this (?:pr|commit|run|once|time)\b(?! zone)"
        r"|\buntil i(?:'ve| have)\b|\bon this branch\b"
    ),
    withheld=anywhere(
        r"\b(?:think about it|sleep on it|(?:let me|i(?:'ll| will| have to| need to| should|'d)|we(?:'ll| need to| "
        r"should| have to)) (?:first |just )?(?:ask|check|think|talk|discuss|ponder)\b|ask \w+ first|"
        r"hold on|wait(?! for\b)|stop(?=\s*[,.!]|\s*$)|eventually(?! consist)|(?:some ?|one )day(?=\s*[,.!]|\s*$)|"
        r"in theory|i (?:saw|tried|noticed|wish)\b|i (?:didn't|did not) know|good to know|"
        r"so that'?s (?:why|how|what|where)|that'?s (?:what|when|where|the (?:one|part|line)) (?:it )?"
        r"(?:hangs|fails|crashes|breaks|happens|hurts)\b|thanks for (?:the )?(?:expla|clarif|info|head)\w*|"
        r"interesting|(?:saving|keep(?:ing)?) (?:this|that|it) for later|another story|not part of|out of scope|"
        r"i'm off|bye\b|last blocker|(?:didn't|did not|doesn't|won't) (?:help|work)|"
        r"(?:they stay|it stays)(?=\s*[,.!]|\s*$)|if you want to|"
        r"if \w+(?: \w+)? (?:signs?|agrees?|approves?|allows?|says? (?:yes|so|ok))|"
        r"don't (?:change|touch|do) (?:anything|it|that|this)|not (?:in this|now|yet|today|until|before|this)\b)"
        r"|\b(?:so|but|wait|hm+|actually|oh)[,\s]+no(?=\s*[,.!;]|\s*$|\s+(?:it|they|there|we|i)\b)"
        r"|^no\b(?=\s*[,.!]|\s+(?:wait|it|they|there|we|i)\b)"
        r"|^no\W*$|^later\b|^(?:lol|haha)\b(?=.*\w)|^(?:maybe|perhaps|possibly|probably|i guess|noted|i know)\b"
        r"|\b(?:not worth it|no time|forget it|leave it(?: as it is| alone| be)?(?=\s*[,.!]|\s*$)|"
        r"back to (?:the|my|our)|(?:it|that) (?:answers|matches|explains)|that'?s (?:exactly |just )?(?:the|my) "
        r"(?:problem|issue|question|point)|(?:after|before) the (?:\w+ )?"
        r"(?:release|audit|launch|holidays?|freeze|demo|meeting)|whenever|"
        r"next (?:year|month|week|quarter|sprint|release|version)|for v\d|already on it|"
        r"(?:i|we)(?:'d| would) have to|clear (?:it|that|this) with)\b"
    ),
    turned_down=anywhere(
        rf"^\s*(?:(?:for me )?(?:is|are|was|would(?: be| mean)?|looks?|seems?|sounds?))\s+(?!{_PRAISE})"
        r"|^\s*(?:and|or) #?[1-9a-d]\b|^\W*(?:hm+|idk|not sure|might|could|we (?:already )?tried)\b"
        r"|^\s+\w+s (?:me|us)\b"
        r"|^\s*(?:doesn't|does not|can't|cannot|won't|isn't)\b"
        r"|^\s*(?:is|are|would be|looks?|sounds?)\b[^.;!]*\bbut\b[^.;!]*\b(?:doesn't|does not|can't|cannot|won't|"
        r"isn't|is not|too|breaks?|fails?|never)\b"
        r"|^\s*,?\s*(?:show|let me|check|look|explain|tell me|i (?:need|want) to (?:see|know|check)|what|where|how|"
        r"why)\b"
    ),
    unanswered=anywhere(
        r"^(?:(?:i|we) (?:really )?)?(?:don't (?:know|care)|dunno|(?:have|need) to (?:ask|check))\b"
        r"|^(?:no idea|not sure|neither|none of|whatever|up to you|your (?:call|choice|pick)|"
        r"you (?:decide|choose|pick)|"
        r"decide (?:for me|yourself)|(?:choose|pick) (?:for me|one|whatever)|skip (?:this|it|that|for now)|chat about|"
        r"let's (?:talk|chat|discuss)|let me|hold on|(?:it )?depends|what|why|how|explain|which|"
        r"not (?!null\b|only\b)\w+)\b"
        r"|^(?:none|nothing|skip|pass|later|wait|stop|cancel|no)(?=\s*[,.!]?\s*$)"
        r"|\b(?:don't know|you decide|ask (?:ops|\w+ first)|what would you|no preference|think about it)\b"
    ),
    sent=anywhere(
        r"\b(?:you|we)(?:'ll| still)? (?:should|need to|have to|want to|must|had better|ought to) (?:just |also |"
        r"really |probably |first )*(?:re-?)?(?:read|look|check|review|run|search|grep|double[- ]check|inspect|verify|"
        r"investigate|think)\b"
        r"|,\s+(?:please |then |just |now )*(?:re-?)?(?:read|check|review|run|inspect|verify) "
        r"(?:it|them|that|this)\b[^,;]*$"
    ),
    doubted=anywhere(
        r"\b(?:but )?(?:i thought|i was under the impression)(?: that)? (?:you|we|it was|this was|that was)\b"
        r"|\b(?:didn't|did|haven't) (?:you|we) (?:just |already |not )?(?:say|said|conclude|agree|decide|"
        r"tell me|told me)\b"
    ),
)
JA = PassingCues(
    told=anywhere(
        r"(?:返し|返っ|返され|表示し|表示され|出|(?<!ルールに)(?<!決まりに)(?<!方針に)(?<!規約に)(?<!運用に)(?<!前提に)"
        r"(?<!ことに)なっ|落ち|送られ|送信され|呼ばれ|実行され|消え|開い)て"
        r"(?:い?る|い?ます|いました|い?た|しまう|しまいます|くる|きます)(?:けど|が|よ|ね|ようです)?[。．.!！\s]*$"
    ),
    errand=anywhere(
        r"^(?!.*(?:必ず|常に|今後|以後|毎回|絶対)).*(?:説明し|教え|調べ|探し|比較し|要約し)て"
        r"(?:ください|下さい|くれ|ほしい)?[。．!！\s]*$"
        r"|翻訳して|訳して|(?:ドキュメント|README|説明文|文言)(?:に|は|を)[^。]{0,20}[：:「]"
    ),
    spared=anywhere(
        r"(?:テスト|サーバー?|ビルド|スクリプト)[はを]?(?:もう)?(?:実行し|走らせ|起動し|回さ|動かさ)ないで"
        r"|説明は?(?:いらない|不要|しないで)"
    ),
    supposed=anywhere(
        r"だとしたら|(?:昔|去年|[一二三四五六七八九十0-9]+年前)(?:は|に|、)[^。]*(?:た|ました)(?:けど|が)?[。\s]*$|理想を?言え"
    ),
    others=anywhere(
        r"(?:部長|課長|社長|上司|営業|マネージャー|先輩|同僚|友人|知人|お客さん|顧客)(?:が|は|も)[^。]*"
        r"(?:したい|ほしい|欲しい|たがって|と言って|らしい|そうだ|そうです)"
    ),
    for_now=anywhere(
        r"今回(?:だけ|のみ)|今回は[^。]*(?:ないで|なくて(?:も)?いい|不要|スキップ|飛ばし)|とりあえず|ひとまず|仮で|試しに|一時的に"
    ),
    withheld=anywhere(
        r"考え(?:ます|てみ|とき|ておき|させて|る)|(?:確認|相談|検討)し(?:てから|てみ|ます)|聞い(?:てから|てみ)|"
        r"ちょっと待|待って|いつか|そのうち|今度|まだ(?:いい|早い|です)|そこで(?:止ま|落ち|失敗)|知って|"
        r"やめ(?:ておき|とき)|見送|次の(?:バージョン|リリース|スプリント)|来(?:月|週|年|期)|なくて(?:も)?(?:いい|大丈夫)|今は(?:いい|しない)|なるほど"
    ),
    turned_down=anywhere(
        r"^が(?!いい|良い|よい|よさ|良さ|好き|ベスト|楽|簡単|最適)"
        r"|^(?:は|だと)[^、。]*(?:すぎ|遅|無理|だめ|ダメ|難し|ない)"
    ),
    unanswered=anywhere(
        r"分から|わから|知らない|まだ決め|後で|あとで|任せ|どちらでも|どれでも|スキップ|なんでも|特にな|未定|待って|相談して"
    ),
    sent=never(),
    doubted=anywhere(
        r"(?:って|と)(?:さっき)?(?:言って|決めて)(?:た|なかった|ませんでした|いませんでした)(?:よね|っけ|か|の|んじゃ|です)"
    ),
)
ZH = PassingCues(
    told=anywhere(
        r"(?:用|存|写|走|返回|调用)的(?:都)?是[^，。]*吧[。！!\s]*$|现在是(?:一直)?(?:用|在用)"
        r"|看(?:了?一?下)?代码[，,]"
    ),
    errand=anywhere(
        r"[，,](?:帮我)?(?:解释|说明|介绍|告诉我)(?:一下)?[。！!\s]*$|翻译(?:成|一下|为)|提交(?:信息|说明)(?:写|用|改)"
        r"|^(?:在)?(?:文档|说明|README|注释|更新日志)(?:里|中)?(?:加|写|补充)[^，。]*[：:]"
    ),
    spared=anywhere(
        r"(?:别|不要|不用)(?:再)?(?:跑|运行|执行|启动)(?:测试|服务|服务器|构建|脚本)[，,。！!\s]*"
        r"(?:$|太|很|还|因为|它|已)|(?:别|不要|不用)解释"
    ),
    supposed=anywhere(r"^(?:那)?(?:假设|假如|设想)|理想情况下|(?:去年|[一二两三四五六七八九十0-9]+年前)[^，。]*了"),
    others=anywhere(
        r"(?:老板|领导|经理|销售|市场部?|客户|同事|朋友|他们)(?:们)?(?:都|还)?(?:想|希望我们|要我们|让我们|觉得)"
    ),
    for_now=anywhere(
        r"(?:这次|本次|这回)(?:先|别|不要|不用|就不)|暂时|临时(?:用|先|改|关)|先用.{1,16}(?:顶|凑合|[，,])"
    ),
    withheld=anywhere(
        r"考虑|想(?:一)?想|(?:先|再|去|得)?问(?:一下|问|过)|先(?:别|不)|再说|以后(?:再|吧)|回头(?:再|看)|^等等|等一下|"
        r"知道了|我知道|问完|下(?:个|一个?)(?:版本|迭代|周|月)|没(?:有)?时间|没空|不管|等.{1,8}(?:再|之后|以后)|^原来|原来(?:如此|是)|不过[^。]*(?:问|确认|商量)|商量"
    ),
    turned_down=anywhere(r"^(?:太|不行|不能|不好|不可|没法|有问题|慢|贵)"),
    unanswered=anywhere(
        r"不知道|不清楚|不确定|随便|都行|都可以|你(?:来)?(?:定|决定|选)|以后再|跳过|再说|先不|问(?:一下|问)"
    ),
    sent=never(),
    doubted=anywhere(r"你(?:刚才|之前|刚刚)?不是(?:刚才|之前|已经)?说|我(?:还)?以为你"),
)
KO = PassingCues(
    told=anywhere(
        r"(?:반환|표시|출력|전송|저장|삭제)(?:해요|합니다|하네요|하고 있(?:어요|습니다)|돼요|됩니다|되네요)[.!\s]*$"
        r"|코드를 보니|(?:원래대로|처음으로|이전(?: 상태)?(?:로|으로)) (?:다시 )?(?:돌아가|되돌리)"
    ),
    errand=anywhere(
        r"^(?!.*(?:항상|반드시|앞으로|매번|절대)).*(?:설명해|알려|찾아|비교해) ?(?:줘|주세요|주십시오)[요.!\s]*$"
        r"|번역해|(?:문서|README|주석)에[^.]{0,20}[:：]"
    ),
    spared=anywhere(
        r"(?<!운영 )(?<!CI )(?:테스트|测试|서버|빌드|스크립트)[을를은는]? (?:돌리|실행하|시작하|띄우)지 ?(?:마|말)"
        r"|설명(?:은|하지)? ?(?:필요 없|마)"
    ),
    supposed=anywhere(r"이라고 치|(?:작년|년 전)에?[^.]*(?:했|썼|였)|이상적으로"),
    others=anywhere(
        r"(?:사장님?|팀장님?|부장님?|상사|영업|마케팅|고객(?:사|님)?|동료|친구)[이가은는도]? "
        r"[^.]*(?:싶어|원해|원하|달래|하래|바라)"
    ),
    for_now=anywhere(r"이번(?:에는|엔|에만)? [^.]*지 ?(?:마|말)|이번만|일단|당분간|임시로|우선은"),
    withheld=anywhere(
        r"생각해|고민|물어|나중에|잠깐|잠시|확인(?:해 ?볼|하고|부터|해야)|안 ?돼|안 ?됩|아직|"
        r"다음 (?:버전|주|달|스프린트|릴리스)|그냥 두|먼저 (?:얘기|이야기)|알고 있|시간이 없|언젠가|그렇군|상의|"
        r"검토해 ?볼"
    ),
    turned_down=anywhere(r"^(?:은|는|이|가)\s+(?!좋|나을|나아|괜찮|낫|맞|제일|가장|더)"),
    unanswered=anywhere(
        r"모르|글쎄|나중에|알아서|아무거나|상관없|건너|물어|확인해|정해 ?(?:줘|주세요)|둘 다 아니|아직"
    ),
    sent=never(),
    doubted=anywhere(r"(?:라고|다고|자고) (?:말)?하(?:지 않았|셨잖|었잖)|한 줄 알았"),
)
PASSING: Mapping[str, PassingCues] = MappingProxyType({"en": EN, "ja": JA, "zh": ZH, "ko": KO})
