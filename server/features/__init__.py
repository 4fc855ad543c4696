"""Handlers of LSP methods, one file each: take apart, ask the core, put together, answer."""
