"""Many mixed messages to one server: is every request answered, and does its memory grow?

    python bench/soak.py [--messages 10000] [--records 1000]

Edits, completions, hovers, definitions, references, symbols, cancelled requests, documents opened and closed, records
saved, requests about documents that nobody opened and about methods that do not exist. Memory is compared after a
first tenth, when everything has been used once.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generate import generate
from lsp import rss_mb

from tests.protocol.raw_client import RawClient

GROWTH_MB = 10.0


class Soak:
    """One run. `asked`: requests sent; `lost`: those that were not answered; `refused`: answered by an error."""

    def __init__(self, client: RawClient, workspace: Path, slugs: list[str]) -> None:
        self.client = client
        self.workspace = workspace
        self.slugs = slugs
        self.chance = random.Random(5)
        self.asked = self.lost = self.refused = self.sent = 0
        self.version = 1
        self.note = (workspace / "README.md").as_uri()
        self.record = workspace / f".omoide/knowledge/{slugs[0]}.md"
        self.text = self.record.read_text(encoding="utf-8")
        client.open(self.note, "see #")
        client.open(self.record.as_uri(), self.text)

    def run(self, messages: int) -> None:
        """Send so many messages, in small heaps, and take all answers."""
        end = self.sent + messages
        while self.sent < end:
            waiting = [number for _ in range(20) if (number := self._one()) is not None]
            for number in waiting:
                self._take(number)
            self.client.received.clear()  # diagnostics and progress, which nobody asked for here

    def _take(self, number: int) -> None:
        self.asked += 1
        try:
            self.refused += "error" in self.client.answer(number)
        except AssertionError:
            self.lost += 1

    def _one(self) -> int | None:
        """One message; the id where it is a request."""
        self.sent += 1
        self.version += 1
        slug = self.chance.choice(self.slugs)
        match self.chance.randrange(12):
            case 0 | 1:
                self.client.change(self.note, self.version, {"text": f"see #{slug} and #{slug[:4]}"})
            case 2:
                self.client.change(self.record.as_uri(), self.version, {"text": f"{self.text}see #{slug}\n"})
            case 3:
                uri = (self.workspace / f"other-{self.version % 7}.md").as_uri()
                self.client.open(uri, f"#{slug}")
                self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
            case 4 | 5:
                return self._ask("textDocument/completion", 0, 8)
            case 6:
                return self._ask("textDocument/hover", 0, 6)
            case 7:
                return self._ask("textDocument/definition", 0, 6)
            case 8:
                return self._ask("textDocument/references", 0, 6, context={"includeDeclaration": False})
            case 9:
                return self.client.begin("workspace/symbol", {"query": slug[:5]})
            case 10:
                number = self._ask("textDocument/completion", 0, 8)
                self.client.notify("$/cancelRequest", {"id": number})
                return number
            case _:
                return self.client.begin("textDocument/nonsense", {"textDocument": {"uri": "untitled:x"}})
        return None

    def _ask(self, method: str, line: int, character: int, **more: object) -> int:
        position = {"line": line, "character": character}
        return self.client.begin(method, {"textDocument": {"uri": self.note}, "position": position, **more})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--records", type=int, default=1_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder)
        slugs = generate(workspace, options.records)
        client = RawClient(workspace)
        client.initialize(workspace)
        soak = Soak(client, workspace, slugs)
        started = time.perf_counter()
        soak.run(options.messages // 10)
        before = rss_mb(client.process.pid)
        soak.run(options.messages - options.messages // 10)
        after = rss_mb(client.process.pid)
        seconds = time.perf_counter() - started
        code = client.shut_down()
        client.close()
    print(f"{soak.sent:,} messages, {soak.asked:,} requests: {soak.lost} lost, {soak.refused:,} answered by an error")
    print(f"{before:.1f} MB after a tenth, {after:.1f} MB at the end; {seconds:.0f} s; exit code {code}")
    return int(soak.lost > 0 or after - before >= GROWTH_MB or code != 0)


if __name__ == "__main__":
    sys.exit(main())
