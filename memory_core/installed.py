"""Which version of Omoide is installed. Slow by a few milliseconds: the server finds its own out another way."""

from __future__ import annotations


def installed_version() -> str:
    """The version; `0` in a checkout that was never installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("omoide")
    except PackageNotFoundError:
        return "0"
