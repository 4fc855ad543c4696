"""What a sentence of a person's asks for, and of what. Which asks outlive the moment is said in `requests`."""

from __future__ import annotations

import re

from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.deciding import decided
from memory_core.providers.builtin.passing import asks_for_nothing
from memory_core.providers.builtin.sentence_parts import without_filler
from memory_core.providers.builtin.sentences import Sentence, matching, weight
from memory_core.providers.builtin.turns import Turn

ENOUGH = 3  # content words of an ask; fewer point at something that only the moment shows
BRIEF = 6  # content words below which an ask needs the sentence before it
_AND = re.compile(r",\s+(?:and|but|then|also)\s+(?:also |then |please )*")
_TARGET = re.compile(
    r"`(?P<code>[^`\s][^`]{0,78}[^`\s]|[^`\s])`"
    r"|(?<![\w/.])(?P<path>(?:\.{0,2}/)?(?:[\w@.-]+/)+[\w@.-]*\w|/(?:[\w@{}:.-]+/)*[\w@{}:.-]+|[\w-]+\.(?:py|tsx?|"
    r"jsx?|rs|go|java|kt|rb|php|c|h|cpp|"
    r"cs|sh|sql|md|toml|ya?ml|json|html|s?css|vue|svelte|lua|proto|tf|txt|cfg|ini|lock))(?![\w/])"
    r"|(?<![\w.])(?P<name>--[a-z][\w-]+|[A-Za-z_]\w*\(\)|[a-z]+(?:_[a-z0-9]+)+|[a-z]+[A-Z]\w*|"
    r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?!\w)"
)
_BEGINS = re.compile(r"[,;:]\s+(?:(?:and|then|but|please|so)\s+)*|\band (?:then )?")
# Forms of an ask that Japanese, Chinese and Korean put at the end of a sentence, or at its start.
_WIDE_ORDER = re.compile(
    r"(?:[てで]|ないで|ように|ること|[てで](?:ね|よ|ほしい|欲しい))[。！!]*$|たい(?:です|んですが|のですが)?[。！!]*$"
    r"|(?:ください|下さい|くれ|もらえ\w{0,4}|いただけ\w{0,4}|しよう|しましょう)"
    r"|^(?:请|把|给|让|再|先|别|不要|改|加|删|迁移|支持|修|做|写|换|去掉|实现|添加)|(?:吧|一下)[。！!]*$"
    r"|(?:줘|주세요|세요|하자|합시다|해라|도록)[.!]*$"
)
# `support Windows too`: a name is all that is needed to know what is asked.
_SUPPORTS = re.compile(r"(?:also )?[Ss]upport `?(?=[A-Z0-9`])(?!I\b)\S")


def asked_in(turn: Turn) -> list[tuple[int, str]]:
    """(number of the sentence, what it asks for) of each lasting ask in a message."""
    return [
        (place, thing)
        for place, sentence in enumerate(turn.said)
        if not decided(turn, place) and (thing := _asked(sentence, turn.cues)) and not asks_for_nothing(sentence.plain)
    ]


def has_form_of_ask(plain: str, cues: Cues) -> bool:
    """Whether a sentence is worded as an ask at all: an order, a wish, a need, or a question whether to do something.
    How things are, and what is thought of them, is none."""
    body = matching(without_filler(plain, cues))
    if cues.ask.search(body) or cues.suggest.search(body):
        return True
    if cues.reason_first or not cues.condition.search("if"):
        return bool(_WIDE_ORDER.search(body))
    return any(cue.match(body[start:]) for start in _orders(body) for cue in (cues.imperative, cues.fleeting, cues.ask))


def orders_more(plain: str, cues: Cues) -> bool:
    """Whether a sentence orders something that says more than that what is wrong be mended: how, or what beside it."""
    body = matching(without_filler(plain, cues))
    if cues.reason_first or not cues.condition.search("if"):
        return bool(cues.ask.search(body)) and not cues.question.search(body)
    return any(cues.imperative.match(body[start:]) and weight(body[start:]) >= ENOUGH for start in _orders(body))


def _orders(body: str) -> list[int]:
    """Where an order may begin in a sentence."""
    return [0, *(match.end() for match in _BEGINS.finditer(body))]


def target_of(text: str) -> str | None:
    """The first path or identifier that a text names."""
    match = _TARGET.search(text)
    return next(value for value in match.groups() if value) if match else None


def _asked(sentence: Sentence, cues: Cues) -> str | None:
    """What a sentence asks for beyond the moment; None where it does not."""
    text = without_filler(sentence.text, cues)
    plain = matching(text)
    if any(cue.search(plain) for cue in (cues.joke, cues.reported, cues.defer)) or cues.ephemeral.search(plain):
        return None
    if cues.reason_first or not cues.condition.search(
        "if"
    ):  # languages that ask at the end of the sentence, or anywhere
        return _asked_anywhere(text, plain, cues)
    if plain.rstrip().endswith((":", "：")) and weight(plain) < BRIEF:
        return None  # what is asked stands in what was pasted below
    for start in _clauses(plain, cues):
        if _in_an_aside(plain, start):
            continue
        body = plain[start:]
        courtesy = cues.ask.match(body)
        thing = body[courtesy.end() :] if courtesy else body
        if not courtesy and (cues.question.search(plain) or not cues.imperative.match(body)):
            continue
        if cues.fleeting.match(thing):
            return None
        points_back = bool(start) and cues.pronoun.search(thing)
        if (_says_enough(thing) or _SUPPORTS.match(thing)) and not points_back:
            return text[len(text) - len(thing) :]
        if start and weight(plain) >= 2 * ENOUGH:  # what it is about stands in the clause before
            return text
    return None


def _asked_anywhere(text: str, plain: str, cues: Cues) -> str | None:
    match = cues.ask.search(plain)
    if not match or cues.fleeting.search(plain) or weight(plain) <= ENOUGH:
        return None
    if cues.question.search(plain) and not re.search(
        r"[てで](?:くれ|もらえ|いただけ|頂け)|お願い|能不能|可不可以|"
        r"能否|可否|可以",
        plain,
    ):
        return None
    if not cues.reason_first and cues.question.search(plain) and not weight(plain[match.end() :]):
        return None
    return text


def names_only(sentence: Sentence, cues: Cues) -> bool:
    """Whether an ask names a file or a thing of the code and leaves to its neighbour what is to be done with it."""
    text = without_filler(sentence.text, cues)
    courtesy = cues.ask.match(matching(text))
    return courtesy is not None and _is_name(text[courtesy.end() :])


def _says_enough(thing: str) -> bool:
    """Whether an ask says what is to be done; the name of a file says only with what."""
    return weight(thing) >= ENOUGH and not _is_name(thing)


def _is_name(thing: str) -> bool:
    return bool(_TARGET.fullmatch(thing.strip(" .?!")))


def _in_an_aside(plain: str, start: int) -> bool:
    return plain.count("(", 0, start) > plain.count(")", 0, start)


def _clauses(plain: str, cues: Cues) -> list[int]:
    """Where an ask may begin: at the start, behind a condition, or behind a comma where a courtesy follows."""
    starts = [0]
    starts += [match.end() for match in _AND.finditer(plain) if cues.imperative.match(plain[match.end() :])]
    for match in re.finditer(r"[,;:]\s+|\s[—–-]\s", plain):
        filler = cues.filler.match(plain, match.end())
        start = filler.end() if filler else match.end()
        if cues.ask.match(plain[match.end() :]):
            starts.append(match.end())
        elif cues.condition.match(plain) or cues.ask.match(plain[start:]):
            starts.append(start)
    return sorted(dict.fromkeys(starts))
