"""English cues of what is not the speaker's own word, or not their last one. Data only; `passing` asks them."""

from __future__ import annotations

from memory_core.providers.builtin.cues import anywhere

# Any subject but the speaker that says or thinks something of how things are to be: a list of verbs, none of subjects.
REPORTED = anywhere(
    r"^(?:(?:hm+|ok|okay|so|but|and|btw|fyi|well|also)[\s,]+){0,3}(?!(?:i|we|let|make|if|when|please|no|note|the team|"
    r"our team)\b)(?:[\w'.-]+ ){1,4}?(?:still |also |always |only "
    r"|just )?(?:(?:keeps? )?(?:saying|telling (?:me|us))|says?|"
    r"said|thinks?|thought|believes?|believed|claims?|claimed|argues?|argued|insists?|insisted|reckons?|feels?|swears?|"
    r"(?:told|tells) (?:me|us))(?: that)? (?:we|you|one|it|they|never|always|don't|nobody"
    r"|everybody|everyone|all|the|our)\b"
    r"|\bi(?:'ve been| was| am| have been) told\b"
)
# What makes the other's word the speaker's own.
ADOPTED = anywhere(
    r"\b(?:he|she|they|\w+)(?:'s| is|'re| are)(?: probably)? right\b|\bi (?:fully "
    r"|totally )?agree\b|\bso (?:we|let's)\b"
    r"|\blet's do\b|\bgood point\b|\bfair (?:point|enough)\b"
)
# Behind a choice, what leaves it to the other or doubts it.
LEFT_TO_OTHERS = anywhere(
    r"(?:[,;.—–-]\s*|\bbut )(?:but |though |and )?(?:(?:it's|that's|it is|is)? ?(?:up to you|your (?:call|choice|pick|"
    r"decision)|not (?:that |so |really |very |too )?important|not a (?:big deal|must))|whatever|"
    r"(?:i |we )?(?:don't|do not) (?:really |much )?(?:care|mind)|no strong (?:opinions?|views?"
    r"|feelings?|preferences?)|"
    r"do (?:as|what|whatever|it how|it as) you (?:like|want|prefer|think|please)|(?:i'm |i am )?not convinced|"
    r"i (?:don't|do not) (?:get|see|know|understand) why|no idea why|which i find \w+|is that (?:so|true|right)|"
    r"i can live with (?:it|that|both|either))(?: though| really| either way| much| that much| best)?\W*$"
)
# A first step, or what is put off: it holds until something that the title would not say.
FIRST_STEP = anywhere(
    r"\bto (?:begin|start) with\b|\bfor (?:a|the) start\b|\bfor (?:the )?(?:first|initial) (?:version|release|cut|"
    r"iteration|draft|step)\b|\bfor (?:the )?(?:v ?[01]|mvp)\b"
    r"|\b(?:enough|plenty)\b[^.;]{0,40} until (?:we|i|they|somebody|someone|there)\b"
    r"|\blet's not [^.;,]{2,60}? (?:right )?now(?=\s*[,.;!]|\s*$)"
    r"|\blet's not \w+ (?:\w+ )?(?:that|this|it|those|these)\b[^.;,]{0,40}? (?:today|this week|before|until|till|yet)\b"
)
