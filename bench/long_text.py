"""A file of 12,000 lines under a person's fingers: what an edit costs, and what is asked right behind one."""

from __future__ import annotations

import time
from pathlib import Path

from tests.protocol.raw_client import RawClient

Samples = dict[str, list[float]]
LINES = 12_000


def long_text(slugs: list[str]) -> str:
    """Prose with links, code, lists and fences, and a reference in every seventh line."""
    lines: list[str] = []
    while len(lines) < LINES:
        slug = slugs[len(lines) % len(slugs)]
        lines += [
            f"## Part {len(lines)}",
            "",
            f"Some `code`, [a link](https://example.org/a#b), #{slug} and <b>more</b>.",
        ]
        lines += [
            "Another line of plain words, for the length of it.",
            "",
            f"- first #{slug}",
            "- [second](notes.md)",
            "",
        ]
        lines += ["```sh", "# a comment", "run --it", "```", ""]
    return "\n".join(lines[:LINES]) + "\n"


def edit_long_text(client: RawClient, workspace: Path, slugs: list[str], rounds: int, found: Samples) -> None:
    """Keys pressed one by one, in the middle and near the end."""
    uri = (workspace / "LONG.md").as_uri()
    client.open(uri, long_text(slugs))
    client.at("hover", uri, 0, 0)
    version = 1

    def press(line: int, text: str) -> None:
        nonlocal version
        version += 1
        here = {"line": line, "character": 0}
        client.change(uri, version, {"range": {"start": here, "end": here}, "text": text})

    for number in range(rounds):
        line = (5_200, 11_700)[number * 2 // rounds]  # the blank line behind a heading
        started = time.perf_counter()
        client.request("workspace/executeCommand", {"command": "omoide.status"})
        bare = time.perf_counter() - started
        started = time.perf_counter()
        press(line, "x")
        client.request("workspace/executeCommand", {"command": "omoide.status"})
        row = "didChange, 12,000 lines"
        found.setdefault(row, []).append(max(0.0, time.perf_counter() - started - bare) * 1000)
        typed = f"see #{slugs[number % len(slugs)][:4]} "
        press(line, typed)
        started = time.perf_counter()
        client.at("completion", uri, line, len(typed) - 1)
        found.setdefault("completion behind an edit, 12,000 lines", []).append((time.perf_counter() - started) * 1000)
        press(line, "y")
        started = time.perf_counter()
        client.at("hover", uri, line, 6)
        found.setdefault("hover behind an edit, 12,000 lines", []).append((time.perf_counter() - started) * 1000)
