"""What an extract found, told in the editor: all of it in the server's log, its outcome in one line. Starts nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.extract.task import ExtractRun
    from server.language_server import Server


def reported(ls: Server, runs: list[ExtractRun]) -> list[str]:
    """What was staged and what was not, session by session, as the terminal shows it; in the editor's log as well."""
    from memory_core.extract.report import session_lines, total_lines

    lines = [*session_lines(runs), *total_lines(runs)]
    if lines:
        ls.note("\n".join(["Extract:", *(f"  {line}" for line in lines)]))
    return lines


def summary(runs: list[ExtractRun]) -> tuple[str, types.MessageType]:
    """The outcome in one line for people."""
    if not runs:
        return "Omoide: no session of this workspace was found.", types.MessageType.Info
    if planned := [run.planned for run in runs if run.planned]:
        parts, tokens = sum(price.parts for price in planned), sum(price.tokens for price in planned)
        sent = f"{tokens:,} tokens in {counted(parts, 'part')}" if tokens else "the built-in rules send nothing"
        return f"Omoide: dry run: {sent}.", types.MessageType.Info
    failed = [run for run in runs if run.status == "failed"]
    skipped = [run for run in runs if run.status == "skipped"]
    dropped = [each for run in runs for each in run.dropped]
    found = sum(sum((run.counts or {}).values()) for run in runs if run.status == "staged")
    said = [f"{counted(found, 'candidate')} staged"] if found else []
    if dropped:
        first = dropped[0]
        more = f" and {len(dropped) - 1} more" if len(dropped) > 1 else ""
        said.append(f"{len(dropped)} set aside ({first.array[:-1]} “{first.what}”: {first.reason}{more})")
    if failed:
        said.insert(0, f"{len(failed)} of {len(runs)} extracts failed: {failed[0].reason}")
    elif skipped and not found:
        said.insert(0, f"{counted(len(skipped), 'session')} skipped: {skipped[0].reason}")
    kind = types.MessageType.Warning if failed else types.MessageType.Info
    return f"Omoide: {'; '.join(said) or 'nothing new to remember'}.", kind
