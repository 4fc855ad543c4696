"""The command line: one function per verb, which parses, calls the core and prints. Nothing imports it."""

from memory_core.cli.main import main

__all__ = ["main"]
