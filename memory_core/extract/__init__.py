"""Extract: from the entries after a session's pointer to staged candidates with host-made anchors. Writes no record."""
