"""What is shipped: built twice it is the same bytes, and its dependencies are the ones that are listed."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_wheel_built_twice_is_the_same(tmp_path: Path) -> None:
    """From two copies of the sources in different folders, at different times."""
    hashes = set()
    for name in ("one", "two"):
        copy = tmp_path / name
        copy.mkdir()
        for part in ("memory_core", "server", "prompts", "docs/rules", "editors/neovim"):
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        for file in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copyfile(ROOT / file, copy / file)
        command = [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--outdir",
            str(copy / "dist"),
            str(copy),
        ]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
        subprocess.run(command, check=True, capture_output=True, env=environment)
        hashes.add(hashlib.sha256(next((copy / "dist").glob("*.whl")).read_bytes()).hexdigest())
    assert len(hashes) == 1


def test_every_dependency_is_listed_with_its_licence() -> None:
    page = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([a-z0-9-]+) \| \S+ \| ([^|]+) \|", page, re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    for line in (*project["dependencies"], *extras):
        name = re.split(r"[<>=\[; ]", line, maxsplit=1)[0].lower()
        assert name in rows, f"{name}: run python scripts/dependencies.py"
    assert not [name for name, licence in rows.items() if "not declared" in licence or "AGPL" in licence]


def pins(name: str) -> dict[str, str]:
    """Package -> version of the pinned lines of a requirements file."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


def test_the_lock_has_hashes_of_every_package_and_the_tested_versions() -> None:
    """Run scripts/lock.sh after a change of pyproject.toml or constraints.txt."""
    locked = pins("requirements.lock")
    assert {name: locked.get(name) for name in pins("constraints.txt")} == pins("constraints.txt")
    blocks = re.split(r"^(?=\S)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [block for block in blocks if block.strip() and "--hash=sha256:" not in block] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = [line for lines in project["project"]["optional-dependencies"].values() for line in lines]
    groups = [line for lines in project["dependency-groups"].values() for line in lines]
    asked = {
        re.split(r"[<>=\[; ]", line, maxsplit=1)[0] for line in (*project["project"]["dependencies"], *extras, *groups)
    }
    assert {re.sub(r"[-_.]+", "-", name).lower() for name in asked} <= locked.keys()


def test_the_check_installs_only_what_the_lock_names() -> None:
    for script in ("scripts/check.sh", ".github/workflows/ci.yml"):
        lines = [line for line in (ROOT / script).read_text(encoding="utf-8").splitlines() if "pip install" in line]
        ours = [line for line in lines if not re.search(r'"pip==|pip-audit', line)]
        assert ours
        assert all("--require-hashes" in line or "--no-deps" in line for line in ours)
