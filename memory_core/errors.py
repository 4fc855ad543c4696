"""The errors a caller may want to tell apart. Expected outcomes are return values, not errors.

MemoryCoreError
├── WorkspaceError      no memory root, or the root cannot be used
├── StoreError          a file of the store could not be read or written
│   ├── LockHeld        another live process holds the consolidation lock
│   └── Refused         there is no such thing here, or what is there does not allow it
├── SessionError        a log is missing, foreign or unreadable as a whole
│   ├── NoSession       no session of this workspace goes by that id
│   └── SessionBusy     its program is writing it: it may be readable in a moment
├── ProviderError       a provider is unknown, misconfigured or failed
│   ├── ProviderUnavailable   no key, no connection, time-out, too many requests
│   ├── InputTooLong          the input does not fit into the model's window: a smaller one may
│   └── BadReply        the model answered something no rule can use
├── Cancelled           the person, the editor or a signal stopped the job
└── PromptError         a template is missing or does not match its values

Each message names what, where and what to do about it; it is shown to people as it is.
"""

from __future__ import annotations

import os


def refusal_of(error: OSError) -> str | None:
    """What the operating system refused, in one line for people: the file, the reason, what to look at. None where the
    error names no file: then it is of no file of ours."""
    if error.filename is None or isinstance(error.filename, int):
        return None
    return f"{os.fsdecode(error.filename)}: {error.strerror}; check space and permissions"


class MemoryCoreError(Exception):
    """Base of every error Omoide raises on purpose. `str(error)` is one line for people."""


class WorkspaceError(MemoryCoreError):
    """There is no usable memory root."""


class StoreError(MemoryCoreError):
    """A file of the store could not be read or written."""


class LockHeld(StoreError):
    """Another live process holds the consolidation lock."""


class Refused(StoreError):
    """What was asked for is not there, or what is there does not allow it. Nothing was done."""


class SessionError(MemoryCoreError):
    """A session log is missing, foreign, or unreadable as a whole."""


class NoSession(SessionError):
    """No session of the workspace goes by an id."""


class SessionBusy(SessionError):
    """A session log cannot be read now, and may be in a moment: its program is writing it."""


class ProviderError(MemoryCoreError):
    """A provider is unknown, misconfigured, or failed. `attempts`: requests that were sent before giving up."""

    attempts: int = 0


class ProviderUnavailable(ProviderError):
    """No key, no connection, a time-out, or too many requests: trying later may help."""


class BadReply(ProviderError):
    """The model answered something that cannot be used, also after being told why. `raw`: the beginning of it."""

    raw: str | None = None


class InputTooLong(ProviderError):
    """The input does not fit into the model's window: a smaller one may."""


class Cancelled(MemoryCoreError):
    """The job was stopped on request; nothing half-done stays behind."""


class PromptError(MemoryCoreError):
    """A template is missing, or its placeholders do not match the values given."""
