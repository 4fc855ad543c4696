"""Secrets out of text before it leaves the process or reaches a file. Placeholders keep the kind, never the value.

Three nets: the shapes of known keys, values assigned to names such as `password`, and long random strings. None of them
judges a whole text: only the secret goes, the rest stays as it is.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from memory_core.secrets.judgment import is_drawn
from memory_core.secrets.members import members
from memory_core.secrets.nets import Searched
from memory_core.secrets.shapes import (
    COOKIE,
    COOKIES,
    IN_URL,
    KEY_END,
    KEY_LINE,
    LIBRARY,
    LITERALS,
    LOGIN,
    LONG_RUN,
    NO_SECRET,
    RANDOM,
    SHAPES,
    SPLITTING,
)
from memory_core.secrets.tables import cells
from memory_core.secrets.views import otherwise, without
from memory_core.secrets.words import is_hole
from memory_core.text import shorten

_MARK = "[redacted {}]"
_MOST_KEY_LINES = 200
_SHORT_KEY_LINE = 40
_PIECE, _OVERLAP = 16_000, 500
_AHEAD = 1_000  # so far behind a value its name may stand
_FILLED = re.compile(r"([A-Za-z*.])\1{9}")


class Secret(NamedTuple):
    """A secret in a text: its kind, and the offsets of the value alone."""

    kind: str
    start: int
    end: int


def redact(text: str) -> str:
    """The text with every secret replaced by `[redacted <kind>]`. Never raises; text without secrets is unchanged."""
    if (bare := _joined(text)) != text and locate(bare):
        text = bare  # colors of a terminal, say, of which one may stand in the middle of a key
    if found := _seen_otherwise(text):
        text = _without(text, _apart([*_located(text), *found]))
    return _as_it_stands(text)


def _as_it_stands(text: str) -> str:
    """A text without the secrets that the nets find in its own words."""
    long_run = LONG_RUN.search(text) is not None
    lowered = text.lower()
    if long_run:
        for kind, pattern in _shapes_in(text, lowered):
            mark = _MARK.format(kind)
            text = pattern.sub(lambda match, mark=mark: mark if _is_key(match) else match[0], text)  # type: ignore[misc]
    if "://" in text and "@" in text:  # the person's name goes too: some put the token in its place
        text = IN_URL.sub(lambda url: _MARK.format("password") if _is_told(url) else url[0], text)
    searched = Searched(text)
    for net in searched.nets():
        named = list(searched.caught(net))
        if named:
            text = _without(text, [Secret("secret", *span) for span in named])
            searched = Searched(text)
    text = _without(text, _apart(list(_read(text, text.lower()))))
    if long_run:
        for value, kind in _scan(text):
            text = text.replace(value, _MARK.format(kind))
        text = RANDOM.sub(lambda match: _MARK.format("secret") if is_drawn(match) else match[0], text)
    return text


def brief(text: str, limit: int) -> str:
    """One line of at most `limit` characters without secrets. They go first: half a key is not recognized any more."""
    return shorten(beginning(text, 4 * limit + 4_096), limit)  # what is far behind the cut needs no look


def beginning(text: str, most: int) -> str:
    """At most the first `most` characters of a text, without secrets. What goes before the end may bring the end to the
    front, so it stands between two words; what tells a secret may stand a little behind it. Of a word without an end
    (`most` is far more than `_OVERLAP`) the last part, which may be half a key, is left out."""
    if len(text) <= most:
        return redact(text)
    end = max(text.rfind(" ", most // 4, most), text.rfind("\n", most // 4, most))
    return part(text[: end + 1 + _AHEAD], 0, end + 1) if end >= 0 else redact(text[:most])[:-_OVERLAP]


def part(text: str, start: int, end: int) -> str:
    """A part of a text without secrets, also those that begin before it or end behind it."""
    return parts(text, [(start, end)])[0]


def parts(text: str, spans: Iterable[tuple[int, int]]) -> list[str]:
    """Parts of a text, each as `part` gives it: the text is looked through once."""
    secrets = locate(text)
    return [_shown(text, start, end, secrets) for start, end in spans]


def _shown(text: str, start: int, end: int, secrets: list[Secret]) -> str:
    shown = []
    for secret in secrets:
        if secret.end > start and secret.start < end:
            shown += [text[start : max(start, secret.start)], _MARK.format(secret.kind)]
            start = min(secret.end, end)
    return "".join([*shown, text[start:end]])


def find(text: str) -> list[str]:
    """The kinds of secret in a text, each once, in the order in which they are looked for."""
    if (bare := _joined(text)) != text and locate(bare):
        text = bare
    lowered = text.lower()
    found = [kind for kind, shape in _shapes_in(text, lowered) if any(map(_is_key, shape.finditer(text)))]
    found += ["password"] if _in_urls(text) else []
    searched = Searched(text)
    found += ["secret"] if any(True for net in searched.nets() for _ in searched.caught(net)) else []
    found += [secret.kind for secret in _read(text, lowered)]
    found += [kind for _, kind in _scan(text)]
    found += ["secret"] if any(map(is_drawn, RANDOM.finditer(text))) else []
    found += [secret.kind for secret in _seen_otherwise(text)]
    return list(dict.fromkeys(found))


def locate(text: str) -> list[Secret]:
    """The secrets of a text in order, none overlapping another: the same nets as in `redact`, fast on ordinary text."""
    if _joined(text) == text:
        return _all_located(text)
    bare = without(text, SPLITTING)
    found = _all_located(bare.text)
    return [Secret(kind, *bare.span(start, end)) for kind, start, end in found] or _all_located(text)


def _joined(text: str) -> str:
    """A text without what may stand in a word and is not seen: colors, and what is no ASCII."""
    return text if text.isascii() and "\x1b" not in text else SPLITTING.sub("", text)


def _all_located(text: str) -> list[Secret]:
    return _apart([*_located(text), *_seen_otherwise(text)])


def _seen_otherwise(text: str) -> list[Secret]:
    """The secrets that show when the marks before its lines are cut off, and signs that are written out undone."""
    found: list[Secret] = []
    for row in otherwise(text):
        for kind, start, end in _located(row[-1].text):
            for view in reversed(row):
                start, end = view.span(start, end)
            found.append(Secret(kind, start, end))
    return found


def _located(text: str) -> list[Secret]:
    found: list[Secret] = []
    lowered = text.lower()
    long_words = [word for word in text.split() if len(word) >= 16]
    if not all(map(NO_SECRET.fullmatch, long_words)) or "bearer " in lowered:
        for kind, pattern in _shapes_in(text, lowered):
            found += [Secret(kind, *match.span()) for match in filter(_is_key, pattern.finditer(text))]
        for value, kind in dict.fromkeys(_scan(text)):
            found += [Secret(kind, *match.span()) for match in re.finditer(re.escape(value), text)]
        found += [Secret("secret", *match.span()) for match in filter(is_drawn, RANDOM.finditer(text))]
    found += _in_urls(text)
    searched = Searched(text)
    found += [Secret("secret", *place) for net in searched.nets() for place in searched.caught(net)]
    return [*found, *_read(text, lowered)]


def _shapes_in(text: str, lowered: str) -> list[tuple[str, re.Pattern[str]]]:
    """The shapes that a text may hold, in their order. `lowered`: the text in lower case."""
    found = [(kind, p) for kind, p in SHAPES if kind in LITERALS and any(word in text for word in LITERALS[kind])]
    return found + [(kind, p) for kind, p in SHAPES if kind not in LITERALS and f"{kind} " in lowered]


def _is_key(match: re.Match[str]) -> bool:
    """Whether what has the shape of a key is more than the shape: `ghp_xxxxxxxxxxxx` stands for one."""
    return not _FILLED.search(match[0]) or "-----" in match[0]


def _in_urls(text: str) -> list[Secret]:
    """The passwords of addresses."""
    if "://" not in text or "@" not in text:
        return []
    urls = filter(_is_told, IN_URL.finditer(text))
    return [Secret("password", url.start() + url[0].index(":") + 1, url.end()) for url in urls]


def _is_told(url: re.Match[str]) -> bool:
    """Whether an address holds a password, and not the place for one: `https://me:${TOKEN}@host`."""
    return not is_hole(url[0].partition(":")[2])


def _read(text: str, lowered: str) -> Iterator[Secret]:
    """What more than a pattern is needed for: logins in Base64, the values of cookies, the rest of a private key whose
    beginning was cut off."""
    if "auth" in lowered or "basic" in lowered:
        yield from (Secret("password", *m.span("value")) for m in LOGIN.finditer(text) if _is_login(m["value"]))
    if "cookie" in lowered:
        for header in COOKIES.finditer(text):
            found = COOKIE.finditer(text, *header.span())
            yield from (Secret("cookie", *match.span("value")) for match in found if "[redacted" not in match["value"])
    yield from (Secret("secret", *place) for place in cells(text, lowered))
    yield from (Secret("secret", *place) for place in members(text, lowered))
    for end in KEY_END.finditer(text) if "-----END " in text else ():
        start = _key_start(text, end.start())
        if start < end.start():
            yield Secret("private-key", start, end.end())


def _key_start(text: str, end: int) -> int:
    """Where the lines of a private key begin whose last line ends before `end`, or `end` where there are none."""
    found = at = text.rfind("\n", 0, end) + 1
    if text[at:end].strip(" \t>+|-"):
        return end
    for number in range(_MOST_KEY_LINES):
        line = text.rfind("\n", 0, max(0, at - 1)) + 1
        # The last lines may be short: what is left of the key, and a checksum.
        if line >= at or not KEY_LINE.match(text, line, at) or (number > 1 and at - line < _SHORT_KEY_LINE):
            break
        found = at = line
    return found if found < text.rfind("\n", 0, end) + 1 else end


def _is_login(value: str) -> bool:
    try:
        read = b64decode(value + "=" * (-len(value) % 4), validate=True)
    except ValueError:
        return False
    told = read.replace(b"\0", b":") if read[:1] == b"\0" else read  # as SASL's PLAIN has it
    return b":" in told[1:-1] and told.isascii() and told.decode().isprintable()


def _apart(found: list[Secret]) -> list[Secret]:
    """Secrets that overlap joined into one, under the kind of the first net that found a part of it."""
    joined: list[Secret] = []
    for _, secret in sorted(enumerate(found), key=lambda pair: (pair[1].start, pair[0])):
        if joined and secret.start < joined[-1].end:
            joined[-1] = joined[-1]._replace(end=max(joined[-1].end, secret.end))
        else:
            joined.append(secret)
    return joined


def _without(text: str, secrets: list[Secret]) -> str:
    """A text without secrets, which stand in order."""
    shown, end = [], 0
    for secret in secrets:
        shown += [text[end : secret.start], _MARK.format(secret.kind)]
        end = secret.end
    return "".join([*shown, text[end:]])


def _scan(text: str) -> Iterator[tuple[str, str]]:
    """What the scanner library finds: (value, kind)."""
    if not any(sign.search(text) for sign, _, _ in LIBRARY):
        return  # nearly every text; loading the library takes a tenth of a second
    for line in _pieces(text):
        for sign, module, name in LIBRARY:
            if sign.search(line):
                plugin = _plugin(module, name)
                for value in plugin.analyze_string(line):
                    if isinstance(value, str) and len(value.strip()) >= 8 and any(map(str.isdigit, value)):
                        yield value.strip(), str(plugin.secret_type).lower().replace(" ", "-")


def _pieces(text: str) -> Iterator[str]:
    """The lines of a text, long ones in parts that overlap: one plugin takes the square of a line's length."""
    for line in text.splitlines():
        for start in range(0, max(1, len(line)), _PIECE):
            yield line[start : start + _PIECE + _OVERLAP]


@cache
def _plugin(module: str, name: str) -> Any:
    return getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
