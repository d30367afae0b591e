"""Queries of live ingest, and the only writes to its tables."""
