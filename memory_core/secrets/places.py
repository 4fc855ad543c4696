"""The places by which a value is known for a secret: behind a name that says so, in a sentence, an element, a header.

Data only, as `secrets.shapes`; what people and programs type at a prompt stands in `secrets.commands`, what code wraps
or passes on in `secrets.calls`.
"""

from __future__ import annotations

from typing import NamedTuple

from memory_core.secrets.labels import OTHERS, PASSWORDS, WIDE_OTHERS, WIDE_PASSWORDS


class Net(NamedTuple):
    """A place, and without what it is not there: one of `words`, one of `beside`, if any, and what `near` finds
    quickly, all in a text in lower case. Most nets are never needed, so they are compiled when they are. Where `begins`
    says with what a match begins, it is tried only there: that costs a tenth; with `line` at the beginning of the line
    in which that stands."""

    words: tuple[str, ...]
    # `name`, and the secret as `value` or `told`; as `line` where nothing is code, as `run` where it goes on to the
    # next blank, as `bare` where that is told or typed, as `alone` where it may be no word, as `cookie`.
    pattern: str
    beside: tuple[str, ...] = ()
    near: str = ""
    begins: str = ""
    line: bool = False


# Words in the names of secrets, in lower case; quotes as they stand around a value, of which a fence of code has none.
CREDENTIALS = (
    *("secret", "passw", "pwd", "token", "credential"),
    *("apikey", "api_key", "api-key", "accesskey", "access_key"),
)
NAMES = "api|access|secret|pass|pwd|token|cred"  # with which they begin
QUOTES = ('"', "'", "=`", "= `", ":`", ": `", "(`", ",`", ", `")
# What stands between a name and its value: a sign, also of another language, in an address or behind written-out
# quotes (`\"password\": \"...\"`, JSON in JSON), and where YAML begins a block of text.
# Columns are filled up with blanks, and Markdown sets the name or the value in bold.
GAP = r"(?:[ \t]{4,24}|\s{0,3})"
SIGN = (
    rf"(?:\\{{0,15}}[\"'`]?|&quot;|%22|\[\])\*{{0,2}}{GAP}(?:=>|:=|\?=|<-|[=:＝：]|%3D|%3A)\*{{0,2}}{GAP}(?:[|>][+-]?\s{{1,12}})?\*{{0,2}}"
    r"(?:\\{0,15}[\"'`]?|&quot;|%22)(?!\[redacted)"
)
# Without quotes it goes on to the next blank: a password may hold each sign that ends a value of code. It ends before
# what its format has next: a member (`;Encrypt=`, `&user=`), the quote around all of it, a written-out line end, an
# element; and signs that close something are none of it at its end.
_ENDS = (
    r"[;&,]\s?[A-Za-z_][\w.-]{0,30}(?: (?-i:[A-Z])\w{1,20})?\s?=|,\s?[A-Za-z_]\w{0,30}:"
    r"|&(?:amp|quot|apos|[lg]t|#\w{1,4});"
    r"|\\{0,15}[\"'`](?=[\s,;:.)}\]&|>\\]|\Z)|\\{1,15}(?:[nrt]|u00)|</|<[a-z]{1,10}[\s/>]|\x1b|\[redacted"
)
_RUN = rf"(?:[^\s,;&\"'`<>()\[\]{{}}|\\\x1b]{{1,1024}}+|(?!{_ENDS})\S)"  # what needs no look, or one sign
RUN_END = r"(?<![,;:)}\]\"'`>|\\])"
RUN = rf"(?P<run>(?=\S{{8}})(?!\\{{0,15}}[\"'`]){_RUN}{{1,64}}{RUN_END})"
# The same where a person or a prompt tells it, and as an argument of a command.
SAID = rf"(?P<bare>(?=\S{{6}})(?![\"'`]){_RUN}{{1,64}}{RUN_END})"
ARGUMENT = (
    r"(?:'(?P<value>[^\s']{6,256})'|\"(?P<told>(?:[^\s\"\\]|\\\S){6,256})\""
    rf"|(?P<bare>(?=\S{{6}})(?![\"'-]){_RUN}{{1,64}}{RUN_END}))"
)
# In quotes a value may hold what ends it elsewhere, also the other quotes.
VALUE = (
    r"(?:(?P<value>(?<=[^\\]\")(?!\")(?:[^\s\"\\]|\\\S){6,2048}(?=\")|(?<=[^\\]')(?!')(?:[^\s'\\]|\\\S|''){6,2048}(?=')"
    r"|(?<=`)[^\s`]{6,2048}(?=`)|(?<=\\\")(?:[^\s\"\\]|\\\\(?:\\\")?){6,2048}(?=\\{1,15}\")"
    rf"|(?<=[\"'`])[^\s\"'`\\]{{6,256}}(?=\\{{0,15}}[\"'`]))|{RUN})"
)
ASSIGNED = Net(
    ("key", "secret", "passw", "passphrase", "pwd", "token", "credential"),
    # The word itself first, whatever stands before it in a name: looking for a name's beginning at every `-` of a
    # megabyte of them took seconds.
    r"(?ia)(?P<name>(?:api[ _-]{0,2}key|secret(?: key| id)?|passw(?:or)?d|passwd|passphrase|pwd|token(?!s|iz)"
    r"|access[ _]?key|credential)[A-Z0-9_-]{0,20})" + SIGN + VALUE,
    begins=NAMES,
)
_NAMED = r"(?P<name>passw(?:or)?d|passphrase|pwd)"
NO_MARK = r"(?!\[redacted)"
# What is no word: letters and digits in it. Where nothing but its place tells a value, that is asked for.
MIXED = r"(?=[^\s\"']{0,64}\d)(?=[^\s\"']{0,64}[A-Za-z])"
# `incorrect!`, `“hashed”`: what is said about a password, not the password.
_NO_WORDS = r"(?![“”„«»*_]{0,3}[^\W\d_]+(?:[-—–/][^\W\d_]+)*[“”„«»*_.!?…:—]{0,4}(?=[\s,;)&]|\Z))"
CREDENTIAL_NAME = r"(?:api_?key|secret|passw(?:or)?d|passwd|pwd|token|credential|access_?key)"
_QUOTED_NAME = rf"(?P<name>{CREDENTIAL_NAME}[a-z0-9_]{{0,20}})"
_QUOTED = r"(?P<quote>[\"'`])(?P<value>[^\s\"'`\\]{8,256})(?P=quote)"
_TOLD_AS = (
    r"(?:\s?(?:[:=：＝]|ist|is|lautet|est|é|è|es|är|er|jest|je|в|это|là)\s{1,3}|[:=：＝是は])[\"'`«„“「]?" + NO_MARK
)
# Secrets that are told otherwise: in a sentence, an option, an element, a header.
TOLD: tuple[Net, ...] = (
    Net(
        ("passw", "passphrase", "pwd"),
        (
            rf"(?i){_NAMED}(?:\s(?:for|of|to|on|at)(?:\s[\w.@-]{{1,30}}){{1,3}})?\s{{1,3}}(?:is|was)"
            rf"(?:\s{{0,2}}:|\snow|\sset\sto)?\s{{1,3}}[\"'`*]{{0,3}}{NO_MARK}{_NO_WORDS}{SAID}"
        ),
        begins=NAMES,
    ),
    Net(
        WIDE_PASSWORDS,
        (
            rf"(?P<name>{'|'.join(WIDE_PASSWORDS)})[はをが는은가이을를是为為]?\s{{0,3}}[:：=＝]?\s{{0,3}}[「『\"'`]?"
            r"(?P<value>(?![\d.]{1,5}(?!\d))[!#-&(-+.-Z\\^_a-z|~-]{6,128})"
        ),
    ),
    Net(
        WIDE_OTHERS,
        (
            rf"(?P<name>{'|'.join(WIDE_OTHERS)})[はをが는은가이을를是为為]?\s{{0,3}}[:：]?\s{{0,3}}"
            r"[「『\"'`]?(?=[\w+/=-]{0,128}[A-Z])(?=[\w+/=-]{0,128}[a-z])(?P<value>[A-Za-z0-9+/=_-]{12,128})"
        ),
    ),
    Net(
        PASSWORDS,
        rf"(?i)(?P<name>{'|'.join(PASSWORDS)}){_TOLD_AS}{_NO_WORDS}{SAID}",
        begins="|".join(PASSWORDS),
    ),
    Net(
        OTHERS,
        rf"(?i)(?<![^\W\d_])(?P<name>{'|'.join(OTHERS)}){_TOLD_AS}(?P<alone>[^\s\"'`,;)]{{8,256}})",
        begins="|".join(OTHERS),
    ),
    Net(
        (
            *("-pass", "-pw", "-token", "-secret", "-api-key", "-apikey", "-credential"),
            *("-private-key", "-access-key"),
        ),
        (
            r"(?i)(?<![\w-])--(?:[a-z]{1,20}-){0,3}(?P<name>password|passwd|passphrase|pass|pw|token|credentials?"
            rf"|secret(?:-access)?(?:-key)?|(?:api|private|access)-?key)\s{{1,3}}{NO_MARK}{ARGUMENT}"
        ),
    ),
    Net(
        ("password>", "passwd>", "secret>", "token>"),
        (
            r"(?i)<(?P<name>(?:[\w.-]{1,30}[_.-])?(?:password|passwd|secret|token))>(?:<!\[CDATA\[)?"
            r"(?P<bare>(?:(?!</|\]\]>)\S){6,256})(?:\]\]>)?</"
        ),
    ),
    Net(
        ("authorization",),
        (r"(?i)(?P<name>authorization)[\"'\\]{0,4}\s?[:=]\s?[\"'\\]{0,4}basic\s(?P<value>[a-z0-9+/]{8,512}={0,2})"),
        begins="authorization",
    ),
    Net(
        ("authorization",),
        (
            rf"(?i)(?P<name>authorization)[\"'\\]{{0,4}}\s?[:=,]\s?[\"'\\]{{0,4}}(?:[a-z][a-z0-9-]{{1,20}}\s)?{NO_MARK}"
            r"(?=[a-z._~+/=-]{0,512}\d)(?=[0-9._~+/=-]{0,512}[a-z])(?P<value>[a-z0-9._~+/=-]{8,512})"
        ),
        begins="authorization",
    ),
    Net(
        ("sshpass", "docker login", "podman login", "mysql", "mariadb"),
        rf"(?P<name>sshpass|(?:docker|podman) login|mysql(?:dump)?|mariadb)\b[^\n|;&]{{0,120}}?\s-p ?(?:{ARGUMENT})",
    ),
    Net(
        ("login ", "machine "),  # ~/.netrc
        (
            r"(?:\bmachine|(?:(?m:^)[ \t]{0,12}|\bmachine\s{1,8}\S{1,128}\s{1,8})login)\s{1,8}\S{1,128}\s{1,8}"
            rf"(?P<name>password)\s{{1,4}}{NO_MARK}(?P<value>\S{{6,128}})"
        ),
    ),
    Net(
        ("secret", "token", "key"),
        (
            r"(?i)\b(?P<name>(?:api|access|secret)[ _-]?key|secret|token)\s(?:is|was)\s?:?\s{1,3}[\"'`]?"
            r"(?=[\w+/=.-]{0,128}\d[\w+/=.-]{0,128}[a-z][\w+/=.-]{0,128}\d)(?P<value>[\w+/=.-]{12,128})"
        ),
        begins=NAMES,
    ),
    Net(
        CREDENTIALS,  # in quotes, with more than a sign before it
        (
            rf"(?i){_QUOTED_NAME}(?:[\"']?\]\s{{0,3}}:?=\s{{0,3}}|\s?:\s?[&\w.<>\[\]']{{1,24}}\s?=\s?|\s(?:as\s)?[a-z]{{1,12}}\s?=\s?"
            rf"|\s{{0,3}}[:=]\s{{0,3}}[rbfu@$]{{1,2}}(?=[\"'])|(?<=assword)\(|\s{{0,3}}[:=]\s{{0,3}}[\"']{{2}}){_QUOTED}"
        ),
        QUOTES,
        begins=NAMES,
    ),
    Net(
        ("key", "secret", "passwd", "password", "pwd", "token"),  # `setenv("API_KEY", "...")`
        (r"(?P<name>KEY|SECRET|PASSWORD|PASSWD|PWD|TOKEN)[\"']\s?,\s?" + _QUOTED),
        begins="key|secret|pass|pwd|token",
    ),
    Net(
        ("identified by", "password '"),  # SQL
        (r"(?i)(?P<name>identified by|password)\s{1,3}'(?P<value>[^'\s]{6,128})'"),
        begins="identified|password",
    ),
    Net(
        ("pass:", "--passphrase", "redis-cli", "requirepass", "masterauth", "bindpw", "rootpw"),
        (
            r"(?P<name>-pass(?:in|out) pass:|--passphrase[ =]|redis-cli [^\n|;&]{0,80}?-a "
            r"|\b(?:requirepass|masterauth|bindpw|rootpw) )[\"']?"
            r"(?P<value>[^\s\"'$<-][^\s\"']{5,128})"
        ),
    ),
    Net(
        CREDENTIALS,  # a name and its value side by side: variables of a container, elements of a configuration
        (
            r"(?i)(?P<name>(?:api_?-?key|secret|passw(?:or)?d|passwd|pwd|token|credential)[a-z0-9_-]{0,20})\\{0,3}[\"']?"
            rf"\s{{0,3}},?\s{{0,12}}\\{{0,3}}[\"']?value{SIGN}{VALUE}"
        ),
        ("value",),
        begins=NAMES,
    ),
    Net(
        ("password", "passwd", "token", "secret", "api"),  # a row of a table
        (
            r"(?im)\|[ \t]{0,12}[`*]{0,2}(?P<name>(?:[a-z_ -]{0,20}[_ -])?(?:passw(?:or)?d|token|secret|api[ _-]?key))"
            r"[`*]{0,2}[ \t]{0,12}\|[ \t]{0,3}`?(?P<value>[^\s|`]{8,128})(?=`?[ \t]{0,80}(?:\||$))"
        ),
        ("|",),
    ),
    Net(
        (
            *("pass=", "pass:", 'pass"', "pass'", "pass =", "pass  ", "pass\t", "pass\\", "pass&", "pass*", "pass["),
            *("pass%", "pass`", "pass：", "pass＝"),
            *("pw=", "pw:", 'pw"', "pw'", "pw =", "pw  ", "pw\t", "pw\\"),
            *("bindpw", "pswd", "passcode", "psk", "creds", "sig=", "authkey", "auth_key", "auth-key"),
            *(f"{word}{sign}key" for word in ("private", "encryption", "signing", "master") for sign in ("", "_", "-")),
        ),
        (
            r"(?i)(?P<name>(?<=[_.-])pass|(?<![A-Za-z ])pass(?=[\"']?\s{0,3}[:=])|(?<=  )pass(?=[\"']?\s{0,3}[:=])"
            r"|(?<![A-Za-z])(?-i:PASS)(?!: (?:Test|Example|Fuzz|Benchmark|test))"
            r"|(?<![a-z])(?:db|user|smtp|mail|ssh|admin)(?:pass|pw)|(?<![a-z])(?:pw|pswd|passcode)|(?<=_)pw|bindpw|(?<![a-z])(?:psk|creds|(?<=[?&])sig"
            r"|auth_?key|(?:private|encryption|signing|master)[_-]?key))" + SIGN + VALUE
        ),
        begins="pass|db|user|smtp|mail|ssh|admin|pw|ps|bindpw|creds|sig|auth|private|encryption|signing|master",
    ),
    Net(
        ("%3a%2f%2f", "%252f%252f"),  # an address inside another one
        (
            r"(?i)%(?:25)?3A%(?:25)?2F%(?:25)?2F[^\s%]{0,64}%(?:25)?(?P<name>3A)(?P<value>[^\s\"']{3,128}?)(?=%(?:25)?40)"
        ),
    ),
    Net(
        ("://",),  # a token in place of a person's name
        (r"(?P<name>://)(?=[A-Za-z_-]{0,255}\d)(?=[\d_-]{0,255}[A-Za-z])(?P<value>[A-Za-z0-9_-]{20,255})(?=@)"),
        ("@",),
    ),
)
