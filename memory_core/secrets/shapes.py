"""What secrets look like: the shapes of known keys, and what a text without any cannot have.

Data only: how the nets are drawn through a text, and what becomes of what they catch, is `redact`'s business; by which
places a value is known for a secret stands in `secrets.places`.
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
# What stands between the lines of a key: line ends, also written-out ones, and the marks of diffs and quotations.
_NEXT = r"(?:\s|\\{1,4}[nr])(?:[\s>+|-]|\\{1,4}[nr]){0,12}"
# Shapes of keys, as their issuers document them. A value is at least as long as real ones are.
SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "private-key",
        re.compile(
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            # Without its end it goes on as long as lines of a key do; programs and people speak of the marker too.
            r"(?:(?:(?!-----BEGIN ).)*?-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            rf"|(?:{_NEXT}[A-Z][A-Za-z-]{{2,30}}: ?[^\n\\]{{0,100}}){{0,4}}(?:{_NEXT}[A-Za-z0-9+/]{{24,}}={{0,2}})+"
            rf"(?:{_NEXT}[A-Za-z0-9+/=]{{1,76}}(?![^\s\\\"']))?)"
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
        re.compile(
            _START
            + r"(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_]){0,8}(?=[a-z]*[0-9A-Z])[A-Za-z0-9]{16,}(?:[-_][A-Za-z0-9_-]*)?",
            _A,
        ),
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
            r"|A3(?:-[A-Z0-9]{5,6}){5,6}"
            r"|sntry[us]_[A-Za-z0-9+/=_-]{40,}|sq[apu]_[0-9a-f]{40}"
            r"|sgp_[A-Za-z0-9_]{40,}|FlyV1 fm\d_[A-Za-z0-9+/=,_]{20,})",
            _A,
        ),
    ),
    ("mail-key", re.compile(r"(?<![\w-])key-[0-9a-f]{32}(?![\w-])", _A)),
    ("jwt", re.compile(_START + r"eyJ[A-Za-z0-9_-]{8,}\.{1,2}[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]{5,}){1,3}", _A)),
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
    "service-token": (
        *("_v1_", "shp", "dapi", "hvs.", "hvb.", "hvr.", "whsec_", "ntn_", "sbp_", "lin_api_", "pscale_"),
        *("AGE-SECRET-KEY-1", "NRAK-", "NRJS-", "NRIQ-", "PMAK-", "dp.", ".atlasv1.", "pplx-", "r8_", "rubygems_"),
        *("pat-", "dt0c01.", "A3-", "sgp_", "FlyV1 fm", "sntry", "sqa_", "sqp_", "squ_"),
    ),
    "mail-key": ("key-",),
    "jwt": ("eyJ",),
    "webhook": ("hooks.slack.com/services/", "/api/webhooks/"),
}
# The password ends at the last `@` before a host; a port and what follows it is none.
IN_URL = re.compile(
    r"(?<=://)[^\s:/@\"'<>]{0,64}:(?!//|\d{1,5}[/?#])(?:[^\s:/@\"'<>]{3,128}(?=@)(?!@[^\s/\"'<>@]*@)"
    r"|(?:[^\s\"']|'(?=\w)){3,128}(?=@[\w.\[-]+(?::\d{1,5})?(?:[/?#\s\"'<>,;)\]]|\Z)))"
)
# What may stand in a word and is not seen: colors of a terminal, also made harmless ones, and marks without width.
SPLITTING = re.compile(r"[\x1b\ufffd]\[[0-?]{0,32}[ -/]{0,4}[@-~]|[\u00ad\u200b-\u200d\u2060\ufeff]")
# Both halves of a login in Base64, behind the words that say so; whether it is one shows when it is read.
LOGIN = re.compile(
    r"(?i)(?<![a-z])(?:_?auth|basic|auth plain)[\"'\\]{0,4}\s{0,2}[:=]?\s{0,2}[\"'\\]{0,4}"
    r"(?P<value>[a-z0-9+/]{8,512}={0,2})(?![\w+/=.(-])"
)
# A header with cookies, and the values in it.
COOKIES = re.compile(r"(?i)cookie[\"'\\]{0,4}\s?[:=,]\s?[^\n]{1,4000}")
COOKIE = re.compile(r"=(?=[^\s;\"',\\]{0,512}\d)(?=[^\s;\"',\\]{0,512}[A-Za-z])(?P<value>[^\s;\"',\\]{12,512})")
# The end of a private key whose beginning is not there, and what its lines are made of.
KEY_END = re.compile(r"-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
KEY_LINE = re.compile(r"[\s>+|-]{0,8}[A-Za-z0-9+/]{4,76}={0,2}\s*\Z")
LONG_RUN = re.compile(r"[A-Za-z0-9+/_=.:-]{16}", _A)  # no known key is shorter
# A public key of SSH begins with its kind (`AAAAC3Nz`), as do pictures, fonts and packed files. What follows
# `;base64,` in an address is a picture too; `sha256:` and `h1:` (of Go) introduce a checksum, and `_ZN4core3ptr` is how
# linkers write a name.
RANDOM = re.compile(
    r"(?<![A-Za-z0-9+/_.-])(?<!;base64,)(?<!(?i:sha256)[:=])(?<!\bh1:)"
    r"(?!sha\d{1,3}-|Qm[1-9A-HJ-NP-Za-km-z]{43,44}(?![\w+/=-])|_{1,2}Z[A-Z]{0,2}[A-Za-z]{0,6}\d|AAAA[BCE]3Nz|AAAAE2Vj|LS0tLS1CRUdJTi(?:BDRVJU|BQVUJM)|MCowBQYDK2V|MFkwEwYHKoZI|MII[BC]IjANBg|MIGfMA0G"
    r"|iVBORw0KG|/9j/|R0lGOD|UklGR|JVBERi0|PHN2Zy|d09G|UEsDB|H4sIA|AGFzbQ|AAEAAAA)"
    r"[A-Za-z0-9+/_.-]{35,}[A-Za-z0-9+/_-]={0,2}(?![A-Za-z0-9+/_-])",
    _A,
)
AWS_SECRET = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)[A-Za-z0-9/+]{40}")

# What follows lets `redact.locate` pass over ordinary text quickly.
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
