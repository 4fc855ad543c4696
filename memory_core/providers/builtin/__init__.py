"""The keyless provider: rules in place of a model, for both steps. Calls no network and learns nothing."""
