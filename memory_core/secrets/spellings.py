"""Secrets that stand behind their name with something else than one sign between them: spelled signs, remarks, markup.

Data only, as `secrets.places`. A value is asked for that is no word and no identifier: nothing but its place tells it.
"""

from __future__ import annotations

from memory_core.secrets.places import MIXED, NAMES, NO_MARK, SIGN, Net

_WORDS = ("password", "passwd", "passphrase", "pwd", "secret", "token", "api key", "api_key", "api-key", "apikey")
_PLAIN_NAME = r"(?:api[ _-]?key|passw(?:or)?d|passwd|passphrase|pwd|secret|token(?!iz))"
_NAME = rf"(?P<name>{_PLAIN_NAME}[a-z0-9_-]{{0,20}})"
_NEAR = r"(?:key|passwo?r?d|passphrase|pwd|secret|token(?!iz))"
_VALUE = rf"{MIXED}{NO_MARK}(?P<alone>[^\s\"'`*|,;&<>()\[\]\\\xa0\u2028\u2029]{{8,256}})"
_QUOTE = r"(?:\\{0,15}[\"'`]|\\{1,8}u002[27]|&#(?:34|39|x2[27]);|&quot;|&apos;|%(?:25)?2[27])?"
_BLANK = r"[\s\xa0\u2028\u2029\x00]{0,4}"
SPELLINGS: tuple[Net, ...] = (
    Net(  # a sign as a program spells it, an arrow, blanks that are none
        ("key", "secret", "passw", "passphrase", "pwd", "token", "credential"),
        rf"(?ia){_NAME}{_QUOTE}{_BLANK}(?:[=:＝：]|->|~>|→|\\{{1,8}}u003[da]|&#(?:61|58|x3[da]);|%(?:25)?3[da])"
        rf"{_BLANK}{_QUOTE}{_VALUE}",
        ("\\u00", "&#", "%253", "->", "~>", "→", "\xa0", "\u2028", "\u2029", "\x00"),
        begins=NAMES,
    ),
    Net(  # an address in JSON of PHP's
        (":\\/\\/",),
        r":\\/\\/[^\s:/@\"'<>\\]{0,64}(?P<name>:)(?P<value>[^\s\"'<>@]{3,128}?)(?=@)",
        ("@",),
    ),
    Net(  # `API_KEY (prod): x`, `password of the admin = x`, `password - x`, `password: [x]`
        _WORDS,
        rf"(?i){_NAME}[*_]{{0,2}}[\"'`]?(?:(?:\s[(\[][^()\[\]\n]{{1,40}}[)\]]|\s(?:for|of|to|on|at)(?:\s[\w.@-]{{1,30}}){{1,4}})"
        rf"\s{{0,2}}[:=](?:\s{{0,3}}|(?:[ \t]*\r?\n){{1,2}}[ \t]{{0,12}})"
        rf"|\s(?:-|–|—)\s|\s{{0,2}}[:=]\s{{0,3}}(?=[\[(<|]))[\[(<|*_`\"']{{0,3}}{_VALUE}",
        begins=NAMES,
    ),
    Net(  # elements of a page around the name, the value or both
        _WORDS,
        rf"(?i){_NAME}:?(?:\s?</?[a-z][\w-]{{0,15}}(?:\s[^<>]{{0,80}})?>[:=]?|[:=](?=<)){{1,4}}\s{{0,12}}"
        rf"(?:<[a-z][\w-]{{0,15}}(?:\s[^<>]{{0,80}})?>)?[\"']?{_VALUE}",
        ("</",),
        begins=NAMES,
    ),
    Net(  # a heading, an item or a line with the name, and the value on a line of its own
        _WORDS,
        rf"(?im)^[#>*\s-]{{0,8}}(?:[\w-]{{1,20}} ){{0,3}}{_NAME}[:*]{{0,3}}[ \t]*\r?\n"
        rf"(?:[ \t]*\r?\n)?(?:[ \t]*```\w{{0,10}}\r?\n)?[ \t>]{{0,12}}`?{_VALUE}`?[ \t\r]*$",
        near=rf"{_NEAR}[:*]{{0,3}}[ \t]*\r?\n",
    ),
    Net(  # other names, of sessions above all; a session's id as a program counts it is none
        (
            "jsessionid",
            "phpsessid",
            "sessionid",
            "connect.sid",
            "jwt",
            "bearer",
            "x-auth",
            ".key",
            "passkey",
            "pass key",
        ),
        r"(?i)(?<![a-z])(?P<name>jsessionid|phpsessid|(?-i:sessionid)|connect\.sid|jwt|bearer|x-auth|(?:api|secret)\.key"
        rf"|pass[ _]?key){SIGN}(?![0-9a-f]{{8}}-)(?=[^\s\"']{{0,64}}\d)(?=[^\s\"']{{0,64}}[a-z])"
        r"(?P<value>[\w.+/%~-]{16,512})",
        begins="jsessionid|phpsessid|sessionid|connect|jwt|bearer|x-auth|api|secret|pass",
    ),
)
