"""The commands of a turn that do something, how they ended, and which of them try the same again.

Judges results by what the log says of them; what was said about them is the finders' business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory_core.extract.evidence import EvidenceItem
from memory_core.providers.builtin.sentences import spoken
from memory_core.redact import brief
from memory_core.sessions.tools import command_text

_COMMAND_TOOL = re.compile(r"bash|shell|exec|terminal|command|console", re.IGNORECASE)
EDIT_TOOL = re.compile(r"edit|write|patch|replace|create_file", re.IGNORECASE)
# Commands that look: that they find nothing, or fail, is no failure of anything.
_LOOKING_WORDS = (
    "ls cat head tail grep rg find fd which type stat file wc diff echo pwd cd test tree less sed awk ps "
    "kill pkill jq printf rm mkdir"
)
_LOOKING = frozenset(_LOOKING_WORDS.split())
_LOOKING_GIT = frozenset(["status", "diff", "log", "show", "branch", "grep", "blame"])
_SETUP = re.compile(
    r"^(?:\s*(?:cd \S+|export \S+|source \S+|set -\w+|[A-Z_]+=\S+)\s*(?:&&|;)\s*|"
    r"\s*[A-Z_][A-Z0-9_]*=\S+\s+)+"
)
_PIPED = re.compile(r"\s*(?:2>&1|\|.*|>\s*\S+|\|\|.*)$", re.DOTALL)
REFUSED = re.compile(
    r"tool_use_error|doesn't want to|requested permissions|has not been read|no such tool|"
    r"user rejected|timed? ?out waiting|interrupted",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"\A\s*(?:Error: )?Exit code [1-9]|\bexit(?:ed with)?(?: code| status)? [1-9]\d*\b|"
    r"\bProcess exited with code [1-9]"
)
_NAMED_ERROR = re.compile(r"\b[A-Za-z_.]*(?:Error|Exception)\b: ?\S|\berror(?:\[\w+\])?: \S|\bfatal: \S|\bnpm ERR! \S")
_MARGIN = re.compile(r"^(?:E\s{2,}|>\s+|npm ERR! )")
_ERROR_LINE = re.compile(
    r"(?:\w*(?:Error|Exception)\b|\berror\b|\bFAILED\b|\bfatal\b|\bpanic|\bAssertion|\bcannot\b|"
    r"\bdenied\b|not found|エラー|失败|错误)",
    re.IGNORECASE,
)


# Programs that run tests: what follows them only says which.
_TESTS = re.compile(
    r"\b(?:pytest|unittest|jest|vitest|mocha|rspec|phpunit|tox|nox|ctest|(?:cargo|go|npm|yarn|pnpm|bun|deno|"
    r"dotnet|mix|rake|make|gradle|mvn)(?: run)? test)\b"
)


# Runners whose second word says nothing: `npm run publish` and `npm run check` are two things.
_SCRIPT = re.compile(
    r"(?:(?:npm|pnpm|yarn|bun|deno|poetry|uv|pdm|hatch|bundle|dotnet) (?:run|exec|task)|python3? -m|npx|make -C)\b"
)


@dataclass(frozen=True, slots=True)
class Run:
    """A command that was run: its place in the turn's work, what it is, and whether it failed."""

    place: int
    item: EvidenceItem
    command: str
    failed: bool

    @property
    def key(self) -> tuple[str, ...]:
        """What makes two commands the same try: the runner of tests, else the program and its first word."""
        if runner := _TESTS.search(self.command):
            return (runner.group(),)
        words = self.command.split()
        return tuple(words[: 3 if _SCRIPT.match(self.command) else 2])

    @property
    def targets(self) -> list[str]:
        """The paths that a run of tests names; none is all of them."""
        return [word.split("::")[0] for word in self.command.split() if re.search(r"[/\\]|\.\w+$", word)]


def passes_again(first: Run, later: Run) -> bool:
    """Whether a later run is the same try as one that failed, of as much or more, and passed."""
    if later.place <= first.place or later.failed or later.key != first.key:
        return False
    if not _TESTS.search(first.command) or not later.targets:
        return True
    return any(path.startswith(other) for path in first.targets for other in later.targets)


def error_of(item: EvidenceItem) -> list[str]:
    """The line of a failed result that names the error, as a quotation."""
    content = (item.result.output or item.result.text) if item.result else ""
    lines = [line.strip() for line in content[:40_000].split("\n")]
    named = next((line for line in lines if _NAMED_ERROR.search(line)), None)
    telling = named or next((line for line in lines if _ERROR_LINE.search(line)), None)
    return [f"`{brief(_MARGIN.sub('', telling).replace('`', chr(39)), 160)}`."] if telling else []


def runs_of(work: Sequence[EvidenceItem]) -> list[Run]:
    """The commands of a turn that do something, with how they ended."""
    runs = []
    for place, item in enumerate(work):
        if item.kind != "tool" or not item.call or not item.result or not _COMMAND_TOOL.search(item.tool or ""):
            continue
        command = _command(item)
        words = command.split()
        looks = not words or words[0] in _LOOKING or (words[:1] == ["git"] and words[1:2] and words[1] in _LOOKING_GIT)
        content = item.result.output or item.result.text
        if looks or REFUSED.search(content[:400]):
            continue
        failed = item.result.is_error or bool(_FAILED.search(content[:300]))
        runs.append(Run(place, item, command, failed))
    return runs


def _command(item: EvidenceItem) -> str:
    arguments = item.call.arguments if item.call else {}
    value = arguments.get("command") or arguments.get("cmd") or ""
    text = command_text([str(part) for part in value]) if isinstance(value, list) else str(value)
    return _PIPED.sub("", _SETUP.sub("", " ".join(spoken(text).split()))).strip()
