"""`omoide sessions places` where the folder of an agent may not be read: just what somebody looks there for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.store.conftest import unprivileged


@pytest.mark.skipif(os.name != "posix", reason="this system has other rights")
@pytest.mark.parametrize("closed", [".claude", ".claude/projects"])
def test_a_folder_that_may_not_be_read_is_said_on_its_line(omoide: Run, home: Path, closed: str) -> None:
    (home / ".claude/projects").mkdir(parents=True)
    (home / closed).chmod(0)
    try:
        with unprivileged(home / "x"):
            outcome = omoide("sessions", "places")
    finally:
        (home / closed).chmod(0o700)
    assert outcome.code == 0, outcome.err
    lines = [line for line in outcome.out.splitlines() if str(home / ".claude/projects") in line]
    assert lines
    assert all("may not be read" in line for line in lines)
