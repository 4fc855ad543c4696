"""When a record is worth reading, as a sentence: what it is about, found by the shape of the text alone.

Guesses in this order: what the statement says of itself, the thing it names, the act it rules. Where nothing can be
found it says what follows from the kind of record.
"""

from __future__ import annotations

import re
from itertools import takewhile

from memory_core.providers.builtin.sentences import language_of
from memory_core.providers.builtin.slug_terms import terms_in
from memory_core.providers.builtin.wording import labels
from memory_core.records.schema import Kind
from memory_core.text import shorten

_LONGEST = 40  # characters of a topic
# A name in running text: code, a path, a word with an inner capital or a digit; in Chinese, Japanese and Korean any
# Latin run.
_NAME = re.compile(
    r"(?<=`)[^`\n]{2,40}(?=`)|(?:\.?[A-Za-z0-9]+[._/-])+[A-Za-z0-9]+|[A-Za-z]*[a-z][A-Z][A-Za-z0-9]*|[A-Z][A-Z0-9]+[a-z]*"
    r"|(?<=[\u3040-\u9fff\uac00-\ud7af])[ \t]*[A-Za-z][A-Za-z0-9.+#-]*(?: [A-Za-z][A-Za-z0-9.+#-]*)*"
    r"|^[A-Za-z][A-Za-z0-9.+#-]*(?=[ \t]*[\u3040-\u9fff\uac00-\ud7af])"
)
# A figure, or two plain words with a hyphen: no name that anybody looks for.
_NO_NAME = re.compile(r"[\d./-]+|[A-Za-z][a-z]+(?:-[a-z]+)+")
_STOP = frozenset(
    re.split(
        " ",
        "a about across actually after again against all also always an and any are as at away be because before "
        "behind between but by can cannot could default did do does don't during each every everything first for "
        "from guess had hand has have he here how however i if in instead into is it its itself just last least "
        "less like make may maybe might more most must never new night no not nothing now of off on once one only "
        "or other our ours out over per place please properly put rather right same second should so some "
        "something such take than that the their them then there these they thing things think this those through "
        "time times to too two under until up us use used using very via was way we were what when where which "
        "while who why will with within without would you your",
    )
)
_TIMELY = frozenset(("nightly", "daily", "weekly", "monthly", "hourly", "yearly", "early"))
NOT_TAKEN = re.compile(r",? \b(?:instead of|rather than) \S+(?: \S+)??(?= (?:for|in|on|to|when|so)\b|[,.;]|$)")
_WORDS = r"[A-Za-z][\w-]*(?:\.[\w-]+)*(?: [A-Za-z][\w-]*(?:\.[\w-]+)*){0,2}"
_SUBJECT = re.compile(
    rf"^(?:the |our |all )?(?P<it>{_WORDS}?) (?:is|are|was|were|has|have|must|should|needs?|lives?|goes|stays?|stands?|"
    r"can|may|will|expires?|returns?|runs?|takes?|requires?|belongs?)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"^(?:how|where|when|why|what|(?:which|what) (?P<kind>[a-z][\w-]*(?: [a-z][\w-]*)??)) "
    r"(?:should|do|does|can|could|must|will|would|shall) (?P<rest>[^?\n]+)\?",
    re.IGNORECASE,
)
_PLACED = re.compile(
    rf"\b(?:for|in|of|on|to|into|from|with|at|behind|via|through) (?:the|this|our) (?P<it>{_WORDS})", re.IGNORECASE
)
_THE = re.compile(rf"\b(?:the|our) (?P<it>{_WORDS})", re.IGNORECASE)
_BARE = re.compile(rf"\b(?:for|in|of|on)(?: (?:a|an|all|every|each))? (?P<it>{_WORDS})", re.IGNORECASE)
_ORDERED = re.compile(
    r"^(?:(?:always|never|do not|don[’']t)\b(?: ever\b)?,? )+(?P<act>[a-z][\w-]* [^,;:.!?]+)", re.IGNORECASE
)
_BEFORE = re.compile(r"\bbefore (?P<it>(?:you|we|a|an|the|each|every|any) [^,;:.!?]{3,40})(?=$|,)", re.IGNORECASE)
# `between one thing and another` is one thing.
_ENDS_ACT = re.compile(
    r"(?P<pair> between \S+ and \S+)"
    r"|,? (?:because|since|so that|instead|rather|and|or|but|unless|until|if|when|before)\b.*$"
)
# Japanese and Korean mark what a word does in a sentence: the topic first, then the place, then the object.
_JA_NOUN = r"(?:[ァ-ヺー]+|[一-鿿々]+|[A-Za-z][\w.+/-]*)"
_JA = tuple(
    re.compile(rf"(?P<it>{_JA_NOUN}(?: ?の? ?{_JA_NOUN})*) ?{particle}")
    for particle in ("は(?!なく)", "に(?!つい)", "を", "で(?!は)", "が")
)
_JA_NO_TOPIC = re.compile(
    r"(?:今後|以後|これ|それ|場合|時|とき|夜|朝|日|全部|一|人|自分|方|形|前|後|中|次|度|常|絶対|代わり|必ず|ため)$"
)
_KO = tuple(
    re.compile(rf"(?P<it>[가-힣A-Za-z0-9_./-]+?(?: [가-힣A-Za-z0-9_./-]+?)??){particle}(?= )")
    for particle in ("(?:은|는)", "에서?", "(?:을|를)", "(?:이|가)")
)
_KO_NO_TOPIC = re.compile(r"(?:앞으|때|경우|모든|우리|이것|그것|다음|나중)$")
_ZH = re.compile(r"^(?P<it>[\u4e00-\u9fff]{2,6}?)(?:里|中|上|必须|应该|不要|只能|统一|都要|需要)")
_ZH_OF = re.compile(r"的(?P<it>[\u4e00-\u9fff]{2,8})$")


def when_to_read(text: str, kind: Kind) -> str:
    """A sentence that says when to read a record with this statement, in its language."""
    words = labels(text)
    match language_of(text):
        case "en":
            return _english(text, kind)
        case "ja":
            topic = _marked(text, _JA, _JA_NO_TOPIC)
        case "ko":
            topic = _marked(text, _KO, _KO_NO_TOPIC)
        case _:
            found = _ZH.search(text) or _ZH_OF.search(text)
            topic = found["it"] if found else ""
    topic = topic or words["and"].join(names(text)[:2]) or _term(text)
    if not topic:
        return words[f"read_{kind}"]
    return words["read"].format(_spaced(topic, language_of(text)), _object_mark(topic))


def names(text: str) -> list[str]:
    """The names in a text: code, paths, words that are written like one."""
    found = dict.fromkeys(name.strip() for name in _NAME.findall(text))
    named = [name for name in found if not _NO_NAME.fullmatch(name) or f"`{name}`" in text]
    return [name for name in named if len(name) > 2]


def _spaced(topic: str, language: str) -> str:
    """A topic with the blanks that stand between Latin letters and Japanese or Chinese ones; Korean sets none."""
    before = " " if language == "zh" and topic[0].isascii() else ""
    behind = " " if language in ("ja", "zh") and topic[-1].isascii() else ""
    return f"{before}{topic}{behind}"


def _english(text: str, kind: Kind) -> str:
    words = labels(text)
    text = NOT_TAKEN.sub("", text)
    if found := _BEFORE.search(text):
        return f"Read before {found['it']}."
    named = names(text)
    ordered = _ORDERED.search(text)
    if ordered and not any("/" in name for name in named):
        act = _ENDS_ACT.sub(lambda end: end["pair"] or "", ordered["act"]).strip()
        return f"Read before you {shorten(act, 60)}."
    if topic := _noun(_SUBJECT, text):
        plain = not text.lower().startswith(("the ", "our ")) and "-" not in topic
        topic = topic[0].lower() + topic[1:] if topic[1:].islower() else topic
        return words["read"].format(topic if plain else f"the {topic}", "")
    if topic := asked_about(text):
        return words["read"].format(topic, "")
    if topic := _noun(_PLACED, text) or _noun(_THE, text):
        return words["read"].format(f"the {topic}", "")
    named = [name for name in named if not text.startswith(f"{name} ")]
    topic = " or ".join(named[:2]) or _noun(_BARE, text) or _run(text)
    return words["read"].format(topic, "") if topic else words[f"read_{kind}"]


def _noun(pattern: re.Pattern[str], text: str) -> str:
    """The first noun that a pattern finds, as far as its words go; empty where there is none."""
    for found in pattern.finditer(text):
        kept: list[str] = []
        for word in found["it"].split():
            if word.lower() in _STOP or (word.lower().endswith("ly") and word.lower() not in _TIMELY):
                break
            kept.append(word)
        if kept and len(" ".join(kept)) > 2:
            return " ".join(kept)
    return ""


def asked_about(text: str) -> str:
    """What a question is about: `the database` of `Which database should we use?`, `the finished export` of `How
    should a finished export reach the user?`. There the last plain word before what follows is the verb, unless that
    is `be`; a longer name than two words is not told. Empty where nothing is found."""
    found = _ASKED.search(text)
    if found is None:
        return ""
    if kind := found["kind"]:
        return "" if _STOP.intersection(kind.lower().split()) else f"the {kind}"
    said = found["rest"].split()
    article = said[0].lower() in ("the", "our", "a", "an", "each", "every")
    words = said[article:]
    name = list(takewhile(lambda word: word.isalpha() and word.lower() not in _STOP, words))
    if name and words[len(name) : len(name) + 1] != ["be"]:
        name.pop()
    return " ".join(["the"] * article + name) if 0 < len(name) <= 2 else ""


def _run(text: str) -> str:
    """The longest run of plain words behind the first one: `composition` of `Prefer composition over inheritance`."""
    best: list[str] = []
    run: list[str] = []
    for word in [*re.findall(r"[\w'-]+|[,;:.()]", text)[1:], ""]:
        if word and word.isalpha() and len(word) > 2 and word.lower() not in _STOP and not word.endswith("ly"):
            run.append(word)
            continue
        best = max(best, run, key=len)
        run = []
    return " ".join(best[:3])


def _marked(text: str, patterns: tuple[re.Pattern[str], ...], no_topic: re.Pattern[str]) -> str:
    for pattern in patterns:
        for found in pattern.finditer(text):
            topic = found["it"].strip()
            if 1 < len(topic) <= _LONGEST and not no_topic.search(topic):
                return topic
    return ""


def _term(text: str) -> str:
    found = terms_in(text, language_of(text))
    return found[0][0] if found else ""


def _object_mark(topic: str) -> str:
    """The Korean mark of an object, by the last sound of the word before it."""
    last = topic.strip()[-1]
    if not "가" <= last <= "힣":
        return "을(를)"
    return "을" if (ord(last) - ord("가")) % 28 else "를"
