"""The health of a whole store: what `omoide audit` finds and counts. Looks and never writes."""
