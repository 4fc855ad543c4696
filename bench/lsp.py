"""How fast the language server answers, measured as an editor would see it: JSON over pipes, a process of its own.

    python bench/lsp.py --sizes 1000 10000 100000 [--rounds 200] [--starts 5] [--beside CHECKOUT]
        [--rumdl PROGRAM] [--vscode-markdown FOLDER --node PROGRAM]

Prints one table a size: median and 95th percentile in milliseconds, and memory after the index is built. `--rumdl`
asks rumdl (a wheel on PyPI) what it knows too, of the same files; `--vscode-markdown` does the same with VS Code's
Markdown server, from a folder with its `node_modules`, up to MOST_FOR_VSCODE records. `--beside` measures the server of
another checkout of ours in turns with this one, so that load on the machine falls on both alike. A calibration loop is
timed in the same run: compare two machines, or two loads of one, by it.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generate import generate
from long_text import edit_long_text
from peers import Peer, measure_peer, rumdl, vscode_markdown

from tests.protocol.raw_client import RawClient

Samples = dict[str, list[float]]
# Of an editor that can rename a file as part of an edit.
WORKSPACE = {
    "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]},
    "didChangeWatchedFiles": {"dynamicRegistration": False},
}
INSTALLED = (sys.executable, "-I", "-m", "server")
MOST_FOR_VSCODE = 10_000  # it reads all files at the first question, for minutes where there are more


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--rounds", type=int, default=200, help="questions of each sort")
    parser.add_argument("--starts", type=int, default=5, help="processes started")
    parser.add_argument("--beside", metavar="CHECKOUT", type=Path, help="also measure the server of this checkout")
    parser.add_argument("--rumdl", metavar="PROGRAM", help="also measure this server")
    parser.add_argument("--vscode-markdown", metavar="FOLDER", type=Path, help="also measure the one in this folder")
    parser.add_argument("--node", default="node", help="Node 22 or newer, for that")
    options = parser.parse_args()
    print(f"calibration: {calibrate():.0f} ms")
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            workspace = Path(folder) / "workspace"
            slugs = generate(workspace, size)
            for name, found in measure(workspace, slugs, options).items():
                show(f"{name}, {size} records", found)
            peers: list[Peer] = [rumdl(options.rumdl)] if options.rumdl else []
            if options.vscode_markdown and size <= MOST_FOR_VSCODE:
                peers.append(vscode_markdown(options.node, options.vscode_markdown))
            for peer in peers:
                root, hub = workspace / ".omoide", hub_of(workspace, slugs)
                found = measure_peer(peer, root, slugs, hub, options.rounds, options.starts, rss_mb)
                show(f"{peer.name}, {size} records", found)


def calibrate() -> float:
    """Milliseconds for a fixed piece of work, the best of five."""

    def once() -> float:
        started = time.perf_counter()
        sum(number * number % 7 for number in range(1_000_000))
        return (time.perf_counter() - started) * 1000

    return min(once() for _ in range(5))


def measure(workspace: Path, slugs: list[str], options: argparse.Namespace) -> dict[str, Samples]:
    """Samples by server. Where there are two, starts alternate, and so do the questions, in three processes each."""
    servers: dict[str, tuple[str, ...]] = {"omoide": INSTALLED}
    if options.beside:
        servers["beside"] = served_from(options.beside.resolve())
    found: dict[str, Samples] = {name: {} for name in servers}
    time.sleep(2.5)  # files that were written just now are not trusted to stay as they are
    for kind in ("cold", "warm"):
        for _ in range(options.starts):
            for name, command in servers.items():
                if kind == "cold":
                    shutil.rmtree(workspace / ".omoide/cache", ignore_errors=True)
                client, _ = start_to_index(workspace, command, found[name], slugs, kind)
                client.shut_down()
                client.close()
    turns = 3 if options.beside else 1
    for _ in range(turns):
        for name, command in servers.items():
            client, note = start_to_index(workspace, command, found[name], slugs, "warm")
            ask(client, note, workspace, slugs, options.rounds // turns, found[name])
            found[name].setdefault("memory after all questions, MB", []).append(rss_mb(client.process.pid))
            started = time.perf_counter()
            client.shut_down()
            found[name].setdefault("shutdown", []).append((time.perf_counter() - started) * 1000)
            client.close()
    return found


def served_from(checkout: Path) -> tuple[str, ...]:
    """The command that starts the server of a checkout that is not the installed one."""
    code = f"import runpy, sys; sys.path.insert(0, {str(checkout)!r}); sys.argv = ['server']; "
    return sys.executable, "-I", "-c", f"{code}runpy.run_module('server', run_name='__main__', alter_sys=True)"


def start_to_index(
    workspace: Path, command: tuple[str, ...], found: Samples, slugs: list[str], kind: str
) -> tuple[TimedClient, str]:
    """A server whose index is built and, where it is to be kept, on disk."""
    cache = workspace / ".omoide/cache"
    client, note = start(workspace, command, found, slugs, kind)
    ask_meanwhile(client, note, slugs, found, kind)
    found.setdefault(f"initialize to index built, {kind}", []).append((time.perf_counter() - client.initialized) * 1000)
    found.setdefault(f"start to index built, {kind}, CPU", []).append(cpu_ms(client.process.pid))
    found.setdefault(f"memory after index, {kind}, MB", []).append(rss_mb(client.process.pid))
    while not (cache / "index.sqlite3").exists() or (cache / "index.sqlite3-wal").exists():
        time.sleep(0.01)
    return client, note


def ask_meanwhile(client: TimedClient, note: str, slugs: list[str], found: Samples, kind: str) -> None:
    """Completions and hovers until the index is built."""
    version = 1
    while client.request("workspace/executeCommand", {"command": "omoide.status"})["roots"][0]["loading"]:
        version += 1
        slug = slugs[version * 7 % len(slugs)]
        client.change(note, version, {"text": f"see #{slug}"})
        for method in ("completion", "hover"):
            started = time.perf_counter()
            client.at(method, note, 0, 7)
            row = f"{method} while the index is built, {kind}"
            found.setdefault(row, []).append((time.perf_counter() - started) * 1000)
        time.sleep(0.05)


class TimedClient(RawClient):
    """Knows when its server was ready."""

    initialized = 0.0


def start(
    workspace: Path, command: tuple[str, ...], found: Samples, slugs: list[str], kind: str
) -> tuple[TimedClient, str]:
    """A server, from nothing to its first useful completion."""
    client = TimedClient(workspace, command=command)
    client.initialize(workspace, capabilities={"workspace": WORKSPACE})
    client.initialized = time.perf_counter()
    found.setdefault("start to initialize", []).append((client.initialized - client.started) * 1000)
    found.setdefault("start to initialize, CPU", []).append(cpu_ms(client.process.pid))
    note = (workspace / "README.md").as_uri()
    client.open(note, f"see #{slugs[0][:3]}")
    while not (client.at("completion", note, 0, 8) or {}).get("items"):
        time.sleep(0.005)
    found.setdefault(f"initialize to first completion, {kind}", []).append(
        (time.perf_counter() - client.initialized) * 1000
    )
    return client, note


def ask(client: RawClient, note: str, workspace: Path, slugs: list[str], rounds: int, found: Samples) -> None:
    chance = random.Random(1)
    version = 100_000  # above those sent while the index was built

    def text(line: str) -> None:
        nonlocal version
        version += 1
        client.change(note, version, {"text": line})

    def sample(name: str, line: Callable[[str], str], method: str, back: int = 0) -> None:
        for _ in range(rounds):
            content = line(chance.choice(slugs))
            text(content)
            client.request("workspace/executeCommand", {"command": "omoide.status"})  # the change is taken in
            started = time.perf_counter()
            more = {"context": {"includeDeclaration": False}} if method == "references" else {}
            answer = client.at(method, note, 0, len(content) - back, **more)
            found.setdefault(name, []).append((time.perf_counter() - started) * 1000)
            assert answer or method == "references", (method, content)

    sample("completion, prefix", lambda slug: f"see #{slug[:4]}", "completion")
    sample("completion, empty", lambda slug: f"see {slug[:1]} #", "completion")
    sample("completion, scattered", lambda slug: f"see #{slug[0]}{slug[2]}{slug[-2:]}", "completion")
    sample("hover", lambda slug: f"see #{slug}", "hover", back=3)
    sample("definition", lambda slug: f"see #{slug}", "definition", back=3)
    hub = hub_of(workspace, slugs)
    sample("references of a record", lambda slug: f"see #{slug}", "references", back=3)
    sample("references of a hub", lambda _: f"see #{hub}", "references", back=3)
    ask_more(client, note, slugs, rounds, found)
    edit_records(client, workspace, slugs, max(5, rounds // 10), found)
    ask_for_a_hub_after_edits(client, note, workspace, slugs, max(5, rounds // 5), found)
    edit_long_text(client, workspace, slugs, max(10, rounds // 5), found)


def ask_more(client: RawClient, note: str, slugs: list[str], rounds: int, found: Samples) -> None:
    """Symbols of the workspace, the documentation of a completion, the edits of a rename."""
    chance = random.Random(2)

    def timed(name: str, method: str, params: dict[str, Any]) -> Any:
        started = time.perf_counter()
        answer = client.request(method, params)
        found.setdefault(name, []).append((time.perf_counter() - started) * 1000)
        return answer

    for number in range(rounds):
        timed("workspace symbols", "workspace/symbol", {"query": chance.choice(slugs)[:5]})
        slug = chance.choice(slugs)
        client.change(note, 200_000 + number, {"text": f"see #{slug}"})
        items = client.at("completion", note, 0, 9)["items"]
        timed("completion, documentation", "completionItem/resolve", items[0])
        client.at("hover", note, 0, 7)
        place = {"textDocument": {"uri": note}, "position": {"line": 0, "character": 7}}
        edit = timed("edits of a rename", "textDocument/rename", {**place, "newName": f"{slug[:40]}-new"})
        assert edit, slug


def hub_of(workspace: Path, slugs: list[str]) -> str:
    """The record that every tenth one names: the third reference of those."""
    for slug in slugs:
        text = (workspace / f".omoide/knowledge/{slug}.md").read_text(encoding="utf-8")
        if text.count(" and #") == 2:
            return text.split(" and #")[2].split()[0]
    raise LookupError("no record names a hub")


def edit_records(client: RawClient, workspace: Path, slugs: list[str], rounds: int, found: Samples) -> None:
    """An edit of a record, to the diagnostic it causes, and a completion right behind such an edit."""
    path = workspace / f".omoide/knowledge/{slugs[len(slugs) // 2]}.md"
    before = path.read_text(encoding="utf-8")
    uri = path.as_uri()
    client.open(uri, before)
    client.diagnostics(uri)
    lines = before.count("\n")
    for number in range(rounds):
        changed = before + (f"see #nothing-{number}" if number % 2 == 0 else f"see #{slugs[0]}")
        started = time.perf_counter()
        client.change(uri, number + 2, {"text": changed})
        asked = time.perf_counter()
        client.at("completion", uri, lines, 8)
        found.setdefault("completion after an edit of a record", []).append((time.perf_counter() - asked) * 1000)
        client.diagnostics(uri)
        found.setdefault("edit to diagnostics", []).append((time.perf_counter() - started) * 1000)


def ask_for_a_hub_after_edits(
    client: RawClient, note: str, workspace: Path, slugs: list[str], rounds: int, found: Samples
) -> None:
    """The references of a hub right behind an edit of some record, so that nothing can be kept from the time before."""
    hub, path = hub_of(workspace, slugs), workspace / f".omoide/knowledge/{slugs[len(slugs) // 3]}.md"
    before, uri = path.read_text(encoding="utf-8"), path.as_uri()
    client.change(note, 300_000, {"text": f"see #{hub}"})
    client.open(uri, before)
    for number in range(rounds):
        client.change(uri, number + 2, {"text": f"{before}{number}\n"})
        client.request("workspace/executeCommand", {"command": "omoide.status"})  # the change is taken in
        started = time.perf_counter()
        client.at("references", note, 0, 7, context={"includeDeclaration": False})
        found.setdefault("references of a hub, after an edit", []).append((time.perf_counter() - started) * 1000)


def cpu_ms(pid: int) -> float:
    """Processor time a process has used, which other load hardly changes; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def rss_mb(pid: int) -> float:
    """Resident memory of a process; 0 where the system does not say."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def show(title: str, found: Samples) -> None:
    print(f"\n{title}\n{'':42}{'p50':>9}{'p95':>9}{'n':>6}")
    for name, values in found.items():
        values = sorted(values)
        last = values[min(len(values) - 1, round(0.95 * len(values)))]
        print(f"{name:42}{statistics.median(values):9.1f}{last:9.1f}{len(values):6}")


if __name__ == "__main__":
    main()
