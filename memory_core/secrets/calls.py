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
    Net(  # a presigned address, one with a key or a code in it
        ("key=", "auth=", "code=", "signature="),
        (
            r"(?i)(?P<name>(?:[?&]|(?m:^))(?:key|auth|code|(?:x-amz-)?signature))="
            r"(?P<alone>(?=[\w%.~+-]{0,64}\d)(?=[\w%.~+-]{0,64}(?-i:[a-z]))(?=[\w%.~+-]{0,64}(?-i:[A-Z]))[\w%.~+-]{20,512}"
            r"|[0-9a-f]{32,128}(?![\w-]))"
        ),
    ),
    Net(  # `var dbPass string = "..."`
        ("pass", "pwd", "secret", "token"),
        (
            r"(?P<name>(?<=[a-z])(?:Pass|Pwd|Secret|Token)(?:word)?)\s(?:string\s)?:?=\s[\"']"
            rf"{MIXED}{NO_MARK}(?P<alone>[^\s\"']{{6,256}})[\"']"
        ),
        QUOTES,
        begins="pass|pwd|secret|token",
    ),
    Net(  # a field of a page that is filled in
        (".fill(", ".type(", "send_keys(", "sendkeys(", "setvalue(", "presssequentially("),
        (
            r"(?i)(?P<name>passw(?:or)?d|passwd)[^\n]{0,40}?[\"'`]\s?\)\.(?:fill|type|send_?keys|setValue|pressSequentially)\("
            rf"[\"']{NO_MARK}(?P<value>[^\s\"']{{6,256}})[\"']"
        ),
        begins="passw",
    ),
    Net(  # at the prompt of a store, in SQL without quotes
        ("auth ", "identified by "),
        (
            rf"(?m)(?:(?:^|[;>\"'] ?)(?P<name>AUTH)(?: [a-z]\w{{0,30}})?|(?i:identified by)) {MIXED}{NO_MARK}"
            r"(?P<alone>[^\s\"'`;]{8,256})(?=[\s\"';\\]|\Z)"
        ),
    ),
    Net(  # columns with blanks between them: the row below the head
        ("password", "passwd", "secret", "token"),
        (
            r"(?im)^[ \t]*(?:user(?:name)?|login|name|account|e?mail|host)[ \t]{2,40}"
            r"(?P<name>passw(?:or)?d|passwd|secret|token)[ \t]*\r?\n(?:[ \t-]*\r?\n)?"
            rf"[ \t]*\S{{1,80}}[ \t]{{2,40}}{MIXED}{NO_MARK}(?P<alone>[^\s|]{{6,256}})[ \t\r]*$"
        ),
        near=r"  (?:passwor?d|passwd|secret|token)[ \t]*\r?\n",
    ),
    Net(  # a weak one, where a setting names a password
        ("password:", "passwd:", "pass:", "pwd:", "password=", "passwd="),
        (
            r"(?im)^[ \t]{0,80}(?:- )?(?P<name>[\w.-]{0,60}(?:password|passwd|(?<![a-z])pass|_pwd))(?::[ \t]{1,4}|=)"
            r"(?P<line>(?=[a-z!@#$%^&*?-]{1,20}\d)[\w!@#$%^&*?-]{6,64})[ \t\r]*$"
        ),
        begins="pass|pwd",
        line=True,
    ),
)
