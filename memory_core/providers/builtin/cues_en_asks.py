"""English cues of what a person asks for, or tells of as broken. Data only: what each means is said in `cues`."""

from __future__ import annotations

from memory_core.providers.builtin.cues import anywhere, words

ASK = anywhere(
    r"^(?:can|could|would|will) you (?:please |also |maybe |kindly |now |then |just |help me )*"
    r"|^(?:in|for|on|at) [^,.?!]{3,50}? (?:make sure|ensure|please) (?:that |you |to )*"
    r"|^(?:i think )?(?:our|the|this|these|all|every) (?:\w+ ){1,3}needs? (?!to\b|you\b|it\b|this\b|that\b|"
    r"help\b|more time)"
    r"|^(?:can|could) we (?:please )?(?=(?:get rid of|add|have an?|have the)\b)"
    r"|^(?:please|pls|plz)\s+(?:also |now |just )*"
    r"|^(?:i|we)(?:'d| would)? (?:really |also |still |just |now )*(?:want|need|"
    r"like)(?: you)?(?: us)? to (?!(?:go|switch|move|change) back to\b)(?:be able to )?"
    r"|^we(?:'ll| will) (?:also |still )?(?:need|have) to (?:also )?(?=support\b)"
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
)

SUGGEST = anywhere(
    r"^(?:(?:so|but|and|ok|hm+|also|well|wait|actually|like|then|oh)[,\s]+)*(?:can|could|can't|couldn't|should|"
    r"shouldn't) "
    r"(?:we|you|it|this|that|i)\b|\bhow about\b|\bwhat if (?:we|you|it)\b|\bwhy (?:don't|not) (?:we|you|just)\b"
    r"|\bwould it make sense to\b|\b(?:would|might) it be (?:better|nicer|possible|cleaner) (?:to|if)\b"
    r"|\bi(?:'d| would) (?:expect|assume|think|imagine|like|want)\b|\b(?:it|they|that|this|these|"
    r"\w+s?) should (?:be|use|return|"
    r"live|go|have|take|just)\b|\b(?:we|you) (?:should|need to|have to|want to|could|can) (?:just |also |"
    r"really )?\w+"
    r"|\b(?:would be|be) (?:nice|great|good|better|cool) (?:to|if)\b"
)

LEAD = anywhere(
    r"^(?:(?:but|and|so|also|well|then|ok|okay|alright|hm+|actually)\b[\s,]+)*"
    r"(?:i(?:'d| would)? (?:think|guess|suppose|believe|reckon|assume|imagine|say)(?: that)? (?!so\b|not\b))?"
    r"(?:how about (?:you |we )?(?:just )?"
    r"|(?:can|could|can't|couldn't) we (?:please |just |also |maybe )*(?:have (?=(?:an?|the|some) ))?"
    r"|why (?:don't|not) (?:we |you )?(?:just )?"
    r"|would it (?:make sense|be (?:better|nicer|nice|possible|cleaner|good)) to )?"
)

IMPERATIVE = words(
    r"(?:add|implement|create|build|make|fix|support|write|update|refactor|rename|remove|delete|change|move|"
    r"extract|"
    r"convert|migrate|handle|allow|replace|rewrite|port|expose|document|validate|split|introduce|integrate|wire|"
    r"hook|"
    r"generate|improve|reduce|optimi[sz]e|speed|cache|limit|enable|disable|set|turn|clean|drop|redesign|design|"
    r"configure|package|publish|translate|normali[sz]e|parse|render|encrypt|hash|sort|show|display|cover|teach|"
    r"get (?:the|our|all|these)|let (?:the|users|people|a)|have the|give (?:the|each|every|users|it)|get rid of|"
    r"bring back|put|print|rework|upgrade|bump|restructure|reorgani[sz]e|simplify|adjust|adapt|extend|complete|"
    r"provide|include|swap|unify|patch|repair)"
)

CONDITION = anywhere(r"^(?:when|whenever|if|for|in|on|after|before|once|unless|instead of|to)\b")

PRONOUN = words(r"it|they|them|this|that(?! \w+ )|those|these|both")

BUG = anywhere(
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
)

FLEETING = anywhere(
    r"^(?:run|re-?run|continue|proceed|go|retry|try|commit|push|pull|merge (?:it|this|the branch|the pr|to)|rebase|"
    r"show me|explain|tell|describe|look|check|double[- ]check|read|open|list|find|search|grep|think|rank|give me|"
    r"summari[sz]e|wait|stop|start|restart|undo|revert|install|verify|confirm|see (?:if|what|why|how|whether|"
    r"you)|let me|review|analy[sz]e|investigate|"
    r"debug|figure out|find out|put a breakpoint|compare|answer|say|repeat|remember|help|take a|attach|paste|"
    r"keep going|carry on|finish|do (?:it|that|"
    r"this|so|the same)|pick up|resume|"
    r"use|inspect|take a look|walk me|send|print out|write (?:me|down)|make (?:a|the) commit|create (?:a|"
    r"the) (?:commit|pr|"
    r"pull request|branch)|open a|update (?:me|the todo|your)|remove (?:it|that|this)|delete (?:it|that|this)|"
    r"move on|clean (?:it|that|this) up|fix (?:it|that|this|them)|test (?:it|that|this)|"
    r"change (?:it|that|this) back|put (?:it|that|this) back|be (?:more|less|concise|brief)|know(?! to\b)|"
    r"understand|ask|"
    r"get back)\b"
)

EPHEMERAL = words(
    r"local var(?:iable)?s?|(?:in|on|of|to) (?:that|this|the same) (?:method|function|line|block|test|comment|"
    r"loop|branch)|"
    r"for me(?= then| and|,|$| to (?:try|test|edit|look|see|review))|open it|in (?:the |this |our )?chat|"
    r"(?:our|the|this) (?:entire |whole |full )?(?:chat|conversation)(?: history)?|i'll (?:edit|try|test|check|"
    r"look)|"
    r"(?:un)?staged changes?|uncommitted changes?|this diff|the diff|(?:last|previous|latest) commit|"
    r"this (?:branch|pr)|"
    r"(?:my|the) working (?:tree|copy)|stash|merge conflicts?|commit message|todo list"
)

CLAUSE = anywhere(
    r",?\s+(?:so (?:that )?|"
    r"because |since (?!the |last |then|yesterday|\d|\w+day)|but |which |and then |otherwise )|\s+[—–(-]\s*|;\s+|"
    r",\s+(?=and |so |then )"
)
