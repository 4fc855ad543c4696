"""Whether enough is staged for a consolidation to start by itself, in words. Pure: starts nothing."""

from __future__ import annotations

from memory_core.config import Config
from memory_core.ports import StagingArea


def consolidation_due(area: StagingArea, config: Config) -> str | None:
    """None when enough is staged for a run; else why it is not due."""
    files, size = config.memory.consolidation_threshold_files, config.memory.consolidation_threshold_bytes
    if not files and not size:
        return "automatic consolidation is off: both thresholds are 0"
    if not area.files:
        return nothing_staged(area)
    if (files and len(area.files) >= files) or (size and area.bytes >= size):
        return None
    parts = [f"{len(area.files)} of {files} files"] if files else []
    parts += [f"{area.bytes:,} of {size:,} bytes"] if size else []
    return f"a run of itself waits for more: {' and '.join(parts)}"


def nothing_staged(area: StagingArea) -> str:
    """What to say of an area without a file that can be read."""
    if area.invalid:
        names = ", ".join(name for name, _ in area.invalid[:3])
        return f"nothing is staged that can be read ({len(area.invalid)} files cannot: {names})"
    return "nothing is staged"
