"""Who is speaking in a record of role `user`: a person, an agent, a program. The one filter behind every format.

A role `user` is a person in the minority of cases. Decides from the text alone; what the record itself says of its
origin (tool results, sub-agents, meta marks) is the format's part of the filter and comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memory_core.sessions.model import EntryKind, Speaker
from memory_core.sessions.tags import elements, without

# Omoide's own text in an agent's context stands between these lines, so that it is never taken for a person's words
# and never extracted again. Attributes may follow in the opening tag.
MEMORY_TAG = "omoide-memory"
MEMORY_OPEN = f"<{MEMORY_TAG}"
MEMORY_CLOSE = f"</{MEMORY_TAG}>"

HUMAN, SYSTEM, ASSISTANT = Speaker.HUMAN, Speaker.SYSTEM, Speaker.ASSISTANT


@dataclass(frozen=True, slots=True)
class Spoken:
    """A part of a message with its speaker. `subtype`: the finer word of the entry it becomes."""

    kind: EntryKind
    speaker: Speaker
    text: str
    subtype: str | None = None


# Blocks that a program puts around or into what a person typed; they are cut out wherever they stand.
_CUT = re.compile(
    r"<(system-reminder|system_reminder|ide_[a-z_]+|environment_[a-z_]+|editor_context|user-prompt-submit-hook"
    r"|info-msg|omoide-memory)(?:\s[^<>]*)?>"
)
# Our own block without its end (a truncated message): everything behind the opening is ours.
_OPEN_MEMORY = re.compile(r"^[ \t]*<omoide-memory(?:\s[^>\n]*)?>.*\Z", re.DOTALL | re.MULTILINE)

# A message that begins like this was written by a program, whatever its role says.
_INJECTED = re.compile(
    r"""\s*(?:
      <(?:system-reminder|system_reminder|session-start-hook|task-notification|tick|goal|environment_context
        |environment_details|user_instructions|INSTRUCTIONS|permissions[ ]instructions|collaboration_mode|skill
        |skills_instructions|subagent_notification|apps_instructions|personality_spec|model_switch|hook_prompt
        |user_shell_command|session_context|local-command-caveat|omoide-memory)[\s>]
      |\#[ ]AGENTS\.md[ ]instructions\b
      |Caveat:[ ]The[ ]messages[ ]below[ ]were[ ]generated
      |Read[ ]HEARTBEAT\.md[ ]if[ ]it[ ]exists
      |A[ ]new[ ]session[ ]was[ ]started[ ]via[ ]/
      |This[ ]session[ ]is[ ]being[ ]continued[ ]from[ ]a[ ]previous[ ]conversation
    )""",
    re.VERBOSE,
)
_OUTPUT = re.compile(r"\s*<(local-command-stdout|local-command-stderr|bash-stdout|bash-stderr)>(.*)\Z", re.DOTALL)
_OUTPUT_TAG = re.compile(r"</?(?:local-command-std(?:out|err)|bash-std(?:out|err))>")
_INTERRUPTED = re.compile(
    r"\s*\[Request interrupted by user[^\]\n]*\]\s*|\s*<turn_aborted>.*?(?:</turn_aborted>|\Z)\s*", re.DOTALL
)
_COMMAND = re.compile(r"\s*<command-(?:name|message|args|contents)>")
_TYPED = re.compile(r"\s*<(bash-input|user-memory-input)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_TEAMMATE = re.compile(r"\s*<(?:teammate-message|cross-session-message)[\s>]")
# The editor extension of Codex puts the state of the editor before what was typed, under a heading of its own.
_IDE_REQUEST = re.compile(
    r"\A\s*# Context from my IDE setup:.*?^## My request for Codex:[ \t]*\n?", re.DOTALL | re.MULTILINE
)


def _uncounted(_name: str) -> None:
    """Where nobody wants to know what was cut."""


def spoken(text: str, cut: Callable[[str], object] = _uncounted) -> list[Spoken]:
    """The parts of one text of role `user`, in order, each with its speaker; nothing for blank text.

    `cut` is told the name of every injected block that was removed from a person's words.
    """
    if not text.strip():
        return []
    if match := _OUTPUT.match(text):
        return [Spoken(EntryKind.SYSTEM, SYSTEM, _OUTPUT_TAG.sub("", text).strip(), "command_output")]
    if _COMMAND.match(text):
        return _command(text)
    if match := _TYPED.match(text):
        sign = "!" if match[1] == "bash-input" else "#"
        return [Spoken(EntryKind.USER_MESSAGE, HUMAN, f"{sign} {match[2].strip()}", "command")]
    if _TEAMMATE.match(text):
        return [Spoken(EntryKind.USER_MESSAGE, ASSISTANT, text.strip(), "subagent_prompt")]
    marks: list[Spoken] = []
    at = 0
    while match := _INTERRUPTED.match(text, at):
        marks.append(Spoken(EntryKind.SYSTEM, SYSTEM, match[0].strip(), "interruption"))
        at = match.end()
    if marks:
        return [*marks, *spoken(text[at:], cut)]
    removed: list[str] = []
    rest = human_text(text, removed.append)
    if rest and not _INJECTED.match(rest):
        for name in removed:
            cut(name)
        return [Spoken(EntryKind.USER_MESSAGE, HUMAN, rest)]
    return [Spoken(EntryKind.SYSTEM, SYSTEM, text.strip(), "injected")]


def human_text(text: str, cut: Callable[[str], object] = _uncounted) -> str:
    """A person's words without the blocks that programs put among them; empty when nothing else was there."""
    blocks = list(elements(text, _CUT))
    for block in blocks:
        cut(block.tag)
    text = without(text, blocks)
    for pattern, name in ((_OPEN_MEMORY, MEMORY_TAG), (_IDE_REQUEST, "ide_context")):
        if pattern.search(text):
            cut(name)
            text = pattern.sub("", text)
    return text.strip()


def merged(parts: Iterable[Spoken]) -> list[Spoken]:
    """Neighboring plain words of one person joined to one message: a message of several blocks was typed as one."""
    joined: list[Spoken] = []
    for part in parts:
        last = joined[-1] if joined else None
        if last and part.subtype is None and last.subtype is None and part.speaker is last.speaker:
            joined[-1] = Spoken(last.kind, last.speaker, f"{last.text}\n\n{part.text}")
        else:
            joined.append(part)
    return joined


def _command(text: str) -> list[Spoken]:
    """A slash command, as the person typed it: `/name arguments`. The expansion of the command is not in here."""
    parts = {key: _element(text, f"command-{key}") for key in ("name", "message", "args")}
    name = parts["name"] or parts["message"]
    if not name:
        return [Spoken(EntryKind.SYSTEM, SYSTEM, text.strip(), "injected")]
    typed = f"{'' if name.startswith('/') else '/'}{name} {parts['args']}".strip()
    return [Spoken(EntryKind.USER_MESSAGE, HUMAN, typed, "command")]


def _element(text: str, tag: str) -> str:
    found = next(elements(text, re.compile(rf"<({tag})>")), None)
    return found.inner.strip() if found else ""
