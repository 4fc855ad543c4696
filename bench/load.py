"""Long and crowded use: two editors and a consolidation on one store, a day of typing, many sessions that grow at once;
and how long the next run takes to put right what a killed consolidation left.

    python bench/load.py crowd [--records 100000] [--candidates 200]
    python bench/load.py day [--hours 8] [--records 1000]
    python bench/load.py grow [--logs 2000] [--rounds 20]
    python bench/load.py recover [--records 10000] [--candidates 1000]

Each prints what it saw and fails where something was lost, unanswered or kept growing. Memory (MB), open files and
threads are those of the server processes. Linux only: `/proc` is where the figures come from.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import UUID

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from consolidate import stage  # noqa: E402
from generate import generate  # noqa: E402
from lsp import rss_mb  # noqa: E402
from soak import GROWTH_MB, Soak  # noqa: E402

from tests.protocol.raw_client import RawClient  # noqa: E402

KEYS_AN_HOUR = 9_000  # five keys a second, half of the time
CROWD_MB = 60.0  # what a server may gain while 100,000 records are edited around it


def used(pid: int) -> tuple[float, int, int]:
    """Resident memory in MB, open file descriptors and threads of a process."""
    place = Path(f"/proc/{pid}")
    return rss_mb(pid), len(list((place / "fd").iterdir())), len(list((place / "task").iterdir()))


def show(what: str, pid: int) -> tuple[float, int, int]:
    memory, files, threads = used(pid)
    print(f"{what:<34} {memory:8.1f} MB  {files:4} files  {threads:3} threads", flush=True)
    return memory, files, threads


# Two editors and a consolidation


class Editor:
    """A person at one editor who opens, changes, saves and closes records of their own half of the store."""

    def __init__(self, workspace: Path, slugs: list[str], name: str, environment: dict[str, str]) -> None:
        self.name = name
        self.workspace = workspace
        self.slugs = slugs
        self.chance = random.Random(name)
        self.client = RawClient(workspace, environment=environment)
        self.client.initialize(workspace)
        self.saved: dict[Path, str] = {}
        self.asked = self.lost = 0

    def settle(self) -> None:
        """Wait until it is known who names whom."""
        end = time.monotonic() + 300
        while time.monotonic() < end:
            answer = self.client.request("workspace/executeCommand", {"command": "omoide.status"}, 60)
            if not answer["roots"][0]["loading"]:
                return
            time.sleep(0.1)
        raise TimeoutError("the index is not built after five minutes")

    def edit(self) -> None:
        """One record: opened as it is on disk, a line more, asked about, saved, closed."""
        slug = self.chance.choice(self.slugs)
        path = self.workspace / f".omoide/knowledge/{slug}.md"
        before = path.read_text(encoding="utf-8")
        text = f"{before}Noted by {self.name}: see #{self.chance.choice(self.slugs)}.\n"
        uri = path.as_uri()
        self.client.open(uri, before)
        self.client.change(uri, 2, {"text": text})
        last = text.count("\n") - 1
        column = text.splitlines()[-1].index("#") + 4
        for method in ("completion", "hover", "definition"):
            self.asked += 1
            try:
                self.client.at(method, uri, last, column)
            except AssertionError:
                self.lost += 1
        temporary = path.with_suffix(".saving")
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
        self.saved[path] = text
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        event = {"uri": uri, "type": 2}
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
        self.client.received.clear()

    def wrong(self) -> list[str]:
        """Records whose saved text is not on disk."""
        return [path.name for path, text in self.saved.items() if path.read_text(encoding="utf-8") != text]

    def stale(self) -> list[str]:
        """Of the last records it saved, those that the server does not know as they are on disk."""
        found = []
        note = (self.workspace / "README.md").as_uri()
        self.client.open(note, "")
        for number, path in enumerate(list(self.saved)[-20:]):
            slug = self.saved[path].rsplit("see #", 1)[1].split(".")[0]
            self.client.change(note, number + 2, {"text": f"#{slug}"})
            places = self.client.at("references", note, 0, 3, context={"includeDeclaration": False})
            if path.as_uri() not in {place["uri"] for place in places or ()}:
                found.append(path.name)
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": note}})
        return found


def crowd(folder: Path, records: int, candidates: int) -> bool:
    slugs = generate(folder, records)
    stage(folder, candidates)
    root = folder / ".omoide"
    before = {path for path in root.rglob("*.md") if "_archive" not in path.parts}
    environment = {"OMOIDE_CONFIG": os.devnull, "HOME": str(folder / "home")}
    started = time.monotonic()
    half = len(slugs) // 2
    editors = [Editor(folder, slugs[:half], "one", environment), Editor(folder, slugs[half:], "two", environment)]
    for editor in editors:
        editor.settle()
    print(f"{records:,} records; both servers know all after {time.monotonic() - started:.1f} s", flush=True)
    first = [show(f"editor {editor.name} before", editor.client.process.pid) for editor in editors]
    command = [sys.executable, "-m", "memory_core", "--json", "consolidate", "--provider", "builtin"]
    started = time.monotonic()
    run = subprocess.Popen(
        command, cwd=folder, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    edits = 0
    while run.poll() is None or edits < 200:
        for editor in editors:
            editor.edit()
            edits += 1
    out, err = run.communicate()
    seconds = time.monotonic() - started
    print(f"consolidation: exit code {run.returncode} after {seconds:.0f} s beside {edits:,} edited and saved records")
    if run.returncode:
        print(err.decode()[-2000:])
    else:
        print("   ", {key: len(value) for key, value in json.loads(out).items() if isinstance(value, list)})
    last = [show(f"editor {editor.name} after", editor.client.process.pid) for editor in editors]
    after = {path for path in root.rglob("*.md") if "_archive" not in path.parts}
    wrong = [name for editor in editors for name in editor.wrong()]
    started = time.monotonic()
    while (stale := [name for editor in editors for name in editor.stale()]) and time.monotonic() - started < 60:
        time.sleep(1)
    print(f"the last 20 records of each editor as they are on disk: {time.monotonic() - started:.1f} s later")
    lost = sum(editor.lost for editor in editors)
    codes = [editor.client.shut_down(60) for editor in editors]
    for editor in editors:
        editor.client.close()
    print(f"{sum(e.asked for e in editors):,} requests, {lost} unanswered; {len(before - after)} records lost,")
    print(
        f"{len(after - before)} made; {len(wrong)} saved texts changed, {len(stale)} unknown to a server; ends {codes}"
    )
    grown = any(b[0] - a[0] > CROWD_MB or b[1] > a[1] + 8 or b[2] > a[2] + 8 for a, b in zip(first, last, strict=True))
    return not (lost or before - after or wrong or stale or run.returncode or any(codes) or grown)


# A day of typing


def day(folder: Path, hours: int, records: int) -> bool:
    slugs = generate(folder, records)
    client = RawClient(folder, environment={"OMOIDE_CONFIG": os.devnull, "HOME": str(folder / "home")})
    client.initialize(folder)
    soak = Soak(client, folder, slugs)
    started = time.monotonic()
    seen = []
    for hour in range(1, hours + 1):
        soak.run(KEYS_AN_HOUR)
        seen.append(show(f"hour {hour}", client.process.pid))
    print(
        f"{soak.sent:,} messages, {soak.asked:,} requests, {soak.lost} unanswered; {time.monotonic() - started:.0f} s"
    )
    code = client.shut_down(60)
    client.close()
    grown = seen[-1][0] - seen[0][0]
    print(f"from the first hour to the last: {grown:+.1f} MB; exit code {code}")
    flat = grown < GROWTH_MB and seen[-1][1] <= seen[0][1] + 2 and seen[-1][2] <= seen[0][2] + 2
    return flat and not soak.lost and code == 0


# Many sessions at once


def said(session: str, cwd: str, number: int) -> bytes:
    """What one turn adds to a log of Claude Code: a person and the assistant."""
    words = f"look at part {number} of the parser and say what it does when a line is longer than the buffer"
    lines = [
        {"type": "user", "message": {"role": "user", "content": words}},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": f"Read: {words}."}]},
        },
    ]
    stamp = f"2026-10-01T{number // 60 % 24:02d}:{number % 60:02d}:00Z"
    return b"".join(
        json.dumps(
            {"uuid": f"{session}-{number}-{place}", "sessionId": session, "cwd": cwd, "timestamp": stamp, **line}
        ).encode()
        + b"\n"
        for place, line in enumerate(lines)
    )


def grow(folder: Path, logs: int, rounds: int) -> bool:
    project = folder / "project"
    project.mkdir()
    generate(project, 100)
    # Watched, and never due: what is measured is the watching.
    (project / ".omoide/config.toml").write_text("[memory]\nextract_threshold = 1000000000\n", encoding="utf-8")
    place = folder / ".claude/projects/p"
    place.mkdir(parents=True)
    names = [str(UUID(int=random.Random(number).getrandbits(128), version=4)) for number in range(logs)]

    def turn(number: int) -> None:
        for name in names:
            with (place / f"{name}.jsonl").open("ab") as stream:
                stream.write(said(name, str(project), number))

    turn(0)
    environment = {"HOME": str(folder), "OMOIDE_CONFIG": os.devnull}
    client = RawClient(project, environment=environment)
    client.initialize(project)

    def pending() -> int:
        answer = client.request("workspace/executeCommand", {"command": "omoide.status"}, 120)
        waiting: dict[str, int] = answer["roots"][0]["unextracted"] or {"tokens": 0}
        return waiting["tokens"]

    seen = []
    taken = []
    before = 0
    for number in range(1, rounds + 1):
        turn(number)
        started = time.monotonic()
        while time.monotonic() - started < 120:  # until the figure stands still and is higher than before
            tokens = pending()
            time.sleep(0.5)
            if tokens > before and pending() == tokens:
                break
        before = tokens
        taken.append(time.monotonic() - started)
        if number in {1, rounds // 2, rounds}:
            seen.append(show(f"round {number}: {tokens:,} tokens wait", client.process.pid))
    code = client.shut_down(60)
    client.close()
    command = [sys.executable, "-m", "memory_core", "--workspace", str(project), "--json", "sessions"]
    listed = json.loads(
        subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=True).stdout
    )
    print(f"{logs:,} logs, a turn in each, {rounds} times; seen within {max(taken):.1f} s; exit code {code}")
    print(f"sessions listed afterwards: {len(listed['sessions'])}")
    grown = seen[-1][0] - seen[0][0]
    flat = grown < GROWTH_MB and seen[-1][1] <= seen[0][1] + 2 and seen[-1][2] <= seen[0][2] + 2
    return flat and code == 0


# A consolidation killed while it commits


def recover(folder: Path, records: int, candidates: int) -> bool:
    from memory_core.layout import Layout
    from memory_core.store import recovery

    generate(folder, records)
    stage(folder, candidates)
    layout = Layout(folder / ".omoide")
    before = {path: path.read_bytes() for path in layout.root.rglob("*.md")}
    command = [sys.executable, "-m", "memory_core", "consolidate", "--provider", "builtin"]
    environment = {**os.environ, "OMOIDE_CONFIG": os.devnull, "HOME": str(folder / "home")}
    quiet = subprocess.DEVNULL
    run = subprocess.Popen(command, cwd=folder, env=environment, stdout=quiet, stderr=quiet)
    pending = layout.archive / "_pending"
    while run.poll() is None and not (pending.is_dir() and any(pending.glob("*.json"))):
        time.sleep(0.001)
    place = layout.root / "memory/decisions"
    some = len(list(place.iterdir())) + 20
    while run.poll() is None and len(list(place.iterdir())) < some:  # let it write a part of its records
        time.sleep(0.001)
    run.kill()
    run.wait()
    written = [path for path in layout.root.rglob("*.md") if "_archive" not in path.parts and path not in before]
    started = time.perf_counter()
    undone = recovery.roll_back(layout)
    taken = time.perf_counter() - started
    after = {path: path.read_bytes() for path in layout.root.rglob("*.md") if "_archive" not in path.parts}
    lost = [path for path, data in before.items() if after.get(path) != data]
    left = [path for path in written if path in after]
    print(f"{records:,} records, {candidates:,} candidates; killed with {len(written)} new records on disk")
    print(f"{len(undone)} run rolled back in {taken:.2f} s; {len(lost)} records not as before, {len(left)} left over")
    return bool(undone) and not lost and not left


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("crowd", "day", "grow", "recover"))
    parser.add_argument("--records", type=int)
    parser.add_argument("--candidates", type=int)
    parser.add_argument("--hours", type=int, default=8)
    parser.add_argument("--logs", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        match options.what:
            case "crowd":
                good = crowd(folder, options.records or 100_000, options.candidates or 200)
            case "day":
                good = day(folder, options.hours, options.records or 1_000)
            case "recover":
                good = recover(folder, options.records or 10_000, options.candidates or 1_000)
            case _:
                good = grow(folder, options.logs, options.rounds)
    print("good" if good else "NOT GOOD")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
