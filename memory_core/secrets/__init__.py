"""What secrets look like, where they stand, and whether a value that stands there is one. `redact` takes them out."""
