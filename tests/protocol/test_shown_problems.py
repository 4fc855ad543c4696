"""Problems of a whole store in a client's terms: what a change does not touch is neither made anew nor looked for on
disk. Of some thousand records that all had a problem the server stood still half of the time."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from lsprotocol import types

from memory_core.store.discovery import create_root
from memory_core.text import LineIndex
from server.convert.uris import from_path
from server.diagnostic_pull import PulledDiagnostics
from server.language_server import Server
from server.open_text import OpenText
from server.shown_problems import Shown, ShownProblems
from server.state import Root
from tests.protocol.conftest import knowledge

MANY = 200


@pytest.fixture
async def root(tmp_path: Path) -> AsyncIterator[tuple[Server, Root]]:
    layout, _ = create_root(tmp_path)
    for number in range(MANY):
        path = layout.root / f"knowledge/note-{number:03}-{number}.md"
        path.write_text(knowledge(f"Note {number}", f"See #gone-{number}.\n"), encoding="utf-8")
    server = Server()
    server.state.settings = replace(server.state.settings, diagnostics="workspace")
    server.state.client = replace(server.state.client, related_information=True)
    root = server.state.add_root(layout)[0]
    await server.loader.load(root)
    yield server, root
    for each in server.state.roots.values():
        server.watchers.forget(each)


async def shown(server: Server, root: Root, problems: ShownProblems) -> dict[str, Shown]:
    look = problems.look(root)
    checked = await server.diagnostics.check_all(root)
    assert checked
    return await problems.of(root, checked, look)


def typed(server: Server, root: Root, path: str, text: str, uri: str | None = None, version: int = 1) -> None:
    file = root.layout.absolute(path)
    server.state.put_text(OpenText(uri or from_path(file), file, file.resolve(), "markdown", version, LineIndex(text)))


PATH = "knowledge/note-000-0.md"


async def test_what_a_change_does_not_touch_is_the_same_as_before(root: tuple[Server, Root]) -> None:
    server, of = root
    problems = ShownProblems(server)
    before = await shown(server, of, problems)
    assert len(before) == MANY
    typed(server, of, PATH, knowledge("Note 0", "\nSee #gone-0.\n"))
    after = await shown(server, of, problems)
    assert [path for path in after if after[path].items is not before[path].items] == [PATH]
    assert after[PATH].version == 1
    assert after[PATH].result_id != before[PATH].result_id


async def test_a_file_that_is_opened_under_another_address_is_told_under_that(root: tuple[Server, Root]) -> None:
    server, of = root
    problems = ShownProblems(server)
    before = await shown(server, of, problems)
    text = of.layout.absolute(PATH).read_text(encoding="utf-8")
    typed(server, of, PATH, text, uri := before[PATH].uri.replace("note-000", "note%2D000"), version=7)
    after = await shown(server, of, problems)
    assert (after[PATH].uri, after[PATH].version) == (uri, 7)
    assert after[PATH].result_id == before[PATH].result_id


async def test_a_problem_that_names_another_record_is_told_anew_when_that_has_another_address(
    root: tuple[Server, Root],
) -> None:
    server, of = root
    near = "knowledge/the-one-there-is.md"
    of.layout.absolute(near).write_text(knowledge("The one", "It is.\n"), encoding="utf-8")
    of.layout.absolute(PATH).write_text(knowledge("Note 0", "See #the-one-there-iz.\n"), encoding="utf-8")
    await server.loader.load(of)
    problems = ShownProblems(server)
    before = await shown(server, of, problems)
    text = of.layout.absolute(near).read_text(encoding="utf-8")
    typed(server, of, near, text, uri := from_path(of.layout.absolute(near)).replace("the-one", "the%2Done"))
    after = await shown(server, of, problems)
    assert [place(each) for each in (before[PATH], after[PATH])] == [from_path(of.layout.absolute(near)), uri]


def place(each: Shown) -> str:
    (problem,) = each.items
    (other,) = problem.related_information or ()
    return other.location.uri


async def test_a_poll_for_which_nothing_changed_asks_the_disk_for_no_record(
    root: tuple[Server, Root], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real path of each of ten thousand records is a look at each of their folders, on a network drive a trip."""
    server, of = root
    of.opened.set()
    pulled = PulledDiagnostics(server, ShownProblems(server))
    first = await pulled.workspace(types.WorkspaceDiagnosticParams([]))
    known = [types.PreviousResultId(item.uri, str(item.result_id)) for item in first.items]
    asked: list[object] = []
    real = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", lambda path, **how: asked.append(path) or real(path, **how))
    second = await pulled.workspace(types.WorkspaceDiagnosticParams(known))
    assert {item.kind for item in second.items} == {"unchanged"}
    assert len(second.items) == MANY
    assert len(asked) < 10


async def test_an_address_that_a_client_writes_in_its_own_way_is_known_again(root: tuple[Server, Root]) -> None:
    server, of = root
    of.opened.set()
    pulled = PulledDiagnostics(server, ShownProblems(server))
    first = await pulled.workspace(types.WorkspaceDiagnosticParams([]))
    known = [types.PreviousResultId(item.uri.replace("note-", "note%2D"), str(item.result_id)) for item in first.items]
    second = await pulled.workspace(types.WorkspaceDiagnosticParams(known))
    assert {item.kind for item in second.items} == {"unchanged"}
    assert [item.uri for item in second.items] == [item.uri for item in first.items]
