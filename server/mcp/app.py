"""The MCP protocol around the tools, resources and prompts: translation only, each call on a thread of its own."""

from __future__ import annotations

from functools import partial
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from memory_core.text import writable
from server.mcp import resources, tools
from server.mcp.memory import Answer, Memory

INSTRUCTIONS = (
    "Memory of this project: records of earlier decisions, requests and knowledge. Look things up before you decide "
    "what was perhaps decided before. What the user says comes first, then the repository's own instructions, then "
    "the records, which are background and may be out of date. Change records only when the user asks for it; to "
    "propose something, use StageCandidate."
)


def create_server(memory: Memory, version: str) -> Server[Any]:
    """A server for one workspace."""
    return Server(
        "omoide",
        version=version,
        instructions=INSTRUCTIONS,
        on_list_tools=partial(_list_tools, memory),
        on_call_tool=partial(_call_tool, memory),
        on_list_resources=partial(_list_resources, memory),
        on_list_resource_templates=_list_templates,
        on_read_resource=partial(_read_resource, memory),
        on_list_prompts=partial(_list_prompts, memory),
        on_get_prompt=partial(_get_prompt, memory),
    )


async def _list_tools(memory: Memory, _context: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[_tool(name, tool) for name, tool in tools.offered(memory).items()])


async def _call_tool(memory: Memory, _context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    answer = await _on_thread(partial(tools.call, memory, params.name, params.arguments))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=writable(answer.text))],
        # With the text in it: some clients show a model this part alone.
        structured_content=None if answer.facts is None else _writable({"text": answer.text, **answer.facts}),
        is_error=answer.is_error,
    )


async def _list_resources(memory: Memory, _context: Any, params: Any) -> types.ListResourcesResult:
    page = await _on_thread(partial(resources.resources, memory, params.cursor if params else None))
    found = [
        types.Resource(
            uri=item.uri, name=item.name, description=writable(item.about) or None, mime_type="text/markdown"
        )
        for item in page.items
    ]
    return types.ListResourcesResult(resources=found, next_cursor=page.next_cursor)


async def _list_templates(_context: Any, _params: Any) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(
        uri_template=f"{resources.SCHEME}{{kind}}/{{slug}}",
        name="record",
        description="A decision, request, knowledge or workflow by name.",
        mime_type="text/markdown",
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def _read_resource(
    memory: Memory, _context: Any, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    uri = str(params.uri)
    text = _text(await _on_thread(partial(resources.read, memory, uri)))
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, mime_type="text/markdown", text=text)]
    )


async def _list_prompts(memory: Memory, _context: Any, params: Any) -> types.ListPromptsResult:
    page = await _on_thread(partial(resources.workflows, memory, params.cursor if params else None))
    found = [types.Prompt(name=item.name, description=writable(item.about) or None) for item in page.items]
    return types.ListPromptsResult(prompts=found, next_cursor=page.next_cursor)


async def _get_prompt(memory: Memory, _context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    answer = await _on_thread(partial(resources.workflow, memory, params.name))
    content = types.TextContent(type="text", text=_text(answer))
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])


def _tool(name: str, tool: tools.Tool) -> types.Tool:
    from server.mcp.schema import parameters

    hints = types.ToolAnnotations(
        read_only_hint=not tool.changes, destructive_hint=tool.destroys, open_world_hint=False
    )
    return types.Tool(name=name, description=tool.about, input_schema=parameters(tool.arguments), annotations=hints)


async def _on_thread(work: Any) -> Any:
    return await anyio.to_thread.run_sync(work)


def _text(answer: Answer) -> str:
    if answer.is_error:
        raise MCPError(types.INVALID_PARAMS, answer.text)
    return writable(answer.text)


def _writable(value: Any) -> Any:
    """JSON data in which no text holds what no message may, such as halves of surrogate pairs or a text that only a
    model would see."""
    match value:
        case str():
            return writable(value)
        case list() | tuple():
            return [_writable(item) for item in value]
        case dict():
            return {key: _writable(item) for key, item in value.items()}
    return value
