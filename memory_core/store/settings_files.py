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
from memory_core.diagnostic import Diagnostic
from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.store.files import read_or_none, require_inside
from memory_core.unchosen import brought

Problems = Mapping[Path, Sequence[Diagnostic]]

_GRADES = re.compile(
    rb"^[ \t]*\[*[ \t]*[\"']?lint", re.MULTILINE
)  # settings that speak of rules, in any spelling of TOML


def read_settings(layout: Layout, environment: Mapping[str, str]) -> tuple[Config, Problems]:
    """The settings of user, workspace and environment put together, and what is wrong with them, by file. StoreError
    for a file that cannot be read."""
    problems: dict[Path, Sequence[Diagnostic]] = {}
    user = _read(user_config_path(environment), trusted=True, problems=problems)
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
    """What is wrong with the workspace's own prompts. Most workspaces have none, and then nothing is loaded."""
    if not layout.prompts.is_dir():
        return {}
    from memory_core import prompts

    found: dict[Path, Sequence[Diagnostic]] = {}
    for name in prompts.NAMES:
        path = layout.prompts / f"{name}.md"
        text = read_or_none(path)
        if text is not None and (problems := prompts.problems(name, text.decode("utf-8-sig", "replace"))):
            found[path] = problems
    return found


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
