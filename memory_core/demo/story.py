"""The steps of the demo, in order, each printed with what it means. Every answer comes from the real parts."""

from __future__ import annotations

import os
import shutil
import tempfile
import textwrap
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from memory_core.consolidate.task import ConsolidateRun
from memory_core.demo.server_client import ServerClient
from memory_core.layout import record_path
from memory_core.records.schema import Kind
from memory_core.sessions.model import Session
from memory_core.staging import CandidateRef, headline
from memory_core.store.discovery import create_root
from memory_core.store.session_files import read_log
from memory_core.text import shorten
from memory_core.usage import to_plain
from memory_core.usage.page import SOURCES
from memory_core.workspace import Workspace, open_root

Echo = Callable[[str], Any]
_PLACEHOLDER = "/workspace/shortener"  # the working directory that the bundled logs were written with
_WIDTH = max(60, min(110, shutil.get_terminal_size((100, 24)).columns - 1))


async def tell(echo: Echo, keep: Path | None = None) -> dict[str, Any]:
    """Run the demo in a temporary directory (or in `keep`, which stays) and answer what it found as plain data."""
    folder = Path(tempfile.mkdtemp(prefix="omoide-demo-")) if keep is None else keep
    try:
        project = folder.resolve() / "shortener"
        project.mkdir(parents=True)
        return await _tell(echo, project, folder.resolve() / "home", kept=keep is not None)
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)


async def _tell(echo: Echo, project: Path, home: Path, *, kept: bool) -> dict[str, Any]:
    _title(echo, "Omoide demo", "A day with a coding agent, and what is left of it. Nothing here touches your files.")
    logs = _lay_out(project, home)
    layout, _ = create_root(project)
    workspace = open_root(layout, {**_clean_environment(), "HOME": str(home), "OMOIDE_CONFIG": str(home / "none.toml")})

    sessions = [read_log(ref.path) for ref in reversed(workspace.sessions())]
    _step(echo, 1, "The agent left session logs", f"{len(logs)} Claude Code logs name this project as their folder.")
    for session in sessions:
        _show_session(echo, session)

    runs = await workspace.extract(sessions)
    candidates = [ref for file in workspace.store.staging().files for ref in file.candidates()]
    _step(echo, 2, "omoide extract", "Stages what was decided, asked and tried, each with its place in the log.")
    for ref in candidates:
        _show_candidate(echo, ref)

    run = await workspace.consolidate()
    _step(echo, 3, "omoide consolidate", "Turns candidates into Markdown records; every candidate is accounted for.")
    _show_consolidation(echo, workspace, run)

    _step(echo, 4, "Your editor, asked over the real language server", "What VS Code and Neovim show in these files.")
    editor = _ask_editor(echo, workspace, run)

    rows = workspace.store.usage_report().rows
    _step(echo, 5, "omoide usage report", "Explicit reads are counted, searches and completion lists never are.")
    for row in rows:
        how = ", ".join(SOURCES.get(name, name) for name in row.source_breakdown)
        echo(f"  {row.kind}/{row.slug}: used {row.use_count}× ({how})")

    _step(echo, 6, "Now on your own project", "")
    echo("  cd your-project")
    echo("  omoide init && omoide sessions        # finds the logs that agents left of this folder")
    echo("  omoide extract --all && omoide consolidate && omoide lint")
    if kept:
        echo(f"\nThe demo's workspace is kept in {project}.")
    return {
        "sessions": [{"session_id": s.session_id, "entries": len(s.entries)} for s in sessions],
        "runs": [r.plain() for r in runs],
        "candidates": [ref.id for ref in candidates],
        "consolidation": run.plain(),
        "editor": editor,
        "usage": to_plain(rows)["records"],
    }


def _lay_out(project: Path, home: Path) -> list[Path]:
    """The bundled logs, where Claude Code would have left them, with the project's real folder inside."""
    target = home / ".claude" / "projects" / "demo"
    target.mkdir(parents=True)
    (project / "README.md").write_text("# Shortener\n\nA small URL shortener.\n", encoding="utf-8")
    written: list[Path] = []
    for source in sorted((files("memory_core") / "demo_data").iterdir(), key=lambda item: item.name):
        if source.name.endswith(".jsonl"):
            text = source.read_text(encoding="utf-8").replace(_PLACEHOLDER, str(project).replace("\\", "\\\\"))
            path = target / source.name
            path.write_text(text, encoding="utf-8", newline="\n")
            written.append(path)
    return written


def _clean_environment() -> dict[str, str]:
    """The environment without what would point the demo at a person's own logs, provider or key."""
    hidden = ("OMOIDE_", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_")
    return {name: value for name, value in os.environ.items() if not name.startswith(hidden)}


def _show_session(echo: Echo, session: Session) -> None:
    said = [e for e in session.entries if e.speaker == "human" and e.text]
    echo(f"  {session.session_id}  {len(session.entries)} entries, {len(said)} by the human")
    for entry in said[:3]:
        echo(f"    entry {entry.index}: “{shorten(entry.text, _WIDTH - 20)}”")


def _show_candidate(echo: Echo, ref: CandidateRef) -> None:
    echo(f"  {ref.array[:-1]:<10} {shorten(headline(ref.candidate), _WIDTH - 13)}")
    for anchor in ref.candidate.evidence[:2]:
        first, last = anchor.entry_range
        where = f"entry {first}" if first == last else f"entries {first}-{last}"
        quoted = f"evidence: {where}, {anchor.speaker}: “"
        echo(f"{'':13}{quoted}{shorten(anchor.excerpt, _WIDTH - 14 - len(quoted))}”")


def _show_consolidation(echo: Echo, workspace: Workspace, run: ConsolidateRun) -> None:
    for change in run.changes:
        echo(f"  {change.op} {workspace.layout.root.name}/{_path(change.kind, change.slug)}")
    for resolution in run.closed:
        if resolution.action != "applied":
            echo(f"  {resolution.action}: {shorten(resolution.reason, _WIDTH - 20)}")
    shown = next((c for c in run.changes if c.kind == Kind.KNOWLEDGE), None) or run.changes[0]
    path = workspace.layout.root / _path(shown.kind, shown.slug)
    echo(f"\n  {path.relative_to(workspace.layout.workspace)}:")
    for line in _without_anchors(path.read_text(encoding="utf-8")):
        echo(f"  │ {_cut(line)}")


def _cut(line: str) -> str:
    """A line that fits behind the frame; the demo shows what there is, not all of it."""
    return line if len(line) <= _WIDTH - 4 else line[: _WIDTH - 5] + "…"


def _without_anchors(text: str) -> list[str]:
    """The lines of a record with each list of anchors folded into one line: they are for machines."""
    lines: list[str] = []
    depth = -1
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if depth >= 0 and (indent > depth or not line):
            continue
        depth = -1
        if line.strip() == "anchors:":
            depth = indent
            line += " … (each with its entry, speaker, hash and quote)"
        lines.append(line)
    return lines


def _path(kind: str, slug: str) -> str:
    from memory_core.records.schema import RecordRef

    return record_path(RecordRef(Kind(kind), slug))


def _ask_editor(echo: Echo, workspace: Workspace, run: ConsolidateRun) -> dict[str, Any]:
    """Open a record with one good and one bad reference, and ask for diagnostics, completion and hover."""
    slug = next((c.slug for c in run.changes if c.kind == Kind.KNOWLEDGE), "")
    path = workspace.layout.root / "knowledge" / "release-notes.md"
    head = (
        "---\ncreated_at: 2026-06-01T09:00:00Z\nupdated_at: 2026-06-01T09:00:00Z\nkind: know-how\n"
        "description: How we release. Read before tagging a version.\n"
        "model_invokation: false\nuser_invocable: true\nlast_sources: []\n---\n\n"
    )
    body = f"Check #{slug} first.\nThen see #relase-checklist.\n"
    typed = f"Related: #{slug[:3]}"
    path.write_text(head + body, encoding="utf-8", newline="\n")
    first = head.count("\n")
    document = {"uri": path.as_uri()}
    with ServerClient(workspace.layout.workspace) as client:
        text = path.read_text(encoding="utf-8")
        item = {"uri": path.as_uri(), "languageId": "markdown", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": item})
        published = client.wait_for("textDocument/publishDiagnostics")
        while published["uri"] != path.as_uri() or not published["diagnostics"]:
            published = client.wait_for("textDocument/publishDiagnostics")
        version = {"uri": path.as_uri(), "version": 2}
        change = {"textDocument": version, "contentChanges": [{"text": text + typed}]}
        client.notify("textDocument/didChange", change)
        at = {"line": first + 2, "character": len(typed)}
        listed = client.request("textDocument/completion", {"textDocument": document, "position": at})
        hover_at = {"line": first, "character": 8}
        hover = client.request("textDocument/hover", {"textDocument": document, "position": hover_at})
        client.request("textDocument/definition", {"textDocument": document, "position": hover_at})
    diagnostics = [d["message"] for d in published["diagnostics"]]
    labels = [item["label"] for item in (listed["items"] if isinstance(listed, dict) else listed or [])]
    contents = hover["contents"]["value"] if hover else ""
    where = path.relative_to(workspace.layout.workspace)
    for diagnostic in published["diagnostics"]:
        line = diagnostic["range"]["start"]["line"] + 1
        for part in textwrap.wrap(f"diagnostic  {where}:{line}: {diagnostic['message']}", _WIDTH - 2):
            echo(f"  {part}")
    echo(f"  completion  typing “#{slug[:3]}” offers: {', '.join(labels[:5])}")
    echo(f"  hover       on #{slug}:")
    for line in contents.splitlines()[:14]:
        echo(f"  │ {_cut(line)}")
    return {"diagnostics": diagnostics, "completion": labels, "hover": contents}


def _title(echo: Echo, title: str, subtitle: str) -> None:
    echo(title)
    echo("=" * len(title))
    echo(subtitle)


def _step(echo: Echo, number: int, title: str, meaning: str) -> None:
    echo("")
    echo(f"{number}. {title}")
    if meaning:
        echo(f"   {meaning}")
