"""The same questions asked of another Markdown language server, of the same records with ordinary links.

Knows rumdl, a linter and language server in Rust that installs from PyPI. It knows no `#slug`: each becomes a link to
the file of the record.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.protocol.raw_client import RawClient

Samples = dict[str, list[float]]
_SLUG = re.compile(r"(?<= )#([a-z]+-[a-z]+-\d+)")


def with_links(root: Path, folder: Path) -> None:
    """Copy the records of a root into a folder, as a Markdown server that knows links likes them."""
    for source in root.rglob("*.md"):
        path = source.relative_to(root)
        up = "../" * (len(path.parts) - 1)
        text = source.read_text(encoding="utf-8")
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(
            _SLUG.sub(lambda match, up=up: f"[{match[1]}]({up}knowledge/{match[1]}.md)", text),
            encoding="utf-8",
            newline="\n",
        )


def measure_rumdl(
    program: str, root: Path, slugs: list[str], hub: str, rounds: int, starts: int, rss_mb: Callable[[int], float]
) -> Samples:
    """Starts, index and answers of `rumdl server`."""
    found: Samples = {}
    folder = root.parent / "links"
    with_links(root, folder)
    for number in range(starts):
        client = RawClient(folder, command=[program, "server"])
        client.initialize(folder)
        initialized = time.perf_counter()
        found.setdefault("start to initialize", []).append((initialized - client.started) * 1000)
        _wait_for_index(client)
        found.setdefault("initialize to index built", []).append((time.perf_counter() - initialized) * 1000)
        found.setdefault("memory after index, MB", []).append(rss_mb(client.process.pid))
        if number < starts - 1:
            client.close()
    _ask(client, folder, slugs, hub, rounds, found)
    found["memory after all questions, MB"] = [rss_mb(client.process.pid)]
    client.close()
    return found


def _wait_for_index(client: RawClient) -> None:
    deadline = time.monotonic() + 300
    while not any(_ends_index(message) for message in client.received):
        if time.monotonic() > deadline:
            raise TimeoutError("rumdl does not say that its index is built")
        time.sleep(0.005)


def _ends_index(message: dict[str, Any]) -> bool:
    return message.get("method") == "$/progress" and message["params"]["value"].get("kind") == "end"


def _ask(client: RawClient, folder: Path, slugs: list[str], hub: str, rounds: int, found: Samples) -> None:
    chance = random.Random(1)
    note = (folder / "README.md").as_uri()
    client.open(note, "")
    version = 1

    def sample(name: str, line: Callable[[], str], method: str, back: int = 0, **more: Any) -> None:
        nonlocal version
        for _ in range(rounds):
            content, version = line(), version + 1
            client.change(note, version, {"text": content})
            client.at("hover", note, 0, 0)  # the change is taken in
            started = time.perf_counter()
            client.at(method, note, 0, len(content) - back, **more)
            found.setdefault(name, []).append((time.perf_counter() - started) * 1000)

    def link() -> str:
        return f"see [x](knowledge/{chance.choice(slugs)}.md)"

    declared = {"context": {"includeDeclaration": False}}
    sample("completion, prefix", lambda: f"see [x](knowledge/{chance.choice(slugs)[:4]}", "completion")
    sample("completion, empty", lambda: "see [x](", "completion")
    sample("hover", link, "hover", back=6)
    sample("definition", link, "definition", back=6)
    sample("references of a record", link, "references", back=6, **declared)
    sample("references of a hub", lambda: f"see [x](knowledge/{hub}.md)", "references", back=6, **declared)
