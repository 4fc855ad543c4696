"""Whether a value that stands where secrets do is one: code, paths, names, dates and plain words are none.

Where such a value may stand is in `secrets.places` and `secrets.commands`.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from memory_core.secrets.shapes import AWS_SECRET

_ALWAYS = re.compile(r"(?i)authorization|curl|sshpass|login|3a|:|://")
# A place for a value instead of one; and what is no value where no quotes are around it.
_TEMPLATE = re.compile(
    r"\$\{|\$\([^)]*\)|\{\{|\{\w*\}|\A<[^>]*>\Z|<[^>\d]*>|%\(?\w*\)?s\b|\A\$\w+\Z|\A[A-Z]+\d{0,2}(?:_[A-Z]*\d{0,3})*\Z"
    r"|\A[\w:]+(?:\|[\w:,.]+)+\Z"
)
_CODE = re.compile(r"\w[(\[<]|\A[(\[{<*&$]|\||\A[a-z_]\w*(?:\.[a-z_]\w*){2,}\Z")
_CALL = re.compile(r"\A[\w.:]+[(\[].*[)\]]\Z")
_WORD = re.compile(r"(?<!\S)[A-Za-z]{2,}(?!\S)")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_WORDS = re.compile(r"[a-z]{2,}\d{0,2}(?:[-_.](?:v?\d{1,2}|[a-z]{1,20}\d{0,2}))+")  # `regcred-v2`, `name2_of_thing`
# Names of what is about a secret and not one; a value of one sign throughout, or in a script without keys.
_ABOUT = re.compile(
    r"(?i)(?:name|type|file|path|field|column|header|class|algorithm|policy|endpoint|ttl|_at|date|expires|expiry|version"
    r"|count|length)\Z"
)
_HIDDEN = re.compile(r"(.)\1*|(?:(?![!-~]{4}).)*", re.DOTALL)
_MEMBER = re.compile(
    r"(?i)[a-z_$][\w$]*(?:(?:\?\.|\.|::?)[a-z_$][\w$]*)*(?:\?\.|\.|::?)\w{0,40}(?:key|token|secret|passw(?:or)?d)\w{0,20}"
)
_PASSWORD = re.compile(
    r"(?i)passw|passphrase|pwd|kennwort|identified |pswd|pw\Z|[^\x00-\x7f]|mot de passe|senha|wachtwoord|pass"
    r"|reg add|sqlplus|<<<"
)
_TOLD_PASSWORD = re.compile(
    r"(?i)パスワード|暗証番号|密码|密碼|비밀번호|пароль|contraseña|hasło|lösenord|şifre|mật khẩu"
)
_LONGEST_BLOCK = 20_000
_PUBLIC = re.compile(r"-----BEGIN (?!\w{0,20} ?PRIVATE)[A-Z ]{1,40}-----(?:[\s>+|-]|\\{1,4}[rn]|[A-Za-z0-9/])*")
_FILE = re.compile(r"\.(?:pem|key|json|ya?ml|toml|env|txt|crt|cer|p12|pfx)\Z")


def group_of(match: re.Match[str]) -> str:
    """The group that holds the secret."""
    return next((name for name in ("line", "cookie", "told") if match.groupdict().get(name)), "value")


def looks_secret(match: re.Match[str]) -> bool:
    """Whether an assigned value may be a secret. Code such as `token=get_token(`, a path, a name in capitals, a number
    and a plain word are none."""
    name, group = match["name"] or "", group_of(match)
    value, text = match[group], match.string
    quoted = text[match.start(group) - 1 : match.start(group)] in ('"', "'", "`")
    if "[redacted" in value or (" " in value and len(_WORD.findall(value)) > 2):
        return False  # `PASSWORD_HELP="Use 8 characters or more"`
    if not quoted and (_MEMBER.fullmatch(value) or (_CALL if group == "line" else _CODE).search(value)):
        return False
    if _ALWAYS.fullmatch(name) and not _is_empty(value):
        before = text[max(0, match.start(group) - len(value) - 1) : match.start(group)]
        if before == f"{value}:":
            return False  # `admin:admin`
        if name.lower() == "authorization" and _is_written(value) and not before.endswith("asic "):
            return False  # `authorization: OAuth2PasswordBearer`
        return text[match.end(group) : match.end(group) + 1] not in ("(", "[")
    return is_secret(name, value, quoted=quoted)


def is_secret(name: str, value: str, *, quoted: bool) -> bool:
    """Whether the value of a name is a secret, wherever both stand. `quoted`: it is no code."""
    if _is_empty(value):
        return False
    if _ABOUT.search(name):
        return is_random(value)
    if not name.isascii() and not _TOLD_PASSWORD.search(name) and _is_written(value, 2):
        return len(re.findall(r"\d+", value)) >= 3
    letters, digits = re.search(r"[A-Za-z]", value), re.search(r"\d", value)
    if AWS_SECRET.fullmatch(value) and re.search(r"(?i)key|secret", name):
        return True  # the one kind of key that often looks like a path
    if "/" in value or "\\" in value:
        return is_random(value.strip("/"), shortest=30) or _is_no_path(value)
    if _PASSWORD.search(name):
        if len(value) < 8 and name.isascii():
            return bool(digits and letters)
        return bool(digits or re.search(r"[!@#$%^&*?~]" if quoted else r"[^\w.-]", value))
    return bool(letters and digits) and len(value) >= 8 and not _WORDS.fullmatch(value)


def _is_empty(value: str) -> bool:
    """Whether a value only stands for one: a place to fill, a file, a row of stars, a date."""
    return bool(_TEMPLATE.search(value) or _FILE.search(value) or _HIDDEN.fullmatch(value) or _DATE.match(value))


def _is_no_path(value: str) -> bool:
    """Whether a value with slashes is none of folders: Base64 with its filling, or a digit and signs that no path
    has."""
    if re.match(r"[./~]|[A-Za-z]:|\\", value) or "://" in value:
        return False
    filled = len(value) >= 16 and value.endswith("=") and re.fullmatch(r"[A-Za-z0-9+/]+={1,2}", value) is not None
    return filled or (re.search(r"\d", value) is not None and re.search(r"[!$^&*%#]", value) is not None)


def _is_written(value: str, least: int = 3, most: float = 0.6) -> bool:
    """Whether a value is put together from words of `least` letters, as the identifiers of programs are:
    `OAuth2AccessToken`. Of 40,000 drawn strings of 36 characters seven have more than 0.8 of their letters in such."""
    words = re.findall(rf"[A-Z]?[a-z]{{{least},}}", value)
    return sum(map(len, words)) > most * len(re.findall(r"[A-Za-z]", value))


def is_drawn(match: re.Match[str]) -> bool:
    """Whether a long run of letters and digits was drawn. Of several joined by dots one is enough; in a certificate or
    a public key are none."""
    run = match[0].strip(".")
    if "." not in run:
        return is_random(run) and not _is_written(run, most=0.8) and not _is_public(match.string, match.start())
    parts = [] if re.search(r"[/+]", run) else run.split(".")
    return any(is_random(part) and not _is_written(part, most=0.8) for part in parts)


def _is_public(text: str, at: int) -> bool:
    """Whether a line belongs to a block that is for everybody: only such lines stand between it and the beginning."""
    begin = text.rfind("-----BEGIN ", max(0, at - _LONGEST_BLOCK), at)
    return begin >= 0 and _PUBLIC.fullmatch(text, begin, at) is not None


def is_random(value: str, shortest: int = 36) -> bool:
    """Whether a string was drawn, not written: both cases and scattered digits, evenly spread. A hash in hexadecimal
    has one case, an identifier few digits, a path repeated letters and many short parts."""
    if len(value) < shortest or not (re.search(r"[a-z]", value) and re.search(r"[A-Z]", value)):
        return False
    if len(re.findall(r"\d+", value)) < 3 or len(re.findall(r"[/_-]", value)) > len(value) / 8:
        return False
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) >= 4.2
