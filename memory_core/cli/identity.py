"""On whose behalf a command looks at records: `--as KEY=VALUE`, the environment, or all of them by saying so.

Without any of them a command sees what is shared, which in a workspace without scopes is everything.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from memory_core.records.schema import SCOPE_KEYS, RecordRef
from memory_core.records.scope import ALL, Caller, Who, caller_of, granted
from memory_core.scope import seen_by
from memory_core.snapshot import Snapshot

Command = TypeVar("Command", bound=Callable[..., Any])

_ENVIRONMENT = {
    "OMOIDE_AGENT": "agent",
    "OMOIDE_SESSION_ID": "session",
    "OMOIDE_TENANT": "tenant",
    "OMOIDE_PRINCIPAL": "principal",
}


def changing(as_keys: tuple[str, ...], all_scopes: bool) -> Who:
    """Who changes a record that is named. These are the operator's commands: a person who gives no identity is the one
    who could edit the files. Whoever comes with an identity, as agents do, changes what it may see and nothing else."""
    who = asking(as_keys, all_scopes)
    return ALL if who == Caller() else who


def changeable(snapshot: Snapshot, ref: RecordRef, who: Who) -> Snapshot:
    """The snapshot to plan a change of a record on. Where the one who asks may not see it, that is one without it: the
    change is refused in the words for a name that does not exist. A grant is for reading and does not count here."""
    seen = seen_by(snapshot, who.alone if isinstance(who, Caller) else who)
    return snapshot if seen.document(ref) else seen


def on_whose_behalf(command: Command) -> Command:
    """Add the option `--as` alone; the command takes `as_keys` for `on_behalf`."""
    option = click.option("--as", "as_keys", multiple=True, metavar="KEY=VALUE", help="As this agent, tenant ...")
    return option(command)


def as_whom(command: Command) -> Command:
    """Add the options `--as` and `--all-scopes`; the command takes `as_keys` and `all_scopes` for `asking`."""
    for option in (
        click.option("--all-scopes", is_flag=True, help="Also what is scoped to others: for the workspace's operator."),
        click.option("--as", "as_keys", multiple=True, metavar="KEY=VALUE", help="As this agent, session, tenant ..."),
    ):
        command = option(command)
    return command


def asking(
    as_keys: tuple[str, ...],
    all_scopes: bool,
    session_id: str | None = None,
    grants: Mapping[str, Sequence[str]] | None = None,
) -> Who:
    """Who asks. `grants`: the settings of that name. UsageError for a key that is no identity, and where both options
    are given."""
    if all_scopes:
        if as_keys:
            raise click.UsageError("--as says who you are, --all-scopes that it does not matter: give one of them.")
        return ALL
    found = {key: os.environ[name] for name, key in _ENVIRONMENT.items() if os.environ.get(name)}
    if session_id:
        found["session"] = session_id
    for pair in as_keys:
        key, _, value = pair.partition("=")
        if key not in SCOPE_KEYS or not value:
            raise click.UsageError(f"--as {pair}: give KEY=VALUE, where KEY is one of {', '.join(SCOPE_KEYS)}.")
        found[key] = value
    return granted(caller_of(found), grants or {})


def on_behalf(as_keys: tuple[str, ...], session_id: str | None, grants: Mapping[str, Sequence[str]]) -> Caller:
    """Like `asking`, for what is always done on somebody's behalf: a turn, a session's context."""
    who = asking(as_keys, False, session_id, grants)
    return who if isinstance(who, Caller) else Caller()
