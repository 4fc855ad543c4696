"""English cues of what a person decides: choices, rules, corrections, and the reasons for them. Data only."""

from __future__ import annotations

from memory_core.providers.builtin.cues import anywhere, words
from memory_core.providers.builtin.cues_en_turning import GOES_BACK, GOES_BACK_BARE

# Where a clause can begin: what looks like an imperative elsewhere has a subject in front of it.
_START = (
    r"(?:^|[,;:—–(]\s*|\s-\s|\b(?:and|but|so|please|also|then|just|ok|okay|yes|no|actually|instead)\b,?\s+)"
    r"(?:(?:please|pls|just|also|but|and|so|then|yes|no|ok|okay|omfg|omg|dude|man|jesus|ffs|damn|btw|ah|oh|alright|"
    r"well)\b"
    r"[,!]?\s+)*"
)
# The same behind a place or a condition: `for the parser use X`, never behind a subject.
_PLACED = (
    r"(?:^(?:(?:ok|okay|so|and|but),?\s+)*(?:for|in|on|at|with|when|whenever|if|instead of)\b[^,.;]{1,50}?,?\s+"
    r"(?<!\bi )(?<!\bwe )(?<!\bto )(?<!they )(?<!you ))"
)
_MENTAL = (
    "know|knew|think|see|seen|understand|understood|like|have|had|get|got|feel|care|mind|believe|worry|remember|recall|"
    "agree|mean|bother|panic|hesitate|forget|be|been|stop|exist|apologi[sz]e|give|ask|tell|lie|even|really|just|work|"
    "seem|"
    "look|match|matter|happen|expect|hurt|need|want|wait|sure|mention|heard|said|did|made|found|went|came|again|ever|"
    "the|a|an|this|that|there|some|something|my|your|our|on|in|at|with|when|if|because|for|good|nice|great|fun|"
    "possible|"
    "waste|sweat|rush|argue|do (?:it|that|this)"
)
_VERB = (
    r"use|go with|go for|keep(?! (?:going|trying|working|digging|looking|at it|it up|it simple|in mind|moving|an eye|"
    r"me|"
    r"you|us|it\b|that\b|this\b))|stick (?:with|to)|switch (?:(?:back|over) )?to(?! (?:the )?(?:other|next|branch|"
    r"tab|file))|"
    r"switch (?!to\b|back\b|over\b)(?:\S+ ){1,5}to|move (?!on\b|forward\b|ahead\b|back\b)(?:\S+ ){1,6}(?:to|into|"
    r"out of)|"
    r"drop|avoid|store|default to|pin|leave (?:\S+ ){1,6}(?:as|in|out|on|off|alone|unchanged|untouched|where)|adopt|"
    r"standardi[sz]e on|settle on|pick|choose|prefer|treat|target|cap|rely on|require|return|ship|base|build on|"
    r"name|call (?!it a day)|split|merge (?:\S+ ){1,6}into|replace (?:\S+ ){1,8}with|"
    rf"not (?!(?:{_MENTAL})\b)\w+"
)
# What a person can order done, with `instead`: a closed list, for `Returns 200 instead of 401` is no order.
_ORDERED = (
    "use|put|keep|send|compare|translate|write|render|take|make|throw|raise|save|add|pass|apply|enforce|expose|generate|convert|replace|"
    "prefer|pick|choose|handle|catch|merge|hide|ignore|disable|enable|delete|remove|rename|have|inject|encode|decode|"
    "fetch|create|move|let|get|bring|wrap|avoid|treat|target|limit|encrypt|validate|follow|reuse|extend|inherit|"
    "derive|compute|calculate|round|trim|throttle|debounce|retry|reject|refuse|return|redirect|define|declare|specify|"
    "allow|require|introduce|assign|adopt|serve|emit|parse|batch|defer|prepend|append|insert|upsert|truncate|omit|"
    "include|exclude|normali[sz]e|switch|ship|deploy|publish|subscribe|listen|archive|deprecate|rely|attach|embed|"
    "animate|fade|align|cent(?:er|re)|leave|warn|notify|poll|swap|iterate|combine|join|rewrite|restrict|configure|"
    "store|call|name|set|log|load|build|sort|group|import|export|place|link|mock|stub|cache|hash|format|query|push|"
    "pull|copy|map|split|drop|skip|test|run(?! (?:it|this|that|the)\\b)|cap|pin|base|stream|display|filter|index|"
    "request|order|count|mark|lock|queue|default|point|report|measure|install|update|start|stop|key|draw|type|model|"
    "bind|mount|wait|stick|schedule|trigger|sign|scale|compile|lint|paginate|tag|fork|patch|document|host|process|"
    "accept|block|collapse|compress|deduplicate|detect|dispatch|duplicate|escape|evaluate|execute|expand|extract|focus|"
    "freeze|grant|highlight|increment|infer|initiali[sz]e|intercept|isolate|label|mask|memoi[sz]e|minify|mutate|navigate|"
    "nest|obtain|override|overwrite|pad|partition|persist|position|prefetch|preload|prefix|propagate|provision|quote|"
    "redact|refactor|reference|refresh|register|reload|reset|resize|resolve|restart|restore|reverse|rotate|sanitize|"
    "scan|scroll|search|seed|select|separate|serialize|shard|shorten|shrink|simplify|slice|snapshot|spawn|"
    "strip|suppress|swallow|sync|toggle|track|transform|unify|unwrap|upgrade|upload|vendor|verify|version|watch|zip"
)
# Behind such a word, what tells that it was the name of a thing: `Cache returns stale rows instead`.
_TELLS = (
    "(?:still |now |always |also |just |sometimes )?(?:is|are|was|were|gets?|got|shows?|uses|returns|loads|takes|picks|"
    "opens|writes|sends|throws|fails|hangs|crashes|deletes|goes|skips|ignores|adds|removes|runs|prints|falls|gives|"
    "has|does|keeps|puts|makes|creates|produces|contains|renders|drops|breaks|stops|comes|ends|jumps|lands|yields|"
    "generates|asks|prompts|overwrites|replaces|hits|turns|reports|resolves|redirects|includes|ignored|failed|used)"
    r"|\w+s (?:contain|show|return|have|are|were|appear|come|fail|end up|go|get|look)"
)

CHOICE = anywhere(
    rf"\b(?:let's|lets|let us)\s+(?:just |rather |then |instead |please |also |simply |definitely )*(?:{_VERB})\b"
    rf"|\bwe(?:'ll| will| shall|'re going to| are going to| should(?: just| really)?)\s+(?:just |then |instead |"
    rf"now |"
    rf"always |never |only )*(?:{_VERB})\b"
    r"|\b(?:we|i|the team|team)(?:'ve| have|'re| are|'d| had)?\s+(?:all |now |just |already |finally )*"
    r"(?:decided|agreed|settled|opted)\s+(?:to|on|for|that|against|not)\b"
    r"|\b(?:we|i|the team|team)(?:'ve| have|'d| had)?\s+(?:all |now |just |already |finally )*(?:decided|agreed)\s+"
    r"(?:in|at|during|with|last|yesterday|together)\b[^.,;:?!]{1,40}?\s(?:to|that|on|against)\s"
    rf"|{GOES_BACK}"
    r"|\bi(?:'ve| have)? changed my mind\b.{8,}"
    r"|\b(?:dead end|(?:won't|doesn't|does not|can't) (?:work|fly|fit)|not an option|no[- ]go|off the table|"
    r"not worth it)\b[^.;,?!]{0,20}[;,.—–-]+ (?:so |then |and )?(?:we|let's|we'll) (?:just )?"
    r"(?:keep (?!\w+ing\b)|stay (?:on|with) |stick (?:with|to) )\S+"
    r"|^(?:(?:please|and|also|but|then|ok|okay)\b,?\s+)*(?:set|raise|lower|limit|cap|increase|reduce|bump|keep) "
    r"[^,.;?]{2,60} (?:to|at) \d"
    r"|\b(?:should|must) (?:be|return|stay|use|say|give|go|live) [^,.;?]{1,60}?(?:,| and)? not \S+"
    r"|^(?:final |the )?decision\b(?: is)?\s*[:：]|^decided\s*[:：]|\bfinal (?:answer|decision) is\b"
    r"|\bi(?:'d| would)? (?:much |really |still |strongly )?(?:rather|prefer)\s+(?!not to say|"
    r"you (?:to )?(?:stop|wait))\S+"
    r"|\bmake \S+(?: \S+){0,5} the (?:default|standard|canonical|primary|only)\b"
    r"|\b(?:has|have|needs?|must|should|ought) to (?:stay|remain|be kept)\b"
    r"|^(?!(?:that|this|it|what|which|there|[\da-d])\b)[\w`.+/-]+(?: \w+){0,3} is (?:enough|overkill|plenty|"
    r"good enough)\b"
    rf"|(?:{_START}|{_PLACED})(?:{_ORDERED})\b(?! (?:(?:\w+ )?{_TELLS})\b) "
    r"(?:[^,.;?!]{2,70}? )?instead\b(?! of (?:that|this|it)\b)(?!\?)"
    r"|\bwe(?:'ll| will|'re| are)? (?:then |just )?(?:stay|staying|stuck) (?:on|with) "
    r"(?!(?:top|track|it|this|that|the (?:phone|line|call|topic|page))\b)\S"
    r"|\bwe(?:'re| are) (?:dropping|keeping|switching to|moving to|going with|sticking with|standardi[sz]ing on|"
    r"not going to)\b"
)

RULE = anywhere(
    rf"{_START}(?:never|always|don't|do not|no need to ever)\s+(?:ever |again )?(?!(?:{_MENTAL})\b)"
    r"(?!(?!need|feed|embed|seed|exceed|proceed)\w+ed\b)(?!\w*[^s]s\b)[a-z]+\b"
    r"|\b(?:we|you)\s+(?:never|always)\s+(?:ever )?(?:use|commit|push|deploy|log|store|run|merge|write|mock|ship|"
    r"return|add|put|name|squash|rebase|test|check|format|import|expose|call|pin|tag|release)\b"
    r"|\b(?:must|should|shall|may) (?:not ever|never|always|only|stay|remain)\b|\bmust not\b|\bmustn't\b"
    r"|\b(?:we|you) (?:should not|shouldn't|can't|cannot)\s+(?:ever )?(?:use|commit|push|deploy|log|store|merge|"
    r"write|ship|distribute|bundle|"
    r"mock|add|depend|rely|break|change|touch|expose|call|import|drop|remove)\b"
    r"|\b(?:from now on|going forward|from here on|as a rule|by convention|henceforth|in (?:the )?future)\b,?\s+\S+"
    r"|^(?:and |but |please |also |so |ok )*no (?:more|new|extra|external|additional|third-party|direct)\s+\w+"
    r"|^(?:and |but |please |also |so |ok )*no (?!idea|problem|worries|rush|hurry|way|luck|thanks|need|one|matter|"
    r"errors?|crash|output|response|results?|logs?|changes?|difference|effect|signs?|trace|more\b|longer|sooner|"
    r"i\b|it\b|that|this|the\b|we\b|you\b|don|not\b|just)"
    r"\w[\w-]*(?: [\w-]+){0,3} (?:until|unless|without|except|outside) "
    r"(?!(?:i|you|it|now|then|that|this)\b)\S[^?]*$"
    r"|^(?:and |but |please |also |so |ok )*no (?!idea|problem|worries|rush|hurry|way|clue|luck|thanks|wait|"
    r"need|one|matter|"
    r"shit|wonder|big|real|good|point|sense|longer|i\b|it\b|that|this|the\b|we\b|you\b|don|not\b|just)"
    r"\w+(?: \w+){0,2}(?:\s+(?:anywhere|at all|ever|in (?:the|this|our|here|any)\b[^?]*)|\s*!+)(?:,? (?:please|"
    r"pls|plz))?"
    r"|\bwe (?:do not|don't) (?:ever )?(?:use|do|want|allow|support|commit|ship|mock|log|store|depend|need|"
    r"touch|merge|push|"
    r"import|publish|deploy|vendor|pin|test) (?!that\b|it\b|this\b|to\b|them\b|any ?more time)\S+"
    r"|\b(?:we|you) (?:never|always) (?!listen|do\b|make|give|break|ask|answer|go\b|get|got|see|saw|have|had|"
    r"know|knew|think|seem|end up|run into|hit|forget|need|said|say|wait|fail)"
    r"[a-z]+ \S+"
    r"|(?:^|[,;] )[\w`.+/-]+ only(?=\s*[,.;!]|\s*$)(?<!read only)(?<!this only)(?<!that only)"
    r"|\bi(?:'d| would)? only (?:want|use|need) \S+"
    rf"|{_START}stop (?:using|adding|writing|creating|putting|mocking|importing|logging|committing|calling|"
    rf"touching|"
    r"changing|generating|inventing|hard-?coding)\b"
    r"|^(?:please )?(?:avoid|prefer) (?:\S+ ?){2,}"
    r"|\bonly (?:ever )?use\b|\buse only\b"
    r"|^(?:(?:please|and|also|but),? )*(?:remember|keep in mind|note) that\s+(?:\S+\s+){2,}\S+"
    r"|^(?!(?:this|that|it|read|me|you|not)\b)[\w`.+/-]+ only(?=\s*[,.;!]|\s*$)"
    r"|\b\w+s stay on (?!top|track|it\b|this\b)\S+"
    r"|:\s*\S+(?: \S+){0,3} (?:is|are|must be|stays?) (?:always|never)\b"
    r"|\bi (?:don't|do not) want \S+(?: \S+)? (?:in here|in (?:the|this|our) \w+|anywhere)"
    r"|\bi (?:don't|do not|never) want (?:us |you |to (?:see|have|use|depend|rely)|the |any |a |our )"
    r"|\b(?:the rest of (?:the|our)|everything else|everyone else|all (?:the |our )?other|"
    r"everywhere else)\b[^.?!]{0,30}?"
    r"\b(?:uses?|is|are|goes|lives?|does|do)\b"
    r"|\b(?:is|are|was|were|that's|it's) (?:on purpose|intentional|intended|by design|deliberate)\b"
    r"|\b(?:goes?|lives?|belongs?|stays?|sits?) (?:in|next to|under|into|to|on|with) [^,.;?]{2,40},? not (?:in|"
    r"on|to|under|into|with)\b"
    r"|\bour (?:\w+ )?(?:convention|style|standard|rule|policy|default|stack)s? (?:is|are)\b"
    r"|\b(?:we|everyone|everybody) (?:uses?|deploys?|ships?|targets?|supports?|runs?|writes?|tests?|"
    r"merges?) [^,.;?]{2,50}?,? "
    r"(?:not (?!sure|yet|work)|only (?:after|when|if|with|on|in|for)|instead of)\b"
    # a bare plural speaks of all of a kind: `Use conventional commits.`
    r"|^(?:(?:please|and|also|but|so|ok|okay),?\s+)*use (?!(?:the|this|that|these|those|my|your|our|his|her|its|"
    r"both|all|some|any|as|fewer|less|more|other|different|new|old|two|three|four|five|six|ten)\b|\d)"
    r"[\w'-]+ (?:[\w'-]+ )?(?!(?:yourselves|(?:sub)?agents|tools|words|lines)\b)[\w'-]+[^\W\ds]s"
    r"(?:,? (?:please|pls|plz))?"
    r"(?=\s*[.!:]|\s*$)"
    r"|,?\s+so no (?!need|problem|worries|idea|way|one|longer|more|rush)\w+"
    # how things are in the project, in the present tense
    r"|^in this (?:repo|repository|project|codebase|code base|package),? (?:[\w-]+ ){1,3}(?:are|is|get|gets|go|goes|"
    r"live|lives|carry|have|use|start|end)\b(?! (?:broken|wrong|slow|missing|\d))"
    r"|^(?:[\w-]+ ){1,3}(?:is|are) always (?:in|as|with|by) [^,.;?]{2,30} (?:here|in this (?:repo|project|codebase))\b"
    r"|^(?!(?:it|this|that|there|they)\b)(?:[\w-]+ ){1,3}(?:carry|have|get|use|need) an? [^,.;?]{2,40} in this (?:repo|"
    r"project|codebase)\W*$"
    r"|\b(?:is|are) (?:forbidden|off[- ]limits|not allowed|banned|read-only)\b"
)

BARE = anywhere(
    rf"(?:{_START}|{_PLACED})(?:use|keep(?! (?:going|trying|working|digging|looking|at it|it up|in mind|moving|"
    rf"an eye|me|you|us)\b)|"
    r"prefer|avoid|default to|stick (?:with|to)|go with|treat|pin|return|store|name|call|"
    r"leave (?:\S+ ){1,6}(?:as|in|out|on|off|unchanged|untouched|where))\b"
    r"|\byou should (?:use|keep|store|return|call|name|prefer|avoid|pin|treat)\b"
    rf"|{GOES_BACK_BARE}"
    r"|\b(?:i|we) want (?:to (?:use|keep|store|stay)|it (?:to|in|on|as)|\S+(?: \S+){0,4} to (?:stay|remain|be))\b"
)

SCOPE = words(
    r"for (?!me\b|now\b|that\b|this\b|it\b|you\b)\w+|everywhere|in all|across|throughout|only|by default|always|"
    r"until|"
    r"till|in (?:the|this|our|these)|as (?:the|a|our)|when|whenever|unless|except|at (?:most|least)|no more than|"
    r"without|in (?:prod|production|"
    r"tests?|ci)|while|so|from"
)

CORRECTION = anywhere(
    r"^(?:(?:wait|hm+|oh|sorry|ah|but|ok)[,.! ]+)*(?:no+|nope|nah|actually|wrong|not quite|incorrect|"
    r"not like that|that's (?:wrong|not right|"
    r"not it))\b[\s,.!:;—–-]+"
)

CONTRAST = (
    words(
        r"(?:use|go with|pick|choose|keep|prefer|rather have|rather use|take|return|store|switch(?:ing)? to|want|"
        r"adopt|"
        r"(?:go|going|switch(?:ing)?) back to|back to|return(?:ing)? to|stay(?:ing)? (?:on|with)|revert(?:ing)? to|"
        r"going with|decided on|decided to use|settled on|have|call|name|put|send|render|save|serve|"
        r"write)\s+(?P<taken>[^,.;:!?]{2,60}?),?\s+"
        r"(?:instead of|rather than|over|and not|not|(?<=,\s)no(?! need| more| matter| problem)|(?<=,)no)\s+"
        r"(?P<other>[^,.;:!?]{2,60}?)"
        r"(?=\s+(?:for|because|since|as|so|when|if|in|until|on|to|here|there|everywhere|please|anymore|from now)\b|"
        r"\s*[,.;:!?(—–]|\s+-|\s*$)"
    ),
    words(
        r"instead of (?P<other>[^,.;:!?]{2,60}?),?\s+(?:please |just |let's |we should |we'll )*"
        r"(?:use|go with|pick|choose|keep|prefer|take|return|store|call|put)\s+(?P<taken>[^,.;:!?]{2,60}?)"
        r"(?=\s+(?:for|because|since|as|so|when|if|in|until|on|to|here|please)\b|\s*[,.;:!?(—–]|\s*$)"
    ),
    words(
        r"(?:switch|move|migrate|go|"
        r"change)(?:ing)? (?:\S+ )?from\s+(?P<other>[^,.;:!?]{2,60}?)\s+to\s+(?P<taken>[^,.;:!?]{2,60}?)"
        r"(?=\s+(?:for|because|since|as|so|when|if|in|until|on|here|please)\b|\s*[,.;:!?(—–]|\s*$)"
    ),
    words(
        r"replace\s+(?P<other>[^,.;:!?]{2,60}?)\s+with\s+(?P<taken>[^,.;:!?]{2,60}?)"
        r"(?=\s+(?:for|because|since|as|so|when|if|in|until|on|here|please)\b|\s*[,.;:!?(—–]|\s*$)"
    ),
)

REASON = anywhere(
    r"(?:,\s*|\s+|\s*[—–(]\s*)(?:because|since (?!\d|then|last|yesterday|monday|the (?:last|first|beginning))|"
    r"so that|"
    r"due to|otherwise|as (?:we|it|they|that|this|there|otherwise) |given that|in order to)\b.+$"
    r"|\s*(?:[—–;:]|\s-\s)\s*(?=(?:it|that|this|they|we|the|those|these|there|otherwise|our)\b).+$"
    r"|\s+so (?:they|it|we|users|nobody|nothing|people|you|there)\b.+$"
    r"|,\s*(?:nobody|no one|those \w+ (?:is|are)|those are|these are|two \w+ \w+ (?:is|are)) .+$"
    r"|,\s*(?:so (?!that)|otherwise |it's |it is |they're |that's |we (?:have|don't|need|can't|already) ).+$"
    r"|^(?:because|since|the reason|that way|otherwise|reason:).+$"
)

BECAUSE = anywhere(
    r"^(?:because|since|the reason|reason:|otherwise|that way|it|they|that|this|those|we|there|our|"
    r"the)\b|^[^,;]{2,40} (?:is|are) (?:just |simply |way )?too \w+"
)

THEREFORE = anywhere(r"^(?:so|therefore|hence|thus|that's why)\b")
