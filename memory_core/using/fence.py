"""The lines around every text of ours in an agent's context, so that it is known again and cannot end itself early.

Text between them is never taken for a person's words and never extracted again (`sessions.speaker` cuts it).
"""

from __future__ import annotations

import re

from memory_core.text import writable

MEMORY_TAG = "omoide-memory"  # as `sessions.speaker` has it; loading that would cost a hook five milliseconds
# No secret is without a word of sixteen such characters, a value assigned to a name, an address, or one of the words
# by which `redact` knows that one is told. A test compares this with its tables.
_MAY_HIDE = re.compile(
    r"[A-Za-z0-9+/_=.:-]{16}|[=:]>?\s{0,3}\\{0,3}[\"'`]?\s{0,3}[^\s\"'`]{4}|%3[da]|://|\$\{|[|>][+-]?\s"
    r"|pass|ps?w|secret|token|key|cred|api|auth|basic |login|machine |cookie|private|identified|redis|sig=|psk|_salt"
    r"|_pepper|secure|domain|\ttrue\t|\tfalse\t|echo |printf |curl |http|mysql|mariadb|mongo|sqlcmd|twine|ldapsearch"
    r"|zip |smbclient|etcdctl|parameter|proxy-user|net user|add_user|dev wifi|パスワード|暗証番号|密[码碼钥鑰]"
    r"|비밀번호|トークン|キー|秘密鍵|令牌|口令|토큰|시크릿|пароль|senha|contraseña|mot de passe|kennwort|wachtwoord"
    r"|hasło|lösenord|şifre|mật khẩu|ｐａｓｓ|sess|jwt|bearer|connect\.sid|define\(|reg add|sqlplus|<<<|:\*:|331 "
    r"|%252f",
    re.IGNORECASE,
)
# Our own, and those between which agents are told what does not come from the person: a record with one would speak as
# the program (`sessions.speaker` knows most of them from agents' logs). The last are turns of models' own templates.
_UNSEEN = "\u00ad\u200b-\u200f\u2060-\u2064"
_TAG = re.compile(
    rf"<(?=[{_UNSEEN}]*/?(?:{MEMORY_TAG}|system(?:[-_]reminder)?|environment_\w+|editor_context|session_context|ide_\w+|info-msg"
    r"|(?:\w{1,40}_)?instructions|permissions|collaboration_mode|personality_spec|model_switch|turn_aborted|user_action"
    r"|user_shell_command|subagent_notification|hook_prompt|[a-z]{1,40}(?:-[a-z]{1,40}){0,4}-hook|task-notification"
    r"|teammate-message|cross-session-message|goal|tick|skill"
    r"|command-\w+|local-command-\w+|bash-\w+|antml:\w+|function_\w+|tool_\w+)\b|\|\w{1,40}\|>)",
    re.IGNORECASE,
)


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
    return _TAG.sub("&lt;", writable(text.replace("\r\n", "\n")))
