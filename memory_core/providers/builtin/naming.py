"""How the rules name a record: its slug, its kind of knowledge, and a description by which it is found.

Decides no content.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence

from memory_core.consolidate.clauses import clauses
from memory_core.providers.builtin.record_text import inert
from memory_core.providers.builtin.sentences import language_of
from memory_core.providers.builtin.slug_terms import name_words
from memory_core.providers.builtin.topics import NOT_TAKEN, asked_about, when_to_read
from memory_core.providers.builtin.wording import sentence, without_lead
from memory_core.records.schema import Kind
from memory_core.records.slug import is_slug, slugify
from memory_core.text import shorten

DESCRIPTION_LIMIT = 160
_SLUG_LIMIT = 52
_SLUG_WORDS = 7
_NOUN = {Kind.DECISION: "decision", Kind.REQUEST: "request", Kind.KNOWLEDGE: "rule"}

_RULE = re.compile(
    r"\b(?:must|always|never|don'?t|do not|only|forbid\w*|required?)\b"
    r"|必ず|禁止|常に|しない|ないで|ないこと|だけ|必须|不要|总是|一律|只"
    r"|반드시|항상|지 ?(?:마|말|않)|금지|만 (?:쓰|사용)",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"\b(?:prefer\w*|policy|by default|avoid|first)\b|方針|原則|優先|なるべく|策略|优先|尽量|默认", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z0-9][\w.'’-]*")
# Small words that tie a name together, but end none.
_TIES = frozenset(
    re.split(
        " ",
        "to for with without in on at of from by into over not no before after than as via per under and or through is "
        "are between if when behind against during so but only until should",
    )
)
# Those that begin a clause: where a name is cut, it is cut before one, not within what it says.
_CLAUSE = frozenset({"when", "if", "before", "after", "until", "between", "during", "but", "so"})
# Words that a name is better without: they tell nothing apart.
_FILLER = frozenset(
    re.split(
        " ",
        "a an the this that these those our your my its it i im you we us they them their there which what where who "
        "some any also please just now then would could can will shall was were been being am very really quite rather "
        "one more point thing things rule lets want something anything etc yes yeah ok okay here however maybe perhaps "
        "fucking fuck damn shitty",
    )
)
# What is written like a small word in capitals, and is a name.
_NAMED = frozenset({"US", "IT"})
# Where what follows explains, or says what was not taken.
_ASIDE = re.compile(
    r"\s*(?:[,;(]|[.!]\s|\s[–—]\s|\b(?:instead of|rather than|because|since|so that|so we|as long as|after all|based on"
    r"|according to)\b).*$",
    re.IGNORECASE | re.DOTALL,
)
# Where what follows tells which one: a name can do without it, unless hardly anything is left (`add a check that ...`).
_RELATIVE = re.compile(r"\b(?:that|which|who)\b.*$", re.IGNORECASE | re.DOTALL)
# What a terse choice answers, as `choices` adds it: often what was turned down, and no part of the choice's name.
_ANSWERED = re.compile(r" ?(?:\(in answer to: |（対象: |（针对: |\(대상: ).*$", re.DOTALL)
_SHORTEST = 2  # words that a name of one clause needs to say something
_TELLING = 3  # words of an answer that say what it is about without the question
_SHORTEST_WITHOUT = 3  # the same where what tells which one was left out


def slug_for(kind: Kind, text: str, date: str, taken: Iterable[str]) -> str:
    """A slug that says what the record is about, in English words; kind and date where a text has none that are known.

    The same text always gets the same slug. A taken one takes in more of the text, then the day, then digits of the
    text's hash.
    """
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    text, whole = _ANSWERED.sub("", text) or text, text
    words = _words(text)
    slug = _slug(words[:_SLUG_WORDS], _SLUG_LIMIT, cut=len(words) > _SLUG_WORDS)
    if slug and "-" not in slug and (language_of(text) != "en" or text != whole):
        slug = f"{slug}-{_NOUN[kind]}"  # one foreign word, or one answer, names a thing, not what was settled about it
    if len(slug) < 4 or not is_slug(slug):
        slug = "-".join(part for part in (kind, date, digest[:6]) if part)
    used = set(taken)
    longer = _slug(_words(text, whole=True), 60, cut=False)
    tries = (slug, longer, f"{slug}-{date}" if date not in slug else slug, *(f"{slug}-{digest[:n]}" for n in (4, 6, 8)))
    return next((name for name in tries if is_slug(name) and name not in used), tries[-1])


def _words(text: str, *, whole: bool = False) -> list[str]:
    """The words of a name: of the first clause that says enough, or of the whole text."""
    if (language := language_of(text)) != "en":
        first = text if whole else clauses(text)[0]
        return name_words(first, language)
    text = without_lead(text)
    text = text if whole else NOT_TAKEN.sub("", text)
    answer = text.rpartition("? ")[2]  # a question and its answer: the answer is what was settled
    bare = _ASIDE.sub("", answer)
    topic = asked_about(text) if len(bare.split()) < _TELLING else ""
    parts = [text] if whole else [f"{topic} {bare}", bare, _ASIDE.sub("", text), answer, text]
    for part in parts:
        for said, needed in ((_RELATIVE.sub("", part), _SHORTEST_WITHOUT), (part, _SHORTEST)):
            words = _plain_words(said)
            if sum(word not in _TIES for word in words) >= needed:
                return words
    return _plain_words(text)


def _plain_words(text: str) -> list[str]:
    # A letter with a mark is its letter: a word broken at it (`pr-fen` of `prüfen`) is none that anybody would type.
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    found = _WORD.findall(bare.replace("ß", "ss"))
    words = (word.strip(".-").replace("'", "").replace("’", "").replace("_", "-") for word in found)
    names = frozenset() if bare.isupper() else _NAMED
    return [word.lower() for word in words if word and (word in names or word.lower() not in _FILLER)]


def _slug(words: Sequence[str], limit: int, *, cut: bool) -> str:
    """As many whole words as fit. A name ends with no small word, and, where it was cut, in no half-said phrase."""
    kept = list(words)
    while len(slugify("-".join(kept), 200)) > limit and len(kept) > 1:
        kept.pop()
        cut = True
    if cut:
        ties = [at for at, word in enumerate(kept) if word in _TIES]
        if ties and ties[-1] >= max(3, len(kept) - 2):
            kept = kept[: ties[-1]]
        clause = next((at for at, word in enumerate(kept) if at > 2 and word in _CLAUSE), len(kept))
        kept = kept[:clause]
    while len(kept) > 1 and kept[-1] in _TIES:
        kept.pop()
    return slugify("-".join(kept), limit)


def knowledge_kind(text: str) -> str:
    """`rule`, `policy` or `fact`, by what the sentence says."""
    if _RULE.search(text):
        return "rule"
    return "policy" if _POLICY.search(text) else "fact"


def description_for(text: str, kind: Kind = Kind.DECISION) -> str:
    """What it is and when to read it, within the limit. A `#word` of the statement is no reference here either."""
    when = inert(when_to_read(text, kind))
    claim = sentence(shorten(inert(text), DESCRIPTION_LIMIT - len(when) - 2))
    return f"{claim}{'' if language_of(text) in ('ja', 'zh') else ' '}{when}"
