"""Secrets out of text before it leaves the process or reaches a file. Placeholders keep the kind, never the value.

Three nets: the shapes of known keys, values assigned to names such as `password`, and long random strings. None of them
judges a whole text: only the secret goes, the rest stays as it is.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from memory_core.secret_shapes import (
    ASSIGNED,
    AWS_SECRET,
    IN_URL,
    LIBRARY,
    LITERALS,
    LONG_RUN,
    NAMES,
    NO_SECRET,
    RANDOM,
    SHAPES,
    SIGNS,
    TELLING,
    TOLD,
)

_MARK = "[redacted {}]"


class Secret(NamedTuple):
    """A secret in a text: its kind, and the offsets of the value alone."""

    kind: str
    start: int
    end: int


def redact(text: str) -> str:
    """The text with every secret replaced by `[redacted <kind>]`. Never raises; text without secrets is unchanged."""
    long_run = LONG_RUN.search(text) is not None
    if long_run:
        for kind, pattern in _shapes_in(text):
            text = pattern.sub(_MARK.format(kind), text)
    text = IN_URL.sub(_MARK.format("password"), text)
    text = ASSIGNED.sub(_hide_value, text)
    if TELLING.search(text):
        for told in TOLD:
            text = told.sub(_hide_value, text)
    if long_run:
        for value, kind in _scan(text):
            text = text.replace(value, _MARK.format(kind))
        text = RANDOM.sub(lambda match: _MARK.format("secret") if _is_random(match[0]) else match[0], text)
    return text


def find(text: str) -> list[str]:
    """The kinds of secret in a text, each once, in the order in which they are looked for."""
    found = [kind for kind, pattern in _shapes_in(text) if pattern.search(text)]
    found += ["password"] if IN_URL.search(text) else []
    named = (match for net in (ASSIGNED, *TOLD) for match in net.finditer(text))
    found += ["secret"] if any(_looks_secret(m["name"], m["value"]) for m in named) else []
    found += [kind for _, kind in _scan(text)]
    found += ["secret"] if any(_is_random(match[0]) for match in RANDOM.finditer(text)) else []
    return list(dict.fromkeys(found))


def locate(text: str) -> list[Secret]:
    """The secrets of a text in order, none overlapping another: the same nets as in `redact`, fast on ordinary text."""
    found: list[Secret] = []
    long_words = [word for word in text.split() if len(word) >= 16]
    if not all(map(NO_SECRET.fullmatch, long_words)):
        for kind, pattern in _shapes_in(text):
            found += [Secret(kind, *match.span()) for match in pattern.finditer(text)]
        for value, kind in dict.fromkeys(_scan(text)):
            found += [Secret(kind, *match.span()) for match in re.finditer(re.escape(value), text)]
        found += [Secret("secret", *match.span()) for match in RANDOM.finditer(text) if _is_random(match[0])]
    if "://" in text and "@" in text:
        urls = IN_URL.finditer(text)
        found += [Secret("password", url.start() + url[0].index(":") + 1, url.end()) for url in urls]
    if any(NAMES.search(text, max(0, sign.start() - 26), sign.start()) for sign in SIGNS.finditer(text)):
        named = (match for match in ASSIGNED.finditer(text) if _looks_secret(match["name"], match["value"]))
        found += [Secret("secret", *match.span("value")) for match in named]
    if TELLING.search(text):
        named = (m for told in TOLD for m in told.finditer(text) if _looks_secret(m["name"], m["value"]))
        found += [Secret("secret", *match.span("value")) for match in named]
    return _apart(found)


def _shapes_in(text: str) -> list[tuple[str, re.Pattern[str]]]:
    """The shapes that a text may hold, in their order."""
    return [(kind, p) for kind, p in SHAPES if kind not in LITERALS or any(word in text for word in LITERALS[kind])]


def _apart(found: list[Secret]) -> list[Secret]:
    """Secrets that overlap joined into one, under the kind of the first net that found a part of it."""
    joined: list[Secret] = []
    for _, secret in sorted(enumerate(found), key=lambda pair: (pair[1].start, pair[0])):
        if joined and secret.start < joined[-1].end:
            joined[-1] = joined[-1]._replace(end=max(joined[-1].end, secret.end))
        else:
            joined.append(secret)
    return joined


def _hide_value(match: re.Match[str]) -> str:
    if not _looks_secret(match["name"], match["value"]):
        return match[0]
    start, end = match.start("value") - match.start(), match.end("value") - match.start()
    return match[0][:start] + _MARK.format("secret") + match[0][end:]


def _looks_secret(name: str, value: str) -> bool:
    """Whether an assigned value may be a secret. Code such as `token=get_token(`, a path, a name in capitals, a number
    and a plain word are none."""
    if re.search(r"[(<{$\[|]", value) or re.fullmatch(r"[A-Z][A-Z0-9_]*", value):
        return False
    if name.lower() in ("authorization", "curl"):
        return True
    letters, digits = re.search(r"[A-Za-z]", value), re.search(r"\d", value)
    if AWS_SECRET.fullmatch(value) and re.search(r"(?i)key|secret", name):
        return True  # the one kind of key that often looks like a path
    if "/" in value or "\\" in value:
        return _is_random(value.strip("/"), shortest=30)
    if re.search(r"(?i)passw|passphrase|pwd|[^\x00-\x7f]", name):
        return bool(digits or re.search(r"[^\w.-]", value))
    return bool(letters and digits)


def _is_random(value: str, shortest: int = 36) -> bool:
    """Whether a string was drawn, not written: both cases and scattered digits, evenly spread. A hash in hexadecimal
    has one case, an identifier few digits, a path repeated letters and many short parts."""
    if len(value) < shortest or not (re.search(r"[a-z]", value) and re.search(r"[A-Z]", value)):
        return False
    if len(re.findall(r"\d+", value)) < 3 or len(re.findall(r"[/_-]", value)) > len(value) / 8:
        return False
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) >= 4.2


def _scan(text: str) -> Iterator[tuple[str, str]]:
    """What the scanner library finds: (value, kind). Lines of 20,000 characters and more are left to the patterns."""
    if not any(sign.search(text) for sign, _, _ in LIBRARY):
        return  # nearly every text; loading the library takes a tenth of a second
    for line in text.splitlines():
        if len(line) >= 20_000:
            continue
        for sign, module, name in LIBRARY:
            if sign.search(line):
                plugin = _plugin(module, name)
                for value in plugin.analyze_string(line):
                    if isinstance(value, str) and len(value) >= 8:
                        yield value, str(plugin.secret_type).lower().replace(" ", "-")


@cache
def _plugin(module: str, name: str) -> Any:
    return getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
