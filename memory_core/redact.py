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
    ("webhook", re.compile(r"(?<=hooks\.slack\.com/services/)T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{16,}", _A)),
    ("bearer", re.compile(r"(?i)(?<=bearer )[A-Za-z0-9._~+/-]{20,}=*", _A)),
)
# What a shape cannot do without, so that a text without it is not searched for the shape.
_LITERALS: dict[str, tuple[str, ...]] = {
    "private-key": ("-----BEGIN ",),
    "api-key": ("sk-", "sk_", "pk-", "pk_", "rk-", "rk_"),
    "github-token": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    "gitlab-token": ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-"),
    "slack-token": ("xox", "xapp-"),
    "aws-key": ("AKIA", "ASIA"),
    "google-key": ("AIza", "ya29.", "GOCSPX-"),
    "package-token": ("npm_", "pypi-", "dckr_pat_"),
    "model-token": ("hf_", "gsk_", "xai-"),
    "jwt": ("eyJ",),
}
_IN_URL = re.compile(r"(?<=://)[^\s:/@\"'<>]{1,64}:(?!//)[^\s:/@\"'<>]{3,128}(?=@)")
_ASSIGNED = re.compile(
    # The word itself first, whatever stands before it in a name: looking for a name's beginning at every `-` of a
    # megabyte of them took seconds.
    r"(?i)(?P<name>(?:api_?-?key|secret|passw(?:or)?d|passwd|pwd|token(?!s)"
    r"|access_?key|credential)[A-Z0-9_-]{0,20})[\"']?\s{0,3}[=:]\s{0,3}[\"']?(?!\[redacted)"
    r"(?P<value>(?:[^\s\"',;)}\]`\x1b\\]|\\(?![nrt])){8,})",
    _A,
)
# Secrets that are told without a sign between name and value: in a sentence, an option, an element, a header.
_TOLD = (
    re.compile(
        r"(?i)(?P<name>passw(?:or)?d|passphrase|pwd)\s{1,3}(?:is|was)\s{1,3}[\"'`]?(?!\[redacted)(?P<value>[^\s\"',;)}`]{6,128})"
    ),
    re.compile(
        r"(?P<name>パスワード|暗証番号|密码|密碼|비밀번호)[はをが는은가이을를是为為]?\s{0,3}[:：]?\s{0,3}[「『\"'`]?"
        r"(?!(?:sha|md|argon|pbkdf|base|aes)-?\d)(?P<value>(?![\d.]{1,5}(?!\d))[!#-&(-+.-Z\\^_a-z|~-]{6,128})"
    ),
    re.compile(
        r"(?i)(?<![\w-])--(?:[a-z]{1,20}-){0,3}(?P<name>password|passwd|token|secret|api-?key)\s{1,3}[\"']?(?!\[redacted)"
        r"(?P<value>[^\s\"',;)}`-][^\s\"',;)}`]{7,128})"
    ),
    re.compile(r"(?i)<(?P<name>(?:[\w.-]{1,30}[_.-])?(?:password|passwd|secret|token))>(?P<value>[^<>\s]{6,256})</"),
    re.compile(r"(?i)(?P<name>authorization)[\"']?\s?[:=]\s?[\"']?basic\s(?P<value>[a-z0-9+/]{8,512}={0,2})"),
    re.compile(r"(?P<name>curl) [^\n]{0,200}?(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:(?P<value>[^\s\"'$]{3,128})"),
)
_TELLING = re.compile(
    r"(?i)passw|passphrase|pwd|パスワード|暗証番号|密[码碼]|비밀번호|(?:token|secret|key)[\s>]"
    r"|basic |curl "
)
_LONG_RUN = re.compile(r"[A-Za-z0-9+/_=.:-]{16}", _A)  # no known key is shorter
# What follows `;base64,` in an address is a picture.
_RANDOM = re.compile(
    r"(?<![A-Za-z0-9+/_.-])(?<!;base64,)(?!sha\d{1,3}-)[A-Za-z0-9+/_-]{36,200}={0,2}(?![A-Za-z0-9+/_.-])", _A
)
_AWS_SECRET = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)[A-Za-z0-9/+]{40}")
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
        for kind, pattern in _shapes_in(text):
            text = pattern.sub(_MARK.format(kind), text)
    text = _IN_URL.sub(_MARK.format("password"), text)
    text = _ASSIGNED.sub(_hide_value, text)
    if _TELLING.search(text):
        for told in _TOLD:
            text = told.sub(_hide_value, text)
    if long_run:
        for value, kind in _scan(text):
            text = text.replace(value, _MARK.format(kind))
        text = _RANDOM.sub(lambda match: _MARK.format("secret") if _is_random(match[0]) else match[0], text)
    return text


def find(text: str) -> list[str]:
    """The kinds of secret in a text, each once, in the order in which they are looked for."""
    found = [kind for kind, pattern in _shapes_in(text) if pattern.search(text)]
    found += ["password"] if _IN_URL.search(text) else []
    named = (match for net in (_ASSIGNED, *_TOLD) for match in net.finditer(text))
    found += ["secret"] if any(_looks_secret(m["name"], m["value"]) for m in named) else []
    found += [kind for _, kind in _scan(text)]
    found += ["secret"] if any(_is_random(match[0]) for match in _RANDOM.finditer(text)) else []
    return list(dict.fromkeys(found))


def locate(text: str) -> list[Secret]:
    """The secrets of a text in order, none overlapping another: the same nets as in `redact`, fast on ordinary text."""
    found: list[Secret] = []
    long_words = [word for word in text.split() if len(word) >= 16]
    if not all(map(_NO_SECRET.fullmatch, long_words)):
        for kind, pattern in _shapes_in(text):
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
    if _TELLING.search(text):
        named = (m for told in _TOLD for m in told.finditer(text) if _looks_secret(m["name"], m["value"]))
        found += [Secret("secret", *match.span("value")) for match in named]
    return _apart(found)


def _shapes_in(text: str) -> list[tuple[str, re.Pattern[str]]]:
    """The shapes that a text may hold, in their order."""
    return [(kind, p) for kind, p in _SHAPES if kind not in _LITERALS or any(word in text for word in _LITERALS[kind])]


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
    if _AWS_SECRET.fullmatch(value) and re.search(r"(?i)key|secret", name):
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
    if not any(sign.search(text) for sign, _, _ in _LIBRARY):
        return  # nearly every text; loading the library takes a tenth of a second
    for line in text.splitlines():
        if len(line) >= 20_000:
            continue
        for sign, module, name in _LIBRARY:
            if sign.search(line):
                plugin = _plugin(module, name)
                for value in plugin.analyze_string(line):
                    if isinstance(value, str) and len(value) >= 8:
                        yield value, str(plugin.secret_type).lower().replace(" ", "-")


# What each plugin of the library cannot find anything without. A line is given to a plugin only then: one of them takes
# the square of a line's length where what it looks for is not at its end. A test tells when the library changes.
_LIBRARY: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"A(?:KC|P[0-9A-F])[a-zA-Z0-9]{8}"), "artifactory", "ArtifactoryDetector"),
    (re.compile(r"AccountKey="), "azure_storage_key", "AzureStorageKeyDetector"),
    (re.compile(r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27}"), "discord", "DiscordBotTokenDetector"),
    (re.compile(r"-us[0-9]"), "mailchimp", "MailchimpDetector"),
    (re.compile(r"/:_authToken=\s*(?:npm_.|[A-Fa-f0-9-]{36})"), "npm", "NpmDetector"),
    (re.compile(r"SG\.[\w-]{22}\."), "sendgrid", "SendGridDetector"),
    (re.compile(r"sq0csp-"), "square_oauth", "SquareOAuthDetector"),
    (re.compile(r"[rs]k_live_"), "stripe", "StripeDetector"),
    (re.compile(r"\d{8}:[\w-]{35}"), "telegram_token", "TelegramBotTokenDetector"),
    (re.compile(r"(?:AC|SK)[a-z0-9]{32}"), "twilio", "TwilioKeyDetector"),
)


@cache
def _plugin(module: str, name: str) -> Any:
    return getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
