"""A consolidation by the built-in rules in a large store: time, memory, how often it reports, how fast it stops.

    python bench/consolidate.py [--records 10000] [--candidates 1000] [--profile FILE]

Generates the store and the candidates in a temporary folder and measures in a process of its own. Targets: 60 s and
500 MB for 10,000 records and 1,000 candidates; a second run over the same candidates adds nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from generate import WORDS, generate  # noqa: E402

FILES = 100  # staging files the candidates are spread over
VERBS = ("Use", "Keep", "Store", "Prefer", "Avoid", "Rename", "Split", "Log", "Cache", "Test")


def stage(folder: Path, candidates: int, first: int = 0, seed: int = 3) -> None:
    """Candidates of all four sorts; a fifth of them say again what an earlier one said, in another session."""
    from memory_core.layout import Layout
    from memory_core.staging import Anchor, Attempt, Decision, Discussion, Request, StagingFile, StagingSource
    from memory_core.store.filestore import FileStore

    chance = random.Random(seed)
    store = FileStore(Layout(folder / ".omoide"))
    said: list[str] = []
    for number in range(FILES):
        found: dict[str, list[object]] = {"decisions": [], "discussions": [], "attempts": [], "requests": []}
        for place in range(candidates // FILES + (number < candidates % FILES)):
            new = not said or chance.random() > 0.2
            words = [chance.choice(WORDS) for _ in range(6)]
            text = f"{chance.choice(VERBS)} the {' '.join(words)}" if new else chance.choice(said)
            said.append(text)
            excerpt = f"{text}, please."
            digest = hashlib.sha256(f"{number} {place} {excerpt}".encode()).hexdigest()
            anchor = Anchor(
                evidence_id=f"M{place:04d}",
                entry_range=(place * 4, place * 4),
                kind="message",
                speaker="human",
                ts=f"2026-05-{1 + number % 28:02d}T10:00:00Z",
                sha256=digest,
                excerpt=excerpt,
            )
            match place % 4:
                case 0 | 1:
                    found["decisions"].append(Decision(chosen=text, rationale="it is less work", evidence=(anchor,)))
                case 2:
                    found["requests"].append(Request(intent=text, summary=text, evidence=(anchor,)))
                case _ if place % 8 == 3:
                    tried = Attempt(
                        action=text, result="Failed because of the lock", succeeded=False, evidence=(anchor,)
                    )
                    found["attempts"].append(tried)
                case _:
                    talk = Discussion(topic=text, points=("It is open.",), evidence=(anchor,))
                    found["discussions"].append(talk)
        source = StagingSource(session_id=f"session-{number}", range=(0, 99), agent="claude-code")
        name = f"0197{first + number:04d}-0000-7000-8000-000000000000"
        store.stage(StagingFile(id=name, source=source, language="en", **found))  # type: ignore[arg-type]


class Watched:
    """Progress that counts its reports and can stop the run after some of them."""

    def __init__(self, stop_after: int = 0) -> None:
        self.reports: list[float] = []
        self.stop_after = stop_after
        self.stopped_at = 0.0

    def report(self, message: str, fraction: float | None = None) -> None:  # noqa: ARG002
        self.reports.append(time.monotonic())

    @property
    def cancelled(self) -> bool:
        stop = bool(self.stop_after) and len(self.reports) >= self.stop_after
        self.stopped_at = self.stopped_at or (time.monotonic() if stop else 0.0)
        return stop


def measure(folder: Path, stop_after: int) -> dict[str, object]:
    from memory_core.errors import Cancelled
    from memory_core.workspace import open_workspace

    workspace = open_workspace(folder, {"OMOIDE_CONFIG": str(folder / "none.toml")})
    progress = Watched(stop_after)
    started = time.monotonic()
    try:
        run = asyncio.run(workspace.consolidate(provider="builtin", progress=progress))
    except Cancelled:
        return {"status": "cancelled", "stop_s": round(time.monotonic() - progress.stopped_at, 3)}
    seconds = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_SELF)
    times = [started, *progress.reports, started + seconds]
    return {
        "status": run.status,
        "reason": run.reason,
        "seconds": round(seconds, 2),
        "cpu_s": round(used.ru_utime + used.ru_stime, 2),
        "peak_mb": round(used.ru_maxrss / 1024),
        "changes": len(run.changes),
        "closed": len(run.closed),
        "left": len(run.left),
        "reports": len(progress.reports),
        "longest_silence_s": round(max(b - a for a, b in pairwise(times)), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--candidates", type=int, default=1_000)
    parser.add_argument("--profile", type=Path, help="write a profile of the first run there")
    parser.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--stop-after", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.folder:
        if options.profile:
            import cProfile

            with cProfile.Profile() as profile:
                found = measure(options.folder, options.stop_after)
            profile.dump_stats(options.profile)
        else:
            found = measure(options.folder, options.stop_after)
        print(json.dumps(found))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(folder, options.records)
        stage(folder, options.candidates)
        print(f"{options.records} records, {options.candidates} candidates, {datetime.now(UTC):%Y-%m-%d}")
        print("stopped: ", _apart(folder, "--stop-after", "50"))
        profile = ("--profile", str(options.profile)) if options.profile else ()
        print("first:   ", _apart(folder, *profile))
        print("the rest:", _apart(folder))
        stage(folder, options.candidates, FILES)
        print("same log:", _apart(folder))


def _apart(folder: Path, *more: str) -> str:
    command = [sys.executable, __file__, "--in", str(folder), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr[-2000:]


if __name__ == "__main__":
    main()
