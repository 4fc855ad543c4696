"""The language server: a thin adapter between editors and `memory_core`. Holds no rule of the domain."""
