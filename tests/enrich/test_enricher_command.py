"""`omoide enricher` and a search with enrichers, as people see them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_core.layout import Layout
from memory_core.store.background import start_upkeep
from memory_core.store.enricher_files import read_state
from tests.cli.conftest import Run
from tests.enrich.doubles import knowledge
from tests.enrich.test_gates import EXAMPLE, configure


@pytest.fixture
def records(workspace: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OMOIDE_NO_BACKGROUND", "1")
    root = workspace / ".omoide"
    (root / "knowledge/a.md").write_text(knowledge("Deploy from the branch."), encoding="utf-8")
    return root


def test_status_tells_how_each_stands_and_calls_none(omoide: Run, records: Path, home: Path) -> None:
    assert omoide("enricher").out.startswith("lexical: always on")
    configure(home, Path("/nowhere/at/all.py"))
    done = omoide("enricher", "status", "--json").json
    (row,) = done["enrichers"]
    assert (row["name"], row["level"], row["missing"]) == ("other", "never filled", 1)
    assert "other: never filled; 0 records; 1 to be sent" in omoide("enricher", "status").out


def test_sync_then_a_delete_then_cleanup(omoide: Run, records: Path, home: Path) -> None:
    """R28"""
    configure(home, EXAMPLE)
    assert omoide("enricher", "sync").out == "other: 1 sent, 0 removed\n"
    assert omoide("enricher", "status", "--json").json["enrichers"][0]["level"] == "fresh"
    (records / "knowledge/a.md").unlink()
    status = omoide("enricher", "status", "--json").json["enrichers"][0]
    assert (status["level"], status["pending"]) == ("stale", 1)
    assert omoide("enricher", "cleanup").out == "other: 0 sent, 1 removed\n"
    assert omoide("enricher", "status", "--json").json["enrichers"][0]["level"] == "fresh"


def test_a_failure_is_said_and_kept(omoide: Run, records: Path, home: Path) -> None:
    configure(home, Path("/nowhere/at/all.py"))
    done = omoide("enricher", "sync")
    assert done.code == 1
    assert "the records themselves are not concerned" in done.err
    assert omoide("enricher", "status", "--json").json["enrichers"][0]["last_error"]


def test_an_enricher_that_is_not_configured_is_misuse(omoide: Run, records: Path, home: Path) -> None:
    configure(home, EXAMPLE)
    done = omoide("enricher", "rebuild", "nope")
    assert (done.code, "configured: other" in done.err) == (2, True)


def test_one_that_cannot_forget_is_said(omoide: Run, records: Path, home: Path) -> None:
    """R35: guidance where cleanup is unsupported."""
    configure(home, EXAMPLE, cleanup=False)
    assert "clear it yourself, then rebuild it" in omoide("enricher", "cleanup", "--legacy").err


def test_without_enrichers_a_search_answers_as_it_always_did(omoide: Run, records: Path) -> None:
    """R17"""
    answer = omoide("search", "deploy", "--json").json
    assert answer.keys() == {"hits", "stored"}
    assert "via" not in answer["hits"][0]


def test_background_upkeep_is_started_once_in_a_while_and_on_request_never(tmp_path: Path) -> None:
    layout = Layout(tmp_path / ".omoide")
    assert not start_upkeep(layout, {"OMOIDE_NO_BACKGROUND": "1"})
    assert not layout.cache.exists()
    mark = layout.cache / "enrichers/started"
    mark.parent.mkdir(parents=True)
    mark.touch()
    assert not start_upkeep(layout, {}, now=mark.stat().st_mtime + 1)


def test_background_upkeep_brings_an_enricher_in_step(records: Path, home: Path, tmp_path: Path) -> None:
    """What a search and the editor start is the command that people know, in a process of its own."""
    configure(home, EXAMPLE)
    layout = Layout(records)
    environment = {key: value for key, value in os.environ.items() if key != "OMOIDE_NO_BACKGROUND"}
    process = start_upkeep(layout, environment)
    assert process is not None
    assert process.wait(60) == 0
    assert "knowledge/a" in read_state(layout, "other").known
