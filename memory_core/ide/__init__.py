"""Answers for editors: completion, hover, definition and references as pure functions of a snapshot and an open text.

Plain data in code points; no protocol types, no disk.
"""
