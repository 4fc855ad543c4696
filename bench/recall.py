"""How often the right note is among the first hits: by words alone, by meaning alone, and by both.

    python bench/recall.py locomo10.json --conversations 3

The data is LoCoMo (Maharana et al., 2024): every turn becomes a note, every question names the turns that answer it.
With `--pairs FILE` it is JSON lines `{"note": ..., "question": ...}` instead, each note the answer to its question:
for questions that share no word with their note (implicit recall, as in MADial-Bench).
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from memory_core.enrich import fuse, recall, upkeep
from memory_core.enrich.call import Calls
from memory_core.enrich.circuit import Circuit
from memory_core.enrich.recall import Configured, Question, search
from memory_core.enrich.semantic import Semantic, SentenceEncoder
from memory_core.enrich.state import EnricherState
from memory_core.enrich.upkeep import sync
from memory_core.layout import Layout
from memory_core.scope import ALL
from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.store.vectors import VectorFile

HEAD = "---\ncreated_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\nkind: fact\ndescription: note\n---\n"
KINDS = {1: "several turns", 2: "time", 3: "inference", 4: "one turn", 5: "unanswerable", 0: "implicit"}
Task = tuple[int, str, set[str]]  # kind, question, slugs that answer it


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--conversations", type=int, default=3)
    parser.add_argument("--pairs", action="store_true", help="The data is lines of notes and questions.")
    parser.add_argument("--weights", type=float, nargs="+", default=[0.0, fuse.MEANING, 1.0])
    parser.add_argument("--at", type=int, nargs="+", default=[1, 5, 10])
    options = parser.parse_args()
    stores = list(pairs(options.data)) if options.pairs else list(locomo(options.data))[: options.conversations]
    recall.RECALL_S = upkeep.UPSERT_S = 60.0  # order is measured here, not the machine
    for weight in options.weights:
        fuse.MEANING = weight
        measure(stores, options.at, weight)


def measure(stores: list[tuple[dict[str, str], list[Task]]], at: list[int], weight: float) -> None:
    found: dict[int, list[list[bool]]] = defaultdict(list)
    started = time.perf_counter()
    for texts, tasks in stores:
        with tempfile.TemporaryDirectory() as folder:
            snapshot, one = filled(texts, Path(folder))
            for kind, question, wanted in tasks:
                hits = search(snapshot, Question(question, ALL, limit=max(at)), [one] if weight else []).hits
                found[kind].append([any(hit.slug in wanted for hit in hits[:n]) for n in at])
    seconds = time.perf_counter() - started
    every = [row for rows in found.values() for row in rows]
    print(f"weight of meaning {weight}: {len(every)} questions, {seconds:.0f} s")
    for kind, rows in [*sorted(found.items()), (-1, every)]:
        shares = "  ".join(f"@{n} {sum(row[i] for row in rows) / len(rows):.3f}" for i, n in enumerate(at))
        print(f"  {KINDS.get(kind, 'all'):14}{len(rows):6}  {shares}", flush=True)


def filled(texts: dict[str, str], folder: Path) -> tuple[Snapshot, Configured]:
    snapshot = snapshot_of({f"knowledge/{slug}.md": HEAD + text for slug, text in texts.items()})
    semantic = Semantic(VectorFile(Layout(folder), "semantic", Semantic.model), SentenceEncoder())
    one = Configured(semantic, Calls("semantic", Circuit(time.time)))
    sync(snapshot, one, EnricherState(), lambda _: None)
    return snapshot, one


def locomo(path: Path) -> Iterator[tuple[dict[str, str], list[Task]]]:
    for item in json.loads(path.read_text(encoding="utf-8")):
        turns = [turn for key, value in item["conversation"].items() if isinstance(value, list) for turn in value]
        texts = {slug(turn["dia_id"]): f"{turn['speaker']}: {turn.get('text', '')}" for turn in turns}
        tasks = [
            (qa["category"], qa["question"], {slug(e) for e in qa["evidence"]}) for qa in item["qa"] if qa["evidence"]
        ]
        yield texts, tasks


def pairs(path: Path) -> Iterator[tuple[dict[str, str], list[Task]]]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    yield (
        {f"n-{n}": line["note"] for n, line in enumerate(lines)},
        [(0, line["question"], {f"n-{n}"}) for n, line in enumerate(lines)],
    )


def slug(dialog: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", dialog.lower()).strip("-")


if __name__ == "__main__":
    main()
