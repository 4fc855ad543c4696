"""Memory put in front of a model: references expanded, resident context, on whose turn which of it may happen."""
