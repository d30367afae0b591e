"""Refresh the research-data snapshot from its public sources; each source is a module of its own."""
