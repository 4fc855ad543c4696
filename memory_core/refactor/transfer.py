"""A store as one JSON document, and such a document as a change set over a store. Pure; scope goes along untouched.

Every file is carried as its exact text, so that what comes out of an import is what went into the export.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory_core.changes import ChangeSet
from memory_core.errors import StoreError
from memory_core.layout import record_at
from memory_core.records.record import parse
from memory_core.records.scope import Everything, Who, understood, visible
from memory_core.scope import scope_of, seen_by, widens
from memory_core.snapshot import Snapshot

FORMAT = "omoide-export"
VERSION = 1


@dataclass(frozen=True)
class Import:
    """What an import would do. `same`: paths that hold this text already; `conflicts`: the end of a sentence by path;
    `differing`: what --replace would make of those that may be shown; `logs` and `sessions`: what goes along, by name
    and as found (`store.transfer_logs`); `gone`: what was removed there (`store.transfer_gone`)."""

    changes: ChangeSet
    same: tuple[str, ...] = ()
    conflicts: Mapping[str, str] = field(default_factory=dict)
    differing: ChangeSet = field(default_factory=ChangeSet)
    logs: Mapping[str, Any] = field(default_factory=dict)
    sessions: Mapping[str, Any] = field(default_factory=dict)
    gone: Mapping[str, Any] = field(default_factory=dict)


def exported(
    snapshot: Snapshot,
    who: Who,
    created_at: str,
    logs: Mapping[str, Any] | None = None,
    sessions: Mapping[str, Any] | None = None,
    gone: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The records that `who` may see, as plain data. `logs`, `sessions` and `gone` speak of all records, so that they
    go only to an operator. Files that are no readable records are named."""
    seen = seen_by(snapshot, who)
    records, left_out = [], []
    for path in sorted(seen.documents):
        document = seen.documents[path]
        if document.ref is None or document.unreadable:
            left_out.append({"path": path, "reason": document.unreadable or "it is no record"})
        else:
            records.append({"path": path, "sha256": _sha256(document.text), "text": document.text})
    return {
        "format": FORMAT,
        "version": VERSION,
        "created_at": created_at,
        "records": records,
        "left_out": left_out,
        "logs": dict(logs or {}) if isinstance(who, Everything) else {},
        **({"sessions": dict(sessions)} if sessions is not None and isinstance(who, Everything) else {}),
        **({"gone": dict(gone)} if gone and isinstance(who, Everything) else {}),
    }


def markdown(data: Mapping[str, Any]) -> str:
    """An export for people: every record under its path, fenced so that its own headings and fences stay inside."""
    parts = [f"# Records of {data['created_at']}\n"]
    for record in data["records"]:
        fence = "`" * (max([2, *(len(run) for run in _backticks(record["text"]))]) + 1)
        parts.append(f"## {record['path']}\n\n{fence}markdown\n{record['text'].rstrip(chr(10))}\n{fence}\n")
    return "\n".join(parts)


def read_export(text: str) -> Mapping[str, Any]:
    """The document in a file. StoreError saying what is wrong with it, before anything is compared."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"it is no JSON ({error}): export again, or see whether the file was cut off") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise StoreError(f"it is no `{FORMAT}` of version {VERSION}")
    records, logs, sessions = data.get("records"), data.get("logs", {}), data.get("sessions", {})
    if not isinstance(records, list) or not all(isinstance(it, dict) for it in (logs, sessions, data.get("gone", {}))):
        raise StoreError("its `records` are no list, or its `logs`, `sessions` or `gone` no object")
    for number, record in enumerate(records):
        if (
            not isinstance(record, dict)
            or not isinstance(record.get("path"), str)
            or not isinstance(record.get("text"), str)
        ):
            raise StoreError(f"record {number} of it has no path or no text")
        if record_at(record["path"]) is None:
            raise StoreError(f"record {number} of it names `{record['path']}`, which is no place for a record")
        if record.get("sha256") != _sha256(record["text"]):
            raise StoreError(f"record {number} of it ({record['path']}) is not what was exported: its hash differs")
    if len({record["path"] for record in records}) != len(records):
        raise StoreError("it names a record twice")
    return data


def imported(snapshot: Snapshot, data: Mapping[str, Any], who: Who, replace: Sequence[str] = ()) -> Import:
    """What bringing records in would change. A record that is there with other text is a conflict, unless its path is
    in `replace`; one that would be shown to more people is one always, and so is what the caller may not see."""
    changes = differing = ChangeSet()
    same: list[str] = []
    conflicts: dict[str, str] = {}
    for item in data["records"]:
        path, text = item["path"], item["text"]
        there = snapshot.documents.get(path)
        if there is None:
            changes = changes.with_file(path, None, text)
        elif there.text == text and not there.unreadable:
            same.append(path)
        elif why := _forbidden(snapshot, path, text, who, path in replace):
            conflicts[path] = why
            if there.record is not None and not there.unreadable and visible(there.record, who):
                differing = differing.with_file(path, there.text, text)
        else:
            changes = changes.with_file(path, there.text, text)
    beside = (data.get(name, {}) for name in ("logs", "sessions", "gone"))
    return Import(changes, tuple(same), conflicts, differing, *beside)


def _forbidden(snapshot: Snapshot, path: str, text: str, who: Who, wanted: bool) -> str:
    there, ref = snapshot.documents[path], record_at(path)
    if there.unreadable or there.record is None or ref is None:
        return "cannot be compared with what is there"
    if not visible(there.record, who) or not wanted:
        return "is there with other text"
    if not understood(there.record) or widens(scope_of(there.record), scope_of(parse(ref, text))):
        return "would be shown to more than may see it now: change its scope by hand"
    return ""


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _backticks(text: str) -> list[str]:
    import re

    return re.findall(r"`{3,}", text)
