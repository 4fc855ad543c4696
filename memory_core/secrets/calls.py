"""Secrets in code that stand behind their name with more than a sign between them, or in a call that takes one.

Data only, as `secrets.places`. Nothing but its place tells such a value, so it is asked for that it is no word.
"""

from __future__ import annotations

from memory_core.secrets.places import CREDENTIALS, MIXED, NAMES, NO_MARK, QUOTES, Net

_NAME = (
    r"(?P<name>(?:api[_-]?key|secret|passw(?:or)?d|passwd|passphrase|pwd|token(?!iz)|credential|access_?key)"
    r"[a-z0-9_-]{0,20})"
)
_ALONE = rf"{MIXED}{NO_MARK}(?P<alone>[^\s\"'`\\]{{8,512}})"
_HEX = r"0x[0-9a-f]{64}(?![0-9a-f])"
CALLS: tuple[Net, ...] = (
    Net(  # a type around the value: `Optional("...")`, `String::from("...")`, `b'...'`, `<<"...">>`
        CREDENTIALS,
        (
            rf"(?i){_NAME}[\"']?\s{{0,3}}(?:[:=]|=>|<-|,|\s)\s{{0,3}}"
            rf"(?:(?-i:[A-Z]\w{{1,23}}|str|bytes)(?:::\w{{1,12}})?[(\[{{<\s]{{1,2}}b?|b|<<)[\"']{_ALONE}[\"']"
        ),
        QUOTES,
        begins=NAMES,
    ),
    Net(  # nothing around it, nothing between: `#define API_KEY "..."`, `(setq api-key "...")`, `:password "..."`
        CREDENTIALS,
        rf"(?i){_NAME}(?<! token)(?:\s{{1,8}}@?|\(@?)[\"'`](?=[^\"'\n]{{10}}){_ALONE}[\"'`]",
        (*QUOTES, "`"),
        begins=NAMES,
    ),
    Net(
        ("api key", "secret key", "access key"),
        rf"(?i)(?P<name>(?:api|secret|access) key)\s{{1,3}}{MIXED}(?P<alone>[\w+/=-]{{12,256}})(?![\w.(:])",
        begins="api|secret|access",
    ),
    Net(  # calls that take a person and a secret, or a secret alone
        (
            *("connect", "new pdo", "credential", "passwordauth", "jwt.", "create_user", "create_superuser"),
            *("createhmac", "basicauth", "secretstr", "wifi.begin"),
        ),
        (
            r"(?i)(?P<name>getConnection|mysqli_connect|new PDO|DBI->connect|(?:Network|UsernamePassword)Credentials?"
            r"|PasswordAuthentication|(?:Azure|Api|Named)KeyCredential|jwt\.(?:sign|verify)|create_(?:super)?user|createHmac"
            r"|basicAuth|SecretStr|WiFi\.begin)\((?:[^()\n]{0,160}?,\s{0,12})?[\"'](?!\w{1,12}:|[\w.+-]{1,64}@[\w-]{1,60}\.\w)"
            rf"{MIXED}{NO_MARK}(?P<alone>[^\s\"'`\\]{{6,256}})[\"']\s?(?=[,)])"
        ),
        QUOTES,
        begins="getc|mysqli|new|dbi|network|username|password|azure|api|named|jwt|create|basic|secret|wifi",
    ),
    Net(  # private keys of Ethereum, which look like any hash
        ("private", "wallet", "account"),
        (
            r"(?i)(?P<name>private[ _-]?keys?|wallet|accounts?)(?:ToAccount)?[\s\"'`:=\[(*]{0,12}"
            rf"(?P<value>{_HEX}(?:[\"'`],\s{{0,12}}[\"'`]{_HEX}){{0,40}})"
        ),
        ("0x",),
        begins="private|wallet|account",
    ),
    Net(("private keys",), rf"(?im)^(?P<name>\(\d{{1,3}}\)) (?P<value>{_HEX})[ \t\r]*$", ("0x",)),
    Net(  # answers of Redis, of which the second is the value of the first
        ("requirepass", "masterauth", "passw", "secret", "token"),
        (
            r"(?i)\d{1,6}\) \"(?P<name>[\w:.-]{0,40}(?:requirepass|masterauth|passw(?:or)?d|secret|token))\"\s{1,8}"
            r"\d{1,6}\) \"(?P<value>(?:[^\s\"\\]|\\\S){6,256})\""
        ),
        (') "',),
    ),
)
