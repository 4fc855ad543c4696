"""The types of the protocol as the server loads them: the same classes, most of them never completed."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from typing import Any

import pytest
from lsprotocol import types
from pygls.protocol import default_converter

from server.convert import lenient
from server.lazy_hooks import converter

# Of every class: how it is called, its fields with types and defaults, and what else attrs writes into it.
_SHAPES = """
import enum, inspect, json, sys
{load}
import attrs
from lsprotocol import converters, types
converters.get_converter()
shapes = {{}}
for name, cls in sorted(vars(types).items()):
    if isinstance(cls, type) and not issubclass(cls, enum.Enum) and attrs.has(cls):
        fields = [(f.name, repr(f.type), repr(f.default), f.eq, f.init, bool(f.validator)) for f in attrs.fields(cls)]
        written = [it for it in ("__eq__", "__hash__", "__repr__", "__lt__", "__match_args__") if it in vars(cls)]
        shapes[name] = [str(inspect.signature(cls)), fields, written, cls.__hash__ is None]
print(json.dumps(shapes))
"""
_COMPLETED = """
from server import lazy_types
lazy_types.load()
from lsprotocol import types
def completed():
    own = [cls for cls in vars(types).values() if isinstance(cls, type) and "__attrs_attrs__" in vars(cls)]
    return [cls for cls in own if not isinstance(vars(cls)["__attrs_attrs__"], lazy_types._Fields)]
before = len(completed())
import server.app
server.app.create_server()
started = len(completed())
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    made = set(pool.map(lambda n: types.Range(types.Position(n, 0), types.Position(n, 1)).start.line, range(200)))
first, second = types.Position(1, 2), types.Position(2, 0)
print(before, started, len(made), first == types.Position(1, 2), first < second)
"""
_RACING = """
import threading
from server import lazy_types
lazy_types.load()
import attrs
from lsprotocol import types
from server.lazy_hooks import converter
begun, asked, resolve = threading.Event(), threading.Event(), attrs.resolve_types
def slowly(cls, *more):
    if cls is types.WorkspaceEdit:
        begun.set()
        asked.wait(0.5)
    return resolve(cls, *more)
attrs.resolve_types = slowly
thread = threading.Thread(target=lazy_types.fields, args=(types.WorkspaceEdit,))
thread.start()
begun.wait(5)
edit = converter().structure({"documentChanges": [{"kind": "delete", "uri": "file:///a"}]}, types.WorkspaceEdit)
asked.set()
thread.join()
print(type(edit.document_changes[0]).__name__)
"""


def _printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout


def test_a_class_that_is_completed_late_is_what_it_would_have_been() -> None:
    def shapes(load: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(_printed(_SHAPES.format(load=load)))
        return found

    late, at_once = shapes("from server import lazy_types; lazy_types.load()"), shapes("")
    assert len(late) > 500
    assert late == at_once


def test_a_start_completes_few_classes_and_threads_may_complete_the_same_one() -> None:
    before, started, made, *compared = _printed(_COMPLETED).split()
    assert before == "0"
    assert int(started) < 60, "somebody asks for the fields of all types before `initialize`"
    assert made == "200"
    assert compared == ["True", "True"]


def test_a_class_that_another_thread_is_completing_is_waited_for() -> None:
    """Its fields are there before their types are: what was made of them then failed for the rest of the session."""
    assert _printed(_RACING).split() == ["DeleteFile"]


CAPABILITIES = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename"]}},
    "textDocument": {"hover": {"contentFormat": ["markdown"]}, "publishDiagnostics": {"tagSupport": {"valueSet": [1]}}},
    "experimental": {"omoide": {"status": True}},
}
PLACE = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 4}}
RENAMED = {"kind": "rename", "oldUri": "file:///a.md", "newUri": "file:///b.md"}
EDITED = {
    "textDocument": {"uri": "file:///c.md", "version": None},
    "edits": [{"range": PLACE, "newText": "new"}, {"range": PLACE, "newText": "", "annotationId": "why"}],
}
MESSAGES: list[tuple[str, Any]] = [
    ("InitializeParams", {"processId": None, "rootUri": None, "capabilities": CAPABILITIES, "trace": "verbose"}),
    ("ServerCapabilities", {"hoverProvider": True, "renameProvider": {"prepareProvider": True}, "textDocumentSync": 2}),
    ("WorkspaceEdit", {"documentChanges": [RENAMED, EDITED], "changeAnnotations": {"why": {"label": "Why"}}}),
    ("CompletionItem", {"label": "#a", "kind": 18, "textEdit": {"range": PLACE, "newText": "#a"}, "tags": [1]}),
    ("CodeAction", {"title": "t", "kind": "quickfix", "diagnostics": [{"range": PLACE, "message": "m", "code": "c"}]}),
    ("ApplyWorkspaceEditParams", {"edit": {"changes": {"file:///a.md": []}}}),
    ("ExecuteCommandParams", {"command": "omoide.status", "arguments": [{"uri": "x"}], "workDoneToken": 1}),
]


@pytest.mark.parametrize(("name", "data"), MESSAGES)
def test_functions_that_are_written_late_say_the_same(name: str, data: Any) -> None:
    kind = getattr(types, name)
    usual, late = default_converter(), converter()
    value = late.structure(deepcopy(data), kind)
    assert value == usual.structure(deepcopy(data), kind)
    assert late.unstructure(value) == usual.unstructure(value) == late.unstructure(value, kind)


def test_a_value_that_is_wrong_is_told_by_its_place() -> None:
    """What a newer client says beyond our types is left out by where it stands (`convert.lenient`)."""
    wrong = {"documentChanges": [{"kind": "rename", "oldUri": 1, "newUri": "b", "options": {"overwrite": 7}}, EDITED]}
    places: list[list[str]] = []
    for made in (default_converter(), converter()):
        value, dropped = lenient.structure(made, {"edit": wrong, "label": {}}, types.ApplyWorkspaceEditParams)
        assert isinstance(value, types.ApplyWorkspaceEditParams)
        places.append(dropped)
    assert places[0] == places[1]
