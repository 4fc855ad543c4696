"""What a decision's record is called and why it was made, from what was said: a picked name becomes a sentence, and a
reason that hangs on the choice goes to the reasons. Finds no decision.
"""

from __future__ import annotations

import re

from memory_core.providers.builtin.sentences import language_of, weight
from memory_core.providers.builtin.wording import titled
from memory_core.staging import CandidateRef, Decision

# A name as programs and formats have them: a capital beyond the first letter, a figure, a sign. A plain word may be
# anything, also what is to be done (`archive` or `delete`).
_NAME = re.compile(r"\S*(?:\S[A-Z]|\d|[.+#/_-])\S*$")
_TAKEN = r"\b(?:use|take|pick|choose|prefer|want|try|go with|switch to|stay with|stick with|keep)\s+(?:the )?`?"
_BECAUSE_OF = re.compile(r",?\s+(?=(?:because|due to)\b)", re.IGNORECASE)
# A clause with a subject of its own that judges: what is chosen is not what it tells of.
_JUDGES = re.compile(
    r",\s+(?=(?:the|its?|their|that|this|nobody|no one|[\w`.+#/-]+)\b[^,;]{0,60}\b"
    r"(?:(?:is|are|was|were|isn't|aren't|has|have) (?:\w+ ){0,2}(?:problems?|slow|slower|fast|faster|simpler?|easier|"
    r"harder|hard|cheaper|expensive|better|worse|broken|deprecated|unmaintained|abandoned|dead|overkill|risky|flaky|painful|"
    r"enough|AGPL|GPL|proprietary|out)|(?:doesn't|does not|can't|cannot|won't) \w+|costs? (?:too|more|less)|"
    r"knows?|trusts?|maintains?)\b[^,;]*$)",
    re.IGNORECASE,
)
_ENOUGH = 1  # content words of a choice


def title_and_reason(ref: CandidateRef, decision: Decision) -> tuple[str, str]:
    """What holds, as a title, and the reason as it was said; empty where none was given."""
    chosen, why = decision.chosen, decision.rationale
    if language_of(chosen) != "en":
        return titled(chosen), why
    chosen, own = _parted(chosen)
    if own and not why.strip():
        why = own
    elif own:
        chosen = decision.chosen  # both reasons are kept: the second one where it was said
    return titled(_as_choice(ref, decision, chosen)), why


def _parted(chosen: str) -> tuple[str, str]:
    """A choice and the reason that hangs on it, which may be empty."""
    for cut in (_BECAUSE_OF, _JUDGES):
        match = cut.search(chosen)
        if match and match.start() and weight(titled(chosen[: match.start()])) >= _ENOUGH:
            return chosen[: match.start()], chosen[match.end() :]
    return chosen, ""


def _as_choice(ref: CandidateRef, decision: Decision, chosen: str) -> str:
    """The name of a thing that was picked out of several, as a sentence: `use X instead of Y`."""
    name = chosen.strip(" `.!")
    others = [option for option in decision.options if option.casefold() != name.casefold()]
    names = [name, *others]
    if len(others) == len(decision.options) or not others or any(len(each.split()) != 1 for each in names):
        return chosen
    asked = re.compile(rf"{_TAKEN}(?:{'|'.join(map(re.escape, names))})(?![\w-])", re.IGNORECASE)
    if not any(map(_NAME.match, names)) and not any(asked.search(anchor.excerpt) for anchor in ref.candidate.evidence):
        return chosen
    return f"use {name} instead of {others[0]}" if len(others) == 1 else f"use {name}"
