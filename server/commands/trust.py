"""`omoide.trust`: let the provider settings of a workspace count, by a line in the user's own configuration.

Whether a person wants that is asked before, by whoever offers the command. An own configuration that speaks of trust
already is not rewritten: the answer says what to add to it.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_core.errors import MemoryCoreError, StoreError
from server import errors
from server.background import in_thread
from server.commands import arguments
from server.convert.uris import from_path
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.workspace import Workspace

NAME = "omoide.trust"


async def trust(ls: Server, *args: Any) -> dict[str, Any]:
    """Answers `{status, uri, line}`: `trusted` now, trusted `already`, or `by-hand`, and then `line` is to be added to
    the file at `uri`."""
    root = arguments.root_of(ls, arguments.read(NAME, args, {}))
    workspace = await arguments.workspace_of(ls, root)
    try:
        answer = await in_thread("trust", lambda: _trust(workspace))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    await ls.loader.load(root)
    return answer


def _trust(workspace: Workspace) -> dict[str, Any]:
    from memory_core.store.files import read_or_none, write_whole
    from memory_core.store.settings_files import user_config_path

    file, folder = user_config_path(workspace.environment), workspace.layout.workspace
    try:
        text = (read_or_none(file) or b"").decode("utf-8-sig")
        known = tomllib.loads(text)
    except ValueError as error:  # bytes that are no UTF-8, or text that is no TOML
        raise StoreError(f"{file} cannot be read: {error}. Repair it first.") from error
    line = f"workspaces = [{_quoted(folder)}]"
    answer = {"uri": from_path(file), "line": line}
    if "trust" in known:
        section = known["trust"] if isinstance(known["trust"], dict) else {}
        folders = section.get("workspaces") or ()
        if any(isinstance(it, str) and Path(it).expanduser() == folder for it in folders):
            return {"status": "already", **answer}
        return {"status": "by-hand", **answer}
    before = f"{text.rstrip()}\n\n" if text.strip() else ""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, f"{before}[trust]\n{line}\n".encode())
    return {"status": "trusted", **answer}


def _quoted(folder: Path) -> str:
    """A path as a string of TOML, which allows fewer characters as they are than JSON."""
    name = str(folder)
    if name.encode("utf-8", "replace").decode() != name:
        raise StoreError(f"The name of {name!a} is no text that a file can hold: give the folder another one.")
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007F")
