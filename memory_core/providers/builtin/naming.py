"""How the rules name a record: its slug, its kind of knowledge, and a description by which it is found.

Decides no content.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from memory_core.providers.builtin.sentences import language_of
from memory_core.providers.builtin.wording import labels, sentence, without_lead
from memory_core.records.schema import Kind
from memory_core.records.slug import is_slug, slugify
from memory_core.text import shorten

DESCRIPTION_LIMIT = 160
_SLUG_LIMIT = 44
_SLUG_WORDS = 6

_RULE = re.compile(
    r"\b(?:must|always|never|don'?t|do not|only|forbid\w*|required?)\b"
    r"|必ず|禁止|常に|しない|ないで|だけ|必须|不要|总是|一律|只",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"\b(?:prefer\w*|policy|by default|avoid|first)\b|方針|原則|優先|なるべく|策略|优先|尽量|默认", re.IGNORECASE
)
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._/-][A-Za-z0-9]+)*")
# A name in running text: code, a path, a word with an inner capital or a digit; in Chinese and Japanese any Latin run.
_NAME = re.compile(
    r"(?<=`)[^`\n]{2,40}(?=`)|(?:\.?[A-Za-z0-9]+[._/-])+[A-Za-z0-9]+|[A-Za-z]*[a-z][A-Z][A-Za-z0-9]*|[A-Z][A-Z0-9]+[a-z]*"
    r"|(?<=[\u3040-\u9fff])[ \t]*[A-Za-z][A-Za-z0-9.+#-]*(?: [A-Za-z][A-Za-z0-9.+#-]*)*"
)
# A figure, or two plain words with a hyphen: no name that anybody looks for.
_NO_NAME = re.compile(r"[\d.]+|[A-Za-z][a-z]+(?:-[a-z]+)+")
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}")
_DULL = frozenset(
    re.split(
        " ",
        "a an and are as at be by for from in into is it its of on or our so than that the then this to we with",
    )
)
_PLACED = re.compile(
    r"\b(?:for|in|of|on) (?:the|this|our|a|an) ([a-z]{3,}(?: [a-z]{3,}){1,2})(?=[.,;:!?]|$)", re.IGNORECASE
)
# Words that end a run of words that could be a topic.
_NO_TOPIC = _DULL | frozenset(
    re.split(
        " ",
        "about actually after again all always any because before but can cannot could did do does don't each every "
        "has have he how i if instead just like make more most must never new no not now one only other over per "
        "please properly put rather should some such take their them there these they those through under until up us "
        "use used using very was were what when where which while who why will without would you your",
    )
)


# Words that a name is better without: they tell nothing apart.
_FILLER = _DULL | frozenset(
    re.split(
        " ",
        "also anything behind but from more now one please point rule should some something there these those want "
        "were what where which would you your i im its lets",
    )
)


def slug_for(kind: Kind, text: str, date: str, taken: Iterable[str]) -> str:
    """A slug that says what the record is about, where the text has Latin words to say it with; else kind and date.

    The same text always gets the same slug; a taken one gets four digits of the text's hash, or as many more as it
    takes.
    """
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    slug = slugify(" ".join(_slug_words(text)), _SLUG_LIMIT)
    if len(slug) < 4 or not is_slug(slug):
        slug = "-".join(part for part in (kind, date, digest[:6]) if part)
    used = set(taken)
    tries = (slug, *(f"{slug}-{digest[:length]}" for length in (4, 6, 8)))
    return next((name for name in tries if name not in used), tries[-1])


def _slug_words(text: str) -> list[str]:
    if language_of(text) != "en":
        found = dict.fromkeys(match.rsplit("/", 1)[-1] for match in _IDENTIFIER.findall(text))
        return [word for word in found if len(word) > 1][:3]
    words = re.findall(r"[A-Za-z0-9][\w.'-]*", without_lead(text))
    return [word.replace("'", "").replace("_", "-") for word in words if word.lower().replace("'", "") not in _FILLER][
        :_SLUG_WORDS
    ]


def knowledge_kind(text: str) -> str:
    """`rule`, `policy` or `fact`, by what the sentence says."""
    if _RULE.search(text):
        return "rule"
    return "policy" if _POLICY.search(text) else "fact"


def description_for(text: str) -> str:
    """What it is and when to read it, within the limit. The names in it are what people search by."""
    words = labels(text)
    topic = words["and"].join(_names(text)[:2]) or _topic(text)
    form = words["read"] if topic else words["read_plain"]
    claim = sentence(shorten(text, DESCRIPTION_LIMIT - len(form.format("", topic)) - 2))
    return form.format(claim, topic)


def _names(text: str) -> list[str]:
    found = dict.fromkeys(name.strip() for name in _NAME.findall(text))
    named = [name for name in found if not _NO_NAME.fullmatch(name) or f"`{name}`" in text]
    return [name for name in named if len(name) > 2 and not text.startswith(f"{name} ")]


def _topic(text: str) -> str:
    """Two or three words that say what a sentence is about, where it names nothing: those behind a preposition at the
    end of a clause (`for the job queue`), or none. Japanese shows its loan words by script;
    Chinese shows no borders, so there is no guess."""
    if language_of(text) != "en":
        found = _KATAKANA.search(text)
        return found.group() if found else ""
    found = _PLACED.search(text)
    words = found.group(1).split() if found else []
    return " ".join(words) if words and not any(word.lower() in _NO_TOPIC for word in words) else ""
