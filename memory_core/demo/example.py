"""The demo's example project, laid out for a person to go through by hand: a memory, and an agent's logs in it.

Extracts nothing and writes no record: that is what the person is there for.
"""

from __future__ import annotations

import io
import json
from importlib.resources import files
from pathlib import Path

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.sessions.export import exported
from memory_core.sessions.read import read_stream
from memory_core.store.discovery import create_root
from memory_core.store.files import write_whole
from memory_core.store.own_logs import own_log_path

PLACEHOLDER = "/workspace/shortener"  # the working directory that the bundled logs were written with
README = """\
# Shortener

A small URL shortener, and what two sessions with a coding agent left of its making in `.omoide/sessions`.

Before you log anything, read
"""


def lay_out(folder: Path) -> tuple[Layout, list[str]]:
    """The example in `folder`, which is made where it is missing, with the ids of its sessions. Their logs are in our
    own format and lie in the project itself, so that nothing of the person's home is read or written. StoreError where
    it cannot be written."""
    project = folder.expanduser().resolve()
    try:
        project.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{project} cannot be made ({error.strerror}): name another folder.") from error
    layout, _ = create_root(project)
    write_whole(project / "README.md", README.encode("utf-8"))
    here = json.dumps(str(project))[1:-1]
    sessions: list[str] = []
    for source in sorted((files("memory_core") / "demo_data").iterdir(), key=lambda item: item.name):
        if source.name.endswith(".jsonl"):
            text = source.read_text(encoding="utf-8").replace(PLACEHOLDER, here)
            session = read_stream(io.BytesIO(text.encode("utf-8")), source.name.removesuffix(".jsonl"), source.name)
            log = own_log_path(layout.sessions, session.session_id)
            write_whole(log, exported(session, "omoide").encode("utf-8"))
            sessions.append(session.session_id)
    return layout, sessions
