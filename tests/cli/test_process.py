"""The process of a command at its edges: interrupted before it begins and after it ended, without standard streams."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and descriptors of POSIX")

# Ctrl-C at a moment that no clock finds: when a module is about to be loaded, or when the interpreter shuts down.
INTERRUPTED_AT = """
import atexit, os, signal, sys

class Interrupt:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            press()

def press():
    os.kill(os.getpid(), signal.SIGINT)

where = sys.argv[1]
sys.meta_path.insert(0, Interrupt())
if where == "exit":
    atexit.register(press)
from memory_core.cli import main
main(sys.argv[2:])
"""


@pytest.mark.parametrize("where", ["click", "memory_core.cli.main", "memory_core.cli.explain", "exit"])
def test_an_interrupt_at_any_moment_is_130_and_no_traceback(folder: Path, where: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED_AT, where, "explain"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (130, "")


def test_an_interrupt_of_a_hook_is_130_and_no_traceback(folder: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED_AT, "memory_core.agents.hook", "hook", "session-start"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (130, "")


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (1, 2), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("words", ["search words", "read knowledge a", "install agents-md", "hook session-start"])
def test_streams_that_are_closed_are_as_if_nobody_were_there(folder: Path, closed: tuple[int, ...], words: str) -> None:
    """Asking one of them whether it is a terminal was an internal error; a record could have got its descriptor."""

    def code_of(after: str) -> tuple[int, str]:
        line = f"exec {sys.executable} -m memory_core {words} {after}"
        done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    code, said = code_of(" ".join(f"{number}{'>' if number else '<'}&-" for number in closed))
    assert "internal error" not in said
    assert code == code_of("< /dev/null")[0]
