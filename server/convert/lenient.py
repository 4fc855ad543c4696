"""Messages from clients that know more, or less, than our types: what is not understood is left out.

One value of a newer protocol among a hundred capabilities would else keep an editor from starting the server at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any
from urllib.parse import urlsplit

from cattrs import AttributeValidationNote, BaseValidationError, Converter, IterableValidationNote, transform_error
from lsprotocol import types

Path = tuple[str | int, ...]

# Each round removes at least one value; a client that is wrong in more places than this speaks another protocol.
_ROUNDS = 20
_MOST = 2**31 - 1  # the protocol's largest `uinteger`


def read_call(converter: Converter, message: Mapping[str, Any], method: str) -> tuple[Any, list[str]]:
    """A request or notification as an object of the protocol, and the places of what was left out of it. Whatever a
    converter raises for foreign data where it cannot be read.

    Only the whole message is structured, where pygls does it with every object that has a key `jsonrpc`: a nested one,
    in the arguments of a command say, makes the request vanish.
    """
    kind, *_ = types.METHOD_TO_TYPES[method]
    match method:
        case types.INITIALIZE:
            return structure(converter, with_usable_uris(message), kind)
        case types.TEXT_DOCUMENT_DID_CHANGE:
            message = with_version(with_places(message))
        case types.TEXT_DOCUMENT_DID_OPEN:
            message = with_version(message)
    return converter.structure(message, kind), []


def reason_of(error: Exception) -> str:
    """Why data could not be read, in words for whoever sent it."""
    return "; ".join(transform_error(error)) if isinstance(error, BaseValidationError) else str(error)


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


def with_places(message: Mapping[str, Any]) -> dict[str, Any]:
    """A `didChange` whose places are ones that a text can have: some clients write the end of a line as the largest
    number they know, or the whole text as a range of null. ValueError where a text is none: cattrs makes one of it."""
    params = message.get("params")
    changes = params.get("contentChanges") if isinstance(params, dict) else None
    if not isinstance(params, dict) or not isinstance(changes, list):
        return dict(message)
    return {**message, "params": {**params, "contentChanges": [_with_place(change) for change in changes]}}


def _with_place(change: Any) -> Any:
    if not isinstance(change, dict):
        return change
    if not isinstance(change.get("text"), str):
        raise ValueError("a change must have a `text`")
    given = {key: value for key, value in change.items() if key != "rangeLength" and value is not None}
    if isinstance(span := given.get("range"), dict):
        given["range"] = {key: _bounded(place) for key, place in span.items()}
    return given


def _bounded(place: Any) -> Any:
    if not isinstance(place, dict):
        return place
    return {key: _MOST if type(it) in (int, float) and it > _MOST else it for key, it in place.items()}


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
