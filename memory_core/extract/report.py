"""What an extract found, as lines for people: of each session, each agent, and in all. Pure; prints nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from memory_core.extract.task import ExtractRun
from memory_core.redact import brief
from memory_core.sessions.model import Session
from memory_core.text import counted, shorten

_SAID = 100  # characters of a candidate's line
_TITLE = 60
_TYPE = 40  # characters of the name of a record's type
_TYPES = 3


def session_lines(runs: Sequence[ExtractRun]) -> list[str]:
    """Each session with what became of its parts: what was staged, what was not and why."""
    lines: list[str] = []
    for _, group in groupby(runs, key=lambda run: (run.session_id, run.agent)):
        parts = list(group)
        if len(parts) == 1:
            lines += _of_part(parts[0], f"{_name(parts[0])} ", "")
            continue
        lines.append(f"{_name(parts[0])} in {counted(len(parts), 'part')}:")
        for part in parts:
            lines += _of_part(part, "", "  ")
    return lines


def _name(run: ExtractRun) -> str:
    title = f'"{brief(run.title, _TITLE)}"' if run.title else ""
    about = ", ".join(part for part in (run.agent, title) if part)
    return f"{run.session_id} ({about})" if about else run.session_id


def _of_part(run: ExtractRun, name: str, indent: str) -> list[str]:
    span = f"entries {run.range[0]}-{run.range[1]}: " if run.range else ""
    word = f"{run.status}: " if run.status in ("failed", "skipped") and not run.planned else ""
    staged = f" ({run.staging_id})" if run.staging_id else ""
    lines = [f"{indent}{name}{span}{word}{run.reason or run.status}{staged}"]
    lines += [f"{indent}  {each.kind}: {shorten(each.says, _SAID)}" for each in run.candidates]
    lines += [f"{indent}  not staged: {d.array[:-1]} `{d.what}`: {d.reason}" for d in run.dropped]
    return lines


def unknown_line(sessions: Iterable[Session]) -> str | None:
    """What stands in sessions that no reader knows: words may be among it, and nobody would miss them."""
    found: Counter[str] = Counter()
    for session in sessions:
        for name, number in session.unknown.items():
            found[f"{session.agent} {brief(name, _TYPE)}"] += number
    if not found:
        return None
    names = [name for name, _ in found.most_common(_TYPES)]
    more = f" and {len(found) - len(names)} more" if len(found) > len(names) else ""
    return (
        f"{counted(found.total(), 'record')} of unknown types ({', '.join(names)}{more}) were not read: a newer version"
        " of Omoide may know them"
    )


def total_lines(runs: Sequence[ExtractRun]) -> list[str]:
    """The sums: of each agent where there are several, then of all, with what was not staged and what it cost."""
    agents = sorted({run.agent for run in runs if run.agent})
    lines = [f"{agent}: {_sum([run for run in runs if run.agent == agent])}" for agent in agents if len(agents) > 1]
    return [*lines, f"{'In all: ' if lines else ''}{_sum(runs)}"] if runs else []


def _sum(runs: Sequence[ExtractRun]) -> str:
    parts = [counted(_sessions(runs), "session")]
    if planned := [run.planned for run in runs if run.planned]:
        tokens, number = sum(price.tokens for price in planned), sum(price.parts for price in planned)
        return f"{parts[0]}, {f'{tokens:,} tokens in ' if tokens else ''}{counted(number, 'part')}"
    staged = sum(sum((run.counts or {}).values()) for run in runs)
    parts.append(f"{counted(staged, 'candidate')} staged")
    parts += [f"{aside} set aside"] if (aside := set_aside(runs)) else []
    for status in ("failed", "skipped"):
        number = _sessions([run for run in runs if run.status == status])
        parts += [f"{number} {status}"] if number else []
    tokens = sum(run.usage.input_tokens + run.usage.output_tokens for run in runs)
    requests = sum(run.usage.requests for run in runs)
    parts += [f"{tokens:,} tokens in {counted(requests, 'request')}"] if requests else []
    return ", ".join(parts)


def _sessions(runs: Iterable[ExtractRun]) -> int:
    return len({(run.agent, run.session_id) for run in runs})


def set_aside(runs: Iterable[ExtractRun]) -> int:
    """How many candidates were found and not staged."""
    return sum(len(run.dropped) for run in runs)
