"""What is wrong with the files of a root, in the client's terms. What is the same as before is kept: of ten thousand
records that all have a problem a change touches one, and some clients ask for all of them every two seconds.

Sends nothing, and knows nothing of what a client was told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from server.background import in_thread
from server.client import ClientProfile
from server.convert import diagnostics as convert
from server.convert.to_lsp import Locate
from server.convert.uris import from_path, key_of

if TYPE_CHECKING:
    from memory_core.diagnostic import Diagnostic
    from memory_core.lint.recheck import Checked
    from server.language_server import Server
    from server.open_text import OpenText
    from server.state import Root


class Shown(NamedTuple):
    """The problems of one file. `version`: of its text, where it is open; `result_id`: what stands for the items."""

    uri: str
    version: int | None
    items: list[types.Diagnostic]
    result_id: str


@dataclass(frozen=True, slots=True)
class _Kept:
    """What some problems were made into, and out of what: addresses, and the documents whose lines they are in."""

    problems: Sequence[Diagnostic]
    made_of: tuple[object, ...]
    shown: Shown


@dataclass(frozen=True, slots=True)
class Look:
    """What the editor shows of a root at the moment at which its records are checked."""

    opened: Mapping[str, OpenText]
    uri_of: Callable[[str], str]
    locate: Locate
    client: ClientProfile


class ShownProblems:
    """The problems of each root as they were last shown."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._kept: dict[Root, Mapping[str, _Kept]] = {}

    def look(self, root: Root) -> Look:
        state = self._server.state
        return Look(state.texts_of(root), state.uris(root), state.locator(root), state.client)

    async def of(self, root: Root, checked: Checked, look: Look) -> dict[str, Shown]:
        """What is wrong: with records, by path below the root, where anything is or they are open, and with settings
        files, by their own path."""
        kept = await in_thread("show", partial(_shown, self._kept.get(root, {}), checked, look))
        if self._server.state.holds(root):
            self._kept[root] = kept
        return {**{path: each.shown for path, each in kept.items()}, **self._settings(root, look)}

    def drop(self, root: Root) -> None:
        self._kept.pop(root, None)

    def _settings(self, root: Root, look: Look) -> dict[str, Shown]:
        found: dict[str, Shown] = {}
        for file, (lines, problems) in self._server.diagnostics.settings_problems(root).items():
            text = self._server.state.text(from_path(file))
            uri = text.uri if text else from_path(file)
            items = convert.diagnostics(lines, problems, look.locate, look.client)
            found[key_of(uri)] = Shown(uri, text.version if text else None, items, convert.result_id(items))
        return found


def _shown(before: Mapping[str, _Kept], checked: Checked, look: Look) -> dict[str, _Kept]:
    """By path, without a look at the disk: where a file lies is known, and to ask takes a while for each of many."""
    found: dict[str, _Kept] = {}
    for path, problems in checked.found.items():
        text = look.opened.get(path)
        if not problems and text is None:
            continue
        uri, version = look.uri_of(path), text.version if text else None
        made_of = _made_of(path, problems, checked, look)
        known = before.get(path)
        if known and known.problems is problems and _same(known.made_of, made_of):
            shown = known.shown if known.shown.version == version else known.shown._replace(version=version)
        else:
            lines = checked.snapshot.documents[path].lines
            items = convert.diagnostics(lines, problems, look.locate, look.client)
            shown = Shown(uri, version, items, convert.result_id(items))
        found[path] = _Kept(problems, made_of, shown)
    return found


def _made_of(path: str, problems: Sequence[Diagnostic], checked: Checked, look: Look) -> tuple[object, ...]:
    paths = [path, *(other.path for problem in problems for other in problem.related)]
    documents = checked.snapshot.documents
    return tuple(part for each in paths for part in (look.uri_of(each), documents.get(each)))


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether the same documents, themselves and not their texts, are shown at the same addresses."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(a is b or (isinstance(a, str) and a == b) for a, b in pairs)
