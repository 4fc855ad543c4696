"""The same questions asked of other Markdown language servers, of the same records with ordinary links.

Knows rumdl, a linter and language server in Rust that installs from PyPI, and vscode-markdown-languageserver, which VS
Code brings along (npm, Node 22 or newer; `vscode_markdown.cjs` stands in for the editor it needs). They know no
`#slug`: each becomes a link to the file of the record.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.protocol.raw_client import RawClient

Samples = dict[str, list[float]]
_SLUG = re.compile(r"(?<= )#([a-z]+-[a-z]+-\d+)")
PATIENCE_S = 300.0


@dataclass(frozen=True)
class Peer:
    """A server to be measured. `says_when`: it reports when its index is built; else that is when it first answers who
    refers to a record."""

    name: str
    command: Callable[[Path], Sequence[str]]  # given the folder of the workspace
    says_when: bool
    initialization: dict[str, Any] | None = None
    settings: dict[str, Any] | None = None


def rumdl(program: str) -> Peer:
    return Peer("rumdl", lambda _folder: [program, "server"], says_when=True)


def vscode_markdown(node: str, folder: Path) -> Peer:
    """`folder` holds `node_modules` with vscode-markdown-languageserver and markdown-it."""
    stand_in = str(Path(__file__).with_name("vscode_markdown.cjs"))
    return Peer(
        "vscode-markdown-languageserver",
        lambda workspace: [node, stand_in, str(folder), str(workspace)],
        says_when=False,
        initialization={"markdownFileExtensions": ["md"]},
        settings={"markdown": {"suggest": {"paths": {"enabled": True}}, "validate": {"enabled": False}}},
    )


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


def measure_peer(
    peer: Peer, root: Path, slugs: list[str], hub: str, rounds: int, starts: int, rss_mb: Callable[[int], float]
) -> Samples:
    """Starts, index and answers of a peer."""
    found: Samples = {}
    folder = root.parent / "links"
    if not folder.is_dir():
        with_links(root, folder)
    for number in range(starts):
        client = RawClient(folder, command=list(peer.command(folder)))
        more = {"initializationOptions": peer.initialization} if peer.initialization else {}
        client.initialize(folder, **more)
        initialized = time.perf_counter()
        if peer.settings:
            client.notify("workspace/didChangeConfiguration", {"settings": peer.settings})
        found.setdefault("start to initialize", []).append((initialized - client.started) * 1000)
        if peer.says_when:
            _wait_for_index(client)
        else:
            _first_references(client, folder, slugs[0])
        found.setdefault("initialize to index built", []).append((time.perf_counter() - initialized) * 1000)
        found.setdefault("memory after index, MB", []).append(_with_children(client.process.pid, rss_mb))
        if number < starts - 1:
            client.close()
    _ask(client, folder, slugs, hub, rounds, found)
    found["memory after all questions, MB"] = [_with_children(client.process.pid, rss_mb)]
    client.close()
    return found


def _with_children(pid: int, rss_mb: Callable[[int], float]) -> float:
    """The memory of the server: of the only child where a stand-in for the editor started it."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        children = []
    return rss_mb(int(children[0])) if children else rss_mb(pid)


def _wait_for_index(client: RawClient) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not any(_ends_index(message) for message in client.received):
        if time.monotonic() > deadline:
            raise TimeoutError("the server does not say that its index is built")
        time.sleep(0.005)


def _ends_index(message: dict[str, Any]) -> bool:
    return message.get("method") == "$/progress" and message["params"]["value"].get("kind") == "end"


def _first_references(client: RawClient, folder: Path, slug: str) -> None:
    note = (folder / "FIRST.md").as_uri()
    client.open(note, f"see [x](knowledge/{slug}.md)")
    position = {"line": 0, "character": 20}
    params = {"textDocument": {"uri": note}, "position": position, "context": {"includeDeclaration": False}}
    client.request("textDocument/references", params, PATIENCE_S)


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
            params = {"textDocument": {"uri": note}, "position": {"line": 0, "character": len(content) - back}, **more}
            started = time.perf_counter()
            answer = client.request(f"textDocument/{method}", params, PATIENCE_S)
            found.setdefault(name, []).append((time.perf_counter() - started) * 1000)
            if method == "completion":
                items = answer["items"] if isinstance(answer, dict) else answer
                found.setdefault(f"{name}, items", []).append(float(len(items or ())))

    def link() -> str:
        return f"see [x](knowledge/{chance.choice(slugs)}.md)"

    declared = {"context": {"includeDeclaration": False}}
    sample("completion, prefix", lambda: f"see [x](knowledge/{chance.choice(slugs)[:4]}", "completion")
    sample("completion, empty", lambda: "see [x](", "completion")
    sample("hover", link, "hover", back=6)
    sample("definition", link, "definition", back=6)
    sample("references of a record", link, "references", back=6, **declared)
    sample("references of a hub", lambda: f"see [x](knowledge/{hub}.md)", "references", back=6, **declared)
    for _ in range(max(5, rounds // 10)):
        started = time.perf_counter()
        client.request("workspace/symbol", {"query": chance.choice(slugs)[:5]}, PATIENCE_S)
        found.setdefault("workspace symbols", []).append((time.perf_counter() - started) * 1000)
