"""Conversation rows of older memories: found, judged, and only by a reviewed plan moved, promoted or expired."""
