"""Run the command line in this process, in a workspace of its own, with nobody's home."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memory_core.cli.main import main


@dataclass(frozen=True)
class Outcome:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without logs and settings; every variable that could lead elsewhere is gone."""
    home = tmp_path / "home"
    home.mkdir()
    for name in (
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "OMOIDE_PROVIDER",
        "OMOIDE_BASE_URL",
        "OMOIDE_API_KEY",
        "OMOIDE_MODEL",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("OMOIDE_CONFIG", str(home / "config.toml"))
    return home


@pytest.fixture
def folder(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the working directory."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def omoide(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in `folder`."""

    def run(*arguments: str) -> Outcome:
        capsys.readouterr()
        code = 0
        try:
            main(list(arguments))
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def workspace(omoide: Run, folder: Path) -> Path:
    """`folder` with a memory root."""
    assert omoide("init").code == 0
    return folder
