"""Use cases on the outputs of runs."""
