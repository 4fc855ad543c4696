"""Session logs: reading speed and memory on a large one, lines of 15 MB, listing many, the price of an append.

    python bench/sessions.py [--mb 200] [--logs 2000]

Generates the logs in a temporary folder. Each figure is measured in a process of its own, so that memory is that of
the one task. Targets: 50 MB/s, 200 MB of memory, the first 20 of 2,000 sessions within 1 s when asked again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

TEXT = (
    "the parser reads each record once and keeps its place so that a later change of the file is found again when "
    "tests fail because a cache was older than the log it was made from build module option index session"
)
WORDS = TEXT.split()


def records(session_id: str, cwd: str, size: int, seed: int = 1) -> Iterator[bytes]:
    """Lines of a synthetic Claude Code log of about `size` bytes: a question, then calls, results and words."""
    chance = random.Random(seed)
    written = turn = 0

    def words(number: int) -> str:
        return " ".join(chance.choices(WORDS, k=number))

    def line(kind: str, content: Any, **more: Any) -> bytes:
        second = turn % 86_400
        stamp = f"2026-10-{1 + turn // 86_400 % 28:02d}T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}Z"
        record = {
            "type": kind,
            "uuid": str(UUID(int=chance.getrandbits(128))),
            "sessionId": session_id,
            "cwd": cwd,
            "timestamp": stamp,
            "message": {"role": kind, "content": content},
            **more,
        }
        return json.dumps(record).encode() + b"\n"

    while written < size:
        lines = [line("user", words(40))] if turn % 10 == 0 else []
        call = {"type": "tool_use", "id": f"t{turn}", "name": "Read", "input": {"file_path": f"src/f{turn % 99}.py"}}
        output = words(chance.choice((50, 200, 600, 1500)))
        lines += [
            line("assistant", [{"type": "text", "text": words(30)}]),
            line("assistant", [call]),
            line(
                "user",
                [{"type": "tool_result", "tool_use_id": f"t{turn}", "content": output}],
                toolUseResult={"file": {"content": output}},
            ),
        ]
        yield from lines
        written += sum(map(len, lines))
        turn += 1


LIMITS = {
    name: {"used_percent": 12.5, "window_minutes": minutes, "resets_in_seconds": 4711}
    for name, minutes in (("primary", 300), ("secondary", 10_080))
}


def used(turn: int) -> dict[str, Any]:
    """What a rollout says of tokens after each turn."""
    counts = {"input_tokens": turn, "cached_input_tokens": turn, "output_tokens": 1, "reasoning_output_tokens": 0}
    total = {**counts, "total_tokens": turn + 1}
    return {"total_token_usage": total, "last_token_usage": total, "model_context_window": 272_000}


def rollout(size: int, seed: int = 1) -> Iterator[bytes]:
    """Lines of a synthetic Codex rollout of about `size` bytes: each text as an item and as an event, calls with their
    arguments as a string, outputs, encrypted reasoning, counts of tokens."""
    chance = random.Random(seed)
    written = turn = 0

    def words(number: int) -> str:
        return " ".join(chance.choices(WORDS, k=number))

    def line(kind: str, **payload: Any) -> bytes:
        stamp = f"2026-10-01T{turn // 3600 % 24:02d}:{turn // 60 % 60:02d}:{turn % 60:02d}.000Z"
        return json.dumps({"timestamp": stamp, "type": kind, "payload": payload}).encode() + b"\n"

    def message(role: str, text: str) -> list[bytes]:
        kind, event = ("input_text", "user_message") if role == "user" else ("output_text", "agent_message")
        item = line("response_item", type="message", role=role, content=[{"type": kind, "text": text}])
        return [item, line("event_msg", type=event, message=text)]

    context = {"cwd": "/w", "model": "m", "approval_policy": "on-request", "user_instructions": words(300)}
    yield line("session_meta", id=str(UUID(int=seed)), cwd="/w", originator="codex_cli_rs", cli_version="0.116.0")
    while written < size:
        lines = [line("turn_context", **context), *message("user", words(40))] if turn % 10 == 0 else []
        command = json.dumps({"command": ["bash", "-lc", f"sed -n 1,200p src/f{turn % 99}.py"]})
        output = json.dumps({"output": words(chance.choice((50, 200, 600, 1500))), "metadata": {"exit_code": 0}})
        hidden = f"{chance.getrandbits(8000):x}"
        lines += [
            line("response_item", type="reasoning", summary=[], encrypted_content=hidden),
            *message("assistant", words(30)),
            line("response_item", type="function_call", name="shell", arguments=command, call_id=f"c{turn}"),
            line("response_item", type="function_call_output", call_id=f"c{turn}", output=output),
            line("event_msg", type="token_count", info=used(turn), rate_limits=LIMITS),
        ]
        yield from lines
        written += sum(map(len, lines))
        turn += 1


def write_log(path: Path, cwd: str, size: int, seed: int = 1) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        for line in records(path.stem, cwd, size, seed):
            stream.write(line)


def workspace(folder: Path, logs: int) -> dict[str, str]:
    """A workspace with many logs in a home of its own, a few of them of another project; the environment for it."""
    from memory_core.store.discovery import create_root

    project = folder / "project"
    project.mkdir()
    create_root(project)
    for number in range(logs):
        cwd = str(project) if number % 10 else str(folder / "elsewhere")
        name = UUID(int=random.Random(number).getrandbits(128), version=4)
        write_log(folder / ".claude/projects/p" / f"{name}.jsonl", cwd, 20_000, number)
    return {**os.environ, "HOME": str(folder), "OMOIDE_CONFIG": os.devnull}


def measure_read(path: Path) -> dict[str, float]:
    from memory_core.store.session_files import read_log

    begun = time.perf_counter()
    session = read_log(path)
    taken = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"entries": len(session.entries), "MB/s": path.stat().st_size / 1e6 / taken, "memory MB": memory}


def measure_append(path: Path) -> dict[str, float]:
    """The price of knowing the activity after each of 100 appends to a large log, in milliseconds."""
    from memory_core.sessions.pointer import Pointer
    from memory_core.store.session_files import read_log
    from memory_core.store.session_meter import SessionMeter

    meter = SessionMeter(read_log, lambda _: Pointer())
    meter.measure(path)
    new = list(records(path.stem, "/w", 300_000, 7))[:100]
    taken = []
    for line in new:
        with path.open("ab") as stream:
            stream.write(line)
        begun = time.perf_counter()
        meter.measure(path)
        taken.append((time.perf_counter() - begun) * 1000)
    begun = time.perf_counter()
    for _ in range(1000):
        meter.measure(path)
    idle = (time.perf_counter() - begun) * 1000 / 1000
    return {"append p50 ms": sorted(taken)[50], "append p95 ms": sorted(taken)[95], "unchanged ms": idle}


def measure_list(folder: Path, env: dict[str, str]) -> dict[str, float]:
    command = [sys.executable, "-m", "memory_core", "--workspace", str(folder / "project"), "--json", "sessions"]
    figures = {}
    for name in ("first list s", "list again s"):
        begun = time.perf_counter()
        done = subprocess.run([*command, "--limit", "20"], env=env, capture_output=True, check=True)
        figures[name] = time.perf_counter() - begun
    figures["listed"] = len(json.loads(done.stdout)["sessions"])
    return figures


def in_process(task: str, path: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, __file__, "--task", task, "--path", str(path)], capture_output=True, text=True, check=True
    )
    answer: dict[str, float] = json.loads(done.stdout)
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=200)
    parser.add_argument("--logs", type=int, default=2000)
    parser.add_argument("--task", choices=("read", "append"), help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.task:
        print(json.dumps((measure_read if chosen.task == "read" else measure_append)(chosen.path)))
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        big = folder / "11111111-1111-4111-8111-111111111111.jsonl"
        write_log(big, "/w", chosen.mb * 1_000_000)
        show(f"{chosen.mb} MB log", in_process("read", big))
        show("the same, growing", in_process("append", big))
        codex = folder / f"rollout-2026-10-01T00-00-00-{UUID(int=1)}.jsonl"
        with codex.open("wb") as stream:
            stream.writelines(rollout(chosen.mb * 1_000_000))
        show(f"{chosen.mb} MB of Codex", in_process("read", codex))
        codex.unlink()
        wide = folder / "22222222-2222-4222-8222-222222222222.jsonl"
        with wide.open("wb") as stream:
            for line in records(wide.stem, "/w", 60_000_000, 3):
                stream.write(line.replace(b'"content": "', b'"content": "' + b"x" * 15_000_000, 1))
                if stream.tell() > 60_000_000:
                    break
        show("lines of 15 MB", in_process("read", wide))
        show(f"{chosen.logs} logs", measure_list(folder, workspace(folder, chosen.logs)))


def show(what: str, figures: dict[str, float]) -> None:
    shown = ", ".join(f"{name} {value:,.2f}".rstrip("0").rstrip(".") for name, value in figures.items())
    print(f"{what:<20} {shown}", flush=True)


if __name__ == "__main__":
    main()
