"""Consolidate: from staged candidates to a linted change set over a snapshot, committed whole. Invents no source."""
