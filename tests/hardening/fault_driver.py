"""A process that lets a command of `omoide` die, or its disk fail, at every change of a file, one after the other.

Started by the tests with a description in JSON on stdin; answers one JSON object a fault on stdout. A fault is real: a
child kills itself by SIGKILL before the n-th change, or that change and all later ones fail with the errno. Changes
are seen by an audit hook (files opened for writing, renames, removals, links, folders) and at `os.write`, whichever
module makes them.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

CHANGE = "memory_core.change"  # as `opened_folder` says: in a folder that it opened, names alone are no paths
_EVENTS = frozenset({"os.rename", "os.remove", "os.link", "os.mkdir", "os.truncate"})
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
# Files of other programs that a command of ours changes.
_BESIDE = (".claude/settings.local.json", ".claude/settings.json", ".mcp.json", "AGENTS.md", "CLAUDE.md")
_SLOW_S = 0.02  # that each change takes after the interruption
NO_FAULT = 1_000_000  # more changes than a command makes


def install(root: str, allowed: int, fault: Callable[[str], None]) -> list[str]:
    """Let `allowed` changes below `root` happen, then call `fault` with the name of each further one before it."""
    seen: list[str] = []
    busy = False

    def change(name: str) -> None:
        nonlocal busy
        if busy:
            return
        busy = True
        try:
            if len(seen) >= allowed:
                fault(name)
            seen.append(name)
        finally:
            busy = False

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            writes = bool(isinstance(flags, int) and flags & _WRITES) or bool(mode and set(mode) & set("wax+"))
            if writes and str(path).startswith(root):
                change("open")
        elif event in _EVENTS and str(arguments[0]).startswith(root):
            change(event)
        elif event == CHANGE and arguments[1].startswith(root):
            change(arguments[0])

    sys.addaudithook(audit)
    real = os.write

    def write(handle: int, data: Any) -> int:
        if handle > 2:
            change("write")
        return real(handle, data)

    os.write = write
    return seen


def in_child(task: Callable[[], int]) -> tuple[int | None, str]:
    """Run a task in a fork: its exit code (None: it was killed) and what it printed on stdout and stderr."""
    with tempfile.TemporaryFile() as out:
        pid = os.fork()
        if pid == 0:
            code = 70
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(out.fileno(), 2)
                for number, name in ((1, "stdout"), (2, "stderr")):
                    setattr(sys, name, io.TextIOWrapper(os.fdopen(os.dup(number), "wb"), "utf-8", write_through=True))
                code = task()
            finally:
                os._exit(code)
        _, status = os.waitpid(pid, 0)
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    return (None if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)), text


def move_clock(years: int) -> None:
    """Let this process live so many years later."""
    from memory_core import ids

    class Moved(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Moved:
            return super().now(tz) + timedelta(days=365 * years)

    present = time.time
    ids.datetime = Moved  # type: ignore[misc, attr-defined]
    time.time = lambda: present() + 365 * 86_400 * years


def command(folder: Path, arguments: list[str], years: int = 0) -> int:
    from memory_core.cli.main import main

    if years:
        move_clock(years)
    os.chdir(folder)
    try:
        main(arguments)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 1
    return 0


def state(folder: Path) -> dict[str, Any]:
    """What must not depend on where a run died: records, what is open, how much was closed, lines of logs."""
    from memory_core.store.discovery import find_root
    from memory_core.store.filestore import FileStore

    layout = find_root(folder)
    if layout is None:
        return {"root": False}
    store = FileStore(layout)
    records = {path: _plain(document.text) for path, document in store.load().documents.items()}
    area = store.staging()
    damaged = [
        str(path.relative_to(layout.root))
        for path in sorted(layout.root.rglob("*.json"))
        if not path.name.startswith(".") and not _is_json(path)
    ]
    return {
        "root": True,
        "records": records,
        "open": len(area.open),
        "invalid": [name for name, _ in area.invalid],
        "damaged": damaged,
        "errors": _errors(store),
        "sessions": {path.name: _plain(path.read_text("utf-8")) for path in sorted(layout.sessions.glob("*.jsonl"))},
        "beside": {name: _plain(path.read_text("utf-8")) for name in _BESIDE if (path := folder / name).is_file()},
        "open_ids": sorted(map(str, area.open)),
        "temporary": [p.name for p in sorted(folder.rglob("*.tmp"))],
    }


def _errors(store: Any) -> list[str]:
    from memory_core.diagnostic import Severity
    from memory_core.lint.check import check_all

    checked = check_all(store.load(), {})
    return [f"{path}: {d.code}" for path, found in checked.items() for d in found if d.severity is Severity.ERROR]


def _is_json(path: Path) -> bool:
    try:
        json.loads(path.read_bytes())
    except ValueError:
        return False
    return True


def _plain(text: str) -> str:
    return _INSTANT.sub("INSTANT", _ID.sub("ID", text))


def run(case: dict[str, Any], work: Path) -> None:
    """Every fault of a case. `template`: the folder before; `before`: what is run first; `arguments`: the command;
    `again`: what is run afterwards; `fault`: "kill", "interrupt" (by Ctrl-C, on a slow disk) or an errno; `only`: the
    one kind of change that fails by it; `clocks`: years by which the clock is wrong, the first time and again; `most`:
    about how many faults, evenly spread."""
    template, folder = Path(case["template"]), work / "project"

    interrupted = False

    def fault(name: str) -> None:
        nonlocal interrupted
        if case["fault"] == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if case["fault"] == "interrupt":
            time.sleep(_SLOW_S)
            if not interrupted:
                interrupted = True
                os.kill(os.getpid(), signal.SIGINT)
            return
        if case.get("only") not in (None, name):
            return
        number = getattr(errno, case["fault"])
        raise OSError(number, os.strerror(number))

    def fresh() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(template, folder, symlinks=True)
        for arguments in case.get("before", []):
            code, said = in_child(lambda: command(folder, arguments))  # noqa: B023 - run before the next one
            assert code == 0, said

    def attempt(allowed: int) -> dict[str, Any]:
        fresh()
        seen_file = work / "seen"
        seen_file.unlink(missing_ok=True)

        def task() -> int:
            seen = install(str(folder), allowed, fault)
            code = command(folder, case["arguments"], case["clocks"][0])
            seen_file.write_text(str(len(seen)))
            return code

        code, said = in_child(task)
        after = state(folder)
        again_code, again = in_child(lambda: command(folder, case["again"], case["clocks"][1]))
        changes = int(seen_file.read_text()) if allowed == NO_FAULT else 0
        return {
            "at": allowed, "changes": changes, "code": code, "said": said, "after": after,
            "again_code": again_code, "again": again, "final": state(folder),
        }  # fmt: skip

    whole = attempt(NO_FAULT)
    step = max(1, whole["changes"] // case["most"])
    for allowed in range(0, whole["changes"], step):
        print(json.dumps(attempt(allowed)), flush=True)
    print(json.dumps(whole), flush=True)


def main() -> None:
    import memory_core.cli.main
    import memory_core.consolidate.job
    import memory_core.extract.job
    import memory_core.providers.registry
    import memory_core.store.staging_files  # noqa: F401 - loaded once, before the forks

    case = json.loads(sys.stdin.read())
    with tempfile.TemporaryDirectory() as work:
        run(case, Path(os.path.realpath(work)))


if __name__ == "__main__":
    main()
