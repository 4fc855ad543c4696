"""Every command that writes, killed or failed at its changes: nothing is lost, and run again it comes out right.

The faults are real (`fault_driver`): a process that dies by SIGKILL, a disk that is full, broken or forbidden.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.hardening.fault_driver import NO_FAULT
from tests.hardening.stores import earlier, project

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks and signals")

# Continuous integration takes so many faults of a command, evenly spread; OMOIDE_ALL_FAULTS=1 takes every one.
MOST = 1_000_000 if os.environ.get("OMOIDE_ALL_FAULTS") else 6
OLD = "memory/decisions/keep-exports-ninety-days.md"


@dataclass(frozen=True)
class Writing:
    """A command that writes. `again`: what a person runs afterwards; the same by default."""

    name: str
    arguments: tuple[str, ...]
    again: tuple[str, ...] = ()
    start: str = "records"


COMMANDS = (
    Writing("init", ("init",), start="empty"),
    Writing("new", ("new", "knowledge", "fresh-rule", "--description", "A fresh rule.")),
    Writing("rename", ("rename", "decision", "keep-exports-ninety-days", "exports-live-ninety-days")),
    Writing("archive", ("archive", "request", "delete-old-exports", "--reason", "done")),
    Writing("promote", ("promote", "decision", "keep-exports-ninety-days")),
    Writing("read", ("read", "decision", "keep-exports-ninety-days")),
    Writing("extract", ("extract", "--log", "talk.jsonl")),
    Writing("consolidate", ("consolidate",), start="staged"),
    Writing("undo", ("undo", "01a22b78-412e-750e-b049-816cb287484a"), start="earlier"),
    Writing("expand", ("expand", "See #house-rule.")),
    Writing("context", ("context",)),
    Writing("lint", ("lint",)),
    Writing("search", ("search", "exports")),
)


# The errors in turn, one a command; all of them with all commands where every fault is taken.
ERRORS = ("ENOSPC", "EIO", "EACCES")
DISK = [
    (case, fault)
    for number, case in enumerate(COMMANDS)
    for fault in (ERRORS if os.environ.get("OMOIDE_ALL_FAULTS") else (ERRORS[number % 3],))
]


def faults(tmp_path: Path, case: Writing, fault: str, *, most: int = MOST) -> list[dict[str, Any]]:
    """What happened at each fault, the run without one last."""
    template, home = project(tmp_path, case.start), tmp_path / "home"
    home.mkdir(exist_ok=True)
    description = {
        "template": str(template),
        "arguments": list(case.arguments),
        "again": list(case.again or case.arguments),
        "fault": fault,
        "most": most,
    }
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OMOIDE_")}
    environment |= {"HOME": str(home), "OMOIDE_CONFIG": str(home / "none.toml"), "PYTHONPATH": os.getcwd()}  # noqa: PTH109
    done = subprocess.run(
        [sys.executable, "-m", "tests.hardening.fault_driver"],
        input=json.dumps(description),
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[-1]["at"] == NO_FAULT
    if most > answers[-1]["changes"]:
        assert len(answers) - 1 == answers[-1]["changes"]
    return answers


@pytest.mark.parametrize("case", COMMANDS, ids=lambda case: case.name)
def test_killed_at_any_change_a_command_run_again_comes_out_as_if_never_killed(tmp_path: Path, case: Writing) -> None:
    answers = faults(tmp_path, case, "kill")
    wanted = answers[-1]["after"]
    before = project_state(tmp_path, case)
    for answer in answers:
        place = f"{case.name} killed at change {answer['at']}"
        assert answer["final"]["records"] == wanted["records"], f"{place}: {answer['again']}"
        assert answer["final"]["open"] == wanted["open"], place
        assert not answer["final"]["damaged"], place
        assert not answer["final"]["invalid"], place
        assert not answer["final"]["errors"], place
        lost = before["records"].keys() - answer["after"].get("records", {}).keys() - gone(case)
        assert not lost, f"{place}: {lost}"


@pytest.mark.parametrize(("case", "fault"), DISK, ids=lambda value: getattr(value, "name", value))
def test_a_disk_that_fails_at_any_change_is_one_clear_line_and_nothing_is_lost(
    tmp_path: Path, case: Writing, fault: str
) -> None:
    answers = faults(tmp_path, case, fault)
    wanted = answers[-1]["after"]
    for answer in answers:
        place = f"{case.name}, {fault} at change {answer['at']}"
        assert answer["code"] is not None, place
        assert "internal error" not in answer["said"], f"{place}: {answer['said']}"
        assert "Traceback" not in answer["said"], f"{place}: {answer['said']}"
        assert answer["final"]["records"] == wanted["records"], f"{place}: {answer['again']}"
        assert answer["final"]["open"] == wanted["open"], place
        assert not answer["final"]["damaged"], place
        assert not answer["final"]["errors"], place


def project_state(tmp_path: Path, case: Writing) -> dict[str, Any]:
    from tests.hardening.fault_driver import state

    if case.start == "empty":
        return {"records": {}}
    return state(tmp_path / "template")


def earlier_records() -> set[str]:
    root = earlier("c611e48")
    return {path.relative_to(root).as_posix() for path in root.rglob("*.md")}


def gone(case: Writing) -> set[str]:
    """The records that a command takes away on purpose."""
    if case.name == "undo":
        return earlier_records()  # the run made them all
    paths = {
        "rename": {OLD},
        "archive": {"memory/requests/delete-old-exports.md"},
        "promote": {OLD},
    }
    return paths.get(case.name, set())


def test_a_store_that_may_not_be_written_is_read_by_every_reading_command(tmp_path: Path) -> None:
    """The rights are taken by the fault: tests may run as root, who may write anywhere."""
    for arguments in (
        ("read", "decision", "keep-exports-ninety-days"), ("search", "exports"), ("lint",), ("status",), ("audit",),
        ("usage", "report"), ("sessions",), ("staging",), ("context",), ("expand", "See #house-rule."),
    ):  # fmt: skip
        shutil.rmtree(tmp_path / "template", ignore_errors=True)
        first = faults(tmp_path, Writing("look", arguments), "EROFS", most=1)[0]
        assert first["code"] == 0, f"{arguments}: {first['said']}"
