"""Another user of the machine reads nothing of what was said in sessions, also under the usual umask."""

from __future__ import annotations

import inspect
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memory_core.layout import LOCAL, is_private
from tests.cli.conftest import Run
from tests.hardening.stores import RECORDS, SESSION, earlier, talk

pytestmark = pytest.mark.skipif(os.name != "posix", reason="file modes")


def exposed(root: Path) -> list[str]:
    """Files of the machinery that other users can reach: a folder that is closed protects what is in it."""
    found: list[str] = []

    def look(path: Path) -> None:
        if not path.lstat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            return
        if path.is_dir():
            for inner in sorted(path.iterdir()):
                look(inner)
        else:
            found.append(str(path.relative_to(root)))

    for place in LOCAL:
        if (root / place).exists():
            look(root / place)
    return found


@pytest.mark.parametrize("umask", [0o022, 0o000], ids=["usual", "none"])
def test_what_commands_leave_behind_is_for_its_owner_alone(omoide: Run, workspace: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        root = workspace / ".omoide"
        for path, text in RECORDS.items():
            (root / path).write_text(text, encoding="utf-8")
        log = talk(workspace)
        for arguments in (
            ("extract", "--log", str(log)), ("consolidate",), ("read", "decision", "keep-exports-ninety-days"),
            ("expand", "See #house-rule."), ("context",), ("sessions",), ("lint",), ("search", "exports"),
            ("sessions", "import", str(log)), ("install", "claude-code", "--yes"), ("audit",), ("archive", "request",
            "delete-old-exports", "--reason", "x"), ("usage", "report"), ("staging",),
        ):  # fmt: skip
            assert omoide(*arguments).code == 0, arguments
    finally:
        os.umask(before)
    assert (root / "memory/_logs/audit.jsonl").exists()
    assert (root / "memory/_usage/events.jsonl").exists()
    assert exposed(root) == []
    modes = {path.stat().st_mode & 0o777 for path in (root / "knowledge").iterdir()}
    assert modes == {0o666 & ~umask}, "records are shared through git and stay as readable as everything else"


@pytest.mark.parametrize("umask", [0o022, 0o000])
def test_what_is_exported_is_for_its_owner_alone(omoide: Run, workspace: Path, tmp_path: Path, umask: int) -> None:
    """It holds sessions, with their secrets where one asks for these, and lies wherever one says."""
    before = os.umask(umask)
    try:
        assert omoide("sessions", "import", str(talk(workspace))).code == 0
        for number, arguments in enumerate(
            (("sessions", "export", SESSION, "--with-secrets"), ("export", "--sessions", "--all-scopes"))
        ):
            out = tmp_path / f"out-{number}"
            assert omoide(*arguments, "--out", str(out)).code == 0
            assert out.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_a_log_that_an_older_version_left_readable_is_closed_by_the_next_line(omoide: Run, workspace: Path) -> None:
    log = workspace / ".omoide/memory/_usage/events.jsonl"
    log.parent.mkdir()
    log.write_text("", encoding="utf-8")
    log.chmod(0o644)
    (workspace / ".omoide/knowledge/house-rule.md").write_text(RECORDS["knowledge/house-rule.md"], encoding="utf-8")
    assert omoide("read", "knowledge", "house-rule").code == 0
    assert log.stat().st_size > 0
    assert log.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("path", "private"),
    [
        ("/p/.omoide/memory/_staging/x.json", True),
        ("/p/.yoi/sessions/a.jsonl", True),
        ("/p/.omoide/memory/_resolutions.jsonl", True),
        ("/p/.omoide/knowledge/a.md", False),
        ("/home/cache/p/.omoide/config.toml", False),
        ("/p/sessions/a.jsonl", False),
    ],
)
def test_machinery_is_told_from_records_by_its_place(path: str, private: bool) -> None:
    assert is_private(Path(path)) is private


def test_the_debug_port_listens_on_loopback_alone() -> None:
    """The address is written out at the one place that opens a port; no setting or argument reaches it."""
    from server.language_server import Server

    source = inspect.getsource(Server.start_loopback)
    assert source.count("create_server(") == 1
    assert 'create_server(("127.0.0.1", port))' in source


def test_the_log_file_of_the_server_is_for_its_owner_alone(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    command = [sys.executable, "-I", "-m", "server", "--log-file", str(log)]
    subprocess.run(command, input=b"", capture_output=True, timeout=60, check=False, umask=0o022)
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_store_of_an_earlier_version_holds_no_path_of_a_machine() -> None:
    for path in earlier("c611e48").rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert "/tmp/" not in text
            assert socket.gethostname() not in text
