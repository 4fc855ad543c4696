"""What a workspace that nobody trusts decides about what is sent by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.config import Config
from memory_core.layout import Layout
from memory_core.store.settings_files import read_settings
from memory_core.unchosen import Step, unchosen
from server.session_watch import may_call
from server.settings import Settings

MINE = "[provider]\nname = 'openai'\n[memory]\nextract_threshold = 9\nextract_model = 'a'\nconsolidation_model = 'a'\n"


def settings(folder: Path, mine: str, brought: str, **environment: str) -> Config:
    """The settings of a workspace, in which `{workspace}` stands for its folder."""
    layout = Layout(folder / "w/.omoide")
    layout.root.mkdir(parents=True)
    layout.config.write_text(brought, encoding="utf-8")
    (folder / "mine.toml").write_text(mine.replace("{workspace}", str(folder / "w")), encoding="utf-8")
    return read_settings(layout, {"OMOIDE_CONFIG": str(folder / "mine.toml"), **environment})[0]


@pytest.mark.parametrize(
    ("mine", "brought", "step", "setting"),
    [
        (MINE, "", "extract", None),
        (MINE, "[memory]\nextract_model = 'b'\n", "extract", "memory.extract_model"),
        (MINE, "[memory]\nextract_model = 'b'\n", "consolidation", None),
        (MINE, "[memory]\nconsolidation_model = 'b'\n", "consolidation", "memory.consolidation_model"),
        (MINE, "[memory]\nextract_model = 'a'\nextract_threshold = 1\nlanguage = 'ja'\n", "extract", None),
        (MINE.replace("= 9", "= 0"), "[memory]\nextract_threshold = 1\n", "extract", "memory.extract_threshold"),
        (MINE.replace("= 9", "= 0"), "[memory]\nextract_model = 'b'\n", "extract", None),
        ("", "[provider]\nname = 'openai'\n", "consolidation", "provider.name"),
        ("", "[memory]\nextract_threshold = 1\n", "extract", None),
        (MINE, "[provider]\nname = 'builtin'\n[memory]\nextract_model = 'b'\n", "extract", None),
    ],
)
def test_what_a_workspace_chose_that_is_not_trusted_is_named(
    tmp_path: Path, mine: str, brought: str, step: Step, setting: str | None
) -> None:
    """At a gateway the name of a model decides which company reads a log, and what it costs."""
    found = settings(tmp_path, mine, brought)
    assert unchosen(found, step) == setting
    assert may_call(found, Settings(confirm=False)) is (unchosen(found, "extract") is None)


def test_in_a_trusted_workspace_everything_is_the_persons_choice(tmp_path: Path) -> None:
    trusted = "[trust]\nworkspaces = ['{workspace}']\n"
    found = settings(tmp_path, trusted, MINE)
    assert unchosen(found, "extract") is None
    assert may_call(found, Settings(confirm=False))
    assert not may_call(found, Settings())


def test_what_the_environment_says_is_the_persons_choice(tmp_path: Path) -> None:
    said = {"OMOIDE_PROVIDER": "openai", "OMOIDE_MODEL": "a"}
    assert unchosen(settings(tmp_path, MINE, MINE.replace("'a'", "'b'"), **said), "extract") is None


def test_a_provider_that_is_named_for_once_leaves_the_model_to_be_chosen(tmp_path: Path) -> None:
    """A hook that was set up with `--provider openai` sent logs to a model of the repository's."""
    found = settings(tmp_path, "", "[provider]\nname = 'openai'\n[memory]\nconsolidation_model = 'b'\n")
    assert unchosen(found, "consolidation") == "provider.name"
    assert unchosen(found, "consolidation", "openai") == "memory.consolidation_model"
    assert unchosen(found, "consolidation", "builtin") is None
    assert may_call(found, Settings(confirm=False, provider="builtin"))
