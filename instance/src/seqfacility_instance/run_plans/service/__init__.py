"""Use cases of run plans."""
