"""The lines around every text of ours in an agent's context, so that it is known again and cannot end itself early.

Text between them is never taken for a person's words and never extracted again (`sessions.speaker` cuts it).
"""

from __future__ import annotations

import re

from memory_core.secrets.labels import OTHERS, PASSWORDS, WIDE_OTHERS, WIDE_PASSWORDS
from memory_core.text import writable

MEMORY_TAG = "omoide-memory"  # as `sessions.speaker` has it; loading that would cost a hook five milliseconds
# No secret is without a word of sixteen such characters, a value assigned to a name, an address, or one of the words
# by which `redact` knows that one is told. A test compares this with its tables.
_MAY_HIDE = re.compile(
    r"[A-Za-z0-9+/_=.:-]{16}|[=:]>?\s{0,3}\\{0,3}[\"'`]?\s{0,3}[^\s\"'`]{4}|%3[da]|://|\$\{|[|>][+-]?\s"
    r"|pass|ps?w|secret|token|key|cred|api|auth|basic |login|machine |cookie|private|identified|redis|sig=|psk|_salt"
    r"|_pepper|secure|domain|\ttrue\t|\tfalse\t|echo |printf |curl |http|mysql|mariadb|mongo|sqlcmd|twine|ldapsearch"
    r"|zip |smbclient|etcdctl|parameter|proxy-user|net user|add_user|dev wifi|sess|jwt|bearer|define\(|reg add|sqlplus"
    r"|<<<|:\*:|331 |%252f|wallet|account|connect|new pdo|create|wifi\.begin|lftp |xfreerdp|7z|consul kv|set(?:env| -)"
    r"|code=|signature=|\.(?:fill|type)\(|send_?keys|setvalue|presssequ"
    r"|mdp|contrase|jeton|clé|schlüssel|clave|de acceso|log(?:ged)? in"
    r"|sign in|zugangsdaten|anmeld|melde |identifiants|credenciales|konto|ログイン|wifi|wlan|キー|シークレット|鍵"
    rf"|{'|'.join((*PASSWORDS, *OTHERS, *WIDE_PASSWORDS, *WIDE_OTHERS))}",
    re.IGNORECASE,
)
# Our own, and those between which agents are told what does not come from the person: a record with one would speak as
# the program (`sessions.speaker` knows most of them from agents' logs). The last are turns of models' own templates.
_UNSEEN = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f"
_REST = (
    rf"(?=(?P<lead>[\s{_UNSEEN}]*+/?+[\s{_UNSEEN}]*+)(?P<name>[A-Za-z][\w:.{_UNSEEN}-]*+)(?P<alone>\s*+/?>)?"
    r"|\|\w{1,40}\|>)"
)
_TAG = re.compile(f"<{_REST}")
_NAMES = re.compile(
    rf"(?:{MEMORY_TAG}|system(?:[-_]\w+)?|environment_\w+|editor_context|session_context|ide_\w+|info-msg"
    r"|(?:\w{1,40}_)?instructions|permissions|collaboration_mode|personality_spec|model_switch|turn_aborted|user_action"
    r"|user_shell_command|subagent_notification|hook_prompt|[a-z]{1,40}(?:-[a-z]{1,40}){0,4}-hook|task-notification"
    r"|teammate-message|cross-session-message|goal|tick|skill|user_(?:query|message|request|info|rules)|userrequest"
    r"|reminder(?:instructions)?|new-diagnostics|persisted-output"
    r"|command-\w+|local-command-\w+|bash-\w+|antml:\w+|function_\w+|tool_\w+)\b|(?:attachments?|invoke)(?![-\w])",
    re.IGNORECASE,
)
# Words that stand for something in many a line (`ssh <user>@host`): tags where they begin a line, and where they end.
_TURNS = frozenset({"human", "assistant", "user"})


def fenced(kind: str, text: str, **attributes: str) -> str:
    """The text between our lines. `kind` and attributes are ours, never a record's words."""
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<{MEMORY_TAG} kind="{kind}"{more}>\n{text.strip(chr(10))}\n</{MEMORY_TAG}>'


def quoted(text: str) -> str:
    """A record's words as they may stand between our lines: they can neither end nor begin such a block, and hold no
    secret and nothing that steers a terminal or shows them in another order."""
    if _MAY_HIDE.search(text):
        from memory_core.redact import locate, redact  # most texts that a hook gives need none of it

        text = redact(text) if locate(text) else text
    return without_tags(writable(text.replace("\r\n", "\n")))


def without_tags(text: str) -> str:
    """A record's words as an agent may read them: nothing in them reads as a tag of its own program."""
    return _TAG.sub(lambda found: "&lt;" if _speaks(found) else found[0], text)


def as_it_stands(quotation: str, original: str) -> str:
    """What an agent quotes of a text that it was given by `without_tags`, in the words of that text itself."""
    if without_tags(original) == original:
        return quotation
    return re.sub(f"&lt;{_REST}", lambda found: "<" if _speaks(found) else found[0], quotation)


def _speaks(found: re.Match[str]) -> bool:
    """Whether what begins there reads as a tag of a program that runs an agent, whatever shows nothing in its name."""
    if found["name"] is None:
        return True  # a model's own
    name = re.sub(f"[{_UNSEEN}]", "", found["name"])
    if any(char.isspace() for char in found["lead"]) and not found["alone"]:
        return False  # `a < system load`
    if name.lower() in _TURNS:
        before = found.string[max(0, found.start() - 40) : found.start()].rstrip(" \t")
        return "/" in found["lead"] or not before or before.endswith("\n")
    return _NAMES.match(name) is not None
