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

# Continuous integration takes so many faults of a command, evenly spread; OMOIDE_ALL_FAULTS=1 takes every one.
EVERY = bool(os.environ.get("OMOIDE_ALL_FAULTS"))
MOST = 1_000_000 if EVERY else 6
LONGEST_S = 1_500 if EVERY else 100  # for all faults of a command, on a busy machine

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="forks and signals"),
    pytest.mark.timeout(LONGEST_S + 20),
]
STAGED = "01a22b78-c1b7-7863-a569-5cf5ab43f492"
OLD = "memory/decisions/keep-exports-ninety-days.md"


@dataclass(frozen=True)
class Writing:
    """A command that writes. `again`: what a person runs afterwards; the same by default. `before`: what is run first,
    without faults."""

    name: str
    arguments: tuple[str, ...]
    again: tuple[str, ...] = ()
    start: str = "records"
    before: tuple[tuple[str, ...], ...] = ()


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
    Writing("install", ("install", "claude-code", "--yes")),
    Writing(
        "uninstall", ("install", "claude-code", "--uninstall", "--yes"), before=(("install", "claude-code", "--yes"),)
    ),
    Writing("import-log", ("sessions", "import", "talk.jsonl")),
    Writing(
        "close", ("staging", "close", f"{STAGED}/decisions/0", "--action", "discarded", "--reason", "x"), start="staged"
    ),
    Writing(
        "legacy",
        ("legacy", "apply", "--plan", "plan.json", "--confirm"),
        start="legacy",
        before=(("legacy", "plan", "--out", "plan.json", "--promote", "0-d337d670da8c", "--expire", "duplicates"),),
    ),
    Writing(
        "import",
        ("import", "export.json"),
        before=(
            ("export", "--out", "export.json"),
            ("archive", "request", "delete-old-exports", "--reason", "x"),
            ("archive", "decision", "keep-exports-ninety-days", "--reason", "x"),
        ),
    ),
)


# The errors in turn, one a command; all of them with all commands where every fault is taken.
ERRORS = ("ENOSPC", "EIO", "EACCES")
NETWORK = ("ESTALE", "EXDEV", "EBUSY")
CLOCKS = ("extract", "consolidate", "rename", "promote", "undo", "legacy") if EVERY else ("extract", "consolidate")
INTERRUPTED = ("extract", "consolidate", "rename", "undo", "import-log", "import", "legacy")
INTERRUPTED = INTERRUPTED if EVERY else ("consolidate", "import-log")
RENAMING = ("rename", "extract", "consolidate", "install", "import-log", "legacy")
DISK = [(case, fault) for number, case in enumerate(COMMANDS) for fault in (ERRORS if EVERY else (ERRORS[number % 3],))]


def faults(
    tmp_path: Path,
    case: Writing,
    fault: str,
    *,
    most: int = MOST,
    only: str | None = None,
    clocks: tuple[int, int] = (0, 0),
) -> list[dict[str, Any]]:
    """What happened at each fault, the run without one last."""
    template, home = project(tmp_path, case.start), tmp_path / "home"
    home.mkdir(exist_ok=True)
    description = {
        "template": str(template),
        "arguments": list(case.arguments),
        "again": list(case.again or case.arguments),
        "before": [list(arguments) for arguments in case.before],
        "fault": fault,
        "only": only,
        "clocks": clocks,
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
        timeout=LONGEST_S,
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
    before = project_state(tmp_path, case)["records"].keys() if not case.before else set()
    for answer in answers:
        place = f"{case.name} killed at change {answer['at']}"
        assert answer["final"]["records"] == wanted["records"], f"{place}: {answer['again']}"
        assert answer["final"]["open"] == wanted["open"], place
        assert not answer["final"]["damaged"], place
        assert not answer["final"]["invalid"], place
        for what in ("sessions", "beside"):
            assert answer["final"].get(what) == wanted.get(what), f"{place}: {answer['again']}"
        assert not answer["final"]["errors"], place
        lost = before - answer["after"].get("records", {}).keys() - gone(case)
        assert not lost, f"{place}: {lost}"


@pytest.mark.parametrize(("case", "fault"), DISK, ids=lambda value: getattr(value, "name", value))
def test_a_disk_that_fails_at_any_change_is_one_clear_line_and_nothing_is_lost(
    tmp_path: Path, case: Writing, fault: str
) -> None:
    answers = faults(tmp_path, case, fault, most=MOST if EVERY else 4)
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
        for what in ("sessions", "beside"):
            assert answer["final"].get(what) == wanted.get(what), f"{place}: {answer['again']}"


BY_NAME = {case.name: case for case in COMMANDS}
RENAMES = [
    (case, fault)
    for number, case in enumerate(COMMANDS)
    if EVERY or case.name in RENAMING
    for fault in (NETWORK if EVERY else (NETWORK[number % 3],))
]


@pytest.mark.parametrize(("case", "fault"), RENAMES, ids=lambda value: getattr(value, "name", value))
def test_a_network_drive_that_refuses_to_rename_loses_nothing(tmp_path: Path, case: Writing, fault: str) -> None:
    """NFS answers a rename by ESTALE or EBUSY, a mount in between by EXDEV."""
    answers = faults(tmp_path, case, fault, only="os.rename", most=MOST if EVERY else 2)
    wanted = answers[-1]["after"]
    for answer in answers:
        place = f"{case.name}, {fault} by renames from change {answer['at']} on"
        assert "internal error" not in answer["said"], f"{place}: {answer['said']}"
        assert "Traceback" not in answer["said"], f"{place}: {answer['said']}"
        for what in ("records", "open", "sessions", "beside", "errors", "damaged"):
            assert answer["final"].get(what) == wanted.get(what), f"{place}: {answer['again']}"


@pytest.mark.parametrize("case", [BY_NAME[name] for name in INTERRUPTED], ids=lambda case: case.name)
def test_interrupted_at_any_change_on_a_slow_disk_a_command_ends_and_can_be_run_again(
    tmp_path: Path, case: Writing
) -> None:
    answers = faults(tmp_path, case, "interrupt", most=MOST if EVERY else 3)
    wanted = answers[-1]["after"]
    for answer in answers:
        place = f"{case.name} interrupted at change {answer['at']}"
        assert answer["code"] in (0, 1, 130), f"{place}: {answer['said']}"
        assert "Traceback" not in answer["said"], f"{place}: {answer['said']}"
        for what in ("records", "open", "sessions", "beside", "errors", "damaged"):
            assert answer["final"].get(what) == wanted.get(what), f"{place}: {answer['again']}"


@pytest.mark.parametrize("clocks", [(60, -60), (-60, 60)], ids=["future first", "past first"])
@pytest.mark.parametrize("case", [BY_NAME[name] for name in CLOCKS], ids=lambda case: case.name)
def test_a_clock_that_jumps_between_a_kill_and_the_next_run_changes_no_outcome(
    tmp_path: Path, case: Writing, clocks: tuple[int, int]
) -> None:
    answers = faults(tmp_path, case, "kill", clocks=clocks, most=MOST if EVERY else 2)
    wanted = answers[-1]["after"]
    for answer in answers:
        place = f"{case.name} killed at change {answer['at']}"
        assert "Traceback" not in answer["again"], f"{place}: {answer['again']}"
        assert "internal error" not in answer["again"], f"{place}: {answer['again']}"
        for what in ("records", "open", "errors", "damaged"):
            assert answer["final"].get(what) == wanted.get(what), f"{place}: {answer['again']}"
        assert not answer["final"]["errors"], place


def test_a_drive_without_hard_links_holds_the_same_in_the_end(tmp_path: Path) -> None:
    answers = faults(tmp_path, BY_NAME["new"], "EPERM", only="os.link", most=2)
    assert all(answer["code"] == 0 for answer in answers), answers[0]["said"]
    assert answers[0]["after"]["records"] == answers[-1]["after"]["records"]


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
