"""Secrets that people say in sentences: a label, some words, a verb, and what was drawn; in five languages.

Data only, as `secrets.places`. Next to every word may stand behind a verb, so the value has to look drawn: a digit, a
small and a capital letter, or a row of digits in hexadecimal.
"""

from __future__ import annotations

from memory_core.secrets.places import NO_MARK, Net

_SIGN = r"[!#-&*+./0-9:=?@A-Z\\^_a-z|~-]"
_OPEN = r"[\"'`«„“「『*(]{0,3}\s?"


def _drawn(least: int) -> str:
    """What looks drawn, of `least` characters or more."""
    both = rf"(?={_SIGN}{{0,64}}\d)(?={_SIGN}{{0,64}}(?-i:[a-z]))(?={_SIGN}{{0,64}}(?-i:[A-Z]))"
    return (
        rf"{NO_MARK}(?:{both}|(?=[a-f]{{0,16}}\d[a-f]{{0,16}}\d)(?=[0-9a-f]{{20}}))"
        rf"(?P<alone>{_SIGN}{{{least - 1},255}}[!#-&*+0-9=@A-Z\\^_a-z|~-])"
    )


_PASSWORDS = (
    r"passw(?:or)?d|passwd|passphrase|passcode|pwd|passwort|kennwort|mot de passe|mdp|contraseña|contrasena|パスワード"
)
_TOKENS = (
    r"(?:api|access|secret)[ _-]?keys?|tokens?|secret|credential|(?:api|zugangs|access)[ -]?schlüssel|jeton|clé|clave"
    r"|トークン|シークレット|鍵|キー"
)
_BEGINS = (
    r"pass|pwd|kennwort|mot de|mdp|contrase|api|access|secret|token|credential|zugangs|jeton|clé|clave|パスワード"
    r"|トークン|シークレット|鍵|キー"
)
_WORDS = (
    *("pass", "pwd", "kennwort", "mdp", "contrase", "api", "access key", "secret", "token", "credential"),
    *("schlüssel", "jeton", "clé", "clave", "シークレット", "鍵"),
    *("パスワード", "トークン", "キー"),
)
_GAP = r"(?:\s(?!and\b|or\b|but\b|und\b|oder\b)[\w'’@/-]{1,30}){0,5}?"
_VERBS = r"(?:is|was|are|to|be|from|becomes|ist|war|lautet|auf|zu|von|est|était|à|es|era|è|a|de|c'est)"
_VERB = rf"(?:\s{_VERBS}(?:\snow|\s?:)?\s{{1,2}}|\s?[はをがも]\s?)"
_COLON = r"\s?(?:[:：=→]|->|=>)\s{1,3}"
_PEOPLE = (
    *("login", "log in", "logged in", "sign in", "credentials", "creds", "zugangsdaten", "anmeld", "melde "),
    *("identifiants", "credenciales", "account", "konto", "ログイン", "wifi", "wlan"),
)
_BEFORE_KEY = "|".join(
    f"(?<={word} )" for word in ("use", "with", "using", "the", "this", "my", "our", "den", "der", "mein")
)
_AS = r"(?:as|als|comme|como)"
SENTENCES: tuple[Net, ...] = (
    Net(  # `the password for staging is ...`, `set DB_PASSWORD to ...`, `la clé API : ...`
        _WORDS,
        (
            rf"(?i)(?P<name>{_PASSWORDS}|(?P<token>{_TOKENS}))[\w-]{{0,20}}{_GAP}{_VERB}{_OPEN}"
            rf"(?(token)(?={_SIGN}{{12}})){_drawn(8)}"
        ),
        begins=_BEGINS,
    ),
    Net(  # `la clé API : ...`: what a label of English has behind a sign is known by `ASSIGNED`
        ("schlüssel", "jeton", "clé", "clave", "de acceso", "シークレット", "鍵"),
        rf"(?i)(?P<name>{_TOKENS})[\w-]{{0,20}}{_GAP}{_COLON}{_OPEN}{_drawn(12)}",
        begins=_BEGINS,
    ),
    Net(  # `from ... to ...`
        ("pass", "pwd", "kennwort", "mdp", "contrase", "token"),
        (
            rf"(?i)(?P<name>{_PASSWORDS}|token){_GAP}\s(?:from|von|de|du)\s\S{{1,256}}\s(?:to|auf|zu|à|a|en|vers)\s"
            rf"{_OPEN}{_drawn(8)}"
        ),
        near=r" (?:from|von|de|du) \S{1,256} (?:to|auf|zu|à|a|en|vers)\s",
        begins=_BEGINS,
    ),
    Net(  # `use ... as the password`
        ("pass", "kennwort", "contrase", "token", "key", "schlüssel", "clave", "jeton", "secret"),
        (
            rf"(?i)(?<![^\s\"'`«„“*(]){_drawn(8)}[\"'`»”“*)]{{0,3}}\s{_AS}(?:\s[\w'’-]{{1,20}}){{0,3}}?\s"
            rf"(?P<name>{_PASSWORDS}|{_TOKENS}|key|schlüssel)"
        ),
        (" as ", " als ", " comme ", " como "),
        near=(
            rf" {_AS} (?:[^\s.]{{1,20}} ){{0,3}}"
            r"(?:pass|kennw|mot de|contrase|token|api|access|secret|key|schl|cl|jeton)"
        ),
    ),
    Net(
        ("パスワード", "トークン", "キー", "鍵"),
        rf"(?<![!-~])「?{_drawn(8)}」?\s?を\s?(?P<name>(?:\w{{0,6}})(?:パスワード|トークン|キー|鍵))(?:として|に)",
        ("として", "に"),
    ),
    Net(  # `admin / ...`, `log in as admin with ...`
        _PEOPLE,
        (
            r"(?i)(?P<name>log(?:ged)? ?in|sign in|cred(?:ential)?s|zugangsdaten|anmeld|melde|identifiants|credenciales"
            r"|accoun(?=t)|konto|ログイン|wifi|wlan)(?:ts?)?(?:[:：は]|\s[^\s.!?]{1,40}){0,6}?[\s:：は][\w.+@-]{1,60}\s"
            rf"(?:/|with|and|mit|und|avec|et|con|y)\s{_OPEN}{_drawn(8)}"
        ),
        begins="log|sign|cred|zugangs|anmeld|melde|ident|account|konto|ログイン|wifi|wlan",
    ),
    Net(  # `(pw ...)`, `admin pass ...`, `use token ...`
        ("pass", "pw", "kennwort", "mdp"),
        rf"(?i)(?P<name>(?<![\w-])(?:pw|{_PASSWORDS})|(?:(?<=admin )|(?<=root )|(?<=user ))pass)\s{_OPEN}{_drawn(8)}",
        begins="pw|pass|pwd|kennwort|mot de|mdp|contrase|パスワード",
    ),
    Net(  # `use the token ...`, `my key is ...`
        ("key", "token", "schlüssel"),
        (
            rf"(?i)(?:{_BEFORE_KEY})(?P<name>key|token|schlüssel)\s(?:(?:is|was|ist|lautet)\s{{1,2}})?{_OPEN}{_drawn(16)}"
        ),
        begins="key|token|schl",
    ),
)
