"""File URIs, as the different editors write them: escaped or not, with a drive letter in either case, on a share."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

_DRIVE = re.compile(r"/[A-Za-z]:")


def to_path(uri: str) -> Path | None:
    """The path of a `file:` URI; None for any other scheme, and for what no file system could name."""
    # A client that forgets to escape `#` or `?` means the character: a file has neither fragment nor query.
    try:
        parts = urlsplit(uri.replace("#", "%23").replace("?", "%3F"))
        path = unquote(parts.path, errors="surrogateescape")
        os.fsencode(path)  # half a surrogate pair, which JSON can carry, is in no name
    except ValueError:
        return None
    if parts.scheme.lower() != "file" or "\0" in path or not path.startswith("/"):
        return None
    if _DRIVE.match(path):
        path = path[1].upper() + path[2:]
    elif parts.netloc not in ("", "localhost"):
        path = f"//{unquote(parts.netloc)}{path}"
    return Path(path)


def from_path(path: Path) -> str:
    """The URI of an absolute path, escaped as VS Code escapes it: that is the form other clients compare with."""
    text = path.as_posix()
    if text.startswith("//"):
        return "file:" + quote(text, safe="/", errors="surrogateescape")
    return "file://" + quote(text if text.startswith("/") else f"/{text}", safe="/", errors="surrogateescape")


def buffer_of(uri: str) -> str:
    """What identifies an editor's buffer, however its URI is written: the path as the editor names it, links not
    followed. One file may be open in two buffers, by a link and without, each with a text of its own; and a link may
    lead elsewhere while its buffer stays open."""
    path = to_path(uri)
    return os.path.normcase(os.path.normpath(path)) if path else uri


def key_of(uri: str) -> str:
    """What identifies a document, however its URI is written: the real path of a file, the URI of anything else."""
    path = to_path(uri)
    return os.path.normcase(os.path.realpath(path)) if path else uri
