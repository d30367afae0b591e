"""Queries on pipeline runs and the only writes to their tables."""
