"""Evidence recall of session search on LoCoMo (snap-research/LoCoMo, CC BY-NC 4.0: fetch `locomo10.json` yourself).

    python bench/locomo.py PATH/locomo10.json

Turns are entries, conversations are searched one by one; R@k is the gold evidence found in the first k hits divided by
the gold evidence, averaged over the questions that have any. The data is never shipped.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

from memory_core.search import EntryIndex
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker

TARGETS = {5: 0.646, 10: 0.745}


def sessions_of(conversation: dict[str, Any]) -> tuple[list[Session], dict[tuple[str, int], str]]:
    """The sessions of one conversation, and the turn id behind each (session id, entry index)."""
    sessions: list[Session] = []
    turn_ids: dict[tuple[str, int], str] = {}
    keys = [key for key in conversation if re.fullmatch(r"session_\d+", key)]
    for key in sorted(keys, key=lambda name: int(name.split("_")[1])):
        entries: list[Entry] = []
        for number, turn in enumerate(conversation[key]):
            caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']}: {turn['text']}{caption}"
            entries.append(Entry(number, EntryKind.USER_MESSAGE, Speaker.HUMAN, text))
            turn_ids[key, number] = turn["dia_id"]
        sessions.append(Session(key, "locomo", None, tuple(entries)))
    return sessions, turn_ids


def evidence_of(question: dict[str, Any]) -> set[str]:
    """The turn ids that answer a question; the data joins some with semicolons or spaces."""
    return {
        f"D{int(a)}:{int(b)}" for item in question.get("evidence", []) for a, b in re.findall(r"D:?(\d+):(\d+)", item)
    }


def main() -> int:
    """Measure, print, and fail below the targets."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, help="locomo10.json")
    arguments = parser.parse_args()
    recall: dict[int, list[float]] = {k: [] for k in TARGETS}
    started = time.perf_counter()
    for sample in json.loads(arguments.data.read_text(encoding="utf-8")):
        sessions, turn_ids = sessions_of(sample["conversation"])
        index = EntryIndex(sessions)
        for question in sample["qa"]:
            gold = evidence_of(question)
            if not gold:
                continue
            found = [turn_ids[hit.session_id, hit.entry] for hit in index.search(question["question"], max(TARGETS))]
            for k, values in recall.items():
                values.append(len(gold & set(found[:k])) / len(gold))
    seconds = time.perf_counter() - started
    below = False
    for k, values in recall.items():
        mean = sum(values) / len(values)
        below = below or mean < TARGETS[k]
        print(f"R@{k} {mean:.3f} (target {TARGETS[k]}) over {len(values)} questions")
    print(f"{seconds:.1f} s")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
