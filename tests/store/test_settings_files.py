"""Settings and prompts on a disk that refuses some of it: what is not needed stands in nobody's way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.store import settings_files
from memory_core.store.settings_files import read_settings
from tests.store.conftest import unprivileged

pytestmark = pytest.mark.skipif(os.name != "posix", reason="this system has other rights")


def test_a_home_that_may_not_be_entered_holds_no_settings(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container that runs as another user, every command ended over a file that was not there."""
    home = tmp_path / "home"
    file = home / ".config/omoide/config.toml"
    file.parent.mkdir(parents=True)
    monkeypatch.setattr("platformdirs.user_config_dir", lambda *_, **__: str(file.parent))
    home.chmod(0)
    try:
        with unprivileged(root):
            config, problems = read_settings(Layout(root), {"HOME": str(home)})
    finally:
        home.chmod(0o700)
    assert config == settings_files.Config()
    (said,) = problems[file]
    assert str(home) in said.message
    assert "HOME" in said.message
    assert "OMOIDE_CONFIG" in said.message


@pytest.mark.parametrize("named", [True, False])
def test_settings_that_are_there_or_were_named_are_read_or_refused(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    """They say what may be sent where: to go on without them would not be safe."""
    file = tmp_path / "mine" / "config.toml"
    file.parent.mkdir()
    file.write_text("", encoding="utf-8")
    monkeypatch.setattr("platformdirs.user_config_dir", lambda *_, **__: str(file.parent))
    (file.parent if named else file).chmod(0)
    try:
        with unprivileged(root), pytest.raises(StoreError, match="cannot be read"):
            read_settings(Layout(root), {"OMOIDE_CONFIG": str(file)} if named else {})
    finally:
        file.parent.chmod(0o700)


def test_a_prompt_that_may_not_be_read_is_a_problem_of_runs_that_ask_a_model(root: Path, tmp_path: Path) -> None:
    """Every command ended, and the server answered nothing for good, over texts that only a model is given."""
    (root / "prompts").mkdir()
    (root / "prompts").chmod(0)
    try:
        with unprivileged(root):
            _, problems = read_settings(Layout(root), {"OMOIDE_CONFIG": str(tmp_path / "none.toml")})
    finally:
        (root / "prompts").chmod(0o700)
    assert {path.name for path in problems} == {"extract_system.md", "consolidate_system.md"}
    assert all("Permission denied" in one.message for found in problems.values() for one in found)
