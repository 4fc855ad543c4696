"""Secrets out of text before it leaves the process or reaches a file. Placeholders keep the kind, never the value.

Three nets: the shapes of known keys, values assigned to names such as `password`, and long random strings. None of them
judges a whole text: only the secret goes, the rest stays as it is.
"""

from __future__ import annotations

import math
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from memory_core.secret_shapes import (
    ASSIGNED,
    AWS_SECRET,
    COOKIE,
    COOKIES,
    IN_URL,
    KEY_END,
    KEY_LINE,
    LIBRARY,
    LITERALS,
    LOGIN,
    LONG_RUN,
    NAMES,
    NO_SECRET,
    RANDOM,
    SHAPES,
    SIGNS,
    SPLITTING,
    TOLD,
)
from memory_core.text import shorten

_MARK = "[redacted {}]"
_MOST_KEY_LINES = 200
_SHORT_KEY_LINE = 40
_PIECE, _OVERLAP = 16_000, 500
_ALWAYS = re.compile(r"(?i)authorization|curl|sshpass|login|%3a|://")
# A place for a value instead of one; and what is no value where no quotes are around it.
_TEMPLATE = re.compile(
    r"\$\{|\$\(|\{\{|\{\w*\}|<[^>]*>|%\(?\w*\)?s\b|\A\$\w+\Z|\A[A-Z][A-Z0-9_]*\Z|\A[\w:]+(?:\|[\w:,.]+)+\Z"
)
_CODE = re.compile(r"\w[(\[<]|\A[(\[{<*&$]|\|")
# Names of what is about a secret and not one; a value of one sign throughout, or in a script without keys.
_ABOUT = re.compile(r"(?i)(?:name|type|file|path|field|column|header|class|algorithm|policy|endpoint|ttl)\Z")
_HIDDEN = re.compile(r"(.)\1*|(?:(?![!-~]{4}).)*", re.DOTALL)
_MEMBER = re.compile(
    r"(?i)[a-z_$][\w$]*(?:(?:\?\.|\.|::?)[a-z_$][\w$]*)*(?:\?\.|\.|::?)\w{0,40}(?:key|token|secret|passw(?:or)?d)\w{0,20}"
)
_TOLD_PASSWORD = re.compile(
    r"(?i)パスワード|暗証番号|密码|密碼|비밀번호|пароль|contraseña|hasło|lösenord|şifre|mật khẩu"
)
_FILE = re.compile(r"\.(?:pem|key|json|ya?ml|toml|env|txt|crt|cer|p12|pfx)\Z")


class Secret(NamedTuple):
    """A secret in a text: its kind, and the offsets of the value alone."""

    kind: str
    start: int
    end: int


def redact(text: str) -> str:
    """The text with every secret replaced by `[redacted <kind>]`. Never raises; text without secrets is unchanged."""
    if (bare := SPLITTING.sub("", text)) != text and locate(bare):
        text = bare  # colors of a terminal, say, of which one may stand in the middle of a key
    long_run = LONG_RUN.search(text) is not None
    if long_run:
        for kind, pattern in _shapes_in(text):
            text = pattern.sub(_MARK.format(kind), text)
    text = IN_URL.sub(_MARK.format("password"), text)
    text = ASSIGNED.sub(_hide_value, text)
    for told in _told_in(text):
        text = told.sub(_hide_value, text)
    for kind, start, end in reversed(_apart(list(_read(text)))):
        text = f"{text[:start]}{_MARK.format(kind)}{text[end:]}"
    if long_run:
        for value, kind in _scan(text):
            text = text.replace(value, _MARK.format(kind))
        text = RANDOM.sub(lambda match: _MARK.format("secret") if _is_random(match[0]) else match[0], text)
    return text


def brief(text: str, limit: int) -> str:
    """One line of at most `limit` characters without secrets. They go first: half a key is not recognized any more."""
    room = 4 * limit + 4_096  # what is far behind the cut needs no look, but for a word that stands across it
    if len(text) > room:
        end = max(text.rfind(" ", limit, room), text.rfind("\n", limit, room))
        text = text[: room if end < 0 else end]
    return shorten(redact(text), limit)


def part(text: str, start: int, end: int) -> str:
    """A part of a text without secrets, also those that begin before it or end behind it."""
    shown = []
    for secret in locate(text):
        if secret.end > start and secret.start < end:
            shown += [text[start : max(start, secret.start)], _MARK.format(secret.kind)]
            start = min(secret.end, end)
    return "".join([*shown, text[start:end]])


def find(text: str) -> list[str]:
    """The kinds of secret in a text, each once, in the order in which they are looked for."""
    text = SPLITTING.sub("", text)
    found = [kind for kind, pattern in _shapes_in(text) if pattern.search(text)]
    found += ["password"] if IN_URL.search(text) else []
    named = (match for net in (ASSIGNED, *_told_in(text)) for match in net.finditer(text))
    found += ["secret"] if any(map(_looks_secret, named)) else []
    found += [secret.kind for secret in _read(text)]
    found += [kind for _, kind in _scan(text)]
    found += ["secret"] if any(_is_random(match[0]) for match in RANDOM.finditer(text)) else []
    return list(dict.fromkeys(found))


def locate(text: str) -> list[Secret]:
    """The secrets of a text in order, none overlapping another: the same nets as in `redact`, fast on ordinary text."""
    split = [match.span() for match in SPLITTING.finditer(text)]
    if not split:
        return _located(text)
    bare = SPLITTING.sub("", text)
    starts, ends = [0, *(end for _, end in split)], [*(start for start, _ in split), len(text)]
    kept = [place for start, end in zip(starts, ends, strict=True) for place in range(start, end)]
    return [Secret(kind, kept[start], kept[end - 1] + 1) for kind, start, end in _located(bare)]


def _located(text: str) -> list[Secret]:
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
    if any(NAMES.search(text, max(0, sign.start() - 48), sign.start()) for sign in SIGNS.finditer(text)):
        found += [Secret("secret", *match.span("value")) for match in filter(_looks_secret, ASSIGNED.finditer(text))]
    named = (match for told in _told_in(text) for match in told.finditer(text))
    found += [Secret("secret", *match.span("value")) for match in filter(_looks_secret, named)]
    found += _read(text)
    return _apart(found)


def _shapes_in(text: str) -> list[tuple[str, re.Pattern[str]]]:
    """The shapes that a text may hold, in their order."""
    return [(kind, p) for kind, p in SHAPES if kind not in LITERALS or any(word in text for word in LITERALS[kind])]


def _told_in(text: str) -> list[re.Pattern[str]]:
    """The nets for secrets that are told, as far as a text has the words for them."""
    lowered = text.lower()
    return [_compiled(told) for words, told in TOLD if any(word in lowered for word in words)]


def _read(text: str) -> Iterator[Secret]:
    """What more than a pattern is needed for: logins in Base64, the values of cookies, the rest of a private key whose
    beginning was cut off."""
    lowered = text.lower()
    if "auth" in lowered or "basic" in lowered:
        yield from (Secret("password", *m.span("value")) for m in LOGIN.finditer(text) if _is_login(m["value"]))
    if "cookie" in lowered:
        for header in COOKIES.finditer(text):
            found = COOKIE.finditer(text, *header.span())
            yield from (Secret("cookie", *match.span("value")) for match in found if "[redacted" not in match["value"])
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
    return b":" in read[1:-1] and read.isascii() and read.decode().isprintable()


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
    if not _looks_secret(match):
        return match[0]
    start, end = match.start("value") - match.start(), match.end("value") - match.start()
    return match[0][:start] + _MARK.format("secret") + match[0][end:]


def _looks_secret(match: re.Match[str]) -> bool:
    """Whether an assigned value may be a secret. Code such as `token=get_token(`, a path, a name in capitals, a number
    and a plain word are none."""
    name, value = match["name"], match["value"]
    quoted = match.string[match.start("value") - 1 : match.start("value")] in ('"', "'", "`")
    if _TEMPLATE.search(value) or (not quoted and _CODE.search(value)) or _FILE.search(value):
        return False
    if _HIDDEN.fullmatch(value) or (not quoted and _MEMBER.fullmatch(value)):
        return False
    if _ABOUT.search(name):
        return _is_random(value)
    if _ALWAYS.fullmatch(name):
        return match.string[match.end("value") : match.end("value") + 1] not in ("(", "[")
    if not name.isascii() and not _TOLD_PASSWORD.search(name) and _is_written(value):
        return False
    letters, digits = re.search(r"[A-Za-z]", value), re.search(r"\d", value)
    if AWS_SECRET.fullmatch(value) and re.search(r"(?i)key|secret", name):
        return True  # the one kind of key that often looks like a path
    if "/" in value or "\\" in value:
        return _is_random(value.strip("/"), shortest=30)
    if re.search(
        r"(?i)passw|passphrase|pwd|kennwort|identified by|pswd|pw\Z|[^\x00-\x7f]|mot de passe|senha|wachtwoord|pass",
        name,
    ):
        return bool(digits or re.search(r"[!@#$%^&*?~]" if quoted else r"[^\w.-]", value))
    return bool(letters and digits)


def _is_written(value: str) -> bool:
    """Whether a value is put together from words, as the identifiers of programs are: `OAuth2AccessToken`."""
    return sum(map(len, re.findall(r"[A-Z]?[a-z]{2,}", value))) > 0.6 * len(re.findall(r"[A-Za-z]", value))


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
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _plugin(module: str, name: str) -> Any:
    return getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
