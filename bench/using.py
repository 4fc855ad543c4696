"""Hooks in cold processes, the usage log with many writers, and its report: `python bench/using.py [records] [events]`.

Hooks are measured as an agent meets them: one process a call, from start to end, with the load of everything else on
the machine. Nothing is kept.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from memory_core.records.schema import Kind, RecordRef
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.usage import use_event

ROUNDS = 40
WRITERS = 8
RECORD = """---
created_at: 2026-01-01T00:00:00Z
updated_at: 2026-01-02T00:00:00Z
kind: fact
description: What number {number} is, and when to read it.
model_invokation: {resident}
user_invocable: true
last_sources: []
---

# Number {number}

{body}
"""


def make(folder: Path, records: int) -> FileStore:
    """A workspace with so many records, twenty of them resident, with times that can be trusted."""
    layout, _ = create_root(folder)
    for number in range(records):
        text = RECORD.format(number=number, resident=str(number < 20).lower(), body="Some words. " * 60)
        (layout.root / f"knowledge/number-{number}.md").write_text(text, encoding="utf-8")
    layout.config.write_text("[memory]\nresident_for_code_sessions = true\n", encoding="utf-8")
    time.sleep(2.5)
    return FileStore(layout)


def hooks(folder: Path) -> None:
    prompts = {
        "two names": "see #number-7 and #number-8",
        "an unknown name": "see #nunber-7",
        "no name": "fix the tests",
    }
    calls = [("session-start", "session start", ""), *(("prompt-submit", name, text) for name, text in prompts.items())]
    for event, name, prompt in calls:
        data = json.dumps({"session_id": "s", "cwd": str(folder), "prompt": prompt}).encode()
        command = [sys.executable, "-m", "memory_core", "hook", event, "--agent", "claude-code", "--resident"]
        taken: list[float] = []
        for _ in range(ROUNDS + 2):
            start = time.perf_counter()
            subprocess.run(command, input=data, capture_output=True, check=True)
            taken.append((time.perf_counter() - start) * 1_000)
        taken = sorted(taken[2:])  # the first ones write the caches
        p95 = taken[int(len(taken) * 0.95)]
        print(f"hook, {name}: median {statistics.median(taken):.0f} ms, p95 {p95:.0f} ms")


def append(root: str, writer: int, events: int) -> None:
    store = FileStore(create_root(Path(root).parent)[0])
    ref = RecordRef(Kind.KNOWLEDGE, f"number-{writer}")
    for _ in range(events):
        now = datetime.now(UTC)
        store.append_usage(use_event(ref, "text", source="MemoryRead", actor="agent", session_id="s", now=now))


def usage(store: FileStore, events: int) -> None:
    before = sum(row.use_count for row in store.usage_report().rows)
    start = time.perf_counter()
    arguments = [(str(store.layout.root), writer, events) for writer in range(WRITERS)]
    workers = [multiprocessing.Process(target=append, args=each) for each in arguments]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(f"append: {WRITERS} processes × {events:,} events in {time.perf_counter() - start:.1f} s")
    for turn in ("first", "next"):
        start = time.perf_counter()
        found = store.usage_report()
        total = sum(row.use_count for row in found.rows) - before
        print(f"report, {turn}: {total:,} of {WRITERS * events:,} in {time.perf_counter() - start:.2f} s")
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def main() -> None:
    records, events = (int(word) for word in [*sys.argv[1:], "10000", "10000"][:2])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["OMOIDE_CONFIG"] = os.devnull
        store = make(Path(folder), records)
        print(f"{records:,} records")
        hooks(Path(folder))
        usage(store, events)


if __name__ == "__main__":
    main()
