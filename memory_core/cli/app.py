"""What every command is given: where the workspace is, how to answer, where to report."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memory_core.errors import Cancelled
from memory_core.text import TAG

if TYPE_CHECKING:
    from memory_core.workspace import Workspace

Result = TypeVar("Result")

# Control characters of a log or record could move the cursor or retitle a terminal: they are shown, not obeyed.
_CONTROL = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|{TAG}")


# What JSON allows inside a string and a terminal obeys or hides all the same.
_UNSEEN = re.compile(rf"[\x7f-\x9f\u202a-\u202e\u2066-\u2069]|{TAG}")


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match.group())[1:-1]  # two of them beyond U+FFFF


class TerminalProgress:
    """Progress on stderr: one line that is rewritten on a terminal, nothing where nobody looks. Ctrl-C cancels."""

    def __init__(self, *, shown: bool) -> None:
        self.cancelled = False
        self.shown = shown
        self.width = 0

    def report(self, message: str, fraction: float | None = None) -> None:
        if not self.shown:
            return
        import shutil

        line = f"{message} ({fraction:.0%})" if fraction is not None else message
        line = printable(line)[: shutil.get_terminal_size().columns - 1]
        click.echo("\r" + line.ljust(self.width), err=True, nl=False)
        self.width = len(line)

    def clear(self) -> None:
        if self.width:
            click.echo("\r" + " " * self.width + "\r", err=True, nl=False)
            self.width = 0


@dataclass
class Context:
    """The global options and the way to answer."""

    workspace_dir: Path
    as_json: bool = False
    verbose: bool = False
    _workspace: Workspace | None = field(default=None, repr=False)

    def workspace(self) -> Workspace:
        """The workspace, opened once. WorkspaceError where there is none; problems of its settings go to stderr."""
        if self._workspace is None:
            from memory_core.workspace import open_workspace

            self._workspace = open_workspace(self.workspace_dir)
            for path, problems in self._workspace.problems.items():
                for problem in problems:
                    start = problem.range.start
                    self.note(f"{path}:{start.line + 1}:{start.character + 1}: {problem.message}")
        return self._workspace

    def echo(self, text: str = "", **style: bool) -> None:
        """Text for people on stdout, styled as a whole (`bold`, `dim`); control characters are made visible."""
        click.echo(click.style(printable(text), **style) if style else printable(text))

    def line(self, text: str) -> None:
        """One line for people on stdout, whatever it quotes: names and keys of a repository may hold line ends."""
        click.echo(one_line(text))

    def note(self, text: str, *more: str) -> None:
        """One line for people beside the answer, on stderr, and each of `more` in one of its own."""
        for line in (f"omoide: {text}", *more):
            click.echo(one_line(line), err=True)

    def print_json(self, value: Any) -> None:
        """The machine's answer on stdout. Lone surrogates cannot be written as UTF-8, and a terminal obeys characters
        that JSON takes as they are: they stay escaped."""
        text = _UNSEEN.sub(_escaped, json.dumps(value, ensure_ascii=False, indent=2))
        click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"))

    def run(self, job: Any) -> Any:
        """Run an asynchronous job `job(progress)` with progress on stderr; Ctrl-C cancels it and exits with 130."""
        import asyncio

        progress = TerminalProgress(shown=sys.stderr.isatty() and not self.as_json)
        try:
            return asyncio.run(_cancellable(job(progress), progress))
        except Cancelled:
            self.note("stopped; nothing half-done was kept")
            raise SystemExit(130) from None
        finally:
            progress.clear()


async def _cancellable(job: Coroutine[Any, Any, Result], progress: TerminalProgress) -> Result:
    import asyncio
    import signal

    def cancel() -> None:
        if progress.cancelled:  # a second Ctrl-C: the person does not want to wait
            os._exit(130)
        progress.cancelled = True

    if os.name == "posix":
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, cancel)
    else:  # Windows' event loops have no such handlers; setting a flag is all that is done between two instructions
        signal.signal(signal.SIGINT, lambda *_: cancel())
    return await job


def printable(text: str) -> str:
    """The text with control characters and bidirectional overrides made visible."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", text)


def one_line(text: str) -> str:
    """Printable, with line ends made visible too: what follows one would look like a line of ours, and be a command to
    programs that read these, such as GitHub Actions."""
    return printable(text).replace("\n", "\\x0a")


pass_context = click.make_pass_decorator(Context)
