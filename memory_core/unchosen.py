"""What would be sent to a model by itself although only a workspace chose so that its user does not trust. Pure.

Says nothing of what a person starts: there they see, or are asked, what is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from memory_core.config import Config

Step = Literal["extract", "consolidation"]

# What begins a step by itself, and whom it asks.
_THRESHOLDS: Mapping[Step, tuple[str, ...]] = {
    "extract": ("extract_threshold",),
    "consolidation": ("consolidation_threshold_files", "consolidation_threshold_bytes"),
}
_MODELS: Mapping[Step, str] = {"extract": "memory.extract_model", "consolidation": "memory.consolidation_model"}


def brought(user: Config, workspace: Config) -> frozenset[str]:
    """The settings, as `memory.extract_model`, that have another value in a workspace than with the user's alone. A
    number that the user gave is not one of them: what begins may begin a little sooner, and what a day may cost is the
    user's."""
    found = set()
    for section in ("memory", "provider"):
        mine, here = getattr(user, section), getattr(workspace, section)
        for key in (key for given, key in workspace.given if given == section):
            off = not isinstance(getattr(mine, key), int) or not getattr(mine, key)
            if off and getattr(mine, key) != getattr(here, key):
                found.add(f"{section}.{key}")
    return frozenset(found)


def unchosen(config: Config, step: Step, provider: str | None = None) -> str | None:
    """The setting that only such a workspace chose and that has a step send something by itself, or to a model that the
    user did not choose; None where nothing is sent so. `provider`: named by the user for this once."""
    on = [f"memory.{key}" for key in _THRESHOLDS[step] if getattr(config.memory, key)]
    if not on or (provider or config.provider.name) == "builtin":
        return None
    keys = (*on, _MODELS[step]) if provider else (*on, "provider.name", _MODELS[step])
    return next((key for key in keys if key in config.brought), None)
