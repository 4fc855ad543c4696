"""Search by words: ranked, in any language, over session entries and over records. No index on disk, no dictionary.

A search is never a use. Figures: `bench/locomo.py` for entries, `bench/search.py` for records.
"""

from memory_core.search.entries import EntryHit, EntryIndex, Weights, search_entries, searchable
from memory_core.search.records import RecordHit, search_records, stored
from memory_core.search.words import query_tokens, stem, tokens

__all__ = [
    "EntryHit",
    "EntryIndex",
    "RecordHit",
    "Weights",
    "query_tokens",
    "search_entries",
    "search_records",
    "searchable",
    "stem",
    "stored",
    "tokens",
]
