"""Diagnostics as SARIF 2.1.0, for code scanning and for editors' SARIF viewers: rules with their pages, results, fixes.

Makes plain data. Section numbers are those of the OASIS standard
(https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from memory_core.diagnostic import Diagnostic, Fix, Related, Severity
from memory_core.lint.fingerprint import fingerprints
from memory_core.lint.pages import page
from memory_core.lint.registry import EXPLAINED, Code
from memory_core.text import Range

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}
_BASE = "SRCROOT"
_FINGERPRINT = "omoide/v1"  # 3.27.17: a later way of making them gets another number


def sarif(
    files: Mapping[str, Sequence[Diagnostic]], *, base: str, version: str, root: str, help_base: str | None = None
) -> dict[str, Any]:
    """A SARIF log with one run.

    `files`: by path relative to `base`, with `/`, or absolute. `base`: the URI of a folder, ending in `/`. `root`: the
    memory root's path relative to `base`, for related places. `help_base`: where the rule pages are published, if
    anywhere; the pages themselves are always in.
    """
    codes = sorted(EXPLAINED)
    numbers = {code: number for number, code in enumerate(codes)}
    names = fingerprints(files)
    results = [
        _result(path, diagnostic, numbers[diagnostic.code], root) | {"partialFingerprints": {_FINGERPRINT: name}}
        for path, diagnostics in files.items()
        for diagnostic, name in zip(diagnostics, names[path], strict=True)
    ]
    driver = {"name": "omoide", "version": version, "rules": [_rule(EXPLAINED[code], help_base) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {_BASE: {"uri": base}},
        "columnKind": "unicodeCodePoints",  # 3.14.27; the other possibility counts UTF-16 units
        "newlineSequences": ["\r\n", "\n", "\r"],  # 3.14.21
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: Code, help_base: str | None) -> dict[str, Any]:
    text = page(code.code)
    rule: dict[str, Any] = {
        "id": code.code,
        "shortDescription": {"text": code.summary},
        "fullDescription": {"text": _section(text, "Why") or code.summary},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
    }
    if help_base:
        rule["helpUri"] = f"{help_base.rstrip('/')}/{code.code}.md"
    return rule


def _section(text: str, title: str) -> str:
    """The text of one section of a rule's page, on one line."""
    return " ".join(text.partition(f"\n## {title}\n")[2].partition("\n## ")[0].split())


def _result(path: str, diagnostic: Diagnostic, number: int, root: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": number,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": diagnostic.message},
        "locations": [{"physicalLocation": _place(path, diagnostic.range)}],
    }
    if diagnostic.related:
        result["relatedLocations"] = [_related(place, number, root) for number, place in enumerate(diagnostic.related)]
    if diagnostic.fixes:
        result["fixes"] = [_fix(path, fix) for fix in diagnostic.fixes]
    return result


def _related(related: Related, number: int, root: str) -> dict[str, Any]:
    place = _place(f"{root}/{related.path}", related.range)
    return {"id": number, "physicalLocation": place, "message": {"text": related.message}}


def _fix(path: str, fix: Fix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(edit.range), "insertedContent": {"text": edit.new_text}} for edit in fix.edits
    ]
    return {
        "description": {"text": fix.title},
        "artifactChanges": [{"artifactLocation": _artifact(path), "replacements": replacements}],
    }


def _place(path: str, span: Range) -> dict[str, Any]:
    return {"artifactLocation": _artifact(path), "region": _region(span)}


def _artifact(path: str) -> dict[str, str]:
    """A relative path hangs under the base; the user's own settings lie elsewhere and have a whole URI."""
    drive = path[1:2] == ":"
    uri = quote(path, safe="/:" if drive else "/", errors="surrogateescape")  # a name need not be UTF-8
    if path.startswith("/"):
        return {"uri": f"file://{uri}"}
    return {"uri": f"file:///{uri}"} if drive else {"uri": uri, "uriBaseId": _BASE}


def _region(span: Range) -> dict[str, int]:
    """Lines and columns from 1; `endColumn` is the first one outside, and equal to the start's where nothing is
    deleted (3.30.8)."""
    return {
        "startLine": span.start.line + 1,
        "startColumn": span.start.character + 1,
        "endLine": span.end.line + 1,
        "endColumn": span.end.character + 1,
    }
