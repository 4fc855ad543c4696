"""Evidence recall of session search on LoCoMo (snap-research/LoCoMo, CC BY-NC 4.0: fetch `locomo10.json` yourself).

    python bench/locomo.py PATH/locomo10.json [--leave-one-out]

Turns are entries, conversations are searched one by one; R@k is the gold evidence found in the first k hits divided by
the gold evidence, averaged over the questions that have any. With `--leave-one-out` each conversation is searched with
the weights that are best on the other nine, so that no figure is of data its weights were chosen on. The data is never
shipped.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core.search import EntryIndex, Weights
from memory_core.search.words import query_tokens
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker

TARGETS = {5: 0.646, 10: 0.745}
GRID = [
    Weights((before, before_two), (after, after_two), session)
    for before, before_two, after, after_two, session in itertools.product(
        (0.4, 0.5), (0.0, 0.25), (0.2, 0.3), (0.0, 0.2), (0.6, 0.8, 1.0, 1.3)
    )
]
Sums = list[float]  # of the recall at each k, in the order of TARGETS


@dataclass(frozen=True)
class Question:
    """What a question finds by its own words, and the turns that answer it."""

    gold: frozenset[str]
    own: dict[int, float]
    prior: dict[int, float]


@dataclass(frozen=True)
class Conversation:
    """One conversation, indexed, with its questions prepared. `turns`: the turn id of each scored entry."""

    index: EntryIndex
    turns: dict[int, str]
    questions: tuple[Question, ...]

    def recall(self, weights: Weights) -> Sums:
        """The sum of the recall over the questions, for each k."""
        sums = [0.0 for _ in TARGETS]
        for question in self.questions:
            scores = self.index.combined(question.own, question.prior, weights)
            best = sorted(scores, key=lambda number: (-scores[number], number))[: max(TARGETS)]
            found = [self.turns[number] for number in best]
            for n, k in enumerate(TARGETS):
                sums[n] += len(question.gold & set(found[:k])) / len(question.gold)
        return sums


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


def prepared(sample: dict[str, Any]) -> Conversation:
    """A conversation of the file, indexed once for all weights."""
    sessions, turn_ids = sessions_of(sample["conversation"])
    index = EntryIndex(sessions)
    questions: list[Question] = []
    for question in sample["qa"]:
        if gold := evidence_of(question):
            questions.append(Question(frozenset(gold), *index.parts(query_tokens(question["question"]))))
    turns = {number: turn_ids[index.place(number)] for number in range(len(index))}
    return Conversation(index, turns, tuple(questions))


def leave_one_out(conversations: Sequence[Conversation]) -> list[tuple[Weights, Sums]]:
    """For each conversation the weights that are best on all others, and its recall with them."""
    table = {weights: [conversation.recall(weights) for conversation in conversations] for weights in GRID}
    chosen: list[tuple[Weights, Sums]] = []
    for left_out in range(len(conversations)):
        best = max(GRID, key=lambda weights: sum(sum(sums) for n, sums in enumerate(table[weights]) if n != left_out))
        chosen.append((best, table[best][left_out]))
    return chosen


def main() -> int:
    """Measure, print, and fail below the targets."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, help="locomo10.json")
    parser.add_argument("--leave-one-out", action="store_true", help="choose weights on nine, measure the tenth")
    arguments = parser.parse_args()
    started = time.perf_counter()
    conversations = [prepared(sample) for sample in json.loads(arguments.data.read_text(encoding="utf-8"))]
    total = sum(len(conversation.questions) for conversation in conversations)
    if arguments.leave_one_out:
        chosen = leave_one_out(conversations)
        for number, (weights, sums) in enumerate(chosen):
            count = len(conversations[number].questions)
            figures = ", ".join(f"R@{k} {value / count:.3f}" for k, value in zip(TARGETS, sums, strict=True))
            print(f"conversation {number}: {figures} with {weights}")
        recalls = [sums for _, sums in chosen]
    else:
        recalls = [conversation.recall(Weights()) for conversation in conversations]
    below = False
    for n, k in enumerate(TARGETS):
        mean = sum(sums[n] for sums in recalls) / total
        below = below or mean < TARGETS[k]
        print(f"R@{k} {mean:.4f} (target {TARGETS[k]}) over {total} questions")
    print(f"{time.perf_counter() - started:.1f} s")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
