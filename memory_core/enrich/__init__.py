"""Enrichers: they help to find records and own none. Policy is in `recall` and `upkeep`; the rest are the enrichers."""
