"""A workspace on disk and clients of a real server process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.protocol.raw_client import RawClient

HEAD = """\
---
created_at: 2026-06-01T00:00:00Z
updated_at: 2026-06-10T00:00:00Z
kind: policy
description: "{description}"
model_invokation: false
user_invocable: true
last_sources: []
---
"""

NewClient = Callable[..., RawClient]


def knowledge(description: str = "Something.", body: str = "Text.\n") -> str:
    return HEAD.format(description=description) + body


def make_root(folder: Path, records: dict[str, str]) -> Path:
    """A memory root in a folder, with records by path below the root."""
    for name in ("memory/decisions", "memory/requests", "knowledge", "workflow"):
        (folder / ".omoide" / name).mkdir(parents=True, exist_ok=True)
    for path, text in records.items():
        (folder / ".omoide" / path).write_text(text, encoding="utf-8", newline="")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with nothing in it: neither the developer's settings nor their sessions get into a test."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    records = {
        "knowledge/api-keys.md": knowledge("Where keys live", "# Keys\n\nIn the vault.\n"),
        "knowledge/api-limits.md": knowledge("How much is allowed"),
        "workflow/release.md": '---\ndescription: "How to release"\nrequires: [api-keys]\n---\nSteps.\n',
    }
    return make_root(tmp_path / "project", records)


@pytest.fixture
def new_client(home: Path, tmp_path: Path) -> Iterator[NewClient]:
    """Starts servers; whatever a test leaves running is ended."""
    clients: list[RawClient] = []

    def start(cwd: Path | None = None, **options: object) -> RawClient:
        environment = {"HOME": str(home), "USERPROFILE": str(home), "OMOIDE_CONFIG": str(home / "omoide.toml")}
        environment |= options.pop("environment", {})  # type: ignore[arg-type]
        client = RawClient(cwd or tmp_path, environment=environment, **options)  # type: ignore[arg-type]
        clients.append(client)
        return client

    yield start
    for client in clients:
        client.close()


@pytest.fixture
def client(new_client: NewClient, workspace: Path) -> RawClient:
    """A client that has met its server, in `workspace`."""
    client = new_client(workspace)
    client.initialize(workspace)
    return client
