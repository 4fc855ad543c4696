"""Every format on small synthetic logs: entries as they must be, in Markdown files that a person can judge.

To write them anew after a change, run with OMOIDE_WRITE_GOLDEN=1 and read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_core.sessions.catalog import DATABASES, DOCUMENTS, FORMATS, TEXTS
from memory_core.store.session_files import read_log
from tests.sessions.agents import DATA, fixtures, parts_of, placed, rendered


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Aider's times are local: the expectation is written for UTC."""
    import time

    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.mark.parametrize("fixture", fixtures(), ids=str)
def test_a_log_gives_the_entries_that_stand_in_its_golden_file(fixture: Path, tmp_path: Path) -> None:
    path = placed(fixture, tmp_path)
    sessions = [read_log(part) for part in parts_of(path)]
    for session in sessions:
        assert [entry.index for entry in session.entries] == list(range(len(session.entries)))
    text = "\n".join(rendered(session) for session in sessions)
    golden = DATA / fixture.parent / f"{fixture.name}.golden.md"
    if os.environ.get("OMOIDE_WRITE_GOLDEN"):
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_text(encoding="utf-8")


def test_every_format_has_a_log_here() -> None:
    formats = {f.name for table in (FORMATS, DOCUMENTS, TEXTS, DATABASES) for f in table}
    assert {fixture.parts[0] for fixture in fixtures()} >= formats


def test_no_golden_file_is_left_over() -> None:
    kept = {f"{fixture}.golden.md" for fixture in map(str, fixtures())}
    assert {str(path.relative_to(DATA)) for path in DATA.rglob("*.golden.md")} == kept
