"""The memory linter: one pure function of a snapshot. Reads no disk, writes nothing; the same rules run in the editor,
on the command line and before every write by a model."""
