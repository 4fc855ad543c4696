"""What Cline's text blocks hold: a person's words between tags, results under headings, calls written as XML.

Newer versions use the provider's own blocks for calls and results; those are read in `cline`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from memory_core.sessions.fields import text_at
from memory_core.sessions.model import Speaker
from memory_core.sessions.speaker import spoken
from memory_core.sessions.transcript import Place, Transcript

# The tags around what a person said, each with the finer word of its entry.
_TAGS: dict[str, str | None] = {"task": None, "user_message": None, "feedback": "feedback", "answer": "question_answer"}
_TAGGED = re.compile(r"<(task|feedback|answer|user_message)>\s*(.*?)\s*(?:</\1>|\Z)", re.DOTALL)
_DETAILS = re.compile(r"<environment_details>.*?(?:</environment_details>|\Z)", re.DOTALL)
_CWD = re.compile(r"^# Current (?:Working|Workspace) Directory \((.+?)\)", re.MULTILINE)
_RESULT = re.compile(r"\s*\[([a-z_]+(?: for '.*?')?)\] Result:\s*(.*)\Z", re.DOTALL)
_INJECTED = re.compile(
    r"\s*(?:\[(?:ERROR|TASK RESUMPTION|NOTE|WARNING)\b|# (?:Todo|task_progress|TODO)|The user has (?:provided|selected)"
    r"|Tool \[|<(?:explicit_instructions|file_content|folder_content|url_content|workspace_diagnostics))"
)
_TOOLS = (
    "read_file", "write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace",
    "execute_command", "search_files", "list_files", "list_code_definition_names", "browser_action", "use_mcp_tool",
    "access_mcp_resource", "ask_followup_question", "attempt_completion", "plan_mode_respond", "new_task",
    "switch_mode", "fetch_instructions", "codebase_search", "update_todo_list", "web_fetch", "load_mcp_documentation",
)  # fmt: skip
_XML_CALL = re.compile(rf"<({'|'.join(_TOOLS)})>(.*?)(?:</\1>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<(\w+)>\n?(.*?)\n?</\1>", re.DOTALL)
_THINKING = re.compile(r"<thinking>\s*(.*?)\s*(?:</thinking>|\Z)", re.DOTALL)
_SPEAKS = {"attempt_completion": "result", "plan_mode_respond": "response", "ask_followup_question": "question"}


@dataclass(frozen=True, slots=True)
class Typed:
    """A piece of a text in the role of the user. `human`: whether a person wrote it."""

    text: str
    human: bool
    subtype: str | None = None


def cwd_in(text: str) -> str:
    """The working directory that the details of the environment name."""
    match = _CWD.search(text)
    return match[1] if match else ""


def tagged(record: Any) -> bool:
    """Whether a message marks what a person said."""
    content = record.get("content") if isinstance(record, dict) and record.get("role") == "user" else None
    texts = [content] if isinstance(content, str) else [text_at(block, "text") for block in content or []]
    return any(_TAGGED.search(text) for text in texts)


def result_parts(text: str) -> tuple[str, str] | None:
    """Call and result of a text under the heading of a result; None for another text."""
    match = _RESULT.match(text)
    return (match[1], match[2].strip()) if match else None


def user_text(text: str, *, has_tags: bool) -> list[Typed]:
    """A text in the role of the user taken apart. `has_tags`: whether this log marks what a person said, so that a text
    without marks is the program's."""
    rest = _DETAILS.sub("", text)
    found: list[Typed] = []
    done = 0
    for match in _TAGGED.finditer(rest):
        if before := rest[done : match.start()].strip():
            found.append(Typed(before, human=False))
        done = match.end()
        if match[2].strip():
            found.append(Typed(match[2].strip(), human=True, subtype=_TAGS[match[1]]))
    after = rest[done:].strip()
    if after:
        program = bool(found) or has_tags or _INJECTED.match(after) is not None
        human = not program and any(part.speaker is Speaker.HUMAN for part in spoken(after))
        found.append(Typed(after, human=human))
    return found


def assistant_text(transcript: Transcript, text: str, place: Place) -> None:
    """An assistant's text in order: words, thinking, and the calls that older versions write as XML."""
    for match in _THINKING.finditer(text):
        transcript.reasoning(match[1], place)
    text = _THINKING.sub("", text)
    done = 0
    for number, match in enumerate(_XML_CALL.finditer(text)):
        transcript.assistant(text[done : match.start()], place)
        done = match.end()
        arguments: dict[str, Any] = dict(_PARAMETER.findall(match[2]))
        if spoken_as := _SPEAKS.get(match[1]):
            said = text_at(arguments, spoken_as)
            transcript.assistant(said, place, "question" if match[1] == "ask_followup_question" else None)
        transcript.call(match[1], arguments, f"{place.native_id}/{number}", place)
    transcript.assistant(text[done:], place)
