"""A run that waits for a person, laid out to be read: each change with its diff, and the words it rests on.

Decides and writes nothing; accepting and rejecting is in `held`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from memory_core.changes import ChangeSet
from memory_core.consolidate import held
from memory_core.refactor.diff import unified
from memory_core.staging import CandidateRef, HeldRun, StagingFile, headline
from memory_core.text import shorten, writable

_MARKUP = re.compile(r"[\\`\[\]]")

Staged = Mapping[str, CandidateRef]


def staged_in(files: tuple[StagingFile, ...]) -> dict[str, CandidateRef]:
    """The candidates of staging files by id."""
    return {ref.id: ref for file in files for ref in file.candidates()}


def plain(run: HeldRun, staged: Staged) -> dict[str, Any]:
    """A run as plain data: `changes` with diff and evidence, `closed` with reasons."""
    changes = [
        {
            "op": change.op,
            "path": change.path,
            "diff": unified(ChangeSet({change.path: change})),
            "because": [
                {"candidate": r.candidate, "reason": r.reason, "evidence": _evidence(staged.get(r.candidate))}
                for r in held.causes(run, change.path)
            ],
        }
        for change in held.change_set(run)
    ]
    closed = [{"candidate": r.candidate, "action": r.action, "reason": r.reason} for r in run.closed]
    about = {"run_id": run.run_id, "created_at": run.created_at, "reason": run.reason}
    return {**about, "changes": changes, "closed": closed}


def because(run: HeldRun, path: str, staged: Staged) -> list[str]:
    """Why a file changes, as lines: the candidate and how it was decided, then who said what where."""
    lines = []
    for resolution in held.causes(run, path):
        lines.append(f"because of {said(resolution.candidate, staged)}: {resolution.reason}")
        ref = staged.get(resolution.candidate)
        for anchor in ref.candidate.evidence if ref else ():
            place = f"session {ref.source.session_id if ref else ''}, entry {anchor.entry_range[0]}"
            lines.append(f"  {anchor.speaker}, {place}: {shorten(anchor.excerpt, 160)}")
    return lines


def said(candidate: str, staged: Staged) -> str:
    """A candidate in its own words, or its id where it is gone."""
    ref = staged.get(candidate)
    return f"“{shorten(headline(ref.candidate), 80)}”" if ref else candidate


def page(run: HeldRun, staged: Staged) -> str:
    """The whole run as one Markdown text, for an editor to show as such. Records may hold fences, so theirs is longer;
    what candidates and reasons say is text there: a picture in it would be fetched."""
    parts = [f"# Run {_inert(run.run_id)}", _inert(f"{run.created_at}: {run.reason}.")]
    for change in held.change_set(run):
        diff = unified(ChangeSet({change.path: change})).rstrip("\n")
        fence = "`" * (max((len(mark) for mark in _ticks(diff)), default=2) + 1)
        parts.append(f"## {change.op} {_inert(change.path)}\n\n{fence}diff\n{diff}\n{fence}")
        if lines := because(run, change.path, staged):
            parts.append("\n".join(f"{'  ' * line.startswith(' ')}- {_inert(line)}" for line in lines))
    others = [_inert(f"{r.action}: {said(r.candidate, staged)} ({r.reason})") for r in run.closed if not r.records]
    if others:
        parts.append("## Without a record\n\n" + "\n".join(f"- {line}" for line in others))
    return "\n\n".join(parts) + "\n"


def _inert(text: str) -> str:
    """One line in which nothing is a link, a picture, HTML or code."""
    line = _MARKUP.sub(r"\\\g<0>", writable(" ".join(text.split())))
    return line.replace("<", "&lt;")  # an address in front would take a backslash for a part of itself


def _ticks(text: str) -> list[str]:
    """The runs of backticks that could end a fence, three at least."""
    found, at = [], 0
    while (at := text.find("```", at)) >= 0:
        end = at
        while end < len(text) and text[end] == "`":
            end += 1
        found.append(text[at:end])
        at = end
    return found


def _evidence(ref: CandidateRef | None) -> list[dict[str, Any]]:
    return [anchor.plain() for anchor in ref.candidate.evidence] if ref else []
