"""The server's domain state, all of it: open texts, memory roots with their current snapshot, settings, the client.

Everything in it is replaced, never changed in place, and only on the event loop; background work gets values and hands
values back.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memory_core.layout import Layout, is_memory_path, record_at
from memory_core.store.discovery import find_root
from memory_core.text import LineIndex
from server.client import ClientProfile
from server.convert.uris import from_path, key_of
from server.open_text import OpenText
from server.settings import Settings

if TYPE_CHECKING:  # these load YAML and pydantic, which must wait until `initialize` is answered
    from memory_core.ide.hover import Used
    from memory_core.ide.view import View
    from memory_core.records.schema import RecordRef
    from memory_core.snapshot import Document, Snapshot
    from memory_core.workspace import Workspace

_PLAIN_PATH = re.compile(r"[a-z0-9/.-]+")  # nothing in it needs escaping


@dataclass(eq=False)
class Root:
    """One memory root. `disk`: its records as last read; `snapshot`: the same under the open texts; both None until
    listed. `loaded` is set when there is a snapshot, `indexed` when it also knows who names whom, `opened` when
    `workspace` is there or `failure` says why not."""

    layout: Layout
    real: Path
    disk: Snapshot | None = None
    snapshot: Snapshot | None = None
    workspace: Workspace | None = None
    failure: str | None = None
    used: dict[RecordRef, Used] = field(default_factory=dict)
    loaded: asyncio.Event = field(default_factory=asyncio.Event)
    indexed: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    def relative(self, path: Path | None) -> str | None:
        """The path below the root, `/`-separated; None for what lies elsewhere."""
        if path is None:
            return None
        try:
            return path.relative_to(self.real).as_posix()
        except ValueError:
            return self.layout.relative(path)

    def record_path(self, text: OpenText) -> str | None:
        """The path below the root of an open text that is a file of the record folders."""
        path = self.relative(text.real)
        return path if path and is_memory_path(path) else None

    def record_of(self, text: OpenText) -> RecordRef | None:
        """The record that an open text is the file of."""
        path = self.relative(text.real)
        return record_at(path) if path else None

    def is_settings(self, text: OpenText) -> bool:
        """Whether an open text is the root's `config.toml`."""
        return self.relative(text.real) == self.layout.config.name

    def is_prompt(self, text: OpenText) -> bool:
        """Whether an open text is one of the workspace's own prompts."""
        path = self.relative(text.real)
        return path is not None and path.startswith(f"{self.layout.prompts.name}/")


class ServerState:
    """Open texts by document key, roots by real path."""

    def __init__(self) -> None:
        self.texts: dict[str, OpenText] = {}
        self.roots: dict[Path, Root] = {}
        self.settings = Settings()
        self.setting_problems: list[str] = []
        self.client = ClientProfile()
        self._views: dict[str, tuple[OpenText, View]] = {}

    # Roots

    def add_root(self, layout: Layout) -> tuple[Root, bool]:
        """The root at a layout, and whether it is new here."""
        real = Path(os.path.realpath(layout.root))
        known = self.roots.get(real)
        if known:
            return known, False
        self.roots[real] = root = Root(layout, real)
        return root, True

    def find_root(self, *starts: Path | None) -> tuple[Root, bool] | None:
        """The root that the first of some paths lies in which lies in any; see `add_root`."""
        for start in starts:
            layout = find_root(start) if start else None
            if layout:
                return self.add_root(layout)
        return None

    def drop_root(self, root: Root) -> None:
        """Forget a root whose folder was closed."""
        self.roots.pop(root.real, None)

    def root_of(self, text: OpenText) -> Root | None:
        """The root of an open text. It is looked for each time: one may have been made meanwhile."""
        found = self.find_root(text.path, text.real)
        return found[0] if found else None

    # Open texts

    def text(self, uri: str) -> OpenText | None:
        return self.texts.get(key_of(uri))

    def put_text(self, text: OpenText) -> Root | None:
        """An open text, new or changed, laid over its root's snapshot. Returns the root it lies in."""
        self.texts[key_of(text.uri)] = text
        root = self.root_of(text)
        path = root.record_path(text) if root else None
        if root and root.snapshot and path:
            root.snapshot = root.snapshot.with_texts({path: text.text})
        return root

    def lose_text(self, uri: str) -> None:
        """A change of an open text could not be read: those after it are of a text that nobody here knows."""
        if text := self.text(uri):
            self.texts[key_of(uri)] = replace(text, lost=True)

    def drop_text(self, uri: str) -> OpenText | None:
        """Forget a text that was closed; its record is what lies on disk again."""
        text = self.texts.pop(key_of(uri), None)
        self._views.pop(key_of(uri), None)
        root = self.root_of(text) if text else None
        path = root.record_path(text) if root and text else None
        if root and root.snapshot and root.disk and path:
            root.snapshot = root.snapshot.with_documents({path: root.disk.documents.get(path)})
        return text

    def texts_of(self, root: Root) -> dict[str, OpenText]:
        """The open texts that are files of a root's record folders, by path below the root."""
        found = ((root.record_path(text), text) for text in self.texts.values())
        return {path: text for path, text in found if path}

    def busy(self, root: Root) -> frozenset[str]:
        """Records open with edits that are not on disk."""
        disk = root.disk.documents if root.disk else {}
        return frozenset(
            path for path, text in self.texts_of(root).items() if path not in disk or disk[path].text != text.text
        )

    def view(self, text: OpenText, root: Root | None) -> View:
        """An open text as the features of the core see it. The same text gives the same view, with what was derived."""
        from memory_core.ide.view import View, view_of

        path = root.record_path(text) if root else None
        document = root.snapshot.documents.get(path) if root and root.snapshot and path else None
        if document:
            return view_of(document)
        key = key_of(text.uri)
        cached = self._views.get(key)
        if cached and cached[0] is text:
            return cached[1]
        view = View(text.text, markdown=text.markdown, prose=text.prose)
        self._views[key] = text, view
        return view

    # Snapshots

    def set_disk(self, root: Root, disk: Snapshot) -> None:
        """Records as just read, under the texts that are open now."""
        root.disk = disk
        root.snapshot = disk.with_texts({path: text.text for path, text in self.texts_of(root).items()})
        root.loaded.set()

    def update_disk(self, root: Root, changed: Mapping[str, Document | None]) -> None:
        """Some records as just read; those that are open keep the editor's text."""
        if root.disk is None or root.snapshot is None:
            return
        root.disk = root.disk.with_documents(changed)
        shown = self.texts_of(root)
        root.snapshot = root.snapshot.with_documents({p: d for p, d in changed.items() if p not in shown})

    def locator(self, root: Root) -> Callable[[str], tuple[str, LineIndex]]:
        """Finds the URI, as the editor writes it where the file is open, and the lines of a path below a root."""
        uri_of = self.uris(root)
        documents = root.snapshot.documents if root.snapshot else {}

        def locate(path: str) -> tuple[str, LineIndex]:
            return uri_of(path), documents[path].lines if path in documents else LineIndex("")

        return locate

    def uris(self, root: Root) -> Callable[[str], str]:
        """Finds the URI of a path below a root, as the editor writes it where the file is open."""
        opened = self.texts_of(root)
        base = from_path(root.layout.root)

        def uri_of(path: str) -> str:
            text = opened.get(path)
            if text:
                return text.uri
            return f"{base}/{path}" if _PLAIN_PATH.fullmatch(path) else from_path(root.layout.absolute(path))

        return uri_of


def folders_of(roots: Iterable[Root]) -> str:
    """The workspaces of some roots, for a message."""
    return ", ".join(str(root.layout.workspace) for root in roots)
