"""The few settings that a hook hangs on, read the short way: what is wrong with a file is said by the commands and the
editor, here it counts as not set. The one table of settings is `config`'s; a test compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memory_core.layout import Layout
from memory_core.store.ordinary import read_text


class HookSettings(NamedTuple):
    """Of `[memory]`, with the defaults of `config.MemorySettings`."""

    extract_threshold: int = 0
    inject_summary: bool = True
    resident_token_budget: int = 5_000
    resident_for_code_sessions: bool = False


def hook_settings(layout: Layout, environment: Mapping[str, str]) -> HookSettings:
    """The workspace's over the person's, as `workspace.open_root` puts them together."""
    return HookSettings(**{**_set_in(_user_file(environment)), **_set_in(layout.config)})


def hook_grants(layout: Layout, environment: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """`[grants]`, the workspace's over the person's. Files that do not speak of it are not parsed."""
    found: dict[str, tuple[str, ...]] = {}
    for path in (_user_file(environment), layout.config):
        try:
            text = read_text(path)
        except (OSError, UnicodeDecodeError):
            continue
        if "grants" in text:
            from memory_core.config import parse  # the one place that knows what is right in it

            found |= parse(text.removeprefix("\ufeff"), trusted=True)[0].grants
    return found


def _user_file(environment: Mapping[str, str]) -> Path:
    if named := environment.get("OMOIDE_CONFIG"):
        return Path(named)
    system: str = sys.platform  # as a plain text: a type checker would call the other systems unreachable
    if system == "linux":  # the one place that platformdirs would say, without the five milliseconds to ask it
        base = environment.get("XDG_CONFIG_HOME", "")
        return (Path(base) if base.strip() else Path.home() / ".config") / "omoide/config.toml"
    import platformdirs

    return Path(platformdirs.user_config_dir("omoide", appauthor=False)) / "config.toml"


def _set_in(path: Path) -> dict[str, Any]:
    """What a file sets, of the right type; the file that `omoide init` makes sets nothing and is not parsed."""
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError):
        return {}
    if all(not line.strip() or line.lstrip().startswith("#") for line in text.split("\n")):
        return {}
    import tomllib

    try:
        memory = tomllib.loads(text.removeprefix("\ufeff")).get("memory", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
    defaults = HookSettings()._asdict()
    given = memory.items() if isinstance(memory, dict) else ()
    return {
        name: value
        for name, value in given
        if name in defaults and type(value) is type(defaults[name]) and (isinstance(value, bool) or value >= 0)
    }
