"""Secrets that people and programs write at a prompt or into settings: options, commands, columns, nested values.

Data only, as `secrets.places`, of which it is the other half.
"""

from __future__ import annotations

from memory_core.secrets.places import CREDENTIAL_NAME, CREDENTIALS, MIXED, NAMES, NO_MARK, QUOTES, SIGN, VALUE, Net

_PLAIN = rf"{MIXED}{NO_MARK}(?P<value>[^\s\"'`]{{6,256}})"
_NAMES = ("password", "passwd", "passphrase", "pwd", "token", "secret", "apikey", "api_key", "api-key", "api key")
_OTHER_KEYS = (
    *("primary", "foreign", "sort", "cache", "public", "partition", "unique", "hash", "row", "object", "range"),
    *("routing", "group", "idempotency", "dedup", "s3", "content", "publishable", "site", "lookup", "translation"),
)
_NOT_THESE = "".join(rf"(?<!{word}key)(?<!{word}[ _-]key)" for word in _OTHER_KEYS)
_CREDENTIAL = r"(?:passw(?:or)?d|passwd|passphrase|secret|token|api[_-]?key)"


# Looked for before all others.
VARIABLES = Net(  # a file of variables, where nothing is code and a value goes to the end of its line or quotes
    ("pass", "secret", "token", "api_key", "apikey", "pwd", "_pw"),
    (
        r"(?m)^[ \t]{0,80}(?:export |set )?(?P<name>[A-Z0-9_]{0,40}"
        r"(?:API_?KEY|SECRET|PASSW(?:OR)?D|PASSPHRASE|PWD|PASS|TOKEN|_PW)"
        rf"[A-Z0-9_]{{0,20}})=(?:{NO_MARK}(?P<line>[^\s\"'`#][^\s\"'`]{{5,256}})(?=\s|\Z)"
        r"|\"(?=[^\"\n]{0,256}\d)(?P<value>[^\"\n]{8,256})\"(?=[\s;&|)]|\Z))"
    ),
    ("=",),
    begins="pass|secret|token|api|pwd|_pw",
    line=True,
)
COMMANDS: tuple[Net, ...] = (
    Net(  # `SOMETHING_KEY=`, `X-Auth-Key:`: what else is called a key holds names, paths or short ids
        ("key", "_salt", "_pepper"),
        (
            rf"(?i)(?P<name>(?:(?<=[_-])key|(?<=[a-z])(?-i:Key)|(?-i:(?<=[A-Z])KEY)|(?<=_)(?:salt|pepper))){_NOT_THESE}"
            rf"{SIGN}(?:base64:)?(?=[A-Za-z+/=]{{0,64}}\d[A-Za-z+/=]{{0,64}}\d)(?=[0-9+/=]{{0,64}}[A-Za-z])"
            r"(?P<value>[A-Za-z0-9+/]{16,256}={0,2})(?![\w.(-])"
        ),
        begins="key|salt|pepper",
    ),
    Net(  # several of them
        ("tokens", "secrets", "passwords", "api_keys", "api-keys", "apikeys"),
        (
            rf"(?i)(?P<name>(?:token|secret|password|api[_-]?key)s)[\"']?\s?[:=]\s{{0,8}}(?:\[|-)?\s{{0,8}}[\"']?{MIXED}"
            r"(?P<value>[A-Za-z0-9+/=_.-]{12,256})"
        ),
        begins=NAMES,
    ),
    Net(  # columns and settings with blanks alone between name and value, rows of `psql`
        (*_NAMES, "secret id"),
        (
            r"(?im)^[ \t]{0,80}(?:[#$(]?[a-z_]{1,20}[ \t]{1,8}(?:-\w{1,3}[ \t]{1,8})?)?"
            rf"(?P<name>[\w.-]{{0,40}}{_CREDENTIAL}(?:[ _]id)?)"
            r"(?:[ \t]{1,40}REG_SZ)?(?:[ \t]{1,80}|[ \t]{0,80}\|[ \t]{0,80})[\"']?"
            rf"{MIXED}{NO_MARK}(?P<alone>[^\s\"'`]{{6,256}}?)[\"']?[;,:(){{}}]{{0,2}}[ \t]*\\?$"
        ),
        begins=NAMES,
        line=True,
    ),
    Net(  # variables of other shells, wherever the line begins
        ("setenv ", "set -"),
        (
            rf"(?i)\b(?:setenv|set -[guxl]{{1,3}}) (?P<name>\w{{0,40}}(?:{_CREDENTIAL}|_pass|_pw|_key)\w{{0,20}})\s"
            rf"[\"']?{MIXED}{NO_MARK}(?P<alone>[^\s\"'`]{{6,256}})"
        ),
    ),
    Net(  # a value one level down: Terraform, CloudFormation, Kubernetes, forms
        CREDENTIALS,
        (
            rf"(?i)(?P<name>{CREDENTIAL_NAME}[a-z0-9_-]{{0,20}})\\{{0,3}}[\"']?"
            r"(?:\s?[:=]\s?\{?\s{0,16}|\s?\{[^{}]{0,200}?|,?\s{0,12}|(?:\s[a-z]{1,12}=\"[^\"<>]{0,40}\"){1,3}\s"
            rf"|\",\s?\"type\":\s?\"\w{{1,20}}\",\s{{0,16}})\\{{0,3}}[\"']?\b(?:parameter)?(?:value|default){SIGN}{VALUE}"
        ),
        ("value", "default"),
        begins=NAMES,
    ),
    Net(
        CREDENTIALS,  # ... which stands first
        (
            rf"(?i)\bvalue[\"']?\s?[:=]\s?[\"']?(?P<value>{NO_MARK}[^\s\"',;{{}}]{{8,256}})[\"']?,?\s{{1,16}}[\"']?name[\"']?\s?[:=]\s?"
            rf"[\"']?[\w.-]{{0,40}}(?P<name>{_CREDENTIAL})"
        ),
        ("value",),
        begins="value",
    ),
    Net(  # arrays of PHP, YAML's anchors and types, LDIF, lines that go on
        _NAMES,
        (
            rf"(?i)(?P<name>{_CREDENTIAL})(?:[\"']?\]\s?=>\s{{1,8}}(?:string\(\d{{1,4}}\)\s)?[\"']?|:\s(?:&\w{{1,20}}|!!\w{{1,10}})\s|::\s"
            rf"|=\\\r?\n\s{{0,12}}|\"(?:\r?\n){{2}}){_PLAIN}"
        ),
        begins=NAMES,
    ),
    Net(  # elements
        _NAMES,
        (
            rf"(?i)<(?:[\w.:-]{{0,30}}(?P<name>{_CREDENTIAL})"
            r"|(?:string|key|entry|property) (?:name|key)=[\"'][\w.-]{0,40}(?:password|secret|token|key)[\"']"
            r"|key>[\w.-]{0,40}(?:password|secret|token|key)</key>\s{0,8}<string)(?:\s[^<>]{0,100})?>\s{0,20}"
            r"(?:<!\[CDATA\[|<value>\s{0,10})?"
            rf"{MIXED}{NO_MARK}(?P<line>[^<>\s\]]{{6,256}})"
        ),
        ("</",),
    ),
    Net(  # what programs ask, with the answer
        ("password for", "password is generated"),
        rf"(?im)(?P<name>password) (?:is generated )?for [^\n]{{1,100}}?:[ \t]{_PLAIN}(?=[ \t]*(?:$|[│\"'`\r]))",
        begins="password (?:for|is gen)",
    ),
    Net(  # `setItem("access_token", "...")`, `fill('#password', '...')`
        _NAMES,
        rf"(?i)(?P<name>{_CREDENTIAL})[\"'](?:,\s?|\)\.\w{{1,20}}\()[\"']{MIXED}{NO_MARK}(?P<value>[^\s\"'`\\]{{8,256}})[\"']",
        QUOTES,
        begins=NAMES,
    ),
    Net(  # `define('AUTH_KEY', '...')` of PHP
        ("define(",),
        (
            r"define\(\s?[\"'](?P<name>\w{0,40}(?:KEY|SALT|PASSWORD|SECRET|TOKEN))[\"'],\s{0,20}(?P<quote>[\"'])"
            r"(?=[^\n]{0,256}\d)(?P<value>[^\n]{8,256}?)(?P=quote)\s?\)"
        ),
    ),
    Net(  # what stands for a value that is missing, what it is compared with, what wraps it
        _NAMES,
        (
            rf"(?i)(?P<name>(?:{_CREDENTIAL}|(?<=_)pass)[a-z0-9_]{{0,20}})(?:[\"']?[)\]]?\s{{0,3}}(?:\|\||\?\?|or|[!=]={{1,2}})\s{{0,3}}"
            r"|:\s?Some\(|:\s?\w{1,20}\s?=\s?Field\(\s?default\s?=\s?|\s?=\s?\"[^\"\n]{0,256}\"\s->\s)"
            r"[\"'](?P<value>[^\s\"'`\\]{6,256})[\"']"
        ),
        QUOTES,
        begins=NAMES,
    ),
    Net(
        ("${",),
        rf"\$\{{(?P<name>[A-Z0-9_]{{0,40}}(?i:{_CREDENTIAL})[A-Z0-9_]{{0,20}}):?[-=]{MIXED}(?P<value>[^\s{{}}$\"']{{6,256}})\}}",
    ),
    Net(  # SQL
        ("identified with", "identified by", "password for", "password = n"),
        (
            r"(?i)(?P<name>identified (?:with \w{1,40} )?by|password(?: for \S{1,80})? ?=) ?N?[\"']"
            r"(?P<value>[^'\"\s]{6,128})[\"']"
        ),
        begins="identified|password",
    ),
    Net(  # sessions that browsers keep
        ('"domain"', "\ttrue\t", "\tfalse\t"),
        (
            r"(?:\"name\":\s?\"(?P<name>[^\"]{1,60})\",\s{0,16}\"value\":\s?\"(?P<value>[^\"\s]{12,512})\",\s{0,16}\"domain\""
            r"|(?<=\t)\d{1,12}\t[^\s]{1,60}\t(?P<cookie>(?=\S{0,64}\d)\S{12,512}))"
        ),
    ),
    Net(  # a person and a password, side by side
        ("auth", ".login("),
        rf"(?i)(?P<name>auth|\.login)\s?=?\s?\(\s?[\"'][^\"'\n]{{1,64}}[\"'],\s?[\"']{MIXED}(?P<value>[^\"'\s]{{6,128}})[\"']",
        ("(",),
        begins=r"auth|\.login",
    ),
    Net(  # options of Windows and Java
        ("-password", "-storepass", "-keypass", "-apikey", "-token", "securestring"),
        (
            r"(?i)(?<![\w-])(?P<name>-(?:password|storepass|keypass|apikey|token)|ConvertTo-SecureString(?: -String)?)"
            rf"\s[\"']?{_PLAIN}"
        ),
        begins="-(?:password|storepass|keypass|apikey|token)|convertto",
    ),
    Net(  # what is piped into a program that asks
        ("echo ", "printf "),
        (
            r"(?P<name>echo|printf) (?:-n )?[\"']?(?P<alone>[^\s\"'|$]{6,256})[\"']?\s{0,3}\|\s{0,3}"
            r"(?:[^\n|]{1,120}(?:--password-stdin|--with-token)|(?:npx )?(?:gh|wrangler|flyctl|fly) secrets? "
            r"|sudo (?:-\w+ ){0,3}-S|(?:sudo )?chpasswd|docker secret)"
        ),
        ("|",),
    ),
    Net(  # curl, whose command may go on in the next line; a key as the person's name; other options
        ("curl ",),
        (
            r"(?P<name>curl) (?:[^\n\\]|\\\r?\n|\\.){0,300}?"
            r"(?:(?:-u|--(?:proxy-)?user|--basic-auth)[ =]?(?:'[^\s:']{1,64}:(?P<value>[^\s']{3,128})"
            r"|\"[^\s:\"]{1,64}:(?P<told>(?:[^\s\"\\]|\\\S){3,128})|[^\s:\"']{1,64}:(?P<bare>[^\s\"'][^\s\"]{2,128})"
            r"|[\"']?(?P<line>(?=[^\s:]{0,64}\d)[^\s:\"'$]{16,128}):(?=[\s\"']|\Z))"
            r"|(?:-b|--cookie) ?[\"']?[\w-]{1,40}=(?P<cookie>[^\s\"';]{8,512}))"
        ),
    ),
    Net(
        (
            *("login ", "mongo", "sqlcmd", "twine", "ldapsearch", "zip ", "7z", "smbclient", "http -a", "etcdctl"),
            "--proxy-user",
        ),
        (
            r"(?P<name>(?:docker|podman|az|registry) login|mongo\w{0,10}|sqlcmd|twine|ldapsearch|zip|7z\w?|smbclient"
            r"|http|etcdctl|curl)\b"
            rf"[^\n|;&]{{0,120}}?\s(?:-[pPw] ?|(?:-U|-a|--user|--proxy-user) ?[\"']?[\w@.-]{{1,64}}[:%])[\"']?{_PLAIN}"
        ),
    ),
    Net(  # commands that are about nothing else
        (
            *("secret set", "put-parameter", "--secret", "user-secrets", "auth ", "cargo login", "net user"),
            *("add_user", "http-basic", "pypi-token", "authtoken", "wandb login", "htpasswd", "dev wifi"),
            *("vault login", "consul kv", "-http-basic", "-basic-auth", "lftp ", "xfreerdp"),
            *("certificate-key", "unseal key", "reg add", "sqlplus ", "<<<", ":5432:", ":*:", "331 "),
        ),
        (
            r"(?P<name>gh secret set \S{1,60} [^\n]{0,40}?(?:--body|-b)|put-parameter [^\n]{0,200}?--value"
            r"|set --secret \S{1,60}|user-secrets set \S{1,60}|> AUTH|cargo login|net user \S{1,40}|add_user \S{1,40}"
            r"|http-basic\.\S{1,40} \S{1,60}|pypi-token\.\S{1,40}|authtoken|wandb login"
            r"|dev wifi connect \S{1,60} password"
            r"|htpasswd (?:-\w{0,4}n\w{0,4} |-\w{0,4}b\w{0,4} \S{1,60} )\S{1,60}"
            r"|vault login|consul kv put \S{0,60}(?:pass|pw|secret|token|key)\S{0,20}|/:_authToken"
            r"|--(?:http-basic|basic-auth) [\w.@-]{1,64}(?=:)|lftp -u [^\s,]{1,60}(?=,)|xfreerdp [^\n]{0,120}?/p(?=:)"
            r"|--certificate-key|Unseal Key \d{1,2}:"
            r"|(?i:reg add) [^\n]{0,120}?(?i:password|secret|token)[^\n]{0,60}? /d"
            r"|(?:PASSWORD|PASSWD|SECRET|TOKEN|KEY)\b[^\n]{0,60}?<<<"
            # The user is told before: `.pgpass`, a login by FTP, Oracle's.
            r"|sqlplus (?:-\w{1,8} ){0,3}\w{1,30}(?=/)"
            r"|(?<![\w.*-])[\w.*-]{1,80}:(?:5432|\*):[^:\s]{1,60}:[^:\s]{1,60}(?=:)"
            rf"|331 [^\n]{{0,200}}\n[^\n]{{0,40}}PASS)[ =/:,][\"']?{_PLAIN}"
        ),
    ),
)
