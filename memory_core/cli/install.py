"""`omoide install AGENT`: put Omoide into an agent's settings, or take it out again. The diff comes first."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_core.agents.wiring import AGENTS
from memory_core.cli.app import Context, pass_context
from memory_core.cli.meant import Named
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.agents.install import Change

_HINTS = {
    "codex": "Codex asks once whether to trust a project's hooks: `/hooks` in Codex shows them.",
    "copilot": "Copilot loads `.github/hooks` from the folder it starts in; VS Code asks before it runs the server.",
    "claude-code": "Claude Code asks once whether to use the project's MCP server; `/hooks` shows the hooks.",
    "gemini": "Gemini CLI loads project settings in trusted folders.",
    "opencode": "OpenCode loads the plugin when it starts next.",
    "agents-md": "Agents that read AGENTS.md see it from their next session on.",
}


@click.command()
@click.argument("agent", type=Named("AGENT", AGENTS))
@click.option("--resident", is_flag=True, help="Give this agent's sessions the resident context; your consent to it.")
@click.option("--uninstall", is_flag=True, help="Take out what was put in.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@pass_context
def install(context: Context, agent: str, resident: bool, uninstall: bool, yes: bool) -> None:
    """Wire an agent to this workspace's memory: hooks and the MCP server, or a block in AGENTS.md.

    AGENT is claude-code, codex, copilot, opencode, gemini, or agents-md for any that reads AGENTS.md.

    Shows the changes first. Everything else in the files keeps its bytes; --uninstall gives them back.
    """
    from memory_core.agents import install as wiring

    if resident and uninstall:
        raise click.UsageError("Give one of --resident and --uninstall.")
    if resident and agent == "agents-md":
        raise click.UsageError("AGENTS.md gives no resident context: agents read it by themselves.")
    layout = context.workspace().layout
    if problem := wiring.receipt_problem(layout, agent):
        context.note(problem)
    if uninstall:
        changes = wiring.uninstall(layout, agent)
    else:
        changes = wiring.install(layout, agent, wiring.program(), resident=resident)
        _warn(context, agent, wiring.program() if changes else ["omoide"])
    written = bool(changes) and (yes or _confirmed(context, changes, layout.workspace, resident=resident))
    if written:
        wiring.write(layout, agent, changes, removing=uninstall)
        if resident:
            from memory_core.store.record_files import resident_files

            resident_files(layout)  # looks at every record once, so that no session start has to
    if context.as_json:
        files = [_plain(change, layout.workspace) for change in changes]
        context.print_json({"agent": agent, "written": written, "files": files})
    elif written or not changes:
        _tell(context, agent, changes, shown=not yes, uninstall=uninstall)
    if changes and not written:
        raise SystemExit(1)


def _warn(context: Context, agent: str, program: list[str]) -> None:
    """What will not work of what is wired here, or not on another machine."""
    from memory_core.installed import extra_remedy

    if agent == "agents-md":
        return
    if importlib.util.find_spec("mcp") is None:
        remedy = extra_remedy("mcp")
        context.note(f"the MCP server that is wired here will not start, `mcp` is not installed: {remedy}")
    if program != ["omoide"]:
        context.note(f"`omoide` is not on PATH: the files name {sys.executable}, which other machines do not have")


def _plain(change: Change, workspace: Path) -> dict[str, str]:
    return {
        "path": change.path.relative_to(workspace).as_posix(),
        "op": "create" if change.before is None else "delete" if change.after is None else "update",
        "diff": change.diff(workspace),
    }


def _tell(context: Context, agent: str, changes: Sequence[Change], *, shown: bool, uninstall: bool) -> None:
    """What was done, for people. `shown`: the changes were shown before the question."""
    if not changes:
        context.echo(f"Nothing to do: {agent} is {'not ' if uninstall else ''}wired already.")
        return
    for change in () if shown else changes:
        context.echo(change.diff(context.workspace().layout.workspace).rstrip("\n"))
    context.echo(f"{counted(len(changes), 'file')} changed. {'' if uninstall else _HINTS[agent]}".rstrip())
    if not uninstall:
        context.echo(f"To take it back: omoide install {agent} --uninstall")


def _confirmed(context: Context, changes: Sequence[Change], workspace: Path, *, resident: bool) -> bool:
    """Show the diff and ask; where nobody can answer, nothing is written."""
    if not context.as_json:
        for change in changes:
            context.echo(change.diff(workspace).rstrip("\n"))
    if resident:
        context.note("--resident: sessions of this agent will be given the summary and the resident records unasked")
    if context.as_json or not sys.stdin.isatty():
        context.note("nothing was written: add --yes")
        return False
    return click.confirm("Write this?", err=True)
