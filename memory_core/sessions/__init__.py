"""Session logs: every agent's log read as our entries, with the speaker decided here and gaps counted.

Knows nothing of memory: extension entries are opaque, each domain folds its own.
"""
