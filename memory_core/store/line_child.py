"""A child process that answers one line for each line it is sent, within a deadline, or is killed and reaped.

Knows bytes and processes; what the lines say is `enrich.command`'s business.
"""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from memory_core.enrich.port import Deadline
from memory_core.errors import ProviderError
from memory_core.store.programs import program_named

# What a program needs to start and to know whom it works for; everything else in our environment may be a key.
PASSED = (
    "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "USERPROFILE", "APPDATA", "PATHEXT",
    "OMOIDE_WORKSPACE",
)  # fmt: skip
_SAID = 4_096  # bytes of its standard error that are kept for a message


class LineChild:
    """One command, started when it is first asked and again after it was killed."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str], most_bytes: int) -> None:
        self.command = tuple(command)
        self._folder = folder
        self._environment = {name: environment[name] for name in PASSED if name in environment}
        self._most = most_bytes
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._said = bytearray()

    def ask(self, line: bytes, deadline: Deadline) -> bytes:
        """Send a line, and the line that comes back. ProviderError when there is none in time, or more than one."""
        try:
            process = self._running()
            if not self._lines.empty():
                raise ProviderError("the enricher sent something it was not asked for")
            writer = threading.Thread(target=_write, args=(process, line + b"\n"), daemon=True)
            writer.start()
            answer = self._lines.get(timeout=deadline.left)
        except queue.Empty:
            self.close()
            raise ProviderError(f"the enricher did not answer in time{self._excuse()}") from None
        except ProviderError:
            self.close()
            raise
        if answer is None:
            code = process.wait()
            self.close()
            raise ProviderError(f"the enricher ended with exit code {code}{self._excuse()}")
        if not answer.endswith(b"\n"):
            self.close()
            raise ProviderError(f"the enricher answered more than {self._most:,} bytes, or half a line")
        return answer

    @property
    def pid(self) -> int | None:
        """The number of the running child."""
        return self._process.pid if self._process else None

    def close(self) -> None:
        """Kill the child with everything it started, and reap it. Does nothing where there is none."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError, ValueError):
                    pipe.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None and not self._silent():
            return self._process
        self.close()
        self._lines = queue.Queue()
        self._said = bytearray()
        try:
            process = subprocess.Popen(
                [_program(self.command[0]), *self.command[1:]],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=sys.platform != "win32",  # so that its own children die with it
            )
        except OSError as error:
            raise ProviderError(
                f"the enricher's command {self.command[0]!r} cannot be started: {error.strerror}"
            ) from None
        self._process = process
        threading.Thread(target=_read, args=(process, self._lines, self._most), daemon=True).start()
        threading.Thread(target=_listen, args=(process, self._said), daemon=True).start()
        return process

    def _silent(self) -> bool:
        """Whether the child has ended its output, so that no answer can come: it ended, or is about to."""
        with self._lines.mutex:
            return bool(self._lines.queue) and self._lines.queue[0] is None

    def _excuse(self) -> str:
        said = bytes(self._said).decode("utf-8", "replace").strip()
        return f": {said}" if said else ""


def _program(name: str) -> str:
    """A bare name is looked for as everywhere (`programs`). OSError where there is none."""
    found = name if os.path.dirname(name) else program_named(name)  # noqa: PTH120 - as somebody wrote it
    if found is None:
        raise FileNotFoundError(errno.ENOENT, "No such file in an absolute folder of PATH", name)
    return found


def _write(process: subprocess.Popen[bytes], data: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):  # it is gone, or does not read: the answer will not come either
        if process.stdin:
            process.stdin.write(data)
            process.stdin.flush()


def _read(process: subprocess.Popen[bytes], lines: queue.Queue[bytes | None], most: int) -> None:
    """Lines of the child, each at most `most` bytes; a longer one is handed over without its end, and is the last."""
    with contextlib.suppress(OSError, ValueError):
        while process.stdout and (line := process.stdout.readline(most + 1)):
            whole = line.endswith(b"\n") and len(line) <= most + 1
            lines.put(line if whole else line.rstrip(b"\n"))
            if not whole:
                return
    lines.put(None)


def _listen(process: subprocess.Popen[bytes], said: bytearray) -> None:
    """Keep the beginning of standard error and read the rest away, so that the child never waits for us."""
    with contextlib.suppress(OSError, ValueError):
        while process.stderr and (data := process.stderr.read1(_SAID)):  # type: ignore[attr-defined]
            said += data[: max(0, _SAID - len(said))]
