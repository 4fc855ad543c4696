"""The executable `omoide`: global options, the table of commands, errors as one line, exit codes.

Exit: 0 fine, 1 findings or refused, 2 misuse or unusable workspace, 130 interrupted.
"""

from __future__ import annotations

import importlib
import logging
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

import click

from memory_core.cli.process import INTERRUPTED, raise_at_interrupt
from memory_core.errors import (
    BadReply,
    InputTooLong,
    LockHeld,
    MemoryCoreError,
    NoSession,
    ProviderUnavailable,
    Refused,
    SessionBusy,
    refusal_of,
)

# Every command, in the order of the help: name → module and function. A command's module is imported when it runs, so
# that `omoide lsp` and hooks start fast.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "init": ("memory_core.cli.records", "init", "Make a memory (`.omoide/`) in this folder."),
    "demo": ("memory_core.cli.guide", "demo", "See the whole product at work on a bundled session."),
    "status": ("memory_core.cli.guide", "status", "What waits to be done, and what to run next."),
    "doctor": ("memory_core.cli.health", "doctor", "Check this machine."),
    "audit": ("memory_core.cli.audit", "audit", "Look the whole store over, changing nothing."),
    "lint": ("memory_core.cli.lint", "lint", "Check the records."),
    "explain": ("memory_core.cli.explain", "explain", "What a rule of the linter wants."),
    "new": ("memory_core.cli.create", "new", "Start a record."),
    "read": ("memory_core.cli.records", "read", "Print a record; counts as a use."),
    "search": ("memory_core.cli.records", "search", "Find records; never counts as a use."),
    "rename": ("memory_core.cli.refactor", "rename", "Give a record another slug, wherever it is referred to."),
    "promote": ("memory_core.cli.create", "promote", "Make knowledge of a decision or request."),
    "archive": ("memory_core.cli.refactor", "archive", "Take a record out of use."),
    "sessions": ("memory_core.cli.sessions", "sessions", "The logs that coding agents left of this project."),
    "extract": ("memory_core.cli.jobs", "extract", "Find candidates in them: what was decided, asked, tried."),
    "staging": ("memory_core.cli.staging", "staging", "Look at the candidates and the words they rest on."),
    "consolidate": ("memory_core.cli.jobs", "consolidate", "Make records (Markdown files) of the candidates."),
    "undo": ("memory_core.cli.undo", "undo", "Take a change back; alone, list what can be taken back."),
    "expand": ("memory_core.cli.expand", "expand", "A message with the records it names; counts as a use."),
    "context": ("memory_core.cli.context", "context", "What an agent's session is given at its start."),
    "usage": ("memory_core.cli.usage", "usage", "Which records are read, and what handing them out costs."),
    "enricher": ("memory_core.cli.enricher", "enricher", "Optional helpers of search, such as search by meaning."),
    "legacy": ("memory_core.cli.legacy", "legacy", "Conversation rows of older memories, with a way back."),
    "export": ("memory_core.cli.transfer", "export_command", "All records as one file."),
    "import": ("memory_core.cli.transfer", "import_command", "Bring exported records in."),
    "mcp": ("memory_core.cli.adapters", "mcp", "Serve records to an agent over MCP."),
    "install": ("memory_core.cli.install", "install", "Wire a coding agent to this memory."),
    "hook": ("memory_core.cli.hook", "hook", "Answer an agent's hook; agents call it."),
    "lsp": ("memory_core.cli.adapters", "lsp", "Run the language server on stdio."),
    "help": ("memory_core.cli.manual", "help_command", "This, or the help of a command."),
}

# The help shows the commands by what somebody wants to do, and the first ones first.
SECTIONS: dict[str, tuple[str, ...]] = {
    "Begin": ("init", "demo", "status", "help"),
    "From session logs to records": ("sessions", "extract", "staging", "consolidate", "undo"),
    "Records": ("search", "read", "new", "rename", "promote", "archive", "lint", "explain"),
    "In your agents and editor": ("install", "expand", "context", "usage", "mcp", "hook", "lsp"),
    "Upkeep": ("audit", "doctor", "export", "import", "enricher", "legacy"),
}


# What was asked for was said well, and cannot be had: every other error of ours is misuse or an unusable memory.
_REFUSALS = (LockHeld, Refused, NoSession, SessionBusy, ProviderUnavailable, BadReply, InputTooLong)

# What click raises where a group of commands stands alone, with the help as its message; below 8.2 it prints it itself.
_NO_ARGUMENTS: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())


class _ReaderGone(Exception):
    """The reader of our pipe went away (`omoide sessions | head`): that is no error of ours."""


class _OneLine(logging.Formatter):
    """A log line for people. File names and ids come from elsewhere and must not steer a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        from memory_core.redact import redact  # most commands write no such line

        text = redact(super().format(record))
        return "\n".join(map(_one_line, text.splitlines())) if record.exc_info else _one_line(text)


class _Commands(click.Group):
    """The commands of the table."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, function, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), function)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from memory_core.cli.meant import no_command

            raise click.UsageError(no_command(args[0], COMMANDS, "omoide"))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ReaderGone from None  # click itself would make exit code 1 of it, which means findings

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, COMMANDS[name][2]) for name in names])


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="New here: `omoide demo`. In your project: `omoide init`, then `omoide status` says what comes next. "
    "Exit codes: 0 fine, 1 findings or refused, 2 misuse or no workspace, 130 interrupted.",
)
@click.option(
    "--workspace", "workspace_dir", type=click.Path(path_type=Path), help="The project's folder (default: here)."
)
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON on stdout.")
@click.option("-v", "--verbose", is_flag=True, help="Say more, and show tracebacks.")
@click.version_option(package_name="omoide", prog_name="omoide")
@click.pass_context
def cli(ctx: click.Context, workspace_dir: Path | None, as_json: bool, verbose: bool) -> None:
    """Project memory for coding agents: what was decided, asked and tried in their sessions, as Markdown records in
    your repository.

    These options may stand before or after the command.
    """
    from memory_core.cli.app import Context

    if os.environ.get("NO_COLOR"):  # no-color.org
        ctx.color = False
    if workspace_dir is not None and not workspace_dir.is_dir():
        raise click.UsageError(f"--workspace: {workspace_dir} is not a folder.")
    try:
        ctx.obj = Context((workspace_dir or Path.cwd()).absolute(), as_json, verbose)
    except FileNotFoundError:
        raise click.UsageError("The folder you are in is gone: change into one that exists.") from None


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the console script."""
    arguments = global_options_first(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        # A record may hold anything; a terminal's narrow encoding must not stop the answer.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    verbose = "-v" in arguments or "--verbose" in arguments
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine("omoide: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.INFO if verbose else logging.WARNING)
    if verbose:
        sys.excepthook = _shown
    try:
        raise_at_interrupt()
        cli.main(args=arguments, prog_name="omoide", standalone_mode=False)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except _NO_ARGUMENTS as error:  # `omoide` or a group of commands alone: somebody who looks around
        click.echo(error.format_message())
    except click.ClickException as error:
        error.message = _one_line(error.message)  # type: ignore[misc]  # it repeats what was typed
        error.show()
        sys.exit(2)
    except _ReaderGone:
        _drop_output()
        sys.exit(0)
    except MemoryCoreError as error:
        if verbose:
            raise
        _complain(str(error))
        sys.exit(1 if isinstance(error, _REFUSALS) else 2)
    except OSError as error:
        if verbose:
            raise
        _drop_output()
        unwritten = f"the answer could not be written: {error.strerror}; check space and permissions"
        _complain(refusal_of(error) or unwritten)
        sys.exit(2)
    except Exception as error:
        if verbose:
            raise
        _complain(f"internal error ({type(error).__name__}: {error}); run it again with -v and report what it shows")
        sys.exit(1)


def _shown(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A traceback for people: an error of the network quotes addresses and headers, and errors may steer a terminal."""
    import traceback

    from memory_core.redact import redact

    for line in redact("".join(traceback.format_exception(kind, error, trace))).splitlines():
        click.echo(_one_line(line), err=True)


def _complain(message: str) -> None:
    """One line on stderr, whatever the message holds."""
    click.echo(f"omoide: {_one_line(message)}", err=True)


def _one_line(text: str) -> str:
    from memory_core.cli.app import printable

    return printable(" ".join(text.splitlines()))


def _drop_output() -> None:
    """Give up what is still buffered: the interpreter would try once more at its end, and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def global_options_first(arguments: list[str]) -> list[str]:
    """The arguments with the global options in front, wherever they stood before a `--`."""
    moved: list[str] = []
    rest: list[str] = []
    queue = list(arguments)
    while queue:
        word = queue.pop(0)
        if word == "--":
            rest += [word, *queue]
            break
        if word in ("--json", "-v", "--verbose") or word.startswith("--workspace="):
            moved.append(word)
        elif word == "--workspace" and queue:
            moved += [word, queue.pop(0)]
        else:
            rest.append(word)
    return moved + rest
