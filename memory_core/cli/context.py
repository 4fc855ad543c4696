"""The resident context, for people who want to see it and for agents that pull it themselves."""

from __future__ import annotations

import click

from memory_core.cli.app import Context, pass_context
from memory_core.cli.identity import on_behalf, on_whose_behalf
from memory_core.text import counted

SESSION_KINDS = click.Choice(["chat", "code", "scheduled", "subagent", "internal"])


@click.command()
@click.option("--session-kind", type=SESSION_KINDS, default="chat", show_default=True, help="Whose context.")
@click.option("--record", is_flag=True, help="Count it as given to an agent (resident exposure).")
@click.option("--session", "session_id", envvar="OMOIDE_SESSION_ID", help="The session it is given to.")
@on_whose_behalf
@pass_context
def context(
    context: Context, session_kind: str, record: bool, session_id: str | None, as_keys: tuple[str, ...]
) -> None:
    """Print what a session of some kind is given at its start: the summary, then the resident records by name."""
    from memory_core.using.policy import ResidentRules, origin_of
    from memory_core.using.resident import exposure_of, resident_context

    workspace = context.workspace()
    rules = ResidentRules.of(workspace.config.memory)
    now = workspace.now()
    caller = on_behalf(as_keys, session_id, workspace.config.grants)
    found = resident_context(workspace.store.load(), origin_of(session_kind), rules, now=now, caller=caller)
    if found and record:
        workspace.store.append_usage(exposure_of(found, session_id=session_id, now=now))
    if context.as_json:
        context.print_json(found.plain(session_kind))
        return
    if found:
        context.echo(found.text)
    else:
        context.note(found.reason)
    if found.cut:
        context.note(f"{counted(len(found.cut), 'part')} found no room: {', '.join(found.cut[:5])}")
