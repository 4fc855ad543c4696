"""What Cline's text blocks hold: a person's words between tags, results under headings, calls written as XML.

Newer versions use the provider's own blocks for calls and results; those are read in `cline`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

from memory_core.sessions.fields import text_at
from memory_core.sessions.model import Speaker
from memory_core.sessions.speaker import spoken
from memory_core.sessions.tags import elements, without
from memory_core.sessions.transcript import Place, Transcript

# The tags around what a person said, each with the finer word of its entry.
_TAGS: dict[str, str | None] = {"task": None, "user_message": None, "feedback": "feedback", "answer": "question_answer"}
_TAGGED = re.compile(r"<(task|feedback|answer|user_message)>")
# The program's last words in a message. They quote the output of terminals, which may hold their end.
_DETAILS = re.compile(r"^<environment_details>(?:.*</environment_details>|.*)", re.DOTALL | re.MULTILINE)
# Files, pages and outputs that a person's words mention, which the program puts behind them as they are: each behind a
# blank line, and with its end.
_MENTIONED = re.compile(
    r"(?:\A\s*|\n\n)<(file_content|folder_content|url_content|terminal_output|git_working_state|git_commit"
    r"|workspace_diagnostics|problems)[\s>]"
)
# What a command that a person gave stands for, which the program puts before their words.
_INSTRUCTIONS = re.compile(r"\A\s*<explicit_instructions[\s>].*</explicit_instructions>[ \t]*(?:\n|\Z)", re.DOTALL)
_CWD = re.compile(r"^# Current (?:Working|Workspace) Directory \((.+?)\)", re.MULTILINE)
_RESULT = re.compile(r"\s*\[([a-z_]+(?: for '.*?')?)\] Result:\s*(.*)\Z", re.DOTALL)
# What the program writes before a person's words at the result of a tool that does not ask; nothing follows them.
_SAYS = re.compile(
    r"(?:The user (?:denied this operation|approved this operation|provided|has provided)|\[TASK RESUMPTION\]"
    r"|New (?:message|instructions))[^<]*"
)
_INJECTED = re.compile(
    r"\s*(?:\[(?:ERROR|TASK RESUMPTION|NOTE|WARNING)\b|# (?:Todo|task_progress|TODO)|The user has (?:provided|selected)"
    r"|Tool \[)"
)
_TOOLS = (
    "read_file", "write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace",
    "execute_command", "search_files", "list_files", "list_code_definition_names", "browser_action", "use_mcp_tool",
    "access_mcp_resource", "ask_followup_question", "attempt_completion", "plan_mode_respond", "new_task",
    "switch_mode", "fetch_instructions", "codebase_search", "update_todo_list", "web_fetch", "load_mcp_documentation",
)  # fmt: skip
_XML_CALL = re.compile(rf"<({'|'.join(_TOOLS)})>")
_PARAMETER = re.compile(r"<(\w+)>")
_THINKING = re.compile(r"<(thinking)>")
_ASKING = frozenset({"ask_followup_question", "plan_mode_respond", "attempt_completion"})  # a person answers these
_SPEAKS = {"attempt_completion": "result", "plan_mode_respond": "response", "ask_followup_question": "question"}


@dataclass(frozen=True, slots=True)
class Typed:
    """A piece of a text in the role of the user. `human`: whether a person wrote it."""

    text: str
    human: bool
    subtype: str | None = None


def cwd_in(text: str) -> str:
    """The working directory that the details of the environment name, which stand at the end of a text: what was typed
    or read before them may name any."""
    details = _DETAILS.search(text)
    found = list(_CWD.finditer(details[0])) if details else []
    return found[-1][1] if found else ""


def tagged(record: Any) -> bool:
    """Whether a message marks what a person said."""
    content = record.get("content") if isinstance(record, dict) and record.get("role") == "user" else None
    texts = [content] if isinstance(content, str) else [text_at(block, "text") for block in content or []]
    # A quotation marks nothing.
    texts = [_INSTRUCTIONS.sub("", text) for text in texts]
    return any(_TAGGED.search(text[: next(iter(_mentions(text)), len(text))]) for text in texts)


def _mentions(text: str) -> list[int]:
    """The places at which what is mentioned begins."""
    found = list(_MENTIONED.finditer(text))
    ends = {tag: text.rfind(f"</{tag}>") for tag in {match[1] for match in found}}
    return [match.start() for match in found if ends[match[1]] > match.end()]


def result_parts(text: str) -> tuple[str, str] | None:
    """Call and result of a text under the heading of a result; None for another text."""
    match = _RESULT.match(text)
    return (match[1], match[2].strip()) if match else None


def user_text(text: str, *, has_tags: bool) -> list[Typed]:
    """A text in the role of the user taken apart. `has_tags`: whether this log marks what a person said, so that a text
    without marks is the program's."""
    rest = _DETAILS.sub("", text)
    if instructions := _INSTRUCTIONS.match(rest):
        told = Typed(instructions[0].strip(), human=False)
        return [told, *user_text(rest[instructions.end() :], has_tags=has_tags)]
    mentions = _mentions(rest)
    found: list[Typed] = []
    done = 0
    for element in elements(rest, _TAGGED, unended=True):
        if bisect_left(mentions, done) < bisect_left(mentions, element.start):
            break  # what stands behind is quoted, whatever its marks say
        if before := rest[done : element.start].strip():
            found.append(Typed(before, human=False))
        done = element.end
        if said := element.inner.strip():
            found.append(Typed(said, human=True, subtype=_TAGS[element.tag]))
    after = rest[done:].strip()
    if after:
        quoted = next(iter(_mentions(after)), len(after))
        own = after[:quoted].strip()
        program = bool(found) or has_tags or _INJECTED.match(own) is not None
        if own and not program and any(part.speaker is Speaker.HUMAN for part in spoken(own)):
            found.append(Typed(own, human=True))
            after = after[quoted:].strip()
        found += [Typed(after, human=False)] if after else []
    return found


def told_result(text: str, tool: str) -> list[Typed]:
    """A tool's result taken apart. A file or a page that was read may hold the marks of what a person says: they count
    in the result of a tool that asks, and where the program's own words introduce them and nothing else is there."""
    rest = _DETAILS.sub("", text).strip()
    rest = _INSTRUCTIONS.sub("", rest) if tool in _ASKING else rest
    marks = list(elements(rest, _TAGGED, unended=True))
    told = bool(marks) and _SAYS.fullmatch(rest[: marks[0].start]) is not None
    alone = told and len(marks) == 1 and marks[0].end == len(rest)
    # The result of a task may be shown by a command, whose output stands here too.
    asked = tool in _ASKING and (told or tool != "attempt_completion" or not rest[: marks[0].start if marks else 0])
    if asked or alone:
        return user_text(text, has_tags=True)
    return [Typed(rest, human=False)] if rest else []


def assistant_text(transcript: Transcript, text: str, place: Place) -> None:
    """An assistant's text in order: words, thinking, and the calls that older versions write as XML."""
    thoughts = list(elements(text, _THINKING, unended=True))
    for thought in thoughts:
        transcript.reasoning(thought.inner.strip(), place)
    text = without(text, thoughts)
    done = 0
    for number, call in enumerate(elements(text, _XML_CALL, unended=True)):
        transcript.assistant(text[done : call.start], place)
        done = call.end
        arguments: dict[str, Any] = {
            part.tag: part.inner.removeprefix("\n").removesuffix("\n") for part in elements(call.inner, _PARAMETER)
        }
        if spoken_as := _SPEAKS.get(call.tag):
            said = text_at(arguments, spoken_as)
            transcript.assistant(said, place, "question" if call.tag == "ask_followup_question" else None)
        transcript.call(call.tag, arguments, f"{place.native_id}/{number}", place)
    transcript.assistant(text[done:], place)
