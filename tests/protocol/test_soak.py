"""Many messages of every kind in one session: no answer is lost, and memory stays where it was.

A small run for every check of the project; `bench` has the one of ten thousand messages with its bound on memory.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import RawClient

pytestmark = pytest.mark.protocol

MESSAGES, BATCH, SETTLED = 1_500, 125, 500
GROWTH_MB = 10.0
TEXT = "see #api-1 and 日本 👋 #api-2\n"


def resident_mb(process_id: int) -> float:
    status = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


class Typist:
    """Sends one message after the other at random; the ids of what must be answered are in `open`."""

    def __init__(self, client: RawClient, folder: Path) -> None:
        self.client = client
        self.random = random.Random(20_260_601)
        self.version = 1
        self.open: list[int] = []
        self.uris = [(folder / name).as_uri() for name in ("a.md", "b.py", ".omoide/knowledge/api-1.md")]
        for uri in self.uris:
            client.open(uri, knowledge(body=TEXT * 20), "python" if uri.endswith("py") else "markdown")

    def step(self) -> None:
        uri = self.random.choice(self.uris)
        place = {"line": self.random.randrange(0, 40), "character": self.random.randrange(0, 40)}
        match self.random.randrange(10):
            case 0 | 1 | 2:
                self.version += 1
                end = {"line": place["line"], "character": place["character"] + self.random.randrange(2)}
                new = self.random.choice(["x", "#", "\n", "", "👋", "#api-2 "])
                self.client.change(uri, self.version, {"range": {"start": place, "end": end}, "text": new})
            case 3:
                self.version += 1
                self.client.change(uri, self.version, {"text": knowledge(body=TEXT * 20)})
            case 4:
                self.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
            case 5:
                self.client.notify("$/cancelRequest", {"id": self.ask("completion", uri, place)})
            case 6:
                self.ask("definition", uri, place)
            case 7:
                self.ask("references", uri, place, context={"includeDeclaration": True})
            case 8:
                self.ask("hover", uri, place)
            case _:
                self.ask("completion", uri, place)

    def ask(self, method: str, uri: str, place: dict[str, int], **more: object) -> int:
        number = self.client.begin(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place, **more})
        self.open.append(number)
        return number


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_bug_09_every_request_among_many_messages_is_answered(new_client: NewClient, tmp_path: Path) -> None:
    """markdown-oxide#208 and #473, marksman#406."""
    records = {f"knowledge/api-{n}.md": knowledge(f"Number {n}", f"# {n}\n\nsee #api-{n + 1}\n") for n in range(300)}
    folder = make_root(tmp_path / "project", records)
    client = new_client(folder)
    client.initialize(folder)
    typist = Typist(client, folder)
    before = 0.0
    for sent in range(0, MESSAGES, BATCH):
        for _ in range(BATCH):
            typist.step()
        for number in typist.open:
            answer = client.answer(number)
            assert "result" in answer or answer["error"]["code"] == -32800, answer
        typist.open.clear()
        client.received.clear()
        if sent == SETTLED:
            before = resident_mb(client.process.pid)
    after = resident_mb(client.process.pid)
    assert client.shut_down() == 0
    assert client.stderr == ""
    print(f"{before:.1f} MB, then {after:.1f} MB")
    assert after - before < GROWTH_MB, f"{before:.1f} MB, then {after:.1f} MB"
