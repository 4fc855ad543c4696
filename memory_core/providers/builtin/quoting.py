"""Lines of a message by which a passage of somebody else's begins or ends, in four languages. Tables, and no judgment.

A line tells that others' words follow by naming what was received (`the customer wrote this`, `getting this`), never by
naming a subject: `rules for the logs:` stands over a person's own rules.
"""

from __future__ import annotations

import re

_DOCUMENT = (
    r"(?:e-?mails?|tickets?|issues?|bug report|threads?|conversations?|chats?|transcripts?|slack|discord|teams"
    r"|(?:system )?prompts?|comments?|reviews?|readme(?:\.md)?|contributing(?:\.md)?|agents\.md|claude\.md|docs?"
    r"|documentation|wiki|page|article|blog ?post|post|answers?|repl(?:y|ies)|licen[sc]e|change ?log|release notes"
    r"|tender|user story|guidelines|clause|paragraph|checklist|(?:item|section) of)"
)
_SOURCE = rf"(?:{_DOCUMENT}|messages?|logs?|output|traces?|stack ?trace|errors?|warnings?|text|console)"
_ENDS = (
    r"(?=\s*(?:[:,.;?!()]|$)"
    r"|\s+(?:from|of|by|on|in|for|with|about|that|which|we|i|it|to|again|below|is|are|mean|say)\b)"
)
_THIS = r"(?:this|these|that|those|the following)"
_LEADS = (
    # They said so: `their CONTRIBUTING says the following`, `npm prints this, should I care?`
    (
        r"(?<!\bi )(?<!\bwe )(?<!\bi'd )(?<!\bwe'd )\b(?:(?:says|said|wrote|writes|prints|printed|told (?:me|us)"
        r"|gave (?:me|us)|sent (?:me|us)|suggests|suggested|complains|warns|replied|recommends|commented|noted)"
        rf"(?: (?:me|us|{_THIS}|it|so|earlier|before|again|below|back|now|here)){{0,3}}"
        r"\s*(?:[:,](?![^:]*[:]\s*\S)[^:]*:?\s*$|$)"
        # These may be nouns, or the end of an order (`use the logger, not print`).
        r"|(?:say|print|suggest|recommend|reports?|outputs?|states?|reads|demands?|requires?|posted)"
        rf"(?: {_THIS}\b\s*(?:[:,?]|$)|\s*:\s*$))"
    ),
    # It was received: `got this from a customer`, `I see this in worker.py`
    (
        r"\b(?:i|we|they|he|she) (?:(?:only|just|still|also|now|keep|keeps) )?"
        rf"(?:got|get|getting|see|saw|found|received|pasted|copied) {_THIS}\b"
        r"(?! (?:errors?|warnings?|bugs?|problems?)\b[^:]*$)"
    ),
    rf"^(?:(?:so|and|still|also|now) )*(?:getting|got|seeing|saw|found|received|pasted|copied) (?:{_THIS}|from)\b",
    rf"\b(?:left|dropped|shared|forwarded|posted|sent(?: over)?) (?:me |us )?{_THIS}\b",
    r"^(?:now )?i (?:now |still )?(?:get|got|see)\s*:?$",
    # Here it is: `here's the system prompt of our bot`, `this is what product sent me`
    rf"\b(?:here(?:'s| is| are)|this is|these are|below (?:is|are)) (?:[\w'-]+ ){{0,4}}?{_SOURCE}{_ENDS}",
    r"\b(?:here(?:'s| is)|this is) what (?!i\b|we\b)(?:\w+ ){1,3}(?:sent|wrote|said|asked|told|posted|replied)\b",
    # What is this: `is this license ok for us?`, `what does this comment mean?`
    rf"^(?:\w+,? )?(?:is|are|does|do|did|was|what|why)\b[^.!?]{{0,40}}\b{_THIS} (?:\w+ ){{0,2}}?{_DOCUMENT}(?!\w)",
    (
        rf"^(?:\w+,? )?(?:is|are|does|do|what|how)\b[^.!?]{{0,40}}\b{_THIS} "
        r"(?:about|mean|true|still true|right|correct|any good)\b"
    ),
    rf"\b(?:follow|comply with|match) {_THIS}\?",
    r"^what(?:'s| is| are| does) (?:this|that|he|she|they|the)\b[^.!?]{0,30}\b(?:talking about|on about|saying|say)\b",
    rf"^(?:explain|summari[sz]e|translate|critique|analy[sz]e|rate|rewrite|rephrase|proofread|shorten) {_THIS}\b",
    # A label: `context from slack:`, `changelog of vite 6:`
    r"^(?:fyi|forwarded|fwd)\b(?!.*\b(?:we|i)\b)",
    (
        rf"^(?:\w+ ){{0,2}}(?:{_SOURCE}|context|quote|excerpt|feedback)(?: text)? (?:from|by) [^.!?:]{{1,40}}"
        r"(?::|,[^.!:]*\?)\s*$"
    ),
    rf"(?:^|[.!?] )(?:from|in) (?:the|our|their|his|her|an?) [^.!?:]{{0,40}}{_SOURCE}\s*:\s*$",
    r"\b(?:change ?log|readme|transcript|minutes|text|wording) (?:of|for) [^.!?:]{1,40}:\s*$",
    r"\b(?:threads?|discussions?|conversations?) (?:on|about|in|from|between) [^.!?:]{1,40}(?::|,[^.!:]*\?)\s*$",
    r"^(?:[\w ]{1,20} )?(?:error|output|log|trace|stack ?trace|traceback|terminal|console|shell|stdout)\s*:\s*$",
    r"\b(?:is|are) full of\s*:?\s*$",
    # What is to be written somewhere: `add these faq entries:`, `npc lines for the guard:`
    (
        r"\b(?:these|the following|some)(?: \w+){0,2} (?:lines|entries|rows|strings|texts|reviews|examples|questions"
        r"|faqs|quotes|phrases|translations)\b[^.!?]*:\s*$"
    ),
    (
        r"^(?:npc|dialogue|demo|sample|example|test|placeholder|faq|seed) (?:lines|texts?|data|rows|entries|reviews"
        r"|messages|phrases)\b[^.!?]*:\s*$"
    ),
)
_WIDE_LEADS = (
    (
        r"(?:メール|slack|スレッド|チャット|コメント|プロンプト|レビュー|readme|ドキュメント|ログ|エラー|記事|回答|議事録|仕様書|規約"
        r"|ライセンス|チケット|issue)[^。]{0,14}(?:です|だけど|だが|なんだけど|(?<=slack)より|(?<=メール)より|によると|来ました|来た|届いた|届きました|もらった|もらいました"
        r"|言われた|言われました|言ってる|書いてある|書いてあった|の意味は|の内容)(?:[。、:：].*)?[?？]?\s*$"
    ),
    r"(?:の|からの)(?:コメント|返信|連絡|指示|依頼|メール)(?:です)?[。:：]?\s*$",
    r"(?:提的意见|的反馈|留言)[:：]?\s*$",
    (
        r"(?:これが|これは|以下が|以下は|次の|この)[^。]{0,14}"
        r"(?:メール|プロンプト|コメント|スレッド|ログ|エラー|記事|回答|議事録|規約|ライセンス)(?:です|だ|の意味|って|[。、:：?？]|\s*$)"
    ),
    (
        r"(?:邮件|群里|聊天记录|讨论|评论|注释|提示词|日志|报错|文章|回答|工单|招标书|许可证|贡献指南|readme)"
        r"(?:[^。]{0,10}(?:说(?!明)|写着|写道|发来|如下|什么意思|内容[:：])|[，,][^。]{0,16}[?？:：]\s*$)"
    ),
    r"(?:邮件|群里|聊天记录|讨论|评论|提示词|工单|招标书|许可证|报错)(?:原文|的?讨论)?[:：]\s*$",
    (
        r"(?:메일|이메일|슬랙|댓글|코멘트|리뷰|주석|프롬프트|로그|에러|기사|답변|이슈|readme)[^.]{0,12}"
        r"(?:내용\s*[:：]|보냈|왔어|왔는데|받았|라고 (?:했|말|하)|말했|써 ?있|적혀|무슨 뜻|인데|이야|야\.)"
    ),
)
LEAD = re.compile("|".join(_LEADS), re.IGNORECASE)
WIDE_LEAD = re.compile("|".join(_WIDE_LEADS), re.IGNORECASE)
# Who is told to carry out what follows makes it the person's: `address the review comments:`.
ADOPTED = re.compile(
    r"^(?:(?:please|pls|now|then|ok|and|can you|could you|let's) )*(?:never|always|don't|do not|only|keep"
    r"|prefer|avoid|address|apply|adopt|follow|implement|fix|do|obey"
    r"|respect|resolve|handle|incorporate|integrate|work through|take over|use|make)\b"
    r"|\b(?:address|apply|implement|fix|resolve|incorporate|follow|adopt) (?:them|these|those|it|this|that|all)\b(?!\?)"
    r"|\b(?:do|as|like|exactly) (?:what )?(?:\w+ ){1,4}(?:says?|said|suggests?|suggested|wrote)\b"
    r"|\b(?:work|build|take|bring) (?:them|these|those|it|this|all)\b"
    r"|\bplease (?!(?:draft|answer|reply|summar|translat|explain|compare|estimate|review|check|tell|read|shorten|look"
    r"|help|rate))\w"
    r"|\b(?:i|we)(?:'ve| have)? decided\b|\bfrom now on\b|\bi want\b(?! to\b)|决定|ルール|方針|규칙"
    r"|(?:対応|修正|反映|適用)して|に従って|按照?以下|照着|修改以下|(?:반영|적용|수정)해",
    re.IGNORECASE,
)
# What a line names that stands over a person's own list: rules, wishes, a part of the project, something to do.
OWN_LIST = re.compile(
    r"\b(?:rules?|conventions?|decisions?|decided|constraints?|guidelines?|i want|i'd like|i need|let'?s|please"
    r"|from now on|going forward|we (?:should|will|want|need|use|must|have)|we'll|to-?dos?|steps?|tasks?|plan|goals?"
    r"|then|things?|points?|changes|fix(?:es)?|add|build|make|implement|write|create|refactor|use|update|change|remove|replace)\b"
    r"|^(?:for|in|on|about|regarding|as|when|if|hi|hey|hello|dear)\b|\bso:?$"
    r"|^my (?!boss|client|coworker|colleague|customer|manager|team)"
    r"|ルール|規約|方針|決め|について|ください|してほしい|规定|规则|规范|决定|要求|需求|规|관련|규칙|정리|결정|하자",
    re.IGNORECASE,
)
# A question about a passage, or a task that does something about it other than what it says.
_IT = (
    r"(?:this|that|these|those|it|its|they|them|he|she|his|her|their|think|mean|comply|compliant|agree|affected|already"
    r"|right|true|relevant|realistic|fair|worth)"
)
ABOUT = re.compile(
    r"(?:(?:so|ok|and|now|well|hm+|anyway|just|please),? )*(?:"
    r"(?:do|does|is|are|am|should|which|why|who|what|how|any)\b"
    r"(?!.*\b(?:clear|ready|next|left|missing|understood|questions|long|else|other)\b)"
    rf".*\b{_IT}\b.*[?？]\s*$"
    r"|(?:thoughts|opinions?|worth|right|fair|agreed?|sensible|realistic|true)\b[^.]{0,20}[?？]?\s*$"
    r"|(?:(?:can|could|would) you (?:please )?)?(?:draft|answer|reply|summari[sz]e|translate|explain|compare"
    r"|estimate|rate|shorten)\b"
    r"|(?:look|tell me)\b.*\b(?:how|what|if|which|whether)\b)"
    r"|.*(?:どう思|どうですか|でしょうか|下書き|まとめて|訳して|(?:吗|么|呢)\s*[?？]?\s*$|觉得|怎么看|总结|翻译)"
    r"|.*(?:어떻게|어때|생각해|요약|번역)",
    re.IGNORECASE,
)
# Who is no agent and no `we`, and what such people write: a line that says that something is theirs stands over their
# words. A subject is not enough: `product page` and `support mails` head a person's own lists.
_OTHER = (
    r"(?:teams?|ops|legal|customers?|clients?|vendors?|boss|manager|colleagues?|teammates?|coworkers?|community|audit(?:or)?s?"
    r"|marketing|product|qa|support|partners?|suppliers?|lawyers?|cto|ceo|rfc|policy|memo|announcement|contract|standard"
    rf"|{_SOURCE})"
)
OTHERS = re.compile(
    rf"\b(?:from|by|via|of)\b.*\b{_OTHER}\b|\b{_OTHER}\b.{{0,20}}\b(?:from|by|via|of|findings?)\b|\b{_OTHER}['’]s\b"
    r"|\b(?:someone|somebody|pinged|pinned|sent|wrote|writes|says|asked|wants|schreibt)\b"
    r"|上司|先方|お客|客先|取引先|チームから|部から|お知らせ|供应商|客户|客服|同事|老板|领导|公告|팀장|보안팀|상사|동료|거래처|공지",
    re.IGNORECASE,
)
# Who is asked to carry something out is not asked about it.
TASK = re.compile(r"(?:(?:so|ok|and|now),? )*(?:can|could|would|will) you\b", re.IGNORECASE)
# Who tells of something and asks about it in one line: `legal sent the new clause, do we comply?`
TOLD_AND_ASKED = re.compile(
    rf"^[^?]{{12,}}[,.;:–—-] (?:do|does|is|are|should|any|thoughts|worth)\b(?=.*\b{_IT}\b)[^?]*\?\s*$"
    r"|^(?:\w+,? )?(?:can|could) you (?:please )?(?:draft|answer|reply|summari[sz]e|translate|explain|review"
    r"|check)\b[^?]*\b(?:this|these|that|it)\b[^?]*\?\s*$",
    re.IGNORECASE,
)
# Of a program, which prints in one piece; what stands below a blank line is the person's again.
PRINTED = re.compile(
    r"\b(?:prints?|printed|complains?|outputs?|warns?|warnings?|errors?|logs?|traces?|stack ?trace|traceback|console"
    r"|compiler|build|ci|lint(?:er)?|plan|getting|npm|pip|docker|helm|terminal|tests?)\b|ログ|エラー|日志|报错|로그|에러",
    re.IGNORECASE,
)
# Where a person speaks again behind a passage: a question, or a task about the passage; below a blank line also a
# choice, which within a passage would be somebody else's.
AGAIN = re.compile(
    r"(?:(?:so|ok|and|now|well|hm+|anyway),? )*(?:"
    r"(?:can|could|would|does|do|is|are|am|should|what|how|why|which|where|who|when|any idea)\b(?!n't|[ ]not\b)"
    r"|(?:please )?(?:summari[sz]e|translate|explain|compare|shorten|check|tell|answer|reply|draft|estimate)\b"
    r"|(?:please )?(?:put|add|write|turn|move|store|save|make|fix|use|insert)\b[^.]*\b(?:them|it|this|these|that)\b)"
    r"|.*(?:まとめて|要約して|教えて|訳して|直して|どう思|べき(?:ですか|か)|总结|解释|翻译|怎么|요약|알려|번역|어떻게)",
    re.IGNORECASE,
)
CHOOSES = re.compile(
    r"(?:ok(?:ay)?|so|now|well|anyway|let'?s)\b|from now on,? (?:we|i|you|please|always|never)\b"
    r"|(?:i|we)(?:'d| would)? (?:want|think|say|prefer|like)\b"
    r"|(?:そこで|なので|では)、|(?:所以|那)(?:我们)?|그래서|그럼",
    re.IGNORECASE,
)
ASKS = re.compile(r"[?？]\s*$")
# The end of a letter; what stands behind it and its signature is the person's.
CLOSING = re.compile(
    r"\s*(?:best|kind|warm|many)? ?(?:regards|wishes|greetings)\b"
    r"|\s*(?:sincerely|cheers|yours|viele grüße|mit freundlichen)\b[^.]{0,30}$"
    r"|\s*(?:よろしくお願い(?:いた)?します|敬具|此致|祝好|敬礼|감사합니다)[。.]?\s*$",
    re.IGNORECASE,
)
MAIL_HEAD = re.compile(
    r"\s*(?:from|to|cc|sent|date|subject|von|an|betreff|差出人|宛先|件名|发件人|收件人|主题|보낸 ?사람|제목)"
    r"\s*[:：]\s*\S",
    re.IGNORECASE,
)
TEMPLATE = re.compile(
    r"\s*(?:#{1,4}\s+|\*\*)(?:describe the (?:bug|solution|problem)|(?:steps )?to reproduce"
    r"|expected behaviou?r|actual behaviou?r|current behaviou?r|additional context"
    r"|is your feature request|environment|screenshots)\b",
    re.IGNORECASE,
)
MAIL_SURE = re.compile(r"\s*(?:subject|betreff|件名|主题|제목)\b|.*\S@\S", re.IGNORECASE)
# `anna: ...`, `小王：...`, and a name with the time at which it was said.
SPEAKER = re.compile(
    r"\s*(?P<name>[^\W\d_][\w.]{0,15}|[\u3041-\u9fff\uac00-\ud7a3]{1,5})\s?[:：]\s*"
    r"(?:\S+\s+\S+\s+\S|[^:：]{0,20}[\u3041-\u9fff\uac00-\ud7a3]{4})[^;{}]*$"
)
STAMPED = re.compile(r"\s*[^\W\d_][\w.]*(?: [\w.]+){0,3}\s+\[?\d{1,2}:\d\d(?:\s?[ap]m)?\]?\s*$", re.IGNORECASE)
TIMED = re.compile(
    r"\s*[\[(]?\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?[\])]?\s+<?[^\W\d_][\w .]{0,20}[:>：]\s*\S", re.IGNORECASE
)
OPENING_TAG = re.compile(
    r"^[ \t]*<(issue|issue_body|pr_or_issue_body|formatted_context|comments?|review_?comments?"
    r"|reviews?|e?mail|message|thread|logs?|output|error|stack_?trace|docs?|document|page|article|quote|transcript"
    r"|conversation|changed_files|diff)\b[^<>\n]*>[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
COMMENT = re.compile(r"\s*#\s+\S")
CODE = re.compile(
    r"\s*(?:@\w+|(?:async )?"
    r"(?:def|class|fn|func|function|export|public|private|static|const|let|var|struct|impl|module)\s+\w"
    r"|(?:import|from) [\w.]+(?: import\b|$)|(?:if|for|while|with|try)\b.*:\s*$|return\b"
    r"|[\w.\[\]]+\s*[:+-]?=\s*\S|[\w.]+\(.*\)\s*;?$)"
    r"|.*[;{}]\s*$"
)
