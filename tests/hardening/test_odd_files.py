"""A pipe, a socket, a folder or a device in place of any file of the store: no command hangs on it or breaks.

Pipes wait for ever, `/dev/zero` never ends, a folder opens and cannot be read: each is one way to hang a reader.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.hardening.stores import RECORDS, SESSION, earlier, talk

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes, sockets and devices in a folder")

SECONDS = 20  # more than any of these commands takes on a machine that is busy with other things
RUN = "01a22b78-412e-750e-b049-816cb287484a"
PLACES = (
    "config.toml", ".gitignore", "prompts/extract_system.md", "memory/summary.md", "memory/_resolutions.jsonl",
    "memory/_usage/events.jsonl", "memory/_usage/events-01a22b78.jsonl", "memory/_usage/totals-01a22b78.json",
    "memory/_usage/.rotate.lock", "memory/_logs/audit.jsonl", "memory/_staging/.consolidation.lock",
    "memory/_staging/.lock-guard", f"memory/_staging/{RUN}.json", f"memory/_staging/_dead/{RUN}.json",
    f"memory/_staging/_held/{RUN}.json", f"memory/_staging/_offers/{RUN}.json", f"memory/_archive/_pending/{RUN}.json",
    f"memory/_archive/{RUN}/manifest.json", "memory/_legacy/rows.jsonl", "sessions/mine.jsonl",
    f"sessions/claude-code.{SESSION}.jsonl", "cache/sessions.json", "cache/resident.json", "cache/resident-answer.json",
    "cache/index.sqlite3", "cache/index.sqlite3-journal", "cache/index.sqlite3-wal", "cache/index.sqlite3-shm",
    f"cache/locks/extract.{SESSION}.lock", "cache/locks/.lock-guard", "cache/install-claude-code.json",
)  # fmt: skip
COMMANDS = (
    ("status",), ("audit",), ("lint",), ("search", "exports"), ("read", "knowledge", "house-rule"),
    ("sessions",), ("staging",), ("context",),
    ("expand", "See #house-rule."), ("usage", "report"), ("extract", "--all"), ("consolidate",), ("undo", RUN),
    ("legacy", "scan"), ("legacy", "list"), ("export",), ("archive", "request", "delete-old-exports", "--reason", "x"),
    ("install", "claude-code", "--yes"),
)  # fmt: skip


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder_of_nothing(path: Path) -> None:
    path.mkdir()


def endless(path: Path) -> None:
    """What a device node would be; making one takes rights that a link to one does not."""
    path.symlink_to("/dev/zero")


def listening(path: Path) -> None:
    """Bound from within its folder, as the name of a socket is short."""
    here = os.open(".", os.O_RDONLY)
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(path.name)
    finally:
        os.fchdir(here)
        os.close(here)


@pytest.fixture
def odd(workspace: Path, home: Path) -> Callable[[str, Callable[[Path], None]], None]:
    """A store with something of everything, in which one file is replaced by something else."""
    root = workspace / ".omoide"
    shutil.copytree(earlier("c611e48"), root, dirs_exist_ok=True)
    for path, text in RECORDS.items():
        (root / path).write_text(text, encoding="utf-8")
    log = home / ".claude/projects/p" / f"{SESSION}.jsonl"
    log.parent.mkdir(parents=True)
    talk(workspace).rename(log)

    def put(place: str, make: Callable[[Path], None]) -> None:
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        make(path)

    return put


def too_long(*_: object) -> None:
    raise AssertionError("a command waits for something that never comes")


MAKERS = (pipe, folder_of_nothing, endless, listening)
# Continuous integration takes each place with one of them in turn; OMOIDE_ALL_FAULTS=1 takes every pair.
PAIRS = [
    (place, make)
    for number, place in enumerate(PLACES)
    for make in (MAKERS if os.environ.get("OMOIDE_ALL_FAULTS") else (MAKERS[number % 4],))
]


@pytest.fixture
def clock() -> Iterator[Callable[[], object]]:
    """Starts the time that is left for what comes next."""
    before = signal.signal(signal.SIGALRM, too_long)
    yield partial(signal.alarm, SECONDS)
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(("place", "make"), PAIRS, ids=lambda value: getattr(value, "__name__", value))
def test_no_command_waits_for_what_is_no_file(
    omoide: Run,
    odd: Callable[[str, Callable[[Path], None]], None],
    clock: Callable[[], object],
    place: str,
    make: Callable[[Path], None],
) -> None:
    odd(place, make)
    for arguments in COMMANDS:
        clock()
        outcome = omoide(*arguments)
        assert outcome.code in (0, 1, 2), arguments
        assert "internal error" not in outcome.err, f"{arguments}: {outcome.err}"
        assert "Traceback" not in outcome.err, f"{arguments}: {outcome.err}"


@pytest.mark.parametrize("make", [None, *MAKERS], ids=lambda make: getattr(make, "__name__", "device"))
@pytest.mark.parametrize(
    "arguments",
    [
        ("sessions", "import"), ("sessions", "show", "--log"), ("sessions", "export", "--log"),
        ("sessions", "search", "x", "--log"), ("extract", "--log"), ("legacy", "scan"), ("legacy", "apply", "--plan"),
        ("import",),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_log_that_is_no_file_is_refused_at_once(
    omoide: Run,
    workspace: Path,
    clock: Callable[[], object],
    make: Callable[[Path], None] | None,
    arguments: tuple[str, ...],
) -> None:
    path = Path("/dev/zero")
    if make:
        make(path := workspace / "log.jsonl")
    clock()
    outcome = omoide(*arguments, str(path))
    assert outcome.code in (1, 2) or "legacy" in arguments
    assert "internal error" not in outcome.err, outcome.err
    assert outcome.err.count("\n") <= 6, outcome.err
