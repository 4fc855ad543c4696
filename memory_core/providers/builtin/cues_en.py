"""English cues. Data only: what each field means is said in `cues`."""

from __future__ import annotations

from types import MappingProxyType

from memory_core.providers.builtin.cues import Cues, anywhere, words

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

EN = Cues(
    question=anywhere(
        r"[?？]\s*[\"')\]]*$|^(?:(?:so|and|but|ok|okay|hmm|well|wait)[,\s]+)*(?:what|why|how|when|where|who|which|"
        r"should|shall|"
        r"is|are|was|were|do(?!n't| not)|does|did|has|have)(?:n't)?\s+"
        r"(?:i|we|you|it|they|he|she|this|that(?! \w+ (?:is|are) the)|these|those|about|come|is|are|was|were|do|does|"
        r"did|would|"
        r"should|can|could|will|happens?|happened|exactly|much|many|long|kind|else)\b"
        r"|^(?:(?:so|and|but|ok|okay|hmm|well|wait)[,\s]+)*(?:what|why|how|where|who|which|is|are|was|were|does|did|"
        r"has|have)"
        r"\s+(?:the|a|an|my|your|our|there)\b"
        r"|^(?:(?:so|and|but|ok|okay|hmm|well|wait)[,\s]+)*(?:can|could|would|will)(?:n't)?\s+"
        r"(?:i|we|it|they|he|she|this|that|these|those|the|there|a|an|my|your|our)\b"
    ),
    hedge=words(
        r"not sure|unsure|not certain|maybe|might|perhaps|possibly|probably|i wonder|wondering|what if|"
        r"whether (?:to|we|i|you)|suppose|"
        r"supposing|imagine|hypothetically|in theory|if (?:we|i|you|they|it) (?:ever |only )?(?:used?|went|go|were|"
        r"had|did|"
        r"wanted|switch(?:ed)?|kept|moved|chose|picked)|would be|would have|could also|could (?:use|go|keep|switch|"
        r"move|try)|"
        r"we could|i could|i guess|i suppose|i think we should(?: maybe)?|not convinced|"
        r"thinking (?:of|about)|considering|consider|torn between|should we|do we|shall we|"
        r"i have a feeling|(?:i|it) feels? like|(?:it )?seems?(?: like)?|looks? like|iirc|iiuc|afaik|afaict|"
        r"didn't (?:say|decide|ask|want)|did not (?:say|decide|ask|want)|never (?:said|asked|told|decided)|"
        r"used to|for example|for instance|e\.g\.|say,|in case you|let's see|some people|one could|"
        r"any (?:reason|idea|thoughts?)|am i"
    ),
    joke=anywhere(
        r"\b(?:lol|lmao|rofl|haha\w*|hehe\w*|jk|just kidding|kidding|joking|/s)\b|[😂🤣😆😜😉🙃]|[;:]-?\)|\bxd\b"
    ),
    reported=words(
        r"(?:docs?|documentation|readme|article|blog|post|book|tutorial|guide|linter|compiler|error|warning|message|"
        r"log|"
        r"output|stack ?overflow|reviewer|comment|changelog|issue|it|he|she|they|someone|somebody|everyone|people|"
        r"who|boss)"
        r"(?: \w+)?(?: that)? (?:says?|said|reads?|claims?|claimed|suggests?|suggested|recommends?|recommended|told|"
        r"tells|"
        r"states?|stated|complains?|wrote|writes|insists?)|according to|quote|saying"
    ),
    moment=words(
        r"yet|right now|just now|this time|at the moment|for a (?:second|moment|minute)|until i (?:say|tell|come|get|"
        r"am)|"
        r"before i|today|tonight|this (?:session|chat|conversation)|till i"
    ),
    choice=anywhere(
        rf"\b(?:let's|lets|let us)\s+(?:just |rather |then |instead |please |also |simply |definitely )*(?:{_VERB})\b"
        rf"|\bwe(?:'ll| will| shall|'re going to| are going to| should(?: just| really)?)\s+(?:just |then |instead |"
        rf"now |"
        rf"always |never |only )*(?:{_VERB})\b"
        r"|\b(?:we|i|the team|team)(?:'ve| have|'re| are|'d| had)?\s+(?:all |now |just |already |finally )*"
        r"(?:decided|agreed|settled|opted)\s+(?:to|on|for|that|against|not)\b"
        r"|\b(?:we|i|the team|team)(?:'ve| have|'d| had)?\s+(?:all |now |just |already |finally )*(?:decided|agreed)\s+"
        r"(?:in|at|during|with|last|yesterday|together)\b[^.,;:?!]{1,40}?\s(?:to|that|on|against)\s"
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
        r"|^(?!(?:that|this|it|what|which|there)\b)[\w`.+/-]+(?: \w+){0,3} is (?:enough|overkill|plenty|good enough)\b"
        rf"|{_START}(?!(?:what|why|how|it|this|that|i|we|you|they|he|she|there|the|a|an|is|are|was|does|did|"
        r"try|open|show|look|check|read|see|go|do|say|print|give|run (?:it|this|that|the))\b)[a-z]+ "
        r"(?:[^,.;?!]{2,70}? )?instead\b(?! of (?:that|this|it)\b)(?!\?)"
        r"|\bwe(?:'re| are) (?:dropping|keeping|switching to|moving to|going with|sticking with|standardi[sz]ing on|"
        r"not going to)\b"
    ),
    rule=anywhere(
        rf"{_START}(?:never|always|don't|do not|no need to ever)\s+(?:ever |again )?(?!(?:{_MENTAL})\b)"
        r"(?!(?!need|feed|embed|seed|exceed|proceed)\w+ed\b)(?!\w*[^s]s\b)[a-z]+\b"
        r"|\b(?:we|you)\s+(?:never|always)\s+(?:ever )?(?:use|commit|push|deploy|log|store|run|merge|write|mock|ship|"
        r"return|add|put|name|squash|rebase|test|check|format|import|expose|call|pin|tag|release)\b"
        r"|\b(?:must|should|shall|may) (?:not ever|never|always|only|stay|remain)\b|\bmust not\b|\bmustn't\b"
        r"|\b(?:we|you) (?:should not|shouldn't|can't|cannot)\s+(?:ever )?(?:use|commit|push|deploy|log|store|merge|"
        r"write|"
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
        r"|\b(?:is|are) (?:forbidden|off[- ]limits|not allowed|banned|read-only)\b"
    ),
    bare=anywhere(
        rf"(?:{_START}|{_PLACED})(?:use|keep(?! (?:going|trying|working|digging|looking|at it|it up|in mind|moving|"
        rf"an eye|me|you|us)\b)|"
        r"prefer|avoid|default to|stick (?:with|to)|go with|treat|pin|return|store|name|call|"
        r"leave (?:\S+ ){1,6}(?:as|in|out|on|off|unchanged|untouched|where))\b"
        r"|\byou should (?:use|keep|store|return|call|name|prefer|avoid|pin|treat)\b"
        r"|\b(?:i|we) want (?:to (?:use|keep|store|stay)|it (?:to|in|on|as)|\S+(?: \S+){0,4} to (?:stay|remain|be))\b"
    ),
    scope=words(
        r"for (?!me\b|now\b|that\b|this\b|it\b|you\b)\w+|everywhere|in all|across|throughout|only|by default|always|"
        r"until|"
        r"till|in (?:the|this|our|these)|as (?:the|a|our)|when|whenever|unless|except|at (?:most|least)|no more than|"
        r"without|in (?:prod|production|"
        r"tests?|ci)|while|so|from"
    ),
    correction=anywhere(
        r"^(?:(?:wait|hm+|oh|sorry|ah|but|ok)[,.! ]+)*(?:no+|nope|nah|actually|wrong|not quite|incorrect|"
        r"not like that|that's (?:wrong|not right|"
        r"not it))\b[\s,.!:;—–-]+"
    ),
    contrast=(
        words(
            r"(?:use|go with|pick|choose|keep|prefer|rather have|rather use|take|return|store|switch(?:ing)? to|want|"
            r"adopt|"
            r"going with|decided on|decided to use|settled on|have|call|name|put|"
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
            r"(?:switch|move|migrate|"
            r"change)(?:ing)? (?:\S+ )?from\s+(?P<other>[^,.;:!?]{2,60}?)\s+to\s+(?P<taken>[^,.;:!?]{2,60}?)"
            r"(?=\s+(?:for|because|since|as|so|when|if|in|until|on|here|please)\b|\s*[,.;:!?(—–]|\s*$)"
        ),
        words(
            r"replace\s+(?P<other>[^,.;:!?]{2,60}?)\s+with\s+(?P<taken>[^,.;:!?]{2,60}?)"
            r"(?=\s+(?:for|because|since|as|so|when|if|in|until|on|here|please)\b|\s*[,.;:!?(—–]|\s*$)"
        ),
    ),
    reason=anywhere(
        r"(?:,\s*|\s+|\s*[—–(]\s*)(?:because|since (?!\d|then|last|yesterday|monday|the (?:last|first|beginning))|"
        r"so that|"
        r"due to|otherwise|as (?:we|it|they|that|this|there|otherwise) |given that|in order to)\b.+$"
        r"|\s*(?:[—–;:]|\s-\s)\s*(?=(?:it|that|this|they|we|the|those|these|there|otherwise|our)\b).+$"
        r"|\s+so (?:they|it|we|users|nobody|nothing|people|you|there)\b.+$"
        r"|,\s*(?:nobody|no one|those \w+ (?:is|are)|those are|these are|two \w+ \w+ (?:is|are)) .+$"
        r"|,\s*(?:so (?!that)|otherwise |it's |it is |they're |that's |we (?:have|don't|need|can't|already) ).+$"
        r"|^(?:because|since|the reason|that way|otherwise|reason:).+$"
    ),
    reason_first=False,
    because=anywhere(
        r"^(?:because|since|the reason|reason:|otherwise|that way|it|they|that|this|those|we|there|our|"
        r"the)\b|^[^,;]{2,40} (?:is|are) (?:just |simply |way )?too \w+"
    ),
    therefore=anywhere(r"^(?:so|therefore|hence|thus|that's why)\b"),
    filler=anywhere(
        r"^(?:(?:yes|yeah|yep|yup|no+(?=[\s]*[,.!:;—–]|\s-|\s+(?:use|keep|it|we|don't|do|never|the|that|this|please|"
        r"store|make|i)\b)|nope|nah|ok|okay|sure|right|great|good|perfect|thanks|thank you|cool|nice|hmm+|hm|well|"
        r"so|and|but|also|actually|wait|oh|ah|hi|hello|hey(?: claude)?|alright|fine|please|then|now|sorry|just|"
        r"omfg|omg|wtf|(?:my )?dude|bro|jesus|ffs|fuck(?:ing hell)?|holy shit|damn|ugh|argh|btw|yo|nah|anyway|last one|"
        r"next(?: one| up)?(?=\s*[,:.])|agreed|on (?:second thoughts?|reflection)|come to think of it|scratch that|"
        r"(?:now that i(?:'m| am)? )?think(?:ing)? about (?:it|this|that)(?: again| more| some more)?(?=\s*[,:;])|"
        r"why [\w-]+(?=, )|(?:one|one more|another|last|final) thing(?: for the future| to remember|"
        r" to note)?(?=\s*:))\b"
        r"(?!-)[\s,.!:;—–-]*)+"
    ),
    ask=anywhere(
        r"^(?:can|could|would|will) you (?:please |also |maybe |kindly |now |then |just |help me )*"
        r"|^(?:in|for|on|at) [^,.?!]{3,50}? (?:make sure|ensure|please) (?:that |you |to )*"
        r"|^(?:i think )?(?:our|the|this|these|all|every) (?:\w+ ){1,3}needs? (?!to\b|you\b|it\b|this\b|that\b|"
        r"help\b|more time)"
        r"|^(?:can|could) we (?:please )?(?=(?:get rid of|add|have an?|have the)\b)"
        r"|^(?:please|pls|plz)\s+(?:also |now |just )*"
        r"|^(?:i|we)(?:'d| would)? (?:really |also |still |just |now )*(?:want|need|"
        r"like)(?: you)?(?: us)? to (?:be able to )?"
        r"|^(?:i|we)(?:'d| would)? (?:really |also |still |just )*(?:want|need) "
        r"(?!to\b|you\b|it\b|this\b|that\b|us\b|help\b|more time)"
        r"|^(?:i|we)(?:'d| would) (?:really |also )?like (?=(?:the|a|an|all|every|each|our|some|more)\b)"
        r"|^(?:i'm|i am|my) (?:most|mostly|mainly|really|primarily|main|biggest) (?:concerned|interested|worried|"
        r"concern|goal|"
        r"priority) (?:with|in|about|is)(?: that| to)? "
        r"|^(?:make sure|ensure|be sure|don't forget to|remember to)\s+(?:that |you |to )?"
        r"|^(?:the (?:goal|idea|task|plan|requirement|point) is (?:to|that) )"
        r"|^(?:we (?:should|must|have to)|you (?:should|must|need to)) (?:also )?(?=(?:add|support|handle|implement|"
        r"expose|"
        r"validate|document|test|cover|allow|provide|write|show|fix)\b)"
        r"|^(?=(?:(?!(?:it|that|this|these|those|i|we|you|he|she|they|there|what|who|which|how|why|maybe|so|if|when|"
        r"then|do|does|"
        r"did|can|could|would|will|is|are|was|shall|let|think)\b)[\w`'./()-]+ ){1,6}?(?:should|must|needs? to|has to|"
        r"have to) "
        r"(?!be (?:fine|ok|okay|enough|running|there|done|good|ready|able)|work\b|pass\b|help\b|now\b|have been|"
        r"already))"
        r"|^i think (?:we|you|it) (?:should|need to|must) (?:also )?"
        r"|^(?:there should be|it should (?:also )?(?=\w+)|it must (?=\w+)|it would be (?:nice|great|good) (?:if|to) )"
        r"|^(?:next,? |now,? |then,? )*let's (?:do|build|tackle|implement|work on|start (?:with|on)|add|get|make) "
        r"(?!(?:it|that|this|so|some|sure|a (?:quick|break|recap))\b)"
        r"|^(?:help me (?:to )?)(?=(?:add|build|create|implement|write|fix|set|migrate|port|convert|rewrite)\b)"
    ),
    suggest=anywhere(
        r"^(?:(?:so|but|and|ok|hm+|also|well|wait|actually|like|then|oh)[,\s]+)*(?:can|could|can't|couldn't|should|"
        r"shouldn't) "
        r"(?:we|you|it|this|that|i)\b|\bhow about\b|\bwhat if (?:we|you|it)\b|\bwhy (?:don't|not) (?:we|you|just)\b"
        r"|\bwould it make sense to\b|\b(?:would|might) it be (?:better|nicer|possible|cleaner) (?:to|if)\b"
        r"|\bi(?:'d| would) (?:expect|assume|think|imagine|like|want)\b|\b(?:it|they|that|this|these|"
        r"\w+s?) should (?:be|use|return|"
        r"live|go|have|take|just)\b|\b(?:we|you) (?:should|need to|have to|want to|could|can) (?:just |also |"
        r"really )?\w+"
        r"|\b(?:would be|be) (?:nice|great|good|better|cool) (?:to|if)\b"
    ),
    imperative=words(
        r"(?:add|implement|create|build|make|fix|support|write|update|refactor|rename|remove|delete|change|move|"
        r"extract|"
        r"convert|migrate|handle|allow|replace|rewrite|port|expose|document|validate|split|introduce|integrate|wire|"
        r"hook|"
        r"generate|improve|reduce|optimi[sz]e|speed|cache|limit|enable|disable|set|turn|clean|drop|redesign|design|"
        r"configure|package|publish|translate|normali[sz]e|parse|render|encrypt|hash|sort|show|display|cover|teach|"
        r"get (?:the|our|all|these)|let (?:the|users|people|a)|have the|give (?:the|each|every|users|it)|get rid of|"
        r"bring back|put|print|rework|upgrade|bump|restructure|reorgani[sz]e|simplify|adjust|adapt|extend|complete|"
        r"provide|include|swap|unify|patch|repair)"
    ),
    condition=anywhere(r"^(?:when|whenever|if|for|in|on|after|before|once|unless|instead of|to)\b"),
    pronoun=words(r"it|they|them|this|that(?! \w+ )|those|these|both"),
    bug=anywhere(
        r"\b(?:is|are|was|were|looks?|seems?) (?:still |completely |totally |always |also )*(?:wrong|broken|missing|"
        r"incorrect|stale|"
        r"off by|duplicated|corrupted|too (?:slow|big|small|long|short)|not (?:shown|updated|saved|working|loading|"
        r"sent))\b"
        r"|\b(?:doesn't|don't|does not|do not|isn't|aren't|never) (?:work|show|update|load|match|save|render|fire|"
        r"trigger|respect|"
        r"handle|return|close|start|being|get|adhere|comply|conform|follow|obey|honou?r)\w*\b|\bshows? (?:a |an |"
        r"the )?(?:blank|white|empty|wrong|stale|old)\b|"
        r"\b(?:fails|crashes|throws|hangs|breaks|leaks|times out|freezes)\b|\b(?:arrives?|sent|shown|runs?|fires?|"
        r"charged|counted) twice\b"
    ),
    fleeting=anywhere(
        r"^(?:run|re-?run|continue|proceed|go|retry|try|commit|push|pull|merge (?:it|this|the branch|the pr|to)|rebase|"
        r"show me|explain|tell|describe|look|check|double[- ]check|read|open|list|find|search|grep|think|rank|give me|"
        r"summari[sz]e|wait|stop|start|restart|undo|revert|install|verify|confirm|see (?:if|what|why|how|whether|"
        r"you)|let me|review|analy[sz]e|investigate|"
        r"debug|compare|answer|say|repeat|remember|help|take a|attach|paste|keep going|carry on|finish|do (?:it|that|"
        r"this|so|the same)|pick up|resume|"
        r"use|inspect|take a look|walk me|send|print out|write (?:me|down)|make (?:a|the) commit|create (?:a|"
        r"the) (?:commit|pr|"
        r"pull request|branch)|open a|update (?:me|the todo|your)|remove (?:it|that|this)|delete (?:it|that|this)|"
        r"move on|clean (?:it|that|this) up|fix (?:it|that|this|them)|test (?:it|that|this)|"
        r"change (?:it|that|this) back|put (?:it|that|this) back|be (?:more|less|concise|brief)|know(?! to\b)|"
        r"understand|ask|"
        r"get back)\b"
    ),
    ephemeral=words(
        r"local var(?:iable)?s?|(?:in|on|of|to) (?:that|this|the same) (?:method|function|line|block|test|comment|"
        r"loop|branch)|"
        r"for me(?= then| and|,|$| to (?:try|test|edit|look|see|review))|open it|in (?:the |this |our )?chat|"
        r"(?:our|the|this) (?:entire |whole |full )?(?:chat|conversation)(?: history)?|i'll (?:edit|try|test|check|"
        r"look)|"
        r"(?:un)?staged changes?|uncommitted changes?|this diff|the diff|(?:last|previous|latest) commit|"
        r"this (?:branch|pr)|"
        r"(?:my|the) working (?:tree|copy)|stash|merge conflicts?|commit message|todo list"
    ),
    clause=anywhere(
        r",?\s+(?:so (?:that )?|"
        r"because |since (?!the |last |then|yesterday|\d|\w+day)|but |which |and then |otherwise )|\s+[—–(-]\s*|;\s+|"
        r",\s+(?=and |so |then )"
    ),
    assent=anywhere(
        r"^(?:(?:ah|oh)[\s,]+(?:ok|okay)?[\s,.!]*(?=(?:yes|yep|yeah|do (?:it|that)|go ahead|let's do|sounds)\b))?"
        r"(?:(?:yes|yep|yeah|yup|ya|sure|ok|okay|agreed|correct|absolutely|definitely|exactly|please do|do it|"
        r"do that|do so|"
        r"go ahead|go for it|go(?=\s*[.,!]|\s*$)|let's go|proceed|looks (?:good|great|amazing|perfect|fine)|(?:this|"
        r"that|it)(?: all)? looks "
        r"(?:good|great|amazing|perfect|fine)|love it|perfect(?=\s*[.,!]|\s*$)|start(?: implementing)?(?=\s*[.,!]|"
        r"\s*$)|let's do (?:it|that|this)|let's go with (?:it|that|this)|that works|works for me|"
        r"sounds (?:good|great|"
        r"right|fine)|lgtm|approved|fine by me|makes sense|i agree|ship it|perfect,? do it|great,? do it|good idea|👍)"
        r"(?:\s+(?:please|thanks|thank you|with that|then|do it|do that|go ahead|that|this))*(?:[\s,.!:;—–-]+|$))+"
    ),
    pick=anywhere(
        r"^(?:(?:yes|ok|okay|hmm|i think|let's|then|please|just)[\s,]+)*(?:go with|do|use|take|pick|choose|try|"
        r"i(?:'d| would)? (?:pick|choose|prefer|say|take|go with|like)|i'll (?:take|go with)|let's (?:do|go with|use|"
        r"take|pick))?\s*"
        r"(?:the )?(?:(?:option|choice|approach|plan|number|variant|solution|no\.?|#)\s*(?P<n>[1-9]|[a-d])\b|"
        r"(?P<word>first|second|third|fourth|last|former|latter)(?: (?:one|option|approach|choice|variant))?|"
        r"\(?(?P<bare>[1-9]|[a-d]))(?:\s+please|,? thanks)?\)?\s*(?=$|[.,;:!—–)-]|\s(?:yes|yeah|pls|please|only|"
        r"obviously|of course|definitely|clearly|then|for now|i think|sounds|because|since|as|but|and|is|sounds|"
        r"it|for)\b)"
    ),
    defer=words(
        r"(?:let's |we(?:'ll| can| should)? |i(?:'ll| will)? |to )?(?:decide|revisit|discuss|settle|figure (?:that|"
        r"this|it) out|"
        r"come back to (?:that|this|it|the question of \w+))(?: (?:that|this|it|on (?:that|this|it)|"
        r"about it))?\s*(?:\w+ )?"
        r"(?:later|another time|next (?:week|month|time|release|sprint)|after (?:the )?\w+|when \w+|once \w+|tomorrow|"
        r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|in (?:the|our) (?:next )?(?:meeting|sync|planning|"
        r"retro|standup|review))|"
        r"leave (?:that|this|it|the question(?: (?:of|about|whether|if|how|which|when) [\w ]+)?) open|"
        r"leave open (?:until|till|for)|(?:park|"
        r"table) (?:that|this|it|the \w+ (?:question|"
        r"discussion|idea))|"
        r"leave (?:that|this|it|the \w+(?: \w+)?) for (?:after|later|next|another|a)|(?:that|this|it|\w+) can wait|"
        r"(?:not|n't) (?:going to|want to|need to) decide (?:that|this|it)|decide (?:that|this|it) (?:today|now)|"
        r"(?:still )?undecided|tbd|(?:not|n't) (?:sure|decided) yet|open question|haven't decided|have not decided|"
        r"no decision (?:yet|for now)|on hold"
    ),
    failed=words(
        r"(?:that|this|it|your \w+|the \w+(?: \w+)?) (?:still )?(?:didn't|doesn't|does not|did not|won't) (?:work|"
        r"help|fix)|"
        r"still (?:fails?|failing|crashes|breaks|hangs|errors?|broken|red)|"
        r"(?:that|this|it|your \w+|the \w+ (?:change|fix|approach)) (?:broke|breaks|made)|revert (?:that|this|it|"
        r"the)|roll (?:that|it|this) back|"
        r"still (?:looks?|there|the same|happens?|happening|shows?|showing|wrong|not|no|see(?:ing)?|get(?:ting)?)|"
        r"(?:the )?same (?:error|problem|issue|result)(?: again)?|(?:no|nope),? (?:it|that|they) (?:isn't|doesn't|"
        r"didn't|don't|"
        r"is not|does not)|you (?:broke|fucked|messed|destroyed)|i (?:undid|reverted) (?:it|that|your)|"
        r"undo (?:that|the)|was a (?:mistake|dead end)|is (?:still )?broken (?:because|since|when|after)"
    ),
    refusal=anywhere(
        r"^(?:(?:hm+|ugh|wtf|dude|omg|sorry|but)[,.! ]+)*(?:no+|nope|nah|wrong|not quite)\b"
        r"(?!\s*(?:problem|worries|rush|idea|need|hurry|matter|more|other|new|longer|\w+ing\b))"
        r"|^(?:this|that|it)(?:'s| is)? (?:\w+ ){0,2}(?:wrong|stupid|bullshit|horrible|ugly|shit|not (?:it|right|"
        r"what))\b"
    ),
    works=anywhere(
        r"\b(?:(?:that|this|it)(?:'s| is| was)? (?:works?|worked|it|fixed it|did it|fixes it|gone)|"
        r"(?:works|working|fixed|gone|solved|perfect|passes|renders|looks (?:good|great|right|fine|better)|all good)"
        r"(?: now| again| for me| great| fine)?(?=\s*[,.!)]|\s*$)|"
        r"now (?:it |that |this |\w+ )?(?:works|renders|passes|runs|looks (?:good|great|right)))\b"
        r"|^(?:yep|yes|yeah|wow|nice|great|ok|cool|sweet)[,!. ]+(?:it )?(?:works|gone|fixed|better|everything works)\b"
    ),
    onward=anywhere(
        r"^(?:(?:ok(?:ay)?|yes|yep|yeah|sure|please|pls|now|alright|great|nice|good|cool|and|so|btw)[\s,.!]*)*"
        r"(?:(?:just )?(?:continue|go on|go ahead|carry on|keep going|proceed|resume|next|go|start implementing|"
        r"start|begin|"
        r"try again|again|retry|do it|do it all|yes do that)\b[^?]{0,60})?[\s.!,]*$"
    ),
    offer=anywhere(
        r"^(?:(?:so|then|ok|okay|alternatively|otherwise)[,\s]+)?(?:do you )?want me to |^would you (?:like|"
        r"prefer) (?:me )?to |"
        r"^(?:(?:so|then)[,\s]+)?(?:should|shall) (?:i|we) (?:go ahead and |also |now )?|^(?:can|may) i |"
        r"^is it (?:ok|okay|fine|alright) (?:if (?:i|we)|to) |^(?:ok|okay) (?:if i|to) |^how about (?:i |we |if (?:i|"
        r"we) )?|"
        r"^what if (?:i|we) |^do you want to |^would it (?:be (?:ok|okay)|make sense) (?:to|if (?:i|we)) "
    ),
    confirm=anywhere(
        r"^(?:(?:does|do|would) (?:that|this|it)(?: \w+)? (?:sound|work|look|make sense)|sound(?:s)? (?:good|ok|okay|"
        r"right)|"
        r"ok(?:ay)?\b|agreed|(?:any )?objections|is (?:that|this) (?:ok|okay|fine|acceptable|what you)|"
        r"what do you think|"
        r"(?:should|shall) i (?:proceed|continue|go ahead|start|do (?:it|that|this))|ready to (?:proceed|start)|"
        r"(?:do you )?want me to (?:proceed|continue|go ahead|start|do (?:it|that|this))|good to go|can i (?:proceed|"
        r"go ahead)|"
        r"would you like me to (?:proceed|continue|go ahead|start|do (?:it|that|this))|thoughts|proceed|"
        r"shall we)\b[^?]{0,40}\?"
    ),
    advice=anywhere(
        r"^(?:so |then |therefore |instead,? )?(?:i(?:'d| would)? (?:suggest|propose|recommend|"
        r"advise)(?: that)?(?: we| you| i)?|"
        r"my (?:suggestion|recommendation|proposal|preference)(?: is| would be)?(?: to| that we)?:?|"
        r"(?:the|my) plan(?: is)?(?: to)?:?|proposal:|recommendation:|we (?:could|can|should)|i(?:'d|"
        r" would)(?: rather)?)\s+"
    ),
    routine=anywhere(
        r"^(?:run|re-?run|continue|proceed|go ahead|go on|start|begin|commit|push|open (?:a|the)|create (?:a|"
        r"the) (?:commit|pr|"
        r"pull request|branch)|show|explain|elaborate|help|do (?:it|that|this|anything|something)|try again|know|see|"
        r"check|verify|test|stop|wait|keep going|summari[sz]e|also|clarify|walk you|take a look|merge|deploy|"
        # looking and mending at once is the next step of the work, not a choice that outlives it
        r"look (?:at|into|for|through)|dig|investigate|inspect|examine|debug|figure out|find out|"
        r"fix (?:it|this|that))\b"
    ),
    announce=anywhere(
        r"^(?:(?:now|ok|okay|great|good|perfect|next|first|alright|so|fuck|damn|but)[,.!]?\s+)*(?:let me|let's|i'll|"
        r"i will|i'm going to|"
        r"i am going to|now i|next,? i|going to|time to|here(?:'s| is) (?:what|the|a|how)|tell me|want me|you(?:'re|"
        r" are) "
        r"(?:absolutely |completely )?right|i understand|i see|got it|understood|sorry|apologies|my apologies|done|"
        r"now let|all (?:set|done))\b"
    ),
    belief=words(
        r"i (?:assume|suspect|think|believe|guess|expect)|probably|most likely|likely|presumably|should be|"
        r"my guess"
    ),
    finding=words(
        r"turns? out|turned out|i was (?:wrong|mistaken|looking (?:for|at|in) the wrong|using the wrong|"
        r"checking the wrong|"
        r"assuming)|(?:is|are|was|were) actually (?:necessary|needed|required|correct|wrong|not)|"
        r"(?:that|this|my) (?:earlier |previous |first |original )?(?:assumption|approach|fix|attempt|theory|"
        r"diagnosis) "
        r"(?:was|is|did not|didn't|doesn't|does not|won't|cannot|can't)|(?:didn't|doesn't|did not|does not|won't|"
        r"cannot|can't) "
        r"work (?:here |there )?(?:because|since|as)|(?:failed|fails|broke|breaks) because|contrary to what i|"
        r"not what i (?:assumed|expected|thought)|(?:that|this) was (?:wrong|backwards|a dead end)|i (?:had )?assumed"
    ),
    cause=words(
        r"(?:the )?(?:actual |real |root |underlying )?(?:problem|issue|cause|culprit|reason|bug|error|"
        r"failure) (?:is|was|comes from)|"
        r"root cause|because|caused by|due to|fails when|failed when|that's why|this is why|the fix (?:is|was)|"
        r"fixed by|"
        r"it needs|was missing|were missing|is missing|must be|has to be|have to be|only works|so the \w+"
    ),
    repaired=words(
        r"fixed|works(?! because)|working now|(?:now |all )?pass(?:es|ed|ing)?|resolved|solved|green|succeeds|"
        r"succeeded|"
        r"no longer (?:fails|breaks|crashes)"
    ),
    side=words(
        r"pros?|cons?|advantages?|disadvantages?|drawbacks?|downsides?|upsides?|trade-?offs?|on the other hand|however|"
        r"because|but it|cheaper|faster|slower|simpler|harder|easier|costs?|risks?|would (?:need|mean|require|cost|"
        r"break)"
    ),
    either=anywhere(r",?\s+or\s+"),
    ordinals=MappingProxyType(
        {"first": 0, "former": 0, "second": 1, "latter": -1, "third": 2, "fourth": 3, "last": -1}
    ),
)
