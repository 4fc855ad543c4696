"""What to run next, from what `omoide status` found: one command, and why. Runs nothing."""

from __future__ import annotations

from typing import Any


def next_step(facts: dict[str, Any]) -> tuple[str, str]:
    """The command and a few words on it, for the facts of `status`; what waits longest for the person comes first. The
    command is empty where nothing waits."""
    sessions, staging = facts["sessions"], facts["staging"]
    if facts["held"]:
        return f"omoide consolidate --review {facts['held'][0]['run_id']}", "this run waits for your word"
    if facts["lint"]["errors"]:
        return "omoide lint", "says where each error is; --fix mends what can be mended"
    if sessions["pending"]:
        return "omoide extract --all", "finds candidates in the logs"
    if staging["candidates"]:
        return "omoide consolidate", "makes records of the candidates, at any time; --dry-run shows the changes first"
    if not sessions["found"]:
        return "omoide sessions places", "no agent has left a log of this folder yet; this is where they are looked for"
    return "", "nothing waits; `omoide search WORDS` finds records"
