"""Whether a value is written or drawn: words, identifiers, names of algorithms, paths, places to fill.

A password may hold any sign, so it is no sign that tells code from a password, but what stands between the signs.
"""

from __future__ import annotations

import re
import string

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_WORD = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}")
_CASE = re.compile(r"[a-z](?=[A-Z])")
_NEARLY_ALL = 0.8
_CAMEL = re.compile(r"[A-Z][a-z]{2,}")
_SHORT = re.compile(r"[a-z]{1,3}\d{0,2}|[A-Z]{1,12}\d{0,4}|\d+|0x[0-9a-fA-F]{1,16}")  # `i`, `x1`, `URL`, `2024`
_RANGE = re.compile(r"a-z|A-Z|0-9")
_PARTS = re.compile(r"[\W_]+")
# `regcred-v2`, `name2_of_thing`, `color.blue.500`, `--space-4-5`
_JOINED = re.compile(r"-{0,2}[a-z]{2,}\d{0,2}(?:[-_.](?:v?\d{1,4}[a-z]?|\d?[a-z]{1,20}\d{0,2}))+")
# What people decide on: it stands behind `password:` and `token:` far more often than a secret does.
_ALGORITHM = re.compile(
    r"argon2(?:id|[id])?|(?:b|s|yes)?crypt\d?|pbkdf2|sha\d{1,3}(?:crypt)?\d?|shake\d{3}|md[45]|blake\d[bs]?\d{0,3}|hmac"
    r"|aes\d{0,3}(?:gcm|cbc|ctr|siv)?|x?chacha20|poly1305|rsa\d{0,4}|[rhep]s(?:256|384|512)|ecdsa|eddsa|ed(?:25519|448)"
    r"|x(?:25519|448)|curve25519|secp\d{3}[kr]\d|p(?:256|384|521)|base(?:16|32|58|62|64)(?:url)?|uuid(?:v?\d)?|ulid"
    r"|jw[estk]|oauth[12]?|oidc|saml2?|k8s|wpa[23]?|(?:string|u?int|float|char|varchar2?|bytes)\d{1,4}"
)
_BESIDE_ALGORITHM = re.compile(r"[a-z]{2,}|v?\d{1,4}|\d{1,4}[a-z]{1,4}|[a-z]")
# A place for a value instead of one, and what is around it.
_HOLE = re.compile(
    r"\$\{[^}]*(?:\}|\Z)|\$\([^)]{0,200}\)|\{\{.*?(?:\}\}|\Z)|\{\w{0,80}\}|<[^>\d]{0,200}>|%\(?\w{0,40}\)?s\b"
)
_PLACE = re.compile(r"<[^>]*>|[A-Z]+\d{0,2}(?:_[A-Z]*\d{0,3})*")
_CHOICE = re.compile(r"\$\w+|[\w:]+(?:\|[\w:,.]+)+")
_PATH = re.compile(r"\.{0,2}[/\\]|[~$]|[A-Za-z]:[/\\]|%[A-Za-z]+%|arn:")
_ID = re.compile(r"[0-9a-f]{7,40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def in_lower_case(text: str) -> str:
    """A text in lower case with every place as it was: ASCII alone where a letter would become two, as in Turkish."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_LOWER)


def is_written(value: str, least: int = 3, most: float = 0.6) -> bool:
    """Whether a value is put together from words of `least` letters, as the identifiers of programs are:
    `OAuth2AccessToken`. Of 40,000 drawn strings of 36 characters seven have more than 0.8 of their letters in such."""
    words = re.findall(rf"[A-Z]?[a-z]{{{least},}}", value)
    return sum(map(len, words)) > most * len(re.findall(r"[A-Za-z]", value))


def is_identifier(value: str) -> bool:
    """Whether a value is a name of a program in which several words can be seen: `AccessTokenV2Dto`."""
    return value.isidentifier() and len(_CAMEL.findall(value)) >= 2 and _of_words(value) >= _NEARLY_ALL


def is_jumbled(value: str) -> bool:
    """Whether letters alone, of both cases, make no words: `qXvbTRkzPwWm`."""
    return len(value) >= 10 and value.isalpha() and len(_CASE.findall(value)) >= 3 and _of_words(value) < 0.5


def is_joined(value: str) -> bool:
    """Whether a value is lower-case words and small numbers, joined: `prod-db-creds-2024a`."""
    return _JOINED.fullmatch(value) is not None


def all_words(value: str) -> bool:
    """Whether what stands between the signs of a value are words, names and numbers."""
    return all(_is_word(part) for part in _PARTS.split(_RANGE.sub(" ", value)) if part)


def is_algorithm(value: str) -> bool:
    """Whether a value names how something is done: `argon2id`, `jwt-rs256-v2`, `WPA2-PSK`."""
    parts = [part for part in _PARTS.split(value.lower()) if part]
    found = [part for part in parts if _ALGORITHM.fullmatch(part)]
    return bool(found) and all(part in found or _BESIDE_ALGORITHM.fullmatch(part) for part in parts)


def is_place(value: str) -> bool:
    """Whether a value only says where one belongs: `${TOKEN}`, `<your key>`, `$password`, `YOUR_KEY`. A password
    that has such signs by chance has something drawn beside them."""
    if _PLACE.fullmatch(value) or (_CHOICE.fullmatch(value) and all_words(value)):
        return True
    return is_hole(value)


def is_hole(value: str) -> bool:
    """Whether a value is filled in later, all of it or but for words: `{user}-{password}`."""
    rest, holes = _HOLE.subn(" ", value)
    return holes > 0 and all_words(rest)


def is_path(value: str) -> bool:
    """Whether a value with slashes is one of folders: they are words, all of them or, where it begins as a path does,
    more than one. Base64 has slashes too."""
    if "://" in value or value.startswith("arn:"):
        return True
    if not _PATH.match(value) and re.search(r"\d", value) and re.search(r"[!$^&*%#]", value):
        return False  # signs that no path has
    folders = [part for part in re.split(r"[/\\]+", value) if part]
    words = [part for part in folders if all_words(part)]
    if len(words) == len(folders) or (_PATH.match(value) and len(words) >= 2):
        return True
    return bool(words) and all(part in words or _ID.fullmatch(part) for part in folders)


def _is_word(part: str) -> bool:
    if _SHORT.fullmatch(part) or is_identifier(part) or _ALGORITHM.fullmatch(part.lower()):
        return True
    return len(re.findall(r"\d+", part)) <= 1 and _of_words(part) >= _NEARLY_ALL


def _of_words(value: str) -> float:
    """The share of a value's letters that stand in what may be words."""
    return sum(map(len, _WORD.findall(value))) / (sum(map(str.isalpha, value)) or 1)
