"""What the connected client can do, as questions with names. Asked once, at `initialize`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
    wants_status: bool = False
    offers_models: bool = False  # its language models, by `omoide/model` and `omoide/modelTurn`
    pulls_diagnostics: bool = False
    registers_diagnostics: bool = False
    related_documents: bool = False
    code_description: bool = False
    diagnostic_tags: tuple[types.DiagnosticTag, ...] = ()
    document_changes: bool = False
    resource_operations: frozenset[str] = frozenset()  # of `create`, `rename`, `delete`
    change_annotations: bool = False
    show_document: bool = False
    did_rename_files: bool = False
    nested_symbols: bool = False
    outlines_markdown: bool = False
    link_tooltips: bool = False
    action_literals: bool = False
    resolves_action_edits: bool = False
    preferred_actions: bool = False
    refreshes_lenses: bool = False
    refreshes_tokens: bool = False
    refreshes_hints: bool = False
    insert_replace: bool = False
    completion_defaults: frozenset[str] = frozenset()  # of a completion list, which spare each item saying them
    snippets: bool = False
    deprecated_items: bool = False
    markdown_documentation: bool = True
    opens_for_persons: bool = False  # a file is opened only where a person sees it, never for a preview
    own_commands: frozenset[str] = frozenset()  # of the client's, which we may name in a code lens


def profile_of(params: types.InitializeParams, encoding: Encoding) -> ClientProfile:
    """The profile of a client from its `initialize` request and the encoding that was agreed on."""

    def can(path: str) -> bool:
        return bool(get_capability(params.capabilities, path, False))

    ours = getattr(params.capabilities, "experimental", None)
    ours = ours.get("omoide") if isinstance(ours, dict) else None
    operations = get_capability(params.capabilities, "workspace.workspace_edit.resource_operations", None)
    # A client that cannot be told to ask again would show what was true once: it is sent diagnostics instead.
    asks = get_capability(params.capabilities, "text_document.diagnostic", None) is not None
    formats = get_capability(params.capabilities, "text_document.hover.content_format", None)
    resolved = get_capability(params.capabilities, "text_document.code_action.resolve_support.properties", None)
    documented = get_capability(
        params.capabilities, "text_document.completion.completion_item.documentation_format", None
    )
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
        wants_status=bool(ours.get("status")) if isinstance(ours, dict) else False,
        offers_models=bool(ours.get("models")) if isinstance(ours, dict) else False,
        pulls_diagnostics=asks and can("workspace.diagnostics.refresh_support"),
        registers_diagnostics=can("text_document.diagnostic.dynamic_registration"),
        related_documents=can("text_document.diagnostic.related_document_support"),
        code_description=can("text_document.publish_diagnostics.code_description_support"),
        diagnostic_tags=tuple(
            get_capability(params.capabilities, "text_document.publish_diagnostics.tag_support.value_set", None) or ()
        ),
        # Neovim 0.11 names the operations only; they have no other place than in `documentChanges`.
        document_changes=can("workspace.workspace_edit.document_changes") or bool(operations),
        resource_operations=frozenset(str(operation.value) for operation in operations or ()),
        change_annotations=can("workspace.workspace_edit.change_annotation_support"),
        show_document=can("window.show_document.support"),
        did_rename_files=can("workspace.file_operations.did_rename"),
        nested_symbols=can("text_document.document_symbol.hierarchical_document_symbol_support"),
        # VS Code and its kin outline the headings of any Markdown text by themselves; ours would be the same once more.
        outlines_markdown=bool(params.client_info and "Visual Studio Code" in params.client_info.name),
        link_tooltips=can("text_document.document_link.tooltip_support"),
        action_literals=can("text_document.code_action.code_action_literal_support"),
        resolves_action_edits=can("text_document.code_action.data_support") and "edit" in (resolved or ()),
        preferred_actions=can("text_document.code_action.is_preferred_support"),
        refreshes_lenses=can("workspace.code_lens.refresh_support"),
        refreshes_tokens=can("workspace.semantic_tokens.refresh_support"),
        refreshes_hints=can("workspace.inlay_hint.refresh_support"),
        insert_replace=can("text_document.completion.completion_item.insert_replace_support"),
        completion_defaults=frozenset(
            get_capability(params.capabilities, "text_document.completion.completion_list.item_defaults", None) or ()
        ),
        snippets=can("text_document.completion.completion_item.snippet_support"),
        deprecated_items=types.CompletionItemTag.Deprecated
        in (
            get_capability(params.capabilities, "text_document.completion.completion_item.tag_support.value_set", None)
            or ()
        ),
        markdown_documentation=not documented or types.MarkupKind.Markdown in documented,
        opens_for_persons=bool(ours.get("opened")) if isinstance(ours, dict) else False,
        own_commands=_own_commands(params.capabilities.experimental),
    )


def _own_commands(experimental: Any) -> frozenset[str]:
    """The commands that a client of ours says it has: `{"omoide": {"commands": [...]}}`."""
    ours = experimental.get("omoide") if isinstance(experimental, dict) else None
    named = ours.get("commands") if isinstance(ours, dict) else None
    return frozenset(name for name in named if isinstance(name, str)) if isinstance(named, list) else frozenset()
