"""What the connected client can do, as questions with names. Asked once, at `initialize`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
    restricted: bool = False  # its window is not trusted: nothing begins by itself
    returns_are_text: bool = False  # a lone carriage return is a character to it, and ends no line

    def lines_of(self, text: str, around: str = "") -> str:
        """A text with the same characters in the lines that this client counts. LSP has a lone `\\r` end a line, as a
        progress bar leaves it in a log; Vim, Emacs and Helix show it, so a space stands for it here, and also for one
        in front of `\\n` unless all lines end so. `around`: the document that a part is of, as this gave it. Where
        there is no other line end, `\\r` is what ends lines there too."""
        if not self.returns_are_text or "\r" not in text or not ("\n" in text or "\n" in around):
            return text
        mixed = "\r\n" not in around if "\n" in around else _BARE_NEWLINE.search(text)
        return text.replace("\r", " ") if mixed else _LONE_RETURN.sub(" ", text)


_LONE_RETURN = re.compile(r"\r(?!\n)")
_BARE_NEWLINE = re.compile(r"(?<!\r)\n")
_SHOWING_RETURNS = ("vim", "emacs", "eglot", "helix", "kakoune")  # in the names of clients

# What a client says with yes or no: the field of the profile, and the capability it stands for.
_PLAIN: Mapping[str, str] = {
    "work_done_progress": "window.work_done_progress",
    "pulls_configuration": "workspace.configuration",
    "registers_watchers": "workspace.did_change_watched_files.dynamic_registration",
    "label_details": "text_document.completion.completion_item.label_details_support",
    "definition_links": "text_document.definition.link_support",
    "related_information": "text_document.publish_diagnostics.related_information",
    "registers_diagnostics": "text_document.diagnostic.dynamic_registration",
    "related_documents": "text_document.diagnostic.related_document_support",
    "code_description": "text_document.publish_diagnostics.code_description_support",
    "change_annotations": "workspace.workspace_edit.change_annotation_support",
    "show_document": "window.show_document.support",
    "did_rename_files": "workspace.file_operations.did_rename",
    "nested_symbols": "text_document.document_symbol.hierarchical_document_symbol_support",
    "link_tooltips": "text_document.document_link.tooltip_support",
    "action_literals": "text_document.code_action.code_action_literal_support",
    "preferred_actions": "text_document.code_action.is_preferred_support",
    "refreshes_lenses": "workspace.code_lens.refresh_support",
    "refreshes_tokens": "workspace.semantic_tokens.refresh_support",
    "refreshes_hints": "workspace.inlay_hint.refresh_support",
    "insert_replace": "text_document.completion.completion_item.insert_replace_support",
    "snippets": "text_document.completion.completion_item.snippet_support",
}


def profile_of(params: types.InitializeParams, encoding: Encoding) -> ClientProfile:
    """The profile of a client from its `initialize` request and the encoding that was agreed on."""
    name = params.client_info.name if params.client_info else ""
    plain: dict[str, Any] = {field: _can(params, path) for field, path in _PLAIN.items()}
    profile = ClientProfile(
        name=name,
        process_id=params.process_id,
        encoding=encoding,
        # VS Code and its kin outline the headings of any Markdown text by themselves; ours would be the same once more.
        outlines_markdown="Visual Studio Code" in name,
        returns_are_text=any(part in name.lower() for part in _SHOWING_RETURNS),
    )
    return replace(profile, **plain, **_of_answers(params), **_of_edits(params), **_of_ours(params))


def _of_answers(params: types.InitializeParams) -> dict[str, Any]:
    """In which form the client takes what is answered or pushed."""
    # A client that cannot be told to ask again would show what was true once: it is sent diagnostics instead.
    asks = _said(params, "text_document.diagnostic") is not None
    hovers = _said(params, "text_document.hover.content_format")
    documents = _said(params, "text_document.completion.completion_item.documentation_format")
    struck = _said(params, "text_document.completion.completion_item.tag_support.value_set") or ()
    return {
        "pulls_diagnostics": asks and _can(params, "workspace.diagnostics.refresh_support"),
        "diagnostic_tags": tuple(_said(params, "text_document.publish_diagnostics.tag_support.value_set") or ()),
        "markdown_hover": not hovers or types.MarkupKind.Markdown in hovers,
        "markdown_documentation": not documents or types.MarkupKind.Markdown in documents,
        "deprecated_items": types.CompletionItemTag.Deprecated in struck,
        "completion_defaults": frozenset(_said(params, "text_document.completion.completion_list.item_defaults") or ()),
    }


def _of_edits(params: types.InitializeParams) -> dict[str, Any]:
    """What the client can change for us."""
    operations = _said(params, "workspace.workspace_edit.resource_operations") or ()
    resolved = _said(params, "text_document.code_action.resolve_support.properties") or ()
    return {
        # Neovim 0.11 names the operations only; they have no other place than in `documentChanges`.
        "document_changes": _can(params, "workspace.workspace_edit.document_changes") or bool(operations),
        "resource_operations": frozenset(str(operation.value) for operation in operations),
        "resolves_action_edits": _can(params, "text_document.code_action.data_support") and "edit" in resolved,
    }


def _of_ours(params: types.InitializeParams) -> dict[str, Any]:
    """What a client of ours says of itself: `{"omoide": {"status": true, "commands": [...], ...}}`."""
    experimental = params.capabilities.experimental
    ours = experimental.get("omoide") if isinstance(experimental, dict) else None
    ours = ours if isinstance(ours, dict) else {}
    named = ours.get("commands")
    commands = [it for it in named if isinstance(it, str)] if isinstance(named, list) else []
    return {
        "wants_status": bool(ours.get("status")),
        "offers_models": bool(ours.get("models")),
        "opens_for_persons": bool(ours.get("opened")),
        "restricted": bool(ours.get("restricted")),
        "own_commands": frozenset(commands),
    }


def _said(params: types.InitializeParams, path: str) -> Any:
    """What a client says under the path of a capability; None where it says nothing."""
    return get_capability(params.capabilities, path, None)


def _can(params: types.InitializeParams, path: str) -> bool:
    return bool(_said(params, path))
