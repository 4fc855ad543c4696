"""What an audit found as SARIF 2.1.0, for code scanning: one rule a code, under the check that it belongs to.

Makes plain data. Places are lines: an audit speaks of files, the linter of characters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from memory_core.health.checks import CHECK_OF, CHECKS, CODES
from memory_core.lint.sarif import SCHEMA
from memory_core.store.health import Finding

_BASE = "SRCROOT"
_FINGERPRINT = "omoide-audit/v1"


def sarif(findings: Sequence[Finding], *, base: str, root: str, version: str) -> dict[str, Any]:
    """A SARIF log with one run. `base`: the URI of a folder, ending in `/`; `root`: the memory root's path below it."""
    codes = sorted(CODES)
    numbers = {code: number for number, code in enumerate(codes)}
    rules = [_rule(code) for code in codes]
    run = {
        "tool": {"driver": {"name": "omoide audit", "version": version, "rules": rules}},
        "originalUriBaseIds": {_BASE: {"uri": base}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [_result(finding, numbers, root) for finding in findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> dict[str, Any]:
    """A rule of a run; the level of a finding stands with the finding, since one code may be more or less grave."""
    check = CHECK_OF[code]
    text = f"{CODES[code]} Found by `omoide audit`, check `{check}`: {CHECKS[check][0]}"
    return {
        "id": code,
        "shortDescription": {"text": CODES[code]},
        "fullDescription": {"text": CHECKS[check][0]},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(finding: Finding, numbers: dict[str, int], root: str) -> dict[str, Any]:
    path = f"{root}/{finding.path}" if finding.path else root
    place: dict[str, Any] = {
        "artifactLocation": {"uri": quote(path, errors="surrogateescape"), "uriBaseId": _BASE},
    }
    line = max(1, finding.line)  # what concerns a file as a whole is shown at its beginning
    place["region"] = {"startLine": line, "startColumn": 1, "endLine": line, "endColumn": 1}
    seed = f"{finding.code}\0{finding.path}\0{finding.message}".encode("utf-8", "replace")
    index = {"ruleIndex": numbers[finding.code]} if finding.code in numbers else {}
    return {
        "ruleId": finding.code,
        **index,
        "level": finding.level,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {_FINGERPRINT: hashlib.sha256(seed).hexdigest()[:32]},
    }
