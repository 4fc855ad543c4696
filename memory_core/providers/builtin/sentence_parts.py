"""A sentence taken apart: what is chosen and why, what was weighed, and all of it without the words it begins with.

Takes apart only; whether a sentence decides anything is `deciding`'s business.
"""

from __future__ import annotations

import re

from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.sentences import Sentence, capitalized, weight

LEAST_SAID = 2  # content words below which a sentence does not say what was chosen
_POINTS_BACK = re.compile(r"それ|これ|そっち|こっち|そちら|그걸|그것|이걸")
_TAIL = re.compile(
    r"[\s,]+(?:though|tho|pls|plz|please|thanks|thx|thank you|btw|lol|haha|ok|okay|k)(?=\W*$)", re.IGNORECASE
)
# What is denied behind it is said of the choice, and was not weighed against it: `tabs but it's | not important`.
_NO_SIDE = re.compile(r"\b(?:but|it'?s|that'?s|is|are|was|were|i'?m|we'?re|does|do)$", re.IGNORECASE)
# `That's a dead end; we keep X`: what follows is the choice, not a reason.
_KEEPS = re.compile(
    r"(?:so |then |and )?(?:we|let's)(?:'ll)? (?:just )?(?:keep (?!\w+ing\b)|stay (?:on|with)\b|stick (?:with|to)\b)",
    re.IGNORECASE,
)
_THATS_WRONG = re.compile(
    r"^(?:that|this|it)(?:'?s| is) (?:wrong|not right|incorrect|not true)\s*[:,;—–-]\s*", re.IGNORECASE
)


def parted(text: str, cues: Cues) -> tuple[str, str]:
    """(what is chosen, why): a sentence cut where its reason begins or ends; the reason empty where it gives none."""
    body = _THATS_WRONG.sub("", without_filler(text, cues))
    match = cues.reason.search(body)
    if not match:
        return capitalized(body), ""
    reason = match.group().strip(" ,;:—–-(，、；。")
    if not cues.reason_first and _KEEPS.match(reason):
        return capitalized(body), ""
    rest = body[match.end() :] if cues.reason_first else body[: match.start()]
    if cues.reason_first and _POINTS_BACK.search(rest):
        return capitalized(body), ""  # what `it` is stands in the reason
    rest = rest.strip(" ,;:—–-(，、；")
    if weight(rest) < LEAST_SAID:
        return capitalized(body), ""
    return capitalized(rest), capitalized(reason.rstrip(")"))


def without_filler(text: str, cues: Cues) -> str:
    """The text without the interjections and connectives it begins with."""
    stripped = _TAIL.sub("", cues.filler.sub("", text, count=1)).lstrip(" ,、，")
    return stripped if weight(stripped) else text


def options_of(sentence: Sentence, cues: Cues) -> list[str]:
    """What was weighed against what, where the sentence names both: the chosen one first."""
    for cue in cues.contrast:
        if match := cue.search(sentence.text):
            pair = [match["taken"].strip(" 、，"), match["other"].strip(" 、，")]
            if all(pair) and not _NO_SIDE.search(pair[0]) and all(len(side.split()) <= 9 for side in pair):
                return pair
    return []
