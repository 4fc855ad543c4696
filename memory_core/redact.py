"""Secrets out of text before it leaves the process or reaches a file. Placeholders keep the kind, never the value.

Three nets: the shapes of known keys, values assigned to names such as `password`, and long random strings. None of them
judges a whole text: only the secret goes, the rest stays as it is.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

# ASCII word boundaries: a key right behind a kana or Han character is a key too.
_A = re.ASCII
# A word begins here, or right behind a color of a terminal (`ESC[32m`) or a written-out line end (`\\n` in JSON), whose
# last letter would otherwise hide it.
_START = (
    r"(?:\b|(?<=\\[nrt])|(?<=\x1b\[[mJKH])|(?<=\x1b\[\d[mJKH])|(?<=\x1b\[\d\dm)|(?<=\x1b\[\d;\dm)|(?<=\x1b\[\d;\d\dm)"
    r"|(?<=\x1b\[\d;\d\d;\d\dm))"
)
# Shapes of keys, as their issuers document them. A value is at least as long as real ones are.
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "private-key",
        re.compile(
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z)", re.DOTALL
        ),
    ),
    (
        "api-key",
        re.compile(_START + r"(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_]){0,8}[A-Za-z0-9]{16,}(?:[-_][A-Za-z0-9_-]*)?", _A),
    ),
    ("github-token", re.compile(_START + r"(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})\b", _A)),
    ("gitlab-token", re.compile(_START + r"gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{16,}", _A)),
    (
        "slack-token",
        re.compile(_START + r"xox[abeprs]-[A-Za-z0-9-]{10,}|" + _START + r"xapp-[0-9]-[A-Za-z0-9-]{16,}", _A),
    ),
    ("aws-key", re.compile(_START + r"(?:AKIA|ASIA)[0-9A-Z]{16}\b", _A)),
    (
        "google-key",
        re.compile(
            _START
            + r"AIza[0-9A-Za-z_-]{35}|"
            + _START
            + r"ya29\.[0-9A-Za-z_-]{20,}|"
            + _START
            + r"GOCSPX-[0-9A-Za-z_-]{20,}",
            _A,
        ),
    ),
    (
        "package-token",
        re.compile(
            _START
            + r"npm_[A-Za-z0-9]{30,}\b|"
            + _START
            + r"pypi-[A-Za-z0-9_-]{32,}|"
            + _START
            + r"dckr_pat_[A-Za-z0-9_-]{20,}",
            _A,
        ),
    ),
    (
        "model-token",
        re.compile(
            _START
            + r"hf_[A-Za-z0-9]{30,}\b|"
            + _START
            + r"gsk_[A-Za-z0-9]{30,}\b|"
            + _START
            + r"xai-[A-Za-z0-9]{30,}\b",
            _A,
        ),
    ),
    (
        "service-token",
        re.compile(
            _START + r"(?:do[opr]_v1_[0-9a-f]{40,}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|dapi[0-9a-f]{32}"
            r"|hv[sbr]\.[A-Za-z0-9_-]{24,}"
            r"|(?:ntn|sbp|lin_api|pscale_tkn|pscale_pw)_[A-Za-z0-9_-]{32,}|AGE-SECRET-KEY-1[0-9A-Z]{50,}"
            r"|(?:NRAK|NRJS|NRIQ)-[A-Z0-9]{20,}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}"
            r"|dp\.(?:pt|st|ct|sa|scim)\.[A-Za-z0-9.]{40,}"
            r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,})",
            _A,
        ),
    ),
    ("jwt", re.compile(_START + r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}", _A)),
    ("bearer", re.compile(r"(?i)(?<=bearer )[A-Za-z0-9._~+/-]{20,}=*", _A)),
)
_IN_URL = re.compile(r"(?<=://)[^\s:/@\"'<>]{1,64}:(?!//)[^\s:/@\"'<>]{3,128}(?=@)")
_ASSIGNED = re.compile(
    r"(?i)(?<![A-Za-z0-9_])(?P<name>[A-Z0-9_-]{0,40}?(?:api_?-?key|secret|passw(?:or)?d|passwd|pwd|token(?!s)"
    r"|access_?key|credential)[A-Z0-9_-]{0,20})[\"']?\s{0,3}[=:]\s{0,3}[\"']?(?!\[redacted)"
    r"(?P<value>(?:[^\s\"',;)}\]`\x1b\\]|\\(?![nrt])){8,})",
    _A,
)
_LONG_RUN = re.compile(r"[A-Za-z0-9+/_=.:-]{16}", _A)  # no known key is shorter
# What follows `;base64,` in an address is a picture.
_RANDOM = re.compile(
    r"(?<![A-Za-z0-9+/_.-])(?<!;base64,)(?!sha\d{1,3}-)[A-Za-z0-9+/_-]{36,200}={0,2}(?![A-Za-z0-9+/_.-])", _A
)
_MARK = "[redacted {}]"

# What follows lets `locate` pass over ordinary text quickly.
_NAMES = re.compile(r"(?i)key|secret|passw|pwd|token|credential", _A)
_SIGNS = re.compile(r"[=:]\s{0,3}[\"']?\s{0,3}[^\s\"',;)}\]`]{8}", _A)
# Long words that programs write beside every source: ids, hashes, instants, names in lower case.
_NO_SECRET = re.compile(
    r"[\W_]*(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,64}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)"
    r"|(?:[a-z]{1,15}[_-])*[a-z]{1,15}(?:-\d+)?)[\W_]*",
    _A,
)


class Secret(NamedTuple):
    """A secret in a text: its kind, and the offsets of the value alone."""

    kind: str
    start: int
    end: int


def redact(text: str) -> str:
    """The text with every secret replaced by `[redacted <kind>]`. Never raises; text without secrets is unchanged."""
    long_run = _LONG_RUN.search(text) is not None
    if long_run:
        for kind, pattern in _SHAPES:
            text = pattern.sub(_MARK.format(kind), text)
    text = _IN_URL.sub(_MARK.format("password"), text)
    text = _ASSIGNED.sub(_hide_value, text)
    if long_run:
        for value, kind in _scan(text):
            text = text.replace(value, _MARK.format(kind))
        text = _RANDOM.sub(lambda match: _MARK.format("secret") if _is_random(match[0]) else match[0], text)
    return text


def find(text: str) -> list[str]:
    """The kinds of secret in a text, each once, in the order in which they are looked for."""
    found = [kind for kind, pattern in _SHAPES if pattern.search(text)]
    found += ["password"] if _IN_URL.search(text) else []
    found += ["secret"] if any(_looks_secret(m["name"], m["value"]) for m in _ASSIGNED.finditer(text)) else []
    found += [kind for _, kind in _scan(text)]
    found += ["secret"] if any(_is_random(match[0]) for match in _RANDOM.finditer(text)) else []
    return list(dict.fromkeys(found))


def locate(text: str) -> list[Secret]:
    """The secrets of a text in order, none overlapping another: the same nets as in `redact`, fast on ordinary text."""
    found: list[Secret] = []
    long_words = [word for word in text.split() if len(word) >= 16]
    if not all(map(_NO_SECRET.fullmatch, long_words)):
        for kind, pattern in _SHAPES:
            found += [Secret(kind, *match.span()) for match in pattern.finditer(text)]
        for value, kind in dict.fromkeys(_scan(text)):
            found += [Secret(kind, *match.span()) for match in re.finditer(re.escape(value), text)]
        found += [Secret("secret", *match.span()) for match in _RANDOM.finditer(text) if _is_random(match[0])]
    if "://" in text and "@" in text:
        urls = _IN_URL.finditer(text)
        found += [Secret("password", url.start() + url[0].index(":") + 1, url.end()) for url in urls]
    if any(_NAMES.search(text, max(0, sign.start() - 26), sign.start()) for sign in _SIGNS.finditer(text)):
        named = (match for match in _ASSIGNED.finditer(text) if _looks_secret(match["name"], match["value"]))
        found += [Secret("secret", *match.span("value")) for match in named]
    return _apart(found)


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
    letters, digits = re.search(r"[A-Za-z]", value), re.search(r"\d", value)
    if "/" in value or "\\" in value:
        return _is_random(value.strip("/"), shortest=30)
    if re.search(r"(?i)passw|pwd", name):
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
    for line in text.splitlines():
        if len(line) < 20_000 and _LONG_RUN.search(line):
            for plugin in _plugins():
                for value in plugin.analyze_string(line):
                    if isinstance(value, str) and len(value) >= 8:
                        yield value, str(plugin.secret_type).lower().replace(" ", "-")


@lru_cache(maxsize=1)
def _plugins() -> tuple[Any, ...]:
    from detect_secrets.plugins import (
        artifactory,
        azure_storage_key,
        discord,
        mailchimp,
        npm,
        sendgrid,
        square_oauth,
        stripe,
        telegram_token,
        twilio,
    )

    return (
        artifactory.ArtifactoryDetector(),
        azure_storage_key.AzureStorageKeyDetector(),
        discord.DiscordBotTokenDetector(),
        mailchimp.MailchimpDetector(),
        npm.NpmDetector(),
        sendgrid.SendGridDetector(),
        square_oauth.SquareOAuthDetector(),
        stripe.StripeDetector(),
        telegram_token.TelegramBotTokenDetector(),
        twilio.TwilioKeyDetector(),
    )
