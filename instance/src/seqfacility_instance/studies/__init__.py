"""Studies: samples that belong together, pinned to a version of their checklist."""
