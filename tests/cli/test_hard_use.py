"""The command line where things go wrong around it: a full disk, a reader that leaves, names that are no names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

LOG_LINES = 5_000


@pytest.fixture
def log(folder: Path) -> Path:
    path = folder / "s1.jsonl"
    record = {"type": "user", "sessionId": "s1", "uuid": "u", "message": {"content": "Use WAL. " * 20}}
    path.write_text("".join(json.dumps({**record, "uuid": f"u{n}"}) + "\n" for n in range(LOG_LINES)), encoding="utf-8")
    return path


def start(*arguments: str, stdout: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "memory_core", *arguments]
    path = str(Path(__file__).parents[2])
    return subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path})


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_reader_that_leaves_early_is_no_error(log: Path, form: list[str]) -> None:
    """`omoide sessions show ... | head -1`: 1 would mean findings."""
    with start("sessions", "show", "--log", str(log), *form, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert (process.wait(60), process.stderr.read()) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_an_answer_that_cannot_be_written_is_one_line(log: Path) -> None:
    with Path("/dev/full").open("wb") as full, start("sessions", "show", "--log", str(log), stdout=full.fileno()) as it:
        assert it.stderr
        said = it.stderr.read().decode()
    assert it.returncode == 2
    assert said.count("\n") == 1
    assert "No space left on device" in said


def test_a_number_without_end_is_no_range(omoide: Run, log: Path) -> None:
    outcome = omoide("sessions", "show", "--log", str(log), "--entries", "9" * 5_000)
    assert outcome.code == 2
    assert "no range of entries" in outcome.err


@pytest.mark.parametrize("command", [["sessions", "show"], ["extract", "--session"]])
def test_no_name_is_not_the_beginning_of_every_name(
    omoide: Run, workspace: Path, home: Path, command: list[str]
) -> None:
    path = home / ".claude/projects/p/s1.jsonl"
    path.parent.mkdir(parents=True)
    record = {"type": "user", "sessionId": "s1", "uuid": "u", "cwd": str(workspace), "message": {"content": "Hi."}}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert len(json.loads(omoide("sessions", "--json").out)["sessions"]) == 1
    assert omoide(*command, "").code == 2


def test_where_logs_were_looked_for_is_said_when_there_are_none(omoide: Run, workspace: Path, home: Path) -> None:
    outcome = omoide("sessions")
    assert (outcome.code, outcome.out) == (0, "0 sessions\n")
    assert str(workspace / ".omoide/sessions") in outcome.err
    assert "`omoide sessions places`" in outcome.err
    assert "`omoide sessions places`" in omoide("extract").err
    listed = omoide("sessions", "places").out
    for folder in (home / ".claude/projects", home / ".codex/sessions"):
        assert str(folder) in listed


@pytest.mark.parametrize("place", [".omoide", ".omoide/memory", ".yoi/memory"])
def test_a_file_in_the_place_of_a_root_is_named(omoide: Run, folder: Path, place: str) -> None:
    """`init` was advised, and failed with `File exists`."""
    (folder / place).parent.mkdir(exist_ok=True)
    (folder / place).write_text("in the way", encoding="utf-8")
    outcome = omoide("status")
    assert outcome.code == 2
    assert f"{folder / place} is not a folder: move it away" in outcome.err
    assert (folder / place).read_text(encoding="utf-8") == "in the way"


def test_init_does_not_write_through_a_link(omoide: Run, folder: Path, tmp_path: Path) -> None:
    (folder / ".omoide").mkdir()
    (folder / ".omoide/config.toml").symlink_to(tmp_path / "elsewhere")
    assert omoide("init").code == 0
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("run_id", ["nope", "../../etc", "", "_pending"])
def test_an_unknown_run_names_a_remedy_that_exists(omoide: Run, workspace: Path, run_id: str) -> None:
    outcome = omoide("undo", run_id)
    assert outcome.code in (1, 2)
    assert outcome.err.count("\n") == 1
    assert "_archive" in outcome.err or "`omoide undo` lists the runs" in outcome.err


def test_names_from_elsewhere_do_not_steer_the_terminal(omoide: Run, workspace: Path) -> None:
    outcome = omoide("extract", "--log", "\x1b[2Jno\nsuch\u202elog")
    assert outcome.code == 2
    assert outcome.err == (
        "omoide: \\x1b[2Jno such\\x202elog does not exist: `omoide sessions` lists the logs of this workspace.\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a folder in use cannot be removed")
def test_a_working_folder_that_is_gone_is_said(omoide: Run, folder: Path) -> None:
    folder.rmdir()
    outcome = omoide("status")
    assert outcome.code == 2
    assert "The folder you are in is gone" in outcome.err
