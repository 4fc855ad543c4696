"""Anchors of known candidates, from the tool call to the staging file, on LoCoMo (fetch `locomo10.json` yourself).

    python bench/anchors.py PATH/locomo10.json

LoCoMo (snap-research/LoCoMo, CC BY-NC 4.0) says for 2,541 observations which turns they come from. Each is handed in as
a candidate with the ids of those turns, staged, read back, and its anchors are looked up in the session: every one must
name the entry it came from. The data is never shipped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_core.config import Config, MemorySettings
from memory_core.extract.job import extract_session
from memory_core.extract.task import ExtractRun, Slice
from memory_core.extract.tools import ExtractToolbox
from memory_core.ports import Silent
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.worker import Work, WorkerReport

_PART = 20  # candidates of one array: what a payload may hold
_NOW = datetime(2026, 1, 31, tzinfo=UTC)


@dataclass(frozen=True)
class Known:
    """An observation and the turns it comes from."""

    text: str
    turns: tuple[str, ...]


class Teller:
    """A worker that hands in what is known of a slice."""

    name = "known"
    model: str | None = None

    def __init__(self, known: Sequence[Known], turns: Mapping[str, int]) -> None:
        self._known = known
        self._turns = turns

    async def run(self, work: Work, view: Slice) -> WorkerReport:  # noqa: ARG002 - it knows
        assert isinstance(work.toolbox, ExtractToolbox)
        ids = {item.entries[0]: item.id for item in work.toolbox.items}
        attempts = [
            {
                "action": known.text,
                "result": known.text,
                "succeeded": True,
                "evidence": [ids[self._turns[turn]] for turn in known.turns],
            }
            for known in self._known
        ]
        result = work.toolbox.call("write_extracted", {"attempts": attempts})
        return WorkerReport(turns=1, stopped=result.text if result.is_error else None)


def known_in(conversation: Mapping[str, Any], turns: Mapping[str, int]) -> Iterator[list[Known]]:
    """The observations of each session of a conversation, in parts that a payload can hold."""
    for by_speaker in conversation["observation"].values():
        found = []
        for observations in by_speaker.values():
            for text, said in observations:
                named = re.findall(r"D\d+:\d+", " ".join(said) if isinstance(said, list) else said)
                found.append(Known(text, tuple(name for name in named if name in turns)))
        yield from (found[at : at + _PART] for at in range(0, len(found), _PART))


def session_of(conversation: Mapping[str, Any], number: int) -> tuple[Session, dict[str, int]]:
    """A conversation as a session, and the entry of each turn."""
    talk = conversation["conversation"]
    turns: dict[str, int] = {}
    entries: list[Entry] = []
    for name in sorted((n for n in talk if re.fullmatch(r"session_\d+", n)), key=lambda n: int(n[8:])):
        for turn in talk[name]:
            human = turn["speaker"] == talk["speaker_a"]
            kind = EntryKind.USER_MESSAGE if human else EntryKind.ASSISTANT_MESSAGE
            speaker = Speaker.HUMAN if human else Speaker.ASSISTANT
            turns[turn["dia_id"]] = len(entries)
            text = turn["text"] or "(a picture)"
            entries.append(Entry(len(entries), kind, speaker, text, native_id=turn["dia_id"]))
    return Session(f"locomo-{number}", "locomo", None, tuple(entries)), turns


async def staged(session: Session, known: Sequence[Known], turns: Mapping[str, int], folder: Path) -> tuple[int, int]:
    """(candidates that were staged, of those: with every anchor at its turn) in a store of its own."""
    layout, _ = create_root(folder)
    store = FileStore(layout, lambda: _NOW)
    config = Config(memory=MemorySettings(extract_worker_max_input_tokens=10_000_000))  # all in one slice
    runs: list[ExtractRun] = await extract_session(
        session, store=store, worker=Teller(known, turns), config=config, progress=Silent(), now=lambda: _NOW
    )
    assert all(run.status == "staged" for run in runs), runs
    resolved = found = 0
    for ref in (ref for file in store.staging().files for ref in file.candidates()):
        found += 1
        want = known[int(ref.id.rsplit("/", 1)[-1])]
        places = {(turns[turn], turns[turn]) for turn in want.turns}
        anchors = ref.candidate.evidence
        right = {anchor.entry_range for anchor in anchors} == places
        names = {session.entries[anchor.entry_range[0]].native_id for anchor in anchors}
        resolved += right and names == set(want.turns)
    return found, resolved


async def measure(conversations: Sequence[Mapping[str, Any]]) -> tuple[int, int, int]:
    """(candidates known, staged, with every anchor at its turn) over all conversations."""
    known = found = resolved = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, conversation in enumerate(conversations):
            session, turns = session_of(conversation, number)
            for part, some in enumerate(known_in(conversation, turns)):
                place = Path(folder) / f"{number}-{part}"
                place.mkdir()
                counts = await staged(session, some, turns, place)
                known, found, resolved = known + len(some), found + counts[0], resolved + counts[1]
    return known, found, resolved


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="locomo10.json")
    path = parser.parse_args().data
    if not path.is_file():
        print(f"{path} is not there: nothing was measured.")
        return 0
    known, found, resolved = asyncio.run(measure(json.loads(path.read_text(encoding="utf-8"))))
    print(f"{known} candidates known, {found} staged, {resolved} with every anchor at its turn")
    return 0 if known and known == found == resolved else 1


if __name__ == "__main__":
    sys.exit(main())
