"""What is installed is what the documents promise."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(out.glob("*.whl"))


def test_the_wheel_holds_two_packages_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"memory_core", "server"}


def test_prompts_rule_pages_and_demo_data_are_inside(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for folder, ending in (("_prompts", ".md"), ("_rules", ".md"), ("demo_data", ".jsonl")):
        assert any(n.startswith(f"memory_core/{folder}/") and n.endswith(ending) for n in names), folder


def test_the_console_script_never_imports_the_server(tmp_path: Path) -> None:
    """A workspace may hold a package `server` of its own."""
    (tmp_path / "server").mkdir()
    (tmp_path / "server/__init__.py").write_text("raise SystemExit('the wrong server')")
    code = (
        "import sys; from memory_core.cli import main; print([m for m in sys.modules if m.split('.')[0] == 'server'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_layout_and_the_packages_are_the_prescribed_ones() -> None:
    """F4: top level and dependencies by name."""
    for name in ("pyproject.toml", "server", "memory_core", "prompts", "tests", "editors/vscode", "README.md"):
        assert (ROOT / name).exists(), name
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {re.split(r"[<>=~! ]", dependency)[0].lower() for dependency in project["dependencies"]}
    assert {"pygls", "lsprotocol", "pydantic", "tiktoken", "python-frontmatter", "openai"} <= named


def test_every_dependency_has_a_tested_version() -> None:
    """A fresh machine gets what was tested."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = {
        line.split("==")[0].lower().replace("_", "-")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    for dependency in project["dependencies"]:
        assert re.split(r"[<>=~! ]", dependency)[0].lower() in pinned


def test_extract_is_started_by_a_command_a_hook_or_the_end_of_a_run_and_by_nothing_else() -> None:
    """A11: no extraction per model call; whoever wants one calls the workspace."""
    callers = {
        path.relative_to(ROOT).as_posix()
        for folder in ("memory_core", "server")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"\b(?:extract_sessions?|workspace\.extract)\(", path.read_text(encoding="utf-8"))
    }
    assert callers == {
        "memory_core/workspace.py",
        "memory_core/extract/job.py",
        "memory_core/extract/several.py",
        "memory_core/cli/jobs.py",
        "memory_core/demo/story.py",
        "server/commands/extract.py",
        "server/session_watch.py",
    }
