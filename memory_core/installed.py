"""Which version of Omoide is installed, and from where. Slow by a few milliseconds: the server finds its version out
another way."""

from __future__ import annotations

NAME = "omoide"


def installed_version() -> str:
    """The version; `0` in a checkout that was never installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(NAME)
    except PackageNotFoundError:
        return "0"


def extra_remedy(extra: str) -> str:
    """The commands that install Omoide with an extra, from where this one was installed."""
    import shlex

    wanted = shlex.quote(requirement(extra, _direct_url()))
    return f"uv tool install {wanted}, or pip install {wanted}"


def requirement(extra: str, direct_url: str | None) -> str:
    """What an installer is told for Omoide with an extra. `direct_url`: the installation's record of where it came from
    (`direct_url.json`, in JSON); None where that was the index. A checkout is not on the index, and neither is one that
    is gone: then the command is for the folder of another one."""
    import json
    from pathlib import Path
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    if direct_url is None:
        return f"{NAME}[{extra}]"
    try:
        found = json.loads(direct_url)
        url = found["url"]
        parts = urlsplit(url)
    except (ValueError, KeyError, TypeError, AttributeError):
        return f".[{extra}]"
    if not parts.scheme:
        return f".[{extra}]"
    if parts.scheme == "file":
        path = Path(url2pathname(parts.path))
        return f"{path}[{extra}]" if path.exists() else f".[{extra}]"
    vcs = found.get("vcs_info")
    kind = f"{vcs['vcs']}+" if isinstance(vcs, dict) and "vcs" in vcs else ""
    return f"{NAME}[{extra}] @ {kind}{url}"


def _direct_url() -> str | None:
    """As `requirement` takes it; the folder of the code itself where it was never installed."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path

    try:
        return distribution(NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        return json.dumps({"url": Path(__file__).resolve().parents[1].as_uri()})
