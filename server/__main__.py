"""`python -I -m server`: the language server on stdin and stdout.

`-I` matters: without it a folder `server/` of the user's workspace would be run in place of this one.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys

# Importing pygls makes some hundred thousand objects that stay; looking for garbage among them is a fifth of the start.
gc.disable()

from server import lazy_types  # noqa: E402 - behind the line above, on purpose

lazy_types.load()

from server.app import create_server  # noqa: E402 - the types are loaded
from server.lifetime import leave  # noqa: E402


def main() -> None:
    options = _options()
    _set_up_logging(options.log_file, options.log_level)
    server = create_server()
    gc.enable()
    try:
        if options.tcp is None:
            server.start_io()
        else:
            server.start_loopback(options.tcp)
    except KeyboardInterrupt:
        leave(130, lambda: server.usage.close(0.3))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="omoide lsp", description="The Omoide language server, on stdin and stdout.")
    transport = parser.add_mutually_exclusive_group()
    transport.add_argument("--stdio", action="store_true", help="the default, accepted for editors that pass it")
    transport.add_argument(
        "--tcp", type=int, metavar="PORT", help="wait for one client on 127.0.0.1:PORT (0: a free port), to debug"
    )
    parser.add_argument("--log-file", help="also write the log to this file")
    parser.add_argument("--log-level", default="WARNING", type=str.upper, choices=["DEBUG", "INFO", "WARNING", "ERROR"])
    return parser.parse_args()


class _Clean(logging.Formatter):
    """Lines of the log without secrets. What looks for them is loaded with the first line, not at the start."""

    def format(self, record: logging.LogRecord) -> str:
        from memory_core.redact import redact

        return redact(super().format(record))


def _set_up_logging(file: str | None, level: str) -> None:
    """Logs go to stderr, never to stdout: that is the protocol's."""
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    problem = None
    if file:
        try:
            # Made for its owner alone: it names paths and records.
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
            handlers.append(logging.FileHandler(file, encoding="utf-8"))
        except OSError as error:
            problem = error
    for handler in handlers:
        handler.setFormatter(_Clean("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=handlers)
    # pygls formats every message it sends at INFO, records and all.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    if problem:
        logging.getLogger("server").warning(
            "%s cannot be written (%s): logging to stderr only.", file, problem.strerror
        )


if __name__ == "__main__":
    main()
