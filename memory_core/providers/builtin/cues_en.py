"""English cues. Data only: what each field means is said in `cues`."""

from __future__ import annotations

from types import MappingProxyType

from memory_core.providers.builtin import cues_en_asks as asks
from memory_core.providers.builtin import cues_en_decisions as decisions
from memory_core.providers.builtin import cues_en_turning as turning
from memory_core.providers.builtin.cues import Cues, anywhere, words

EN = Cues(
    question=anywhere(
        r"[?？]\s*[\"')\]]*$"
        r"|,\s*(?:right|correct|huh|eh|am i right)\W*$"
        r"|,\s*(?:do|does|did|is|are|was|were|has|have|can|will|would|should)(?:n't)? (?:i|we|you|it|they|he|she|that|"
        r"this|there)\W*$"
        r"|^(?:(?:so|and|but|ok|okay|hmm|well|wait)[,\s]+)*(?:what|why|how|when|where|who|which|"
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
    choice=decisions.CHOICE,
    rule=decisions.RULE,
    bare=decisions.BARE,
    scope=decisions.SCOPE,
    correction=decisions.CORRECTION,
    contrast=decisions.CONTRAST,
    reason=decisions.REASON,
    reason_first=False,
    because=decisions.BECAUSE,
    therefore=decisions.THEREFORE,
    filler=anywhere(
        r"^(?:(?:yes|yeah|yep|yup|no+(?=[\s]*[,.!:;—–]|\s-|\s+(?:use|keep|it|we|don't|do|never|the|that|this|please|"
        r"store|make|i)\b)|nope|nah|ok|okay|sure|right|great|good|perfect|thanks|thank you|cool|nice|hmm+|hm|well|"
        r"so|and|but|also|actually|wait|oh|ah|hi|hello|hey(?: claude)?|alright|fine|please|then|now|sorry|just|"
        r"omfg|omg|wtf|(?:my )?dude|bro|jesus|ffs|fuck(?:ing hell)?|holy shit|damn|ugh|argh|btw|yo|nah|anyway|last one|"
        r"next(?: one| up)?(?=\s*[,:.](?:\s|$))|agreed|on (?:second thoughts?|reflection)|"
        r"come to think of it|scratch that|"
        r"(?:now that i(?:'m| am)? )?think(?:ing)? about (?:it|this|that)(?: again| more| some more)?(?=\s*[,:;])|"
        r"why [\w-]+(?=, )|(?:one|one more|another|last|final) thing(?: for the future| to remember|"
        r" to note)?(?=\s*:))\b"
        r"(?!-)[\s,.!:;—–-]*)+"
    ),
    ask=asks.ASK,
    suggest=asks.SUGGEST,
    lead=asks.LEAD,
    imperative=asks.IMPERATIVE,
    condition=asks.CONDITION,
    pronoun=asks.PRONOUN,
    bug=asks.BUG,
    fleeting=asks.FLEETING,
    ephemeral=asks.EPHEMERAL,
    clause=asks.CLAUSE,
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
        turning.PUT_OFF + "|"
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
        r"(?:the )?same (?:error|problem|issue|result|thing)(?: again)?|"
        r"(?:no|nope),? (?:it|that|they) (?:isn't|doesn't|"
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
