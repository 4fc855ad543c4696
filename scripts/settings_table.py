"""Write the settings table of README.md from `memory_core.config`; `--check` compares (exit 1 when they differ)."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import fields
from pathlib import Path

from memory_core.config import MemorySettings, ProviderSettings, SessionSettings

README = Path(__file__).resolve().parent.parent / "README.md"
_REGION = re.compile(r"(<!-- settings:begin[^>]*-->\n).*?(<!-- settings:end -->)", re.DOTALL)


def table() -> str:
    """The Markdown table: one row a setting, in the order of the sections."""
    rows = ["| table | key | default | meaning |", "| --- | --- | --- | --- |"]
    for name, section in (("memory", MemorySettings), ("provider", ProviderSettings), ("sessions", SessionSettings)):
        for setting in fields(section):
            shown = "" if setting.default is None else f"`{json.dumps(setting.default)}`"
            rows.append(f"| `[{name}]` | `{setting.name}` | {shown} | {setting.metadata['about']} |")
    return "\n".join(rows) + "\n"


def with_table(readme: str) -> str:
    """The README with the current table in its marked region."""
    return _REGION.sub(lambda match: f"{match[1]}{table()}{match[2]}", readme)


def main() -> int:
    """Write or check, by the command line."""
    text = README.read_text(encoding="utf-8")
    wanted = with_table(text)
    if "--check" in sys.argv:
        return int(text != wanted)
    README.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
