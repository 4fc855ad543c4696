"""Appending committed lines to a file: one write, the newline as commit mark, nothing half written left behind.

Knows nothing of what the lines mean.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from memory_core.errors import StoreError
from memory_core.store.files import open_own


def append_lines(path: Path, data: bytes, check: Callable[[Path, BinaryIO], None] | None = None) -> None:
    """Append `data`, whole lines, creating the file and its folder; on disk when this returns.

    A tail without newline was never committed and is cut first. `check`: looks at a file that has content and raises
    when it must not be written. StoreError when it cannot be written; the file is then as long as before.
    """
    if not data:
        return
    try:
        descriptor = open_own(path)  # a session may hold anything: it is for its owner alone
        try:
            with _locked(descriptor):
                _append(descriptor, path, data, check)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StoreError(f"{path} cannot be appended to ({error.strerror}): check permissions and space.") from error


def _append(descriptor: int, path: Path, data: bytes, check: Callable[[Path, BinaryIO], None] | None) -> None:
    size = os.fstat(descriptor).st_size
    with os.fdopen(os.dup(descriptor), "rb") as stream:
        if size and check:
            stream.seek(0)
            check(path, stream)
        committed = _committed(stream, size)
    if committed < size:
        os.ftruncate(descriptor, committed)
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    except OSError:  # a full disk writes in part, and half a record must not stay
        os.ftruncate(descriptor, committed)
        raise


def _committed(stream: BinaryIO, size: int) -> int:
    """Bytes up to and including the last newline."""
    end = size
    while end > 0:
        start = max(0, end - (1 << 16))
        stream.seek(start)
        cut = stream.read(end - start).rfind(b"\n")
        if cut >= 0:
            return start + cut + 1
        end = start
    return 0


@contextmanager
def _locked(descriptor: int) -> Iterator[None]:
    """Hold other appending processes off, where the platform has such locks; a single write is whole without them."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
