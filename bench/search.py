"""Seconds a search over records takes, from a store on disk and from a snapshot that is there already.

    python bench/search.py --sizes 1000 10000

The words of the queries: one that few records have, one that most have, two of them, and one of a script without
spaces that none has.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from generate import generate

from memory_core.layout import Layout
from memory_core.search import search_records
from memory_core.store.filestore import FileStore

QUERIES = ("cache 000123", "deploy", "policy route", "データベース")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{'records':>8}  {'query':24}{'hits':>6}{'first, ms':>11}{'again, ms':>11}")
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            generate(Path(folder), size)
            store = FileStore(Layout(Path(folder) / ".omoide"))
            for query in QUERIES:
                measure(store, query, size, options.rounds)


def measure(store: FileStore, query: str, size: int, rounds: int) -> None:
    """One line: a search with the store read for it, then the median of more on the same snapshot."""
    started = time.perf_counter()
    snapshot = store.load()
    hits = search_records(snapshot, query)
    first = time.perf_counter() - started
    again = []
    for _ in range(rounds):
        started = time.perf_counter()
        search_records(snapshot, query)
        again.append(time.perf_counter() - started)
    print(f"{size:8}  {query:24}{len(hits):6}{first * 1000:11.0f}{statistics.median(again) * 1000:11.0f}", flush=True)


if __name__ == "__main__":
    main()
