"""`omoide install` where an agent's file is a symbolic link: it is followed to what comes with it, and nowhere else."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from memory_core.agents import install as wiring
from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.store.discovery import create_root


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    project = tmp_path / "project"
    project.mkdir()
    return create_root(project)[0]


def put(layout: Layout, agent: str) -> None:
    wiring.write(layout, agent, wiring.install(layout, agent, ["omoide"], resident=False), removing=False)


@pytest.mark.parametrize("name", ["HEAD", "config", "hooks/pre-commit"])
def test_a_link_into_a_repository_by_another_name_is_not_followed(layout: Layout, name: str) -> None:
    """Where case makes no difference `.GIT` is `.git`; a folder is told by what it holds."""
    for part in ("objects", "refs", "hooks"):
        (layout.workspace / "GIT~1" / part).mkdir(parents=True)
    (layout.workspace / "GIT~1/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (layout.workspace / "AGENTS.md").symlink_to(f"GIT~1/{name}")
    with pytest.raises(StoreError, match="own files"):
        put(layout, "agents-md")
    assert (layout.workspace / "GIT~1/HEAD").read_text(encoding="utf-8") == "ref: refs/heads/main\n"


def git(workspace: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(workspace), *words], check=True, capture_output=True)


@pytest.mark.parametrize(("agent", "path"), [("copilot", ".github/hooks/omoide.json"), ("agents-md", "AGENTS.md")])
def test_a_link_of_a_repository_to_a_file_of_the_persons_is_not_followed(layout: Layout, agent: str, path: str) -> None:
    """A clone brings the link, and `.env` is not in it: it was overwritten, and removed again by `--uninstall`."""
    link = layout.workspace / path
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(os.path.relpath(layout.workspace / ".env", link.parent))
    (layout.workspace / ".env").write_text("DB=only-copy\n", encoding="utf-8")
    git(layout.workspace, "init", "-q")
    git(layout.workspace, "add", path)
    for change in (lambda: put(layout, agent), lambda: wiring.uninstall(layout, agent)):
        with pytest.raises(StoreError, match="not the repository's to change"):
            change()
    assert (layout.workspace / ".env").read_text(encoding="utf-8") == "DB=only-copy\n"


def test_a_link_to_a_file_of_the_same_repository_and_a_persons_own_link_are_followed(layout: Layout) -> None:
    """`AGENTS.md` as a link to `CLAUDE.md` is common."""
    (layout.workspace / "CLAUDE.md").write_text("# Rules\n", encoding="utf-8")
    (layout.workspace / "AGENTS.md").symlink_to("CLAUDE.md")
    git(layout.workspace, "init", "-q")
    put(layout, "agents-md")  # neither is tracked
    assert "omoide" in (layout.workspace / "CLAUDE.md").read_text(encoding="utf-8")
    wiring.write(layout, "agents-md", wiring.uninstall(layout, "agents-md"), removing=True)
    git(layout.workspace, "add", "AGENTS.md", "CLAUDE.md")
    put(layout, "agents-md")
    assert "omoide" in (layout.workspace / "CLAUDE.md").read_text(encoding="utf-8")


def test_a_file_that_is_all_ours_is_written_through_no_link(layout: Layout) -> None:
    """What it was before would be kept nowhere but in a cache."""
    link = layout.workspace / ".github/hooks/omoide.json"
    link.parent.mkdir(parents=True)
    link.symlink_to("mine.json")
    (link.parent / "mine.json").write_text("{}", encoding="utf-8")
    with pytest.raises(StoreError, match="replace the link by a file"):
        put(layout, "copilot")
    assert (link.parent / "mine.json").read_text(encoding="utf-8") == "{}"
