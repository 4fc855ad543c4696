"""What goes along with an export: staged candidates, offers, how candidates were closed, usage, and on request the
store's own sessions.

Bytes go out and come back as they are; what is no UTF-8 is carried as base64. A log is added only where there is none:
two histories are never mixed and none is replaced.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memory_core.errors import Refused
from memory_core.layout import Layout, is_memory_path, record_at
from memory_core.sessions.fields import text_at
from memory_core.store.files import (
    append_lines,
    is_id,
    is_plain_path,
    lines_of,
    read_or_none,
    remove,
    require_inside,
    write_whole,
)
from memory_core.store.staging_files import alone

Carried = str | dict[str, str]  # text, or {"base64": ...}

_STRAY = "stray/"
_WAITING = {"staging/": "", "offers/": "_offers"}  # by beginning of a name: the folder below that of candidates
_USAGE_ASIDE = re.compile(r"usage/(?P<name>(?:events-[A-Za-z0-9._-]{1,128}\.jsonl|totals-[A-Za-z0-9._-]{1,128}\.json))")


@dataclass(frozen=True)
class LogPlan:
    """What bringing logs in would do. `new`: bytes by path to be written; `same`: names of what is there already;
    `kept`: names of logs this store has with other content; `unknown`: the end of a sentence by name, of what is not
    taken. All names are those of the export. `closing`: lines to be added to the log of how candidates were closed, of
    candidates that come in with it."""

    new: Mapping[Path, bytes] = field(default_factory=dict)
    names: Mapping[Path, str] = field(default_factory=dict)
    same: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    unknown: Mapping[str, str] = field(default_factory=dict)
    closing: str = ""


def read_logs(layout: Layout) -> dict[str, Carried]:
    """What is staged and offered, how candidates were closed, and the whole usage log with what was set aside of it.
    A session's pointer goes by what was staged of it, so that without these it would be nowhere."""
    folder = layout.usage.parent
    aside = sorted((*folder.glob("events-*.jsonl"), *folder.glob("totals-*.json")))
    paths = {"resolutions": layout.resolutions, "usage": layout.usage} | {f"usage/{p.name}": p for p in aside}
    for prefix, below in _WAITING.items():
        paths |= {f"{prefix}{path.name}": path for path in sorted((layout.staging / below).glob("*.json"))}
    return {name: carried(data) for name, path in paths.items() if (data := read_or_none(path))}


def read_strays(layout: Layout, paths: Iterable[str]) -> dict[str, Carried]:
    """Files among the records that are none (`left_out` of an export): carried as they are, so that nothing is lost."""
    found: dict[str, Carried] = {}
    for path in paths:
        place = _place(layout, f"{_STRAY}{path}")
        if place is not None:
            require_inside(layout.root, place)
            data = read_or_none(place) if place.is_file() else None
            found |= {f"{_STRAY}{path}": carried(data)} if data is not None else {}
    return found


def read_sessions(layout: Layout) -> dict[str, Carried]:
    """The session logs of the store itself, sidecars of other agents' sessions too, by file name. Logs of other
    programs are theirs and are not in it."""
    paths = sorted(layout.sessions.glob("*.jsonl"))
    return {path.name: carried(data) for path in paths if (data := read_or_none(path)) is not None}


def plan_logs(layout: Layout, logs: Mapping[str, Any]) -> LogPlan:
    """What the logs of an export would do here. A staged candidate comes with how others of its file were closed, since
    these would be open again without."""
    plan = _plan(layout, ((name, _place(layout, name), value) for name, value in logs.items()))
    coming = {name.removeprefix("staging/").removesuffix(".json") for name in plan.names.values()}
    kept = "resolutions" in plan.kept
    return replace(plan, closing=lines_about(logs["resolutions"], coming) if kept else "")


def lines_about(resolutions: object, coming: Container[str]) -> str:
    """The lines of an export's log of how candidates were closed that are about those of some staging files."""
    lines = lines_of(carried_bytes(resolutions) or b"")
    return "".join(f"{line}\n" for line in lines if _candidate_of(line).split("/", 1)[0] in coming)


def _candidate_of(line: str) -> str:
    """The candidate that a line of a log of resolutions is about; empty where it is about none."""
    try:
        return text_at(json.loads(line), "candidate")
    except (ValueError, RecursionError):
        return ""


def plan_sessions(layout: Layout, sessions: Mapping[str, Any]) -> LogPlan:
    """What the sessions of an export would do here. One that is there with other content is in `kept`: a conflict."""
    return _plan(layout, ((name, _session_place(layout, name), value) for name, value in sessions.items()))


def write_logs(layout: Layout, plan: LogPlan) -> None:
    """Write what is new, over an empty file too, which holds no history. StoreError when one came into being
    meanwhile."""
    if not plan.new:
        return
    with alone(layout):  # nobody adds a line to a log that is about to go
        if plan.closing:  # before the files: these are not seen with all of their candidates open
            append_lines(layout.resolutions, plan.closing, sync=True)
        for path, data in plan.new.items():
            require_inside(layout.root, path)
            try:
                if read_or_none(path) == b"":
                    remove(path)
                write_whole(path, data, exclusive=True)
            except FileExistsError:
                raise Refused(f"{path} came into being meanwhile: it was left alone; import again.") from None


def _plan(layout: Layout, items: Iterable[tuple[str, Path | None, Any]]) -> LogPlan:
    new: dict[Path, bytes] = {}
    names: dict[Path, str] = {}
    same: list[str] = []
    kept: list[str] = []
    unknown: dict[str, str] = {}
    for name, path, value in sorted(items, key=lambda item: item[0]):
        data = carried_bytes(value)
        if path is None or data is None:
            unknown[name] = "is no log that is known here" if path is None else "is neither text nor base64"
            continue
        if name.startswith(_STRAY) and record_at(name.removeprefix(_STRAY)) and _is_text(data):
            unknown[name] = "is a record, and belongs among the records of the file"  # where it is compared and undone
            continue
        require_inside(layout.root, path)
        there = read_or_none(path)
        if there == data:
            same.append(name)
        elif there:
            kept.append(name)
        else:
            new[path], names[path] = data, name
    return LogPlan(new, names, tuple(same), tuple(kept), unknown)


def _place(layout: Layout, name: str) -> Path | None:
    """Where a log lies; None for a name that is none: nothing else of a file that somebody sent is written."""
    if name in ("resolutions", "usage"):
        return {"resolutions": layout.resolutions, "usage": layout.usage}[name]
    if name.startswith(_STRAY):
        path = name.removeprefix(_STRAY)
        return layout.absolute(path) if is_plain_path(path) and is_memory_path(path) and path.endswith(".md") else None
    for prefix, below in _WAITING.items():
        file = name.removeprefix(prefix)
        if name.startswith(prefix):
            return layout.staging / below / file if is_id(file) and file.endswith(".json") else None
    match = _USAGE_ASIDE.fullmatch(name)
    return layout.usage.with_name(match["name"]) if match else None


def _session_place(layout: Layout, name: str) -> Path | None:
    return layout.sessions / name if is_id(name) and name.endswith(".jsonl") else None


def _is_text(data: bytes) -> bool:
    return isinstance(carried(data), str)


def carried(data: bytes) -> Carried:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def carried_bytes(value: Any) -> bytes | None:
    try:
        if isinstance(value, str):
            return value.encode("utf-8")
        return base64.b64decode(value["base64"], validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError, TypeError, LookupError):
        return None
