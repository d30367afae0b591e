"""What maintainers of the registry's content run from a checkout; no wheel of a release has it."""
