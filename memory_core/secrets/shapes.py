"""What secrets look like: the shapes of known keys, how a value is told, and what a text without any cannot have.

Data only: how the nets are drawn through a text, and what becomes of what they catch, is `redact`'s business.
"""

from __future__ import annotations

import re

# ASCII word boundaries: a key right behind a kana or Han character is a key too.
_A = re.ASCII
# A word begins here, or right behind a color of a terminal (`ESC[32m`) or a written-out line end (`\\n` in JSON), whose
# last letter would otherwise hide it.
_START = (
    r"(?:\b|(?<=\\[nrt])|(?<=\x1b\[[mJKH])|(?<=\x1b\[\d[mJKH])|(?<=\x1b\[\d\dm)|(?<=\x1b\[\d;\dm)|(?<=\x1b\[\d;\d\dm)"
    r"|(?<=\x1b\[\d;\d\d;\d\dm))"
)
# The same also behind a name that was put in front of it (`Run_ghp_...`): for keys that look like nothing else.
_BEHIND = rf"(?:{_START}|(?<=_))"
# Shapes of keys, as their issuers document them. A value is at least as long as real ones are.
SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "private-key",
        re.compile(
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            # Without its end it is what follows, if a key begins there: programs and people speak of the marker too.
            r"(?:(?:(?!-----BEGIN ).)*?-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            r"|(?=.{0,400}?[A-Za-z0-9+/]{24}).*\Z)"
            r"|---- BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY ----.*?(?:---- END [A-Z0-9 ]{0,30}PRIVATE KEY ----|\Z)"
            r"|(?<=Private-Lines: )\d{1,3}\s{1,2}(?:[A-Za-z0-9+/=]{1,64}\s{1,2}){1,200}"  # of PuTTY
            # The same in Base64, as in a kubeconfig, on one line or several; certificates and public keys are none.
            r"|LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)[A-Za-z0-9+/]{20,}"
            r"(?:(?:\s|\\n){1,12}[A-Za-z0-9+/]{60,})*(?:(?:\s|\\n){1,12}[A-Za-z0-9+/]{4,76}(?==|\s|\Z))?={0,2}",
            re.DOTALL,
        ),
    ),
    (
        "api-key",
        re.compile(_START + r"(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_]){0,8}[A-Za-z0-9]{16,}(?:[-_][A-Za-z0-9_-]*)?", _A),
    ),
    ("github-token", re.compile(_BEHIND + r"(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})\b", _A)),
    ("gitlab-token", re.compile(_BEHIND + r"gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{16,}", _A)),
    (
        "slack-token",
        re.compile(_BEHIND + r"xox[abeprs]-[A-Za-z0-9-]{10,}|" + _START + r"xapp-[0-9]-[A-Za-z0-9-]{16,}", _A),
    ),
    ("aws-key", re.compile(_BEHIND + r"(?:AKIA|ASIA)[0-9A-Z]{16}\b", _A)),
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
            r"|whsec_[A-Za-z0-9+/]{20,}|(?:ntn|sbp|lin_api|pscale_tkn|pscale_pw)_[A-Za-z0-9_-]{32,}|AGE-SECRET-KEY-1[0-9A-Z]{50,}"
            r"|(?:NRAK|NRJS|NRIQ)-[A-Z0-9]{20,}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}"
            r"|dp\.(?:pt|st|ct|sa|scim)\.[A-Za-z0-9.]{40,}"
            r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,}"
            r"|rubygems_[0-9a-f]{48}|pat-(?:na|eu)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{40,}"
            r"|A3(?:-[A-Z0-9]{5,6}){5,6}|sgp_[A-Za-z0-9_]{40,}|FlyV1 fm\d_[A-Za-z0-9+/=,_]{20,})",
            _A,
        ),
    ),
    ("jwt", re.compile(_START + r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}", _A)),
    (
        "webhook",
        re.compile(
            r"(?<=hooks\.slack\.com/services/)T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{16,}"
            r"|(?<=/api/webhooks/)\d{16,20}/[A-Za-z0-9_-]{40,}",
            _A,
        ),
    ),
    ("bearer", re.compile(r"(?i)(?<=bearer )[A-Za-z0-9._~+/-]{20,}=*", _A)),
)
# What a shape cannot do without, so that a text without it is not searched for the shape.
LITERALS: dict[str, tuple[str, ...]] = {
    "private-key": ("-----BEGIN ", "---- BEGIN ", "Private-Lines: ", "LS0tLS1CRUdJTi"),
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
IN_URL = re.compile(r"(?<=://)[^\s:/@\"'<>]{0,64}:(?!//)[^\s:/@\"'<>]{3,128}(?=@)")
# What stands between a name and its value: a sign, also of another language, in an address or behind written-out
# quotes (`\"password\": \"...\"`, JSON in JSON), and where YAML begins a block of text.
# Columns are filled up with blanks, and Markdown sets the name or the value in bold.
_GAP = r"(?:[ \t]{4,24}|\s{0,3})"
_SIGN = (
    rf"(?:\\{{0,3}}[\"'`]?|&quot;|%22)\*{{0,2}}{_GAP}(?:=>|:=|[=:＝：]|%3D|%3A)\*{{0,2}}{_GAP}(?:[|>][+-]?\s{{1,12}})?\*{{0,2}}"
    r"(?:\\{0,3}[\"'`]?|&quot;|%22)(?!\[redacted)"
)
# In quotes a value may hold what ends it elsewhere.
_VALUE = r"(?P<value>(?<=[\"'`])[^\s\"'`\\]{8,256}(?=\\{0,3}[\"'`])|(?:[^\s\"',;)}\]`\x1b\\]|\\(?![nrt\"'\\])){8,})"
ASSIGNED = re.compile(
    # The word itself first, whatever stands before it in a name: looking for a name's beginning at every `-` of a
    # megabyte of them took seconds.
    r"(?i)(?P<name>(?:api[ _-]{0,2}key|secret(?: key)?|passw(?:or)?d|passwd|passphrase|pwd|token(?!s|iz)"
    r"|access[ _]?key|credential)[A-Z0-9_-]{0,20})" + _SIGN + _VALUE,
    _A,
)
_NAMED = r"(?P<name>passw(?:or)?d|passphrase|pwd)"
_NO_MARK = r"(?!\[redacted)"
# `incorrect!`, `“hashed”`, `sha256-hashed`: what is said about a password, not the password.
_NO_WORDS = (
    r"(?![“”„«»*_]{0,3}[^\W\d_]+(?:[-—–/][^\W\d_]+)*[“”„«»*_.!?…:—]{0,4}(?=[\s,;)&]|\Z))"
    r"(?!(?i:sha|md|base|argon|aes|pbkdf)-?\d)"
)
_QUOTED_NAME = r"(?P<name>(?:api_?key|secret|passw(?:or)?d|passwd|pwd|token|credential|access_?key)[a-z0-9_]{0,20})"
_QUOTED = r"(?P<quote>[\"'`])(?P<value>[^\s\"'`\\]{8,256})(?P=quote)"
# Secrets that are told otherwise: in a sentence, an option, an element, a header. With each the words, in lower case,
# without one of which it finds nothing; most are never needed, so they are patterns when they are.
TOLD: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("passw", "passphrase", "pwd"),
        (
            rf"(?i){_NAMED}(?:\s(?:for|of|to|on|at)(?:\s[\w.@-]{{1,30}}){{1,3}})?\s{{1,3}}(?:is|was)"
            rf"(?:\s{{0,2}}:|\snow|\sset\sto)?\s{{1,3}}[\"'`]?{_NO_MARK}{_NO_WORDS}(?P<value>[^\s\"',;)}}`]{{6,128}})"
        ),
    ),
    (
        ("パスワード", "暗証番号", "密码", "密碼", "비밀번호"),
        (
            r"(?P<name>パスワード|暗証番号|密码|密碼|비밀번호)[はをが는은가이을를是为為]?\s{0,3}[:：]?\s{0,3}[「『\"'`]?"
            r"(?!(?:sha|md|argon|pbkdf|base|aes)-?\d)(?P<value>(?![\d.]{1,5}(?!\d))[!#-&(-+.-Z\\^_a-z|~-]{6,128})"
        ),
    ),
    (
        ("トークン", "キー", "秘密鍵", "令牌", "密钥", "密鑰", "口令", "토큰", "시크릿"),
        (
            r"(?P<name>トークン|キー|秘密鍵|令牌|密钥|密鑰|口令|토큰|시크릿)[はをが는은가이을를是为為]?\s{0,3}[:：]?\s{0,3}"
            r"[「『\"'`]?(?=[\w+/=-]{0,128}[A-Z])(?=[\w+/=-]{0,128}[a-z])(?P<value>[A-Za-z0-9+/=_-]{12,128})"
        ),
    ),
    (
        (
            *("пароль", "passwort", "kennwort", "senha", "contraseña", "mot de passe"),
            *("hasło", "wachtwoord", "lösenord", "şifre", "mật khẩu"),
        ),
        (
            r"(?i)(?P<name>пароль|passwort|kennwort|senha|contraseña|mot de passe"
            r"|hasło|wachtwoord|lösenord|şifre|mật khẩu)\s?(?:[:=]|ist|est|é|es)\s{1,3}[\"'`«]?"
            + _NO_WORDS
            + r"(?P<value>[^\s\"',;)}`»]{6,128})"
        ),
    ),
    (
        ("-password", "-passwd", "-token", "-secret", "-api-key", "-apikey"),
        (
            rf"(?i)(?<![\w-])--(?:[a-z]{{1,20}}-){{0,3}}(?P<name>password|passwd|token|secret|api-?key)\s{{1,3}}"
            rf"[\"']?{_NO_MARK}(?P<value>[^\s\"',;)}}`-][^\s\"',;)}}`]{{7,128}})"
        ),
    ),
    (
        ("password>", "passwd>", "secret>", "token>"),
        (
            r"(?i)<(?P<name>(?:[\w.-]{1,30}[_.-])?(?:password|passwd|secret|token))>(?:<!\[CDATA\[)?"
            r"(?P<value>[^<>\s\]]{6,256})(?:\]\]>)?</"
        ),
    ),
    (
        ("authorization",),
        (r"(?i)(?P<name>authorization)[\"'\\]{0,4}\s?[:=]\s?[\"'\\]{0,4}basic\s(?P<value>[a-z0-9+/]{8,512}={0,2})"),
    ),
    (
        ("authorization",),
        (
            rf"(?i)(?P<name>authorization)[\"'\\]{{0,4}}\s?[:=]\s?[\"'\\]{{0,4}}(?:[a-z][a-z0-9-]{{1,20}}\s)?{_NO_MARK}"
            r"(?=[a-z._~+/=-]{0,512}\d)(?=[0-9._~+/=-]{0,512}[a-z])(?P<value>[a-z0-9._~+/=-]{8,512})"
        ),
    ),
    (
        ("curl ",),
        (r"(?P<name>curl) [^\n]{0,200}?(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:(?P<value>[^\s\"'$]{3,128})"),
    ),
    (
        ("sshpass", "docker login", "podman login", "mysql", "mariadb"),
        (
            r"(?P<name>sshpass|(?:docker|podman) login|mysql(?:dump)?|mariadb)\b[^\n|;&]{0,120}?\s-p ?[\"']?"
            r"(?P<value>[^\s\"'$-][^\s\"'$]{5,128})"
        ),
    ),
    (
        ("login ", "machine "),  # ~/.netrc
        (
            rf"\b(?:login|machine)\s{{1,8}}\S{{1,128}}\s{{1,8}}(?P<name>password)\s{{1,4}}{_NO_MARK}(?P<value>\S{{6,128}})"
        ),
    ),
    (
        (" is ", " is:"),
        (
            r"(?i)\b(?P<name>(?:api|access|secret)[ _-]?key|secret|token)\s(?:is|was)\s?:?\s{1,3}[\"'`]?"
            r"(?=[\w+/=.-]{0,128}\d[\w+/=.-]{0,128}[a-z][\w+/=.-]{0,128}\d)(?P<value>[\w+/=.-]{12,128})"
        ),
    ),
    (
        ("key", "secret", "passw", "pwd", "token", "credential"),  # in quotes, with more than a sign before it
        (
            rf"(?i){_QUOTED_NAME}(?:[\"']?\]\s{{0,3}}:?=\s{{0,3}}|\s?:\s?[&\w.<>\[\]']{{1,24}}\s?=\s?|\s[a-z]{{1,12}}\s?=\s?"
            rf"|\s{{0,3}}[:=]\s{{0,3}}[rbfu@$]{{1,2}}(?=[\"'])|(?<=assword)\(|\s{{0,3}}[:=]\s{{0,3}}[\"']{{2}}){_QUOTED}"
        ),
    ),
    (
        ('",', "',"),  # `setenv("API_KEY", "...")`
        (r"(?P<name>KEY|SECRET|PASSWORD|PASSWD|PWD|TOKEN)[\"']\s?,\s?" + _QUOTED),
    ),
    (
        ("identified by", "password '"),  # SQL
        (r"(?i)(?P<name>identified by|password)\s{1,3}'(?P<value>[^'\s]{6,128})'"),
    ),
    (
        ("pass:", "--passphrase", "redis-cli", "requirepass"),
        (
            r"(?P<name>-pass(?:in|out) pass:|--passphrase[ =]|redis-cli [^\n|;&]{0,80}?-a |\brequirepass )[\"']?"
            r"(?P<value>[^\s\"'$<-][^\s\"']{5,128})"
        ),
    ),
    (
        ("value",),  # a name and its value side by side: variables of a container, elements of a configuration
        (
            r"(?i)(?P<name>(?:api_?-?key|secret|passw(?:or)?d|passwd|pwd|token|credential)[a-z0-9_-]{0,20})\\{0,3}[\"']?"
            rf"\s{{0,3}},?\s{{0,12}}\\{{0,3}}[\"']?value{_SIGN}{_VALUE}"
        ),
    ),
    (
        ("|",),  # a row of a table
        (
            r"(?i)\|\s{0,12}[`*]{0,2}(?P<name>(?:[a-z_ -]{0,20}[_ -])?(?:passw(?:or)?d|token|secret|api[ _-]?key))"
            r"[`*]{0,2}\s{0,12}\|\s{0,3}`?(?P<value>[^\s|`]{8,128})"
        ),
    ),
    (
        (
            *(
                "pass=",
                "pass:",
                'pass"',
                "pass'",
                "pass =",
                "pass  ",
                "pass\t",
                "pass\\",
                "pass&",
                "pass*",
                "pass%",
                "pass`",
            ),
            *("pw=", "pw:", 'pw"', "pw'", "pw =", "pw  ", "pw\t", "pw\\", "pass：", "pass＝"),
            *("bindpw", "pswd", "passcode", "psk", "creds", "sig=", "authkey", "auth_key", "auth-key"),
            *(f"{word}{sign}key" for word in ("private", "encryption", "signing", "master") for sign in ("", "_", "-")),
        ),
        (
            r"(?i)(?P<name>(?<=[_.-])pass|(?<![A-Za-z ])pass(?=[\"']?\s{0,3}[:=])|(?<=  )pass(?=[\"']?\s{0,3}[:=])"
            r"|(?<![A-Za-z])(?-i:PASS)(?!: (?:Test|Example|Fuzz|Benchmark|test))"
            r"|(?<![a-z])(?:db|user|smtp|mail|ssh|admin)(?:pass|pw)|(?<![a-z])(?:pw|pswd|passcode)|(?<=_)pw|bindpw|(?<![a-z])(?:psk|creds|(?<=[?&])sig"
            r"|auth_?key|(?:private|encryption|signing|master)[_-]?key))" + _SIGN + _VALUE
        ),
    ),
    (
        ("%3a%2f%2f",),  # an address inside another one
        (r"(?i)%3A%2F%2F[^\s%]{0,64}(?P<name>%3A)(?P<value>[^\s\"']{3,128}?)(?=%40)"),
    ),
    (
        ("://",),  # a token in place of a person's name
        (r"(?P<name>://)(?=[A-Za-z_-]{0,255}\d)(?=[\d_-]{0,255}[A-Za-z])(?P<value>[A-Za-z0-9_-]{20,255})(?=@)"),
    ),
)
# What may stand in a word and is not seen: colors of a terminal, also made harmless ones, and marks without width.
SPLITTING = re.compile(r"[\x1b\ufffd]\[[0-?]{0,32}[ -/]{0,4}[@-~]|[\u00ad\u200b-\u200d\u2060\ufeff]")
# Both halves of a login in Base64, behind the words that say so; whether it is one shows when it is read.
LOGIN = re.compile(
    r"(?i)(?<![a-z])(?:_?auth|basic)[\"'\\]{0,4}\s{0,2}[:=]?\s{0,2}[\"'\\]{0,4}(?P<value>[a-z0-9+/]{8,512}={0,2})(?![\w+/=.(-])"
)
# A header with cookies, and the values in it.
COOKIES = re.compile(r"(?i)cookie[\"'\\]{0,4}\s?[:=]\s?[^\n]{1,4000}")
COOKIE = re.compile(r"=(?=[^\s;\"',\\]{0,512}\d)(?=[^\s;\"',\\]{0,512}[A-Za-z])(?P<value>[^\s;\"',\\]{12,512})")
# The end of a private key whose beginning is not there, and what its lines are made of.
KEY_END = re.compile(r"-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
KEY_LINE = re.compile(r"[\s>+|-]{0,8}[A-Za-z0-9+/]{4,76}={0,2}\s*\Z")
LONG_RUN = re.compile(r"[A-Za-z0-9+/_=.:-]{16}", _A)  # no known key is shorter
# What follows `;base64,` in an address is a picture; `sha256:` and `h1:` (of Go) introduce a checksum, and
# `_ZN4core3ptr` is how linkers write a name.
RANDOM = re.compile(
    r"(?<![A-Za-z0-9+/_.-])(?<!;base64,)(?<!(?i:sha256)[:=])(?<!\bh1:)(?!sha\d{1,3}-|_{1,2}Z[A-Z]{0,2}[A-Za-z]{0,6}\d)[A-Za-z0-9+/_-]{36,200}={0,2}(?![A-Za-z0-9+/_.-])",
    _A,
)
AWS_SECRET = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)[A-Za-z0-9/+]{40}")

# What follows lets `redact.locate` pass over ordinary text quickly.
NAMES = re.compile(r"(?i)key|secret|passw|passphrase|pwd|token|credential", _A)
SIGNS = re.compile(
    rf"(?:[=:＝：]|%3[DA])(?=[>=]?\*{{0,2}}{_GAP}(?:[|>][+-]?\s{{1,12}})?\*{{0,2}}\\{{0,3}}[\"'`]?\s{{0,3}}[^\s\"'`]{{8}})",
    _A,
)
# Long words that programs write beside every source: ids, hashes, instants, names in lower case.
NO_SECRET = re.compile(
    r"[\W_]*(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,64}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)"
    r"|(?:[a-z]{1,15}[_-])*[a-z]{1,15}(?:-\d{1,15})?)[\W_]*",
    _A,
)

# What each plugin of the library cannot find anything without. A line is given to a plugin only then: one of them takes
# the square of a line's length where what it looks for is not at its end. A test tells when the library changes.
LIBRARY: tuple[tuple[re.Pattern[str], str, str], ...] = (
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
