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
# In the others programs quote files and outputs as they are, ends of such blocks included.
_SEALED = frozenset({MEMORY_TAG})
# Our own block without its end (a truncated message): everything behind the opening is ours.
_OPEN_MEMORY = re.compile(r"^[ \t]*<omoide-memory(?:\s[^>\n]*)?>.*\Z", re.DOTALL | re.MULTILINE)

# A message that begins like this was written by a program, whatever its role says: up to the end of the element, and
# whole where it is none.
_INJECTED = re.compile(
    r"""\s*(?:
      <(?P<tag>system-reminder|system_reminder|session-start-hook|task-notification|tick|goal|environment_context
        |environment_details|user_instructions|INSTRUCTIONS|permissions[ ]instructions|collaboration_mode|skill
        |skills_instructions|subagent_notification|apps_instructions|personality_spec|model_switch|hook_prompt
        |user_shell_command|session_context|codex_internal_context|recommended_plugins|app-context|channel
        |local-command-caveat|omoide-memory)(?P<more>[\s>])
      |<status>stopped</status>\s*<summary>
      |(?P<rules>\#[ ]AGENTS\.md[ ]instructions(?:[ ]for\b|\s*<INSTRUCTIONS>))
      |(?:Sub[aA]gent)?[sS]top[ ]hook[ ]feedback:[ ]?(?:\n|-[ ]|\[)
      |Another[ ]language[ ]model[ ]started[ ]to[ ]solve[ ]this[ ]problem[ ]and[ ]produced[ ]a[ ]summary\b
      |Review[ ]the[ ](?:current[ ]code[ ]changes[ ]\(staged,[ ]unstaged,[ ]and[ ]untracked[ ]files\)
        |code[ ]changes[ ](?:against[ ]the[ ]base[ ]branch|introduced[ ]by[ ]commit)[ ])
        [^\n]*[pP]rovide[ ]prioritized,?[ ](?:actionable[ ])?findings\.\s*\Z
      |Caveat:[ ]The[ ]messages[ ]below[ ]were[ ]generated
      |Read[ ]HEARTBEAT\.md[ ]if[ ]it[ ]exists
      |A[ ]new[ ]session[ ]was[ ]started[ ]via[ ]/
      |This[ ]session[ ]is[ ]being[ ]continued[ ]from[ ]a[ ]previous[ ]conversation
    )""",
    re.VERBOSE,
)
# Tags that a person may name: with their end they are tags.
_PLAIN_WORDS = frozenset({"tick", "goal", "skill", "channel"})
# Messages of their own: what a program writes behind the element is the program's too.
_WHOLE = frozenset({
    "session-start-hook", "task-notification", "tick", "channel", "collaboration_mode", "subagent_notification",
    "hook_prompt", "codex_internal_context",
})  # fmt: skip
_OUTPUTS = ("local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr")
_OUTPUT = re.compile(rf"\s*<(?:{'|'.join(_OUTPUTS)})>")
_OUTPUT_TAG = re.compile(rf"</?(?:{'|'.join(_OUTPUTS)})>")
_INTERRUPTED = re.compile(
    r"\s*\[Request interrupted by user[^\]\n]*\]\s*|\s*<turn_aborted>.*?(?:</turn_aborted>|\Z)\s*", re.DOTALL
)
_COMMANDS = ("command-name", "command-message", "command-args", "command-contents")
_COMMAND = re.compile(rf"\s*<(?:{'|'.join(_COMMANDS)})>")
_COMMAND_ROW = re.compile(rf"(?:\s*<({'|'.join(_COMMANDS)})>.*?</\1>)+", re.DOTALL)
_NAMED = re.compile(r"<command-(name|message)>")
_TYPED = re.compile(r"\s*<(bash-input|user-memory-input)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_TEAMMATE = re.compile(r"\s*<(teammate-message|cross-session-message|agent-message|coordinator-relay)([\s>])")
# How programs begin the message in which they hand an assistant's plan to those who carry it out. People write the
# mixed-case line over a plan of their own as well; the program's plan begins with its title.
_PLAN = re.compile(r"\s*(?:Implement the following plan:\s*\n(?=#{1,3} )|PLEASE IMPLEMENT THIS PLAN:\s)")
# Behind the plan its program says where it was made, and last what the person who approved it had to add.
_MADE = "\n\nIf you need specific details from before exiting plan mode"
_ADDED = "\n\nUser feedback on this plan: "
# The editor extension of Codex puts the state of the editor before what was typed, under a heading of its own: the last
# one, since a selected text may hold one too.
_IDE_REQUEST = re.compile(
    r"\A\s*# Context from my IDE setup:.*^## My request for Codex:[ \t]*\n?", re.DOTALL | re.MULTILINE
)


def _uncounted(_name: str) -> None:
    """Where nobody wants to know what was cut."""


def spoken(text: str, cut: Callable[[str], object] = _uncounted, *, block: bool = False) -> list[Spoken]:
    """The parts of one text of role `user`, in order, each with its speaker; nothing for blank text.

    `cut` is told the name of every injected block that was removed from a person's words. `block`: as of `human_text`.
    """
    if not text.strip():
        return []
    if first := _first(text):
        parts, end = first
        return [*parts, *spoken(text[end:], cut)]
    marks: list[Spoken] = []
    at = 0
    while match := _INTERRUPTED.match(text, at):
        marks.append(Spoken(EntryKind.SYSTEM, SYSTEM, match[0].strip(), "interruption"))
        at = match.end()
    if marks:
        return [*marks, *spoken(text[at:], cut)]
    removed: list[str] = []
    rest = human_text(text, removed.append, block=block)
    end = _injected(rest)
    if end == len(rest):  # also where nothing is left
        return [Spoken(EntryKind.SYSTEM, SYSTEM, text.strip(), "injected")]
    for name in removed:
        cut(name)
    if end:
        return [Spoken(EntryKind.SYSTEM, SYSTEM, rest[:end].strip(), "injected"), *spoken(rest[end:], cut)]
    return [Spoken(EntryKind.USER_MESSAGE, HUMAN, rest)]


def _first(text: str) -> tuple[list[Spoken], int] | None:
    """What a text begins with that is neither plain words nor quoted among them, and where that ends."""
    if _OUTPUT.match(text):
        end = _behind(text, *_OUTPUTS) or len(text)
        return [Spoken(EntryKind.SYSTEM, SYSTEM, _OUTPUT_TAG.sub("", text[:end]).strip(), "command_output")], end
    if _COMMAND.match(text):
        return _commanded(text)
    if match := _TYPED.match(text):
        sign = "!" if match[1] == "bash-input" else "#"
        return [Spoken(EntryKind.USER_MESSAGE, HUMAN, f"{sign} {match[2].strip()}", "command")], match.end()
    if match := _TEAMMATE.match(text):
        end = _behind(text, match[1]) or (len(text) if match[2] != ">" else 0)
        if end:
            return [Spoken(EntryKind.USER_MESSAGE, ASSISTANT, text[:end].strip(), "subagent_prompt")], end
    if _PLAN.match(text):
        return handed_plan(text), len(text)
    return None


def handed_plan(text: str) -> list[Spoken]:
    """An assistant's plan that its program hands on in a person's place, and what the person who approved it added."""
    made = text.rfind(_MADE)  # the program's own stands last: a plan may quote another
    added = text.find(_ADDED, made) if made >= 0 else -1
    end = added + len(_ADDED) if added >= 0 else len(text)
    told = Spoken(EntryKind.USER_MESSAGE, ASSISTANT, text[:end].strip(), "subagent_prompt")
    return [told, *spoken(text[end:])]


def is_expanded(text: str) -> bool:
    """Whether a text is nothing but a slash command whose prompt its program wrote elsewhere in the message."""
    row = _COMMAND_ROW.match(text)
    return row is not None and not text[row.end() :].strip() and _named_twice(text, row.end())


def _behind(text: str, *tags: str) -> int:
    """The place behind the last end of one of the tags, 0 where there is none: what stands inside may hold one too."""
    ends = ((text.rfind(f"</{tag}>"), len(tag) + 3) for tag in tags)
    return max((place + size for place, size in ends if place >= 0), default=0)


def _injected(text: str) -> int:
    """Where the words of a program end with which a text begins: all of an empty text, 0 of a person's."""
    match = _INJECTED.match(text)
    if match is None:
        return 0
    if tag := "INSTRUCTIONS" if match["rules"] else match["tag"]:
        end = _behind(text, tag)
        if end and tag not in _WHOLE:
            return end
        return 0 if not end and tag in _PLAIN_WORDS and match["more"] == ">" else len(text)
    return len(text)


def human_text(text: str, cut: Callable[[str], object] = _uncounted, *, block: bool = False) -> str:
    """A person's words without the blocks that programs put among them; empty when nothing else was there. `block`: the
    text is one of several in its message, as which programs add theirs: it is all of whom it begins and ends with."""
    whole = text.strip()
    if block and (first := _CUT.match(whole)) and first[1] not in _SEALED and whole.endswith(f"</{first[1]}>"):
        cut(first[1])
        return ""
    quoted = list(elements(text, _CUT, sealed=_SEALED))
    for element in quoted:
        cut(element.tag)
    text = without(text, quoted)
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


def _commanded(text: str) -> tuple[list[Spoken], int]:
    """A slash command with all that its program wrote behind it (a skill's text, say) but outputs, and where that ends.
    The program names a command twice: what stands behind a single element is as of others."""
    row = _COMMAND_ROW.match(text)
    end = row.end() if row else len(text)
    told = _command(text[:end])
    if not _named_twice(text, end) or _OUTPUT.match(text, end):
        return told, end
    behind = text[end:].strip()
    return [*told, *([Spoken(EntryKind.SYSTEM, SYSTEM, behind, "injected")] if behind else [])], len(text)


def _named_twice(text: str, end: int) -> bool:
    return len({match[1] for match in _NAMED.finditer(text, 0, end)}) == 2


def _command(text: str) -> list[Spoken]:
    """A slash command, as the person typed it: `/name arguments`."""
    parts = {key: _element(text, f"command-{key}") for key in ("name", "message", "args")}
    name = parts["name"] or parts["message"]
    if not name:
        return [Spoken(EntryKind.SYSTEM, SYSTEM, text.strip(), "injected")]
    typed = f"{'' if name.startswith('/') else '/'}{name} {parts['args']}".strip()
    return [Spoken(EntryKind.USER_MESSAGE, HUMAN, typed, "command")]


def _element(text: str, tag: str) -> str:
    found = next(elements(text, re.compile(rf"<({tag})>")), None)
    return found.inner.strip() if found else ""
