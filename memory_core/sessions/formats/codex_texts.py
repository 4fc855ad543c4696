"""What Codex's editors and apps put before a person's words: selections, comments, earlier chats, under headings.

Knows Codex's headings alone; blocks in tags are taken out by `speaker`, as of every agent.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memory_core.sessions.model import EntryKind
from memory_core.sessions.speaker import SYSTEM, Spoken, spoken

# As released by August 2026; a text without one of them is what was typed.
_CONTEXT = re.compile(
    r"""\s*(?:
      \#\ (?:Context\ from\ my\ IDE\ setup|Files\ mentioned\ by\ the\ user|Applications\ mentioned\ by\ the\ user
        |MCP\ app\ context):
      |\#\#\ (?:Prior\ conversation\ with\ Codex|Referenced\ (?:chats\ with\ Codex|ChatGPT\ conversation)):
      |<in-app-browser-context[\s>]
      |The\ attached\ pasted\ text\ file\(s\)\ contain\ the\ user's\ request\.
      |The\ following\ is\ the\ Codex\ agent\ history\b
      |(?P<plain>\#\ (?:Selected\ text|Response\ annotations|(?:Diff|Browser)\ comments|Failing\ PR\ checks
          |Pull\ request\ merge\ conflict|Chrome\ tabs|In\ app\ browser):
        |\#\#\ (?:Code\ review\ guidelines|Pull\ request\ (?:fix|merge\ task)|Auto\ resolve\ merge):)
    )""",
    re.VERBOSE,
)
_EDITOR = re.compile(r"vscode|desktop|xcode|jetbrains", re.IGNORECASE)
# Elements that stand as messages of their own in generations without marks, beside those that `speaker` knows.
_ELEMENT = re.compile(
    r"\s*<(user_action|realtime_(?:conversation|delegation)|project_doc|memories|plugins|plugins_instructions"
    r"|context_window|token_budget|multi_agent_mode|rollout_summary)[\s>]"
)
_REQUEST = re.compile(r"^## My request(?: for Codex)?:[ \t\r]*", re.MULTILINE)


def by_editor(originator: str) -> bool:
    """Whether what began a session is one of Codex's editors or apps, which write headings before a request."""
    return bool(_EDITOR.search(originator))


def typed(text: str, cut: Callable[[str], object], *, editor: bool = False, event: bool = False) -> list[Spoken]:
    """The parts of a text of role `user`. Behind a context of the program's the last heading of a request counts: what
    is quoted before it may hold one too. Without any nobody typed anything. `cut`: as of `spoken`. `editor`: as of
    `by_editor`; elsewhere a person may write a plain heading. `event`: whether Codex says that the text was typed, so
    that an element around all of it is the person's."""
    context = _CONTEXT.match(text)
    headings = list(_REQUEST.finditer(text)) if context else []
    if not context or (context["plain"] and not headings and not editor):
        parts = spoken(text, cut)
        element = _ELEMENT.match(text) if parts and parts[0].subtype is None and not event else None
        if element is None or not text.rstrip().endswith(f"</{element[1]}>"):
            return parts
        return [Spoken(EntryKind.SYSTEM, SYSTEM, text.strip(), "injected")]
    request = text[headings[-1].end() :] if headings else ""
    if not request.strip():
        return [Spoken(EntryKind.SYSTEM, SYSTEM, text.strip(), "injected")]
    cut("ide_context")
    return spoken(request, cut)
