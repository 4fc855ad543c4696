"""`omoide sessions`, `sessions show`, `sessions search`: what agents' logs hold, for people and for machines.

Reads only; nothing here is a use of a record.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memory_core.cli.app import Context, pass_context, printable
from memory_core.cli.columns import cut, left, minute, width
from memory_core.cli.finding import say_bold, say_marked
from memory_core.cli.session_files import export, import_log
from memory_core.cli.session_places import places, say_gone_folders
from memory_core.errors import SessionError
from memory_core.redact import brief, redact
from memory_core.sessions.copies import COPIED
from memory_core.sessions.model import UNKNOWN, Entry, Session, Speaker
from memory_core.store.session_files import read_log
from memory_core.store.sub_agents import sub_agent_logs
from memory_core.text import counted
from memory_core.workspace import Workspace

if TYPE_CHECKING:
    from memory_core.search import EntryHit

_RANGE = re.compile(r"([0-9]{0,18}):([0-9]{0,18})|([0-9]{1,18})")
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.")
_COLORS = {Speaker.HUMAN: "green", Speaker.ASSISTANT: "cyan", Speaker.TOOL: "yellow"}
_PLACES = 4  # folders named where nothing was found
_NOT_TOLD = ("title", "unknown")  # of a row, in the answer for programs
_OF_COPIES = ("imported", "imports", "copy_of")  # told where there is something to tell
_COLUMNS = 80  # of the terminals that lists are made for
LOG = click.option("--log", "log", type=click.Path(path_type=Path), help="A log file, wherever it lies.")


@click.group(invoke_without_command=True)
@click.option("--limit", type=click.IntRange(1), help="Only the newest so many.")
@click.pass_context
def sessions(ctx: click.Context, limit: int | None) -> None:
    """The session logs of this workspace, newest first."""
    if ctx.invoked_subcommand is None:
        _list(ctx.find_object(Context) or Context(Path.cwd()), limit)


def _list(context: Context, limit: int | None) -> None:
    workspace = context.workspace()
    rows: list[dict[str, Any]] = []
    for found in workspace.listed_sessions(limit):
        if isinstance(found, SessionError):
            context.note(str(found))
        else:
            rows.append(asdict(found))
    if context.as_json:
        told = [{key: row[key] for key in row if key not in _NOT_TOLD} for row in rows]
        context.print_json({"sessions": [{k: v for k, v in row.items() if v or k not in _OF_COPIES} for row in told]})
        return
    _print_rows(context, rows)
    context.echo(counted(len(rows), "session"))
    if not rows:
        context.note(f"looked in {_places(workspace)}")
    say_gone_folders(context, workspace, beside=not rows)


def _print_rows(context: Context, rows: list[dict[str, Any]]) -> None:
    """Two lines a session: what to call it by, with its title; then agent, time, size and damage in columns."""
    entries = max((len(counted(row["entries"], "entry")) for row in rows), default=0)
    tokens = max((len(counted(row["unextracted_tokens"], "token")) for row in rows), default=0)
    for row in rows:
        title = shown(row["title"] or "", 200)
        name = shown(row["session_id"], 200)  # an id of a log may hold line ends
        room = max(_COLUMNS - width(name) - 2, 20)
        say_bold(name, f"  {cut(title, room)}" if title else "")
        when = minute(row["updated_at"])
        fresh = counted(row["unextracted_tokens"], "token")
        size = f"{counted(row['entries'], 'entry'):>{entries}}  {fresh:>{tokens}} to extract"
        gaps = f", {counted(row['gaps'], 'gap')}" if row["gaps"] else ""
        unknown = f", {counted(row['unknown'], 'record')} of unknown types" if row["unknown"] else ""
        context.echo(f"  {left(row['agent'], 12)} {when:<16}  {size}{gaps}{unknown}")
        if said := "; ".join(_copies(row)):
            context.echo(f"  {said}")


def _copies(row: dict[str, Any]) -> Iterator[str]:
    """What a session has in common with others, so that nobody takes them for two witnesses."""
    if row["imported"]:
        yield "imported"
    if row["copy_of"]:
        yield f"repeats {', '.join(shown(name, 200) for name in row['copy_of'])}: what both say is read there"
    for path in row["imports"]:
        yield f"its import {shown(path, 400)} says nothing more and is not read"


@sessions.command()
@click.argument("session_id", required=False, metavar="ID")
@LOG
@click.option(
    "--entries", "span", metavar="A:B", help="Only these entries, both ends included; either may be left out."
)
@pass_context
def show(context: Context, session_id: str | None, log: Path | None, span: str | None) -> None:
    """Show the entries of a session: who said what. One entry alone (`--entries 9`) is shown whole."""
    if (session_id is None) == (log is None):
        raise click.UsageError("Name a session by its id, or a file with --log: one of the two.")
    first, last = parse_span(span)
    session = read_log(log) if log else context.workspace().session(session_id or "")
    chosen = [entry for entry in session.entries if first <= entry.index and (last is None or entry.index <= last)]
    if context.as_json:
        context.print_json(_shown_session(session, chosen))
        return
    say_bold(shown(session.session_id, 200), f"  {session.agent}  {counted(len(session.entries), 'entry')}")
    for entry in chosen:
        _print_entry(context, entry, whole=len(chosen) == 1)
    for gap in session.gaps:
        where = f"line {gap.line + 1}" if gap.line is not None else "the file"
        context.note(f"{where}: {gap.reason}")
    if session.originals:
        copies = sum(entry.subtype == COPIED for entry in session.entries)
        context.note(f"{counted(copies, 'entry')} repeated from {', '.join(session.originals)}, and read there")
    _tell_sub_agents(context, session)
    silent = {name: number for name, number in session.skipped.items() if not name.startswith(UNKNOWN)}
    for said, records in (("that carry nothing said", silent), ("of unknown types", session.unknown)):
        if records:
            listed = ", ".join(f"{redact(name)} {number}" for name, number in sorted(records.items()))
            context.note(f"records {said}: {listed}")


def _tell_sub_agents(context: Context, session: Session) -> None:
    logs = sub_agent_logs(session)
    own = [log for log in logs if not log.repeats]
    if own:
        context.note(f"{counted(len(own), 'log')} of sub-agents beside it, for example: --log {own[0].path}")
    if repeats := len(logs) - len(own):
        context.note(f"{counted(repeats, 'log')} beside it with nothing but its history once more")


def parse_span(span: str | None) -> tuple[int, int | None]:
    """`A:B`, `A:`, `:B` or `A` as first and last index, both included; None for an open end."""
    if span is None:
        return 0, None
    match = _RANGE.fullmatch(span.strip())
    if not match:
        raise click.BadParameter(
            f"`{span}` is no range of entries: write A:B, for example 10:20.", param_hint="--entries"
        )
    if match[3]:
        return int(match[3]), int(match[3])
    first, last = int(match[1] or 0), int(match[2]) if match[2] else None
    if last is not None and last < first:
        raise click.BadParameter(f"`{span}` ends before it begins.", param_hint="--entries")
    return first, last


def _shown_session(session: Session, chosen: list[Entry]) -> dict[str, Any]:
    return {
        "session_id": session.session_id,
        "agent": session.agent,
        "gaps": len(session.gaps),
        "gap_details": [{"line": gap.line, "offset": gap.offset, "reason": gap.reason} for gap in session.gaps],
        "sub_agents": [{"path": str(log.path), "repeats": log.repeats} for log in sub_agent_logs(session)],
        "skipped": {redact(name): number for name, number in session.skipped.items()},
        "repairs": dict(session.repairs),
        "entries": [
            {
                "index": entry.index,
                "kind": str(entry.kind),
                "speaker": str(entry.speaker),
                "subtype": entry.subtype and redact(entry.subtype),
                "ts": entry.ts,
                "text": redact(entry.text),
                "native_id": entry.native_id,
                "line": entry.line,
            }
            for entry in chosen
        ],
    }


def _print_entry(context: Context, entry: Entry, *, whole: bool) -> None:
    """An entry as one line that is cut; alone, all of its lines."""
    kind = redact(entry.subtype or str(entry.kind))
    who = click.style(f"{entry.speaker!s:<9}", fg=_COLORS.get(entry.speaker))
    said = (whole and entry.output) or entry.text or (str(entry.payload) if entry.payload is not None else "")
    text = redact(_ESCAPES.sub("", said)).strip().replace("\n", "\n       ") if whole else shown(said, 400)
    click.echo(f"{entry.index:>5}  {who}  {printable(kind)}{'  failed' if entry.is_error else ''}")
    if text:
        context.echo(f"       {text}")


def shown(text: str, limit: int) -> str:
    """Text of a log as one line for a terminal, without the escape sequences that stand in it, and then without the
    secrets that they may have stood in."""
    return brief(_ESCAPES.sub("", text), limit)


@sessions.command()
@click.argument("words", nargs=-1, required=True, metavar="QUERY")
@LOG
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="Most entries.")
@pass_context
def search(context: Context, words: tuple[str, ...], log: Path | None, limit: int) -> None:
    """Find entries by words, in any language; what stands right beside a hit counts too, so that an answer is found
    that has no word of its question. Reasoning and injected text are not searched."""
    from memory_core.search import EntryIndex, query_tokens

    query = " ".join(words)
    if not query.strip():
        raise click.UsageError("The query is empty: give some words to look for.")
    index = EntryIndex([read_log(log)] if log else _readable(context))
    hits = index.search(query, limit)
    if context.as_json:
        context.print_json({"hits": [hit.plain() for hit in hits], "stored": len(index)})
        return
    wanted = query_tokens(query)
    for hit in hits:
        when = minute(hit.ts)
        beside = "  (beside a hit)" if hit.beside else ""
        say_bold(f"{shown(hit.session_id, 200)}:{hit.entry}", f"  {hit.speaker}  {when}{beside}")
        say_marked(f"    {shown(hit.excerpt, 300)}", wanted)
    if hits:
        context.echo(_summed(hits, log))
    elif len(index):
        context.echo(f"Nothing matched: {counted(len(index), 'entry')} searched. Try fewer or other words.")
    else:
        where = str(log) if log else _places(context.workspace())
        context.echo(f"Nothing stored: nothing was said in {where}.")


def _summed(hits: list[EntryHit], log: Path | None) -> str:
    """How many entries have words of the query, how many stand beside such ones, and how to see the first whole."""
    beside = sum(hit.beside for hit in hits)
    first = next((hit for hit in hits if not hit.beside), hits[0])
    found = counted(len(hits) - beside, "hit") if beside < len(hits) else ""
    near = f"{counted(beside, 'entry')} beside a hit" if beside else ""
    named = f"--log {shlex.quote(str(log))}" if log else shlex.quote(first.session_id)
    whole = f"omoide sessions show {named} --entries {first.entry}"
    return f"{' and '.join(filter(None, (found, near)))}; `{whole}` shows the first whole."


def _places(workspace: Workspace) -> str:
    """Where logs were looked for: our own folder, some that are there, and how many there could be."""
    folders = workspace.session_folders()
    there = [folder for folder in folders[1:] if os.path.isdir(folder)]  # noqa: PTH112 - never raises
    named = ", ".join(map(str, [*folders[:1], *there[:_PLACES]]))
    return f"{named} (`omoide sessions places` lists all {len(folders)} places)"


def _readable(context: Context) -> list[Session]:
    """The workspace's sessions; one that cannot be read is named and left out."""
    found: list[Session] = []
    workspace = context.workspace()
    every = workspace.sessions()
    for ref in every:
        try:
            found.append(workspace.read_session(ref, every))
        except SessionError as error:
            context.note(str(error))
    return found


sessions.add_command(export)
sessions.add_command(import_log)
sessions.add_command(places)
