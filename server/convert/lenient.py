"""Messages from clients that know more, or less, than our types: what is not understood is left out.

One value of a newer protocol among a hundred capabilities would else keep an editor from starting the server at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any
from urllib.parse import urlsplit

from cattrs import AttributeValidationNote, BaseValidationError, Converter, IterableValidationNote

Path = tuple[str | int, ...]

# Each round removes at least one value; a client that is wrong in more places than this speaks another protocol.
_ROUNDS = 20


def structure(converter: Converter, data: Mapping[str, Any], kind: type[Any]) -> tuple[Any, list[str]]:
    """`data` as a `kind`, and the places of what was left out for it. BaseValidationError where that does not help."""
    rest: Any = deepcopy(data)
    dropped: list[str] = []
    for _ in range(_ROUNDS):
        try:
            return converter.structure(rest, kind), dropped
        except BaseValidationError as error:
            # From the back, so that the places in front keep their indices.
            places = [place for path in reversed(list(_paths(error, ()))) if (place := _drop(rest, path))]
            if not places:
                raise
            dropped += places
    return converter.structure(rest, kind), dropped


def with_usable_uris(message: Mapping[str, Any]) -> dict[str, Any]:
    """An `initialize` without the folders that nothing could make sense of, and with capabilities, if of nothing."""
    params = message.get("params")
    if not isinstance(params, dict):
        return dict(message)
    params = dict(params)
    if not isinstance(params.get("capabilities"), dict):
        params["capabilities"] = {}
    if not _is_uri(params.get("rootUri")):
        params["rootUri"] = None
    if isinstance(folders := params.get("workspaceFolders"), list):
        params["workspaceFolders"] = [
            {"name": "", **folder} for folder in folders if isinstance(folder, dict) and _is_uri(folder.get("uri"))
        ]
    return {**message, "params": params}


def with_version(message: Mapping[str, Any]) -> dict[str, Any]:
    """A `didOpen` or `didChange` with a version and a language, which clients before LSP 3.16 may leave out: a change
    that is not applied makes every later one wrong."""
    params = message.get("params")
    document = params.get("textDocument") if isinstance(params, dict) else None
    if not isinstance(params, dict) or not isinstance(document, dict):
        return dict(message)
    given = {key: value for key, value in document.items() if value is not None}
    return {**message, "params": {**params, "textDocument": {"version": 0, "languageId": "", **given}}}


def _is_uri(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(urlsplit(value).scheme)
    except ValueError:
        return False


def _paths(error: BaseException, path: Path) -> Iterator[Path]:
    """Where in the data each problem is, by the names and indices that cattrs notes down."""
    for note in getattr(error, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            path = (*path, re.sub(r"_([a-z])", lambda match: match[1].upper(), note.name))
        elif isinstance(note, IterableValidationNote) and isinstance(note.index, int):
            path = (*path, note.index)
    inner: Sequence[BaseException] = getattr(error, "exceptions", ())
    if not inner:
        yield path
    for cause in inner:
        yield from _paths(cause, path)


def _drop(data: Any, path: Path) -> str | None:
    """Remove the value at a path or, where it is missing, what it is missing in; the place that is gone."""
    *parents, last = path or ("",)
    holder = data
    for key in parents:
        try:
            holder = holder[key]
        except (KeyError, IndexError, TypeError):
            return None
    match holder, last:
        case dict(), key if key in holder:
            del holder[key]
        case list(), int(index) if index < len(holder):
            del holder[index]
        case _:
            return _drop(data, path[:-1]) if len(path) > 2 else None
    return ".".join(map(str, path[1:]))
