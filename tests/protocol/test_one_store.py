"""Two editors, a command line and an agent's hook that work on one store at the same time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memory_core.layout import Layout
from memory_core.lint.check import check_all
from memory_core.store.filestore import FileStore
from tests.protocol.conftest import NewClient
from tests.protocol.test_commands import command, run, write_session

pytestmark = pytest.mark.protocol
TALKS = [f"talk-{number}" for number in range(4)]


class Started:
    """A command of `omoide` that goes on while others do. `told`: what a hook is given."""

    def __init__(self, workspace: Path, home: Path, *arguments: str, told: dict[str, Any] | None = None) -> None:
        environment = {**os.environ, "HOME": str(home), "OMOIDE_CONFIG": str(home / "omoide.toml")}
        # Closed by `ended`, which every test that starts one waits for.
        self._input = tempfile.TemporaryFile()  # noqa: SIM115
        self._said = tempfile.TemporaryFile()  # noqa: SIM115
        self._input.write(json.dumps(told or {}).encode())
        self._input.seek(0)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "memory_core", *arguments],
            cwd=workspace,
            env=environment,
            stdin=self._input,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
        )

    def ended(self) -> tuple[int, str]:
        """Its exit code, and what it said to people."""
        code = self._process.wait(60)
        self._said.seek(0)
        with self._input, self._said:
            return code, self._said.read().decode()


def test_editors_a_command_line_and_a_hook_lose_and_double_nothing(
    new_client: NewClient, workspace: Path, home: Path
) -> None:
    """T40 T47: whoever is second waits or leaves the work to the first, and says so; nobody breaks anything."""
    for talk in TALKS:
        write_session(workspace, talk)
    thresholds = "extract_threshold = 10\nconsolidation_threshold_files = 1\n"
    (workspace / ".omoide/config.toml").write_text(f"[memory]\n{thresholds}", encoding="utf-8")
    editors = [new_client(workspace), new_client(workspace)]
    for editor in editors:
        editor.initialize(workspace)
    hook = {"session_id": "talk-0", "cwd": str(workspace), "hook_event_name": "SessionEnd", "transcript_path": ""}

    extracts = [(e, e.begin("workspace/executeCommand", command("omoide.extract", {"all": True}))) for e in editors]
    others = [
        Started(workspace, home, "extract", "--all"),
        Started(workspace, home, "extract", "--all", "--if-due"),
        Started(workspace, home, "hook", "session-end", told=hook),
    ]
    for editor, number in extracts:
        runs = editor.answer(number, timeout=60)["result"]["runs"]
        assert {r["status"] for r in runs} <= {"staged", "nothing", "skipped"}
    for process in others:
        code, said = process.ended()
        assert (code, "Traceback" in said) == (0, False), said
    store = FileStore(Layout(workspace / ".omoide"))
    staged = Counter(file.source.session_id for file in store.staging().files)
    assert staged == dict.fromkeys(TALKS, 1), "each session is staged once"

    asked = [(e, e.begin("workspace/executeCommand", command("omoide.consolidate"))) for e in editors]
    others = [Started(workspace, home, "consolidate", "--if-due"), Started(workspace, home, "consolidate")]
    ends = [editor.answer(number, timeout=60)["result"] for editor, number in asked]
    codes = [process.ended() for process in others]
    assert codes[0][0] == 0, "a run that nobody asked for is no failure when another one goes on"
    for done in ends:
        assert done["status"] in ("committed", "nothing") or "Another consolidation is running" in done["reason"]
    run(editors[0], "omoide.consolidate")  # whoever came too late leaves the rest to the next
    assert store.staging().open == frozenset()
    closed = Counter(r.candidate for r in store.resolutions() if r.action != "kept")
    assert set(closed.values()) == {1}, "each candidate is closed once"
    assert check_all(store.load()) == {}
    rules = [slug for slug in store.load().index.slugs["knowledge"] if "linter" in slug]
    assert len(rules) == 1, "four sessions that say the same end in one record"
    assert not store.layout.lock.exists()
