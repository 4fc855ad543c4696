"""Whether a value that stands where secrets do is one: code, paths, names, dates and plain words are none.

Where such a value may stand is in `secrets.places`, `secrets.commands` and `secrets.calls`; words are told from what
was drawn by `secrets.words`.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from memory_core.secrets.labels import PASSWORDS, WIDE_PASSWORDS
from memory_core.secrets.shapes import AWS_SECRET
from memory_core.secrets.words import (
    all_words,
    is_algorithm,
    is_identifier,
    is_joined,
    is_jumbled,
    is_path,
    is_place,
    is_written,
)

_ALWAYS = re.compile(r"(?i)authorization|curl|sshpass|login|3a|:|://")
# What is no value where no quotes are around it: of a key each such sign tells, of a password what is beside it does.
_CODE = re.compile(r"\w[(\[<]|\A[(\[{<*&$]|\||\A[a-z_]\w*(?:\.[a-z_]\w*){2,}\Z")
_CLOSED = re.compile(r"[\s,;)}\]\"'`\\]")
_CALL = re.compile(r"\A[\w.:]+[(\[].*[)\]]\Z")
_WORD = re.compile(r"(?<!\S)[A-Za-z]{2,}(?!\S)")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
# Names of what is about a secret and not one; a value of one sign throughout, or in a script without keys.
_ABOUT = re.compile(
    r"(?i)(?:name|type|file|path|field|column|header|class|algorithm|policy|endpoint|ttl|_at|date|expires|expiry|version"
    r"|count|length|limit|arn|ref|regexp?|pattern|credential_?id|password_?(?:secret)?_?key)\Z"
)
_HIDDEN = re.compile(r"(.)\1*|(?:(?![!-~]{4}).)*", re.DOTALL)
_MEMBER = re.compile(
    r"(?i)[a-z_$][\w$]*(?:(?:\?\.|\.|::?)[a-z_$][\w$]*)*(?:\?\.|\.|::?)\w{0,40}(?:key|token|secret|passw(?:or)?d)\w{0,20}"
)
_PASSWORD = re.compile(rf"(?i)pass|pwd|pswd|pw\Z|identified |reg add|sqlplus|<<<|{'|'.join(PASSWORDS)}|[^\x00-\x7f]")
_TOLD_PASSWORD = re.compile(rf"(?i){'|'.join((*WIDE_PASSWORDS, *PASSWORDS))}")
# Behind a command stands what its shell takes as it is.
_COMMAND = re.compile(
    r"(?i)curl|sshpass|mysql\w{0,8}|mariadb|\w{1,8} login|mongo\w{0,10}|sqlcmd|twine|ldapsearch|zip|7z\w?|smbclient"
    r"|http|etcdctl|echo|printf|\.login"
)
# What stands before a token of which a page is drawn or a text is made (`design token: color.blue.500`), and before a
# word in a name of Amazon's.
_OF_DESIGN = re.compile(r"(?i)\b(?:design|css|storybook|theme|style|lexer|parser|syntax)[ _-]\Z")
_IN_ARN = re.compile(r"(?:arn:[\w-]{1,12}|\d{12}):\Z")
_SIGN = re.compile(r"[^\w\s\"'.:/,;(){}\[\]<>*&-]")  # that no identifier has
# A key that is for everybody.
_FOR_ALL = re.compile(
    r"(?i)(?:(?:public|site|publishable|verif\w{1,8})[ _-]?key(?:[ _-]?(?:base64|b64|hex|pem))?|site-verification)"
    r"[\s\"'`:=*]{1,8}\Z"
)
_IN_HOLE = re.compile(r"\$\{\w{0,40}\Z")
_GROUPS = ("line", "cookie", "told", "run", "bare", "alone")
_LONGEST_BLOCK = 20_000
_SHORTEST_RUN, _LONGEST_CALL = 8, 200
_PUBLIC = re.compile(r"-----BEGIN (?!\w{0,20} ?PRIVATE)[A-Z ]{1,40}-----(?:[\s>+|-]|\\{1,4}[rn]|[A-Za-z0-9/])*")
_FILE = re.compile(r"\.(?:pem|key|json|ya?ml|toml|env|txt|crt|cer|p12|pfx)\Z")


def group_of(match: re.Match[str]) -> str:
    """The group that holds the secret."""
    return next((name for name in _GROUPS if match.groupdict().get(name)), "value")


def place_of(match: re.Match[str]) -> tuple[int, int]:
    """Where the secret stands. Of what is no password's the value ends where one of code does."""
    group = group_of(match)
    start, end = match.span(group)
    if group == "run" and not _PASSWORD.search(match["name"]):
        closed = _CLOSED.search(match.string, start, end)
        return start, closed.start() if closed else end
    return start, end


def looks_secret(match: re.Match[str]) -> bool:
    """Whether an assigned value may be a secret. Code such as `token=get_token(`, a path, a name in capitals, a number
    and a plain word are none."""
    name, group, text = match["name"] or "", group_of(match), match.string
    start, end = place_of(match)
    value = text[start:end]
    quoted = group != "run" and text[start - 1 : start] in ('"', "'", "`")
    if group == "alone" and is_plain(value):
        return False
    if "[redacted" in value or (" " in value and len(_WORD.findall(value)) > 2):
        return False  # `PASSWORD_HELP="Use 8 characters or more"`
    if _is_named_otherwise(text, match.start("name")):
        return False
    if not quoted and _is_code(match, value, group):
        return False
    if _ALWAYS.fullmatch(name) and not _is_empty(value):
        before = text[max(0, start - len(value) - 1) : start]
        if before == f"{value}:":
            return False  # `admin:admin`
        if name.lower() == "authorization" and is_written(value) and not before.endswith("asic "):
            return False  # `authorization: OAuth2PasswordBearer`
        return text[end : end + 1] not in ("(", "[")
    return is_secret(name, value, quoted=quoted)


def is_plain(value: str) -> bool:
    """Whether a value is words and numbers, joined by signs that identifiers and talk have."""
    return all_words(value) and not _SIGN.search(value)


def _is_named_otherwise(text: str, start: int) -> bool:
    """Whether a name at a place is a part of another, which is no secret's."""
    if text[start - 1 : start] == ":":
        return _IN_ARN.search(text, max(0, start - 16), start) is not None
    return text[start : start + 5].lower() == "token" and _OF_DESIGN.search(text, max(0, start - 16), start) is not None


def _is_code(match: re.Match[str], value: str, group: str) -> bool:
    """Whether a value without quotes is code. A password may have each sign that code has, and between them what no
    code has; a bracket of code is closed on its line, or ends it."""
    name, begin, (start, end) = match["name"] or "", match.start("name"), place_of(match)
    if _MEMBER.fullmatch(value) or (group == "run" and _IN_HOLE.search(match.string, max(0, begin - 42), begin)):
        return True
    told = _PASSWORD.search(name) is not None or _COMMAND.fullmatch(name) is not None
    if group == "run" and len(_CLOSED.split(value, maxsplit=1)[0]) < _SHORTEST_RUN:
        if not told or len(value) < _SHORTEST_RUN or "\n" in match.string[match.end("name") : start]:
            return True  # `f(token=t1, ...)`: what ends there says too little
        return all_words(value)
    if not (_CALL if group == "line" else _CODE).search(value):
        return False
    return (not told and group != "line") or (all_words(value) and _is_closed(value, match.string, end))


def _is_closed(value: str, text: str, end: int) -> bool:
    """Whether the brackets that a value opens are closed behind it on its line, or the line ends with one."""
    if sum(map(value.count, "([")) <= sum(map(value.count, ")]")):
        return True
    line = (value[-1] + text[end : end + _LONGEST_CALL]).partition("\n")[0]
    return line.rstrip().endswith((",", "(", "[", "{")) or ")" in line or "]" in line


def is_secret(name: str, value: str, *, quoted: bool) -> bool:
    """Whether the value of a name is a secret, wherever both stand. `quoted`: it is no code."""
    if _is_empty(value) or is_algorithm(value):
        return False
    if _ABOUT.search(name):
        return is_random(value)
    if not name.isascii() and not _TOLD_PASSWORD.search(name) and is_written(value, 2):
        return len(re.findall(r"\d+", value)) >= 3
    letters, digits = re.search(r"[A-Za-z]", value), re.search(r"\d", value)
    if AWS_SECRET.fullmatch(value) and re.search(r"(?i)key|secret", name):
        return True  # the one kind of key that often looks like a path
    if ("/" in value or "\\" in value) and is_path(value):
        return False
    if _PASSWORD.search(name):
        if len(value) < 8 and name.isascii():
            return bool(digits and letters)
        return bool(digits or re.search(r"[!@#$%^&*?~]" if quoted else r"[^\w.-]", value) or is_jumbled(value))
    if not letters or not digits or len(value) < 8 or is_joined(value):
        return False
    return quoted or not is_identifier(value)


def _is_empty(value: str) -> bool:
    """Whether a value only stands for one: a place to fill, a file, a row of stars, a date."""
    return bool(is_place(value) or _FILE.search(value) or _HIDDEN.fullmatch(value) or _DATE.match(value))


def is_drawn(match: re.Match[str]) -> bool:
    """Whether a long run of letters and digits was drawn. Of several joined by dots one is enough; in a certificate or
    a public key are none."""
    run = match[0].lstrip("+-").strip(".")  # behind the sign of a line of a diff
    if _FOR_ALL.search(match.string, max(0, match.start() - 32), match.start()):
        return False
    if "." not in run:
        return is_random(run) and not is_written(run, most=0.8) and not _is_public(match.string, match.start())
    parts = [] if re.search(r"[/+]", run) else run.split(".")
    return any(is_random(part) and not is_written(part, most=0.8) for part in parts)


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
