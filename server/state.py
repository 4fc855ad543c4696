"""The server's domain state, all of it: open texts, memory roots with their current snapshot, settings, the client.

Everything in it is replaced, never changed in place, and only on the event loop; background work gets values and hands
values back.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memory_core.layout import Layout, is_memory_path, record_at
from memory_core.store.discovery import find_root
from memory_core.text import LineIndex
from server.client import ClientProfile
from server.convert.uris import buffer_of, from_path, key_of
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
    `workspace` is there or `failure` says why not. `unread`: why its records could not be read. `shown`: what
    candidates said when they were given out as text."""

    layout: Layout
    real: Path
    disk: Snapshot | None = None
    snapshot: Snapshot | None = None
    workspace: Workspace | None = None
    failure: str | None = None
    unread: str | None = None
    used: dict[RecordRef, Used] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    loaded: asyncio.Event = field(default_factory=asyncio.Event)
    indexed: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def problem(self) -> str | None:
        """Why the root does not serve as it should; None where it does."""
        return self.unread or self.failure

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
    """Open texts by buffer, the one that was changed or asked about last at the end; roots by real path."""

    def __init__(self) -> None:
        self.texts: dict[str, OpenText] = {}
        self.roots: dict[Path, Root] = {}
        self.settings = Settings()
        self.setting_problems: list[str] = []
        self.client = ClientProfile()
        self._views: dict[str, tuple[OpenText, View]] = {}
        self._twice: frozenset[Path] = frozenset()  # files that are open in more than one buffer

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

    def holds(self, root: Root) -> bool:
        """Whether a root is open. One that is gone may have another in its place, at the same path."""
        return self.roots.get(root.real) is root

    def drop_root(self, root: Root) -> None:
        """Forget a root whose folder was closed. Its records go at once: who remembers when something of it was read
        last keeps the root, and must not keep them."""
        if self.holds(root):
            del self.roots[root.real]
        root.disk = root.snapshot = None
        root.used = {}

    def root_of(self, text: OpenText) -> Root | None:
        """The root of an open text. It is looked for each time: one may have been made meanwhile."""
        found = self.find_root(text.path, text.real)
        return found[0] if found else None

    # Open texts

    def text(self, uri: str) -> OpenText | None:
        """The open text of a document that is asked about. Where its file is open in two buffers, this one is what
        counts from now on: answers about it are about its own text."""
        text = self.buffer(uri)
        if text is None:  # named by another path than the buffer is, as files of ours are
            key = key_of(uri)
            return next((it for it in reversed(self.texts.values()) if it.real and key_of(it.uri) == key), None)
        if text.real in self._twice:
            self.put_text(text)
        return text

    def buffer(self, uri: str) -> OpenText | None:
        """The text of the very buffer that an editor opened under a URI."""
        return self.texts.get(buffer_of(uri))

    def put_text(self, text: OpenText) -> Root | None:
        """An open text, new or changed, laid over its root's snapshot. Returns the root it lies in."""
        name = buffer_of(text.uri)
        known = self.texts.pop(name, None)
        self.texts[name] = text
        if known is None:
            self._note_twice()
        root = self.root_of(text)
        self._show(root, text)
        return root

    def lose_text(self, uri: str) -> None:
        """A change of an open text could not be read: those after it are of a text that nobody here knows."""
        if text := self.buffer(uri):
            self.texts[buffer_of(uri)] = replace(text, lost=True)

    def drop_text(self, uri: str) -> OpenText | None:
        """Forget a text that was closed; its record is what another buffer of it holds, else what lies on disk."""
        text = self.texts.pop(buffer_of(uri), None)
        self._views.pop(buffer_of(uri), None)
        root = self.root_of(text) if text else None
        path = root.record_path(text) if root and text else None
        if root and root.snapshot and root.disk and path:
            if other := self.texts_of(root).get(path):
                self._show(root, other)
            else:
                root.snapshot = root.snapshot.with_documents({path: root.disk.documents.get(path)})
        self._note_twice()
        return text

    def _show(self, root: Root | None, text: OpenText) -> None:
        path = root.record_path(text) if root else None
        if root and root.snapshot and path:
            root.snapshot = root.snapshot.with_texts({path: text.text})

    def _note_twice(self) -> None:
        count = Counter(text.real for text in self.texts.values() if text.real)
        self._twice = frozenset(real for real, buffers in count.items() if buffers > 1)

    def texts_of(self, root: Root) -> dict[str, OpenText]:
        """The open texts that are files of a root's record folders, by path below the root; of two buffers of one file
        the one that counts."""
        found = ((root.record_path(text), text) for text in self.texts.values())
        return {path: text for path, text in found if path}

    def busy(self, root: Root) -> frozenset[str]:
        """Records open with edits that are not on disk."""
        disk = root.disk.documents if root.disk else {}
        found = [(path, text.text) for text in self.texts.values() if (path := root.record_path(text))]
        shown = {path: self.client.lines_of(disk[path].text) for path, _ in found if path in disk}
        return frozenset(path for path, text in found if shown.get(path) != text)

    def view(self, text: OpenText, root: Root | None) -> View:
        """An open text as the features of the core see it. The same text gives the same view, with what was derived."""
        from memory_core.ide.view import View, view_of

        path = root.record_path(text) if root else None
        document = root.snapshot.documents.get(path) if root and root.snapshot and path else None
        if document and document.text == text.text:  # else another buffer of the same file
            return view_of(document)
        key = buffer_of(text.uri)
        cached = self._views.get(key)
        if cached and cached[0] is text:
            return cached[1]
        view = View(text.text, markdown=text.markdown, prose=text.prose, known_lines=text.lines)
        self._views[key] = text, view
        return view

    # Snapshots

    def set_disk(self, root: Root, disk: Snapshot) -> None:
        """Records as just read, under the texts that are open now. None of a root that was dropped meanwhile."""
        if not self.holds(root):
            return
        root.disk = disk
        root.snapshot = disk.with_texts({path: text.text for path, text in self.texts_of(root).items()})
        root.loaded.set()

    def update_disk(self, root: Root, changed: Mapping[str, Document | None]) -> None:
        """Some records as just read; those that are open keep the editor's text."""
        if root.disk is None or root.snapshot is None:
            return
        root.disk = root.disk.with_documents(changed)
        shown = self.texts_of(root)
        snapshot = root.snapshot.with_documents({p: d for p, d in changed.items() if p not in shown})
        # What was typed while the root's folder was away, as when branches are changed, was laid over nothing.
        known = snapshot.documents
        typed = {p: text.text for p, text in shown.items() if p not in known or known[p].text != text.text}
        root.snapshot = snapshot.with_texts(typed) if typed else snapshot

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
