"""The system prompt of a consolidation: the template with what the tables know, so that no number is written twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from memory_core import prompts
from memory_core.consolidate.loss import LOSS_SHARE
from memory_core.consolidate.schema import DESCRIPTION_LIMIT, TOOLS
from memory_core.ids import rfc3339
from memory_core.language_names import language_name
from memory_core.prompts import Prompt
from memory_core.staging import StagingFile

NAME = "consolidate_system"
SUMMARY_TOKENS = (1_000, 5_000)  # it is put in front of every session


def system_prompt(language: str, now: datetime, override: str | None = None) -> Prompt:
    """The rendered prompt. `override`: the workspace's own template, which may leave placeholders out."""
    return prompts.render(
        NAME,
        override,
        language=language_name(language),
        today=rfc3339(now)[:10],
        description_limit=str(DESCRIPTION_LIMIT),
        summary_size=f"{SUMMARY_TOKENS[0]:,} to {SUMMARY_TOKENS[1]:,} tokens",
        loss_share=f"{LOSS_SHARE:.0%}",
        tools="\n".join(f"- `{name}`: {text}" for name, (_, text) in TOOLS.items()),
    )


def language_of(setting: str, files: Iterable[StagingFile]) -> str:
    """The language of new records: as set, or with `auto` that of most staged files."""
    if setting != "auto":
        return setting
    counted = Counter(file.language for file in files if file.language)
    return min(counted, key=lambda code: (-counted[code], code)) if counted else "en"
