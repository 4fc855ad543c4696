"""The heading under which a record quotes what it rests on, in the languages that records are written in.

What stands under it says nothing of its own: searches, comparisons and enrichers treat it as what it is, quotations.
"""

from __future__ import annotations

WORDS = r"(?:evidence|根拠|依据|證據|证据|근거)"  # a pattern, for use with `re.IGNORECASE`
