"""What the two jobs would send, printed before anything is sent. Calls nothing and writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_core.cli.app import Context
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.sessions.model import Session
    from memory_core.workspace import Workspace


def extract_inputs(context: Context, workspace: Workspace, sessions: list[Session], provider: str) -> None:
    """The requests as they would be sent, the same parts once: what leaves the machine can be read before it does.
    The built-in rules are sent nothing; what they read is told with the session."""
    from memory_core.extract.instructions import NAME
    from memory_core.extract.job import planned

    if provider == "builtin":
        context.echo("Dry run: nothing is written, and the built-in rules send nothing to anybody.")
        context.echo("What a model would be sent: omoide extract --dry-run --provider openai\n")
        return
    override = workspace.store.prompt_override(NAME)
    shown: set[str] = set()
    for session in sessions:
        for request in planned(session, workspace.store.pointer(session), workspace.config, override):
            if not shown:
                context.echo("Dry run: nothing is written. This would be sent:\n")
            first, last = request.span
            parts = (("System prompt", request.system), ("Tools", request.tools), ("Input", request.prompt))
            context.echo(f"# Session {session.session_id}, entries {first}-{last}: {counted(request.tokens, 'token')}")
            for name, text in [part for part in parts if part[1]]:
                context.echo(f"\n### {name}{' (as before)' if text in shown else ''}\n")
                context.echo("" if text in shown else text)
            shown |= {request.system, request.tools}


def consolidation_input(context: Context, provider: str | None) -> None:
    """The first request of a consolidation, exactly as it would be sent."""
    import asyncio
    import json

    from memory_core.llm import Message, ModelRequest
    from memory_core.tokens import count
    from memory_core.tool_text import as_text

    workspace = context.workspace()
    name = provider or workspace.config.provider.name
    work = asyncio.run(workspace.consolidation_request(name if name != "builtin" else "openai"))
    messages = (Message("system", work.system.text), Message("user", work.prompt)) if work else ()
    request = ModelRequest("", messages, tuple(work.toolbox.specs) if work else ())
    if work and workspace.config.provider.tool_calls == "json":
        request = as_text(request)
    tools = [tool.plain() for tool in request.tools]
    told = json.dumps(tools, ensure_ascii=False) if tools else ""
    tokens = count(told) + sum(count(message.content) for message in request.messages)
    if context.as_json:
        sent = [{"role": message.role, "content": message.content} for message in request.messages]
        context.print_json({"provider": name, "messages": sent, "tools": tools, "tokens": tokens})
        return
    if not work:
        context.echo("A model would be asked nothing: no candidate needs a decision.")
        return
    if name == "builtin":
        context.echo("The rules send nothing. A model would be sent this:\n")
    for title, text in (("System prompt", request.messages[0].content), ("Tools", told), ("Input", work.prompt)):
        if text:
            context.echo(f"### {title}\n\n{text}\n")
    context.echo(f"{tokens:,} tokens, and again in each further turn")
