"""What the connected client can do, as questions with names. Asked once, at `initialize`."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types
from pygls.capabilities import get_capability

from server.convert.columns import Encoding


@dataclass(frozen=True, slots=True)
class ClientProfile:
    """The client's capabilities that change an answer of ours. The defaults are those of a client that says nothing."""

    name: str = ""
    process_id: int | None = None
    encoding: Encoding = Encoding.UTF16
    work_done_progress: bool = False
    pulls_configuration: bool = False
    registers_watchers: bool = False
    label_details: bool = False
    markdown_hover: bool = True
    definition_links: bool = False
    related_information: bool = False


def profile_of(params: types.InitializeParams, encoding: Encoding) -> ClientProfile:
    """The profile of a client from its `initialize` request and the encoding that was agreed on."""

    def can(path: str) -> bool:
        return bool(get_capability(params.capabilities, path, False))

    formats = get_capability(params.capabilities, "text_document.hover.content_format", None)
    return ClientProfile(
        name=params.client_info.name if params.client_info else "",
        process_id=params.process_id,
        encoding=encoding,
        work_done_progress=can("window.work_done_progress"),
        pulls_configuration=can("workspace.configuration"),
        registers_watchers=can("workspace.did_change_watched_files.dynamic_registration"),
        label_details=can("text_document.completion.completion_item.label_details_support"),
        markdown_hover=not formats or types.MarkupKind.Markdown in formats,
        definition_links=can("text_document.definition.link_support"),
        related_information=can("text_document.publish_diagnostics.related_information"),
    )
