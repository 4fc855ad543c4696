"""English cues of a mind that turns back, and of a question that is put off. Data only: parts of other cues."""

from __future__ import annotations

# What one goes back to in the work of the moment: a place in the code, the talk or the history.
_PLACE = (
    r"(?!(?:(?:the|that|this|my|your|our|a|an) )?(?:\w+ )?(?:previous|last|earlier|commits?|versions?|states?|other|"
    r"main|master|trunk|develop|branch(?:es)?|tabs?|files?|steps?|start|beginning|points?|questions?|topics?|tasks?|issues?|"
    r"plans?|list|work|sleep|bed|business|head|bugs?|errors?|tests?|basics|page|screen|drawing board|normal|zero|"
    r"square|login|home|you|me|us|conversation|chat|discussion|original)\b)"
    r"(?!(?:that|this|it|what|where|when|how|these|those|them|him|her|[\d`]|HEAD)\b)"
)
_BACK = (
    r"(?:(?:go|going|switch|switching|move|moving|change|changing|roll|rolling|come|coming) back"
    r"(?: (?:over|again))?(?: from [^,.;:?!]{2,40}?)? to|(?:return|returning|revert|reverting|fall back|falling back)"
    r"(?: from [^,.;:?!]{2,40}?)? to)"
)
_WHO = (
    r"(?:(?:let's|lets|let us|we|we(?:'re|'ll|'d)|we (?:will|should|are|want to|have to|need to)|"
    r"i(?:'d like| want| would like) (?:us )?to|i say we|i think we should)\s+(?:just |now |rather |better |then )*)"
)
_ENDED = r"(?:scrap|drop|ditch|kill|abandon|undo|undoing|forget|remove|dump|no more) [^,.;:?!]{2,50}?"
# A choice only with a reason, a contrast or a scope beside it.
GOES_BACK_BARE = (
    rf"^(?:(?:ok|okay|so|and|but|please|then|no|yes|actually|alright)\b,?\s+)*(?:{_BACK}|back to) {_PLACE}\S"
)
GOES_BACK = (
    rf"\b{_WHO}{_BACK} {_PLACE}\S"
    rf"|{GOES_BACK_BARE}[^?]*(?:,\s|\sinstead\b)"
    r"|^(?:(?:ok|okay|so|and|but|actually|sorry)\b,?\s+)*(?:i(?:'ve| have)? )?changed my mind\b.{8,}"
    rf"|^(?:(?:ok|okay|so|and|but|please|then|no|yes|actually|let's|we)\b,?\s+)*{_ENDED}"
    rf"(?:[,;:]\s*(?:and |so |then )?|\s+and )(?:we |let's |we'll )?(?:{_BACK} {_PLACE}\S|(?:use|go with|"
    r"stay (?:on|with)|stick (?:with|to)|keep) (?!(?:it|that|this|going|the rest)\b)\S)"
)

_THING = r"((?:the|a|an|our|whether|which|what|how|if|where|who)\b[^,.;:?!]{2,70}?)"
_LATER = (
    r"(?:later|another time|some other time|tomorrow|separately|at the end|before deciding|before we decide|"
    r"next (?:week|month|quarter|year|sprint|release|time)|in (?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december|the next \w+)|(?:after|once|when|until|till) [^,.;?!]{2,40}|"
    r"with (?:the )?[^,.;?!]{2,30} (?:first|before)\b)"
)
_SETTLE = (
    r"(?:decide|settle|agree|choose|pick|figure out|work out|sort out|discuss|revisit|talk about|think about|"
    r"come back to|look at|commit to|vote on)(?: on| about)?"
)
# Groups hold what is put off.
PUT_OFF = (
    rf"(?:let's|we|i|we'll|i'll|we(?: can| could| should| will)|i(?: will| should)) {_SETTLE} {_THING} {_LATER}"
    rf"|(?:not now|not today|not yet|later) (?:on|for|about|with) {_THING}(?=\s*[,.;!]|\s*$)"
    r"|(?:park|table|shelve|postpone|defer|put off|adjourn) (the [^,.;:?!]{2,60}?(?:discussion|question|decision|topic|"
    r"idea|choice|debate)(?: (?:on|about|of|for) [^,.;:?!]{2,50})?)(?=\s*[,.;!]|\s*$|\s+(?:until|till|for|to)\b)"
    rf"|(?:postpone|defer|put off|delay) (?:the )?(?:decision|choice|discussion|question) (?:on|about|of|for) "
    r"([^,.;:?!]{2,60})"
    r"|(?:no|not a) (?:final )?(?:decision|verdict|conclusion) (?:on|about|for|regarding) ([^,.;:?!]{2,60}?) "
    r"(?:yet|so far|for now|until)"
    r"|(?:haven't|have not|hasn't|didn't|not)(?: yet| really)? (?:settled|decided|agreed)(?: yet)?"
    r"(?: (?:on|about|whether|which|how|between)) ([^,.;:?!]{2,60})"
    r"|((?:whether|which|how|where|who|if) [^,.;:?!]{3,80}?|the (?:question|choice|decision|name|naming|matter)\b"
    r"[^,.;:?!]{3,80}?) (?:is|are|remains?|stays?) (?:still |yet )?(?:an? )?(?:open(?: question)?|undecided|unresolved|"
    r"unsettled|up in the air|to be decided|not (?:yet )?(?:decided|settled|clear))"
    r"|leave (the [^,.;:?!]{2,50}?(?:question|decision|topic|discussion|choice)) (?:open|for|until|to)"
    r"|(?:hold off|wait) (?:on|with) (?:choosing|deciding|picking|settling|committing to|naming)(?: on| about)? "
    r"([^,.;:?!]{2,60}?) (?:until|till|before|for now)"
    r"|(?:don't|not|do not)(?: want to| going to| need to| have to)? (?:settle|decide|choose|pick|"
    r"commit to)(?: on| about)? ((?:a|an|the|whether|which|how|our)\b [^,.;:?!]{2,60}?) (?:today|now|yet|this week|"
    r"just yet|right now|at this point)"
    rf"|(?:we'll|we will|let's|i'll) see about ([^,.;:?!]{{2,60}}?) {_LATER}"
    r"|torn between ([^,.;:?!]{2,60} and [^,.;:?!]{2,40})"
)
