"""Usage events and the report over them. Values and arithmetic only; appending and reading files is the store's.

A use is a record taken into context on purpose. Search results, completion lists and the consolidator's own reads are
never one. The report's half is loaded when it is first asked for: a hook of an agent only makes events.
"""

from typing import TYPE_CHECKING, Any

from memory_core.usage.event import (
    Actor,
    EventName,
    Source,
    UsageEvent,
    UsedRecord,
    exposure_event,
    parse_line,
    use_event,
)

if TYPE_CHECKING:
    from memory_core.usage.rows import (
        Lists,
        RecordUsage,
        UsageReport,
        lists_of,
        report,
        rows_of,
        to_plain,
    )

__all__ = [
    "Actor",
    "EventName",
    "Lists",
    "RecordUsage",
    "Source",
    "UsageEvent",
    "UsageReport",
    "UsedRecord",
    "exposure_event",
    "lists_of",
    "parse_line",
    "report",
    "rows_of",
    "to_plain",
    "use_event",
]

_REPORT = frozenset({"Lists", "RecordUsage", "UsageReport", "lists_of", "report", "rows_of", "to_plain"})


def __getattr__(name: str) -> Any:
    if name not in _REPORT:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from memory_core.usage import rows

    return getattr(rows, name)
