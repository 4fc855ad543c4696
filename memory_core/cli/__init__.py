"""The command line: one function per verb, which parses, calls the core and prints. Nothing imports it."""

from __future__ import annotations

import sys

from memory_core.cli.process import INTERRUPTED, leave_at_interrupt, open_closed_streams, raise_at_interrupt

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the console script. Hooks of agents take a short way, which loads none of the command line."""
    leave_at_interrupt()
    open_closed_streams()
    try:
        _run(sys.argv[1:] if arguments is None else arguments)
    finally:
        leave_at_interrupt()


def _run(words: list[str]) -> None:
    if words[:1] == ["hook"] and not {"-h", "--help"} & set(words):
        from memory_core.agents.hook import run

        try:
            raise_at_interrupt()
            sys.exit(run(words[1:]))
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
    from memory_core.cli.main import main as command_line

    # The import has put the module of the same name into this one's place.
    sys.modules[__name__].main = main  # type: ignore[attr-defined]
    command_line(words)
