"""Usage events and the report over them. Values and arithmetic only; appending and reading files is the store's.

A use is a record taken into context on purpose. Search results, completion lists and the consolidator's own reads are
never one.
"""

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
from memory_core.usage.report import (
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
