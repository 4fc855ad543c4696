"""The language people write in, by script and by the commonest short words; and whether a text is in it.

Coarse on purpose: it tells apart what a reader would notice at once. It translates nothing and knows no dialects.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_KANA = re.compile(r"[\u3041-\u30ff\uff66-\uff9f]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|(?<!\S)\S*[/\\]\S*", re.DOTALL)
# Function words: frequent, short, and rarely shared between these languages.
_STOP_WORDS = {
    "en": "the and is to of it that this for with we you not what please have be should are from can how do no come as",
    "de": "der die das und ist nicht ich wir mit für ein eine auf zu den bitte auch wie wird aber sind kann",
    "fr": "le la les et est pas je nous avec pour une dans que des sur du ce vous il au mais peux",
    "es": "el la los y es no que con para una por las del se en como pero lo puedes este más",
    "pt": "o os e é não que para uma por em do da se como mas você isso este são",
    "it": "il gli e è non che con per una di del della si come ma questo sono anche puoi nel",
    "nl": "de het een en is niet ik wij met voor van dat op zijn maar ook kan deze naar bij",
}
_WORDS = {language: frozenset(words.split()) for language, words in _STOP_WORDS.items()}
_LONG = 4_000  # characters of one message that are looked at


def detect(messages: Sequence[str]) -> str | None:
    """The language of most messages (`en`, `ja`, `zh`, ...), the later one on a tie; None when none of them tells.

    Messages vote, not characters: a pasted log or file is long and proves nothing about its sender.
    """
    votes = [language for text in messages if (language := _of(text)) is not None]
    if not votes:
        return None
    counts = Counter(votes)
    if counts["ja"]:  # a short Japanese answer may be all Han, which alone reads as Chinese
        counts["ja"] += counts.pop("zh", 0)
    best = max(counts.values())
    return next(v for v in reversed(["ja" if v == "zh" and "ja" in counts else v for v in votes]) if counts[v] == best)


def is_written_in(language: str, texts: Iterable[str], evidence: Iterable[str] = ()) -> bool:
    """Whether texts look like the language: by script, and among languages of one script by their short words. Texts
    like the words they rest on pass too: a quotation keeps its language."""
    text, quoted = " ".join(texts), " ".join(evidence)
    share = _wide_share(text)
    if share is None:
        return True
    if (share >= 0.15) if language in ("ja", "zh", "ko") else (share <= 0.5):
        other = _other_latin(language, text)
        return other is None or _other_latin(language, quoted) == other
    of_quoted = _wide_share(quoted)
    return of_quoted is not None and (of_quoted > 0.5) == (share > 0.5)


def _other_latin(language: str, text: str) -> str | None:
    """The language that a text clearly is in where it should be in another one of the same script; else None."""
    if language not in _WORDS:
        return None
    words = {word.lower() for word in _WORD.findall(_CODE.sub(" ", text))}
    hits = {name: len(known & words) for name, known in _WORDS.items()}
    best = max(hits, key=lambda name: hits[name])
    return best if best != language and hits[best] >= 4 and hits[best] >= 3 * hits[language] else None


def _of(message: str) -> str | None:
    text = _CODE.sub(" ", message[:_LONG])
    if len(_KANA.findall(text)) >= 2:
        return "ja"
    if len(_HANGUL.findall(text)) >= 2:
        return "ko"
    if len(_HAN.findall(text)) >= 2:
        return "zh"
    words = [word.lower() for word in _WORD.findall(text)]
    if not words:
        return None
    if len(_CYRILLIC.findall(text)) > len(text) / 4:
        return "ru"
    hits = {language: len(known.intersection(words)) for language, known in _WORDS.items()}
    best = max(hits, key=lambda language: hits[language])
    # One short word proves nothing: `no` is Spanish, and `come` Italian, but neither has to be.
    return best if hits[best] >= (1 if best == "en" else 2) else None


def _wide_share(text: str) -> float | None:
    """Letters of East Asian scripts among all letters; None for a text too short to judge."""
    plain = _CODE.sub(" ", text)
    wide = sum(len(pattern.findall(plain)) for pattern in (_KANA, _HANGUL, _HAN))
    letters = sum(len(word) for word in _WORD.findall(plain))
    return wide / letters if letters >= 12 else None
