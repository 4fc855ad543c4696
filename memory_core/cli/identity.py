"""On whose behalf a command looks at records: `--as KEY=VALUE`, the environment, or all of them by saying so.

Without any of them a command sees what is shared, which in a workspace without scopes is everything.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from memory_core.records.schema import SCOPE_KEYS
from memory_core.records.scope import ALL, Caller, Who, caller_of

Command = TypeVar("Command", bound=Callable[..., Any])

_ENVIRONMENT = {"OMOIDE_AGENT": "agent", "OMOIDE_SESSION_ID": "session"}


def as_whom(command: Command) -> Command:
    """Add the options `--as` and `--all-scopes`; the command takes `as_keys` and `all_scopes` for `asking`."""
    for option in (
        click.option("--all-scopes", is_flag=True, help="Also what is scoped to others: for the workspace's operator."),
        click.option("--as", "as_keys", multiple=True, metavar="KEY=VALUE", help="As this agent, session, tenant ..."),
    ):
        command = option(command)
    return command


def asking(as_keys: tuple[str, ...], all_scopes: bool, session_id: str | None = None) -> Who:
    """Who asks. UsageError for a key that is no identity, and where both options are given."""
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
    return caller_of(found) if found else Caller()
