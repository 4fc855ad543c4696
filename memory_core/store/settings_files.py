"""The settings of a workspace on disk: the user's file, the workspace's own, and what is wrong with its prompts.

Reads only. What the settings mean, and which of them count, is `config`'s business.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from memory_core import config as settings
from memory_core.config import Config, ProviderSettings
from memory_core.diagnostic import Diagnostic, Severity
from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.store.files import read_or_none, require_inside
from memory_core.text import Position, Range
from memory_core.unchosen import brought

Problems = Mapping[Path, Sequence[Diagnostic]]

_GRADES = re.compile(
    rb"^[ \t]*\[*[ \t]*[\"']?lint", re.MULTILINE
)  # settings that speak of rules, in any spelling of TOML


def read_settings(layout: Layout, environment: Mapping[str, str]) -> tuple[Config, Problems]:
    """The settings of user, workspace and environment put together, and what is wrong with them, by file. StoreError
    for a file that cannot be read."""
    problems: dict[Path, Sequence[Diagnostic]] = {}
    user = _users(environment, problems)
    require_inside(layout.root, layout.config)
    problems |= _prompt_problems(layout)
    trusted = user.trust.covers(layout.workspace)
    own = _read(layout.config, trusted=trusted, problems=problems, allowed=user.provider)
    mine, merged = (settings.from_environment(it, environment) for it in (user, settings.merge(user, own)))
    return merged if trusted else replace(merged, brought=brought(mine, merged)), problems


def user_config_path(environment: Mapping[str, str]) -> Path:
    """The user's own configuration: `OMOIDE_CONFIG`, or `omoide/config.toml` in the platform's folder."""
    if named := environment.get("OMOIDE_CONFIG"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("omoide", appauthor=False)) / "config.toml"


def _prompt_problems(layout: Layout) -> dict[Path, Sequence[Diagnostic]]:
    """What is wrong with the workspace's own prompts. Most workspaces have none, and then nothing is loaded. One that
    cannot be read is a problem of those runs alone that would ask a model with it."""
    if not os.path.isdir(layout.prompts):  # noqa: PTH112 - a `Path` raises where it may not look
        return {}
    from memory_core import prompts

    found: dict[Path, Sequence[Diagnostic]] = {}
    for name in prompts.NAMES:
        path = layout.prompts / f"{name}.md"
        try:
            text = read_or_none(path)
            problems = prompts.problems(name, text.decode("utf-8-sig", "replace")) if text is not None else []
        except (StoreError, OSError) as error:
            problems = [
                _at_start("prompt-placeholder", Severity.ERROR, f"{_unread(error)} No model is asked until then.")
            ]
        if problems:
            found[path] = problems
    return found


def _users(environment: Mapping[str, str], problems: dict[Path, Sequence[Diagnostic]]) -> Config:
    """The user's own settings. A home that may not be entered, as another user's in a container, holds none: that is
    said, and all goes on as for somebody who set nothing. A file that is there, or was named, is read or refused."""
    path = user_config_path(environment)
    if not environment.get("OMOIDE_CONFIG") and (closed := _closed_above(path)):
        message = (
            f"{closed} may not be entered, so that there are no settings of yours: set HOME to a folder of your own, "
            "or OMOIDE_CONFIG to a file."
        )
        problems[path] = [_at_start("invalid-config", Severity.WARNING, message)]
        return Config()
    return _read(path, trusted=True, problems=problems)


def _closed_above(path: Path) -> Path | None:
    """The folder above a file that may not be entered; None where the file, or that there is none, can be seen."""
    try:
        path.lstat()
    except PermissionError:
        return next((folder for folder in reversed(path.parents) if not os.access(folder, os.X_OK)), path.parent)
    except OSError:
        return None
    return None


def _at_start(code: str, severity: Severity, message: str) -> Diagnostic:
    start = Position(0, 0)
    return Diagnostic(code, severity, message, Range(start, start))


def _unread(error: StoreError | OSError) -> str:
    if isinstance(error, OSError):
        return f"It cannot be read ({error.strerror}): check what it is and its permissions."
    return str(error)


def _read(
    path: Path,
    *,
    trusted: bool,
    problems: dict[Path, Sequence[Diagnostic]],
    allowed: ProviderSettings | None = None,
) -> Config:
    try:
        text = b"" if str(path) == os.devnull else read_or_none(path) or b""
        words = text.decode("utf-8-sig")
        config, found = settings.parse(words, trusted=trusted, known_rules=_rules(text), allowed=allowed)
    except UnicodeDecodeError as error:
        raise StoreError(f"{path} is not UTF-8 (byte {error.start}): save it as UTF-8.") from error
    if found:
        problems[path] = found
    return config


def _rules(text: bytes) -> frozenset[str]:
    """The codes that settings may grade; settings that grade none do not load the rules."""
    if not _GRADES.search(text):
        return frozenset()
    from memory_core.lint.registry import CODES

    return CODES
