"""The `[memory]` settings of a root, read the short way: without opening the workspace, without judging the files.

What is wrong with them is said by the commands and the editor; here it counts as not set.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memory_core import config
from memory_core.config import Config, MemorySettings
from memory_core.layout import Layout


def memory_settings(layout: Layout, environment: Mapping[str, str]) -> MemorySettings:
    """The workspace's over the person's, as `workspace.open_root` puts them together."""
    return config.merge(_read(_user_file(environment)), _read(layout.config)).memory


def _user_file(environment: Mapping[str, str]) -> Path:
    if named := environment.get("OMOIDE_CONFIG"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("omoide", appauthor=False)) / "config.toml"


def _read(path: Path) -> Config:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return Config()
    return config.parse(text, trusted=False)[0]
