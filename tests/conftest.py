"""Faults of the machine, for the tests of whatever must survive them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import pytest
from hypothesis import settings

# The same examples in every run of continuous integration; on a person's machine hypothesis looks for new ones.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("default", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "default")


class Killed(BaseException):
    """The process died here. Not an Exception: no handler may treat it as an error and go on."""


class DyingDisk:
    """Lets `allowed` calls that change the disk through; that many later nothing changes any more."""

    def __init__(self, allowed: int, error: Callable[[], BaseException]) -> None:
        self.allowed = allowed
        self.error = error
        self.calls: list[str] = []
        self.died = False

    def wrap(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if len(self.calls) >= self.allowed:
                self.died = True
                raise self.error()
            self.calls.append(name)
            return real(*args, **kwargs)

        return call


DiskFault = Callable[..., AbstractContextManager[DyingDisk]]


@pytest.fixture
def dying_disk(monkeypatch: pytest.MonkeyPatch) -> DiskFault:
    """`with dying_disk(n) as disk:` dies at call n of those that change the disk; the block ends there, as a killed
    process would, and `disk.died` says whether it came to that. With `error`, the calls fail with that instead."""

    @contextmanager
    def dying(allowed: int, error: Callable[[], BaseException] = Killed) -> Iterator[DyingDisk]:
        disk = DyingDisk(allowed, error)
        with monkeypatch.context() as patch:
            for name in ("replace", "link", "unlink", "write"):
                patch.setattr(os, name, disk.wrap(name, getattr(os, name)))
            patch.setattr(os, "fsync", disk.wrap("fsync", lambda _: None))  # waiting for the disk would prove nothing
            with suppress(Killed):
                yield disk

    return dying
