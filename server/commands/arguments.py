"""Arguments of our commands: one object, checked strictly, since a dropped typo would run something else; and the root
that they name, with its workspace and its records.

pygls structures dataclasses by itself but drops unknown keys without a word.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_core.errors import MemoryCoreError
from server import errors
from server.convert.uris import to_path
from server.language_server import Server
from server.state import Root, folders_of

if TYPE_CHECKING:
    from memory_core.records.schema import RecordRef
    from memory_core.snapshot import Snapshot
    from memory_core.workspace import Workspace

# Every command takes these: which root it is about, and whether the caller shows the outcome itself.
_COMMON: Mapping[str, type] = {"uri": str, "workspace": str, "quiet": bool}


def read(
    command: str, arguments: tuple[Any, ...], allowed: Mapping[str, type], required: Sequence[str] = ()
) -> dict[str, Any]:
    """The object a command was called with, empty where it was called with nothing; None values count as absent."""
    if len(arguments) > 1 or not all(argument is None or isinstance(argument, dict) for argument in arguments):
        raise errors.invalid_params(f"{command} takes one object.")
    given: dict[str, Any] = (arguments[0] if arguments else None) or {}
    known = {**_COMMON, **allowed}
    for key, value in given.items():
        if key not in known:
            raise errors.invalid_params(f"{command} takes no `{key}`; it takes {', '.join(sorted(known))}.")
        if value is not None and not isinstance(value, known[key]):
            raise errors.invalid_params(f"{command}: `{key}` must be a {known[key].__name__}.")
        # An empty name would count as none given, and run on something else.
        if isinstance(value, str) and (not value.strip() or "\0" in value):
            raise errors.invalid_params(f"{command}: `{key}` names nothing: leave it out or give it a value.")
    given = {key: value for key, value in given.items() if value is not None}
    missing = [key for key in required if key not in given]
    if missing:
        raise errors.invalid_params(f"{command} needs {' and '.join(f'`{key}`' for key in missing)}.")
    return given


def one_of(command: str, key: str, value: str, choices: Sequence[str]) -> str:
    """`value`, if it is one of a few words."""
    if value not in choices:
        raise errors.invalid_params(f"{command}: `{key}` must be one of {', '.join(choices)}, not {value}.")
    return value


def count_of(
    command: str, given: Mapping[str, Any], key: str, usual: int, *, least: int = 0, most: int = sys.maxsize
) -> int:
    """A whole number from `least` on, `usual` where none is given; more than `most` counts as `most`."""
    value = given.get(key, usual)
    if isinstance(value, bool) or value < least:  # JSON's true is a Python number
        raise errors.invalid_params(f"{command}: `{key}` must be a number from {least}.")
    return min(int(value), most)


def record_of(command: str, given: Mapping[str, Any], key: str = "slug") -> RecordRef:
    """The record that `kind` and a slug name, existing or not; the slug may carry its sigil."""
    from memory_core.records.schema import SUMMARY, Kind, RecordRef
    from memory_core.records.slug import slug_problem

    kind = Kind(one_of(command, "kind", given["kind"], [kind.value for kind in Kind]))
    slug = str(given.get(key, "")).removeprefix("#").removeprefix("/")
    if kind is Kind.SUMMARY:
        if slug not in ("", SUMMARY.slug):
            raise errors.invalid_params(f"{command}: there is one summary; leave `{key}` out.")
        return SUMMARY
    if not slug:
        raise errors.invalid_params(f"{command} needs `{key}` for a {kind.value}.")
    if problem := slug_problem(slug):
        raise errors.invalid_params(f"{command}: the slug `{slug}` {problem}.")
    return RecordRef(kind, slug)


def root_of(ls: Server, given: Mapping[str, Any]) -> Root:
    """The root a command is about: that of `uri` or `workspace`, else the only one there is."""
    uri, folder = given.get("uri"), given.get("workspace")
    if uri or folder:
        start = to_path(uri) if uri else Path(str(folder))
        if start and not start.is_absolute():  # the folder this server runs in is no concern of the caller's
            raise errors.invalid_params(f"`workspace` must be an absolute path, not {folder}.")
        found = ls.state.find_root(start)
        if not found:
            raise errors.request_failed(f"No memory root in {start or uri} or above it: run `omoide init` there.")
        return found[0]
    if not ls.state.roots:
        raise errors.request_failed("No memory root in this workspace: run `omoide init` in your project's folder.")
    if len(ls.state.roots) > 1:
        choices = folders_of(ls.state.roots.values())
        raise errors.request_failed(f"Several workspaces are open: name one as `workspace`, of {choices}.")
    return next(iter(ls.state.roots.values()))


async def workspace_of(ls: Server, root: Root) -> Workspace:
    """The workspace of a root; a refusal in the client's terms where it cannot be opened."""
    try:
        return await ls.loader.workspace(root)
    except MemoryCoreError as error:
        raise errors.of_core(error) from error


async def linked_of(ls: Server, root: Root) -> Snapshot:
    """The records of a root once it is known who names whom."""
    snapshot = await ls.loader.linked(root)
    require_open(ls, root)
    if snapshot is None:
        raise errors.no_snapshot(root)
    return snapshot


async def snapshot_of(ls: Server, root: Root) -> Snapshot:
    """The records of a root as they are now, read first where they are not yet."""
    snapshot = await ls.loader.snapshot(root)
    require_open(ls, root)
    if snapshot is None:
        raise errors.no_snapshot(root)
    return snapshot


def require_open(ls: Server, root: Root) -> None:
    """Refuse to answer about a root whose folder was closed meanwhile: its records are gone, and none is no answer."""
    if not ls.state.holds(root):
        raise errors.request_failed(f"{root.layout.workspace} was closed meanwhile: open it, and ask again.")
