"""What somebody may have meant by a word that names nothing: near commands and values. Never runs any of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # generic since click 8.2 only

# What other programs call it: the word somebody tries first → what it is called here.
_CALLED_HERE = {
    "accept": "consolidate --accept",
    "add": "new",
    "candidates": "staging",
    "check": "lint",
    "create": "new",
    "delete": "archive",
    "fix": "lint --fix",
    "find": "search",
    "get": "read",
    "grep": "search",
    "history": "sessions",
    "list": "status",
    "logs": "sessions",
    "move": "rename",
    "mv": "rename",
    "reject": "consolidate --reject",
    "remove": "archive",
    "report": "usage report",
    "restore": "undo",
    "revert": "undo",
    "review": "consolidate --review",
    "rm": "archive",
    "rollback": "undo",
    "run": "extract",
    "runs": "undo",
    "server": "lsp",
    "show": "read",
    "start": "demo",
    "uninstall": "install AGENT --uninstall",
    "version": "--version",
}


def near(word: str, words: Iterable[str]) -> list[str]:
    """The word that is nearly this one, and a second where it is as near."""
    found = difflib.get_close_matches(word.lower(), list(words), n=2)
    ratios = [difflib.SequenceMatcher(None, name, word.lower()).ratio() for name in found]
    return [name for name, ratio in zip(found, ratios, strict=True) if ratio > ratios[0] - 0.1]


def did_you_mean(found: Iterable[str]) -> str:
    """The end of a sentence that says there is no such word; empty where nothing is near."""
    quoted = " or ".join(f"`{name}`" for name in found)
    return f"; did you mean {quoted}?" if quoted else ""


def no_command(name: str, commands: Iterable[str], prefix: str) -> str:
    """What is said of a command that there is not. `prefix`: what stands before its name, `omoide` at first."""
    called = _CALLED_HERE.get(name.lower()) if prefix == "omoide" else None
    found = [called] if called else near(name, commands)
    meant = did_you_mean(f"{prefix} {command}" for command in found)
    return f"There is no command `{name}`{meant or f'; `{prefix} --help` lists them.'}"


class Named(_Choice):
    """One of a few words, which help shows under a short name as an argument. A near miss is told what is near."""

    def __init__(self, shown: str, words: Iterable[str]) -> None:
        super().__init__(list(words))
        self.shown = shown

    def get_metavar(self, param: click.Parameter, *context: Any, **named: Any) -> str | None:
        """The short name of an argument, the words of an option."""
        return self.shown if isinstance(param, click.Argument) else super().get_metavar(param, *context, **named)

    def get_missing_message(self, param: click.Parameter, *context: Any, **named: Any) -> str:  # noqa: ARG002 - click's
        return f"One of: {', '.join(self.choices)}."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            meant = did_you_mean(near(str(value), self.choices)) or f": one of {', '.join(self.choices)}."
            self.fail(f"there is no `{value}`{meant}", param, ctx)
        return str(value)
