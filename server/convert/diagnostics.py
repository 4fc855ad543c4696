"""Diagnostics, from the core to the protocol: with the page that explains each, as far as the client takes it.

Finds nothing and sends nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from lsprotocol import types

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.layout import ROOT_NAMES
from memory_core.text import LineIndex
from server.client import ClientProfile
from server.convert.to_lsp import Locate, location, range_of
from server.convert.uris import from_path

Report = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport
WorkspaceItem = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport
Related = dict[str, types.FullDocumentDiagnosticReport | types.UnchangedDocumentDiagnosticReport]

_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}

# What editors show faded, because it has no effect, and struck through, because there is another word for it now.
_TAGS = {
    "unknown-key": types.DiagnosticTag.Unnecessary,
    "unknown-disable": types.DiagnosticTag.Unnecessary,
    "untrusted": types.DiagnosticTag.Unnecessary,
    "misspelled-key": types.DiagnosticTag.Deprecated,
}


def diagnostics(
    lines: LineIndex, found: Sequence[Diagnostic], locate: Locate, client: ClientProfile
) -> list[types.Diagnostic]:
    """The problems of one text in the client's terms."""
    return [_diagnostic(lines, problem, locate, client) for problem in found]


def result_id(items: Sequence[types.Diagnostic]) -> str:
    """What stands for some diagnostics: equal for equal ones, also in another process."""
    return hashlib.blake2b(repr(items).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _diagnostic(lines: LineIndex, found: Diagnostic, locate: Locate, client: ClientProfile) -> types.Diagnostic:
    others = [
        types.DiagnosticRelatedInformation(location(other.path, other.range, locate, client.encoding), other.message)
        for other in (found.related if client.related_information else ())
    ]
    page = _page(found.code) if client.code_description else None
    tag = _TAGS.get(found.code)
    return types.Diagnostic(
        range=range_of(lines, found.range, client.encoding),
        message=found.message,
        severity=_SEVERITY[found.severity],
        code=found.code,
        code_description=types.CodeDescription(page) if page else None,
        source="omoide",
        tags=[tag] if tag and tag in client.diagnostic_tags else None,
        related_information=others or None,
    )


@lru_cache(maxsize=256)
def _page(code: str) -> str | None:
    """The URI of a rule's page, where it is a file."""
    from memory_core.lint.pages import page_file

    path = page_file(code)
    return from_path(path) if path else None


def report(items: Sequence[types.Diagnostic], previous: str | None, related: Related) -> Report:
    """The answer about one document; `previous`: the id of the answer that the client has. `related`: by URI, what is
    said along with it."""
    own = result_id(items)
    others = related or None
    if own == previous:
        return types.RelatedUnchangedDocumentDiagnosticReport(own, others)
    return types.RelatedFullDocumentDiagnosticReport(items, others, result_id=own)


def workspace_item(
    uri: str, version: int | None, items: Sequence[types.Diagnostic], own: str, previous: str | None
) -> WorkspaceItem:
    """What an answer about a whole workspace says of one document. `own`: the id of its problems, `previous`: of those
    that the client has."""
    if own == previous:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, own, version)
    return types.WorkspaceFullDocumentDiagnosticReport(uri, items, version, result_id=own)


def selector() -> list[types.TextDocumentFilterPattern]:
    """The files that a client need ask about."""
    patterns = [pattern for name in ROOT_NAMES for pattern in (f"**/{name}/**/*.md", f"**/{name}/config.toml")]
    return [types.TextDocumentFilterPattern(pattern, scheme="file") for pattern in patterns]
