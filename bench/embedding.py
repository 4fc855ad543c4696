"""What `semantic` costs others and how fast it answers: completion while all records are embedded, then first queries.

    python bench/embedding.py [--records 10000] [--rounds 200] [--searches 5]

A language server answers completions of a generated workspace: first alone, then while `omoide enricher sync` runs as a
search starts it, in the background. Then `omoide search` is run in fresh processes, with the enricher and without.
Nothing of yours is read or written: home, settings and caches are in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generate import generate
from lsp import calibrate, cpu_ms

from memory_core.layout import Layout
from memory_core.store.background import start_upkeep
from tests.protocol.raw_client import RawClient

BUDGET_MS = {1_000: 5.0, 10_000: 8.0, 100_000: 15.0}  # of a completion with a prefix, 95 of 100
QUERY = "how do we get a new version to our users"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=200, help="completions at rest, and at most while embedding")
    parser.add_argument("--searches", type=int, default=5, help="processes started, with and without the enricher")
    options = parser.parse_args()
    print(f"calibration: {calibrate():.0f} ms, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "config.toml").write_text("[enricher.semantic]\n", encoding="utf-8")
        environment = {
            **os.environ,
            "HOME": folder,
            "OMOIDE_CONFIG": str(home / "config.toml"),
            "OMOIDE_CACHE": str(home / "cache"),
            "PYTHONPATH": str(Path(__file__).resolve().parent.parent),
        }
        workspace = home / "workspace"
        slugs = generate(workspace, options.records)
        completions(workspace, slugs, options.records, options.rounds, environment)
        searches(workspace, environment, options.searches)


def completions(workspace: Path, slugs: list[str], records: int, rounds: int, environment: dict[str, str]) -> None:
    budget = BUDGET_MS.get(records)
    client = RawClient(workspace)
    client.initialize(workspace)
    note = (workspace / "README.md").as_uri()
    client.open(note, "see #")
    while client.request("workspace/executeCommand", {"command": "omoide.status"})["roots"][0]["loading"]:
        time.sleep(0.05)
    version = 1

    def ask() -> float:
        nonlocal version
        version += 1
        line = f"see #{random.choice(slugs)[:4]}"
        client.change(note, version, {"text": line})
        client.request("workspace/executeCommand", {"command": "omoide.status"})  # the change is taken in
        started = time.perf_counter()
        assert client.at("completion", note, 0, len(line))
        return (time.perf_counter() - started) * 1000

    show("completion, alone", [ask() for _ in range(rounds)], budget)
    started = time.perf_counter()
    upkeep = start_upkeep(Layout(workspace / ".omoide"), environment)
    assert upkeep is not None
    meanwhile: list[float] = []
    used = 0.0
    while upkeep.poll() is None:
        meanwhile.append(ask())
        used = cpu_ms(upkeep.pid) or used
        time.sleep(0.1)
    show("completion, while embedding", meanwhile, budget)
    took = time.perf_counter() - started
    cpu = f"{used / 1000:.0f} s of processor time"
    print(f"{records:,} records embedded in {took:.0f} s ({cpu}), exit {upkeep.returncode}")
    client.shut_down()
    client.close()


def searches(workspace: Path, environment: dict[str, str], count: int) -> None:
    """Seconds of whole commands, each in a process of its own that has to load everything."""
    command = [sys.executable, "-m", "memory_core", "--workspace", str(workspace), "--json", "search", QUERY]
    plain = {**environment, "OMOIDE_CONFIG": os.devnull}
    quiet = {**environment, "OMOIDE_NO_BACKGROUND": "1"}
    for name, env in (("search, first query, words alone", plain), ("search, first query, with semantic", quiet)):
        times, answered = [], 0
        before = cpu_of_children()
        for _ in range(count):
            started = time.perf_counter()
            done = subprocess.run(command, env=env, capture_output=True, check=True, text=True)
            times.append((time.perf_counter() - started) * 1000)
            late = "warnings" in json.loads(done.stdout)
            answered += not late
            if late:
                time.sleep(16)  # one failure and it is left alone for 15 seconds
        show(name, times, 1_500.0)
        cpu = (cpu_of_children() - before) / count
        print(f"{'':40} {cpu:.2f} s of processor time each; {answered} of {count} had every part in time")


def cpu_of_children() -> float:
    """Seconds of processor time that ended children have used, which other load hardly changes."""
    times = os.times()
    return times.children_user + times.children_system


def show(name: str, values: list[float], budget: float | None) -> None:
    values = sorted(values)
    last = values[min(len(values) - 1, round(0.95 * len(values)))]
    limit = f"  of {budget:,.0f}" if budget else ""
    print(f"{name:40} p50 {statistics.median(values):8.1f}  p95 {last:8.1f}{limit} ms  n {len(values)}", flush=True)


if __name__ == "__main__":
    main()
