"""One module for each log format: records to entries. The table of formats is in `sessions.catalog`."""
